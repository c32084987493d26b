//! The text of the block that is being collected, and the document that grows block by block.

use super::fold::{is_blank, push_folded, push_line_break, push_raw};
use super::marker::is_marked;
use crate::document::{
    BlockKind, Document, DocumentBuilder, Furniture, FurnitureKind, Layout, Link, Span, Style, Table,
};
use crate::error::Result;
use crate::work::Work;

/// Preformatted text of more lines may be a whole law.
const MANY_LINES: usize = 20;

/// Longer names of places are no names.
const MAX_TARGET: usize = 200;

/// How a block is opened by its first text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Opening {
    pub kind: BlockKind,
    pub layout: Layout,
    /// Lists around it.
    pub depth: u8,
}

/// The marker of a list item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ItemMarker {
    /// `1.`, `•`; nothing in a list without markers.
    pub text: String,
    /// The source does not print it: it is left out where the item brings its own.
    pub generated: bool,
}

/// A link in the open block.
#[derive(Debug)]
struct OpenLink {
    target: String,
    /// How many blocks there were before its own, and where its text begins there.
    block: usize,
    start: usize,
}

/// Collects blocks.
#[derive(Debug, Default)]
pub(super) struct Flow {
    builder: DocumentBuilder,
    text: String,
    /// Where a style begins in the text.
    styles: Vec<(usize, Style)>,
    opening: Option<Opening>,
    /// Markers of the list items that begin with this block, outermost first.
    markers: Vec<ItemMarker>,
    /// Markers of list items that have no text yet.
    pending: Vec<ItemMarker>,
    /// The id that the next block, and the one that the open block has.
    next_anchor: Option<String>,
    anchor: Option<String>,
    /// The furniture that stood before the open block.
    furniture_before: usize,
    open_link: Option<OpenLink>,
    /// The links of the open block, with their places in its text.
    links: Vec<Link>,
}

impl Flow {
    /// A flow that will take about so many bytes of text.
    pub fn with_capacity(bytes: usize) -> Self {
        let mut flow = Flow::default();
        flow.builder.document_mut().text.reserve(bytes);
        flow
    }

    /// True while a block has text.
    pub fn is_open(&self) -> bool {
        self.opening.is_some()
    }

    /// Books what has been collected and counts its blocks.
    pub fn book(&mut self, work: &mut Work<'_>) -> Result<()> {
        self.builder.book(work)
    }

    /// An id: of the next block, unless one is open already.
    pub fn anchor(&mut self, id: &str) {
        let id = id.trim();
        if !self.is_open() && !id.is_empty() {
            self.next_anchor = Some(id.to_owned());
        }
    }

    /// A link to another place of the document begins, if `href` is one.
    pub fn begin_link(&mut self, href: &str) {
        let target = href.strip_prefix('#').filter(|id| !id.is_empty() && id.len() <= MAX_TARGET);
        self.open_link = target.map(|target| OpenLink {
            target: target.to_owned(),
            block: self.builder.len(),
            start: self.text.len(),
        });
    }

    /// The link ends. One that runs over several blocks is none.
    pub fn end_link(&mut self) {
        let Some(OpenLink { target, block, start }) = self.open_link.take() else { return };
        let text = self.text.get(start..).unwrap_or_default();
        if block == self.builder.len() && !text.trim().is_empty() {
            let start = start + text.len() - text.trim_start().len();
            self.links.push(Link { span: Span::new(start, self.text.trim_end().len()), target });
        }
    }

    /// A list item begins; its marker goes before its first text.
    pub fn begin_item(&mut self, marker: ItemMarker) {
        self.pending.push(marker);
    }

    /// Takes the markers that wait for text, as they are printed before `text`.
    pub fn take_markers(&mut self, text: &str) -> String {
        prefix(std::mem::take(&mut self.pending), text)
    }

    /// A list item ends. A number that the source prints stays, though the item has no text.
    pub fn end_item(&mut self) {
        let Some(marker) = self.pending.pop() else { return };
        if !marker.generated && marker.text.contains(char::is_alphanumeric) {
            self.paragraph(&marker.text, Layout::default());
        }
    }

    /// Appends text to the open block, or opens one with it.
    pub fn text(&mut self, text: &str, style: Style, raw: bool, opening: impl FnOnce() -> Opening) {
        if self.opening.is_none() {
            if !raw && is_blank(text) {
                return;
            }
            let mut opening = opening();
            if !self.pending.is_empty() && opening.kind == BlockKind::Paragraph {
                opening.kind = BlockKind::ListItem { depth: opening.depth.max(1) };
            }
            self.markers = std::mem::take(&mut self.pending);
            self.anchor = self.next_anchor.take();
            self.opening = Some(opening);
            self.furniture_before = self.builder.document_mut().furniture.len();
        }
        if self.styles.last().map_or(Style::default(), |(_, last)| *last) != style {
            self.styles.push((self.text.len(), style));
        }
        if raw {
            push_raw(&mut self.text, text);
        } else {
            push_folded(&mut self.text, text);
        }
    }

    /// A line break; two of them end the block.
    pub fn line_break(&mut self, raw: bool) {
        if raw {
            self.text.push('\n');
        } else if self.text.ends_with('\n') {
            self.end_block();
        } else {
            push_line_break(&mut self.text);
        }
    }

    /// A space between words, where one is missing.
    pub fn space(&mut self) {
        push_folded(&mut self.text, " ");
    }

    /// The text of the open block.
    pub fn open_text(&self) -> &str {
        &self.text
    }

    /// Ends the open block.
    pub fn end_block(&mut self) {
        let Some(opening) = self.opening.take() else { return };
        let (mut text, styles) = (std::mem::take(&mut self.text), std::mem::take(&mut self.styles));
        let markers = std::mem::take(&mut self.markers);
        let links = std::mem::take(&mut self.links);
        let anchor = self.anchor.take();
        text.truncate(text.trim_end().len());
        let mut skip = 0;
        if opening.kind == BlockKind::Preformatted {
            // Blank lines before the first, not its indent.
            skip = text.find(|c: char| !c.is_whitespace()).unwrap_or(0);
            skip = text.get(..skip).and_then(|blank| blank.rfind('\n')).map_or(0, |at| at + 1);
        }
        let prefix = prefix(markers, &text);
        let mut pieces: Vec<(&str, Style)> = vec![(&prefix, Style::default())];
        let mut from = skip;
        let mut style = Style::default();
        for (at, next) in styles.iter().copied().chain([(text.len(), Style::default())]) {
            let at = at.min(text.len()).max(from);
            pieces.push((text.get(from..at).unwrap_or_default(), style));
            (from, style) = (at, next);
        }
        let was = self.builder.len();
        self.builder.block(opening.kind, &pieces, opening.layout, anchor);
        if self.builder.len() == was {
            return;
        }
        let document = self.builder.document_mut();
        let end = document.text.len();
        for piece in document.furniture.iter_mut().skip(self.furniture_before) {
            piece.offset = piece.offset.map(|offset| (offset + prefix.len()).saturating_sub(skip).min(end));
        }
        let start = document.blocks.last().map_or(0, |block| block.span.start) + prefix.len();
        let placed = |at: usize| (start + at.saturating_sub(skip)).min(end);
        document.links.extend(
            links
                .into_iter()
                .map(|link| Link { span: Span::new(placed(link.span.start), placed(link.span.end)), ..link }),
        );
        // Their place is used again.
        (self.text, self.styles) = (text, styles);
        self.text.clear();
        self.styles.clear();
    }

    /// Takes the open block, when it is preformatted text of many lines without emphasis.
    pub fn take_preformatted(&mut self) -> Option<String> {
        let opening = self.opening.as_ref()?;
        let is_long = self.text.matches('\n').nth(MANY_LINES).is_some();
        if opening.kind != BlockKind::Preformatted || !is_long || !self.markers.is_empty() {
            return None;
        }
        self.opening = None;
        self.styles.clear();
        self.links.clear();
        self.next_anchor = self.anchor.take();
        Some(std::mem::take(&mut self.text))
    }

    /// A paragraph of its own that has no id.
    pub fn paragraph(&mut self, text: &str, layout: Layout) {
        self.builder.block(BlockKind::Paragraph, &[(text, Style::default())], layout, None);
    }

    /// A table.
    pub fn table(&mut self, table: Table, layout: Layout) {
        let text = table.to_markdown();
        let anchor = self.next_anchor.take();
        let kind = BlockKind::Table(Box::new(table));
        self.builder.block(kind, &[(&text, Style::default())], layout, anchor);
    }

    /// The blocks and the furniture of another document, so many steps further right.
    pub fn append(&mut self, document: Document, indent: f32) {
        self.end_block();
        let first = document.blocks.first().map(|block| document.slice(block.span));
        let prefix = first.map(|text| prefix(std::mem::take(&mut self.pending), text)).unwrap_or_default();
        let before = self.builder.document_mut().text.len();
        let base = before + usize::from(before > 0 && first.is_some()) + prefix.len();
        let depth = indent.clamp(1.0, 255.0) as u8;
        for (index, block) in document.blocks.into_iter().enumerate() {
            let mut pieces: Vec<(&str, Style)> = Vec::new();
            let mut kind = block.kind;
            if index == 0 && !prefix.is_empty() {
                pieces.push((&prefix, Style::default()));
                if kind == BlockKind::Paragraph {
                    kind = BlockKind::ListItem { depth };
                }
            }
            let mut from = block.span.start;
            for run in &block.runs {
                pieces.push((Span::new(from, run.span.start).of(&document.text), Style::default()));
                pieces.push((run.span.of(&document.text), run.style));
                from = run.span.end;
            }
            pieces.push((Span::new(from, block.span.end).of(&document.text), Style::default()));
            let layout = Layout { indent: block.layout.indent + indent, ..block.layout };
            let anchor = block.anchor.or_else(|| self.next_anchor.take());
            self.builder.block(kind, &pieces, layout, anchor);
        }
        let out = self.builder.document_mut();
        let end = out.text.len();
        out.furniture.extend(document.furniture.into_iter().map(|piece| {
            let offset = piece.offset.map(|offset| (base + offset).min(end));
            Furniture { offset, ..piece }
        }));
        out.links.extend(document.links.into_iter().map(|link| Link {
            span: Span::new((base + link.span.start).min(end), (base + link.span.end).min(end)),
            ..link
        }));
    }

    /// Text that is not part of the document, with the place where it stood.
    pub fn furniture(&mut self, kind: FurnitureKind, text: String) {
        let offset = self.offset();
        self.builder.document_mut().furniture.push(Furniture {
            kind,
            page: None,
            offset: Some(offset),
            text,
        });
    }

    fn offset(&mut self) -> usize {
        let (len, open) = (self.builder.document_mut().text.len(), self.text.len());
        if self.opening.is_none() { len } else { len + usize::from(len > 0) + open }
    }

    /// The blocks so far, with the text that they stand in.
    pub fn finish(mut self) -> Document {
        self.end_block();
        let mut document = self.builder.finish();
        let end = document.text.len();
        for piece in &mut document.furniture {
            piece.offset = piece.offset.map(|offset| on_boundary(&document.text, offset.min(end)));
        }
        document
    }
}

fn on_boundary(text: &str, offset: usize) -> usize {
    (0..=offset).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// The markers before a text that may bring its own.
fn prefix(mut markers: Vec<ItemMarker>, text: &str) -> String {
    if markers.last().is_some_and(|marker| marker.generated) && is_marked(text) {
        markers.pop();
    }
    let printed = markers.iter().map(|marker| marker.text.as_str()).filter(|text| !text.is_empty());
    printed.fold(String::new(), |out, marker| out + marker + " ")
}
