//! The lines of a ruled table: which rules belong together, where they cross, which cells they make.

use super::geometry::Rule;
use super::words::Word;

/// Rules closer than this are the same rule.
const SNAP: f32 = 2.0;
/// Gaps that a drawn line may have where cells meet.
const GAP: f32 = 3.5;
const MIN_LENGTH: f32 = 6.0;
/// More rules than this on one page are a drawing.
const MAX_RULES: usize = 3_000;
const MAX_CELLS: usize = 20_000;

/// A straight line: where it stands, and from where to where it runs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stroke {
    pub at: f32,
    pub from: f32,
    pub to: f32,
}

/// One table's lines.
#[derive(Debug, Clone, Default)]
pub(super) struct Grid {
    /// Left edges of the columns, and the right edge of the last.
    pub xs: Vec<f32>,
    /// Top edges of the rows, and the bottom of the last.
    pub ys: Vec<f32>,
    /// For each base cell, row by row, the cell that it belongs to.
    pub owner: Vec<usize>,
    /// From here to its first row stands its caption.
    pub above: Option<f32>,
    /// From its last row to here stand its notes.
    pub below: Option<f32>,
}

/// What notes under a table begin with: the word, or a raised mark.
pub(super) fn is_note(first: &Word, second: Option<&Word>) -> bool {
    let named = first.text.to_uppercase().starts_with("NOTE");
    let raised = second.is_some_and(|next| {
        first.text.chars().count() <= 3
            && (first.y - next.y).abs() < 0.3 * next.size
            && (first.size < 0.8 * next.size || next.y - first.base > 0.15 * next.size)
    });
    let mark = matches!(first.text.as_str(), "*" | "†" | "‡" | "+");
    named || raised || mark
}

impl Grid {
    pub fn columns(&self) -> usize {
        self.xs.len().saturating_sub(1)
    }

    pub fn rows(&self) -> usize {
        self.ys.len().saturating_sub(1)
    }

    /// The base cell at a point.
    pub fn cell_at(&self, x: f32, y: f32) -> Option<usize> {
        let column = position(&self.xs, x)?;
        let row = position(&self.ys, y)?;
        self.owner.get(row * self.columns() + column).copied()
    }

    /// Leaves out the first row or the last.
    pub fn drop_row(&mut self, first: bool) {
        let columns = self.columns();
        if first && !self.ys.is_empty() {
            self.above = self.above.or(self.ys.first().copied());
            self.ys.remove(0);
            self.owner.drain(..columns.min(self.owner.len()));
        } else {
            let bottom = self.ys.pop();
            self.below = self.below.or(bottom);
            self.owner.truncate(self.owner.len().saturating_sub(columns));
        }
    }

    /// Left, top, right, bottom.
    pub fn bounds(&self) -> [f32; 4] {
        let edge = |levels: &[f32], last: bool| {
            (if last { levels.last() } else { levels.first() }).copied().unwrap_or(0.0)
        };
        [edge(&self.xs, false), edge(&self.ys, false), edge(&self.xs, true), edge(&self.ys, true)]
    }
}

fn position(levels: &[f32], value: f32) -> Option<usize> {
    levels.windows(2).position(|pair| matches!(pair, [a, b] if *a <= value && value < *b))
}

/// The grids on a page.
pub(super) fn grids(rules: &[Rule]) -> Vec<Grid> {
    if rules.len() > MAX_RULES {
        return Vec::new();
    }
    let (flat, upright): (Vec<&Rule>, Vec<&Rule>) = rules.iter().partition(|r| r.is_horizontal());
    let flat = merge(flat.iter().map(|r| Stroke { at: r.y0, from: r.x0, to: r.x1 }).collect());
    let upright = merge(upright.iter().map(|r| Stroke { at: r.x0, from: r.y0, to: r.y1 }).collect());
    groups(&flat, &upright).into_iter().filter_map(|(h, v)| grid(&h, &v)).collect()
}

/// The level lines of a page, pieces that touch joined.
pub(super) fn level_rules(rules: &[Rule]) -> Vec<Rule> {
    let flat = rules.iter().filter(|r| r.is_horizontal());
    let strokes = merge(flat.map(|r| Stroke { at: r.y0, from: r.x0, to: r.x1 }).collect());
    strokes.iter().map(|s| Rule { x0: s.from, y0: s.at, x1: s.to, y1: s.at, edge: false }).collect()
}

/// Joins strokes that lie on one line and touch.
fn merge(mut strokes: Vec<Stroke>) -> Vec<Stroke> {
    strokes.sort_by(|a, b| a.at.total_cmp(&b.at));
    let mut out: Vec<Stroke> = Vec::new();
    let mut level: Vec<Stroke> = Vec::new();
    let mut flush = |level: &mut Vec<Stroke>| {
        level.sort_by(|a, b| a.from.total_cmp(&b.from));
        let start = out.len();
        for stroke in level.drain(..) {
            match out.get_mut(start..).and_then(<[Stroke]>::last_mut) {
                Some(last) if stroke.from - last.to <= GAP => last.to = last.to.max(stroke.to),
                _ => out.push(stroke),
            }
        }
    };
    for stroke in strokes {
        if level.first().is_some_and(|first| stroke.at - first.at > SNAP) {
            flush(&mut level);
        }
        level.push(stroke);
    }
    flush(&mut level);
    out.retain(|s| s.to - s.from >= MIN_LENGTH);
    out
}

/// Strokes that hang together by crossing.
fn groups(flat: &[Stroke], upright: &[Stroke]) -> Vec<(Vec<Stroke>, Vec<Stroke>)> {
    let mut sets = Sets { parent: (0..flat.len() + upright.len()).collect() };
    for (i, h) in flat.iter().enumerate() {
        for (j, v) in upright.iter().enumerate() {
            let cross =
                v.at >= h.from - GAP && v.at <= h.to + GAP && h.at >= v.from - GAP && h.at <= v.to + GAP;
            if cross {
                sets.join(i, flat.len() + j);
            }
        }
    }
    let mut out: Vec<(usize, Vec<Stroke>, Vec<Stroke>)> = Vec::new();
    for (index, stroke) in flat.iter().chain(upright).enumerate() {
        let root = sets.root(index);
        let place = match out.iter().position(|(known, ..)| *known == root) {
            Some(place) => place,
            None => {
                out.push((root, Vec::new(), Vec::new()));
                out.len() - 1
            }
        };
        if let Some((_, h, v)) = out.get_mut(place) {
            (if index < flat.len() { h } else { v }).push(*stroke);
        }
    }
    out.into_iter().map(|(_, h, v)| (h, v)).filter(|(h, v)| h.len() >= 2 && !v.is_empty()).collect()
}

struct Sets {
    parent: Vec<usize>,
}

impl Sets {
    fn root(&mut self, mut index: usize) -> usize {
        while let Some(&parent) = self.parent.get(index) {
            if parent == index {
                break;
            }
            let above = self.parent.get(parent).copied().unwrap_or(parent);
            if let Some(slot) = self.parent.get_mut(index) {
                *slot = above;
            }
            index = above;
        }
        index
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        if let Some(slot) = self.parent.get_mut(a) {
            *slot = b;
        }
    }
}

fn levels(values: impl Iterator<Item = f32>) -> Vec<f32> {
    let mut values: Vec<f32> = values.collect();
    values.sort_by(f32::total_cmp);
    let mut out: Vec<f32> = Vec::new();
    for value in values {
        if out.last().is_none_or(|last| value - last > SNAP * 2.0) {
            out.push(value);
        }
    }
    out
}

fn grid(flat: &[Stroke], upright: &[Stroke]) -> Option<Grid> {
    let mut xs = levels(upright.iter().map(|s| s.at));
    let ys = levels(flat.iter().map(|s| s.at));
    // A table may be open at its sides: its rules then reach beyond its outer columns.
    let from = flat.iter().map(|s| s.from).fold(f32::MAX, f32::min);
    let to = flat.iter().map(|s| s.to).fold(f32::MIN, f32::max);
    if xs.first().is_some_and(|x| from < x - 15.0) {
        xs.insert(0, from);
    }
    if xs.last().is_some_and(|x| to > x + 15.0) {
        xs.push(to);
    }
    let (columns, rows) = (xs.len().checked_sub(1)?, ys.len().checked_sub(1)?);
    if columns < 2 || rows < 2 || columns * rows > MAX_CELLS {
        return None;
    }
    let mut grid = Grid { xs, ys, ..Grid::default() };
    let mut sets = Sets { parent: (0..columns * rows).collect() };
    let span = |levels: &[f32], i: usize| Some((*levels.get(i)?, *levels.get(i + 1)?));
    for row in 0..rows {
        for column in 0..columns {
            let cell = row * columns + column;
            let ((top, bottom), (left, right)) = (span(&grid.ys, row)?, span(&grid.xs, column)?);
            if column + 1 < columns && !covered(upright, right, top, bottom) {
                sets.join(cell, cell + 1);
            }
            if row + 1 < rows && !covered(flat, bottom, left, right) {
                sets.join(cell, cell + columns);
            }
        }
    }
    grid.owner = (0..columns * rows).map(|cell| sets.root(cell)).collect();
    Some(grid)
}

/// Some stroke at this level covers most of the stretch.
fn covered(strokes: &[Stroke], at: f32, from: f32, to: f32) -> bool {
    let near = strokes.iter().filter(|s| (s.at - at).abs() <= SNAP * 2.0);
    near.map(|s| (s.to.min(to) - s.from.max(from)).max(0.0)).sum::<f32>() >= 0.6 * (to - from)
}
