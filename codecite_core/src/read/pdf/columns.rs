//! Reading order: one column or more, decided by a vote of the rows.

use super::lines::{Line, lines, rows, rows_within};
use super::table::placeholder;
use super::words::Word;

/// Depth of columns within columns.
const MAX_DEPTH: usize = 4;
const MIN_ROWS: usize = 4;

/// Lines of one column, in order.
#[derive(Debug, Default)]
pub(super) struct Region {
    pub lines: Vec<Line>,
    /// The whole width of the page belongs to it.
    pub whole: bool,
}

/// A stretch of a row without a wide gap.
#[derive(Debug, Clone, Copy)]
struct Stretch {
    x0: f32,
    x1: f32,
}

/// Cuts a page into regions, in reading order.
pub(super) fn regions(page: u32, words: &[Word]) -> Vec<Region> {
    let mut out = Vec::new();
    split(page, words, 0, &mut out);
    out
}

fn split(page: u32, words: &[Word], depth: usize, out: &mut Vec<Region>) {
    if words.is_empty() {
        return;
    }
    // Columns need not share baselines: for the vote, lines at about the same height are one row.
    let gutter = if depth < MAX_DEPTH { gutter(&rows_within(words, 0.75)) } else { None };
    let Some(x) = gutter else {
        out.push(region(page, words, depth == 0));
        return;
    };
    for (full, zone) in zones(rows(words), x) {
        if full {
            out.push(region(page, &zone, depth == 0));
            continue;
        }
        let (left, right): (Vec<Word>, Vec<Word>) = zone.into_iter().partition(|w| (w.x0 + w.x1) / 2.0 < x);
        split(page, &left, depth + 1, out);
        split(page, &right, depth + 1, out);
    }
}

fn region(page: u32, words: &[Word], whole: bool) -> Region {
    let mut lines = lines(page, words);
    let text = || lines.iter().filter(|l| l.words.iter().all(|w| placeholder(w).is_none()));
    let left = text().map(|l| l.x0).fold(f32::MAX, f32::min);
    let right = text().map(|l| l.x1).fold(f32::MIN, f32::max);
    for line in &mut lines {
        (line.left, line.right) = (left, right);
    }
    Region { lines, whole }
}

fn stretches(row: &[Word]) -> Vec<Stretch> {
    let mut sorted: Vec<&Word> = row.iter().collect();
    sorted.sort_by(|a, b| a.x0.total_cmp(&b.x0));
    let mut out: Vec<Stretch> = Vec::new();
    for word in sorted {
        match out.last_mut() {
            Some(last) if word.x0 - last.x1 < 0.75 * word.size => last.x1 = last.x1.max(word.x1),
            _ => out.push(Stretch { x0: word.x0, x1: word.x1 }),
        }
    }
    out
}

/// Where the rows agree that there is a gap with text on both sides.
fn gutter(rows: &[Vec<Word>]) -> Option<f32> {
    let stretched: Vec<Vec<Stretch>> = rows.iter().map(|row| stretches(row)).collect();
    let left = stretched.iter().flatten().map(|s| s.x0).fold(f32::MAX, f32::min);
    let right = stretched.iter().flatten().map(|s| s.x1).fold(f32::MIN, f32::max);
    let width = right - left;
    let mut edges: Vec<(f32, i32)> = Vec::new();
    for row in &stretched {
        for pair in row.windows(2) {
            if let [a, b] = pair {
                edges.push((a.x1, 1));
                edges.push((b.x0, -1));
            }
        }
    }
    edges.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
    let (mut open, mut best, mut place) = (0i32, 0i32, None);
    for pair in edges.windows(2) {
        let [(x, step), (next, _)] = pair else { continue };
        open += step;
        let middle = (x + next) / 2.0;
        if open > best && middle > left + 0.18 * width && middle < right - 0.18 * width {
            (best, place) = (open, Some(middle));
        }
    }
    let x = place?;
    let votes = usize::try_from(best).unwrap_or(0);
    if votes < MIN_ROWS || votes * 4 < rows.len() {
        return None;
    }
    wide_enough(&stretched, x, width).then_some(x)
}

/// Both sides have to look like columns of text: hanging numbers or ragged tables do not.
fn wide_enough(rows: &[Vec<Stretch>], x: f32, width: f32) -> bool {
    let (mut sides, mut count) = ([0.0f32; 2], 0usize);
    for row in rows {
        let crossing = row.iter().any(|s| s.x0 < x && s.x1 > x);
        let before: f32 = row.iter().filter(|s| s.x1 <= x).map(|s| s.x1 - s.x0).sum();
        let after: f32 = row.iter().filter(|s| s.x0 >= x).map(|s| s.x1 - s.x0).sum();
        if !crossing && before > 0.0 && after > 0.0 {
            sides = [sides[0] + before, sides[1] + after];
            count += 1;
        }
    }
    let need = 0.18 * width * count as f32;
    count >= MIN_ROWS && sides.iter().all(|sum| *sum >= need)
}

/// Runs of rows that cross the gutter (or stand alone on one side next to such) and runs that do not.
fn zones(rows: Vec<Vec<Word>>, x: f32) -> Vec<(bool, Vec<Word>)> {
    let mut out: Vec<(bool, bool, Vec<Word>)> = Vec::new();
    for row in rows {
        let full = stretches(&row).iter().any(|s| s.x0 < x && s.x1 > x);
        let sided = !full && row.iter().any(|w| w.x1 <= x) && row.iter().any(|w| w.x0 >= x);
        match out.last_mut() {
            Some((last, any, words)) if *last == full => {
                *any |= sided;
                words.extend(row);
            }
            _ => out.push((full, sided, row)),
        }
    }
    let mut merged: Vec<(bool, Vec<Word>)> = Vec::new();
    for (full, sided, words) in out {
        // Text on one side only, between full lines, is a short line of theirs.
        let one_sided = !full && !sided && words.iter().all(|w| w.x1 <= x);
        let full = full || one_sided && merged.last().is_some_and(|(f, _)| *f);
        match merged.last_mut() {
            Some((last, all)) if *last && full => all.extend(words),
            _ => merged.push((full, words)),
        }
    }
    merged
}
