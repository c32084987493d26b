//! From paragraphs and tables to the blocks of the document.

use std::collections::HashMap;

use super::paragraph::{Citation, Item, Paragraph, ParagraphKind, StoryKind};
use super::table::RawTable;
use crate::document::{BlockKind, DocumentBuilder, Furniture, FurnitureKind, Layout, Style};
use crate::error::Result;
use crate::work::Work;

/// What is booked for a place in a table's grid while the table is made.
const PLACE_BYTES: u64 = 112;

/// Notes by their kind and id.
pub(super) type Stories = HashMap<(StoryKind, i64), Vec<Paragraph>>;

/// Puts blocks into the document.
#[derive(Default)]
pub(super) struct Emitter {
    pub(super) builder: DocumentBuilder,
    /// The notes that have not been cited yet.
    pub(super) stories: Stories,
}

impl Emitter {
    pub(super) fn item(&mut self, item: Item, work: &mut Work<'_>) -> Result<()> {
        match item {
            Item::Paragraph(paragraph) => {
                let kind = match paragraph.kind {
                    ParagraphKind::Plain => BlockKind::Paragraph,
                    ParagraphKind::Heading(level) => BlockKind::Heading { level },
                    ParagraphKind::Item(depth) => BlockKind::ListItem { depth },
                };
                self.paragraph(&paragraph, kind, "");
                self.notes(&paragraph.citations);
            }
            Item::Table(table) => self.table(table, work)?,
            Item::Story { kind, id, paragraphs } => {
                // They are kept until they are cited.
                work.charge_memory(paragraphs.iter().map(Paragraph::weight).sum())?;
                self.stories.insert((kind, id), paragraphs);
            }
        }
        self.builder.book(work)
    }

    /// One block, with `mark` in front of it.
    fn paragraph(&mut self, paragraph: &Paragraph, kind: BlockKind, mark: &str) {
        let before = self.builder.len();
        let mark_piece = (!paragraph.is_blank()).then_some((mark, Style::default()));
        let pieces = paragraph.pieces().map(|(text, look)| (text, look.style()));
        let pieces: Vec<(&str, Style)> = mark_piece.into_iter().chain(pieces).collect();
        self.builder.block(kind, &pieces, paragraph.layout, paragraph.anchor.clone());
        let document = self.builder.document_mut();
        let block = document.blocks.get(before);
        let start = block.map(|block| block.span.start + mark.len());
        let end = document.text.len();
        for aside in paragraph.asides.iter().filter(|aside| !aside.text.trim().is_empty()) {
            document.furniture.push(Furniture {
                kind: aside.kind,
                page: None,
                offset: Some(start.map_or(end, |start| (start + aside.at).min(end))),
                text: aside.text.trim().to_owned(),
            });
        }
    }

    /// The notes that a paragraph or table cites, each once in the document.
    fn notes(&mut self, citations: &[Citation]) {
        for citation in citations {
            let Some(paragraphs) = self.stories.remove(&(citation.kind, citation.id)) else { continue };
            let mut mark = citation.mark.as_ref().map(|mark| format!("{mark} ")).unwrap_or_default();
            for paragraph in &paragraphs {
                self.paragraph(paragraph, BlockKind::Footnote, &mark);
                if !paragraph.is_blank() {
                    mark.clear();
                }
            }
        }
    }

    fn table(&mut self, table: RawTable, work: &mut Work<'_>) -> Result<()> {
        let places = table.places().saturating_mul(PLACE_BYTES);
        work.charge_memory(places)?;
        let grid = table.grid();
        let before = self.builder.len();
        if grid.table.cells.iter().any(|cell| !cell.text.is_empty()) {
            self.builder.table(grid.table, Layout::default());
        }
        let document = self.builder.document_mut();
        let mut offset = document.text.len();
        if let Some(block) = document.blocks.get_mut(before) {
            block.anchor = grid.anchor;
            offset = block.span.start;
        }
        for (kind, text) in grid.asides.into_iter().filter(|(_, text)| !text.is_empty()) {
            document.furniture.push(Furniture { kind, page: None, offset: Some(offset), text });
        }
        self.notes(&grid.citations);
        work.release_memory(places);
        Ok(())
    }

    /// Text that stands around the document.
    pub(super) fn around(&mut self, kind: FurnitureKind, text: &str) {
        let text = text.trim();
        if !text.is_empty() {
            let furniture = Furniture { kind, page: None, offset: None, text: text.to_owned() };
            self.builder.document_mut().furniture.push(furniture);
        }
    }
}
