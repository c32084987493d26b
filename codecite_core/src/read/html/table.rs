//! Tables: cells with their spans into a grid.

use super::raised::short_text;
use super::tree::{Element, NONE, NodeId, Tree};
use crate::document::{Cell, Table};
use crate::error::Result;
use crate::read::fold::push_folded;
use crate::read::marker::{Marker, marker};
use crate::work::Work;

/// The most columns and rows that a browser lets a cell span.
const MAX_COLUMN_SPAN: usize = 1_000;
const MAX_ROW_SPAN: usize = 65_534;
/// In a table wider than this, cells span one column.
const MAX_COLUMNS: usize = 10_000;
/// What one place in the grid costs when the table is written out.
const PLACE_BYTES: u64 = 24;

/// Which part of the table a row stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    Head,
    Body,
    Foot,
}

/// A table that is being read.
#[derive(Debug, Default)]
pub(super) struct OpenTable {
    rows: Vec<Row>,
    /// What text goes to.
    target: Target,
    pub text: String,
    caption: String,
    notes: Vec<String>,
}

/// Where the text of a table goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Target {
    /// Beside the cells: after the table.
    #[default]
    Outside,
    Caption,
    /// `th` or `td`, with the columns and rows that it spans (no rows: all that follow).
    Cell {
        heading: bool,
        columns: usize,
        rows: usize,
    },
}

#[derive(Debug)]
struct Row {
    part: Part,
    group: usize,
    cells: Vec<RawCell>,
}

#[derive(Debug)]
struct RawCell {
    text: String,
    heading: bool,
    columns: usize,
    rows: usize,
}

/// A table as it is written: what stands before it and after it is text as well.
#[derive(Debug)]
pub(super) struct Finished {
    pub caption: Option<String>,
    pub table: Option<Table>,
    pub notes: Vec<String>,
}

impl Target {
    /// A cell, by its attributes.
    pub fn cell(element: &Element) -> Target {
        let span = |name: &str| element.attr(name).and_then(|value| value.trim().parse::<usize>().ok());
        Target::Cell {
            heading: element.html_name() == Some("th"),
            columns: span("colspan").unwrap_or(1).clamp(1, MAX_COLUMN_SPAN),
            rows: span("rowspan").unwrap_or(1).min(MAX_ROW_SPAN),
        }
    }
}

impl OpenTable {
    /// A row begins; `group` tells the groups of rows apart.
    pub fn begin_row(&mut self, part: Part, group: usize) {
        self.end_target();
        self.rows.push(Row { part, group, cells: Vec::new() });
    }

    /// From here on text goes to `target`.
    pub fn begin(&mut self, target: Target) {
        self.end_target();
        self.target = target;
    }

    /// Ends a cell or the caption.
    pub fn end_target(&mut self) {
        let mut text = std::mem::take(&mut self.text);
        text.truncate(text.trim_end().len());
        match std::mem::take(&mut self.target) {
            Target::Outside if text.is_empty() => {}
            Target::Outside => self.notes.push(text),
            Target::Caption => self.caption.push_str(&text),
            Target::Cell { heading, columns, rows } => {
                if let Some(row) = self.rows.last_mut() {
                    row.cells.push(RawCell { text, heading, columns, rows });
                }
            }
        }
    }

    /// The table in its grid.
    ///
    /// # Errors
    /// The limit on memory, for spans that make a grid far larger than its cells.
    pub fn finish(mut self, work: &mut Work<'_>) -> Result<Finished> {
        self.end_target();
        // A browser prints the head at the top and the foot at the bottom, wherever they stand.
        self.rows.sort_by_key(|row| row.part);
        self.take_notes();
        let caption = (!self.caption.is_empty()).then(|| std::mem::take(&mut self.caption));
        let header_rows = self.header_rows();
        let mut table = Table {
            caption: caption.clone(),
            header_rows: 0,
            rows: self.rows.len(),
            columns: 0,
            cells: place(self.rows),
            notes: self.notes.clone(),
        };
        compact(&mut table, header_rows);
        let places = (table.rows as u64).saturating_mul(table.columns as u64);
        work.charge_memory(places.saturating_mul(PLACE_BYTES))?;
        work.release_memory(places.saturating_mul(PLACE_BYTES));
        let has_text = table.cells.iter().any(|cell| !cell.text.is_empty());
        Ok(Finished { caption, table: has_text.then_some(table), notes: self.notes })
    }

    /// Rows of the foot that are one cell are notes under the table.
    fn take_notes(&mut self) {
        let width = |row: &Row| row.cells.iter().map(|cell| cell.columns).sum::<usize>();
        let widest = self.rows.iter().filter(|row| row.part != Part::Foot).map(width).max().unwrap_or(0);
        let (notes, rows) = std::mem::take(&mut self.rows).into_iter().partition(|row: &Row| {
            let filled = row.cells.iter().filter(|cell| !cell.text.is_empty()).count();
            row.part == Part::Foot && widest > 1 && filled == 1 && (row.cells.len() == 1)
        });
        self.rows = rows;
        let notes: Vec<Row> = notes;
        self.notes.extend(notes.into_iter().flat_map(|row| row.cells).map(|cell| cell.text));
    }

    fn header_rows(&self) -> usize {
        let in_head = self.rows.iter().take_while(|row| row.part == Part::Head).count();
        let headings = |row: &&Row| !row.cells.is_empty() && row.cells.iter().all(|cell| cell.heading);
        if in_head > 0 { in_head } else { self.rows.iter().take_while(headings).count() }
    }
}

/// Gives each cell its place, as browsers do.
fn place(rows: Vec<Row>) -> Vec<Cell> {
    let total = rows.len();
    let ends: Vec<usize> = group_ends(&rows);
    let mut cells: Vec<Cell> = Vec::new();
    // For each column, the row from which on it is free.
    let mut free_from: Vec<usize> = Vec::new();
    for (row, raw) in rows.into_iter().enumerate() {
        let end = ends.get(row).copied().unwrap_or(total);
        let mut column = 0;
        for cell in raw.cells {
            while free_from.get(column).is_some_and(|free| *free > row) {
                column += 1;
            }
            let row_span = if cell.rows == 0 { end - row } else { cell.rows.min(end - row) };
            // A cell that does not fit below one that spans from above is cut, not laid over it.
            let wanted = if column < MAX_COLUMNS { cell.columns } else { 1 };
            let covered = free_from.iter().skip(column).take(wanted).position(|free| *free > row);
            let column_span = covered.unwrap_or(wanted).max(1);
            if free_from.len() < column + column_span {
                free_from.resize(column + column_span, 0);
            }
            for free in free_from.iter_mut().skip(column).take(column_span) {
                *free = row + row_span;
            }
            cells.push(Cell { row, column, row_span, column_span, text: cell.text });
            column += column_span;
        }
    }
    cells
}

/// For each row, the end of its group: no cell spans beyond it.
fn group_ends(rows: &[Row]) -> Vec<usize> {
    let mut ends = vec![rows.len(); rows.len()];
    let mut end = rows.len();
    let mut below: Option<(Part, usize)> = None;
    for (index, row) in rows.iter().enumerate().rev() {
        let here = (row.part, row.group);
        if below.is_some_and(|below| below != here) {
            end = index + 1;
        }
        below = Some(here);
        if let Some(place) = ends.get_mut(index) {
            *place = end;
        }
    }
    ends
}

/// Leaves out rows and columns in which no cell begins; they are only there because of careless spans.
fn compact(table: &mut Table, header_rows: usize) {
    let rows = used(table.cells.iter().map(|cell| cell.row), table.rows);
    let width = table.cells.iter().map(|cell| cell.column + cell.column_span).max().unwrap_or(0);
    let columns = used(table.cells.iter().map(|cell| cell.column), width);
    let at = |places: &[usize], index: usize| places.get(index).or(places.last()).copied().unwrap_or(0);
    for cell in &mut table.cells {
        let (row, column) = (at(&rows, cell.row), at(&columns, cell.column));
        cell.row_span = at(&rows, cell.row + cell.row_span).saturating_sub(row).max(1);
        cell.column_span = at(&columns, cell.column + cell.column_span).saturating_sub(column).max(1);
        (cell.row, cell.column) = (row, column);
    }
    table.header_rows = at(&rows, header_rows);
    table.rows = at(&rows, table.rows);
    table.columns = at(&columns, width);
}

/// For each index up to `len`, how many indexes below it are used.
fn used(places: impl Iterator<Item = usize>, len: usize) -> Vec<usize> {
    let mut taken = vec![false; len];
    for place in places {
        if let Some(taken) = taken.get_mut(place) {
            *taken = true;
        }
    }
    let mut count = 0;
    let mut before = Vec::with_capacity(len + 1);
    before.push(0);
    for taken in taken {
        count += usize::from(taken);
        before.push(count);
    }
    before
}

/// What a table is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Rows and columns mean something.
    Data,
    /// Arranges prose: one column or one cell, or cells with headings or tables in them.
    Layout,
    /// A list: the marks in the first column, their items in the second.
    List,
}

/// What a table is for, by its shape.
pub(super) fn purpose(tree: &Tree, table: NodeId) -> Purpose {
    let role = tree.element(table).and_then(|element| element.attr("role")).map(str::trim);
    if matches!(role, Some("presentation" | "none")) {
        return Purpose::Layout;
    }
    let mut shape = Shape::default();
    for child in tree.children(table) {
        match name(tree, child) {
            "caption" | "thead" => return Purpose::Data,
            "tbody" | "tfoot" => tree.children(child).for_each(|row| shape.row(tree, row)),
            "tr" => shape.row(tree, child),
            _ => {}
        }
    }
    if shape.headings {
        Purpose::Data
    } else if shape.rows > 0 && shape.marked == shape.rows {
        Purpose::List
    } else if shape.columns <= 1 || shape.sections || shape.rows == 1 && shape.blocks > shape.cells {
        Purpose::Layout
    } else {
        Purpose::Data
    }
}

/// The mark in the first of two cells of a row.
pub(super) fn row_mark(tree: &Tree, row: NodeId) -> Option<String> {
    let mut cells = tree.children(row).filter(|cell| name(tree, *cell) == "td");
    let (first, _, None) = (cells.next()?, cells.next()?, cells.next()) else { return None };
    let mut mark = String::new();
    push_folded(&mut mark, &short_text(tree, first)?);
    mark.truncate(mark.trim_end().len());
    (marker(&format!("{mark} X")) == Marker::List).then_some(mark)
}

/// True for the first cell of its row.
pub(super) fn is_first_cell(tree: &Tree, cell: NodeId) -> bool {
    tree.children(tree.parent(cell)).find(|id| name(tree, *id) == "td") == Some(cell)
}

#[derive(Default)]
struct Shape {
    rows: usize,
    columns: usize,
    cells: usize,
    /// Rows of a mark and its item.
    marked: usize,
    /// Blocks in cells.
    blocks: usize,
    /// There is a `th`.
    headings: bool,
    /// A cell holds a heading or a table.
    sections: bool,
}

impl Shape {
    fn row(&mut self, tree: &Tree, row: NodeId) {
        if name(tree, row) != "tr" {
            return;
        }
        self.rows += 1;
        self.marked += usize::from(row_mark(tree, row).is_some());
        let mut columns = 0;
        for cell in tree.children(row).filter(|cell| matches!(name(tree, *cell), "td" | "th")) {
            self.headings |= name(tree, cell) == "th";
            self.cells += 1;
            columns += usize::from(tree.first_child(cell) != NONE);
            for block in tree.children(cell) {
                let name = name(tree, block);
                self.sections |= matches!(name, "table" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6");
                self.blocks += usize::from(matches!(name, "p" | "div" | "ul" | "ol" | "dl" | "blockquote"));
            }
        }
        self.columns = self.columns.max(columns);
    }
}

fn name(tree: &Tree, id: NodeId) -> &str {
    tree.element(id).and_then(Element::html_name).unwrap_or_default()
}
