//! References counted from where they stand: "paragraph (b)(1) of this section", "Sentence (2)", "this part".

use std::sync::LazyLock;

use regex::Regex;

use super::list::{Item, items};
use crate::number::Number;

static OF_OTHER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^\s+of\s+(?:(?P<this>this\s+(?:section|paragraph|article|rule))|(?:(?i:sections?)\s+|§+\s*)+(?P<other>[A-Z0-9][A-Za-z0-9.\-:()]*)|(?P<more>\w))").ok()
});

/// The numbers of marked paragraphs in a section, by a list of their marks.
pub(super) fn numbered(
    text: &str,
    own: &Number,
    word: &str,
    marks: &str,
    offset: usize,
) -> Vec<(Number, Item)> {
    let after = text.get(offset + marks.len()..).unwrap_or_default();
    let captures = OF_OTHER.as_ref().and_then(|pattern| pattern.captures(after));
    let other = match &captures {
        Some(captures) if captures.name("more").is_some() => return Vec::new(),
        Some(captures) => captures.name("other").map(|m| m.as_str().trim_end_matches(['.', ','])),
        None => None,
    };
    let is_sentence = word.to_lowercase().starts_with("sentence") || word.to_lowercase().contains("clause");
    let of = |item: Item| {
        let stem = match other {
            Some(other) => other.to_owned(),
            None => stem(own, &item.text, is_sentence)?,
        };
        Some((Number::parse(&format!("{stem}{}", item.text))?, item))
    };
    let found = items(marks, offset);
    // "(iii), (iv) and (v)": Roman numerals, whose paragraph is not named.
    let is_roman = |item: &Item| item.text.len() > 3 && item.text.chars().all(|c| "ivx()".contains(c));
    if other.is_none() && !is_sentence && found.iter().any(is_roman) {
        return Vec::new();
    }
    found.into_iter().filter_map(of).collect()
}

/// What the first mark is added to: the section itself, or the paragraph of it that this one stands in.
fn stem(own: &Number, marks: &str, is_sentence: bool) -> Option<String> {
    if own.label().is_some() {
        return None;
    }
    let body = own.body();
    let section = body.find('(').and_then(|at| body.get(..at)).unwrap_or(body);
    let first = marks.trim_start_matches('(').split(')').next()?;
    let is_digit = first.starts_with(|c: char| c.is_ascii_digit());
    let within = body.find(')').and_then(|at| body.get(..=at));
    if is_sentence {
        // "Clause (a)" is one of the sentence around it; sentences of an article count from it.
        return match (is_digit, within) {
            (true, _) => Some(format!("{}.", section.trim_end_matches('.'))),
            (false, Some(within)) => Some(within.to_owned()),
            (false, None) => None,
        };
    }
    // Sections count letters first: a number is one of the lettered paragraph around it.
    let counts_letters = body.get(section.len() + 1..).is_some_and(|m| m.starts_with(char::is_alphabetic));
    if is_digit && counts_letters { within.map(str::to_owned) } else { Some(section.to_owned()) }
}

/// The part that "this part" or "part 36" names, for a section numbered by its part (`36.402`).
pub(super) fn part_of(words: &str, own: Option<&Number>) -> Option<String> {
    let named = words.split_whitespace().last()?;
    if named.starts_with(|c: char| c.is_ascii_digit()) {
        return Some(named.to_owned());
    }
    let (part, _) = own?.body().split_once('.')?;
    part.chars().all(|c| c.is_ascii_digit()).then(|| part.to_owned())
}
