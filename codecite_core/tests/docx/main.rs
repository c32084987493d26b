//! The DOCX reader, on files that the tests write themselves and on a real one where it is present.
#![allow(missing_docs)]

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
use codecite_core::work::{Limits, Unwatched, Work};
use writer::Docx;

/// Reads with the given limits on a small stack, as a server's backend may have.
pub fn read_with(bytes: &[u8], limits: &Limits) -> Result<Document> {
    let (bytes, limits) = (bytes.to_vec(), limits.clone());
    let run = move || {
        let mut progress = Unwatched;
        codecite_core::read::docx::read(&bytes, &mut Work::new(&limits, &mut progress))
    };
    let document = std::thread::Builder::new()
        .stack_size(1 << 20)
        .spawn(run)
        .unwrap()
        .join()
        .expect("the reader panicked")?;
    check_invariants(&document);
    Ok(document)
}

pub fn read(docx: &Docx) -> Document {
    read_with(&docx.bytes(), &Limits::default()).unwrap()
}

/// The texts of the blocks of a document with this body.
pub fn texts_of(body: &str) -> Vec<String> {
    texts(&read(&Docx::new(body)))
}

pub fn texts(document: &Document) -> Vec<String> {
    document.blocks.iter().map(|block| document.slice(block.span).to_owned()).collect()
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

/// What must hold of every document.
pub fn check_invariants(document: &Document) {
    let mut end = 0;
    for block in &document.blocks {
        assert!(block.span.start == end || block.span.start == end + 1, "a gap before a block");
        end = block.span.end;
        assert!(document.text.get(block.span.range()).is_some(), "a block off its character boundaries");
        let mut last = block.span.start;
        for run in &block.runs {
            assert!(block.span.contains(run.span) && run.span.start >= last, "a run outside its block");
            assert!(document.text.get(run.span.range()).is_some(), "a run off its character boundaries");
            last = run.span.end;
        }
        if let BlockKind::Table(table) = &block.kind {
            assert!(table.header_rows <= table.rows, "more headings than rows");
            assert!(table.cells.iter().all(|c| c.row + c.row_span <= table.rows), "a cell below its table");
            assert!(
                table.cells.iter().all(|c| c.column + c.column_span <= table.columns),
                "a cell beside its table"
            );
        }
    }
    assert_eq!(end, document.text.len());
    assert!(document.pages.is_empty() && document.page_count == 0, "invented pages");
    for piece in &document.furniture {
        assert!(piece.offset.is_none_or(|at| document.text.is_char_boundary(at)), "furniture off the text");
    }
}
