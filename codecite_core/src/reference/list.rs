//! Lists of numbers into numbers: "28-113.2.1 through 113.2.6", "36.302(c)(3) through (c)(8)".

use std::sync::LazyLock;

use regex::Regex;

use crate::document::Span;
use crate::number::Number;

/// A number in running text. A line end may part its first hyphen or its first dot from what follows.
pub(super) const NUMBER: &str = r"(?:(?:[0-9]{1,2}-\s)?(?:[A-Z]{0,3}[0-9]+[A-Z]{0,2})(?:\s?\.[0-9]+[A-Za-z]?|[.:\-–][0-9]+[A-Za-z]{0,2})*(?:-[A-Z]{1,2}(?-u:\b))?(?:\.?\([0-9A-Za-z]{1,4}\))*(?:\.-[A-Z](?-u:\b))?)";
/// Marks of paragraphs: `(a)(1)`, also set apart: `(a) (1)`.
pub(super) const MARKS: &str = r"(?:\([0-9A-Za-z]{1,4}\)(?:\s?\([0-9A-Za-z]{1,4}\))*)";
/// What joins the numbers of a list. A remark in parentheses may stand after a number.
pub(super) const GLUE: &str = r"(?:(?:\s+\([A-Za-z][^()]{4,80}\))?(?:\s*,\s*(?:and\s+|or\s+|and/or\s+)?|\s+(?:and|or|and/or|through|thru|to|and\s+through)\s+|[ \x{a0}]*–[ \x{a0}]*|-\s+))";

static ONE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(&format!(r"{NUMBER}|{MARKS}|(?-u:\b)[A-Z]{{1,2}}(?-u:\b)")).ok());
static REMARK: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\s\([A-Za-z][^()]{4,80}\)").ok());
static RANGE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^\s*(?:,?\s*and\s+)?(?:through|thru|to|[–—-])\s*(?:§+|[Ss]ections?)?\s*$").ok()
});

/// One number of a list, as printed.
pub(super) struct Item {
    /// Its text, completed by what it shares with the one before.
    pub text: String,
    pub span: Span,
    /// It ends a range that the item before begins.
    pub ends_range: bool,
    /// It is of the series of the section that it stands in, which no other work has.
    pub is_own: bool,
}

impl Item {
    fn new(text: String, span: Span, ends_range: bool) -> Item {
        Item { text, span, ends_range, is_own: false }
    }
}

/// The numbers of a list that begins at `offset`.
pub(super) fn items(list: &str, offset: usize) -> Vec<Item> {
    let Some(one) = ONE.as_ref() else { return Vec::new() };
    let remarks: Vec<Span> = REMARK
        .as_ref()
        .map(|remark| remark.find_iter(list).map(|m| Span::new(m.start(), m.end())).collect())
        .unwrap_or_default();
    let mut items: Vec<Item> = Vec::new();
    let mut last_end = 0;
    for m in one.find_iter(list) {
        if remarks.iter().any(|remark| remark.range().contains(&m.start())) {
            continue;
        }
        let between = list.get(last_end..m.start()).unwrap_or_default();
        let ends_range = !items.is_empty() && RANGE.as_ref().is_some_and(|range| range.is_match(between));
        last_end = m.end();
        let printed: String = m.as_str().chars().filter(|c| !c.is_whitespace()).collect();
        let text = match items.last() {
            Some(before) => completed(&printed, &before.text),
            None => printed,
        };
        let span = Span::new(offset + m.start(), offset + m.end());
        match inner_range(&text) {
            Some((from, to)) => {
                items.push(Item::new(from, span, false));
                items.push(Item::new(to, span, true));
            }
            None => items.push(Item::new(text, span, ends_range)),
        }
    }
    items
}

/// "103A.5.1-103A.5.7": two numbers of one form with a hyphen between.
fn inner_range(text: &str) -> Option<(String, String)> {
    let (from, to) = text.split_once(['-', '–'])?;
    let first = |number: &str| number.split_once('.').map(|(first, _)| first.to_owned());
    let same = first(from).is_some() && first(from) == first(to);
    same.then(|| (from.to_owned(), to.to_owned()))
}

/// A number that leaves out what it shares with the one before.
fn completed(printed: &str, before: &str) -> String {
    if printed.starts_with('(') {
        return with_marks(before, printed);
    }
    let shared = before.split_once('-').filter(|(prefix, rest)| {
        let first = |text: &str| text.split('.').next().map(str::to_owned);
        prefix.chars().all(|c| c.is_ascii_digit()) && !printed.contains('-') && first(rest) == first(printed)
    });
    match shared {
        Some((prefix, _)) => format!("{prefix}-{printed}"),
        None => printed.to_owned(),
    }
}

/// The number before with its last marks replaced by these: `36.302(c)(3)` and `(8)` give `36.302(c)(8)`.
fn with_marks(before: &str, marks: &str) -> String {
    let stem = before.find('(').and_then(|at| before.get(..at)).unwrap_or(before);
    let old = split_marks(before);
    let new = split_marks(marks);
    let aligned = old.len().saturating_sub(new.len());
    let class_of_new = new.first().map(|mark| class(mark));
    let fits = |at: &usize| old.get(*at).map(|mark| class(mark)) == class_of_new;
    let at = Some(aligned).filter(fits).or_else(|| (0..old.len()).rev().find(fits)).unwrap_or(aligned);
    let kept = old.get(..at).unwrap_or_default().concat();
    format!("{stem}{kept}{}", new.concat())
}

fn split_marks(text: &str) -> Vec<&str> {
    let from = text.find('(').unwrap_or(text.len());
    text.get(from..).unwrap_or_default().split_inclusive(')').collect()
}

#[derive(PartialEq)]
enum Class {
    Digit,
    Lower,
    Upper,
}

fn class(mark: &str) -> Class {
    match mark.chars().nth(1) {
        Some(c) if c.is_ascii_digit() => Class::Digit,
        Some(c) if c.is_uppercase() => Class::Upper,
        _ => Class::Lower,
    }
}

/// The number of an item under a label.
pub(super) fn number(label: Option<&str>, text: &str) -> Option<Number> {
    match label {
        Some(label) => Number::labelled(label, text),
        None => Number::parse(text),
    }
}
