//! Tables that only tags tell: no rule is drawn around them.

use std::collections::BTreeMap;

use super::table::{PlacedTable, RawCell, filled, header_rows, is_table, placeholder};
use super::words::{PageWords, Word};

/// Columns of a table that tags may make.
const MAX_COLUMNS: u32 = 200;

/// Bytes in a cell of a table of two columns.
const MAX_CELL: usize = 300;

/// Left, top, right, bottom.
type Bounds = [f32; 4];

/// The tagged tables of a page that are still in its text, where what is seen agrees with the tags.
pub(super) fn tables(page: &PageWords) -> Vec<(PlacedTable, Bounds)> {
    let mut by_table: BTreeMap<u32, Vec<&Word>> = BTreeMap::new();
    for word in &page.words {
        if let Some(cell) = word.cell {
            by_table.entry(cell.table).or_default().push(word);
        }
    }
    let mut out: Vec<(PlacedTable, Bounds)> = Vec::new();
    for words in by_table.values() {
        let bounds = bounds(words);
        let inside = page.words.iter().filter(|word| is_in(word, bounds)).count();
        let apart = out.iter().all(|(_, other)| !overlap(*other, bounds));
        let covered = page.words.iter().any(|w| placeholder(w).is_some() && is_in(w, bounds));
        // Text of others within the table: the tags are wrong, or the table is.
        if inside == words.len() && apart && !covered {
            out.extend(build(page.number, words).map(|table| (table, bounds)));
        }
    }
    out
}

/// The word's middle lies within the bounds.
pub(super) fn is_in(word: &Word, [left, top, right, bottom]: Bounds) -> bool {
    let (x, y) = ((word.x0 + word.x1) / 2.0, word.y - 0.3 * word.size);
    x >= left && x <= right && y >= top && y <= bottom
}

fn overlap(a: Bounds, b: Bounds) -> bool {
    let ([l0, t0, r0, b0], [l1, t1, r1, b1]) = (a, b);
    l0.max(l1) < r0.min(r1) && t0.max(t1) < b0.min(b1)
}

fn bounds(words: &[&Word]) -> Bounds {
    words.iter().fold([f32::MAX, f32::MAX, f32::MIN, f32::MIN], |[l, t, r, b], w| {
        [l.min(w.x0), t.min(w.y - w.size), r.max(w.x1), b.max(w.y)]
    })
}

fn build(page: u32, words: &[&Word]) -> Option<PlacedTable> {
    let mut rows: Vec<u32> = words.iter().filter_map(|w| Some(w.cell?.row)).collect();
    rows.sort_unstable();
    rows.dedup();
    let columns = words.iter().filter_map(|w| Some(w.cell?.column)).max()? + 1;
    if columns > MAX_COLUMNS {
        return None;
    }
    let mut cells: BTreeMap<(usize, u32), Vec<Word>> = BTreeMap::new();
    for word in words {
        let cell = word.cell?;
        cells.entry((rows.binary_search(&cell.row).ok()?, cell.column)).or_default().push((*word).clone());
    }
    if !runs_down(&cells) || !runs_right(&cells) {
        return None;
    }
    let left = |column: u32| {
        let own = cells.iter().filter(|((_, c), _)| *c == column).flat_map(|(_, words)| words);
        own.map(|w| w.x0).fold(f32::MAX, f32::min)
    };
    let xs = (0..columns).map(left).collect();
    let cells = cells.into_iter().map(|((row, column), words)| {
        (RawCell { row, column: column as usize, row_span: 1, column_span: 1, ..RawCell::default() }, words)
    });
    let (cells, size) = filled(page, cells.collect());
    let table = PlacedTable {
        rows: rows.len(),
        columns: columns as usize,
        header_rows: header_rows(&cells),
        row_pages: vec![page; rows.len()],
        xs,
        size,
        captioned: false,
        cells,
        dropped: Vec::new(),
    };
    // Two columns of running text are a layout, whatever the tags say.
    let longest = table.cells.iter().map(|cell| cell.lines.iter().map(String::len).sum::<usize>()).max();
    let layout = columns == 2 && longest.is_some_and(|longest| longest > MAX_CELL);
    (is_table(&table) && !layout).then_some(table)
}

/// Each row begins below the beginning of the one before.
fn runs_down(cells: &BTreeMap<(usize, u32), Vec<Word>>) -> bool {
    let mut tops: BTreeMap<usize, f32> = BTreeMap::new();
    for ((row, _), words) in cells {
        let top = words.iter().map(|w| w.y).fold(f32::MAX, f32::min);
        let known = tops.entry(*row).or_insert(top);
        *known = known.min(top);
    }
    let tops: Vec<f32> = tops.into_values().collect();
    tops.windows(2).all(|pair| matches!(pair, [above, below] if above < below))
}

/// In each row, each cell begins to the right of the one before.
fn runs_right(cells: &BTreeMap<(usize, u32), Vec<Word>>) -> bool {
    let left = |words: &[Word]| words.iter().map(|w| w.x0).fold(f32::MAX, f32::min);
    let edges: Vec<(usize, f32)> = cells.iter().map(|((row, _), words)| (*row, left(words))).collect();
    edges.windows(2).all(|pair| matches!(pair, [a, b] if a.0 != b.0 || a.1 < b.1))
}
