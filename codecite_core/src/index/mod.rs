//! The inverted index: postings as they are stored, and BM25 over them.

mod bm25;
mod postings;

pub use bm25::{Bm25, LexicalHit, Match, PostingRow, Ranking, Scope};
pub use postings::{Entry, Index, decode, index};
