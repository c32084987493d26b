//! What the readers' tests share: reading on a small stack, what holds of every document, and looking things up in one.
#![allow(dead_code)]

use codecite_core::document::{Block, BlockKind, Document, FurnitureKind};
use codecite_core::error::Result;
use codecite_core::work::{Limits, Progress, Stage, Unwatched, Work};

/// A reader of one format.
pub type Reader = fn(&[u8], &mut Work<'_>) -> Result<Document>;

/// Reads with the given limits on a small stack, as a server's backend may have.
pub fn read_with(reader: Reader, bytes: &[u8], limits: &Limits) -> Result<Document> {
    let (bytes, limits) = (bytes.to_vec(), limits.clone());
    let run = move || reader(&bytes, &mut Work::new(&limits, &mut Unwatched));
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(run).unwrap();
    let document = thread.join().expect("the reader panicked")?;
    check_invariants(&document);
    Ok(document)
}

pub fn texts(document: &Document) -> Vec<&str> {
    document.blocks.iter().map(|block| document.slice(block.span)).collect()
}

/// The block that begins with `start`.
pub fn block<'d>(document: &'d Document, start: &str) -> &'d Block {
    let found =
        document.blocks.iter().find(|block| document.slice(block.span).trim_start().starts_with(start));
    found.unwrap_or_else(|| panic!("no block begins with {start:?}: {:#?}", texts(document)))
}

/// What stands beside the text, of one kind.
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
        let mut last = block.span.start;
        for run in &block.runs {
            assert!(block.span.contains(run.span) && run.span.start >= last, "a run out of place");
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
    for pair in document.pages.windows(2) {
        assert!(
            pair[0].offset <= pair[1].offset && pair[0].page < pair[1].page,
            "pages out of order: {pair:?}"
        );
    }
    assert!(document.pages.iter().all(|mark| document.text.is_char_boundary(mark.offset)));
    for piece in &document.furniture {
        assert!(
            piece.offset.is_none_or(|at| document.text.is_char_boundary(at)),
            "furniture off its boundaries"
        );
    }
}

/// Stops the work at the given report of progress.
pub struct StopAfter(pub u32);

impl Progress for StopAfter {
    fn tick(&mut self, _: Stage, done: u64, total: u64) -> bool {
        assert!(done <= total, "{done} of {total}");
        self.0 = self.0.saturating_sub(1);
        self.0 > 0
    }
}
