//! A quotation as pieces that must stand in order: what it leaves out and what it puts in is marked.

use std::sync::LazyLock;

use regex::Regex;

use super::words::{Word, is_negation, words};
use crate::document::Span;

static ELLIPSIS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"[\[(]\s*(?:…|\.\s?\.\s?\.)\s*[\])]|…|\.\s?\.\s?\.(?:\s?\.)?|(?:^|[^*])\*\s\*\s\*(?:[^*]|$)")
        .ok()
});
static BRACKET: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\[[^\[\]]{0,300}\]|\(sic\)").ok());

/// Words that follow each other without a gap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    pub words: Vec<Word>,
    /// So many words of the text may stand between the piece before and this one, in whose place the draft put its own.
    pub gap: usize,
}

/// A quotation, taken apart.
pub(super) struct Quote<'t> {
    pub text: &'t str,
    /// Between ellipses, with what stands in brackets as words like others.
    pub literal: Vec<Vec<Word>>,
    /// Between ellipses, without what stands in brackets; empty when there are no brackets.
    pub bracketed: Vec<Vec<Piece>>,
    /// What stands in brackets.
    pub insertions: Vec<&'t str>,
}

impl<'t> Quote<'t> {
    pub fn of(text: &'t str) -> Quote<'t> {
        let all = words(text);
        let brackets = brackets(text);
        let ellipses: Vec<Span> = matches(&ELLIPSIS, text);
        let mut literal = Vec::new();
        let mut bracketed = Vec::new();
        let mut from = 0;
        let ends = ellipses.iter().copied().chain([Span::new(text.len(), text.len())]);
        let mut next = 0;
        for ellipsis in ends {
            let count = all.iter().skip(next).take_while(|word| word.span.start < ellipsis.start).count();
            let group = all.get(next..next + count).unwrap_or_default().to_vec();
            let stretch = Span::new(from, ellipsis.start);
            next += count;
            from = ellipsis.end;
            if group.is_empty() {
                continue;
            }
            if !brackets.is_empty() {
                bracketed.push(pieces(text, &group, &brackets, stretch));
            }
            literal.push(group);
        }
        bracketed.retain(|group| !group.is_empty());
        let insertions = brackets.iter().map(|bracket| bracket.of(text)).collect();
        Quote { text, literal, bracketed, insertions }
    }

    /// Words in all, without those in brackets.
    pub fn groups(&self) -> Vec<Vec<Word>> {
        if self.bracketed.is_empty() {
            return self.literal.clone();
        }
        let joined = |group: &Vec<Piece>| group.iter().flat_map(|piece| piece.words.clone()).collect();
        self.bracketed.iter().map(joined).collect()
    }
}

fn matches(pattern: &LazyLock<Option<Regex>>, text: &str) -> Vec<Span> {
    let found = pattern.as_ref().map(|pattern| pattern.find_iter(text));
    found.into_iter().flatten().map(|m| Span::new(m.start(), m.end())).collect()
}

/// Brackets that hold words of the draft's own: not the altered first letter of "[T]he". With part of a word outside
/// ("require[d]") the whole word.
fn brackets(text: &str) -> Vec<Span> {
    let own = |span: Span| {
        let (before, after) = (text.get(..span.start)?, text.get(span.end..)?);
        let starts_word = !before.ends_with(char::is_alphanumeric) && after.starts_with(char::is_alphabetic);
        let is_initial = starts_word && span.of(text).chars().count() == 3;
        let is_gap = ELLIPSIS.as_ref().is_some_and(|pattern| pattern.is_match(span.of(text)));
        // "[not]" is no explanation.
        let negates = words(span.of(text)).iter().any(is_negation);
        if is_initial || is_gap || negates {
            return None;
        }
        let left = before.len() - before.trim_end_matches(char::is_alphabetic).len();
        let right = after.len() - after.trim_start_matches(char::is_alphabetic).len();
        Some(Span::new(span.start - left, span.end + right))
    };
    matches(&BRACKET, text).into_iter().filter_map(own).collect()
}

fn pieces(text: &str, group: &[Word], brackets: &[Span], stretch: Span) -> Vec<Piece> {
    let mut found = vec![Piece { words: Vec::new(), gap: 0 }];
    let first = brackets.partition_point(|bracket| bracket.end <= stretch.start);
    let mut inside = brackets.iter().skip(first).peekable();
    for word in group {
        while inside.peek().is_some_and(|bracket| bracket.end <= word.span.start) {
            if let Some(bracket) = inside.next() {
                found.push(Piece { words: Vec::new(), gap: room(bracket.of(text)) });
            }
        }
        let is_own = inside.peek().is_some_and(|bracket| bracket.start < word.span.end);
        if let Some(piece) = found.last_mut().filter(|_| !is_own) {
            piece.words.push(*word);
        }
    }
    // Brackets in a row open one gap.
    let mut joined: Vec<Piece> = Vec::with_capacity(found.len());
    let mut gap = 0;
    for piece in found {
        gap += piece.gap;
        if !piece.words.is_empty() {
            joined.push(Piece { words: piece.words, gap: if joined.is_empty() { 0 } else { gap } });
            gap = 0;
        }
    }
    joined
}

/// How many words of the text may stand where the draft put these.
fn room(bracket: &str) -> usize {
    let inner = bracket.trim_matches(['[', ']', '(', ')']).trim();
    if inner.eq_ignore_ascii_case("sic") || inner.is_empty() {
        return 0;
    }
    let is_part = !bracket.starts_with(['[', '(']) || !bracket.ends_with([']', ')']);
    if is_part { 1 } else { 2 * inner.split_whitespace().count() + 2 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(text: &str) -> Vec<Vec<(usize, usize)>> {
        let quote = Quote::of(text);
        let group = |group: &Vec<Piece>| group.iter().map(|piece| (piece.gap, piece.words.len())).collect();
        quote.bracketed.iter().map(group).collect()
    }

    #[test]
    fn pieces_are_found() {
        assert_eq!(Quote::of("[T]he doors … shall . . . be [...] wide").literal.len(), 4);
        assert!(Quote::of("[T]he doors").bracketed.is_empty());
        assert_eq!(shape("The [main] doors require[d] by it"), [vec![(0, 1), (4, 1), (1, 2)]]);
        assert_eq!(shape("The dors [sic] are (sic) wide"), [vec![(0, 2), (0, 1), (0, 1)]]);
        assert_eq!(Quote::of("").literal.len(), 0);
    }
}
