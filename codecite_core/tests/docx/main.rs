//! The DOCX reader, on files that the tests write themselves and on a real one where it is present.
#![allow(missing_docs)]

#[path = "../support/mod.rs"]
mod support;

mod corpora;
mod flow;
mod hostile;
mod numbering;
mod package;
mod styles;
mod tables;
mod tracked;
mod writer;

use codecite_core::document::{Block, BlockKind, Document, FurnitureKind, Table};
use codecite_core::error::Result;
use codecite_core::work::Limits;
pub use support::{block, texts};
use writer::Docx;

/// Reads with the given limits on a small stack, as a server's backend may have.
pub fn read_with(bytes: &[u8], limits: &Limits) -> Result<Document> {
    let document = support::read_with(codecite_core::read::docx::read, bytes, limits);
    if let Ok(document) = &document {
        check_invariants(document);
    }
    document
}

pub fn read(docx: &Docx) -> Document {
    read_with(&docx.bytes(), &Limits::default()).unwrap()
}

/// The texts of the blocks of a document with this body.
pub fn texts_of(body: &str) -> Vec<String> {
    let document = read(&Docx::new(body));
    texts(&document).into_iter().map(str::to_owned).collect()
}

pub fn table_of(block: &Block) -> &Table {
    let BlockKind::Table(table) = &block.kind else { panic!("no table: {:?}", block.kind) };
    table
}

/// The furniture of a kind, with its offsets.
pub fn beside(document: &Document, kind: FurnitureKind) -> Vec<(&str, Option<usize>)> {
    let pieces = document.furniture.iter().filter(|piece| piece.kind == kind);
    pieces.map(|piece| (piece.text.as_str(), piece.offset)).collect()
}

/// What must hold of every document of this format.
pub fn check_invariants(document: &Document) {
    support::check_invariants(document);
    assert!(document.pages.is_empty() && document.page_count == 0, "invented pages");
}
