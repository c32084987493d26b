//! Labelled parts inside a section that carry no number of their own: exceptions and defined terms.

use super::headings::reads_as_sentence;
use crate::document::{Block, BlockKind, Document, Span};
use crate::profile::Profile;

/// What a part is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartKind {
    /// One exception.
    Exception,
    /// One defined term with its definition.
    Definition,
}

/// A part of a section with an address of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// What it is.
    pub kind: PartKind,
    /// Its address inside the section: `Exception 2`, or the term as printed.
    pub locator: String,
    /// Where it stands.
    pub span: Span,
}

/// The exceptions of a section, in order. `blocks` are the section's blocks after its heading.
pub(super) fn exceptions(document: &Document, profile: &Profile, blocks: &[&Block]) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut index = 0;
    while let Some(block) = blocks.get(index) {
        index += 1;
        let text = document.slice(block.span);
        let Some(label_end) = profile.exceptions.iter().find_map(|label| Some(label.find(text)?.end()))
        else {
            continue;
        };
        let label = text.get(..label_end).unwrap_or_default().to_lowercase();
        let rest = text.get(label_end..).unwrap_or_default().trim();
        let following = blocks.get(index..).unwrap_or_default();
        let items = items_after(document, profile, rest, following);
        let end_of = |count: usize| {
            following.get(..count).and_then(|b| b.last()).map_or(block.span.end, |b| b.span.end)
        };
        if (rest.is_empty() || label.contains("exceptions") || items.first_is_inline)
            && !items.starts.is_empty()
        {
            itemise(&mut parts, block, following, &items);
            index += items.count;
        } else {
            let span = Span::new(block.span.start, end_of(items.count));
            parts.push(Part { kind: PartKind::Exception, locator: "Exception".into(), span });
            index += items.count;
        }
    }
    number_repeated(&mut parts);
    parts
}

/// The list under a label: how many of the following blocks belong to it, and at which of them a new
/// numbered item begins.
struct Items {
    starts: Vec<usize>,
    count: usize,
    /// The first item stands in the label's own block.
    first_is_inline: bool,
}

fn items_after(document: &Document, profile: &Profile, rest: &str, following: &[&Block]) -> Items {
    let first_is_inline = item_number(rest) == Some(1);
    let mut expected = if first_is_inline { 2 } else { 1 };
    let mut items = Items { starts: Vec::new(), count: 0, first_is_inline };
    let indent = following.first().map_or(0.0, |block| block.layout.indent);
    for (index, block) in following.iter().enumerate() {
        let text = document.slice(block.span);
        if item_number(text) == Some(expected) {
            items.starts.push(index);
            expected += 1;
        } else if !continues(block, text, indent, items.starts.is_empty())
            || is_caption(document, profile, following.get(index..).unwrap_or_default())
        {
            break;
        }
        items.count = index + 1;
    }
    if first_is_inline {
        items.starts.insert(0, usize::MAX);
    }
    items
}

/// A block that goes on with the item before it: an inner item, or a paragraph set as deep as the item.
fn continues(block: &Block, text: &str, indent: f32, before_first: bool) -> bool {
    if before_first {
        return false;
    }
    let deeper = block.layout.indent > 0.0 && block.layout.indent >= indent;
    let is_marked =
        text.starts_with(['(', '•', '-']) || text.split_once(['.', ')']).is_some_and(|(m, _)| m.len() <= 4);
    matches!(block.kind, BlockKind::ListItem { .. }) && is_marked
        || matches!(block.kind, BlockKind::Paragraph) && deeper
}

/// The first block is the caption of a table, which stands right below it or below a title line.
fn is_caption(document: &Document, profile: &Profile, blocks: &[&Block]) -> bool {
    let is_table = |at: usize| matches!(blocks.get(at).map(|block| &block.kind), Some(BlockKind::Table(_)));
    let reads_as_caption = |at: usize| {
        let text = blocks.get(at).map_or("", |block| document.slice(block.span));
        profile.captions.iter().any(|pattern| pattern.is_match(text))
    };
    reads_as_caption(0) && (is_table(1) || is_table(2) && !reads_as_caption(1))
}

fn itemise(parts: &mut Vec<Part>, label: &Block, following: &[&Block], items: &Items) {
    for (number, start) in items.starts.iter().enumerate() {
        let from = if *start == usize::MAX {
            Some(label.span.start)
        } else {
            following.get(*start).map(|b| b.span.start)
        };
        let last = items.starts.get(number + 1).copied().unwrap_or(items.count);
        let to = match last.checked_sub(1).and_then(|i| following.get(i)) {
            Some(block) => block.span.end,
            None => label.span.end,
        };
        // The label itself belongs to the first exception, so that no byte is outside.
        let from = if number == 0 { label.span.start } else { from.unwrap_or(label.span.start) };
        let locator = format!("Exception {}", number + 1);
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

/// The number of a list item: `2` for "2. text" or "2) text".
fn item_number(text: &str) -> Option<u32> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, rest) = text.split_at(digits.min(3));
    (rest.starts_with(". ") || rest.starts_with(") ")).then(|| number.parse().ok())?
}

/// The defined terms of a definitions section, in order; each reaches to the next.
pub(super) fn definitions(document: &Document, blocks: &[&Block]) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for (index, block) in blocks.iter().enumerate() {
        let below = blocks.get(index + 1).copied();
        match term_of(document, block).or_else(|| term_alone(document, block, below)) {
            Some(locator) => parts.push(Part { kind: PartKind::Definition, locator, span: block.span }),
            None => {
                if let Some(last) =
                    parts.last_mut().filter(|_| !matches!(block.kind, BlockKind::Heading { .. }))
                {
                    last.span.end = block.span.end;
                }
            }
        }
    }
    parts
}

/// The longest term that is believed.
const MAX_TERM: usize = 120;

/// The term that a paragraph defines: set in bold or capitals at its beginning, or in quotation marks.
fn term_of(document: &Document, block: &Block) -> Option<String> {
    if !matches!(block.kind, BlockKind::Paragraph | BlockKind::ListItem { .. }) {
        return None;
    }
    let text = document.slice(block.span);
    let bold = document.slice(block.bold_lead(&document.text)).trim();
    let has_more = bold.len() < text.len();
    let lead = if !bold.is_empty() && has_more {
        bold
    } else {
        capitals_lead(text).or_else(|| quoted_lead(text))?
    };
    clean_term(lead)
}

/// A term on a line of its own, with its definition set deeper below it: what a list of definitions reads as.
fn term_alone(document: &Document, block: &Block, below: Option<&Block>) -> Option<String> {
    let is_paragraph = |block: &Block| matches!(block.kind, BlockKind::Paragraph);
    below.filter(|below| is_paragraph(below) && below.layout.indent > block.layout.indent)?;
    let text = document.slice(block.span);
    if is_paragraph(block) && !reads_as_sentence(text) { clean_term(text) } else { None }
}

/// A term without the punctuation around it; `None` when it is none.
fn clean_term(lead: &str) -> Option<String> {
    let term = lead.trim_matches(['.', ':', ' ', '“', '”', '"', ',', '—', '–']);
    let is_term = term.len() <= MAX_TERM && term.chars().any(char::is_alphabetic) && !term.starts_with('(');
    let is_label = term.to_lowercase().starts_with("exception") || term.to_lowercase().starts_with("table ");
    (is_term && !is_label).then(|| term.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// `OCCUPANT LOAD.` at the beginning of a paragraph.
fn capitals_lead(text: &str) -> Option<&str> {
    let end = text.find(['.', ':', '—'])?;
    let lead = text.get(..end)?;
    let has_more = text.len() > end + 2;
    (has_more
        && lead.chars().filter(|c| c.is_alphabetic()).count() >= 2
        && !lead.chars().any(char::is_lowercase))
    .then_some(lead)
}

/// `“Occupant load” means` at the beginning of a paragraph.
fn quoted_lead(text: &str) -> Option<&str> {
    let inner = text.strip_prefix(['“', '"'])?;
    let (term, rest) = inner.split_once(['”', '"'])?;
    rest.trim_start().starts_with("means").then_some(term)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn item_numbers() {
        assert_eq!(item_number("2. text"), Some(2));
        assert_eq!(item_number("12) text"), Some(12));
        assert_eq!(item_number("1004.5 x"), None);
        assert_eq!(item_number("a. text"), None);
    }

    #[test]
    fn leads_of_definitions() {
        assert_eq!(capitals_lead("OCCUPANT LOAD. The number"), Some("OCCUPANT LOAD"));
        assert_eq!(capitals_lead("Occupant load. The"), None);
        assert_eq!(quoted_lead("“Owner” means a person"), Some("Owner"));
    }
}
