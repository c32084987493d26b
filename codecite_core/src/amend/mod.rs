//! Amendments: what an amending document does to a base, as operations over an untouched base; and what changed between
//! two editions.

mod apply;
mod compare;
mod consolidate;
mod find;
mod grammar;
mod lexicon;
mod locate;
mod markup;
mod operation;
mod phrase;
mod redline;
mod restated;
mod tail;
mod token;
mod words;

pub use apply::{Amended, Step, apply, same_words};
pub use compare::{Change, Difference, Edition, compare};
pub use consolidate::{Consolidated, Outcome, Standing, consolidate, heading_length};
pub use find::operations;
pub use grammar::clauses;
pub use operation::{Clause, Detail, Operation, Place, Scope, Status, Target, Unit, Verb, Which, Words};
pub use redline::{redline, similarity};
