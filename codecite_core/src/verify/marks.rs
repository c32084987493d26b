//! Quotations of a draft, by the marks around them.

use crate::document::Span;

/// How quotations are set apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marks {
    /// In quotation marks.
    Quoted,
    /// A Markdown block quotation.
    Block,
    /// In backticks.
    Code,
}

/// The longest text between marks.
const MOST: usize = 40_000;
/// Labels of remarks that are set as block quotations.
const REMARKS: [&str; 6] = ["note", "warning", "tip", "important", "caution", "disclaimer"];

/// A quotation and the marks around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Marked {
    pub marks: Marks,
    /// With the marks.
    pub whole: Span,
    /// Between the marks.
    pub inner: Span,
}

/// All quotations in order, none within another.
pub(super) fn quotations(text: &str) -> Vec<Marked> {
    let mut found = Vec::new();
    let mut is_fenced = false;
    for stretch in stretches(text) {
        let inner = stretch.of(text);
        let fences = inner.lines().filter(|line| line.trim_start().starts_with("```")).count();
        let was_fenced = is_fenced;
        is_fenced ^= fences % 2 == 1;
        if was_fenced || fences > 0 {
            continue;
        }
        match block_quotation(text, stretch) {
            Some(block) => found.extend(block.filter(|marked| !marked.inner.is_empty())),
            None => between_marks(text, stretch, &mut found),
        }
    }
    found
}

/// Stretches between blank lines; lines that begin with `>` are a stretch of their own.
fn stretches(text: &str) -> Vec<Span> {
    let mut found: Vec<Span> = Vec::new();
    let mut open = false;
    let mut was_block = false;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        let trimmed = line.trim();
        let is_block = trimmed.starts_with('>');
        if trimmed.is_empty() {
            open = false;
        } else {
            match found.last_mut().filter(|_| open && is_block == was_block) {
                Some(last) => last.end = end,
                None => found.push(Span::new(at, end)),
            }
            (open, was_block) = (true, is_block);
        }
        at = end;
    }
    found
}

/// A stretch of `>` lines: its text without the attribution at its end. `Some(None)` for a remark.
fn block_quotation(text: &str, stretch: Span) -> Option<Option<Marked>> {
    let inner = stretch.of(text);
    if !inner.trim_start().starts_with('>') {
        return None;
    }
    let first = inner.trim_start_matches(['>', ' ', '\t', '*', '_', '\n', '[', '!']).to_lowercase();
    if REMARKS
        .iter()
        .any(|word| first.strip_prefix(word).is_some_and(|rest| rest.starts_with([':', ']', '*', ' '])))
    {
        return Some(None);
    }
    let start = stretch.start + inner.len() - inner.trim_start_matches(['>', ' ', '\t', '\n', '\r']).len();
    let mut end = stretch.start + inner.trim_end_matches(['>', ' ', '\t', '\n', '\r']).len();
    let body = text.get(start..end).unwrap_or_default();
    if let Some(at) = body.rfind('\n') {
        let last = body.get(at..).unwrap_or_default().trim_start_matches(['\n', '>', ' ', '\t']);
        if last.starts_with(['—', '–']) || last.starts_with("--") || last.starts_with("Source:") {
            end = start
                + body.get(..at).unwrap_or_default().trim_end_matches(['>', ' ', '\t', '\n', '\r']).len();
        }
    }
    let mut span = Span::new(start, end);
    let marked = span.of(text);
    for (open, close) in [('"', '"'), ('“', '”')] {
        let rest = marked.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
        if rest.is_some_and(|rest| !rest.contains(open)) {
            span = Span::new(start + open.len_utf8(), end - close.len_utf8());
        }
    }
    Some(Some(Marked { marks: Marks::Block, whole: Span::new(start, end), inner: span }))
}

fn between_marks(text: &str, stretch: Span, found: &mut Vec<Marked>) {
    let mut at = stretch.start;
    // A mark that is never closed costs one search, not one for each time it stands there.
    let mut open_to: [usize; 6] = [0; 6];
    while let Some((offset, c)) =
        text.get(at..stretch.end).and_then(|rest| rest.char_indices().find(|(_, c)| "\"“‘'«`".contains(*c)))
    {
        let start = at + offset;
        let inner = start + c.len_utf8();
        let kind = "\"“‘'«`".chars().position(|mark| mark == c).unwrap_or(0);
        let is_dead = open_to.get(kind).is_some_and(|dead| *dead > inner);
        let rest = text.get(inner..stretch.end.min(floor(text, inner + MOST))).unwrap_or_default();
        match opens(text, start, c).then(|| if is_dead { None } else { close(rest, c) }) {
            Some(Some(length)) => {
                let close_length =
                    rest.get(length..).and_then(|r| r.chars().next()).map_or(1, char::len_utf8);
                let whole = Span::new(start, inner + length + close_length);
                let marks = if c == '`' { Marks::Code } else { Marks::Quoted };
                found.push(Marked { marks, whole, inner: Span::new(inner, inner + length) });
                at = whole.end;
            }
            Some(None) => {
                if let Some(dead) = open_to.get_mut(kind).filter(|_| rest.len() < MOST) {
                    *dead = stretch.end;
                }
                at = inner;
            }
            None => at = inner,
        }
    }
}

fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// True when a mark here can open: an apostrophe or a sign for inches stands behind something.
fn opens(text: &str, at: usize, c: char) -> bool {
    let before = text.get(..at).and_then(|before| before.chars().next_back());
    let after = text.get(at + c.len_utf8()..).and_then(|after| after.chars().next());
    let behind_gap = before.is_none_or(|c| c.is_whitespace() || "([{—–-:/*_>|".contains(c));
    let before_text = after.is_some_and(|c| !c.is_whitespace());
    match c {
        '“' | '«' => after.is_some(),
        '`' => before != Some('`') && after != Some('`'),
        '\'' => behind_gap && after.is_some_and(char::is_alphanumeric),
        _ => behind_gap && before_text,
    }
}

/// Where the closing mark stands.
fn close(rest: &str, open: char) -> Option<usize> {
    match open {
        '“' => rest.find(['”', '“']).filter(|at| rest.get(*at..).is_some_and(|r| r.starts_with('”'))),
        '«' => rest.find('»'),
        '`' => rest.find('`'),
        '"' => closing(rest, &['"'], |before| before.is_ascii_digit()),
        '‘' => closing(rest, &['’'], |before| before == 's'),
        _ => closing(rest, &['\''], |before| before == 's'),
    }
}

/// The first mark that can close. One behind a digit (inches) or an "s" (a genitive) only when no better one follows before
/// the next that opens.
fn closing(rest: &str, marks: &[char], is_doubtful: impl Fn(char) -> bool) -> Option<usize> {
    let mut doubtful = None;
    let mut before = ' ';
    let mut chars = rest.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if marks.contains(&c) {
            let after = chars.peek().map(|(_, c)| *c);
            let ends = after.is_none_or(|c| !c.is_alphanumeric());
            if !before.is_whitespace() && ends {
                let goes_on = after.is_some_and(char::is_whitespace);
                if !(is_doubtful(before) && goes_on) {
                    return Some(doubtful.filter(|_| before.is_whitespace()).unwrap_or(at));
                }
                doubtful = doubtful.or(Some(at));
            } else if doubtful.is_some()
                && after.is_some_and(|c| !c.is_whitespace())
                && before.is_whitespace()
            {
                return doubtful;
            }
        }
        before = c;
    }
    doubtful
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        quotations(text).into_iter().map(|marked| marked.inner.of(text)).collect()
    }

    #[test]
    fn quotations_in_all_marks() {
        assert_eq!(
            found("a \"b c\" d “e f,” g ‘h’s i’ j « k » `l m`"),
            ["b c", "e f,", "h’s i", " k ", "l m"]
        );
        assert_eq!(found("the owners' rights, it's 5' wide, 36\" high, don't"), Vec::<&str>::new());
        assert_eq!(found("\"a door 36\" wide or more\" (x)"), ["a door 36\" wide or more"]);
        assert_eq!(found("says \"the load is 50\" and \"the rest\""), ["the load is 50", "the rest"]);
        assert_eq!(found("‘the owners’ rights are kept’ by"), ["the owners’ rights are kept"]);
        assert_eq!(found("“outer ‘inner’ outer” and “open"), ["outer ‘inner’ outer"]);
        assert_eq!(found("an open \" mark\n\nand \"a whole one\""), ["a whole one"]);
    }

    #[test]
    fn block_quotations() {
        assert_eq!(found("Says:\n> Doors are\n> wide.\n> — MBC §1\nand on"), ["Doors are\n> wide."]);
        assert_eq!(found("> “Doors are wide.”"), ["Doors are wide."]);
        assert_eq!(found("> **Note:** no advice\n\n```\n\"a b c d\"\n```\n"), Vec::<&str>::new());
    }
}
