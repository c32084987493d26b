//! The HTML reader, on pages that the tests write themselves and on real ones where they are present.
#![allow(missing_docs)]

mod content;
mod corpora;
mod hostile;
mod property;
mod tables;

use codecite_core::document::{Block, BlockKind, Document, FurnitureKind, Table};
use codecite_core::error::Result;
use codecite_core::work::{Limits, Unwatched, Work};

/// Reads with the given limits on a small stack, as a server's backend may have.
pub fn read_with(bytes: &[u8], limits: &Limits) -> Result<Document> {
    let (bytes, limits) = (bytes.to_vec(), limits.clone());
    let run = move || codecite_core::read::html::read(&bytes, &mut Work::new(&limits, &mut Unwatched));
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(run).unwrap();
    let document = thread.join().expect("the reader panicked");
    if let Ok(document) = &document {
        check_invariants(document);
    }
    document
}

pub fn read(page: &str) -> Document {
    read_with(page.as_bytes(), &Limits::default()).unwrap()
}

pub fn texts(document: &Document) -> Vec<&str> {
    document.blocks.iter().map(|block| document.slice(block.span)).collect()
}

/// The texts of the blocks of a page.
pub fn blocks(page: &str) -> Vec<String> {
    let document = read(page);
    texts(&document).into_iter().map(str::to_owned).collect()
}

/// The block that begins with `start`.
pub fn block<'d>(document: &'d Document, start: &str) -> &'d Block {
    let found = document.blocks.iter().find(|block| document.slice(block.span).starts_with(start));
    found.unwrap_or_else(|| panic!("no block begins with {start:?}: {:#?}", texts(document)))
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

pub fn furniture(document: &Document, kind: FurnitureKind) -> Vec<&str> {
    document.furniture.iter().filter(|f| f.kind == kind).map(|f| f.text.as_str()).collect()
}

/// What must hold of every document.
pub fn check_invariants(document: &Document) {
    let mut end = 0;
    for block in &document.blocks {
        assert!(block.span.start == end || block.span.start == end + 1, "a gap before a block");
        end = block.span.end;
        let text = document.text.get(block.span.range()).expect("a block off its character boundaries");
        assert!(!text.trim().is_empty(), "an empty block");
        let mut from = block.span.start;
        for run in &block.runs {
            assert!(from <= run.span.start && run.span.end <= block.span.end, "a run out of place");
            assert!(document.text.get(run.span.range()).is_some());
            from = run.span.end;
        }
        if let BlockKind::Table(table) = &block.kind {
            check_table(table);
        }
    }
    assert_eq!(end, document.text.len());
    for piece in &document.furniture {
        let offset = piece.offset.expect("furniture of a page has a place");
        assert!(document.text.is_char_boundary(offset), "furniture off the character boundaries");
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
