//! Blocks into the document: text joined over line ends, runs, pages.

use std::collections::{HashMap, VecDeque};

use super::blocks::Item;
use super::hints::Bookmark;
use super::lines::Line;
use super::packed::PackedLines;
use super::sentence::is_terminal;
use super::table::PlacedTable;
use crate::document::{BlockKind, Document, DocumentBuilder, Furniture, Layout, PageMark, Style};
use crate::error::Result;
use crate::read::hyphen::{Join, Vocabulary};
use crate::read::marker::{Marker, marker};
use crate::work::{Stage, Work};

/// Bytes of a heading.
const MAX_HEADING: usize = 250;
/// Bookmarks of one title.
const MAX_PLACES: usize = 64;

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
pub(super) fn emit(
    items: Vec<Item>,
    labels: &HashMap<u32, String>,
    bookmarks: &[Bookmark],
    work: &mut Work<'_>,
) -> Result<Document> {
    let vocabulary = vocabulary(&items);
    let outline = Outline::of(bookmarks);
    let mut writer =
        Writer { builder: DocumentBuilder::new(), labels, outline, page: 0, indents: Vec::new() };
    let total = items.len() as u64;
    let mut items = VecDeque::from(items);
    // What is written is not kept.
    while let Some(item) = items.pop_front() {
        if items.len().is_multiple_of(512) {
            work.tick(Stage::Read, total - items.len() as u64, total)?;
            writer.builder.book(work)?;
        }
        match item {
            Item::Lines(lines) => writer.lines(&lines.unpack(), None, &vocabulary),
            Item::Note(lines) => writer.lines(&lines.unpack(), Some(BlockKind::Footnote), &vocabulary),
            Item::TableNote(lines) => writer.lines(&lines.unpack(), Some(BlockKind::Paragraph), &vocabulary),
            Item::Labels(labels) => writer.labels(&labels, &vocabulary),
            Item::Table(placed) => {
                let below = caption_below(&items);
                let notes = notes_after(&items, placed.size, &vocabulary);
                writer.table(&placed, below, notes, &vocabulary);
            }
        }
    }
    writer.builder.book(work)?;
    Ok(writer.builder.finish())
}

/// The words of all lines.
fn vocabulary(items: &[Item]) -> Vocabulary {
    let mut out = Vocabulary::default();
    let mut learn = |lines: &PackedLines| lines.unpack().iter().for_each(|line| out.learn(line.text()));
    for item in items {
        match item {
            Item::Lines(lines) | Item::Note(lines) | Item::TableNote(lines) => learn(lines),
            Item::Labels(labels) => labels.iter().for_each(&mut learn),
            Item::Table(_) => {}
        }
    }
    for item in items {
        if let Item::Table(table) = item {
            table.cells.iter().flat_map(|cell| &cell.lines).for_each(|line| out.learn(line));
        }
    }
    out
}

struct Writer<'a> {
    builder: DocumentBuilder,
    labels: &'a HashMap<u32, String>,
    outline: Outline,
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
        let kind = kind.unwrap_or_else(|| self.kind(lines, &draft));
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

    /// The labels of a figure: one block, one line a label.
    fn labels(&mut self, labels: &[PackedLines], vocabulary: &Vocabulary) {
        let labels: Vec<Vec<Line>> = labels.iter().map(PackedLines::unpack).collect();
        let Some(first) = labels.first().and_then(|label| label.first()) else { return };
        self.begin(first.page);
        self.indents.clear();
        let mut text = Draft::default();
        for label in &labels {
            if text.len > 0 {
                text.push("\n", Style::default());
            }
            for (piece, style) in draft(label, vocabulary).pieces {
                // Bold in a drawing is no heading.
                text.push(&piece, Style { bold: false, ..style });
            }
        }
        let pieces: Vec<(&str, Style)> =
            text.pieces.iter().map(|(text, style)| (text.as_str(), *style)).collect();
        let layout = Layout { size: first.size, indent: 0.0, centred: false };
        self.builder.block(BlockKind::Paragraph, &pieces, layout, None);
    }

    fn table(
        &mut self,
        placed: &PlacedTable,
        below: Option<String>,
        notes: Vec<String>,
        vocabulary: &Vocabulary,
    ) {
        self.begin(placed.first_page());
        self.indents.clear();
        let dropped = placed.dropped.iter().map(|(page, text)| Furniture::of_page(*page, text.clone()));
        self.builder.document_mut().furniture.extend(dropped);
        let table = placed.finish(self.caption(placed.captioned).or(below), notes, vocabulary);
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

    /// The caption above a table: a block that begins with "Table 307.1", and titles between it and the table;
    /// else the block right above, where it is the table's `own`.
    fn caption(&mut self, own: bool) -> Option<String> {
        let document = self.builder.document_mut();
        let mut parts: Vec<&str> = Vec::new();
        let mut title: Option<&str> = None;
        for block in document.blocks.iter().rev().take(3) {
            let text = block.span.of(&document.text);
            let table = text.get(..5).is_some_and(|head| head.eq_ignore_ascii_case("table"));
            let heading = block.layout.centred || block.bold_lead(&document.text) == block.span;
            if own && parts.is_empty() && !table {
                title = Some(text);
            }
            if text.len() > 300 || block.kind != BlockKind::Paragraph || !(table || heading) {
                break;
            }
            parts.insert(0, text);
            if table {
                return Some(parts.join(" "));
            }
        }
        title.map(String::from)
    }

    fn kind(&mut self, lines: &[Line], draft: &Draft) -> BlockKind {
        let Some(first) = lines.first() else { return BlockKind::Paragraph };
        if let Some(level) = self.outline.heading(lines, draft) {
            self.indents.clear();
            return BlockKind::Heading { level };
        }
        if marker(first.text()) != Marker::List {
            self.indents.clear();
            return BlockKind::Paragraph;
        }
        self.indents.retain(|indent| *indent < first.x0 - 3.0);
        self.indents.push(first.x0);
        BlockKind::ListItem { depth: u8::try_from(self.indents.len()).unwrap_or(u8::MAX) }
    }
}

/// Titles of the outline, by what is left of them without spaces and marks.
struct Outline {
    titles: HashMap<String, Vec<(Option<u32>, u8)>>,
}

impl Outline {
    fn of(bookmarks: &[Bookmark]) -> Outline {
        let mut titles: HashMap<String, Vec<(Option<u32>, u8)>> = HashMap::new();
        for bookmark in bookmarks {
            let places = titles.entry(bare(&bookmark.title)).or_default();
            if places.len() < MAX_PLACES {
                places.push((bookmark.page, bookmark.level.clamp(1, 9)));
            }
        }
        Outline { titles }
    }

    /// The level of a block that a tag or the outline calls a heading, and that is set like one.
    fn heading(&self, lines: &[Line], draft: &Draft) -> Option<u8> {
        let first = lines.first()?;
        if draft.len > MAX_HEADING {
            return None;
        }
        let text: String = draft.pieces.iter().map(|(text, _)| text.as_str()).collect();
        // A tag on a whole paragraph is a mistake.
        let sentence = text.len() > 80 && is_terminal(&text);
        let tagged = first.heading();
        if tagged > 0 && !sentence && lines.iter().all(|line| line.heading() == tagged) {
            return Some(tagged);
        }
        let key = bare(&text);
        let places = self.titles.get(&key).filter(|_| !key.is_empty())?;
        let here = places.iter().find(|(page, _)| page.is_none_or(|page| page == first.page));
        here.map(|(_, level)| *level)
    }
}

fn bare(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn joined(lines: &[Line], vocabulary: &Vocabulary) -> String {
    draft(lines, vocabulary).pieces.into_iter().map(|(text, _)| text).collect()
}

/// The notes that follow a table: those under its rules, and paragraphs in small type that call themselves so.
fn notes_after(items: &VecDeque<Item>, size: f32, vocabulary: &Vocabulary) -> Vec<String> {
    let mut out = Vec::new();
    for item in items {
        match item {
            Item::TableNote(lines) => out.push(joined(&lines.unpack(), vocabulary)),
            Item::Lines(lines) => {
                let lines = lines.unpack();
                let text = joined(&lines, vocabulary);
                let named = text.get(..4).is_some_and(|head| head.eq_ignore_ascii_case("note"));
                let small = lines.iter().all(|line| line.size <= size + 0.5);
                if !small || !(named || !out.is_empty() && marker(&text) == Marker::List) {
                    break;
                }
                out.push(text);
            }
            _ => break,
        }
    }
    out
}

/// A caption that stands below its table: nothing else may claim it.
fn caption_below(items: &VecDeque<Item>) -> Option<String> {
    let Some(Item::Lines(lines)) = items.front() else { return None };
    let text = lines.unpack().iter().map(Line::text).collect::<Vec<_>>().join(" ");
    let named = marker(&text.get(..60).unwrap_or(&text).to_uppercase()) == Marker::Part
        && text.get(..6).is_some_and(|head| head.eq_ignore_ascii_case("table "));
    let free = !matches!(items.get(1), Some(Item::Table(_)));
    (named && free && text.len() < 300).then_some(text)
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
    let mut before = "";
    for (index, line) in lines.iter().enumerate() {
        let text = line.text();
        let join = if index == 0 { Join::Keep } else { vocabulary.join(before, text) };
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
