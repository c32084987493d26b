//! Tables: from rows of cells with spans into a grid.

use std::collections::HashMap;

use super::paragraph::{Citation, Paragraph};
use super::properties::read_run;
use super::xml::{Element, Space, Xml};
use crate::document::{Cell, FurnitureKind, Table};
use crate::error::Result;

/// Word's own tables have at most 63 columns.
const MAX_SPAN: i64 = 1000;

/// Whether a cell continues its neighbour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Merge {
    #[default]
    None,
    Start,
    Continue,
}

/// A cell as the file states it.
#[derive(Debug, Default)]
pub(super) struct RawCell {
    span: usize,
    vertical: Merge,
    horizontal: Merge,
    /// A tracked change removed it.
    pub(super) deleted: bool,
    pub(super) paragraphs: Vec<Paragraph>,
}

/// A row as the file states it.
#[derive(Debug, Default)]
pub(super) struct RawRow {
    /// Grid columns left free at its start.
    before: usize,
    is_header: bool,
    /// A tracked change removed it.
    pub(super) deleted: bool,
    pub(super) cells: Vec<RawCell>,
}

/// A table as the file states it.
#[derive(Debug, Default)]
pub(super) struct RawTable {
    pub(super) rows: Vec<RawRow>,
    pub(super) anchor: Option<String>,
}

/// A table in a grid, with what does not belong into its cells.
#[derive(Debug, Default)]
pub(super) struct Grid {
    pub(super) table: Table,
    pub(super) asides: Vec<(FurnitureKind, String)>,
    pub(super) citations: Vec<Citation>,
    pub(super) anchor: Option<String>,
}

impl RawRow {
    /// Reads a `trPr` element that has just started.
    pub(super) fn read(&mut self, xml: &mut Xml<'_, '_, '_>) -> Result<()> {
        let depth = xml.depth();
        while let Some(element) = xml.next_inside(depth)? {
            match (element.space, element.name()) {
                (Space::Word, "gridBefore") => self.before = span_of(&element).unwrap_or(0),
                (Space::Word, "tblHeader") => self.is_header = element.is_on(),
                (Space::Word, "del") => self.deleted = true,
                (_, "trPrChange") => xml.skip()?,
                _ => {}
            }
        }
        Ok(())
    }
}

impl RawCell {
    /// Reads a `tcPr` element that has just started.
    pub(super) fn read(&mut self, xml: &mut Xml<'_, '_, '_>) -> Result<()> {
        let merge = |element: &Element<'_>| match element.val().as_deref() {
            Some("restart") => Merge::Start,
            _ => Merge::Continue,
        };
        let depth = xml.depth();
        while let Some(element) = xml.next_inside(depth)? {
            match (element.space, element.name()) {
                (Space::Word, "gridSpan") => self.span = span_of(&element).unwrap_or(1),
                (Space::Word, "vMerge") => self.vertical = merge(&element),
                (Space::Word, "hMerge") => self.horizontal = merge(&element),
                (Space::Word, "cellDel") => self.deleted = true,
                (Space::Word, "rPr") => drop(read_run(xml)?),
                (_, "tcPrChange") => xml.skip()?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Its text in one line, struck words beside it.
    fn text(&self, asides: &mut Vec<(FurnitureKind, String)>) -> String {
        let (mut text, mut struck) = (String::new(), String::new());
        for paragraph in &self.paragraphs {
            for (piece, look) in paragraph.pieces() {
                if look.struck { &mut struck } else { &mut text }.push_str(piece);
            }
            text.push(' ');
            struck.push(' ');
            asides.extend(paragraph.asides.iter().map(|aside| (aside.kind, fold(&aside.text))));
        }
        let struck = fold(&struck);
        if !struck.is_empty() {
            asides.push((FurnitureKind::Struck, struck));
        }
        fold(&text)
    }

    fn is_bold(&self) -> bool {
        self.paragraphs.iter().filter(|p| !p.is_blank()).all(|p| p.is_mostly(|look| look.bold))
    }

    fn is_blank(&self) -> bool {
        self.paragraphs.iter().all(Paragraph::is_blank)
    }
}

impl RawTable {
    /// The paragraphs of a table that is only a box around them.
    pub(super) fn only_cell(&mut self) -> Option<Vec<Paragraph>> {
        let [row] = self.rows.as_mut_slice() else { return None };
        let [cell] = row.cells.as_mut_slice() else { return None };
        (!row.deleted && !cell.deleted).then(|| std::mem::take(&mut cell.paragraphs))
    }

    /// A table inside a cell: one paragraph for each row.
    pub(super) fn flatten(mut self) -> Vec<Paragraph> {
        if let Some(paragraphs) = self.only_cell() {
            return paragraphs;
        }
        let row_text = |row: RawRow| {
            let mut whole = Paragraph::default();
            for mut paragraph in row.cells.into_iter().flat_map(|cell| cell.paragraphs) {
                if !whole.text.is_empty() && !paragraph.text.is_empty() {
                    whole.push(" ", Default::default());
                }
                paragraph.anchor = None;
                whole.append(paragraph);
            }
            whole
        };
        self.rows.into_iter().map(row_text).filter(|paragraph| !paragraph.is_void()).collect()
    }

    /// How many places its grid has; to be booked before it is made.
    pub(super) fn places(&self) -> u64 {
        let columns = self.rows.iter().map(|row| {
            row.cells.iter().fold(row.before as u64, |sum, cell| sum.saturating_add(cell.span.max(1) as u64))
        });
        columns.max().unwrap_or(0).saturating_mul(self.rows.len() as u64)
    }

    /// Works out rows, columns and spans.
    pub(super) fn grid(self) -> Grid {
        let mut grid = Grid { anchor: self.anchor, ..Grid::default() };
        grid.table.cells.reserve_exact(self.rows.iter().map(|row| row.cells.len()).sum());
        // The merged cells of the row above, by their column.
        let mut above = Merged::new();
        let (mut headers, mut bold) = (Leading::default(), Leading::default());
        for row in self.rows {
            if row.deleted {
                row.cells.into_iter().for_each(|cell| delete(cell, &mut grid.asides));
                continue;
            }
            headers.next(row.is_header);
            bold.next(row.cells.iter().all(RawCell::is_bold) && !row.cells.iter().all(RawCell::is_blank));
            above = grid.add_row(row, &above);
        }
        grid.table.header_rows = match (headers.rows, bold.rows) {
            (0, all) if all >= grid.table.rows => 0,
            (0, bold) => bold,
            (named, _) => named,
        };
        // A heading that spans rows makes all of them headings.
        let heads = grid.table.cells.iter().filter(|cell| cell.row < grid.table.header_rows);
        let reach = heads.map(|cell| cell.row + cell.row_span).max().unwrap_or(0);
        grid.table.header_rows = grid.table.header_rows.max(reach);
        grid
    }
}

/// The cells of a row that a cell below may continue, by their column: their indices in the table.
type Merged = HashMap<usize, usize>;

impl Grid {
    /// Puts a row's cells into their places and returns those that the next row may continue.
    fn add_row(&mut self, row: RawRow, above: &Merged) -> Merged {
        let mut merged = Merged::new();
        let mut column = row.before;
        // The cell on the left, and whether it begins in this row.
        let mut last: Option<(usize, bool)> = None;
        for cell in row.cells {
            if cell.deleted {
                delete(cell, &mut self.asides);
                continue;
            }
            let span = cell.span.max(1);
            let text = cell.text(&mut self.asides);
            let left = last.filter(|_| cell.horizontal == Merge::Continue);
            let up = above.get(&column).copied().filter(|_| cell.vertical == Merge::Continue);
            let row = self.table.rows;
            if let Some((begins_here, place)) =
                left.and_then(|(i, b)| Some((b, self.table.cells.get_mut(i)?)))
            {
                // One that began above has its width from there.
                place.column_span += if begins_here { span } else { 0 };
                place.text = fold(&format!("{} {text}", place.text));
            } else if let Some((index, place)) = up.and_then(|i| Some((i, self.table.cells.get_mut(i)?))) {
                place.row_span = row + 1 - place.row;
                // Word hides what a continued cell holds.
                if !text.is_empty() {
                    self.asides.push((FurnitureKind::Around, text));
                }
                merged.insert(column, index);
                last = Some((index, false));
            } else {
                let index = self.table.cells.len();
                self.table.cells.push(Cell { row, column, row_span: 1, column_span: span, text });
                if cell.vertical != Merge::None {
                    merged.insert(column, index);
                }
                last = Some((index, true));
            }
            self.citations.extend(cell.paragraphs.into_iter().flat_map(|paragraph| paragraph.citations));
            column += span;
        }
        self.table.columns = self.table.columns.max(column);
        self.table.rows += 1;
        merged
    }
}

/// Counts rows from the top as long as something holds.
#[derive(Default)]
struct Leading {
    rows: usize,
    over: bool,
}

impl Leading {
    fn next(&mut self, holds: bool) {
        self.over |= !holds;
        self.rows += usize::from(!self.over);
    }
}

fn delete(cell: RawCell, asides: &mut Vec<(FurnitureKind, String)>) {
    let kept = cell.text(asides);
    if !kept.is_empty() {
        asides.push((FurnitureKind::Deleted, kept));
    }
}

fn span_of(element: &Element<'_>) -> Option<usize> {
    usize::try_from(element.number("val")?.clamp(0, MAX_SPAN)).ok()
}

fn fold(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
