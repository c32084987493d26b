//! Numbers that a document skips: 1004.3 and then 1004.5. Either the document has no 1004.4, or its heading was missed.

use super::tree::{Section, SectionTree};
use crate::number::Number;

/// Where the count starts below a number of its own: 1004.1 is the first below 1004. A first number beyond this is a
/// count that starts elsewhere (36.101 below Part 36).
const LATEST_START: u32 = 4;

/// Numbers that leave room for later ones leave at least so much.
const WIDE: u32 = 4;

/// Numbers that are missing between two sections of one parent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gap {
    /// Index of the section before the gap; the parent, where the first of its sections is missing.
    pub after: usize,
    /// Index of the section behind it.
    pub before: usize,
    /// The first number that is missing.
    pub first: String,
    /// How many are.
    pub missing: u32,
}

/// All gaps, in the order of the sections behind them. Sections whose numbers do not count by one (10, 20, 30) have none.
pub fn gaps(tree: &SectionTree) -> Vec<Gap> {
    let mut groups: Vec<Vec<usize>> = vec![Vec::new(); tree.sections.len() + 1];
    for (index, section) in tree.sections.iter().enumerate() {
        if section.number.is_some() && section.nested.is_none() {
            let group = section.parent.map_or(0, |parent| parent + 1);
            if let Some(members) = groups.get_mut(group) {
                members.push(index);
            }
        }
    }
    let mut found: Vec<Gap> = Vec::new();
    for (group, members) in groups.iter().enumerate() {
        found.extend(gaps_among(tree, group.checked_sub(1), members));
    }
    found.sort_by_key(|gap| gap.before);
    found
}

fn gaps_among(tree: &SectionTree, parent: Option<usize>, members: &[usize]) -> Vec<Gap> {
    let section = |index: &usize| tree.sections.get(*index);
    let mut found = Vec::new();
    let mut by_one = 0;
    if let (Some(parent), Some(first)) = (parent, members.first())
        && let (Some(above), Some(below)) = (section(&parent), section(first))
        && let Some((number, missing)) = start(above, below)
    {
        found.push(Gap { after: parent, before: *first, first: number, missing });
    }
    for pair in members.windows(2) {
        let [last, next] = pair else { continue };
        let (Some(a), Some(b)) = (section(last), section(next)) else { continue };
        match step(a, b) {
            Some((_, 0)) => by_one += 1,
            Some((number, missing)) => {
                found.push(Gap { after: *last, before: *next, first: number, missing });
            }
            None => {}
        }
    }
    // Numbers with room between them (101, 201, 301; 8-2-10, 8-2-20) skip more often than they count on, and far.
    let wide = found.iter().filter(|gap| gap.missing >= WIDE).count();
    if wide > by_one && wide * 2 > found.len() { Vec::new() } else { found }
}

/// What is missing before the first section below a number that it goes on from.
fn start(above: &Section, below: &Section) -> Option<(String, u32)> {
    let (above, below) = (above.number.as_ref()?, below.number.as_ref()?);
    let goes_on = below.ancestors().first().is_some_and(|up| up.key() == above.key());
    let count = place(below).1?;
    (goes_on && (2..=LATEST_START).contains(&count)).then(|| (with_value(below, 1), count - 1))
}

/// The first number missing between two of one parent and how many are; `None` where they do not count on.
fn step(last: &Section, next: &Section) -> Option<(String, u32)> {
    let (last, next) = (last.number.as_ref()?, next.number.as_ref()?);
    let from_range = last.body().rsplit_once('-').and_then(|(from, to)| {
        let (from, to) = (Number::parse(from)?, Number::parse(to)?);
        (place(&from).0 == place(&to).0).then_some(to)
    });
    let ends = [Some(last.clone()), from_range];
    // A range that was taken for one section counts from its end, "8-2-70" from itself: the nearer one explains it.
    let steps = ends.iter().flatten().filter_map(|last| step_from(last, next));
    steps.min_by_key(|(_, missing)| *missing)
}

fn step_from(last: &Number, next: &Number) -> Option<(String, u32)> {
    let ((above_last, a), (above_next, b)) = (place(last), place(next));
    let (a, b) = (a?, b?);
    if above_last != above_next || last.label() != next.label() || b < a {
        return None;
    }
    // 1004.5A stands between 1004.5 and 1004.6.
    Some((with_value(next, a + 1), (b - a).saturating_sub(1)))
}

/// The number without its last count, and that count: `1004.5A` is 5 below `1004.`, `36.304(c)` 3 below `36.304(`. Roman
/// numerals are not counted.
fn place(number: &Number) -> (&str, Option<u32>) {
    let body = number.body();
    let (start, end) = last_count(body);
    let count = body.get(start..end).unwrap_or_default();
    (body.get(..start).unwrap_or_default(), value(count))
}

/// Where the last count of a number stands.
fn last_count(body: &str) -> (usize, usize) {
    let end = body.trim_end_matches(')').len();
    let head = body.get(..end).unwrap_or_default();
    let own = head.rfind(|c: char| !c.is_ascii_alphanumeric()).map_or(0, |at| at + 1);
    let last = head.get(own..).unwrap_or_default();
    // Letters before digits are the series (H101), letters behind them a later insertion (5A).
    match last.find(|c: char| c.is_ascii_digit()) {
        Some(first) => {
            let digits = last.get(first..).unwrap_or_default();
            let length = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
            (own + first, own + first + length)
        }
        None => (own, end),
    }
}

/// Digits as a number; one letter by its place in the alphabet.
fn value(count: &str) -> Option<u32> {
    let mut letters = count.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) if letter.is_ascii_alphabetic() => {
            Some(u32::from(letter.to_ascii_lowercase()) - u32::from('a') + 1)
        }
        _ => count.parse().ok(),
    }
}

/// A number with another last count: what the missing one would be called.
fn with_value(number: &Number, value: u32) -> String {
    let written = number.to_string();
    let body = number.body();
    let label = written.get(..written.len() - body.len()).unwrap_or_default();
    let (start, end) = last_count(body);
    let letter = body.get(start..end).unwrap_or_default().chars().next().filter(char::is_ascii_alphabetic);
    let count = match letter {
        Some(letter) => {
            let base = if letter.is_ascii_uppercase() { 'A' } else { 'a' };
            char::from_u32(u32::from(base) + value.saturating_sub(1)).map_or(String::new(), String::from)
        }
        None => value.to_string(),
    };
    let tail = body.get(body.trim_end_matches(')').len()..).unwrap_or_default();
    format!("{label}{}{count}{tail}", body.get(..start).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Span;
    use crate::profile::SectionKind;

    /// A tree of numbers, each below the one that is named.
    fn tree(numbers: &[(&str, Option<usize>)]) -> SectionTree {
        let sections = numbers.iter().map(|(number, parent)| Section {
            parent: *parent,
            ..Section::new(SectionKind::Section, Number::parse(number).unwrap(), Span::default())
        });
        SectionTree { sections: sections.collect(), ..SectionTree::default() }
    }

    fn found(numbers: &[(&str, Option<usize>)]) -> Vec<(String, u32)> {
        gaps(&tree(numbers)).into_iter().map(|gap| (gap.first, gap.missing)).collect()
    }

    fn below(numbers: &[&str]) -> Vec<(String, u32)> {
        found(&numbers.iter().map(|number| (*number, None)).collect::<Vec<_>>())
    }

    #[test]
    fn skipped_numbers_are_named() {
        assert_eq!(below(&["1004.1", "1004.2", "1004.3", "1004.5"]), [("1004.4".into(), 1)]);
        assert_eq!(below(&["Chapter 1", "Chapter 2", "Chapter 6"]), [("Chapter 3".into(), 3)]);
        assert_eq!(below(&["36.304(a)", "36.304(b)", "36.304(d)"]), [("36.304(c)".into(), 1)]);
        assert_eq!(below(&["H101", "H102", "H104"]), [("H103".into(), 1)]);
        assert_eq!(below(&["Appendix A", "Appendix B", "Appendix D"]), [("Appendix C".into(), 1)]);
        assert_eq!(below(&["28-304.1", "28-304.3"]), [("28-304.2".into(), 1)]);
        let all = below(&["1004.1", "1004.3", "1004.5"]);
        assert_eq!(all, [("1004.2".into(), 1), ("1004.4".into(), 1)]);
    }

    #[test]
    fn what_counts_on_has_no_gap() {
        for numbers in [
            &["1004.9", "1004.10", "1004.11"][..],
            &["1004.5", "1004.5A", "1004.6"],
            &["36.105-36.199", "36.200"],
            &["36.304(h)", "36.304(i)", "36.304(j)"],
            &["101.1(i)", "101.1(ii)", "101.1(iii)", "101.1(iv)", "101.1(v)"],
            &["1004.5", "Appendix A", "1001"],
            &["1004.3", "1004.3"],
            &["Chapter 10", "1001", "1002"],
        ] {
            assert_eq!(below(numbers), [], "{numbers:?}");
        }
    }

    #[test]
    fn numbers_with_room_between_them_are_no_gaps() {
        assert_eq!(below(&["8-2-10", "8-2-20", "8-2-30", "8-2-35"]), []);
        assert_eq!(below(&["101", "201", "301", "302"]), []);
        // One jump is.
        assert_eq!(below(&["101", "102", "201"]), [("103".into(), 98)]);
    }

    #[test]
    fn the_first_below_a_number_may_be_missing() {
        assert_eq!(
            found(&[("1004", None), ("1004.2", Some(0)), ("1004.3", Some(0))]),
            [("1004.1".into(), 1)]
        );
        assert_eq!(found(&[("1004", None), ("1004.1", Some(0)), ("1004.2", Some(0))]), []);
        assert_eq!(found(&[("36", None), ("36.101", Some(0)), ("36.102", Some(0))]), []);
        assert_eq!(found(&[("Chapter 10", None), ("1002", Some(0)), ("1003", Some(0))]), []);
    }

    #[test]
    fn each_parent_counts_by_itself() {
        let numbers =
            [("1", None), ("1.1", Some(0)), ("2", None), ("2.1", Some(2)), ("2.3", Some(2)), ("3", None)];
        assert_eq!(found(&numbers), [("2.2".into(), 1)]);
    }
}
