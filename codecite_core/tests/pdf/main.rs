//! The PDF reader, on files that the tests write themselves and on real ones where they are present.
#![allow(missing_docs)]

#[path = "../support/mod.rs"]
mod support;

mod content;
mod corpora;
mod hostile;
mod layout;
mod tables;
mod writer;

use codecite_core::document::{Block, Document};
use codecite_core::error::Result;
use codecite_core::work::Limits;
pub use support::{block, check_invariants, texts};

/// Reads with the given limits on a small stack, as a server's backend may have.
pub fn read_with(bytes: &[u8], limits: &Limits) -> Result<Document> {
    support::read_with(codecite_core::read::pdf::read, bytes, limits)
}

pub fn read(bytes: &[u8]) -> Document {
    read_with(bytes, &Limits::default()).unwrap()
}

/// The text of the bold runs of a block.
pub fn bold<'d>(document: &'d Document, block: &Block) -> Vec<&'d str> {
    block.runs.iter().filter(|run| run.style.bold).map(|run| document.slice(run.span)).collect()
}
