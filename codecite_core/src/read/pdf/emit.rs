//! Blocks into the document: text joined over line ends, runs, pages.

use std::collections::HashMap;

use super::blocks::Item;
use super::lines::Line;
use super::table::PlacedTable;
use crate::document::{BlockKind, Document, DocumentBuilder, Furniture, Layout, PageMark, Style};
use crate::error::Result;
use crate::read::hyphen::{Join, Vocabulary};
use crate::read::marker::{Marker, marker};
use crate::work::{Stage, Work, check};

/// Text of one block, in pieces of one style, and where pages begin in it.
#[derive(Debug, Default)]
struct Draft {
    pieces: Vec<(String, Style)>,
    len: usize,
    pages: Vec<(usize, u32)>,
}

impl Draft {
    fn push(&mut self, text: &str, style: Style) {
        self.len += text.len();
        match self.pieces.last_mut() {
            Some((last, known)) if *known == style => last.push_str(text),
            _ => self.pieces.push((text.to_string(), style)),
        }
    }

    /// Takes the hyphen off the end.
    fn drop_last(&mut self) {
        if let Some((text, _)) = self.pieces.last_mut()
            && let Some(last) = text.pop()
        {
            self.len -= last.len_utf8();
        }
    }

    fn last_style(&self) -> Style {
        self.pieces.last().map(|(_, style)| *style).unwrap_or_default()
    }
}

/// Writes the document.
pub(super) fn emit(items: Vec<Item>, labels: &HashMap<u32, String>, work: &mut Work<'_>) -> Result<Document> {
    let mut vocabulary = Vocabulary::default();
    for item in &items {
        match item {
            Item::Lines(lines) | Item::Note(lines) => {
                lines.iter().for_each(|line| vocabulary.learn(&line.text()))
            }
            Item::Table(table) => table.cells.iter().flat_map(|c| &c.lines).for_each(|l| vocabulary.learn(l)),
        }
    }
    let mut writer = Writer { builder: DocumentBuilder::new(), labels, page: 0, indents: Vec::new() };
    let total = items.len() as u64;
    for (index, item) in items.into_iter().enumerate() {
        if index % 512 == 0 {
            work.tick(Stage::Read, index as u64, total)?;
        }
        check("max_blocks", writer.builder.len() as u64, work.limits().max_blocks)?;
        match item {
            Item::Lines(lines) => writer.lines(&lines, None, &vocabulary),
            Item::Note(lines) => writer.lines(&lines, Some(BlockKind::Footnote), &vocabulary),
            Item::Table(placed) => writer.table(&placed, &vocabulary),
        }
    }
    Ok(writer.builder.finish())
}

struct Writer<'a> {
    builder: DocumentBuilder,
    labels: &'a HashMap<u32, String>,
    page: u32,
    /// Indents of the list items around the current one.
    indents: Vec<f32>,
}

impl Writer<'_> {
    fn begin(&mut self, page: u32) {
        // A note that waited for its paragraph to end may stand on an earlier page: marks never go back.
        if page > self.page {
            self.page = page;
            self.builder.page(page, self.labels.get(&page).cloned());
        }
    }

    fn lines(&mut self, lines: &[Line], kind: Option<BlockKind>, vocabulary: &Vocabulary) {
        let Some(first) = lines.first() else { return };
        let draft = draft(lines, vocabulary);
        if draft.pieces.iter().all(|(text, _)| text.trim().is_empty()) {
            return;
        }
        self.begin(first.page);
        let kind = kind.unwrap_or_else(|| self.kind(first));
        let layout = Layout {
            size: main_size(lines),
            indent: (first.x0 - first.left).max(0.0),
            centred: lines.iter().all(Line::is_centred),
        };
        let pieces: Vec<(&str, Style)> =
            draft.pieces.iter().map(|(text, style)| (text.as_str(), *style)).collect();
        self.builder.block(kind, &pieces, layout, None);
        let document = self.builder.document_mut();
        let start = document.blocks.last().map_or(0, |block| block.span.start);
        for (offset, page) in draft.pages {
            if page <= self.page {
                continue;
            }
            self.page = page;
            document.pages.push(PageMark {
                offset: start + offset,
                page,
                label: self.labels.get(&page).cloned(),
            });
        }
    }

    fn table(&mut self, placed: &PlacedTable, vocabulary: &Vocabulary) {
        self.begin(placed.first_page());
        self.indents.clear();
        let dropped = placed.dropped.iter().map(|(page, text)| Furniture::of_page(*page, text.clone()));
        self.builder.document_mut().furniture.extend(dropped);
        let table = placed.finish(self.caption(), vocabulary);
        let layout = Layout { size: placed.size, indent: 0.0, centred: false };
        // One line a row, and the line under the headings.
        let ruled_after = table.header_rows.max(1);
        self.builder.table(table, layout);
        let document = self.builder.document_mut();
        let Some(block) = document.blocks.last() else {
            return;
        };
        let starts: Vec<usize> = std::iter::once(block.span.start)
            .chain(block.span.of(&document.text).match_indices('\n').map(|(at, _)| block.span.start + at + 1))
            .collect();
        for (row, page) in placed.row_pages.iter().enumerate() {
            let line = if row >= ruled_after { row + 1 } else { row };
            if *page > self.page
                && let Some(offset) = starts.get(line)
            {
                self.page = *page;
                let label = self.labels.get(page).cloned();
                document.pages.push(PageMark { offset: *offset, page: *page, label });
            }
        }
    }

    /// The caption above a table: a block that begins with "Table 307.1", and titles between it and the table.
    fn caption(&mut self) -> Option<String> {
        let document = self.builder.document_mut();
        let mut parts: Vec<&str> = Vec::new();
        for block in document.blocks.iter().rev().take(3) {
            let text = block.span.of(&document.text);
            let table = text.get(..5).is_some_and(|head| head.eq_ignore_ascii_case("table"));
            let heading = block.layout.centred || block.bold_lead(&document.text) == block.span;
            if text.len() > 300 || block.kind != BlockKind::Paragraph || !(table || heading) {
                return None;
            }
            parts.insert(0, text);
            if table {
                return Some(parts.join(" "));
            }
        }
        None
    }

    fn kind(&mut self, first: &Line) -> BlockKind {
        if marker(&first.text()) != Marker::List {
            self.indents.clear();
            return BlockKind::Paragraph;
        }
        self.indents.retain(|indent| *indent < first.x0 - 3.0);
        self.indents.push(first.x0);
        BlockKind::ListItem { depth: u8::try_from(self.indents.len()).unwrap_or(u8::MAX) }
    }
}

fn main_size(lines: &[Line]) -> f32 {
    let mut sizes: HashMap<i32, f32> = HashMap::new();
    for line in lines {
        *sizes.entry((line.size * 10.0).round() as i32).or_default() += line.x1 - line.x0;
    }
    sizes.iter().max_by(|a, b| a.1.total_cmp(b.1)).map_or(0.0, |(size, _)| *size as f32 / 10.0)
}

fn draft(lines: &[Line], vocabulary: &Vocabulary) -> Draft {
    let mut draft = Draft::default();
    let mut page = lines.first().map_or(0, |line| line.page);
    let mut before = String::new();
    for (index, line) in lines.iter().enumerate() {
        let text = line.text();
        let join = if index == 0 { Join::Keep } else { vocabulary.join(&before, &text) };
        if join == Join::Drop {
            draft.drop_last();
        }
        let mut space = join == Join::Space;
        for (at, word) in line.words.iter().enumerate() {
            if space || at > 0 && line.space_before(at) {
                // Space between two words of one style is of that style.
                let style = if draft.last_style() == word.style { word.style } else { Style::default() };
                draft.push(" ", style);
            }
            if line.page != page {
                page = line.page;
                draft.pages.push((draft.len, page));
            }
            draft.push(&word.text, word.style);
            space = false;
        }
        before = text;
    }
    draft
}
