//! An instruction as words, numbers, quotations and marks.

use std::ops::Range;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Letters only.
    Word,
    /// Anything with a digit in it, or a mark in parentheses: `1004.5`, `2nd`, `(a)`.
    Number,
    /// What stands between quotation marks; the text is without them.
    Quote,
    /// A single other character.
    Mark,
}

/// One token with its place in the text.
#[derive(Debug, Clone)]
pub(super) struct Token<'a> {
    pub kind: Kind,
    pub text: &'a str,
    pub lower: String,
    pub span: Range<usize>,
}

impl Token<'_> {
    pub fn is(&self, word: &str) -> bool {
        self.kind != Kind::Quote && self.lower == word
    }

    pub fn is_any(&self, words: &[&str]) -> bool {
        self.kind != Kind::Quote && words.contains(&self.lower.as_str())
    }

    /// Written in capitals, as defined terms and letters of appendices are.
    pub fn is_upper(&self) -> bool {
        self.kind == Kind::Word && self.text.chars().all(|c| !c.is_lowercase())
    }
}

/// The tokens of a text, in order.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = text.get(at..).unwrap_or_default();
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let (kind, length, inner) = match first {
            '"' | '“' => quote(rest).map_or((Kind::Mark, first.len_utf8(), None), |(length, inner)| {
                (Kind::Quote, length, Some(inner))
            }),
            '(' => {
                mark_in_parentheses(rest).map_or((Kind::Mark, 1, None), |length| (Kind::Number, length, None))
            }
            c if c.is_alphanumeric() => {
                let length = word(rest);
                let has_digit = rest.get(..length).is_some_and(|w| w.contains(|c: char| c.is_ascii_digit()));
                (if has_digit { Kind::Number } else { Kind::Word }, length, None)
            }
            c => (Kind::Mark, c.len_utf8(), None),
        };
        let span = at..at + length;
        let own = text.get(span.clone()).unwrap_or_default();
        let own = inner.unwrap_or(own);
        found.push(Token { kind, text: own, lower: own.to_lowercase(), span });
        at += length;
    }
    found
}

/// A quotation at the beginning of a text: its length and what is in it.
fn quote(text: &str) -> Option<(usize, &str)> {
    let mut chars = text.char_indices();
    let (_, open) = chars.next()?;
    let close = if open == '“' { '”' } else { '"' };
    let start = open.len_utf8();
    let end = chars.find(|(_, c)| *c == close || (open == '"' && *c == '”'))?.0;
    let inner = text.get(start..end)?;
    let length = end + text.get(end..)?.chars().next()?.len_utf8();
    (!inner.trim().is_empty()).then_some((length, inner))
}

/// `(a)`, `(12)`: its length.
fn mark_in_parentheses(text: &str) -> Option<usize> {
    let inner = text.get(1..)?.split(')').next()?;
    let fits = (1..=4).contains(&inner.len()) && inner.chars().all(|c| c.is_ascii_alphanumeric());
    (fits && text.get(1 + inner.len()..)?.starts_with(')')).then_some(inner.len() + 2)
}

/// The length of a word or number: separators belong to it where a letter or digit follows them directly, and so do marks
/// in parentheses after a number.
fn word(text: &str) -> usize {
    let mut end = 0;
    while let Some(c) = text.get(end..).and_then(|rest| rest.chars().next()) {
        let after = text.get(end + c.len_utf8()..).unwrap_or_default();
        let separates = matches!(c, '.' | '-' | '–' | '\u{2010}' | '\u{2011}' | ':' | '\'' | '’');
        if c.is_alphanumeric() || (separates && end > 0 && after.starts_with(char::is_alphanumeric)) {
            end += c.len_utf8();
        } else if c == '(' && text.get(..end).is_some_and(|w| w.contains(|c: char| c.is_ascii_digit())) {
            let Some(length) = mark_in_parentheses(text.get(end..).unwrap_or_default()) else { break };
            end += length;
        } else {
            break;
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_numbers_quotations_and_marks() {
        let found: Vec<(Kind, String)> =
            tokens("In Table 307.1(1), strike “20 seconds” of (a) and 4101:1-10-04.")
                .iter()
                .map(|t| (t.kind, t.text.to_owned()))
                .collect();
        let texts: Vec<&str> = found.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(
            texts,
            ["In", "Table", "307.1(1)", ",", "strike", "20 seconds", "of", "(a)", "and", "4101:1-10-04", "."]
        );
        assert_eq!(found[5].0, Kind::Quote);
        assert_eq!(found[7].0, Kind::Number);
    }
}
