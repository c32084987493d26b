//! The pieces of a text between which it may be cut.

use super::CountTokens;
use crate::document::{Block, BlockKind, Document, Span};

/// Words before a full stop that ends no sentence.
const ABBREVIATIONS: [&str; 20] = [
    "sec", "secs", "fig", "figs", "art", "arts", "nos", "vol", "para", "paras", "approx", "ave", "dept",
    "vs", "eq", "eqs", "min", "max", "incl", "ed",
];

/// Blocks that fit, sentences of those that do not, rows of tables; of a sentence that does not fit its clauses or words.
pub(super) fn units(document: &Document, stretch: Span, room: usize, count: CountTokens<'_>) -> Vec<Span> {
    let blocks = &document.blocks;
    let from = blocks.partition_point(|block| block.span.end <= stretch.start);
    let mut units = Vec::new();
    for block in blocks.iter().skip(from).take_while(|block| block.span.start < stretch.end) {
        let span = Span::new(block.span.start.max(stretch.start), block.span.end.min(stretch.end));
        if count(document.slice(span)) <= room {
            units.push(span);
            continue;
        }
        for unit in pieces(document, block, span) {
            if count(document.slice(unit)) <= room {
                units.push(unit);
            } else {
                cut(document, unit, room, count, &mut units);
            }
        }
    }
    units
}

/// The rows of a table, the sentences and lines of other blocks.
fn pieces(document: &Document, block: &Block, span: Span) -> Vec<Span> {
    let text = document.slice(span);
    let is_table = matches!(block.kind, BlockKind::Table(_));
    let mut pieces = Vec::new();
    let mut start = 0;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        if c == '\n' || !is_table && is_sentence_end(text, at, c) {
            pieces.push(Span::new(span.start + start, span.start + end));
            start = end;
        }
    }
    if start < text.len() {
        pieces.push(Span::new(span.start + start, span.end));
    }
    pieces
}

/// Cuts a sentence that does not fit: after a comma or semicolon if one stands in the second half of what fits, else
/// after a word; a word that alone does not fit stays whole.
fn cut(document: &Document, sentence: Span, room: usize, count: CountTokens<'_>, units: &mut Vec<Span>) {
    let text = document.slice(sentence);
    let (mut start, mut used, mut clause) = (0, 0, None);
    let mut at = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        let tokens = count(word);
        if used > 0 && used + tokens > room {
            let end = clause
                .take()
                .filter(|(end, held)| *end > start && held * 2 >= room)
                .map_or(at, |(end, _)| end);
            units.push(Span::new(sentence.start + start, sentence.start + end));
            used = count(text.get(end..at).unwrap_or_default());
            start = end;
        }
        used += tokens;
        at += word.len();
        if word.trim_end().ends_with([',', ';', ':']) {
            clause = Some((at, used));
        }
    }
    units.push(Span::new(sentence.start + start, sentence.end));
}

/// A full stop, semicolon or line end after which something new begins. "Sec. 5", "No. 5" and "U.S. Code" do not count.
pub(super) fn is_sentence_end(text: &str, at: usize, c: char) -> bool {
    let after = text.get(at + c.len_utf8()..).unwrap_or_default();
    match c {
        '\n' => true,
        '.' | ';' | '?' | '!' => {
            let begins = after.starts_with(char::is_whitespace)
                && after.trim_start().starts_with(|n: char| n.is_uppercase() || matches!(n, '(' | '“' | '"'));
            let word = last_word(text.get(..at).unwrap_or_default()).trim_start_matches(['(', '“', '"']);
            let is_short = c == '.' && (word.chars().count() <= 2 || word.contains('.'));
            begins && !is_short && !ABBREVIATIONS.contains(&word.to_lowercase().as_str())
        }
        _ => false,
    }
}

/// The word at the end of a text, of which no more than the last few letters matter.
fn last_word(text: &str) -> &str {
    const LETTERS: usize = 12;
    let from = text.char_indices().rev().nth(LETTERS).map_or(0, |(at, _)| at);
    text.get(from..).unwrap_or_default().rsplit(char::is_whitespace).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_where_a_new_one_begins() {
        let ends = |text: &str| {
            text.char_indices()
                .filter(|(at, c)| is_sentence_end(text, *at, *c))
                .map(|(at, _)| at)
                .collect::<Vec<_>>()
        };
        assert_eq!(ends("A door shall open. It shall close."), [17]);
        for text in
            ["See Sec. Five there", "Table No. A is", "the U.S. Code says", "of 4. 5 feet", "a 1.5 Inch bolt"]
        {
            assert!(ends(text).is_empty(), "{text}");
        }
    }
}
