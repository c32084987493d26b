//! Checks a drafted answer: every citation and every quotation in it, against what the codes say.
//!
//! [`claims`] reads the draft, [`judge`] gives the verdict on one claim by what a [`Lookup`] answers. Neither reads or
//! writes anything. A work that the look-up does not know is never judged.

mod align;
mod citation;
mod claims;
mod exceptions;
mod judge;
mod lookup;
mod marker;
mod marks;
mod naming;
mod pages;
mod quote;
mod quoted;
mod scope;
mod sentences;
mod values;
mod words;
mod works;

pub use citation::Citation;
pub use claims::{Claim, Quotation, claims};
pub use judge::{Judgement, Note, Verdict, judge};
pub use lookup::{Lookup, Standing, Text, Texts};
pub use marks::Marks;
pub use values::Value;
pub use works::Work;
