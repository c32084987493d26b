//! Where a quotation stands in a text, word for word, or the place that comes nearest.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;
use std::time::{Duration, Instant};

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

use super::quote::{Piece, Quote};
use super::words::{Word, is_negation, words};
use crate::document::Span;

/// After this long a coarser difference is as good as the best one.
const TIME: Duration = Duration::from_millis(25);
/// Comparisons of words that a search with gaps may take.
const BUDGET: usize = 4_000_000;
/// Words that are compared as a whole.
const LONG: usize = 400;
/// A match of fewer words so far from the rest is chance.
const CHANCE: usize = 3;
/// Words in a row that are looked for.
const GRAM: usize = 3;

/// A text, folded once.
pub(super) struct Body<'t> {
    pub text: &'t str,
    all: Vec<Word>,
    /// Without the marks of list items.
    plain: Vec<Word>,
}

/// The place that comes nearest.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Nearest {
    pub text: String,
    pub redline: String,
    pub similarity: f64,
}

impl<'t> Body<'t> {
    pub fn of(text: &'t str) -> Body<'t> {
        let all = words(text);
        let plain = all.iter().filter(|word| !word.is_marker).copied().collect();
        Body { text, all, plain }
    }

    /// Where the quotation stands, all its pieces in order.
    pub fn find(&self, quote: &Quote<'_>) -> Option<Span> {
        let literal: Vec<Vec<Piece>> =
            quote.literal.iter().map(|group| vec![Piece { words: group.clone(), gap: 0 }]).collect();
        [&literal, &quote.bracketed].into_iter().find_map(|groups| {
            find_groups(&self.plain, groups, true).or_else(|| find_groups(&self.all, groups, false))
        })
    }

    /// The place that comes nearest; `None` when no word of the quotation stands in the text.
    pub fn nearest(&self, quote: &Quote<'_>) -> Option<Nearest> {
        let (mut text, mut redline) = (Vec::new(), Vec::new());
        let (mut same, mut of) = (0, 0);
        for group in quote.groups() {
            let group: Vec<Word> = group.into_iter().filter(|word| !word.is_marker).collect();
            let Some(window) = window(&self.plain, &group) else {
                of += group.len();
                redline.push(format!("{{+{}+}}", shown(quote.text, &group)));
                continue;
            };
            let old = self.plain.get(window).unwrap_or_default();
            let ops = diff(old, &group);
            same += 2 * equal(&ops);
            of += old.len() + group.len();
            text.push(shown(self.text, old));
            redline.push(redlined((self.text, old), (quote.text, &group), &ops));
        }
        let similarity = same as f64 / of.max(1) as f64;
        (same > 0).then(|| Nearest { text: text.join(" … "), redline: redline.join(" … "), similarity })
    }
}

fn ids(words: &[Word]) -> Vec<u64> {
    words.iter().map(|word| word.id).collect()
}

/// Finds groups of pieces one after the other; marks of items are left out on both sides, or on none.
fn find_groups(body: &[Word], groups: &[Vec<Piece>], is_plain: bool) -> Option<Span> {
    if groups.is_empty() {
        return None;
    }
    let body_ids = ids(body);
    let barred: Vec<bool> = body.iter().map(|word| word.is_number || is_negation(word)).collect();
    let mut budget = BUDGET;
    let mut at = 0;
    let mut found: Option<Span> = None;
    for group in groups {
        let pieces: Vec<(usize, Vec<u64>)> = group
            .iter()
            .map(|piece| {
                let kept = piece.words.iter().filter(|word| !(is_plain && word.is_marker));
                (piece.gap, kept.map(|word| word.id).collect())
            })
            .collect();
        if pieces.iter().all(|(_, words)| words.is_empty()) {
            continue;
        }
        let (from, to) = find_pieces((&body_ids, &barred), &pieces, at, &mut budget)?;
        let (first, last) = (body.get(from)?, body.get(to.checked_sub(1)?)?);
        let start = found.map_or(first.span.start, |before| before.start);
        found = Some(Span::new(start, last.span.end));
        at = to;
    }
    found
}

/// The first stretch that holds the pieces with no more than their gaps between.
fn find_pieces(
    (body, barred): (&[u64], &[bool]),
    pieces: &[(usize, Vec<u64>)],
    from: usize,
    budget: &mut usize,
) -> Option<(usize, usize)> {
    let ((_, first), rest) = pieces.split_first()?;
    let mut start = from;
    loop {
        let at = position(body, first, start)?;
        let mut end = at + first.len();
        let fits = rest.iter().all(|(gap, words)| {
            // What brackets stand for says neither "not" nor a number.
            let open =
                body.iter().zip(barred).skip(end).take(*gap).take_while(|(_, barred)| !**barred).count();
            let place = (end..=end + open).find(|place| {
                *budget = budget.saturating_sub(1 + words.len() / 8);
                body.get(*place..).is_some_and(|tail| tail.starts_with(words))
            });
            end = place.map_or(end, |place| place + words.len());
            place.is_some()
        });
        if fits {
            return Some((at, end));
        }
        *budget = budget.saturating_sub(first.len() + 1);
        if *budget == 0 {
            return None;
        }
        start = at + 1;
    }
}

/// Where `needle` stands first, from a place on; in linear time whatever repeats (Knuth, Morris and Pratt).
fn position(hay: &[u64], needle: &[u64], from: usize) -> Option<usize> {
    if needle.is_empty() {
        return (from <= hay.len()).then_some(from);
    }
    let mut back = vec![0_usize; needle.len()];
    let mut matched = 0;
    for at in 1..needle.len() {
        matched = step(needle, &back, matched, *needle.get(at)?);
        *back.get_mut(at)? = matched;
    }
    matched = 0;
    for (offset, id) in hay.get(from..)?.iter().enumerate() {
        matched = step(needle, &back, matched, *id);
        if matched == needle.len() {
            return Some(from + offset + 1 - matched);
        }
    }
    None
}

fn step(needle: &[u64], back: &[usize], mut matched: usize, id: u64) -> usize {
    while matched > 0 && needle.get(matched) != Some(&id) {
        matched = back.get(matched - 1).copied().unwrap_or(0);
    }
    matched + usize::from(needle.get(matched) == Some(&id))
}

type Grams = HashSet<u64, BuildHasherDefault<std::hash::DefaultHasher>>;

/// The words of the text that the quotation is nearest to: most shared runs of words in a stretch of its length, then
/// cut to what is shared.
fn window(body: &[Word], quote: &[Word]) -> Option<std::ops::Range<usize>> {
    let longest = GRAM.min(quote.len());
    let dense = (1..=longest).rev().find_map(|length| densest(body, quote, length))?;
    let room = quote.len() / 4 + 4;
    let wide = dense.start.saturating_sub(room)..(dense.end + room).min(body.len());
    let ops = diff(body.get(wide.clone())?, quote);
    let runs: Vec<(usize, usize, usize)> = ops
        .iter()
        .filter_map(|op| match *op {
            DiffOp::Equal { old_index, new_index, len } => Some((old_index, new_index, len)),
            _ => None,
        })
        .collect();
    let kept = without_chance(&runs);
    let (first_old, first_new, _) = *kept.first()?;
    let (last_old, last_new, last_len) = *kept.last()?;
    // As many words as the quotation has before and behind what is shared were changed by it.
    let start = wide.start + first_old.saturating_sub(first_new);
    let behind = quote.len().saturating_sub(last_new + last_len);
    let end = (wide.start + last_old + last_len + behind).min(body.len());
    (start < end).then_some(start..end)
}

/// Shared runs without short ones at the ends that stand far from the next.
fn without_chance(runs: &[(usize, usize, usize)]) -> &[(usize, usize, usize)] {
    let is_far = |one: &(usize, usize, usize), next: &(usize, usize, usize)| {
        let old_gap = next.0.saturating_sub(one.0 + one.2);
        let new_gap = next.1.saturating_sub(one.1 + one.2);
        one.2.min(next.2) < CHANCE && old_gap > new_gap + 2 * CHANCE
    };
    let mut kept = runs;
    while let [one, next, ..] = kept {
        if one.2 >= CHANCE || !is_far(one, next) {
            break;
        }
        kept = kept.get(1..).unwrap_or_default();
    }
    while let [.., next, one] = kept {
        if one.2 >= CHANCE || !is_far(next, one) {
            break;
        }
        kept = kept.get(..kept.len() - 1).unwrap_or_default();
    }
    kept
}

/// The stretch about as long as the quotation that has most runs of `length` words in common with it.
fn densest(body: &[Word], quote: &[Word], length: usize) -> Option<std::ops::Range<usize>> {
    let gram = |words: &[Word]| words.iter().fold(0_u64, |sum, word| sum.rotate_left(21) ^ word.id);
    let wanted: Grams = quote.windows(length).map(gram).collect();
    let hits: Vec<bool> = body.windows(length).map(|words| wanted.contains(&gram(words))).collect();
    let size = quote.len() + quote.len() / 4 + 4;
    let (mut count, mut best, mut at) = (0_usize, 0_usize, 0_usize);
    for (index, hit) in hits.iter().enumerate() {
        count += usize::from(*hit);
        if let Some(gone) = index.checked_sub(size).and_then(|gone| hits.get(gone)) {
            count -= usize::from(*gone);
        }
        if count > best {
            (best, at) = (count, index);
        }
    }
    (best > 0).then(|| (at + 1).saturating_sub(size)..(at + length).min(body.len()))
}

fn diff(old: &[Word], new: &[Word]) -> Vec<DiffOp> {
    let deadline = Some(Instant::now() + TIME);
    // Where words stand once on both sides, they part the rest into short pieces.
    let is_long = old.len() + new.len() > LONG;
    let algorithm = if is_long { Algorithm::Patience } else { Algorithm::Myers };
    capture_diff_slices_deadline(algorithm, &ids(old), &ids(new), deadline)
}

fn equal(ops: &[DiffOp]) -> usize {
    ops.iter().map(|op| if let DiffOp::Equal { len, .. } = op { *len } else { 0 }).sum()
}

/// The text of some words with the signs around them, white space folded.
fn shown(text: &str, words: &[Word]) -> String {
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return String::new() };
    let span = Span::new(opened(text, first.span.start), closed(text, last.span.end));
    let lines = span.of(text).lines().map(|line| line.trim_start_matches(['>', ' ', '\t']));
    lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

/// Where the signs begin that open before a word.
fn opened(text: &str, start: usize) -> usize {
    text.get(..start).unwrap_or_default().trim_end_matches(['(', '[', '“', '‘', '"', '§', '$']).len()
}

/// Where the signs end that close behind a word.
fn closed(text: &str, end: usize) -> usize {
    let rest = text.get(end..).unwrap_or_default();
    end + rest.len() - rest.trim_start_matches(['.', ',', ';', ':', ')', ']', '”', '’', '"', '!', '?']).len()
}

/// The text's words with what the draft leaves out as `[-…-]` and what it puts in as `{+…+}`.
fn redlined(old: (&str, &[Word]), new: (&str, &[Word]), ops: &[DiffOp]) -> String {
    let of = |(text, words): (&str, &[Word]), from: usize, count: usize| {
        shown(text, words.get(from..from + count).unwrap_or_default())
    };
    let mut parts = Vec::with_capacity(ops.len() * 2);
    for op in ops {
        match *op {
            DiffOp::Equal { old_index, len, .. } => parts.push(of(old, old_index, len)),
            DiffOp::Delete { old_index, old_len, .. } => {
                parts.push(format!("[-{}-]", of(old, old_index, old_len)));
            }
            DiffOp::Insert { new_index, new_len, .. } => {
                parts.push(format!("{{+{}+}}", of(new, new_index, new_len)));
            }
            DiffOp::Replace { old_index, old_len, new_index, new_len } => {
                parts.push(format!("[-{}-]", of(old, old_index, old_len)));
                parts.push(format!("{{+{}+}}", of(new, new_index, new_len)));
            }
        }
    }
    parts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "Doors shall be not less than 32 inches (815 mm) wide. The owner shall keep them clear.\n\
                        1. Sheds.\n2. Fences not more than 6 feet high.";

    fn stands(quote: &str) -> bool {
        Body::of(TEXT).find(&Quote::of(quote)).is_some()
    }

    #[test]
    fn quotations_stand_in_the_text() {
        for quote in [
            "Doors shall be not less than 32 inches (815 mm) wide,",
            "[d]oors shall be … clear.",
            "The owner shall keep [the doors] clear",
            "clear. 1. Sheds. 2. Fences",
            "clear:\n- Sheds\n- Fences",
            "The owner [sic] shall",
            "Fence[s] not more",
        ] {
            assert!(stands(quote), "{quote}");
        }
        for quote in [
            "Doors shall be not less than 33 inches",
            "The owner may keep",
            "clear … Doors shall",
            "clear. 1. Sheds. 3. Fences",
            "Doors [of any kind] less than 32",
            "",
        ] {
            assert!(!stands(quote), "{quote}");
        }
    }

    #[test]
    fn the_nearest_text_is_shown_with_the_difference() {
        let nearest =
            Body::of(TEXT).nearest(&Quote::of("doors shall be not less than 33 inches (815 mm) wide"));
        let nearest = nearest.unwrap();
        assert_eq!(nearest.text, "Doors shall be not less than 32 inches (815 mm) wide.");
        assert_eq!(nearest.redline, "Doors shall be not less than [-32-] {+33+} inches (815 mm) wide.");
        let first = Body::of(TEXT).nearest(&Quote::of("An owner shall keep … feet tall.")).unwrap();
        assert_eq!(first.redline, "[-The-] {+An+} owner shall keep … feet [-high.-] {+tall.+}");
        assert!(Body::of(TEXT).nearest(&Quote::of("zebra")).is_none());
    }

    #[test]
    fn a_repeated_text_takes_linear_time() {
        let body = "the door and ".repeat(16_000);
        let quote = format!("{}the wall", "the door and ".repeat(660));
        let (body, quote) = (Body::of(&body), Quote::of(&quote));
        let started = Instant::now();
        assert!(body.find(&quote).is_none());
        assert!(body.nearest(&quote).is_some());
        assert!(started.elapsed() < Duration::from_millis(400), "{:?}", started.elapsed());
    }
}
