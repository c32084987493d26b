//! Tables without upright lines: each column has its own stretch of rule under each row, with a gutter between.

use super::geometry::Rule;
use super::grid::Grid;
use super::words::Word;

/// Shorter pieces join two columns' rules across the gutter.
const MIN_LENGTH: f32 = 20.0;
const MAX_GUTTER: f32 = 18.0;
/// Ends of rules that agree.
const SNAP: f32 = 3.0;
/// The frame around a table may stand out this far beyond its columns.
const FRAME: f32 = 9.0;
/// A heading row is at most this tall.
const MAX_HEAD: f32 = 120.0;
/// Rows taller than this are not one table.
const MAX_ROW: f32 = 260.0;
const MAX_RULES: usize = 2_000;

type Stretch = (f32, f32);

/// One height at which rules stand.
#[derive(Debug, Clone)]
struct Level {
    y: f32,
    stretches: Vec<Stretch>,
}

/// The grids that rules in stretches make.
pub(super) fn grids(rules: &[Rule], words: &[Word]) -> Vec<Grid> {
    if rules.len() > MAX_RULES {
        return Vec::new();
    }
    let levels = levels(rules);
    let mut out: Vec<Grid> = Vec::new();
    let mut at = 0;
    while let Some(level) = levels.get(at) {
        let columns = columns_of(level);
        if columns.len() < 2 {
            at += 1;
            continue;
        }
        let columns = widest(&levels, at, columns);
        let first = reach_up(&levels, at, &columns);
        let mut last = at;
        while let Some(next) = levels.get(last + 1) {
            let above = levels.get(last).map_or(0.0, |l| l.y);
            if next.y - above > MAX_ROW || !fits(next, &columns) {
                break;
            }
            last += 1;
        }
        let ys: Vec<f32> = levels.get(first..=last).unwrap_or_default().iter().map(|l| l.y).collect();
        out.extend(build(&columns, ys, words));
        at = last + 1;
    }
    out
}

fn levels(rules: &[Rule]) -> Vec<Level> {
    let mut flat: Vec<&Rule> = rules
        .iter()
        .filter(|r| r.is_horizontal() && r.y1 - r.y0 < 1.0 && r.x1 - r.x0 >= MIN_LENGTH)
        .collect();
    flat.sort_by(|a, b| a.y0.total_cmp(&b.y0));
    let mut out: Vec<Level> = Vec::new();
    for rule in flat {
        match out.last_mut() {
            Some(level) if rule.y0 - level.y < 1.5 => level.stretches.push((rule.x0, rule.x1)),
            _ => out.push(Level { y: rule.y0, stretches: vec![(rule.x0, rule.x1)] }),
        }
    }
    for level in &mut out {
        level.stretches.sort_by(|a, b| a.0.total_cmp(&b.0));
        level.stretches.dedup_by(|a, b| (a.0 - b.0).abs() < SNAP && (a.1 - b.1).abs() < SNAP);
    }
    out
}

/// The longest run of stretches that follow each other with gutters between.
fn columns_of(level: &Level) -> Vec<Stretch> {
    let mut best: Vec<Stretch> = Vec::new();
    let mut run: Vec<Stretch> = Vec::new();
    for stretch in &level.stretches {
        let follows = run.last().is_some_and(|last| (1.5..=MAX_GUTTER).contains(&(stretch.0 - last.1)));
        if !follows {
            run.clear();
        }
        run.push(*stretch);
        if run.len() > best.len() {
            best.clone_from(&run);
        }
    }
    best
}

/// A heading may span columns that the rows below tell apart.
fn widest(levels: &[Level], from: usize, mut columns: Vec<Stretch>) -> Vec<Stretch> {
    for level in levels.get(from..).unwrap_or_default().iter().take(12) {
        let finer = columns_of(level);
        let same_width = |a: Option<&Stretch>, b: Option<&Stretch>, end: fn(&Stretch) -> f32| matches!((a, b), (Some(a), Some(b)) if (end(a) - end(b)).abs() < SNAP);
        if finer.len() > columns.len()
            && same_width(finer.first(), columns.first(), |s| s.0)
            && same_width(finer.last(), columns.last(), |s| s.1)
        {
            columns = finer;
        }
    }
    columns
}

/// The rule above belongs to the table when it spans it.
fn reach_up(levels: &[Level], at: usize, columns: &[Stretch]) -> usize {
    let mut first = at;
    while let Some(above) = first.checked_sub(1).and_then(|i| levels.get(i)) {
        let below = levels.get(first).map_or(0.0, |l| l.y);
        if below - above.y > MAX_HEAD || !fits(above, columns) {
            break;
        }
        first -= 1;
    }
    first
}

/// All its stretches begin and end where columns do.
fn fits(level: &Level, columns: &[Stretch]) -> bool {
    let (Some(left), Some(right)) = (columns.first().map(|c| c.0), columns.last().map(|c| c.1)) else {
        return false;
    };
    let starts =
        |x: f32| columns.iter().any(|c| (c.0 - x).abs() < SNAP) || (0.0..FRAME).contains(&(left - x));
    let ends = |x: f32| columns.iter().any(|c| (c.1 - x).abs() < SNAP) || (0.0..FRAME).contains(&(x - right));
    !level.stretches.is_empty() && level.stretches.iter().all(|s| starts(s.0) && ends(s.1))
}

fn build(columns: &[Stretch], mut ys: Vec<f32>, words: &[Word]) -> Option<Grid> {
    let (left, right) = (columns.first()?.0 - FRAME, columns.last()?.1 + FRAME);
    let bottom = ys.last().copied();
    cut_notes(&mut ys, left, right, words);
    let below = bottom.filter(|bottom| ys.last() != Some(bottom));
    let mut xs = vec![left];
    xs.extend(columns.windows(2).filter_map(|pair| match pair {
        [a, b] => Some((a.1 + b.0) / 2.0),
        _ => None,
    }));
    xs.push(right);
    let (width, rows) = (columns.len(), ys.len().checked_sub(1)?);
    if rows < 2 {
        return None;
    }
    let mut owner: Vec<usize> = (0..width * rows).collect();
    // Words that cross a gutter are of a cell that spans it.
    for (row, pair) in ys.windows(2).enumerate() {
        let [top, bottom] = pair else { continue };
        for (column, x) in xs.iter().enumerate().skip(1).take(width - 1) {
            let inside = |w: &&Word| w.y > *top && w.y <= *bottom + 1.0;
            if words.iter().filter(inside).any(|w| w.x0 < x - 2.0 && w.x1 > x + 2.0) {
                let cell = row * width + column;
                let joined = owner.get(cell - 1).copied()?;
                *owner.get_mut(cell)? = joined;
            }
        }
    }
    Some(Grid { xs, ys, owner, above: None, below })
}

/// Notes below the rows are text, not cells.
fn cut_notes(ys: &mut Vec<f32>, left: f32, right: f32, words: &[Word]) {
    while let [.., top, bottom] = ys.as_slice() {
        let first = words
            .iter()
            .filter(|w| w.y > *top && w.y <= *bottom && w.x0 >= left && w.x1 <= right)
            .min_by(|a, b| a.y.total_cmp(&b.y).then(a.x0.total_cmp(&b.x0)));
        if !first.is_some_and(|w| w.text.to_uppercase().starts_with("NOTE")) {
            break;
        }
        ys.pop();
    }
}
