//! A draft in blocks and sentences: what belongs together.

use crate::document::Span;
use crate::verify::marker;

/// Words that a full stop behind them does not end a sentence after.
const SHORT: [&str; 27] = [
    "sec", "secs", "no", "nos", "p", "pp", "fig", "exc", "ex", "e.g", "i.e", "vs", "cf", "art", "ch", "ft",
    "in", "sq", "min", "max", "approx", "ed", "para", "st", "tbl", "app", "cl",
];

/// The blocks of a text in order: paragraphs, list items, headings, rows; lines that begin with `>` are one block.
pub(super) fn blocks(text: &str) -> Vec<Span> {
    let mut found: Vec<Span> = Vec::new();
    let (mut open, mut was_quoted) = (false, false);
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim();
        let is_quoted = trimmed.starts_with('>');
        let begins = !is_quoted
            && (trimmed.starts_with(['#', '|'])
                || marker::at_start(line.trim_start()).is_some()
                || line.trim_start().starts_with("* "));
        if trimmed.is_empty() {
            open = false;
        } else {
            match found.last_mut().filter(|_| open && !begins && is_quoted == was_quoted) {
                Some(last) => last.end = at + line.len(),
                None => found.push(Span::new(at, at + line.len())),
            }
            (open, was_quoted) = (!trimmed.starts_with('#'), is_quoted);
        }
        at += line.len();
    }
    found
}

/// The sentences of a block. Nothing inside a quotation ends one; `quotations` are in order.
pub(super) fn sentences(text: &str, block: Span, quotations: &[Span]) -> Vec<Span> {
    let mut found = Vec::new();
    let mut start = block.start;
    let mut next = quotations.partition_point(|quotation| quotation.end <= block.start);
    let inner = block.of(text);
    for (offset, c) in inner.char_indices().filter(|(_, c)| matches!(c, '.' | '?' | '!')) {
        let at = block.start + offset;
        while quotations.get(next).is_some_and(|quotation| quotation.end <= at) {
            next += 1;
        }
        let within = quotations.get(next).filter(|quotation| quotation.start <= at);
        let after = match within {
            // "… wide." The next sentence.
            Some(quotation)
                if text.get(at + 1..quotation.end).is_some_and(|rest| rest.chars().count() <= 1) =>
            {
                quotation.end
            }
            Some(_) => continue,
            None => at + 1,
        };
        let rest = text.get(after..block.end).unwrap_or_default();
        let closed = rest.trim_start_matches([')', ']', '”', '"', '’', '*', '_']);
        let head = closed.trim_start();
        let is_gap = head.len() < closed.len();
        let goes_on = head.starts_with(|c: char| c.is_lowercase() || "(—–[".contains(c));
        if is_gap && !goes_on && !(c == '.' && is_short(inner.get(..offset).unwrap_or_default())) {
            let end = block.end - head.len();
            found.push(Span::new(start, end));
            start = end;
        }
    }
    if start < block.end {
        found.push(Span::new(start, block.end));
    }
    found
}

fn is_short(before: &str) -> bool {
    let from = before.rfind(|c: char| !(c.is_alphanumeric() || c == '.')).map_or(0, |at| at + 1);
    let word = before.get(from..).unwrap_or_default().trim_start_matches(|c: char| !c.is_alphanumeric());
    word.chars().count() == 1 && word.starts_with(char::is_uppercase)
        || word.len() <= 6 && SHORT.contains(&word.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_and_sentences() {
        let text = "# One\nA line. See Sec. 5 and\nso on. Next.\n\n- item\n- other\n> quoted\n> on";
        let blocks = blocks(text);
        assert_eq!(blocks.len(), 5);
        let found: Vec<&str> =
            sentences(text, blocks[1], &[]).into_iter().map(|span| span.of(text).trim()).collect();
        assert_eq!(found, ["A line.", "See Sec. 5 and\nso on.", "Next."]);
        let text = "It says “Go on. Stop.” Then (so) on.";
        assert_eq!(sentences(text, Span::new(0, text.len()), &[Span::new(8, 26)]).len(), 2);
    }
}
