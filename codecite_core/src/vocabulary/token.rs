//! Cuts text into words, numbers and marks.

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// Letters, with apostrophes inside.
    Word,
    /// Begins with a digit, or is letters and digits: `1004.5`, `H101.2`, `44`, `4101:1-10-04`.
    Number,
    /// A mark between them that matters to what follows; only `,` `;` `/` and `-` are reported.
    Mark,
}

/// One token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'a> {
    /// What it is.
    pub kind: TokenKind,
    /// Its text.
    pub text: &'a str,
}

impl Token<'_> {
    /// A token that goes on with a list of names: "A, B and C".
    pub fn is_list_glue(&self) -> bool {
        matches!(self.kind, TokenKind::Mark)
            || matches!(self.text.to_lowercase().as_str(), "and" | "or" | "through" | "to")
    }
}

/// The tokens of a text, in order.
pub fn tokens(text: &str) -> impl Iterator<Item = Token<'_>> {
    Tokens { rest: text }
}

struct Tokens<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            let first = self.rest.chars().next()?;
            if first.is_alphanumeric() {
                return Some(self.take_token());
            }
            let (mark, rest) = self.rest.split_at(first.len_utf8());
            self.rest = rest;
            if matches!(first, ',' | ';' | '/' | '-') {
                return Some(Token { kind: TokenKind::Mark, text: mark });
            }
        }
    }
}

impl<'a> Tokens<'a> {
    fn take_token(&mut self) -> Token<'a> {
        let group = group_length(self.rest).or_else(|| hyphened_type_length(self.rest));
        let (kind, end) = match group {
            Some(end) => (TokenKind::Word, end),
            None => match number_length(self.rest) {
                Some(end) => (TokenKind::Number, end),
                None => (TokenKind::Word, word_length(self.rest)),
            },
        };
        let (token, rest) = self.rest.split_at(end);
        self.rest = rest;
        Token { kind, text: token }
    }
}

fn word_length(text: &str) -> usize {
    let mut end = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let joins = matches!(c, '\'' | '’') && chars.peek().is_some_and(|(_, next)| next.is_alphabetic());
        if !c.is_alphanumeric() && !joins {
            break;
        }
        end = at + c.len_utf8();
    }
    end
}

/// A number with its separators: up to three letters, then digits, then parts joined by `.` `-` `:` `,` `/`
/// or in parentheses.
fn number_length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let at = |i: usize| bytes.get(i).copied().unwrap_or(0);
    let mut end = 0;
    while end < 3 && at(end).is_ascii_alphabetic() {
        end += 1;
    }
    if !at(end).is_ascii_digit() {
        return None;
    }
    loop {
        while at(end).is_ascii_alphanumeric() {
            end += 1;
        }
        if matches!(at(end), b'.' | b'-' | b':' | b',' | b'/') && at(end + 1).is_ascii_digit() {
            end += 1;
        } else if at(end) == b'(' && bytes.get(end..).is_some_and(is_short_parenthesis) {
            end += 2;
            while at(end) != b')' {
                end += 1;
            }
            end += 1;
        } else {
            break;
        }
    }
    text.is_char_boundary(end).then_some(end)
}

/// `(c)`, `(iii)`, `(1)`.
fn is_short_parenthesis(bytes: &[u8]) -> bool {
    let inner = bytes.iter().skip(1).take(5).take_while(|b| b.is_ascii_alphanumeric()).count();
    (1..=4).contains(&inner) && bytes.get(inner + 1) == Some(&b')')
}

/// `I-2` at the beginning of a text is one word.
fn group_length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let letter = bytes.first().filter(|b| b.is_ascii_uppercase())?;
    let is_group = b"ABEFHIMRSU".contains(letter);
    let digit = bytes.get(1) == Some(&b'-') && bytes.get(2).is_some_and(u8::is_ascii_digit);
    let ends = !bytes.get(3).is_some_and(u8::is_ascii_alphanumeric)
        && bytes.get(3..5).is_none_or(|b| !(matches!(b, [b'.' | b'-', d] if d.is_ascii_digit())));
    (is_group && digit && ends).then_some(3)
}

/// `II-B` at the beginning of a text is one word.
fn hyphened_type_length(text: &str) -> Option<usize> {
    let roman = text.bytes().take_while(|b| matches!(b, b'I' | b'V')).count();
    let rest = text.as_bytes().get(roman..)?;
    let letter = matches!(rest, [b'-', b'A'..=b'C', ..]);
    let ends = !rest.get(2).is_some_and(u8::is_ascii_alphanumeric);
    ((1..=3).contains(&roman) && letter && ends).then_some(roman + 2)
}

/// `i-2` for `I-2`; only with its number, because a single letter is a group only after the word "Group".
pub(super) fn occupancy_group(word: &str) -> Option<String> {
    (group_length(word) == Some(word.len())).then(|| word.to_lowercase())
}

/// The name of a group after the word "Group": `A`, `I-2`.
pub(super) fn group_name(word: &str) -> Option<String> {
    let is_letter = word.len() == 1 && word.chars().all(|c| c.is_ascii_uppercase());
    if is_letter || group_length(word) == Some(word.len()) {
        return Some(word.to_lowercase());
    }
    // A question typed in small letters: "group i-2".
    let upper = word.to_uppercase();
    (group_length(&upper) == Some(upper.len())).then(|| word.to_lowercase())
}

/// The name of a construction type after the word "Type": `IIB`, `II-B`, `VA`.
pub(super) fn type_name(word: &str) -> Option<String> {
    let name: String = word.to_lowercase().chars().filter(|c| *c != '-').collect();
    let roman = name.trim_end_matches(['a', 'b', 'c']);
    let is_type = (1..=3).contains(&roman.len())
        && name.len() - roman.len() <= 1
        && matches!(roman, "i" | "ii" | "iii" | "iv" | "v");
    is_type.then_some(name)
}
