//! Amendments shown in the text itself: new words underlined, deleted words struck through.

use crate::document::{Document, FurnitureKind, Span};
use crate::number::Number;

/// What a document shows of its changes.
pub(super) struct Markup {
    /// Where struck words stood.
    struck: Vec<usize>,
    underlined: Vec<Span>,
    /// Struck headings: where they stood and what they numbered.
    pub headings: Vec<(usize, Number)>,
}

impl Markup {
    pub(super) fn of(document: &Document) -> Markup {
        let mut struck = Vec::new();
        let mut headings = Vec::new();
        for piece in &document.furniture {
            let is_struck = matches!(piece.kind, FurnitureKind::Struck | FurnitureKind::Deleted);
            let Some(offset) = piece.offset.filter(|_| is_struck) else { continue };
            struck.push(offset);
            if let Some(number) = heading(&piece.text).filter(|_| begins_block(document, offset)) {
                headings.push((offset, number));
            }
        }
        let runs = document.blocks.iter().flat_map(|block| &block.runs);
        let underlined = runs.filter(|run| run.style.underlined).map(|run| run.span).collect();
        Markup { struck, underlined, headings }
    }

    /// Whether a text shows what changes in it. Underlining alone may be emphasis: it counts in a document that also
    /// strikes words.
    pub(super) fn is_in(&self, span: Span) -> bool {
        let inside = |at: usize| span.start <= at && at <= span.end;
        self.struck.iter().any(|at| inside(*at)) || self.is_underlined_in(span)
    }

    /// Whether all of a heading is new.
    pub(super) fn is_new(&self, heading: Span) -> bool {
        !self.struck.is_empty()
            && !heading.is_empty()
            && self.underlined.iter().any(|run| run.start <= heading.start + 1 && heading.end <= run.end + 1)
    }

    fn is_underlined_in(&self, span: Span) -> bool {
        !self.struck.is_empty()
            && self.underlined.iter().any(|run| span.start <= run.start && run.end <= span.end)
    }
}

/// What a struck text took away stood between blocks, not within one.
fn begins_block(document: &Document, offset: usize) -> bool {
    let before = document.text.get(..offset).unwrap_or_default();
    before.is_empty()
        || before.ends_with('\n')
        || document.text.get(offset..).unwrap_or_default().starts_with('\n')
}

/// The number at the beginning of a section: "1004.5 Doors. …", "Section 1004.5 Doors".
fn heading(text: &str) -> Option<Number> {
    let text = text.trim_start();
    let rest = text.strip_prefix("Section ").or_else(|| text.strip_prefix("SECTION ")).unwrap_or(text);
    let rest = rest.trim_start_matches(['§', ' ']);
    let (number, title) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let number = number.trim_end_matches('.');
    let is_number = number.contains(['.', '-']) && number.ends_with(|c: char| c.is_alphanumeric());
    let is_title = title.is_empty() || title.trim_start().starts_with(char::is_uppercase);
    Number::parse(number).filter(|_| is_number && is_title)
}
