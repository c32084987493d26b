//! Captions of tables and figures, as they stand on a page.

use super::words::Word;

/// More of them on one page are a list of tables, not captions.
const MAX_CAPTIONS: usize = 40;

/// What a caption is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Table,
    Figure,
}

/// The beginning of a caption: "Table 307.1", at the beginning of a line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Caption {
    pub kind: Kind,
    pub x0: f32,
    /// Where its first line ends.
    pub x1: f32,
    /// Its first baseline.
    pub y: f32,
    pub size: f32,
}

/// The captions of a page.
pub(super) fn captions(words: &[Word]) -> Vec<Caption> {
    let named: Vec<(&Word, Kind)> =
        words.iter().filter_map(|word| Some((word, kind_of(&word.text)?))).take(MAX_CAPTIONS + 1).collect();
    if named.len() > MAX_CAPTIONS {
        return Vec::new();
    }
    named.into_iter().filter_map(|(word, kind)| caption(word, kind, words)).collect()
}

fn kind_of(text: &str) -> Option<Kind> {
    let is = |names: &[&str]| names.iter().any(|name| text.eq_ignore_ascii_case(name));
    let capital = text.starts_with(|c: char| c.is_ascii_uppercase());
    match text {
        _ if capital && is(&["table"]) => Some(Kind::Table),
        _ if capital && is(&["figure", "diagram", "fig."]) => Some(Kind::Figure),
        _ => None,
    }
}

fn caption(word: &Word, kind: Kind, words: &[Word]) -> Option<Caption> {
    let em = word.size;
    let beside = |other: &&Word| (other.y - word.y).abs() < 0.2 * em;
    // Something stands before it on its line: it is a mention.
    if words.iter().filter(beside).any(|w| w.x1 <= word.x0 + 0.1 * em && word.x0 - w.x1 < 1.2 * em) {
        return None;
    }
    let mut line: Vec<&Word> = words.iter().filter(beside).filter(|w| w.x0 >= word.x1 - 0.1 * em).collect();
    line.sort_by(|a, b| a.x0.total_cmp(&b.x0));
    let number = line.first().filter(|w| w.x0 - word.x1 < 1.2 * em)?;
    let numbered = number.text.chars().any(|c| c.is_ascii_digit())
        && number.text.chars().all(|c| c.is_ascii_alphanumeric() || ".-–()[]:".contains(c))
        && number.text.matches('(').count() == number.text.matches(')').count();
    // "Table 4.1 shall …" is a sentence.
    let goes_on = line.get(1).filter(|w| w.x0 - number.x1 < 2.0 * em);
    if !numbered || goes_on.is_some_and(|w| w.text.starts_with(char::is_lowercase) && w.text != "continued") {
        return None;
    }
    let mut end = word.x1;
    for next in &line {
        if next.x0 - end > 2.0 * em {
            break;
        }
        end = end.max(next.x1);
    }
    Some(Caption { kind, x0: word.x0, x1: end, y: word.y, size: em })
}
