//! Labelled parts inside a section that carry no number of their own: exceptions and defined terms.

mod definitions;
mod exceptions;
mod marks;
mod sentences;

pub(super) use definitions::definitions;
pub(super) use exceptions::exceptions;

use crate::document::{Block, BlockKind, Document, Span};

/// What a part is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartKind {
    /// One exception.
    Exception,
    /// One defined term with its definition.
    Definition,
}

/// A part of a section with an address of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// What it is.
    pub kind: PartKind,
    /// Its address inside the section: `Exception 2`, or the term as printed.
    pub locator: String,
    /// Where it stands.
    pub span: Span,
}

/// A block of a section's own text, or what of a block belongs to it after a run-in heading.
pub(super) struct Piece<'a> {
    block: &'a Block,
    span: Span,
}

impl<'a> Piece<'a> {
    /// The part of the block that lies in a stretch of the text; `None` when there is nothing in it.
    pub(super) fn of(document: &Document, block: &'a Block, stretch: Span) -> Option<Piece<'a>> {
        let cut = Span::new(block.span.start.max(stretch.start), block.span.end.min(stretch.end));
        let text = document.slice(cut);
        let lead = text.len() - text.trim_start_matches(|c: char| c.is_whitespace() || c == '.').len();
        let span = Span::new(cut.start + lead, cut.start + text.trim_end().len());
        (!span.is_empty()).then_some(Piece { block, span })
    }

    fn text<'d>(&self, document: &'d Document) -> &'d str {
        document.slice(self.span)
    }

    fn is_heading(&self) -> bool {
        matches!(self.block.kind, BlockKind::Heading { .. })
    }

    fn is_item(&self) -> bool {
        matches!(self.block.kind, BlockKind::ListItem { .. })
    }

    fn is_paragraph(&self) -> bool {
        matches!(self.block.kind, BlockKind::Paragraph)
    }

    fn is_table(&self) -> bool {
        matches!(self.block.kind, BlockKind::Table(_))
    }
}
