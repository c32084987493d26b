//! Queries and answers: what is asked, which candidates answer it, in which order, and how sure that is.

mod coverage;
mod fuse;
mod lift;
mod query;
mod rerank;

pub use coverage::{Coverage, Floors, Meaning, Signals, judge};
pub use fuse::{Candidate, Fusion, Leg, SectionHit, collapse, fuse};
pub use lift::{Kin, Rank, lift};
pub use query::{Address, MAX_QUERY_CHARS, Query};
pub use rerank::{interaction, rerank};
