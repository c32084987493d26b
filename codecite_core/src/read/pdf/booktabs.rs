//! Tables with a caption and rules over their whole width only: columns follow from the white space between
//! the words, rows from the rules, and from the baselines where no rule stands between rows.

use super::captions::{Caption, Kind};
use super::geometry::Rule;
use super::grid::{Grid, is_note, level_rules};
use super::lines::rows;
use super::words::Word;

/// Ends of rules that agree.
const SNAP: f32 = 3.0;
const MIN_WIDTH: f32 = 100.0;
/// White space between two columns, in ems.
const GUTTER: f32 = 0.75;
/// Longer cells than this (in ems) are prose, of which each baseline is no row.
const PROSE: f32 = 16.0;
const MAX_RULES: usize = 2_000;
/// Cells of a table that nothing but its rules announces are at most this long, in ems.
const SHORT: f32 = 14.0;
/// Rules on one page that such a table is looked for under.
const MAX_TRIES: usize = 50;

/// A stretch of text without a wide gap.
#[derive(Debug, Clone, Copy)]
struct Stretch {
    x0: f32,
    x1: f32,
}

/// One baseline of the table.
#[derive(Debug, Clone)]
struct Row {
    y: f32,
    size: f32,
    bold: bool,
    stretches: Vec<Stretch>,
}

/// The grid of the table under a caption.
pub(super) fn grid(caption: &Caption, others: &[Caption], rules: &[Rule], words: &[Word]) -> Option<Grid> {
    if caption.kind != Kind::Table || rules.len() > MAX_RULES {
        return None;
    }
    let rules = level_rules(rules);
    let (left, right, levels) = frame(caption, &rules)?;
    let end = others
        .iter()
        .filter(|c| c.y > caption.y + 1.0 && c.x0 < right && c.x1 > left)
        .map(|c| c.y - c.size)
        .fold(f32::MAX, f32::min);
    let levels: Vec<f32> = levels.into_iter().filter(|y| *y <= end + SNAP).collect();
    let inside: Vec<&Word> =
        words.iter().filter(|w| (w.x0 + w.x1) / 2.0 > left && (w.x0 + w.x1) / 2.0 < right).collect();
    let (levels, bottom) = extent(&levels, &inside)?;
    let top = *levels.first()?;
    let levels = before_notes(levels, &inside);
    let foot = *levels.last()?;
    let body: Vec<Word> =
        inside.iter().filter(|w| w.y > top && w.y <= foot + 1.0).map(|w| (*w).clone()).collect();
    let rows: Vec<Row> = rows(&body).iter().map(|row| row_of(row)).collect();
    let xs = columns(&rows, left, right)?;
    let parts = |r: &&Rule| r.is_horizontal() && r.x0 > left - SNAP && r.x1 < right + SNAP;
    let partial: Vec<&Rule> =
        rules.iter().filter(parts).filter(|r| r.x1 - r.x0 >= 0.5 * (right - left)).collect();
    let mut ys = levels.clone();
    ys.extend(partial.iter().map(|r| r.y0).filter(|y| *y > top + SNAP && *y < foot - SNAP));
    ys.sort_by(f32::total_cmp);
    ys.dedup_by(|a, b| (*a - *b).abs() < SNAP);
    let ys = split_rows(&ys, &rows, &xs);
    let mut grid = assemble(xs, ys, &rows);
    join_over_partial(&mut grid, &levels, &partial);
    grid.below = Some(bottom);
    grid.above = Some(caption.y - caption.size);
    Some(grid)
}

/// The grids of tables without a caption: at least three rules of one width, short cells between them.
pub(super) fn uncaptioned(captions: &[Caption], rules: &[Rule], words: &[Word]) -> Vec<Grid> {
    if rules.len() > MAX_RULES {
        return Vec::new();
    }
    let levels = level_rules(rules);
    let mut out: Vec<Grid> = Vec::new();
    let mut tried = 0;
    for (index, rule) in levels.iter().enumerate().filter(|(_, r)| r.x1 - r.x0 >= MIN_WIDTH) {
        let same = |r: &&Rule| (r.x0 - rule.x0).abs() < SNAP && (r.x1 - rule.x1).abs() < SNAP;
        let below = levels.iter().skip(index + 1).filter(same).count();
        let inside = out.iter().any(|grid| {
            let [left, top, right, bottom] = grid.bounds();
            rule.y0 >= top - SNAP && rule.y0 <= bottom + SNAP && rule.x0 < right && rule.x1 > left
        });
        if below < 2 || inside {
            continue;
        }
        tried += 1;
        if tried > MAX_TRIES {
            break;
        }
        // A caption of no height, right above the rule, stands for the one that is missing.
        let top = Caption { kind: Kind::Table, x0: rule.x0, x1: rule.x1, y: rule.y0 - 0.5, size: 1.0 };
        let grid = grid(&top, captions, rules, words);
        out.extend(grid.filter(|grid| is_plain(grid, words)).map(|grid| Grid { above: None, ..grid }));
    }
    out
}

/// Short cells in one size of type: no columns of running text between two rules of a page's.
fn is_plain(grid: &Grid, words: &[Word]) -> bool {
    let [left, top, right, bottom] = grid.bounds();
    let inside = |w: &&Word| w.y > top && w.y <= bottom + 1.0 && w.x0 >= left - 1.0 && w.x1 <= right + 1.0;
    let body: Vec<Word> = words.iter().filter(inside).cloned().collect();
    let rows: Vec<Row> = rows(&body).iter().map(|row| row_of(row)).collect();
    let (small, large) = rows.iter().fold((f32::MAX, 0.0f32), |(a, b), r| (a.min(r.size), b.max(r.size)));
    let short = |row: &Row| row.stretches.iter().all(|s| s.x1 - s.x0 <= SHORT * row.size);
    let several = rows.iter().filter(|row| row.stretches.len() >= 2).count();
    grid.rows() >= 3 && several * 3 >= rows.len() * 2 && large - small < 1.5 && rows.iter().all(short)
}

/// The rule right under the caption, and all levels below it at which a rule of its width stands.
fn frame(caption: &Caption, rules: &[Rule]) -> Option<(f32, f32, Vec<f32>)> {
    let under = |r: &&Rule| {
        let gap = r.y0 - caption.y;
        r.is_horizontal()
            && gap > 0.0
            && gap < 4.5 * caption.size
            && r.x1 - r.x0 >= MIN_WIDTH
            && r.x0 <= caption.x0 + 2.0
            && r.x1 >= caption.x1 - 2.0
    };
    let first = rules.iter().filter(under).min_by(|a, b| a.y0.total_cmp(&b.y0))?;
    let (left, right) = (first.x0, first.x1);
    let same = |r: &&Rule| {
        r.is_horizontal()
            && r.y0 >= first.y0 - 0.5
            && (r.x0 - left).abs() < SNAP
            && (r.x1 - right).abs() < SNAP
    };
    let mut levels: Vec<f32> = rules.iter().filter(same).map(|r| r.y0).collect();
    levels.sort_by(f32::total_cmp);
    levels.dedup_by(|a, b| (*a - *b).abs() < SNAP);
    (levels.len() >= 2).then_some((left, right, levels))
}

/// The levels that belong to the table, and where its notes end: type of another size, an empty band or notes
/// end the rows.
fn extent(levels: &[f32], words: &[&Word]) -> Option<(Vec<f32>, f32)> {
    let first = *levels.first()?;
    let mut out = vec![first];
    let mut bottom = first;
    let mut size = None;
    for pair in levels.windows(2) {
        let [from, to] = pair else { break };
        let mut band: Vec<&&Word> = words.iter().filter(|w| w.y > *from && w.y <= *to + 1.0).collect();
        band.sort_by(|a, b| a.y.total_cmp(&b.y).then(a.x0.total_cmp(&b.x0)));
        let Some(start) = band.first() else { break };
        let largest = band.iter().map(|w| w.size).fold(0.0, f32::max);
        let known = *size.get_or_insert(largest);
        if largest > known + 0.8 {
            break;
        }
        bottom = *to;
        if out.len() > 1 && is_note(start, band.get(1).map(|w| &***w)) {
            break;
        }
        out.push(*to);
    }
    // Notes may also end the last band, without a rule before them.
    (out.len() >= 2).then_some((out, bottom))
}

/// Notes that no rule parts from the rows end them.
fn before_notes(mut levels: Vec<f32>, words: &[&Word]) -> Vec<f32> {
    let (Some(top), Some(foot)) = (levels.first().copied(), levels.last().copied()) else {
        return levels;
    };
    let left = words.iter().filter(|w| w.y > top && w.y <= foot).map(|w| w.x0).fold(f32::MAX, f32::min);
    let first = words
        .iter()
        .filter(|w| {
            w.y > top && w.y <= foot && w.x0 < left + w.size && w.text.to_uppercase().starts_with("NOTE")
        })
        .map(|w| w.y - w.size)
        .fold(f32::MAX, f32::min);
    if first < foot {
        levels.retain(|y| *y < first);
        levels.push(first);
    }
    levels
}

fn row_of(row: &[Word]) -> Row {
    let mut sorted: Vec<&Word> = row.iter().collect();
    sorted.sort_by(|a, b| a.x0.total_cmp(&b.x0));
    let mut stretches: Vec<Stretch> = Vec::new();
    for word in &sorted {
        match stretches.last_mut() {
            Some(last) if word.x0 - last.x1 < GUTTER * word.size => last.x1 = last.x1.max(word.x1),
            _ => stretches.push(Stretch { x0: word.x0, x1: word.x1 }),
        }
    }
    Row {
        y: sorted.iter().map(|w| w.y).fold(f32::MIN, f32::max),
        size: sorted.iter().map(|w| w.size).fold(0.0, f32::max),
        bold: sorted.iter().all(|w| w.style.bold || !w.text.chars().any(char::is_alphanumeric)),
        stretches,
    }
}

/// The middles of the white corridors that (nearly) no row crosses.
fn columns(rows: &[Row], left: f32, right: f32) -> Option<Vec<f32>> {
    let allowed = (rows.len() * 15 / 100) as i32;
    let mut edges: Vec<(f32, i32)> = Vec::new();
    for stretch in rows.iter().flat_map(|row| &row.stretches) {
        edges.push((stretch.x0, 1));
        edges.push((stretch.x1, -1));
    }
    edges.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
    let size = rows.iter().map(|row| row.size).fold(0.0, f32::max);
    let (first, last) = (edges.first()?.0, edges.last()?.0);
    let mut xs = vec![left];
    let (mut open, mut since) = (0, None);
    for (x, step) in edges {
        open += step;
        if open <= allowed {
            since = since.or(Some(x));
        } else if let Some(from) = since.take()
            && from > first
            && x < last
            && x - from >= GUTTER * size * 0.8
        {
            xs.push((from + x) / 2.0);
        }
    }
    xs.push(right);
    // A corridor needs text of its own on both sides.
    let used = |pair: &[f32]| {
        let [a, b] = pair else { return false };
        rows.iter().flat_map(|r| &r.stretches).any(|s| s.x0 >= a - 1.0 && s.x1 <= b + 1.0)
    };
    let mut kept = vec![left];
    for pair in xs.windows(2) {
        if used(pair) {
            kept.extend(pair.last());
        }
    }
    if let Some(end) = kept.last_mut() {
        *end = right;
    }
    (kept.len() >= 3).then_some(kept)
}

/// Adds levels between the baselines of a band that holds several rows.
fn split_rows(levels: &[f32], rows: &[Row], xs: &[f32]) -> Vec<f32> {
    let mut out: Vec<f32> = Vec::new();
    for (index, pair) in levels.windows(2).enumerate() {
        let [from, to] = pair else { continue };
        out.push(*from);
        let band: Vec<&Row> = rows.iter().filter(|r| r.y > *from && r.y <= *to + 1.0).collect();
        // A heading wraps; its lines are no rows.
        if band.iter().all(|r| r.bold) || index == 0 && levels.len() > 2 && !band.iter().any(|r| r.bold) {
            continue;
        }
        out.extend(starts(&band, xs));
    }
    out.extend(levels.last());
    out
}

/// Levels above the baselines that begin a row, but for the first.
fn starts(band: &[&Row], xs: &[f32]) -> Vec<f32> {
    let filled = |row: &Row| {
        let within = |pair: &[f32]| match pair {
            [a, b] => row.stretches.iter().any(|s| (s.x0 + s.x1) / 2.0 >= *a && (s.x0 + s.x1) / 2.0 < *b),
            _ => false,
        };
        xs.windows(2).filter(|pair| within(pair)).count()
    };
    let em = band.iter().map(|r| r.size).fold(0.0, f32::max);
    let long = band.iter().flat_map(|r| &r.stretches).filter(|s| s.x1 - s.x0 > PROSE * em).count();
    let prose = long * 4 > band.len();
    let several = band.iter().filter(|row| filled(row) >= 2).count() >= 2;
    let gaps = band.windows(2).filter_map(|pair| match pair {
        [a, b] => Some(b.y - a.y),
        _ => None,
    });
    let least = gaps.fold(f32::MAX, f32::min);
    let wide_everywhere = least > 1.7 * em;
    let mut out = Vec::new();
    for pair in band.windows(2) {
        let [above, row] = pair else { continue };
        let gap = row.y - above.y;
        let spaced = gap > 1.3 * least || wide_everywhere;
        let begins = if prose { spaced } else { several && (filled(row) >= 2 || spaced) };
        if begins {
            out.push((above.y + row.y - 0.7 * row.size) / 2.0);
        }
    }
    out
}

/// Cells that a stretch of text joins belong together.
fn assemble(xs: Vec<f32>, ys: Vec<f32>, rows: &[Row]) -> Grid {
    let (columns, height) = (xs.len().saturating_sub(1), ys.len().saturating_sub(1));
    let mut owner: Vec<usize> = (0..columns * height).collect();
    for (index, pair) in ys.windows(2).enumerate() {
        let [top, bottom] = pair else { continue };
        let inside = |row: &&Row| row.y - 0.3 * row.size >= *top && row.y - 0.3 * row.size < *bottom;
        for (column, x) in xs.iter().enumerate().skip(1).take(columns.saturating_sub(1)) {
            let crossed = rows
                .iter()
                .filter(inside)
                .any(|row| row.stretches.iter().any(|s| s.x0 < x - 1.0 && s.x1 > x + 1.0));
            let cell = index * columns + column;
            if crossed && let Some(before) = owner.get(cell - 1).copied() {
                owner.iter_mut().skip(cell).take(1).for_each(|slot| *slot = before);
            }
        }
    }
    Grid { xs, ys, owner, ..Grid::default() }
}

/// A rule under some columns only does not cut the others.
fn join_over_partial(grid: &mut Grid, levels: &[f32], partial: &[&Rule]) {
    let columns = grid.columns();
    for (row, y) in grid.ys.clone().iter().enumerate().skip(1).take(grid.rows().saturating_sub(1)) {
        let full = levels.iter().any(|level| (level - y).abs() < SNAP);
        let Some(rule) = partial.iter().find(|r| (r.y0 - y).abs() < SNAP).filter(|_| !full) else {
            continue;
        };
        for (column, pair) in grid.xs.clone().windows(2).enumerate() {
            let [a, b] = pair else { continue };
            if (rule.x1.min(*b) - rule.x0.max(*a)) < 0.3 * (b - a)
                && let Some(above) = grid.owner.get((row - 1) * columns + column).copied()
            {
                grid.owner.iter_mut().skip(row * columns + column).take(1).for_each(|slot| *slot = above);
            }
        }
    }
}
