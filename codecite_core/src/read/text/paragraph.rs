//! Whether a line goes on with the paragraph before it.

use super::lines::Line;
use super::width::is_full;
use crate::read::marker::{Marker, marker};

/// The width that is assumed of a text that is not wrapped, to see what is centred in it.
const USUAL_WIDTH: usize = 80;
/// Lines that begin further right than this may be centred.
const CENTRED_INDENT: usize = 8;

/// Words after which a number is a reference and not the beginning of a section.
const NAMES: [&str; 32] = [
    "section",
    "sections",
    "table",
    "tables",
    "chapter",
    "chapters",
    "article",
    "articles",
    "part",
    "parts",
    "paragraph",
    "paragraphs",
    "subsection",
    "subsections",
    "item",
    "items",
    "clause",
    "clauses",
    "appendix",
    "exception",
    "exceptions",
    "figure",
    "figures",
    "title",
    "division",
    "code",
    "§",
    "§§",
    "subdivision",
    "subdivisions",
    "rule",
    "rules",
];

/// Words that do not end a sentence.
const LINKING: [&str; 14] =
    ["and", "or", "of", "the", "in", "to", "by", "with", "under", "per", "see", "through", "than", "a"];

/// Decides by width and by the habits of the document.
pub(super) struct Joiner {
    width: Option<usize>,
    /// Lines after the first of a paragraph are set further right.
    hanging: bool,
}

impl Joiner {
    pub fn new(lines: &[Line<'_>], width: Option<usize>) -> Self {
        // A line that begins in lower case goes on with the one before it: where does it begin?
        let (mut right, mut other) = (0, 0);
        for pair in lines.windows(2) {
            if let ([line, next], Some(width)) = (pair, width)
                && is_full(line, next, width)
                && next.text.starts_with(char::is_lowercase)
                && marker(line.text) == Marker::None
            {
                let hangs = next.indent > line.indent;
                right += usize::from(hangs);
                other += usize::from(!hangs);
            }
        }
        Joiner { width, hanging: right > other }
    }

    /// True when `line` goes on with the paragraph of the open lines.
    pub fn continues(&self, open: &[Line<'_>], line: &Line<'_>) -> bool {
        let (Some(first), Some(last)) = (open.first(), open.last()) else { return false };
        if self.is_centred(last) || self.is_centred(line) {
            return false;
        }
        let ended = ends_sentence(last.text);
        let word = last_word(last.text);
        let starts_low = line.text.starts_with(|c: char| c.is_lowercase() || matches!(c, ',' | ';' | ')'));
        let refers = !ended && NAMES.contains(&word.as_str());
        match marker(line.text) {
            Marker::None => {}
            // "Section" at the end of a line, and its number on the next.
            Marker::Section if refers => return true,
            Marker::List if refers && (goes_on_low(line.text) || !line.text.starts_with('(')) => return true,
            // "(76.2" at the end of a line, and "mm) high" on the next.
            Marker::List if closes_bracket(last.text, line.text) => return true,
            _ => return false,
        }
        if refers {
            return true;
        }
        if ended && line.text.starts_with("[http") {
            return false;
        }
        if self.width.is_some_and(|width| is_full(last, line, width)) {
            return starts_low || self.is_aligned(open.len() == 1, first, last, line);
        }
        // A short line in the middle of a sentence: a link or the like broke it.
        let deeper = line.indent > last.indent + 1 && line.indent != first.indent;
        if ended || deeper {
            return false;
        }
        // What begins with a number of some kind begins something new.
        let numbered =
            line.text.split(char::is_whitespace).next().is_some_and(|w| w.contains(|c: char| c.is_numeric()));
        let wrapped = open.len() > 1
            && last.text.contains(char::is_lowercase)
            && last.text.ends_with(char::is_alphanumeric)
            && !numbered;
        let links = LINKING.contains(&word.as_str()) || ends_in_sentence(last.text);
        starts_low || self.width.is_some() && (wrapped || links)
    }

    /// True when a line stands where the next line of its paragraph does.
    fn is_aligned(&self, second: bool, first: &Line<'_>, last: &Line<'_>, line: &Line<'_>) -> bool {
        if !second {
            return line.indent.abs_diff(last.indent) <= 1;
        }
        if line.indent <= first.indent + 1 {
            return true;
        }
        let hangs = marker(first.text) != Marker::None && line.indent.abs_diff(text_column(first)) <= 1;
        hangs || self.hanging
    }

    /// True for a line in the middle between the margins.
    pub fn is_centred(&self, line: &Line<'_>) -> bool {
        let width = self.width.unwrap_or(USUAL_WIDTH);
        let right = width.saturating_sub(line.end);
        line.indent >= CENTRED_INDENT
            && line.indent.abs_diff(right) <= 4
            && !line.text.contains(char::is_lowercase)
            && line.text.contains(char::is_alphabetic)
    }
}

/// The column in which the text after a marker begins.
fn text_column(line: &Line<'_>) -> usize {
    let token = line.text.find(char::is_whitespace).unwrap_or(line.text.len());
    let rest = line.text.get(token..).unwrap_or_default();
    let gap = rest.len() - rest.trim_start().len();
    let before = line.text.get(..token).unwrap_or_default().chars().count();
    line.indent + before + rest.get(..gap).unwrap_or_default().chars().count()
}

/// True when a sentence or an enumerated part of one ends with the line.
pub(super) fn ends_sentence(text: &str) -> bool {
    let text = text.trim_end_matches(['"', '”', '’', '\'', ')', ']', '*']);
    text.ends_with(['.', ':', ';', '!', '?'])
}

/// The last word of a line in lower case.
fn last_word(text: &str) -> String {
    let word = text.rsplit(char::is_whitespace).next().unwrap_or_default();
    word.trim_start_matches(['(', '[', '“', '"']).to_lowercase()
}

/// True when the text after the first word goes on in lower case or with a comma.
fn goes_on_low(text: &str) -> bool {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    word.ends_with([',', ';']) || rest.trim_start().starts_with(char::is_lowercase)
}

/// True when the first word of a line closes a bracket that is open at the end of the line before.
fn closes_bracket(before: &str, text: &str) -> bool {
    let word = text.split(char::is_whitespace).next().unwrap_or_default();
    let is_open = before.rfind('(') > before.rfind(')');
    is_open && word.contains(')') && !word.contains('(')
}

/// True when a line ends in the middle of a sentence: with a comma or with a word in lower case, after others.
fn ends_in_sentence(text: &str) -> bool {
    let word = text.rsplit(char::is_whitespace).next().unwrap_or_default();
    word.len() < text.len()
        && (word.ends_with(',')
            || word.starts_with(char::is_lowercase)
                && word.ends_with(|c: char| c.is_alphanumeric() || c == '-'))
}
