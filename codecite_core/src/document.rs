//! What a reader makes of bytes: one text in reading order, cut into blocks, with pages and emphasis.
//!
//! All positions are byte offsets into [`Document::text`], always on character boundaries. The text holds
//! every character that was read and is law; running heads, page numbers and the like are in
//! [`Document::furniture`] instead, so that what was dropped can be read.

mod builder;

use std::ops::Range;

use serde::{Deserialize, Serialize};

pub use self::builder::DocumentBuilder;

/// A format that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Portable Document Format.
    Pdf,
    /// HTML, any version.
    Html,
    /// Office Open XML text.
    Docx,
    /// Markdown (CommonMark with tables, footnotes and definition lists).
    Markdown,
    /// Plain text.
    Text,
}

impl Format {
    /// All of them, in the order in which they are documented.
    pub const ALL: [Format; 5] = [Format::Pdf, Format::Html, Format::Docx, Format::Markdown, Format::Text];

    /// The name used in SQL.
    pub fn as_str(self) -> &'static str {
        match self {
            Format::Pdf => "pdf",
            Format::Html => "html",
            Format::Docx => "docx",
            Format::Markdown => "markdown",
            Format::Text => "text",
        }
    }
}

impl std::fmt::Display for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A byte range of the document's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The span `start..end`; an end before the start is an empty span at `start`.
    pub fn new(start: usize, end: usize) -> Self {
        Span { start, end: end.max(start) }
    }
    /// Bytes in it.
    pub fn len(self) -> usize {
        self.end - self.start
    }
    /// True when it holds nothing.
    pub fn is_empty(self) -> bool {
        self.end == self.start
    }
    /// As a range, for slicing.
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }
    /// True when `other` lies within `self`.
    pub fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }
    /// The text it covers; empty when it is not on character boundaries (which no reader makes).
    pub fn of(self, text: &str) -> &str {
        text.get(self.range()).unwrap_or_default()
    }
}

/// One document after reading.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Document {
    /// The title from the file's metadata or its title element, if it has one.
    pub title: Option<String>,
    /// The text in reading order. Blocks are separated by one `\n`, table rows and lines that the source
    /// keeps apart (`<br>`, hard breaks) are as well.
    pub text: String,
    /// The blocks, in order, not overlapping; together with the separators they cover the text.
    pub blocks: Vec<Block>,
    /// Where the text of a page begins, in text order; empty for a format without pages.
    pub pages: Vec<PageMark>,
    /// How many physical pages the file has; 0 for a format without pages.
    pub page_count: u32,
    /// Running heads, page numbers, struck words and other text that is not law.
    pub furniture: Vec<Furniture>,
    /// Links to places in the document itself, in order.
    pub links: Vec<Link>,
    /// What the reader was not sure of, or could not read.
    pub warnings: Vec<Warning>,
}

/// From `offset` on, the text stands on `page`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageMark {
    /// Byte offset into the text.
    pub offset: usize,
    /// The physical page, counted from 1.
    pub page: u32,
    /// The page number as it is printed (`10-12`, `xiv`), where it was found.
    pub label: Option<String>,
}

/// Text that was taken out of the flow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Furniture {
    /// Why it is not part of the text.
    pub kind: FurnitureKind,
    /// The physical page, counted from 1; `None` for a format without pages.
    pub page: Option<u32>,
    /// For text inside the flow (struck, deleted): the byte offset into the document's text where it stood.
    pub offset: Option<usize>,
    /// What stood there.
    pub text: String,
}

/// Text that leads to another place of the document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// Where the text stands, within one block.
    pub span: Span,
    /// The [`anchor`](Block::anchor) of the block that it leads to; that block need not exist.
    pub target: String,
}

/// Why text was taken out of the flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FurnitureKind {
    /// Running heads and feet, page numbers, watermarks, doubled text layers.
    Page,
    /// Struck through: shown as no longer law.
    Struck,
    /// Deleted by a tracked change.
    Deleted,
    /// Navigation, scripts' fallbacks, asides, front matter and other text around the document.
    Around,
}

impl FurnitureKind {
    /// The name used in SQL.
    pub fn as_str(self) -> &'static str {
        match self {
            FurnitureKind::Page => "page",
            FurnitureKind::Struck => "struck",
            FurnitureKind::Deleted => "deleted",
            FurnitureKind::Around => "around",
        }
    }
}

impl Furniture {
    /// A running head, a page number or the like.
    pub fn of_page(page: u32, text: String) -> Self {
        Furniture { kind: FurnitureKind::Page, page: Some(page), offset: None, text }
    }
}

/// Something that a person should look at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// A stable name of the kind of warning.
    pub code: &'static str,
    /// The physical page, where known.
    pub page: Option<u32>,
    /// What was seen and what was done about it.
    pub message: String,
}

/// A piece of a page in reading order.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// Where it stands in the text.
    pub span: Span,
    /// Emphasis inside it, in order, not overlapping; text outside every run is plain.
    pub runs: Vec<Run>,
    /// How it is set on the page.
    pub layout: Layout,
    /// The id of the HTML or DOCX element (an anchor), where it has one.
    pub anchor: Option<String>,
}

/// The kinds of block.
#[derive(Debug, Clone, PartialEq)]
pub enum BlockKind {
    /// A heading that the format itself marks as one, with its level (1 is the highest).
    Heading {
        /// 1-9.
        level: u8,
    },
    /// A paragraph.
    Paragraph,
    /// An item of a list. Its marker, as printed (`1.`, `(a)`, `•`), is the start of its text.
    ListItem {
        /// Depth of nesting, 1 for a top-level list.
        depth: u8,
    },
    /// A table; its text is the table as Markdown.
    Table(Box<Table>),
    /// A footnote's text.
    Footnote,
    /// Preformatted text.
    Preformatted,
}

/// A stretch of emphasised text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// Where.
    pub span: Span,
    /// How.
    pub style: Style,
}

/// Emphasis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Style {
    /// Bold.
    pub bold: bool,
    /// Italic.
    pub italic: bool,
    /// Underlined: in amendments, new text.
    pub underlined: bool,
    /// Struck through: in amendments, deleted text.
    pub struck: bool,
}

/// How a block is set, where the format says.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Layout {
    /// Font size in points of most of its text; 0 when unknown.
    pub size: f32,
    /// Distance of its left edge from the text column's left edge, in points (PDF) or columns (text).
    pub indent: f32,
    /// Set in the middle of its column.
    pub centred: bool,
}

/// A table, whatever format it came from.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Table {
    /// The caption as printed, with its number, where the table has one.
    pub caption: Option<String>,
    /// How many rows from the top are headings.
    pub header_rows: usize,
    /// Rows in the grid, the header's included.
    pub rows: usize,
    /// Columns in the grid.
    pub columns: usize,
    /// The cells, by row, then column. A cell that spans stands at its top left position only.
    pub cells: Vec<Cell>,
    /// Notes printed under it.
    pub notes: Vec<String>,
}

/// One cell.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Cell {
    /// Row in the grid, from 0.
    pub row: usize,
    /// Column in the grid, from 0.
    pub column: usize,
    /// Rows it covers, at least 1.
    pub row_span: usize,
    /// Columns it covers, at least 1.
    pub column_span: usize,
    /// Its text, white space folded.
    pub text: String,
}

impl Document {
    /// The physical page of a position and its printed label; `None` for a format without pages.
    pub fn page_at(&self, offset: usize) -> Option<&PageMark> {
        let after = self.pages.partition_point(|mark| mark.offset <= offset);
        self.pages.get(after.saturating_sub(1))
    }

    /// The pages on which a span begins and ends; `None` for a format without pages.
    pub fn pages_of(&self, span: Span) -> Option<(&PageMark, &PageMark)> {
        let last = self.slice(span).trim_end().char_indices().next_back().map_or(0, |(at, _)| at);
        let first = self.page_at(span.start)?;
        // A float may stand on an earlier page than the text around it; a range never counts backwards.
        let last = self.page_at(span.start + last).filter(|mark| mark.page >= first.page).unwrap_or(first);
        Some((first, last))
    }

    /// The text of a span.
    pub fn slice(&self, span: Span) -> &str {
        span.of(&self.text)
    }
}

impl Block {
    /// How much of the block's beginning is bold: the run-in heading of "**1004.5 Load.** The …".
    /// White space between bold runs counts as bold.
    pub fn bold_lead(&self, text: &str) -> Span {
        let mut end = self.span.start;
        for run in &self.runs {
            let gap = Span::new(end, run.span.start).of(text);
            if !run.style.bold || run.span.start > end && !gap.chars().all(char::is_whitespace) {
                break;
            }
            end = run.span.end;
        }
        Span::new(self.span.start, end.min(self.span.end))
    }
}

impl Table {
    /// The table as Markdown, one line a row; a spanning cell's text stands in its first place.
    pub fn to_markdown(&self) -> String {
        let mut grid = vec![vec![""; self.columns]; self.rows];
        for cell in &self.cells {
            if let Some(place) = grid.get_mut(cell.row).and_then(|row| row.get_mut(cell.column)) {
                *place = &cell.text;
            }
        }
        let mut out = String::new();
        for (index, row) in grid.iter().enumerate() {
            if index > 0 {
                out.push('\n');
            }
            out.push('|');
            for text in row {
                out.push(' ');
                out.push_str(&text.replace('|', "\\|").replace('\n', " "));
                out.push_str(" |");
            }
            if index + 1 == self.header_rows.max(1) {
                out.push_str("\n|");
                out.push_str(&"---|".repeat(self.columns));
            }
        }
        out
    }
}
