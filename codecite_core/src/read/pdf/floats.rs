//! What a page shows apart from its running text: tables and framed figures, with captions and notes.

use compact_str::format_compact;

use super::booktabs;
use super::captions::captions;
use super::figures::take_figures;
use super::grid::{Grid, grids, is_note};
use super::lines::{Line, lines};
use super::packed::PackedLines;
use super::segmented;
use super::table::{PLACE, PlacedTable, build, middle, placeholder};
use super::tagged;
use super::words::{PageWords, Word};
use crate::document::Style;
use crate::read::marker::{Marker, marker};

/// Lines of a title without a number.
const MAX_TITLE_LINES: usize = 3;

/// A table or figure in one piece.
#[derive(Debug)]
pub(super) struct Float {
    /// The caption, where it stands apart from the text around.
    pub caption: PackedLines,
    pub body: Body,
    /// Notes under a table, each with its lines.
    pub notes: Vec<PackedLines>,
}

/// What is in it.
#[derive(Debug)]
pub(super) enum Body {
    Table(PlacedTable),
    /// The labels of a figure.
    Labels(Vec<PackedLines>),
}

impl Float {
    /// The bytes that it takes.
    pub fn weight(&self) -> u64 {
        let body = match &self.body {
            Body::Table(table) => table.weight(),
            Body::Labels(labels) => packed_weight(labels),
        };
        size_of::<Float>() as u64 + self.caption.len() as u64 + body + packed_weight(&self.notes)
    }
}

fn packed_weight(all: &[PackedLines]) -> u64 {
    all.iter().map(|lines| (size_of::<PackedLines>() + lines.len()) as u64).sum()
}

fn pack_all(all: Vec<Vec<Line>>) -> Vec<PackedLines> {
    all.iter().map(|lines| PackedLines::of(lines)).collect()
}

/// Takes the floats' words off the page and puts a placeholder word in the place of each.
pub(super) fn take_floats(page: &mut PageWords) -> Vec<Float> {
    let mut out: Vec<Float> = Vec::new();
    let captions = captions(&page.words);
    for figure in take_figures(page, &captions) {
        let size = figure.caption.first().map_or(8.0, |line| line.size);
        place(page, out.len(), figure.bounds, size);
        let caption = PackedLines::of(&figure.caption);
        out.push(Float { caption, body: Body::Labels(pack_all(figure.labels)), notes: Vec::new() });
    }
    let mut grids = grids(&page.rules);
    let drawn = grids.len();
    grids.extend(segmented::grids(&page.rules, &page.words));
    for caption in &captions {
        let Some(grid) = booktabs::grid(caption, &captions, &page.rules, &page.words) else {
            continue;
        };
        // Rules that tell columns apart are better evidence than white space.
        let mut others = grids.iter().enumerate();
        let better = |index: usize, other: &Grid| index < drawn || other.columns() >= grid.columns();
        if !others.any(|(index, other)| overlap(other, &grid) && better(index, other)) {
            out.extend(take_table(page, &grid, out.len()));
        }
    }
    // The smallest first: a frame around a table is no table.
    grids.sort_by(|a, b| area(a).total_cmp(&area(b)));
    for mut grid in grids {
        trim(&mut grid, &page.words);
        out.extend(take_table(page, &grid, out.len()));
    }
    for grid in booktabs::uncaptioned(&captions, &page.rules, &page.words) {
        out.extend(take_table(page, &grid, out.len()));
    }
    for (table, bounds) in tagged::tables(page) {
        let size = table.size;
        page.words.retain(|word| !tagged::is_in(word, bounds));
        place(page, out.len(), bounds, size);
        out.push(Float { caption: PackedLines::default(), body: Body::Table(table), notes: Vec::new() });
    }
    out
}

fn overlap(a: &Grid, b: &Grid) -> bool {
    let ([l0, t0, r0, b0], [l1, t1, r1, b1]) = (a.bounds(), b.bounds());
    l0.max(l1) < r0.min(r1) && t0.max(t1) < b0.min(b1)
}

fn area(grid: &Grid) -> f32 {
    let [left, top, right, bottom] = grid.bounds();
    (right - left) * (bottom - top)
}

/// Takes one table, unless the grid is none.
fn take_table(page: &mut PageWords, grid: &Grid, index: usize) -> Option<Float> {
    let [left, top, right, bottom] = grid.bounds();
    let above = grid.above.or_else(|| title_above(page.number, grid, &page.words)).unwrap_or(top);
    let below = grid.below.unwrap_or(bottom);
    let within = |w: &Word, from: f32, to: f32| {
        let (x, y) = middle(w);
        x >= left && x < right && y >= from && y < to
    };
    if page.words.iter().any(|w| within(w, top, bottom) && placeholder(w).is_some()) {
        return None;
    }
    let words: Vec<&Word> = page.words.iter().filter(|w| within(w, top, bottom)).collect();
    let mut table = build(page.number, grid, &words)?;
    let part = |from: f32, to: f32| -> Vec<Line> {
        let words: Vec<Word> = page.words.iter().filter(|w| within(w, from, to)).cloned().collect();
        lines(page.number, &words)
    };
    let caption = part(above.min(top), top);
    table.captioned = !caption.is_empty();
    let notes = notes_of(part(bottom, below.max(bottom)));
    page.words.retain(|w| !within(w, above.min(top), below.max(bottom)));
    place(page, index, [left, above.min(top), right, below.max(bottom)], table.size);
    Some(Float { caption: PackedLines::of(&caption), body: Body::Table(table), notes: pack_all(notes) })
}

/// Where lines begin that are the table's title without being numbered: right above it, bold or in its middle.
fn title_above(page: u32, grid: &Grid, words: &[Word]) -> Option<f32> {
    let [left, top, right, _] = grid.bounds();
    let near = |w: &&Word| w.y < top + 1.0 && top - w.y < 6.0 * w.size && w.x0 < right && w.x1 > left;
    let around: Vec<Word> = words.iter().filter(near).cloned().collect();
    let lines = lines(page, &around);
    let mut first: Option<&Line> = None;
    let mut below = top;
    for line in lines.iter().rev() {
        if below - line.y > 1.6 * line.size || !is_title(line, left, right) {
            break;
        }
        first = Some(line);
        below = line.y;
    }
    let first = first?;
    // A line above in the same type makes it the end of something longer.
    let alone = !lines.iter().any(|line| {
        line.y < first.y - 1.0
            && first.y - line.y < 1.35 * first.size
            && (line.size - first.size).abs() < 0.5
            && line.all_bold() == first.all_bold()
    });
    let count = lines.iter().filter(|line| line.y >= first.y).count();
    (alone && count <= MAX_TITLE_LINES && first.text().starts_with(char::is_uppercase))
        .then_some(first.y - first.size)
}

fn is_title(line: &Line, left: f32, right: f32) -> bool {
    let centred =
        ((line.x0 + line.x1) - (left + right)).abs() < 12.0 && line.x1 - line.x0 < 0.8 * (right - left);
    let inside = line.x0 >= left - 2.0 && line.x1 <= right + 2.0;
    let free = matches!(marker(line.text()), Marker::None | Marker::Part)
        && line.words.iter().all(|word| placeholder(word).is_none());
    let ends = line.text().ends_with(['.', ':', ';', ',']);
    inside && free && !ends && (centred || line.all_bold()) && line.text().len() < 120
}

/// A placeholder stands in the flow where the float stands on the page.
fn place(page: &mut PageWords, index: usize, bounds: [f32; 4], size: f32) {
    let [left, top, right, _] = bounds;
    page.floats.push(bounds);
    page.words.push(Word {
        text: format_compact!("{PLACE}{index}"),
        x0: left,
        x1: right,
        y: top + size,
        base: top + size,
        size,
        style: Style::default(),
        spaced: true,
        artifact: false,
        heading: 0,
        cell: None,
    });
}

/// Cuts the lines under a table into notes: each begins with its mark, its number or the word.
fn notes_of(lines: Vec<Line>) -> Vec<Vec<Line>> {
    let mut out: Vec<Vec<Line>> = Vec::new();
    for line in lines {
        let first = line.words.first();
        let numbered = first.is_some_and(|w| {
            let bare = w.text.trim_end_matches(['.', ')']);
            bare.len() < w.text.len() && bare.len() <= 2 && bare.chars().all(|c| c.is_ascii_alphanumeric())
        });
        let begins = numbered || first.is_some_and(|w| is_note(w, line.words.get(1)));
        match out.last_mut() {
            Some(note) if !begins => note.push(line),
            _ => out.push(vec![line]),
        }
    }
    out
}

/// A caption in the first row and notes in the last are text around the table.
fn trim(grid: &mut Grid, words: &[Word]) {
    // A first row that is one cell over all columns is the title.
    let single = |grid: &Grid, row: usize| {
        let columns = grid.columns();
        let owners = grid.owner.get(row * columns..(row + 1) * columns).unwrap_or_default();
        columns > 1 && owners.windows(2).all(|pair| pair.first() == pair.last())
    };
    if grid.rows() > 2 && single(grid, 0) && !single(grid, 1) && row_starts(grid, 0, words).is_some() {
        grid.drop_row(true);
    }
    while grid.rows() > 2 && row_starts(grid, 0, words).is_some_and(|text| text.starts_with("TABLE ")) {
        grid.drop_row(true);
    }
    while grid.rows() > 2 && row_starts(grid, grid.rows() - 1, words).is_some_and(|t| t.starts_with("NOTE")) {
        grid.drop_row(false);
    }
}

/// The beginning of a row's text, in capitals, when the row is one cell or reads across its cells.
fn row_starts(grid: &Grid, row: usize, words: &[Word]) -> Option<String> {
    let (top, bottom) = (*grid.ys.get(row)?, *grid.ys.get(row + 1)?);
    let [left, _, right, _] = grid.bounds();
    let mut inside: Vec<&Word> = words
        .iter()
        .filter(|w| {
            let (x, y) = middle(w);
            x >= left && x < right && y >= top && y < bottom
        })
        .collect();
    inside.sort_by(|a, b| a.y.total_cmp(&b.y).then(a.x0.total_cmp(&b.x0)));
    let columns = grid.columns();
    let owners = grid.owner.get(row * columns..(row + 1) * columns)?;
    let filled = inside.iter().filter_map(|w| grid.cell_at(middle(w).0, middle(w).1));
    let mut filled: Vec<usize> = filled.collect();
    filled.sort_unstable();
    filled.dedup();
    let first = inside.iter().take(3).map(|w| w.text.to_uppercase()).collect::<Vec<_>>().join(" ");
    // A long caption may reach over several columns.
    let caption = row == 0 && first.get(6..7).is_some_and(|c| c.chars().all(|c| c.is_ascii_alphanumeric()));
    (caption || filled.len() <= 1 || owners.len() <= 1).then_some(first)
}
