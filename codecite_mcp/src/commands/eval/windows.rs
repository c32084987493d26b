//! The baseline's view of a code: windows of equal length over the running text, as a plain retrieval pipeline cuts it.

use codecite_core::chunk::estimate_tokens;

use crate::api::SectionText;

/// Most tokens of a window, where the model's own is not narrower.
const WINDOW: usize = 512;
/// Tokens that a model adds to every text.
const SPECIAL_TOKENS: usize = 2;
/// The share of a window that the next one repeats is 1 / OVERLAP.
const OVERLAP: usize = 5;

/// A stretch of running text that one section owns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece<'a> {
    /// The section's place among all of the corpus.
    pub section: usize,
    /// The text.
    pub text: &'a str,
}

/// A window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// The section that owns most of it.
    pub section: usize,
    /// The document's title on a line of its own, then the words.
    pub text: String,
}

/// The windows over a corpus, document by document, for a model that reads so many tokens.
pub fn windows(sections: &[SectionText], model_tokens: usize) -> Vec<Window> {
    let mut windows = Vec::new();
    let mut first = 0;
    for document in sections.chunk_by(|a, b| a.document_id == b.document_id) {
        let title = document.first().map_or("", |section| &section.title);
        cut(title, &pieces(first, document), model_tokens.min(WINDOW), &mut windows);
        first += document.len();
    }
    windows
}

/// The running text of a document, parted where sections begin and end. A table's text stands in the body of a section:
/// there it is the table's.
fn pieces(first: usize, document: &[SectionText]) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    for (section, of) in (first..).zip(document).filter(|(_, of)| of.nested.is_none()) {
        let mut rest = of.body.as_str();
        for (table, nested) in (first..).zip(document).filter(|(_, other)| other.nested == Some(of.ordinal)) {
            let Some((before, after)) = rest.split_once(&nested.body).filter(|_| !nested.body.is_empty())
            else {
                continue;
            };
            pieces.push(Piece { section, text: before });
            pieces.push(Piece { section: table, text: &nested.body });
            rest = after;
        }
        pieces.push(Piece { section, text: rest });
    }
    pieces
}

/// Cuts between words: each window as many tokens as fit beside the title, each beginning where the last fifth of the one
/// before it begins.
fn cut(title: &str, pieces: &[Piece<'_>], tokens: usize, windows: &mut Vec<Window>) {
    let room = tokens.saturating_sub(SPECIAL_TOKENS + estimate_tokens(title)).max(1);
    let words: Vec<(usize, &str, usize)> = pieces
        .iter()
        .flat_map(|piece| {
            piece.text.split_whitespace().map(|word| (piece.section, word, estimate_tokens(word)))
        })
        .collect();
    let mut rest = words.as_slice();
    while !rest.is_empty() {
        let taken = fitting(rest, room).max(1);
        let (window, after) = rest.split_at(taken);
        let text = window.iter().map(|(_, word, _)| *word).collect::<Vec<_>>().join(" ");
        windows.push(Window { section: owner(window), text: format!("{title}\n{text}") });
        if after.is_empty() {
            return;
        }
        let total: usize = window.iter().map(|(_, _, tokens)| tokens).sum();
        let (_, next) = rest.split_at(fitting(window, total - total / OVERLAP).clamp(1, taken));
        rest = next;
    }
}

/// How many words from the front are at most so many tokens.
fn fitting(words: &[(usize, &str, usize)], room: usize) -> usize {
    let mut used = 0;
    words
        .iter()
        .take_while(|(_, _, tokens)| {
            used += tokens;
            used <= room
        })
        .count()
}

/// The section with the most characters; the first of equals.
fn owner(words: &[(usize, &str, usize)]) -> usize {
    let mut shares: Vec<(usize, usize)> = Vec::new();
    for (section, word, _) in words {
        match shares.iter_mut().find(|(known, _)| known == section) {
            Some((_, share)) => *share += word.chars().count(),
            None => shares.push((*section, word.chars().count())),
        }
    }
    shares.iter().rev().max_by_key(|(_, share)| *share).map_or(0, |(section, _)| *section)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section(document_id: i64, ordinal: i32, nested: Option<i32>, body: &str) -> SectionText {
        let title = format!("Code {document_id}");
        SectionText { document_id, title, ordinal, number: None, nested, body: body.into() }
    }

    fn text(windows: &[Window], place: usize) -> &str {
        windows[place].text.strip_prefix("Code 1\n").unwrap()
    }

    #[test]
    fn windows_overlap_by_a_fifth_and_miss_no_word() {
        // Two tokens are the model's own, two the title's: ten words in each window, two of them repeated.
        let words: Vec<String> = (10..36).map(|n| format!("w{n}")).collect();
        let windows = windows(&[section(1, 0, None, &words.join(" "))], 14);
        assert_eq!(text(&windows, 0), words[..10].join(" "));
        assert_eq!(text(&windows, 1), words[8..18].join(" "));
        assert_eq!(text(&windows, 2), words[16..].join(" "));
        assert_eq!(windows.len(), 3);
    }

    #[test]
    fn a_window_is_never_longer_than_512_tokens() {
        let windows = windows(&[section(1, 0, None, &"wall ".repeat(3000))], 8192);
        assert!(windows.iter().all(|window| estimate_tokens(&window.text) <= 510));
        assert_eq!(estimate_tokens(&windows[0].text), 510);
    }

    #[test]
    fn a_window_is_credited_to_the_section_that_owns_most_of_it() {
        let sections =
            [section(1, 0, None, "a b c"), section(1, 1, None, "dd ee ff gg"), section(2, 0, None, "h")];
        let windows = windows(&sections, 512);
        assert_eq!(windows.iter().map(|window| window.section).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(windows[1].text, "Code 2\nh");
    }

    #[test]
    fn a_table_owns_its_text_in_the_body_around_it() {
        let sections = [section(1, 0, None, "Before. | a | b | After."), section(1, 1, Some(0), "| a | b |")];
        let pieces = pieces(5, &sections);
        let parts: Vec<_> = pieces.iter().map(|piece| (piece.section, piece.text)).collect();
        assert_eq!(parts, [(5, "Before. "), (6, "| a | b |"), (5, " After.")]);
    }

    #[test]
    fn a_word_longer_than_the_window_is_one_by_itself() {
        let long = "x".repeat(200);
        let windows = windows(&[section(1, 0, None, &format!("a {long} b"))], 10);
        assert_eq!(windows.len(), 3);
        assert_eq!(text(&windows, 1), long);
    }
}
