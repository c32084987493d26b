//! A text as the words that count when a quotation is compared: without what typesetting, Markdown and quoting may change.

use std::hash::{BuildHasher, Hasher};
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::canonical_combining_class;

use super::marker;
use crate::document::Span;

/// Letters behind which a hyphen at a line's end is the word's own: "two- \nor three-story".
const AFTER_OPEN_HYPHEN: [&str; 3] = ["and", "or", "to"];
/// Units whose prefix changes its meaning with its case.
const CASED_UNITS: [&str; 7] = ["mw", "mpa", "mhz", "mn", "mv", "mj", "mohm"];

/// One word, number or sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Word {
    /// Equal for words that count as the same.
    pub id: u64,
    pub span: Span,
    /// The mark of a list item at the start of a line: it may be left out.
    pub is_marker: bool,
    pub is_number: bool,
}

/// The words of a text, in order.
pub(super) fn words(text: &str) -> Vec<Word> {
    let mut reader = Reader {
        text,
        words: Vec::with_capacity(text.len() / 6),
        buffer: String::new(),
        printed: String::new(),
        start: 0,
        is_marker: false,
    };
    let mut lines = Lines { at: 0, before: ' ' };
    while let Some(c) = text.get(lines.at..).and_then(|rest| rest.chars().next()) {
        let is_start = lines.at == 0 || text.as_bytes().get(lines.at - 1) == Some(&b'\n');
        if let Some(next) = Some(lines).filter(|_| is_start).and_then(|lines| line_start(&mut reader, lines))
        {
            lines = Lines { at: next, before: ' ' };
            continue;
        }
        let next = reader.char(lines.at, c, lines.before).max(lines.at + c.len_utf8());
        lines = Lines { at: next, before: c };
    }
    reader.finish(text.len());
    reader.words
}

#[derive(Clone, Copy)]
struct Lines {
    at: usize,
    before: char,
}

/// Passes the marks of a block quotation, a heading or a list at the start of a line.
fn line_start(reader: &mut Reader<'_>, lines: Lines) -> Option<usize> {
    let line = reader.text.get(lines.at..)?;
    let past = line.len() - line.trim_start_matches([' ', '\t', '>', '#', '*', '_']).len();
    let rest = line.get(past..)?;
    let begun = !reader.buffer.is_empty();
    let before = reader.text.get(..lines.at)?;
    let mark = marker::at_start(rest).filter(|_| !begun && marker::may_begin(before));
    let Some(mark) = mark else {
        return (past > 0 && !begun).then_some(lines.at + past);
    };
    reader.is_marker = true;
    let from = lines.at + past;
    let mut before = ' ';
    for (offset, c) in rest.get(..mark).unwrap_or_default().char_indices() {
        reader.char(from + offset, c, before);
        before = c;
    }
    reader.finish(from + mark);
    reader.is_marker = false;
    Some(from + mark)
}

struct Reader<'t> {
    text: &'t str,
    words: Vec<Word>,
    /// The word so far, folded, and as printed.
    buffer: String,
    printed: String,
    start: usize,
    is_marker: bool,
}

impl Reader<'_> {
    /// Takes one character; returns where to go on when it took more.
    fn char(&mut self, at: usize, c: char, before: char) -> usize {
        if c.is_ascii_alphabetic() {
            self.letter(at, c);
        } else if c.is_ascii_digit() {
            self.digit(at, c);
        } else if c.is_whitespace() {
            self.finish(at);
        } else {
            return self.sign(at, c, before);
        }
        0
    }

    fn letter(&mut self, at: usize, c: char) {
        if self.ends_in_digit() {
            self.finish(at);
        }
        self.begin(at);
        self.printed.push(c);
        self.buffer.extend(c.to_lowercase());
    }

    fn digit(&mut self, at: usize, c: char) {
        self.begin(at);
        self.printed.push(c);
        self.buffer.push(c);
    }

    fn begin(&mut self, at: usize) {
        if self.buffer.is_empty() {
            self.start = at;
        }
    }

    fn ends_in_digit(&self) -> bool {
        self.buffer.ends_with(|c: char| c.is_ascii_digit())
    }

    fn ends_in_letter(&self) -> bool {
        self.buffer.ends_with(char::is_alphabetic)
    }

    /// Anything but letters, digits and white space of ASCII.
    fn sign(&mut self, at: usize, c: char, before: char) -> usize {
        let after = at + c.len_utf8();
        let next = self.text.get(after..).and_then(|rest| rest.chars().next()).unwrap_or(' ');
        match c {
            '\u{ad}' => return self.past_line_end(after).unwrap_or(after),
            '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\\' | '~' => {}
            '*' | '_' | '`' if before.is_ascii_digit() && next.is_ascii_digit() => self.finish(at),
            '*' | '_' | '`' => {}
            '[' if self.ends_in_letter() && next.is_alphabetic() => {}
            ']' if !self.buffer.is_empty() && next.is_alphabetic() => {}
            '.' if self.ends_in_digit() && next.is_ascii_digit() => self.buffer.push('.'),
            '.' if self.buffer.is_empty() && next.is_ascii_digit() && !before.is_alphanumeric() => {
                self.begin(at);
                self.buffer.push_str("0.");
            }
            ',' if self.ends_in_digit() && is_group(self.text.get(after..).unwrap_or_default()) => {}
            '-' | '\u{2010}'..='\u{2013}' | '\u{2212}' => return self.hyphen(at, after, next, before),
            '\'' | '\u{2032}' if before.is_ascii_digit() => self.symbol(at, after, "'"),
            '"' | '\u{2033}' if before.is_ascii_digit() && !next.is_alphanumeric() => {
                self.symbol(at, after, "\"");
            }
            '\'' | '\u{2018}' | '\u{2019}' | '\u{2bc}' if self.ends_in_letter() => {}
            '%' | '°' | '±' | '<' | '>' | '≤' | '≥' | '=' | '+' | '/' | '$' | '£' | '€' | '&' | '≠' | '≈' =>
            {
                self.symbol(at, after, c.encode_utf8(&mut [0; 4]));
            }
            '×' => self.symbol(at, after, "x"),
            c if c.is_ascii() => self.finish(at),
            c => self.other(at, c),
        }
        after
    }

    /// What is not ASCII: letters without their accents, ligatures, fractions, raised digits.
    fn other(&mut self, at: usize, c: char) {
        let mut folded = [' '; 18];
        let mut count = 0;
        for (slot, part) in folded.iter_mut().zip(std::iter::once(c).nfkd()) {
            *slot = part;
            count += 1;
        }
        let parts = folded.get(..count).unwrap_or_default();
        let is_first_digit = parts.first().is_some_and(char::is_ascii_digit);
        if is_first_digit && count > 1 && self.ends_in_digit() {
            // 1½ is not 11/2.
            self.finish(at);
        } else if is_first_digit && count == 1 && !c.is_ascii_digit() && self.ends_in_digit() {
            // 10² is not 102.
            self.finish(at);
            self.begin(at);
            self.buffer.push('^');
        }
        for part in parts {
            match part {
                '\u{2044}' => self.symbol(at, at + c.len_utf8(), "/"),
                part if part.is_ascii_digit() => self.digit(at, *part),
                part if part.is_alphabetic() => self.letter(at, *part),
                part if canonical_combining_class(*part) != 0 => {}
                _ => self.finish(at),
            }
        }
    }

    fn hyphen(&mut self, at: usize, after: usize, next: char, before: char) -> usize {
        if self.ends_in_letter() && next.is_alphabetic() {
            return after;
        }
        if let Some(joined) = self.past_line_end(after).filter(|_| self.ends_in_letter()) {
            return joined;
        }
        let ranges = self.words.last().is_some_and(|word| word.is_number);
        let is_minus = self.buffer.is_empty() && next.is_ascii_digit() && !ranges;
        self.finish(at);
        if is_minus && (before.is_whitespace() || before == '(') {
            self.begin(at);
            self.buffer.push('-');
        }
        after
    }

    /// Where a word goes on that a line's end has parted.
    fn past_line_end(&self, after: usize) -> Option<usize> {
        let rest = self.text.get(after..)?;
        let head = rest.trim_start_matches([' ', '\t', '\r', '\n', '>']);
        let gap = rest.get(..rest.len() - head.len())?;
        let word: &str = head.split(|c: char| !c.is_alphabetic()).next()?;
        let goes_on = gap.matches('\n').count() == 1
            && word.starts_with(char::is_lowercase)
            && !AFTER_OPEN_HYPHEN.contains(&word);
        goes_on.then_some(after + gap.len())
    }

    fn symbol(&mut self, at: usize, after: usize, text: &str) {
        self.finish(at);
        self.start = at;
        self.buffer.push_str(text);
        self.finish(after);
    }

    fn finish(&mut self, end: usize) {
        if self.buffer.is_empty() {
            return;
        }
        let is_number = self.ends_in_digit();
        let cased = CASED_UNITS.contains(&self.buffer.as_str())
            && self.words.last().is_some_and(|word| word.is_number)
            && self.printed.chars().skip(1).any(char::is_uppercase);
        let id = id(if cased { &self.printed } else { &self.buffer });
        let span = Span::new(self.start, end);
        self.words.push(Word { id, span, is_marker: self.is_marker, is_number });
        self.buffer.clear();
        self.printed.clear();
    }
}

/// Three digits and no more: what follows the comma of "1,500".
fn is_group(rest: &str) -> bool {
    let digits = rest.bytes().take(4).take_while(u8::is_ascii_digit).count();
    digits == 3
}

/// True for words that turn what is said into its opposite.
pub(super) fn is_negation(word: &Word) -> bool {
    static NEGATIONS: LazyLock<Vec<u64>> = LazyLock::new(|| {
        ["not", "no", "nor", "never", "none", "without", "except", "unless", "neither", "cannot"]
            .map(id)
            .to_vec()
    });
    NEGATIONS.contains(&word.id)
}

fn id(word: &str) -> u64 {
    let mut hasher = foldhash::fast::FixedState::default().build_hasher();
    hasher.write(word.as_bytes());
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(text: &str) -> Vec<u64> {
        words(text).iter().filter(|word| !word.is_marker).map(|word| word.id).collect()
    }

    #[test]
    fn what_typesetting_changes_is_the_same() {
        for (one, other) in [
            ("of the main-\ntenance", "of the maintenance"),
            ("main\u{ad}tenance main\u{ad}\ntenance", "maintenance maintenance"),
            ("two- or three-story", "two-\nor three-story"),
            ("the “owner’s” ﬁre–rated door", "The \"owner's\" fire-rated door,"),
            ("1,500 square feet (139.4 m²)", "1500 square feet (139.4 m2)"),
            ("**Exception:** it *may* be", "Exception: it may be"),
            ("the following:\n1. Sheds.\n2. Fences.", "the following: Sheds. Fences."),
            ("> 1. Sheds\n> are exempt", "Sheds are exempt"),
            ("a rise of 1½ in", "a rise of 1 1/2 in"),
            ("36 mm", "36mm"),
            ("2-hour", "2 hour"),
            ("a factor of .5", "a factor of 0.5"),
        ] {
            assert_eq!(ids(one), ids(other), "{one}");
        }
    }

    #[test]
    fn what_changes_the_meaning_is_not() {
        for (one, other) in [
            ("44 inches", "45 inches"),
            ("at 5 mW", "at 5 MW"),
            ("at -5 degrees", "at 5 degrees"),
            ("10² units", "102 units"),
            ("shall be", "may be"),
            ("5' wide", "5\" wide"),
            ("30 %", "30"),
            ("0.2 inch", "0.3 inch"),
            ("Group I-2", "Group I-3"),
            ("not less than\n75. The", "not less than\n74. The"),
        ] {
            assert_ne!(ids(one), ids(other), "{one}");
        }
    }

    #[test]
    fn spans_are_those_of_the_words() {
        let text = "The ﬁre-\nrated door, 1,500 mm.";
        let found: Vec<&str> = words(text).iter().map(|word| word.span.of(text)).collect();
        assert_eq!(found, ["The", "ﬁre-\nrated", "door", "1,500", "mm"]);
    }
}
