//! The reader of plain text: paragraphs out of lines that were wrapped, list items, tables in fixed pitch.
//!
//! Nothing in plain text is markup. What a line break means is decided from the lines themselves: a break is a
//! wrap where the next word would not have fitted, or where the sentence plainly goes on.

mod lines;
mod paragraph;
mod tabular;
mod width;

use lines::{Line, lines};
use paragraph::Joiner;
use width::wrap_width;

use crate::document::{
    BlockKind, Document, DocumentBuilder, Furniture, FurnitureKind, Layout, PageMark, Style,
};
use crate::error::Result;
use crate::read::encoding::decode_lenient;
use crate::read::fold::{push_folded, push_raw};
use crate::read::hyphen::{Join, Vocabulary};
use crate::read::marker::{Marker, marker};
use crate::work::{Stage, Work};

/// Lines between two reports of progress.
const TICK_LINES: usize = 1_024;

/// Reads plain text.
///
/// # Errors
/// [`Error::BadEncoding`](crate::Error::BadEncoding) for bytes that are no text, and limits on memory, blocks and
/// time.
pub fn read(bytes: &[u8], work: &mut Work<'_>) -> Result<Document> {
    let source = decode_lenient(bytes, work)?;
    let mut document = read_text(&source.text, work)?;
    document.warnings.extend(source.warnings);
    Ok(document)
}

/// Reads plain text that is decoded already.
///
/// # Errors
/// Limits on memory, blocks and time.
pub(super) fn read_text(text: &str, work: &mut Work<'_>) -> Result<Document> {
    let lines = lines(text, work)?;
    let mut vocabulary = Vocabulary::default();
    if lines.iter().any(|line| line.text.ends_with('-')) {
        for (index, line) in lines.iter().enumerate() {
            vocabulary.learn(line.text);
            if index % TICK_LINES == 0 {
                work.tick(Stage::Read, text.len() as u64, 2 * text.len() as u64)?;
            }
        }
    }
    let width = wrap_width(&lines);
    let tables = tabular::tables(&lines, width);
    let paged = lines.last().is_some_and(|line| line.page > 1);
    let mut writer = Writer { vocabulary, paged, ..Writer::default() };
    let joiner = Joiner::new(&lines, width);
    let mut open: Vec<Line<'_>> = Vec::new();
    let mut tables = tables.into_iter().peekable();
    let mut index = 0;
    let mut ticked = 0;
    while let Some(line) = lines.get(index) {
        if index >= ticked + TICK_LINES {
            ticked = index;
            writer.builder.book(work)?;
            // Measuring the lines was the first half.
            let done = index as f64 / lines.len() as f64 * text.len() as f64;
            work.tick(Stage::Read, text.len() as u64 + done as u64, 2 * text.len() as u64)?;
        }
        if let Some(table) = tables.next_if(|table| table.start == index) {
            writer.paragraph(&mut open, &joiner);
            index = table.end;
            writer.preformatted(lines.get(table).unwrap_or_default());
            continue;
        }
        index += 1;
        if line.is_rule() {
            let underlined = open.len() == 1 && open.first().is_some_and(|above| line.underlines(above));
            let level = if line.text.starts_with('=') { 1 } else { 2 };
            match open.first().filter(|_| underlined).copied() {
                Some(heading) => writer.lines(&[heading], BlockKind::Heading { level }, &joiner),
                None => writer.paragraph(&mut open, &joiner),
            }
            open.clear();
            writer.furniture(line.text);
        } else if line.text.is_empty() {
            writer.paragraph(&mut open, &joiner);
        } else {
            if !joiner.continues(&open, line) {
                writer.paragraph(&mut open, &joiner);
            }
            open.push(*line);
        }
    }
    writer.paragraph(&mut open, &joiner);
    writer.builder.book(work)?;
    Ok(writer.builder.finish())
}

#[derive(Default)]
struct Writer {
    builder: DocumentBuilder,
    vocabulary: Vocabulary,
    /// The file has form feeds.
    paged: bool,
    page: u32,
    /// Indents of the list items around the current one.
    indents: Vec<usize>,
}

impl Writer {
    fn begin(&mut self, line: &Line<'_>) {
        if self.paged && line.page > self.page {
            self.page = line.page;
            self.builder.page(line.page, None);
        }
    }

    /// Writes the open lines as one block.
    fn paragraph(&mut self, open: &mut Vec<Line<'_>>, joiner: &Joiner) {
        let Some(first) = open.first() else { return };
        let kind = self.kind(first, joiner);
        self.lines(open, kind, joiner);
        open.clear();
    }

    fn lines(&mut self, lines: &[Line<'_>], kind: BlockKind, joiner: &Joiner) {
        let Some(first) = lines.first() else { return };
        self.begin(first);
        let mut text = String::new();
        let mut pages: Vec<(usize, u32)> = Vec::new();
        let mut page = first.page;
        let mut before = "";
        for (index, line) in lines.iter().enumerate() {
            let join = if index == 0 { Join::Keep } else { self.vocabulary.join(before, line.text) };
            match join {
                Join::Space => text.push(' '),
                Join::Drop => text.truncate(text.len() - text.chars().next_back().map_or(0, char::len_utf8)),
                Join::Keep => {}
            }
            if line.page != page {
                page = line.page;
                pages.push((text.len(), page));
            }
            push_folded(&mut text, line.text);
            before = line.text;
        }
        if pages.is_empty() {
            for image in cut_images(&mut text) {
                self.furniture(&image);
            }
        }
        let indent = lines.iter().map(|line| line.indent).min().unwrap_or(0);
        let centred = joiner.is_centred(first);
        let layout = Layout { size: 0.0, indent: indent as f32, centred };
        self.block(kind, &text, layout);
        let document = self.builder.document_mut();
        let start = document.blocks.last().map_or(0, |block| block.span.start);
        for (offset, page) in pages.into_iter().filter(|_| self.paged) {
            self.page = page;
            document.page_count = document.page_count.max(page);
            document.pages.push(PageMark { offset: start + offset, page, label: None });
        }
    }

    /// A table in fixed pitch, line by line.
    fn preformatted(&mut self, lines: &[Line<'_>]) {
        let Some(first) = lines.first() else { return };
        self.begin(first);
        let mut text = String::new();
        for (index, line) in lines.iter().enumerate() {
            if index > 0 {
                text.push('\n');
            }
            push_raw(&mut text, line.source);
        }
        self.block(BlockKind::Preformatted, &text, Layout::default());
        self.indents.clear();
    }

    fn block(&mut self, kind: BlockKind, text: &str, layout: Layout) {
        self.builder.block(kind, &[(text, Style::default())], layout, None);
    }

    fn furniture(&mut self, text: &str) {
        let page = self.paged.then_some(self.page.max(1));
        let document = self.builder.document_mut();
        let offset = Some(document.text.len());
        document.furniture.push(Furniture {
            kind: FurnitureKind::Around,
            page,
            offset,
            text: text.to_owned(),
        });
    }

    fn kind(&mut self, first: &Line<'_>, joiner: &Joiner) -> BlockKind {
        if marker(first.text) != Marker::List || joiner.is_centred(first) {
            self.indents.clear();
            return BlockKind::Paragraph;
        }
        self.indents.retain(|indent| *indent < first.indent);
        self.indents.push(first.indent);
        BlockKind::ListItem { depth: u8::try_from(self.indents.len()).unwrap_or(u8::MAX) }
    }
}

/// Cuts out the addresses of images, which text browsers print in brackets.
fn cut_images(text: &mut String) -> Vec<String> {
    const ENDINGS: [&str; 6] = [".png", ".gif", ".jpg", ".jpeg", ".svg", ".webp"];
    let mut images = Vec::new();
    if !text.contains("[http") {
        return images;
    }
    let mut kept = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find("[http") {
        let (before, address) = rest.split_at(at);
        kept.push_str(before);
        let end = address.find(|c: char| c == ']' || c.is_whitespace()).unwrap_or(address.len());
        let inner = address.get(..end).unwrap_or_default();
        let (image, after) = address.split_at((end + 1).min(address.len()));
        if image.ends_with(']') && ENDINGS.iter().any(|ending| inner.to_ascii_lowercase().ends_with(ending)) {
            images.push(image.to_owned());
            rest = if kept.is_empty() || kept.ends_with(' ') { after.trim_start() } else { after };
        } else {
            kept.push_str(inner);
            rest = address.get(end..).unwrap_or_default();
        }
    }
    kept.push_str(rest);
    kept.truncate(kept.trim_end().len());
    *text = kept;
    images
}
