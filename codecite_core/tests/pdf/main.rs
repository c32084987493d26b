//! The PDF reader, on files that the tests write themselves and on real ones where they are present.
#![allow(missing_docs)]

mod content;
mod corpora;
mod hostile;
mod layout;
mod tables;
mod writer;

use codecite_core::document::{Block, BlockKind, Document};
use codecite_core::error::Result;
use codecite_core::work::{Limits, Unwatched, Work};

/// Reads with the given limits on a small stack, as a server's backend may have.
pub fn read_with(bytes: &[u8], limits: &Limits) -> Result<Document> {
    let (bytes, limits) = (bytes.to_vec(), limits.clone());
    let run = move || {
        let mut progress = Unwatched;
        codecite_core::read::pdf::read(&bytes, &mut Work::new(&limits, &mut progress))
    };
    std::thread::Builder::new().stack_size(1 << 20).spawn(run).unwrap().join().expect("the reader panicked")
}

pub fn read(bytes: &[u8]) -> Document {
    read_with(bytes, &Limits::default()).unwrap()
}

pub fn texts(document: &Document) -> Vec<&str> {
    document.blocks.iter().map(|block| document.slice(block.span)).collect()
}

/// The block that begins with `start`.
pub fn block<'d>(document: &'d Document, start: &str) -> &'d Block {
    let found = document.blocks.iter().find(|block| document.slice(block.span).starts_with(start));
    found.unwrap_or_else(|| panic!("no block begins with {start:?}: {:#?}", texts(document)))
}

/// The text of the bold runs of a block.
pub fn bold<'d>(document: &'d Document, block: &Block) -> Vec<&'d str> {
    block.runs.iter().filter(|run| run.style.bold).map(|run| document.slice(run.span)).collect()
}

/// What must hold of every document.
pub fn check_invariants(document: &Document) {
    let mut end = 0;
    for block in &document.blocks {
        assert!(block.span.start == end || block.span.start == end + 1, "a gap before a block");
        end = block.span.end;
        assert!(document.text.get(block.span.range()).is_some(), "a block off its character boundaries");
        for run in &block.runs {
            assert!(block.span.contains(run.span), "a run outside its block");
        }
        if let BlockKind::Table(table) = &block.kind {
            assert!(table.cells.iter().all(|c| c.row + c.row_span <= table.rows), "a cell below its table");
            assert!(
                table.cells.iter().all(|c| c.column + c.column_span <= table.columns),
                "a cell beside its table"
            );
        }
    }
    assert_eq!(end, document.text.len());
    for pair in document.pages.windows(2) {
        assert!(
            pair[0].offset <= pair[1].offset && pair[0].page < pair[1].page,
            "pages out of order: {pair:?}"
        );
    }
    assert!(document.pages.iter().all(|mark| document.text.is_char_boundary(mark.offset)));
}
