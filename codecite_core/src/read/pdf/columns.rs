//! Reading order: one column or more, decided by a vote of the rows.

use super::geometry::Rule;
use super::lines::{Line, SAME_ROW, lines, rows_of};
use super::page::Page;
use super::sentence::is_terminal;
use super::table::placeholder;
use super::words::{PageWords, Word};

/// Depth of columns within columns.
const MAX_DEPTH: usize = 4;
const MIN_ROWS: usize = 4;
/// Gaps of pages closer than this are the same, in points.
const SAME_GUTTER: f32 = 6.0;

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

/// Cuts a page into regions, in reading order. `gutter` is between its columns, if it has some.
pub(super) fn regions(page: &PageWords, gutter: Option<f32>) -> Vec<Region> {
    let shapes = Shapes::of(page);
    let mut out = Vec::new();
    split_at(&shapes, &page.words, gutter, 0, &mut out);
    out
}

/// Where each page has the gap between its columns. A page with a few rows of text under a wide table has them where the
/// other pages do.
pub(super) fn gutters(pages: &mut [Page]) -> Vec<Option<f32>> {
    let rows = |page: &PageWords| voting(&Shapes::of(page), &page.words);
    let own: Vec<Option<f32>> = pages.iter_mut().map(|page| page.look(|page| gutter(&rows(page)))).collect();
    let found: Vec<f32> = own.iter().copied().flatten().collect();
    let near = |x: f32| found.iter().filter(|other| (*other - x).abs() < SAME_GUTTER).count();
    let usual = found.iter().copied().max_by_key(|x| near(*x));
    let Some(usual) = usual.filter(|x| near(*x) >= MIN_ROWS && near(*x) * 2 >= pages.len()) else {
        return own;
    };
    let pages = own.into_iter().zip(pages);
    pages
        .map(|(own, page)| own.or_else(|| page.look(|page| follows(&rows(page), usual)).then_some(usual)))
        .collect()
}

/// Some rows have text on both sides of the gap, in the width of columns; one is enough where none runs across.
fn follows(rows: &[Vec<Stretch>], x: f32) -> bool {
    let left = rows.iter().flatten().map(|s| s.x0).fold(f32::MAX, f32::min);
    let right = rows.iter().flatten().map(|s| s.x1).fold(f32::MIN, f32::max);
    let parted = rows.iter().filter(|row| {
        let side =
            |within: &dyn Fn(&&Stretch) -> bool| row.iter().filter(within).map(|s| s.x1 - s.x0).sum::<f32>();
        let crossing = row.iter().any(|s| s.x0 < x && s.x1 > x);
        !crossing && side(&|s| s.x1 <= x) > 0.5 * (x - left) && side(&|s| s.x0 >= x) > 0.3 * (right - x)
    });
    let across = rows.iter().any(|row| row.iter().any(|s| s.x0 < x && s.x1 > x));
    parted.count() >= if across { 2 } else { 1 }
}

/// What is on a page besides words.
struct Shapes<'p> {
    page: u32,
    rules: Vec<&'p Rule>,
    /// Left, top, right, bottom of each float, by its number.
    floats: &'p [[f32; 4]],
}

impl<'p> Shapes<'p> {
    fn of(page: &'p PageWords) -> Self {
        let rules = page.rules.iter().filter(|rule| rule.is_horizontal()).collect();
        Shapes { page: page.number, rules, floats: &page.floats }
    }
}

fn split(shapes: &Shapes<'_>, words: &[Word], depth: usize, out: &mut Vec<Region>) {
    // Columns need not share baselines: for the vote, lines at about the same height are one row.
    let gutter = if depth < MAX_DEPTH { gutter(&voting(shapes, words)) } else { None };
    split_at(shapes, words, gutter, depth, out);
}

fn split_at(shapes: &Shapes<'_>, words: &[Word], gutter: Option<f32>, depth: usize, out: &mut Vec<Region>) {
    if words.is_empty() {
        return;
    }
    let page = shapes.page;
    let Some(x) = gutter else {
        out.push(region(page, words, depth == 0));
        return;
    };
    let rows = rows_of(words.iter().collect(), SAME_ROW, |word| word);
    for (full, zone) in zones(rows, x, &cuts(words, &shapes.rules, x)) {
        if full {
            out.push(region(page, &zone, depth == 0));
            continue;
        }
        let (mut left, mut right): (Vec<Word>, Vec<Word>) =
            zone.into_iter().partition(|w| (w.x0 + w.x1) / 2.0 < x);
        for float in hoisted(page, &mut left, &mut right).into_iter().flatten() {
            out.push(region(page, &[float], false));
        }
        split(shapes, &left, depth + 1, out);
        split(shapes, &right, depth + 1, out);
    }
}

/// Floats at the top of the right column go before a left column that ends in the middle of something: its
/// text goes on below them.
fn hoisted(page: u32, left: &mut Vec<Word>, right: &mut Vec<Word>) -> Option<Vec<Word>> {
    let is_text = |word: &&Word| placeholder(word).is_none();
    let last = lines(page, left).into_iter().rev().find(|l| l.words.iter().all(|w| is_text(&w)))?;
    let text = last.text();
    if is_terminal(text) && !text.ends_with([':', ';']) {
        return None;
    }
    let top = |words: &[Word]| words.iter().filter(is_text).map(|w| w.y - w.size).fold(f32::MAX, f32::min);
    let take = |words: &mut Vec<Word>| {
        let top = top(words);
        let (mut floats, rest): (Vec<Word>, Vec<Word>) =
            words.drain(..).partition(|w| placeholder(w).is_some() && w.y < top);
        *words = rest;
        floats.sort_by(|a, b| a.y.total_cmp(&b.y));
        floats
    };
    let second = take(right);
    if second.is_empty() {
        return None;
    }
    let mut floats = take(left);
    floats.extend(second);
    Some(floats)
}

/// Heights at which a rule runs across both columns: what stands below it comes after what stands above.
fn cuts(words: &[Word], rules: &[&Rule], x: f32) -> Vec<f32> {
    let left = words.iter().map(|w| w.x0).fold(f32::MAX, f32::min);
    let right = words.iter().map(|w| w.x1).fold(f32::MIN, f32::max);
    let across = |r: &&&Rule| r.x0 <= left + 0.4 * (x - left) && r.x1 >= right - 0.4 * (right - x);
    let mut out: Vec<f32> = rules.iter().filter(across).map(|r| r.y0).collect();
    out.sort_by(f32::total_cmp);
    out
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

fn stretches(row: &[&Word]) -> Vec<Stretch> {
    let mut sorted = row.to_vec();
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

/// The rows as far as they matter for columns: a float beside a row is text beside it.
fn voting(shapes: &Shapes<'_>, words: &[Word]) -> Vec<Vec<Stretch>> {
    let here: Vec<&[f32; 4]> =
        words.iter().filter_map(placeholder).filter_map(|index| shapes.floats.get(index)).collect();
    let rows = rows_of(words.iter().collect(), 0.75, |word| word).into_iter().map(|row| {
        let y = row.first().map_or(0.0, |w| w.y);
        let mut out = voting_stretches(&row);
        for [left, top, right, bottom] in &here {
            if *top < y && y < *bottom && !out.iter().any(|s| s.x0 < *right && s.x1 > *left) {
                out.push(Stretch { x0: *left, x1: *right });
            }
        }
        out.sort_by(|a, b| a.x0.total_cmp(&b.x0));
        out
    });
    rows.collect()
}

/// The stretches of a row, where a hanging number goes with the text after it and a page number at the end of a
/// contents line with the text before it.
fn voting_stretches(row: &[&Word]) -> Vec<Stretch> {
    let mut out: Vec<Stretch> = Vec::new();
    let mut hangs = false;
    for stretch in stretches(row) {
        let within = |w: &&&Word| w.x0 >= stretch.x0 - 0.1 && w.x1 <= stretch.x1 + 0.1;
        let mut words = row.iter().filter(within).map(|w| w.text.as_str());
        let only = words.next().filter(|_| words.next().is_none());
        let number = only.is_some_and(|t| t.len() <= 4 && t.chars().all(|c| c.is_ascii_digit()));
        match out.last_mut() {
            Some(last) if hangs || number => last.x1 = stretch.x1,
            _ => out.push(stretch),
        }
        hangs = only.is_some_and(|t| t.len() <= 4 && t.ends_with(['.', ')', '•', '–']));
    }
    out
}

/// Where the rows agree that there is a gap with text on both sides.
fn gutter(stretched: &[Vec<Stretch>]) -> Option<f32> {
    let rows = stretched;
    let left = stretched.iter().flatten().map(|s| s.x0).fold(f32::MAX, f32::min);
    let right = stretched.iter().flatten().map(|s| s.x1).fold(f32::MIN, f32::max);
    let width = right - left;
    let mut edges: Vec<(f32, i32)> = Vec::new();
    for row in stretched {
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
    wide_enough(stretched, x, width).then_some(x)
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
fn zones(rows: Vec<Vec<&Word>>, x: f32, cuts: &[f32]) -> Vec<(bool, Vec<Word>)> {
    let mut out: Vec<(bool, bool, Vec<Word>)> = Vec::new();
    // For each zone, whether a rule parts it from the one before.
    let mut parted: Vec<bool> = Vec::new();
    let mut above = f32::MIN;
    for row in rows {
        let y = row.first().map_or(above, |w| w.y);
        let cut = cuts.partition_point(|c| *c <= above) < cuts.partition_point(|c| *c <= y);
        above = y;
        let full = stretches(&row).iter().any(|s| s.x0 < x && s.x1 > x);
        let sided = !full && row.iter().any(|w| w.x1 <= x) && row.iter().any(|w| w.x0 >= x);
        match out.last_mut() {
            Some((last, any, words)) if *last == full && !cut => {
                *any |= sided;
                words.extend(row.into_iter().cloned());
            }
            _ => {
                out.push((full, sided, row.into_iter().cloned().collect()));
                parted.push(cut);
            }
        }
    }
    let mut merged: Vec<(bool, Vec<Word>)> = Vec::new();
    for ((full, sided, words), parted) in out.into_iter().zip(parted) {
        // Text on one side only, between full lines, is a short line of theirs.
        let one_sided = !full && !sided && words.iter().all(|w| w.x1 <= x);
        let full = full || one_sided && !parted && merged.last().is_some_and(|(f, _)| *f);
        match merged.last_mut() {
            Some((last, all)) if *last && full => all.extend(words),
            _ => merged.push((full, words)),
        }
    }
    merged
}
