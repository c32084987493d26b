//! The HTML reader, on pages that the tests write themselves and on real ones where they are present.
#![allow(missing_docs)]

#[path = "../support/mod.rs"]
mod support;

mod content;
mod corpora;
mod hostile;
mod property;
mod tables;

use codecite_core::document::{BlockKind, Document, Table};
use codecite_core::error::Result;
use codecite_core::work::Limits;
pub use support::{block, furniture, texts};

/// Reads with the given limits on a small stack, as a server's backend may have.
pub fn read_with(bytes: &[u8], limits: &Limits) -> Result<Document> {
    let document = support::read_with(codecite_core::read::html::read, bytes, limits);
    if let Ok(document) = &document {
        check_invariants(document);
    }
    document
}

pub fn read(page: &str) -> Document {
    read_with(page.as_bytes(), &Limits::default()).unwrap()
}

/// The texts of the blocks of a page.
pub fn blocks(page: &str) -> Vec<String> {
    let document = read(page);
    texts(&document).into_iter().map(str::to_owned).collect()
}

/// The only table.
pub fn table(document: &Document) -> &Table {
    let mut tables = document.blocks.iter().filter_map(|block| match &block.kind {
        BlockKind::Table(table) => Some(table),
        _ => None,
    });
    let table = tables.next().unwrap_or_else(|| panic!("no table: {:#?}", texts(document)));
    assert!(tables.next().is_none(), "two tables");
    table
}

/// What must hold of every document of this format.
pub fn check_invariants(document: &Document) {
    support::check_invariants(document);
    for block in &document.blocks {
        if let BlockKind::Table(table) = &block.kind {
            check_table(table);
        }
    }
    for piece in &document.furniture {
        assert!(piece.offset.is_some(), "furniture of a page has a place");
        assert!(!piece.text.trim().is_empty());
    }
}

fn check_table(table: &Table) {
    let mut taken = vec![false; table.rows * table.columns];
    for cell in &table.cells {
        for row in cell.row..cell.row + cell.row_span {
            for column in cell.column..cell.column + cell.column_span {
                assert!(row < table.rows && column < table.columns, "a cell beside its table: {cell:?}");
                assert!(
                    !std::mem::replace(&mut taken[row * table.columns + column], true),
                    "two cells in one place"
                );
            }
        }
    }
    assert!(table.header_rows <= table.rows);
}
