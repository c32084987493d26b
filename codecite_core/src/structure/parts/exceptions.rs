//! Exceptions of a section: one for each numbered item under a label, or one for the label.

use std::sync::LazyLock;

use regex::Regex;

use super::marks::{Mark, Style, first, is_bullet, is_next, past_mark, readings};
use super::{Part, PartKind, Piece};
use crate::document::{Document, Span};
use crate::profile::Profile;

/// The next item is looked for so many blocks further on.
const LOOK_AHEAD: usize = 8;

/// A label of a block, in whatever profile: "Exceptions", "EXCEPTION 2:", "Exception –".
static LABEL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^(?i:exceptions?)(?:\s+(?i:no\.\s*)?(?P<number>[0-9]{1,2}))?\s*(?:[:.—]|\s[–-]\s|\s*$)").ok()
});
/// A paragraph by this title: "(2) Exception. …", "(c) Exception for structural impracticability. …".
static TITLED: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^(?i:exceptions?)(?:\s+(?:for|to|from)\s[^.:]{1,100})?\s*[.:—]").ok());
/// A label inside a paragraph, after a sentence.
static INSIDE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"[.;:)\]]\s+(?P<label>(?:Exceptions?|EXCEPTIONS?)\s*:)").ok());
/// What an amending document says before an exception that it adds or changes.
static INSTRUCTION: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)(?-u:\b)(?:add|revise|replace|modify|amend|insert|substitute)\s+(?:(?:the|this|an?|new|following|first|second|third|fourth|fifth|last|sentence|sentences|of|to|in)\s+)*exceptions?(?-u:\b)[^.;]{0,80}:\s*$").ok()
});
/// A lead-in whose items are each excepted, not conditions of one exception.
static EACH_IS_ONE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?i)(?-u:\b)(?:(?P<quantity>all|any|each|both|either|one|two)\s+of\s+)?the\s+following\s*:\s*$",
    )
    .ok()
});

/// A label and what is said after it.
struct Label {
    /// Where the exception begins, and where the label ends, in the text.
    start: usize,
    end: usize,
    is_plural: bool,
    /// An instruction: the items go on counting from others that are not printed.
    is_instruction: bool,
    /// It says to what the exception is: what follows is all about that one.
    is_titled: bool,
    /// "Exception 2:"
    number: Option<u32>,
}

/// The exceptions of a section, in order. `line` is the section's first line, which may be an instruction.
pub(in super::super) fn exceptions(
    document: &Document,
    profile: &Profile,
    line: Span,
    pieces: &[Piece<'_>],
) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut index = 0;
    if matches(&INSTRUCTION, document.slice(line))
        && !pieces.first().is_some_and(|p| is_labelled(document, profile, p))
    {
        let end = line.start + document.slice(line).trim_end().len();
        let label = Label {
            start: line.start,
            end,
            is_plural: true,
            is_instruction: true,
            is_titled: false,
            number: None,
        };
        index += take(&mut parts, document, profile, &label, "", pieces);
    }
    while let Some(piece) = pieces.get(index) {
        index += 1;
        let following = pieces.get(index..).unwrap_or_default();
        let Some(label) = label_of(document, profile, piece, following) else { continue };
        let rest = Span::new(label.end, piece.span.end);
        index += take(&mut parts, document, profile, &label, document.slice(rest), following);
    }
    number_repeated(&mut parts);
    parts
}

fn matches(pattern: &LazyLock<Option<Regex>>, text: &str) -> bool {
    pattern.as_ref().is_some_and(|pattern| pattern.is_match(text))
}

/// The label in a block: at its beginning, also after a mark, or inside it after a sentence.
fn label_of(
    document: &Document,
    profile: &Profile,
    piece: &Piece<'_>,
    following: &[Piece<'_>],
) -> Option<Label> {
    if piece.is_table() {
        return None;
    }
    let text = piece.text(document);
    let at_start = label_end(profile, text);
    let marked = text.len() - past_mark(text).len();
    let titled = || {
        let after = text.get(marked..).filter(|_| marked > 0)?;
        Some(marked + TITLED.as_ref()?.find(after)?.end())
    };
    let inside = || INSIDE.as_ref()?.captures(text)?.name("label");
    let is_instruction =
        matches(&INSTRUCTION, text) && !following.first().is_some_and(|p| is_labelled(document, profile, p));
    let (start, end) = match (at_start.or_else(titled), inside()) {
        (Some(end), _) => (0, end),
        (None, Some(label)) => (label.start(), label.end()),
        (None, None) if is_instruction => (0, text.len()),
        (None, None) => return None,
    };
    let label = text.get(start..end).unwrap_or_default().to_lowercase();
    let is_plural = is_instruction || label.contains("exceptions");
    let base = piece.span.start;
    let is_titled = label.split_whitespace().count() > 2 && !is_instruction;
    let number = LABEL.as_ref().and_then(|pattern| pattern.captures(text.get(start..end)?)?.name("number"));
    let number = number.and_then(|number| number.as_str().parse().ok());
    Some(Label { start: base + start, end: base + end, is_plural, is_instruction, is_titled, number })
}

fn is_labelled(document: &Document, profile: &Profile, piece: &Piece<'_>) -> bool {
    label_end(profile, piece.text(document)).is_some()
}

/// Where the label at the beginning of a block ends.
fn label_end(profile: &Profile, text: &str) -> Option<usize> {
    let general = LABEL.as_ref().and_then(|label| label.find(text));
    let own = || profile.exceptions.iter().find_map(|label| Some(label.find(text)?.end()));
    general.map(|found| found.end()).or_else(own)
}

/// Adds the exceptions under a label. Returns how many of the following blocks they take.
fn take(
    parts: &mut Vec<Part>,
    document: &Document,
    profile: &Profile,
    label: &Label,
    rest: &str,
    following: &[Piece<'_>],
) -> usize {
    let body = rest.trim_start();
    let inline = first(body).filter(|_| !label.is_instruction);
    let (lead, skipped) = lead_in(document, label, body, following);
    let list = following.get(skipped..).unwrap_or_default();
    let items = Items::find(document, profile, label, inline, list);
    let whole_end = |count: usize| {
        let last = count.checked_sub(1).and_then(|last| following.get(last));
        last.map_or(label.end + rest.trim_end().len(), |piece| piece.span.end)
    };
    let is_one = label.is_titled || label.number.is_some();
    let each_is_one = label.is_plural
        || inline.is_some() && !is_one
        || lead.is_empty() && !is_one
        || EACH_IS_ONE
            .as_ref()
            .and_then(|p| p.captures(lead))
            .is_some_and(|found| found.name("quantity").is_none());
    let taken = skipped + items.count;
    let mut starts: Vec<(usize, Option<u32>)> = Vec::new();
    if let Some(mark) = inline {
        starts.extend(inner_items(document, Span::new(label.end, label.end + rest.len()), mark));
    }
    starts.extend(items.starts.iter().filter_map(|(at, value)| Some((list.get(*at)?.span.start, *value))));
    if each_is_one && !starts.is_empty() {
        push_items(parts, document, label.start, &starts, whole_end(taken));
        return taken;
    }
    // The label alone in its line: the next block is what it labels.
    let taken = if body.is_empty()
        && taken == 0
        && following.first().is_some_and(|p| !p.is_heading() && !p.is_table())
    {
        usize::from(!label.is_instruction)
    } else {
        taken
    };
    if taken > 0 || !body.is_empty() {
        let span = Span::new(label.start, whole_end(taken));
        let locator = label.number.map_or("Exception".to_owned(), |number| format!("Exception {number}"));
        parts.push(Part { kind: PartKind::Exception, locator, span });
    }
    taken
}

/// What stands between a label and its list, and how many blocks of their own that takes.
fn lead_in<'d>(
    document: &'d Document,
    label: &Label,
    rest: &'d str,
    following: &[Piece<'_>],
) -> (&'d str, usize) {
    if !rest.is_empty() || label.is_instruction {
        return (rest, 0);
    }
    let text = following.first().map_or("", |piece| piece.text(document));
    let begins_list = following.get(1).is_some_and(|next| first(next.text(document)).is_some());
    let is_lead = begins_list && text.ends_with(':') && readings(text).is_empty();
    if is_lead { (text, 1) } else { ("", 0) }
}

/// The places at which numbered items begin inside a block, the first one included.
fn inner_items(document: &Document, span: Span, mark: Mark) -> Vec<(usize, Option<u32>)> {
    let text = document.slice(span);
    let mut starts = vec![(span.start, Some(mark.value))];
    let mut expected = mark.value + 1;
    for (at, _) in text.match_indices(['.', ';', ':']) {
        let after = text.get(at + 1..).unwrap_or_default();
        let body = after.trim_start();
        if body.len() < after.len() && is_next(body, mark.style, expected).is_some() {
            starts.push((span.start + text.len() - body.len(), Some(expected)));
            expected += 1;
        }
    }
    starts
}

/// The list under a label: at which of the blocks a new item begins, and how many belong to it.
struct Items {
    starts: Vec<(usize, Option<u32>)>,
    count: usize,
}

impl Items {
    fn find(
        document: &Document,
        profile: &Profile,
        label: &Label,
        inline: Option<Mark>,
        list: &[Piece<'_>],
    ) -> Items {
        let mut items = Items { starts: Vec::new(), count: 0 };
        let text_of = |index: usize| list.get(index).map_or("", |piece| piece.text(document));
        let bulleted = inline.is_none() && label.is_plural && is_bullet(text_of(0));
        let opening = match inline {
            Some(mark) => Some((mark.style, mark.value + 1)),
            None => readings(text_of(0))
                .into_iter()
                .find(|mark| mark.value == 1 || label.is_instruction && mark.style.is_decimal())
                .map(|mark| (mark.style, mark.value)),
        };
        let Some((style, mut expected)) = opening.or_else(|| bulleted.then_some((Style::DECIMAL, 1))) else {
            return items;
        };
        let indent = list.first().map_or(0.0, |piece| piece.block.layout.indent);
        for (index, piece) in list.iter().enumerate() {
            let text = piece.text(document);
            let rest = list.get(index..).unwrap_or_default();
            if bulleted && is_bullet(text) {
                items.starts.push((index, None));
            } else if !bulleted && is_next(text, style, expected).is_some() {
                items.starts.push((index, Some(expected)));
                expected += 1;
            } else if is_labelled(document, profile, piece)
                || !(continues(piece, text, indent, items.starts.is_empty())
                    || !bulleted && goes_on_later(document, profile, rest, style, expected))
                || is_caption(document, profile, rest)
            {
                break;
            }
            items.count = index + 1;
        }
        items
    }
}

/// A block that goes on with the item before it: an inner item, or a paragraph set as deep as the item.
fn continues(piece: &Piece<'_>, text: &str, indent: f32, before_first: bool) -> bool {
    if before_first {
        return false;
    }
    let deeper = piece.block.layout.indent > 0.0 && piece.block.layout.indent >= indent;
    let is_marked = is_bullet(text)
        || text.starts_with(['(', '•', '-'])
        || text.split_once(['.', ')']).is_some_and(|(m, _)| m.len() <= 4);
    piece.is_item() && is_marked || piece.is_paragraph() && deeper
}

/// The next item of the list comes a few blocks further on, before anything else begins.
fn goes_on_later(
    document: &Document,
    profile: &Profile,
    rest: &[Piece<'_>],
    style: Style,
    expected: u32,
) -> bool {
    let mut ahead = rest.iter().take(LOOK_AHEAD).map(|piece| (piece, piece.text(document)));
    let begins = |(piece, text): &(&Piece<'_>, &str)| {
        piece.is_heading() || is_labelled(document, profile, piece) || is_next(text, style, 1).is_some()
    };
    ahead
        .find(|next| begins(next) || is_next(next.1, style, expected).is_some())
        .is_some_and(|next| !begins(&next))
}

/// The first block is the caption of a table, which stands right below it or below a title line.
fn is_caption(document: &Document, profile: &Profile, pieces: &[Piece<'_>]) -> bool {
    let is_table = |at: usize| pieces.get(at).is_some_and(Piece::is_table);
    let reads_as_caption = |at: usize| {
        let text = pieces.get(at).map_or("", |piece| piece.text(document));
        profile.captions.iter().any(|pattern| pattern.is_match(text))
    };
    reads_as_caption(0) && (is_table(1) || is_table(2) && !reads_as_caption(1))
}

/// One exception for each item. The label belongs to the first, so that no byte is outside.
fn push_items(
    parts: &mut Vec<Part>,
    document: &Document,
    label: usize,
    starts: &[(usize, Option<u32>)],
    end: usize,
) {
    for (position, (start, value)) in starts.iter().enumerate() {
        let from = if position == 0 { label } else { *start };
        // The white space before the next item is nobody's.
        let to = starts.get(position + 1).map_or(end, |(next, _)| *next);
        let to = from + document.slice(Span::new(from, to)).trim_end().len();
        let number = value.unwrap_or(u32::try_from(position + 1).unwrap_or(u32::MAX));
        let locator = format!("Exception {number}");
        parts.push(Part { kind: PartKind::Exception, locator, span: Span::new(from, to) });
    }
}

/// Several single exceptions in one section are told apart by their order.
fn number_repeated(parts: &mut [Part]) {
    let singles = parts.iter().filter(|part| part.locator == "Exception").count();
    if singles < 2 {
        return;
    }
    for (index, part) in parts.iter_mut().enumerate() {
        part.locator = format!("Exception {}", index + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{BlockKind, DocumentBuilder, Layout, Style};

    /// Locators and first words of the exceptions in a section of these blocks, the first its heading.
    fn found(blocks: &[&str]) -> Vec<String> {
        let mut builder = DocumentBuilder::new();
        for block in blocks {
            builder.block(BlockKind::Paragraph, &[(block, Style::default())], Layout::default(), None);
        }
        let document = builder.finish();
        let line = document.blocks[0].span;
        let stretch = Span::new(line.end, document.text.len());
        let pieces: Vec<Piece<'_>> =
            document.blocks.iter().filter_map(|block| Piece::of(&document, block, stretch)).collect();
        let profile = Profile::builtin("ibc").unwrap();
        exceptions(&document, &profile, line, &pieces)
            .iter()
            .map(|part| {
                let words: Vec<&str> = document.slice(part.span).split_whitespace().collect();
                format!("{}: {}", part.locator, words.last().unwrap())
            })
            .collect()
    }

    #[test]
    fn a_label_and_its_text_are_one() {
        assert_eq!(found(&["1 T.", "Exception: Not one.", "More."]), ["Exception: one."]);
        assert_eq!(found(&["1 T.", "EXCEPTION:", "Not one.", "More."]), ["Exception: one."]);
        assert_eq!(found(&["1 T.", "A rule. Exception: Not one.", "More."]), ["Exception: one."]);
        assert_eq!(found(&["1 T.", "Exception 2: Not one.", "More."]), ["Exception 2: one."]);
        assert_eq!(found(&["1 T.", "(2) Exception. Not one.", "(3) More."]), ["Exception: one."]);
        assert_eq!(
            found(&["1 T.", "(c) Exception for one thing.", "(i) This.", "(ii) That."]),
            ["Exception: That."]
        );
    }

    #[test]
    fn numbered_and_lettered_items_are_one_each() {
        assert_eq!(
            found(&["1 T.", "Exceptions:", "1. One.", "2. Two."]),
            ["Exception 1: One.", "Exception 2: Two."]
        );
        assert_eq!(
            found(&["1 T.", "EXCEPTIONS", "(a) One.", "(b) Two."]),
            ["Exception 1: One.", "Exception 2: Two."]
        );
        assert_eq!(
            found(&["1 T.", "Exceptions: 1. One. 2. Two."]),
            ["Exception 1: One.", "Exception 2: Two."]
        );
        assert_eq!(found(&["1 T.", "Exception:", "1. One.", "2. Two."]).len(), 2);
        assert_eq!(found(&["1 T.", "Exceptions:", "It does not apply to:", "1. One.", "2. Two."]).len(), 2);
        assert_eq!(found(&["1 T.", "Exceptions:", "• One.", "• Two."]).len(), 2);
    }

    #[test]
    fn an_item_may_run_over_blocks() {
        let blocks =
            ["1 T.", "Exceptions:", "1. One:", "1.1. Inner.", "More of one.", "2. Two.", "After all."];
        assert_eq!(found(&blocks), ["Exception 1: one.", "Exception 2: Two."]);
    }

    #[test]
    fn conditions_are_no_exceptions_of_their_own() {
        let one = ["1 T.", "Exception: Where all of the following apply:", "1. One.", "2. Two."];
        assert_eq!(found(&one), ["Exception: Two."]);
        let each = ["1 T.", "Exception: It is not required for the following:", "1. One.", "2. Two."];
        assert_eq!(found(&each).len(), 2);
    }

    #[test]
    fn an_instruction_names_the_exception_that_it_adds() {
        assert_eq!(found(&["1 Add exception 5 as follows:", "5. Five."]), ["Exception 5: Five."]);
        assert_eq!(found(&["1 Revise Item 3 as follows:", "3. Three."]), Vec::<String>::new());
        assert_eq!(
            found(&["1 Add a sentence to the end of the Exception:", "Exception: One."]),
            ["Exception: One."]
        );
    }

    #[test]
    fn prose_about_exceptions_is_none() {
        for text in [
            "Exceptions to 202 shall be approved.",
            "Except as provided in 203.",
            "Exception 1 to 203.2 applies.",
        ] {
            assert_eq!(found(&["1 T.", text, "1. One."]), Vec::<String>::new(), "{text}");
        }
    }
}
