//! Defined terms: those of a definitions section, those below a lead-in such as "the following definitions apply", and
//! those that a sentence defines in quotation marks.

use std::sync::LazyLock;

use regex::Regex;

use super::marks::past_mark;
use super::sentences::{in_sentence, says_meaning};
use super::{Part, PartKind, Piece};
use crate::document::{Document, Span};
use crate::roman::roman_value;
use crate::structure::headings::reads_as_sentence;

/// The longest term that is believed, in bytes and in words.
const MAX_TERM: usize = 120;
const MAX_WORDS: usize = 14;
/// A plain term before "means" has at most so many words.
const MAX_PLAIN_WORDS: usize = 9;
/// A lead-in is at most so long.
const MAX_LEAD_IN: usize = 700;

/// What stands before the annotations of a section, which are no terms.
const ANNOTATIONS: [&str; 12] = [
    "history",
    "law reviews",
    "cross references",
    "cross-references",
    "editor's notes",
    "editor's note",
    "code commission notes",
    "judicial decisions",
    "research references",
    "administrative rules and regulations",
    "source",
    "authority",
];
/// A list of terms has at least so many.
const FEW: usize = 3;
/// A term that is only a sentence of its own has at most so many words.
const MAX_SHORT_WORDS: usize = 6;
/// Its colon stands at most so far behind the words that make it one.
const MAX_TO_COLON: usize = 80;

/// What follows a term that is defined.
pub(super) const DEFINES: &str = r"(?:(?:shall\s+)?means?(?-u:\b)|(?:is|are|shall\s+be)\s+(?:hereby\s+)?defined\s+(?:as|to)(?-u:\b)|(?:shall\s+)?(?:have|has)\s+the\s+(?:same\s+)?meanings?(?-u:\b)|(?:shall\s+)?refers?\s+to(?-u:\b))";
static MEANS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(&format!(r"^,?\s*(?:as\s+used\s+in\s+[^,.]{{1,60}},\s*)?{DEFINES}")).ok());
/// A weaker sign, which is enough after a term in capitals, italics or quotation marks.
static SAYS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(&format!(
        r"^[,.]?\s*(?:{DEFINES}|(?:is|are|see|includes?|shall)(?-u:\b)|as\s+(?:used|defined)(?-u:\b)|[.:—–]|-\s)"
    ))
    .ok()
});
static LEAD_IN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)(?-u:\b)(?:following|certain|these)(?-u:\b)[^.]{0,80}?(?-u:\b)(?:terms?|words|definitions?|phrases)(?-u:\b)[^.]{0,160}?(?-u:\b)(?:appl(?:y|ies)|defined|means?|meanings?|govern)(?-u:\b)|(?-u:\b)(?:terms?|words|definitions)(?-u:\b)[^.]{0,120}(?-u:\b)(?:as\s+follows|following\s+meanings?)(?-u:\b)|(?-u:\b)the\s+terms?\s*:\s*$|^(?:\([a-z0-9]{1,3}\)\s+)?definitions?[.:]").ok()
});
static QUOTED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"^(?:Note:\s*)?[“"‘'](?P<term>[^”"’'“]{2,100}(?:’s?\s[^”"’'“]{1,60})?)[”"’'](?:\s+or\s+[“"‘'](?P<other>[^”"’'“]{2,80})[”"’'])?"#).ok()
});
/// The defined terms among a section's blocks, in order. In a definitions section (`titled`) each reaches to the next
/// one; elsewhere terms count from a lead-in on, and otherwise only where a sentence says what a quoted term means.
pub(in super::super) fn definitions(document: &Document, titled: bool, pieces: &[Piece<'_>]) -> Vec<Part> {
    let found = with_leads(document, titled, pieces, false);
    if !titled || found.len() >= FEW {
        return found;
    }
    // A text without any type, where terms are only sentences of their own.
    let plain = with_leads(document, titled, pieces, true);
    if plain.len() >= FEW { plain } else { found }
}

/// The terms by what sets them apart; `short` counts a first sentence of a few words as well.
fn with_leads(document: &Document, titled: bool, pieces: &[Piece<'_>], short: bool) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut open = titled;
    for (index, piece) in pieces.iter().enumerate() {
        let text = piece.text(document);
        if piece.is_heading() && !titled {
            open = false;
        }
        if let Some(rest) = past_lead_in(text) {
            open = true;
            let start = piece.span.end - rest.len();
            let term = quoted_lead(rest).or_else(|| capitals_lead(rest).map(str::to_owned));
            if let Some(locator) = term.and_then(|term| clean_term(&term)) {
                let span = Span::new(start, piece.span.end);
                parts.push(Part { kind: PartKind::Definition, locator, span });
            }
            continue;
        }
        let below = pieces.get(index + 1);
        let term = if open {
            let term = term_of(document, piece, titled).or_else(|| term_alone(document, piece, below));
            term.or_else(|| short_lead(text).filter(|_| short && !piece.is_table()).and_then(clean_term))
        } else {
            in_sentence(text)
                .or_else(|| capitals_term(text).and_then(clean_term))
                .or_else(|| italic_term(document, piece))
        };
        match term {
            Some(locator) => parts.extend(with_run_ins(locator, piece.span, text, titled)),
            None if open && !piece.is_heading() => {
                let goes_on =
                    titled || piece.is_item() || piece.is_table() || piece.block.layout.indent > 0.0;
                if let Some(last) = parts.last_mut().filter(|_| goes_on) {
                    last.span.end = piece.span.end;
                }
            }
            None => {}
        }
        // Below a lead-in the list of terms ends with the first paragraph that goes on at its edge.
        if open && !titled && parts.last().is_some_and(|last| last.span.end < piece.span.start) {
            open = false;
        }
    }
    parts
}

/// The definition of a paragraph, and those that follow in it in a definitions section.
fn with_run_ins(term: String, span: Span, text: &str, titled: bool) -> Vec<Part> {
    let new = |locator: String, start: usize| Part {
        kind: PartKind::Definition,
        locator,
        span: Span::new(start, span.end),
    };
    let mut parts = vec![new(term, span.start)];
    let found = RUN_IN.as_ref().filter(|_| titled).map(|pattern| pattern.captures_iter(text));
    for term in found.into_iter().flatten().filter_map(|captures| captures.name("term")) {
        let Some(locator) = clean_term(term.as_str()) else { continue };
        let before = text.get(..term.start()).unwrap_or_default().trim_end().len();
        if let Some(last) = parts.last_mut() {
            last.span.end = span.start + before;
        }
        parts.push(new(locator, span.start + term.start()));
    }
    parts
}

/// What a block says after a lead-in to definitions, which ends it or ends with a colon; `None` when it holds none.
fn past_lead_in(text: &str) -> Option<&str> {
    let head = text.get(..text.len().min(MAX_LEAD_IN)).or_else(|| text.get(..text.find(':')?))?;
    let found = LEAD_IN.as_ref()?.find(head)?;
    let after = text.get(found.end()..)?;
    if text.len() <= MAX_LEAD_IN && text.ends_with([':', '.', '—', '–']) && !after.contains(": ") {
        return Some("");
    }
    let colon = if found.as_str().ends_with(':') { 0 } else { after.find(':')? + 1 };
    let is_near = colon <= MAX_TO_COLON && !after.get(..colon)?.contains('.');
    is_near.then(|| after.get(colon..).map(str::trim_start)).flatten()
}

fn matches(pattern: &LazyLock<Option<Regex>>, text: &str) -> bool {
    pattern.as_ref().is_some_and(|pattern| pattern.is_match(text))
}

/// The term that a paragraph defines: set apart at its beginning, or before a word such as "means".
fn term_of(document: &Document, piece: &Piece<'_>, titled: bool) -> Option<String> {
    if piece.is_table() {
        return None;
    }
    let whole = piece.text(document);
    if piece.is_heading() {
        return plain_lead(whole).and_then(clean_term);
    }
    let text = past_mark(past_committee(whole));
    let start = piece.span.end - text.len();
    let bold = styled_lead(document, piece, start, |style| style.bold);
    let italic = styled_lead(document, piece, start, |style| style.italic);
    let set_apart = |lead: &str| !lead.trim().is_empty() && lead.len() < text.len();
    let lead = if set_apart(bold) && (titled || says(text, bold)) {
        bold
    } else if set_apart(italic) && says(text, italic.trim_end()) {
        italic
    } else {
        let lead =
            quoted_lead(text).or_else(|| capitals_lead(text).or_else(|| plain_lead(text)).map(str::to_owned));
        return clean_term(&lead?);
    };
    clean_term(lead)
}

/// Where a term in capitals begins inside a paragraph that holds several: "… is permitted. FIRE WALL. A wall …".
static RUN_IN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"[.;)\]]\s+(?P<term>[A-Z][A-Z][A-Z’'(),/ -]{3,80})\.\s+\p{Lu}[\p{Ll}\s]").ok()
});

/// What is said after a term set apart defines it; its own stop may be part of it.
fn says(text: &str, lead: &str) -> bool {
    lead.trim_end().ends_with(['.', ':', '—', '–'])
        || matches(&SAYS, text.get(lead.len()..).unwrap_or_default())
}

/// `[BG] EXIT.`: the committee that keeps a definition.
fn past_committee(text: &str) -> &str {
    let after = text.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    match after {
        Some((mark, rest)) if mark.len() <= 3 && mark.chars().all(|c| c.is_ascii_uppercase()) => {
            rest.trim_start()
        }
        _ => text,
    }
}

/// The beginning of a piece, from `start` on, that is set in a style.
fn styled_lead<'d>(
    document: &'d Document,
    piece: &Piece<'_>,
    start: usize,
    is: fn(crate::document::Style) -> bool,
) -> &'d str {
    let mut end = start;
    for run in piece.block.runs.iter().filter(|run| run.span.end > start) {
        let gap = Span::new(end, run.span.start).of(&document.text);
        if !is(run.style) || run.span.start > end && !gap.chars().all(char::is_whitespace) {
            break;
        }
        end = run.span.end.min(piece.span.end);
    }
    document.slice(Span::new(start, end))
}

/// A term on a line of its own, with its definition below it: set deeper, or the term set apart.
fn term_alone(document: &Document, piece: &Piece<'_>, below: Option<&Piece<'_>>) -> Option<String> {
    let below = below.filter(|below| below.is_paragraph())?;
    let text = piece.text(document);
    let is_lead = piece.block.bold_lead(&document.text).len() + 1 >= piece.block.span.len()
        && below.block.bold_lead(&document.text).is_empty();
    let is_deeper = below.block.layout.indent > piece.block.layout.indent;
    let is_line = piece.is_paragraph() && !reads_as_sentence(text) && !text.ends_with([':', ';', ',']);
    if is_line && (is_deeper || is_lead) { clean_term(text) } else { None }
}

/// `*Main use* includes …`: a term in italics that a sentence outside a list defines.
fn italic_term(document: &Document, piece: &Piece<'_>) -> Option<String> {
    let text = past_mark(piece.text(document));
    let lead = styled_lead(document, piece, piece.span.end - text.len(), |style| style.italic).trim_end();
    let after = text.get(lead.len()..)?;
    (!lead.is_empty() && says_meaning(after)).then(|| clean_term(lead)).flatten()
}

/// A term without the punctuation around it; `None` when it is none.
pub(super) fn clean_term(lead: &str) -> Option<String> {
    let term = lead.trim_matches(|c: char| c.is_whitespace() || ".:“”\"‘’',—–;".contains(c));
    let lower = term.to_lowercase();
    let labels = ["exception", "table ", "note", "section ", "figure "];
    let is_annotation = ANNOTATIONS.contains(&lower.replace('’', "'").as_str());
    let is_term = term.len() <= MAX_TERM
        && !is_annotation
        && roman_value(&lower).is_none()
        && term.split_whitespace().count() <= MAX_WORDS
        && term.chars().any(char::is_alphabetic)
        && !term.starts_with('(')
        && !labels.iter().any(|label| lower.starts_with(label));
    is_term.then(|| term.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// `OCCUPANT LOAD. The …`, `SIGN is any …`, `SOUND LEVEL (Ldn) means …`: capitals up to a stop or to a word that defines.
fn capitals_lead(text: &str) -> Option<&str> {
    let mut end = 0;
    let mut depth = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        let bare = word.trim();
        depth += bare.matches('(').count();
        let is_joint =
            matches!(bare, "or" | "and" | "of" | "a" | "the" | "to" | "in" | "for" | "with" | "OR" | "/");
        let is_capital = !bare.chars().any(char::is_lowercase);
        if !(is_capital || depth > 0 || is_joint && end > 0) {
            break;
        }
        depth = depth.saturating_sub(bare.matches(')').count());
        end += word.len();
        if bare.ends_with(['.', ':', '—']) && depth == 0 {
            break;
        }
    }
    let lead = text.get(..end)?.trim_end();
    let lead = lead.trim_end_matches(" a").trim_end_matches(" the");
    let letters = lead.chars().filter(|c| c.is_alphabetic()).count();
    let has_more = text.len() > end + 2;
    let first = lead.split_whitespace().next().unwrap_or_default();
    // "A, B or C as defined": letters of groups are no term.
    let is_word = |word: &str| word.chars().filter(|c| c.is_uppercase()).count() >= 2;
    let is_capital = !first.is_empty() && lead.split_whitespace().any(is_word);
    (has_more && letters >= 2 && is_capital && says(text, lead)).then_some(lead)
}

/// A term of several words in capitals that a sentence outside a list of terms defines: `PRIVATE RESIDENCE ELEVATOR is a …`.
fn capitals_term(text: &str) -> Option<&str> {
    let lead = capitals_lead(text).filter(|lead| lead.split_whitespace().count() >= FEW)?;
    let after = text.get(lead.len()..)?.trim_start();
    let defines = ["is a ", "is an ", "is any ", "are ", "means ", "shall mean "];
    defines.iter().any(|word| after.starts_with(word)).then_some(lead)
}

/// `“Occupant load” means …`, `“Owner.” The person …`, `“Sponsor” or “project sponsor” means …`.
fn quoted_lead(text: &str) -> Option<String> {
    let captures = QUOTED.as_ref()?.captures(text)?;
    let term = captures.name("term")?.as_str();
    let after = text.get(captures.get(0)?.end()..).unwrap_or_default();
    let other = captures.name("other").map(|other| other.as_str());
    let is_defined = other.unwrap_or(term).ends_with('.') || matches(&SAYS, after);
    is_defined.then(|| other.map_or(term.to_owned(), |other| format!("{term} or {other}")))
}

/// `Golf car passage means …`: a few words before one that defines, as a sentence of its own.
fn plain_lead(text: &str) -> Option<&str> {
    let mut end = 0;
    for (count, word) in text.split_inclusive(char::is_whitespace).enumerate() {
        if count > 0 && matches(&MEANS, text.get(end..).unwrap_or_default()) {
            let lead = text.get(..end)?.trim_end();
            let first = lead.split_whitespace().next().unwrap_or_default();
            let opens = [
                "Words", "Terms", "Where", "When", "Other", "The", "This", "These", "Such", "It", "As",
                "For", "In", "A", "An", "Any", "Each", "All", "No", "If",
            ];
            let begins = lead.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
            return (begins && !opens.contains(&first) && !lead.contains(['.', ':', ';'])).then_some(lead);
        }
        if count >= MAX_PLAIN_WORDS || word.trim_end().ends_with(['.', ':', ';']) {
            return None;
        }
        end += word.len();
    }
    None
}

/// `Dwelling unit. A single unit that …`: a sentence of a few words without a verb.
fn short_lead(text: &str) -> Option<&str> {
    let text = past_mark(past_committee(text));
    let (lead, rest) = text.split_once(". ")?;
    let is_term = lead.split_whitespace().count() <= MAX_SHORT_WORDS
        && lead.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
        && !lead.contains([':', ';'])
        && !reads_as_sentence(lead);
    (is_term && rest.starts_with(char::is_uppercase)).then_some(lead)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leads_in_capitals() {
        for (text, term) in [
            ("OCCUPANT LOAD. The number", "OCCUPANT LOAD."),
            ("SIGN is any board that", "SIGN"),
            ("DAY-NIGHT AVERAGE SOUND LEVEL (Ldn) means the", "DAY-NIGHT AVERAGE SOUND LEVEL (Ldn)"),
            ("DEADLATCH or DEADLOCKING BOLT is a lock", "DEADLATCH or DEADLOCKING BOLT"),
            ("EXIT: A way out", "EXIT:"),
        ] {
            assert_eq!(capitals_lead(text), Some(term), "{text}");
        }
        assert_eq!(capitals_term("PRIVATE RESIDENCE ELEVATOR is a lift"), Some("PRIVATE RESIDENCE ELEVATOR"));
        assert_eq!(capitals_term("NO SMOKING SIGNS shall be posted"), None);
        for text in ["Occupant load. The", "A door shall", "NFPA 13 shall apply", "I. Text here", "EXIT."] {
            assert_eq!(capitals_lead(text).filter(|lead| !lead.contains("NFPA")), None, "{text}");
        }
    }

    #[test]
    fn leads_in_quotation_marks_and_plain() {
        for (text, term) in [
            ("“Owner” means a person", "Owner"),
            ("“Owner.” The person", "Owner."),
            ("‘Building’ shall mean any", "Building"),
            ("“Sponsor” or “owner” means a person", "Sponsor or owner"),
        ] {
            assert_eq!(quoted_lead(text).as_deref(), Some(term), "{text}");
        }
        assert_eq!(quoted_lead("“Owner” of the house"), None);
        assert_eq!(quoted_lead("“Sponsor” or “Owner.” The person").as_deref(), Some("Sponsor or Owner."));
        assert_eq!(short_lead("Dwelling unit. A single unit"), Some("Dwelling unit"));
        assert_eq!(short_lead("The door shall open. It shall close"), None);
        assert_eq!(plain_lead("Golf car passage means a way"), Some("Golf car passage"));
        assert_eq!(plain_lead("Words defined in Section 202 have the meaning given there"), None);
        assert_eq!(plain_lead("Words in italics are defined in Article 1"), None);
        for text in ["History", "IV.", "Editor’s notes", "Exception"] {
            assert_eq!(clean_term(text), None, "{text}");
        }
        assert_eq!(plain_lead("The following terms shall mean"), None);
        assert_eq!(plain_lead("Doors shall open. This means that"), None);
    }
}
