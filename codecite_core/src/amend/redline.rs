//! What changed between two texts, word by word.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

/// After this long a coarser difference is as good as the best one.
const TIME: Duration = Duration::from_millis(300);
/// Texts with a smaller share of words in common are different texts: how similar they are is not worth the time.
const WORTH: f64 = 0.4;

/// The new text with what was taken out as `[-…-]` and what was put in as `{+…+}`, by words. White space alone is no change.
///
/// ```
/// # use codecite_core::amend::redline;
/// assert_eq!(redline("within 25 days after", "within 35 days after"), "within [-25-] {+35+} days after");
/// assert_eq!(redline("1. Sheds.\n2. Barns.", "1. Sheds."), "1. Sheds.\n[-2. Barns.-]");
/// ```
pub fn redline(old: &str, new: &str) -> String {
    let (old_pieces, new_pieces) = (pieces(old), pieces(new));
    let (old_words, new_words): (Vec<&str>, Vec<&str>) = (words(&old_pieces), words(&new_pieces));
    let ops =
        capture_diff_slices_deadline(Algorithm::Myers, &old_words, &new_words, Some(Instant::now() + TIME));
    let mut out = String::with_capacity(new.len() + 64);
    for op in ops {
        match op {
            DiffOp::Equal { new_index, len, .. } => push(&mut out, &new_pieces, new_index, len, ("", "")),
            DiffOp::Delete { old_index, old_len, .. } => {
                // What is taken out at the end stands behind the white space that was before it.
                if !out.ends_with(char::is_whitespace) && !out.is_empty() {
                    let before = old_index
                        .checked_sub(1)
                        .and_then(|at| old_pieces.get(at))
                        .copied()
                        .unwrap_or_default();
                    out.push_str(before.get(before.trim_end().len()..).unwrap_or_default());
                }
                push(&mut out, &old_pieces, old_index, old_len, ("[-", "-]"));
            }
            DiffOp::Insert { new_index, new_len, .. } => {
                push(&mut out, &new_pieces, new_index, new_len, ("{+", "+}"))
            }
            DiffOp::Replace { old_index, old_len, new_index, new_len } => {
                push(&mut out, &old_pieces, old_index, old_len, ("[-", "-]"));
                if !out.ends_with(char::is_whitespace) {
                    out.push(' ');
                }
                push(&mut out, &new_pieces, new_index, new_len, ("{+", "+}"));
            }
        }
    }
    out
}

/// How much of two texts is the same, from 0 to 1: twice the words in common by their words together.
pub fn similarity(old: &str, new: &str) -> f64 {
    let (old_pieces, new_pieces) = (pieces(old), pieces(new));
    let (old_words, new_words): (Vec<&str>, Vec<&str>) = (words(&old_pieces), words(&new_pieces));
    let all = old_words.len() + new_words.len();
    if all == 0 {
        return 1.0;
    }
    let most = common(&old_words, &new_words);
    if most < WORTH {
        return most;
    }
    let deadline = Some(Instant::now() + TIME);
    let ops = capture_diff_slices_deadline(Algorithm::Myers, &old_words, &new_words, deadline);
    let same: usize = ops.iter().map(|op| if let DiffOp::Equal { len, .. } = op { *len } else { 0 }).sum();
    2.0 * same as f64 / all as f64
}

/// The words that two texts have in common in any order, as a share: their similarity is at most that.
fn common(old: &[&str], new: &[&str]) -> f64 {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for word in old {
        *counts.entry(word).or_default() += 1;
    }
    let in_both = new.iter().filter(|word| match counts.get_mut(**word) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    });
    2.0 * in_both.count() as f64 / (old.len() + new.len()).max(1) as f64
}

/// Words with the white space behind them.
fn pieces(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut blank = false;
    for (at, c) in text.char_indices() {
        if blank && !c.is_whitespace() {
            found.push(text.get(start..at).unwrap_or_default());
            start = at;
        }
        blank = c.is_whitespace();
    }
    if start < text.len() {
        found.push(text.get(start..).unwrap_or_default());
    }
    found
}

fn words<'t>(pieces: &[&'t str]) -> Vec<&'t str> {
    pieces.iter().map(|piece| piece.trim()).collect()
}

/// Some pieces between marks; the white space behind the last one stays outside.
fn push(out: &mut String, pieces: &[&str], from: usize, count: usize, (open, close): (&str, &str)) {
    let text = pieces.get(from..from + count).unwrap_or_default().concat();
    let words = text.trim_end();
    out.push_str(open);
    out.push_str(words);
    out.push_str(close);
    out.push_str(text.get(words.len()..).unwrap_or_default());
}
