//! Marks before the items of a list: `1.`, `(1)`, `a)`, `(iv)`.

use crate::roman::roman_value;

/// How a mark counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Count {
    Decimal,
    Letters,
    Roman,
}

/// How it is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wrap {
    /// `1.`
    Stop,
    /// `1)`
    Closed,
    /// `(1)`
    Both,
}

/// The marks of one list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Style {
    count: Count,
    wrap: Wrap,
}

/// What the beginning of a text can be read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark {
    pub style: Style,
    /// What it counts as, from 1.
    pub value: u32,
    /// Bytes of it with the white space after it.
    pub length: usize,
}

/// The longest mark: `xviii`.
const MAX_MARK: usize = 5;

/// All readings of the mark at the beginning of a text: `i.` is a Roman numeral and a letter.
pub(super) fn readings(text: &str) -> Vec<Mark> {
    let (inner, opened) = text.strip_prefix('(').map_or((text, false), |rest| (rest, true));
    let end = inner.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(inner.len());
    let body = inner.get(..end).filter(|body| (1..=MAX_MARK).contains(&body.len()));
    let (Some(body), Some(rest)) = (body, inner.get(end..)) else { return Vec::new() };
    let wrap = match (opened, rest.chars().next()) {
        (true, Some(')')) => Wrap::Both,
        (false, Some(')')) => Wrap::Closed,
        (false, Some('.')) => Wrap::Stop,
        _ => return Vec::new(),
    };
    let after = rest.get(1..).unwrap_or_default();
    let blank = after.len() - after.trim_start().len();
    if blank == 0 {
        return Vec::new();
    }
    let length = text.len() - after.len() + blank;
    let value = |count| match count {
        Count::Decimal => body.parse().ok().filter(|value| *value > 0),
        Count::Letters if body.len() == 1 => body
            .bytes()
            .next()
            .filter(u8::is_ascii_alphabetic)
            .map(|b| u32::from(b.to_ascii_lowercase()) - 96),
        Count::Roman if body.chars().all(|c| c.is_ascii_lowercase()) => roman_value(body),
        _ => None,
    };
    [Count::Decimal, Count::Roman, Count::Letters]
        .into_iter()
        .filter_map(|count| Some(Mark { style: Style { count, wrap }, value: value(count)?, length }))
        .collect()
}

/// The mark at the beginning, if it is this one of a list.
pub(super) fn is_next(text: &str, style: Style, value: u32) -> Option<Mark> {
    readings(text).into_iter().find(|mark| mark.style == style && mark.value == value)
}

/// The first mark of a list.
pub(super) fn first(text: &str) -> Option<Mark> {
    readings(text).into_iter().find(|mark| mark.value == 1)
}

/// The text without a mark before it.
pub(super) fn past_mark(text: &str) -> &str {
    text.get(readings(text).first().map_or(0, |mark| mark.length)..).unwrap_or_default()
}

impl Style {
    /// `1.`
    pub(super) const DECIMAL: Style = Style { count: Count::Decimal, wrap: Wrap::Stop };

    pub(super) fn is_decimal(self) -> bool {
        self.count == Count::Decimal
    }
}

/// A bullet before an item.
pub(super) fn is_bullet(text: &str) -> bool {
    ["• ", "- ", "– ", "* ", "\u{25aa} ", "\u{25cf} "].iter().any(|bullet| text.starts_with(bullet))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_every_form_are_read() {
        for (text, value) in
            [("2. text", 2), ("12) text", 12), ("(3) text", 3), ("b. text", 2), ("(iv) text", 4)]
        {
            assert!(readings(text).iter().any(|mark| mark.value == value), "{text}");
        }
        for text in ["1004.5 x", "2.1. x", "text. x", "(1)x", "", "("] {
            assert!(readings(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn a_letter_may_be_a_roman_numeral() {
        let values: Vec<u32> = readings("(i) x").iter().map(|mark| mark.value).collect();
        assert_eq!(values, [1, 9]);
    }
}
