//! Tables drawn with rules: their cells, their place in the flow, their continuation on the next page.

use super::grid::Grid;
use super::lines::lines;
use super::words::Word;
use crate::document::{Cell, Table};
use crate::read::hyphen::{Join, Vocabulary};

/// Stands in the flow where a table stands on the page.
pub(super) const PLACE: char = '\u{FFFC}';

/// A row or column thinner than this lies between two lines of one border.
const DOUBLED: f32 = 7.0;

/// Bytes in a cell of a small table.
const MAX_CELL: usize = 500;

/// A cell before its lines are joined.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct RawCell {
    pub row: usize,
    pub column: usize,
    pub row_span: usize,
    pub column_span: usize,
    pub lines: Vec<String>,
    pub bold: bool,
}

/// A table and where it stands.
#[derive(Debug, Clone, Default)]
pub(super) struct PlacedTable {
    pub rows: usize,
    pub columns: usize,
    pub cells: Vec<RawCell>,
    pub header_rows: usize,
    /// The page of each row.
    pub row_pages: Vec<u32>,
    /// Left edges of the columns.
    pub xs: Vec<f32>,
    pub size: f32,
    /// The lines right above it on the page are its caption.
    pub captioned: bool,
    /// Repeated headings that were left out, with their pages.
    pub dropped: Vec<(u32, String)>,
}

impl PlacedTable {
    /// The bytes that it takes.
    pub fn weight(&self) -> u64 {
        let line = |line: &String| size_of::<String>() + line.capacity();
        let cell = |cell: &RawCell| size_of::<RawCell>() + cell.lines.iter().map(line).sum::<usize>();
        let cells: usize = self.cells.iter().map(cell).sum();
        (size_of::<PlacedTable>() + cells + 4 * (self.row_pages.capacity() + self.xs.capacity())) as u64
    }

    pub fn first_page(&self) -> u32 {
        self.row_pages.first().copied().unwrap_or(0)
    }

    /// Appends the part of the table that stands on the next page, without its repeated headings.
    /// False when it is another table.
    pub fn append(&mut self, next: &PlacedTable) -> bool {
        let last = self.row_pages.last().copied().unwrap_or(0);
        let same_columns = self.columns == next.columns
            && self.xs.iter().zip(&next.xs).all(|(a, b)| {
                let shift = self.xs.first().unwrap_or(&0.0) - next.xs.first().unwrap_or(&0.0);
                (a - b - shift).abs() < 8.0
            });
        if !same_columns || next.first_page() != last + 1 {
            return false;
        }
        let head = self.header_rows.max(1);
        let repeated = (0..head).take_while(|row| self.row(*row).eq(next.row(*row))).count();
        if repeated > 0 {
            self.header_rows = repeated;
        }
        for row in 0..repeated {
            let texts: Vec<String> = next.row(row).map(|cell| cell.lines.join(" ")).collect();
            self.dropped.push((next.first_page(), texts.join(" ").trim().to_string()));
        }
        let mut skip = repeated;
        if self.goes_on_with(next, repeated) {
            skip += 1;
            for cell in next.row(repeated) {
                let last = self.rows.saturating_sub(1);
                let above =
                    self.cells.iter_mut().find(|c| c.column == cell.column && c.row + c.row_span > last);
                match above {
                    Some(above) => above.lines.extend(cell.lines.iter().cloned()),
                    None => self.cells.push(RawCell { row: last, ..cell.clone() }),
                }
            }
        }
        for cell in next.cells.iter().filter(|cell| cell.row >= skip) {
            self.cells.push(RawCell { row: cell.row - skip + self.rows, ..cell.clone() });
        }
        self.row_pages.extend(next.row_pages.iter().skip(skip));
        self.rows += next.rows.saturating_sub(skip);
        true
    }

    fn row(&self, row: usize) -> impl Iterator<Item = &RawCell> {
        self.cells.iter().filter(move |cell| cell.row == row)
    }

    /// A row that the page's end cut in two: its second half begins in the middle of a sentence.
    fn goes_on_with(&self, next: &PlacedTable, row: usize) -> bool {
        let filled: Vec<&RawCell> = next.row(row).filter(|cell| !cell.lines.is_empty()).collect();
        let last = self.rows.saturating_sub(1);
        let cut = |cell: &&RawCell| {
            let lower = cell.lines.first().is_some_and(|line| line.starts_with(char::is_lowercase));
            let above = self.cells.iter().find(|c| c.column == cell.column && c.row + c.row_span > last);
            let open = above.and_then(|c| c.lines.last()).is_some_and(|l| !l.ends_with(['.', ';', ':']));
            lower && open && cell.row_span == 1
        };
        !filled.is_empty() && filled.iter().all(cut)
    }

    /// The table with its cells' lines joined.
    pub fn finish(&self, caption: Option<String>, notes: Vec<String>, vocabulary: &Vocabulary) -> Table {
        let cells = self.cells.iter().map(|cell| Cell {
            row: cell.row,
            column: cell.column,
            row_span: cell.row_span,
            column_span: cell.column_span,
            text: joined(&cell.lines, vocabulary),
        });
        Table {
            caption,
            header_rows: self.header_rows,
            rows: self.rows,
            columns: self.columns,
            cells: cells.collect(),
            notes,
        }
    }
}

fn joined(lines: &[String], vocabulary: &Vocabulary) -> String {
    let mut out = String::new();
    for line in lines {
        if !out.is_empty() {
            match vocabulary.join_in_cell(&out, line) {
                Join::Space => out.push(' '),
                Join::Drop => {
                    out.pop();
                }
                Join::Keep => {}
            }
        }
        out.push_str(line);
    }
    out
}

/// The number of the float that a word stands for.
pub(super) fn placeholder(word: &Word) -> Option<usize> {
    word.text.strip_prefix(PLACE)?.parse().ok()
}

pub(super) fn middle(word: &Word) -> (f32, f32) {
    ((word.x0 + word.x1) / 2.0, word.y - 0.3 * word.size)
}

pub(super) fn build(page: u32, grid: &Grid, words: &[&Word]) -> Option<PlacedTable> {
    let columns = grid.columns();
    let mut cells: Vec<(RawCell, Vec<Word>)> = Vec::new();
    // Where the cell of each owner stands in `cells`.
    let owners = grid.owner.iter().max().map_or(0, |last| last + 1);
    let mut known: Vec<Option<usize>> = vec![None; owners];
    for (index, owner) in grid.owner.iter().enumerate() {
        let (row, column) = (index / columns, index % columns);
        let slot = known.get_mut(*owner)?;
        match slot.and_then(|at| cells.get_mut(at)) {
            None => {
                *slot = Some(cells.len());
                let cell = RawCell { row, column, row_span: 1, column_span: 1, ..RawCell::default() };
                cells.push((cell, Vec::new()));
            }
            Some((cell, _)) => {
                cell.row_span = cell.row_span.max(row + 1 - cell.row);
                let (first, last) =
                    (cell.column.min(column), (cell.column + cell.column_span).max(column + 1));
                (cell.column, cell.column_span) = (first, last - first);
            }
        }
    }
    for word in words {
        let (x, y) = middle(word);
        let at = grid.cell_at(x, y).and_then(|owner| known.get(owner).copied().flatten())?;
        if let Some((_, inside)) = cells.get_mut(at) {
            inside.push((*word).clone());
        }
    }
    let (done, size) = filled(page, cells);
    let table = PlacedTable {
        rows: grid.rows(),
        columns,
        header_rows: header_rows(&done),
        row_pages: vec![page; grid.rows()],
        xs: grid.xs.clone(),
        size,
        captioned: false,
        cells: done,
        dropped: Vec::new(),
    };
    let table = compact(table, grid);
    is_table(&table).then_some(table)
}

/// Words into the lines of their cells, and the size of type.
pub(super) fn filled(page: u32, cells: Vec<(RawCell, Vec<Word>)>) -> (Vec<RawCell>, f32) {
    let mut size = 0.0f32;
    let mut done = Vec::new();
    for (mut cell, words) in cells {
        let lines = lines(page, &words);
        size = size.max(lines.first().map_or(0.0, |line| line.size));
        cell.bold = !lines.is_empty() && lines.iter().all(|line| line.all_bold());
        cell.lines = lines.iter().map(|line| line.text().to_string()).collect();
        done.push(cell);
    }
    (done, size.max(4.0))
}

/// Rows and columns that hold no cell of their own come from doubled lines: they go.
fn compact(mut table: PlacedTable, grid: &Grid) -> PlacedTable {
    let steps = |levels: &[f32]| -> Vec<f32> {
        levels.windows(2).map(|pair| pair.iter().fold(0.0, |from, to| to - from)).collect()
    };
    let (heights, widths) = (steps(&grid.ys), steps(&grid.xs));
    for row in (0..table.rows).rev() {
        let thin = heights.get(row).is_some_and(|height| *height < DOUBLED);
        let starts = !thin || table.cells.iter().any(|c| c.row == row && !c.lines.is_empty());
        let empty_cells = table.cells.iter().any(|c| c.row == row && c.row_span > 1);
        if starts || empty_cells {
            continue;
        }
        table.cells.retain(|c| c.row != row);
        for cell in &mut table.cells {
            if cell.row < row && cell.row + cell.row_span > row {
                cell.row_span -= 1;
            }
            if cell.row > row {
                cell.row -= 1;
            }
        }
        table.rows -= 1;
        table.row_pages.pop();
    }
    for column in (0..table.columns).rev() {
        let thin = widths.get(column).is_some_and(|width| *width < DOUBLED);
        if !thin
            || table.cells.iter().any(|c| c.column == column && (!c.lines.is_empty() || c.column_span > 1))
        {
            continue;
        }
        table.cells.retain(|c| c.column != column);
        for cell in &mut table.cells {
            if cell.column < column && cell.column + cell.column_span > column {
                cell.column_span -= 1;
            }
            if cell.column > column {
                cell.column -= 1;
            }
        }
        table.columns -= 1;
        if column < table.xs.len() {
            table.xs.remove(column);
        }
    }
    table.header_rows = header_rows(&table.cells).min(table.rows);
    table
}

/// Leading rows that are all bold; else one, when nothing in the first row is a number.
pub(super) fn header_rows(cells: &[RawCell]) -> usize {
    let row = |row: usize| cells.iter().filter(move |c| c.row == row && !c.lines.is_empty());
    // A single bold cell in a row is a heading within the table.
    let heads = |r: usize| row(r).count() >= 2 || r == 0 && row(r).any(|c| c.column_span > 1);
    let bold = (0..4).take_while(|r| heads(*r) && row(*r).all(|c| c.bold)).count();
    if bold > 0 {
        return bold;
    }
    let wordy = row(0).count() >= 2
        && row(0).all(|c| c.lines.iter().all(|line| !line.starts_with(|c: char| c.is_ascii_digit())));
    usize::from(wordy)
}

pub(super) fn is_table(table: &PlacedTable) -> bool {
    let filled: Vec<&RawCell> = table.cells.iter().filter(|c| !c.lines.is_empty()).collect();
    let mut columns: Vec<usize> = filled.iter().map(|c| c.column).collect();
    columns.sort_unstable();
    columns.dedup();
    // Two columns of running text in a box are a layout: whole sections may stand in such a cell.
    let length = |cell: &RawCell| cell.lines.iter().map(String::len).sum::<usize>();
    if columns.len() == 2 && table.rows <= 4 && filled.iter().any(|cell| length(cell) > MAX_CELL) {
        return false;
    }
    // Cells that overlap are shapes of a drawing.
    let area: usize = table.cells.iter().map(|c| c.row_span * c.column_span).sum();
    area <= table.rows * table.columns
        && table.rows >= 2
        && columns.len() >= 2
        && filled.len() >= 4
        && filled.len() * 4 >= table.cells.len()
}
