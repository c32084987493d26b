//! How readers make a document.

use super::{Block, BlockKind, Document, Layout, PageMark, Run, Span, Style, Table};
use crate::error::Result;
use crate::work::{Work, check};

/// What the allocator adds to a piece of memory.
const OVERHEAD: usize = 16;

/// Appends blocks to a document so that the invariants of [`Document`] hold by construction.
#[derive(Debug, Default)]
pub struct DocumentBuilder {
    document: Document,
    booked: Booked,
}

/// How much of the document has been booked.
#[derive(Debug, Default)]
struct Booked {
    text: usize,
    blocks: usize,
    furniture: usize,
    links: usize,
}

impl DocumentBuilder {
    /// An empty document.
    pub fn new() -> Self {
        Self::default()
    }

    /// From here on text stands on this page.
    pub fn page(&mut self, page: u32, label: Option<String>) {
        let offset = self.next_offset();
        self.document.page_count = self.document.page_count.max(page);
        self.document.pages.push(PageMark { offset, page, label });
    }

    /// Appends a block made of styled pieces; each piece may also carry the page on which it begins.
    /// Empty blocks are left out.
    pub fn block(
        &mut self,
        kind: BlockKind,
        pieces: &[(&str, Style)],
        layout: Layout,
        anchor: Option<String>,
    ) {
        if pieces.iter().all(|(text, _)| text.trim().is_empty()) {
            return;
        }
        let start = self.next_offset();
        let text = pieces.iter().map(|(text, _)| text.len()).sum::<usize>() + 1;
        let room = self.document.text.capacity() - self.document.text.len();
        // A quarter more at a time: twice as much would be the most that a large document ever holds.
        if room < text {
            self.document.text.reserve_exact(text.max(self.document.text.len() / 4));
        }
        if self.document.blocks.len() == self.document.blocks.capacity() {
            self.document.blocks.reserve_exact((self.document.blocks.len() / 4).max(16));
        }
        if start > self.document.text.len() {
            self.document.text.push('\n');
        }
        let mut runs: Vec<Run> = Vec::new();
        for (text, style) in pieces {
            let from = self.document.text.len();
            self.document.text.push_str(text);
            let span = Span::new(from, self.document.text.len());
            if *style == Style::default() || span.is_empty() {
                continue;
            }
            match runs.last_mut() {
                Some(last) if last.style == *style && last.span.end == from => last.span.end = span.end,
                _ => runs.push(Run { span, style: *style }),
            }
        }
        runs.shrink_to_fit();
        let span = Span::new(start, self.document.text.len());
        self.document.blocks.push(Block { kind, span, runs, layout, anchor });
    }

    /// Appends a table as Markdown.
    pub fn table(&mut self, table: Table, layout: Layout) {
        let text = table.to_markdown();
        self.block(BlockKind::Table(Box::new(table)), &[(&text, Style::default())], layout, None);
    }

    /// Books the memory of what has come to the document since the last call, and counts its blocks. Readers call it every
    /// few blocks.
    ///
    /// # Errors
    /// [`Error::Limit`](crate::Error::Limit) for `max_memory_bytes` and `max_blocks`.
    pub fn book(&mut self, work: &mut Work<'_>) -> Result<()> {
        let Document { text, blocks, furniture, links, .. } = &self.document;
        let before = std::mem::replace(
            &mut self.booked,
            Booked { text: text.len(), blocks: blocks.len(), furniture: furniture.len(), links: links.len() },
        );
        let blocks_held: usize = blocks.iter().skip(before.blocks).map(held_by).sum();
        let strings = |text: &String| size_of::<String>() + text.capacity() + OVERHEAD;
        let furniture_held: usize = furniture
            .iter()
            .skip(before.furniture)
            .map(|piece| 2 * size_of_val(piece) + strings(&piece.text))
            .sum();
        let links_held: usize =
            links.iter().skip(before.links).map(|link| 2 * size_of_val(link) + strings(&link.target)).sum();
        let text_held = text.len().saturating_sub(before.text) * 5 / 4;
        work.charge_memory((text_held + blocks_held + furniture_held + links_held) as u64)?;
        check("max_blocks", blocks.len() as u64, work.limits().max_blocks)
    }

    /// The document so far, for what has no method of its own.
    pub fn document_mut(&mut self) -> &mut Document {
        &mut self.document
    }

    /// How many blocks there are.
    pub fn len(&self) -> usize {
        self.document.blocks.len()
    }

    /// True when there is no block yet.
    pub fn is_empty(&self) -> bool {
        self.document.blocks.is_empty()
    }

    /// The finished document.
    pub fn finish(self) -> Document {
        self.document
    }

    fn next_offset(&self) -> usize {
        let len = self.document.text.len();
        if len == 0 { 0 } else { len + 1 }
    }
}

/// The bytes that a block takes, with the room that the list of blocks grows by.
fn held_by(block: &Block) -> usize {
    let piece = |bytes: usize| if bytes > 0 { bytes + OVERHEAD } else { 0 };
    let table = match &block.kind {
        BlockKind::Table(table) => {
            let texts = table.cells.iter().map(|cell| piece(cell.text.capacity())).sum::<usize>();
            let notes =
                table.notes.iter().map(|note| size_of::<String>() + piece(note.capacity())).sum::<usize>();
            size_of::<Table>() + table.cells.capacity() * size_of::<super::Cell>() + texts + notes
        }
        _ => 0,
    };
    let anchor = block.anchor.as_ref().map_or(0, |anchor| piece(anchor.capacity()));
    size_of::<Block>() * 5 / 4 + piece(block.runs.capacity() * size_of::<Run>()) + anchor + table
}
