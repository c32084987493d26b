//! Words that a rule strikes or underlines.

use super::geometry::Rule;
use super::words::{PageWords, Word};

/// Larger type than this is not struck.
const MAX_SIZE: f32 = 72.0;

/// Marks words that a thin rule strikes or underlines. A rule that reaches well beyond the words it touches
/// is a table's or a separator, not an emphasis.
pub(super) fn mark_rules(page: &mut PageWords) {
    let rules: Vec<Rule> = page.rules.iter().filter(|r| !r.edge && r.is_horizontal()).copied().collect();
    let mut order: Vec<usize> = (0..page.words.len()).collect();
    let y_of = |index: &usize| page.words.get(*index).map_or(0.0, |word| word.y);
    order.sort_by(|a, b| y_of(a).total_cmp(&y_of(b)));
    let ys: Vec<f32> = order.iter().map(y_of).collect();
    for rule in rules {
        let from = ys.partition_point(|y| *y < rule.y0 - 0.25 * MAX_SIZE);
        let to = ys.partition_point(|y| *y <= rule.y0 + 0.5 * MAX_SIZE);
        let near = order.get(from..to).unwrap_or_default();
        let place = |word: &Word| {
            let overlap = word.x1.min(rule.x1) - word.x0.max(rule.x0);
            let above = (word.y - rule.y0) / word.size.max(1.0);
            let mark = match above {
                0.15..=0.5 => Some(true),
                -0.25..=0.08 => Some(false),
                _ => None,
            };
            mark.filter(|_| overlap >= 0.6 * (word.x1 - word.x0))
        };
        let is_touched = |index: &&usize| page.words.get(**index).is_some_and(|w| place(w).is_some());
        let touched: Vec<usize> = near.iter().filter(is_touched).copied().collect();
        let words = touched.iter().filter_map(|i| page.words.get(*i));
        let (x0, x1) = words.fold((f32::MAX, f32::MIN), |(a, b), w| (a.min(w.x0), b.max(w.x1)));
        let slack = 4.0;
        if touched.is_empty() || rule.x0 < x0 - slack || rule.x1 > x1 + slack {
            continue;
        }
        for index in touched {
            let Some(word) = page.words.get_mut(index) else {
                continue;
            };
            match place(word) {
                Some(true) => word.style.struck = true,
                Some(false) => word.style.underlined = true,
                None => {}
            }
        }
    }
}
