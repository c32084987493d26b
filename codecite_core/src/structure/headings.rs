//! Finds every block that could be a heading and weighs the evidence for it.

use super::title;
use crate::document::{Block, BlockKind, Document, Span};
use crate::error::Result;
use crate::number::Number;
use crate::profile::{Evidence, Level, Profile, TitlePlace};
use crate::work::{Stage, Work};

/// The longest title that is believed; real ones stay below 250 characters.
pub(super) const MAX_TITLE: usize = 300;
/// A heading without any style ends its title at a full stop within so many bytes.
const MAX_PLAIN_TITLE: usize = 160;

/// A title that only its place sets apart is at most so long.
const MAX_TITLE_LINE: usize = 60;
/// A title in capitals has at least so many letters.
const MIN_CAPITALS: usize = 4;
/// Blocks between two reports of progress.
const TICK_BLOCKS: usize = 1_024;
/// What "Part 3" in a block of its own is worth.
const ALONE: f32 = 3.0;
/// Dots that make a leader before a page number that ends the block, and anywhere in it.
const LEADER_DOTS: usize = 2;
const CERTAIN_DOTS: usize = 8;
/// The longest printed page number.
const MAX_PAGE_LABEL: usize = 8;

/// A block that may begin a section.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    /// Index of the block.
    pub block: usize,
    /// Index of the level in the profile.
    pub level: usize,
    /// The number that it would have.
    pub number: Number,
    /// The heading: number and title.
    pub heading: Span,
    /// The title, without the number and its full stop.
    pub title: Option<String>,
    /// Numbers of its level stand beside each other, whatever their form.
    pub flat: bool,
    /// Its number counts on from the one before; that of a part or chapter does not.
    pub counts: bool,
    /// The part whose number qualifies this one, which other parts repeat.
    pub part: Option<Number>,
    /// The acronym of a code that stands before it: "(CRC) CHAPTER 4".
    pub code: Option<String>,
    /// It is a part of another code, printed inside a chapter of this one.
    pub is_guest: bool,
    /// The sum of the evidence; real headings reach 3 and more.
    pub score: f32,
}

/// All candidates, in document order, at most one for each block.
///
/// # Errors
/// Cancellation and the time limit.
pub(super) fn candidates(
    document: &Document,
    profile: &Profile,
    work: &mut Work<'_>,
) -> Result<Vec<Candidate>> {
    let mut found: Vec<Candidate> = Vec::new();
    for index in 0..document.blocks.len() {
        if index % TICK_BLOCKS == 0 {
            work.tick(Stage::Structure, index as u64 / 2, document.blocks.len() as u64)?;
        }
        if let Some(candidate) = candidate_at(document, profile, index) {
            found.push(candidate);
        }
    }
    Ok(found)
}

fn candidate_at(document: &Document, profile: &Profile, index: usize) -> Option<Candidate> {
    let block = document.blocks.get(index)?;
    if matches!(block.kind, BlockKind::Table(_) | BlockKind::Footnote | BlockKind::Preformatted) {
        return None;
    }
    let text = document.slice(block.span);
    for (level_index, level) in profile.levels_at(text) {
        let Some((number, number_end)) = match_level(level, text) else { continue };
        let after = past_committee(text, number_end);
        let style = Styled::of(document, block, after);
        let stands_alone = level.label.is_some()
            && text.get(after..).is_some_and(|rest| rest.trim_matches(['.', ':', ' ']).is_empty());
        let is_line =
            || level.label.is_some() && is_title_line(document, index, text.get(after..).unwrap_or_default());
        if level.needs == Evidence::Style && !style.any() && !stands_alone && !is_line() {
            continue;
        }
        let mut candidate = Candidate {
            block: index,
            level: level_index,
            number,
            heading: block.span,
            title: None,
            flat: !level.nested && !level.container,
            counts: !level.container,
            part: None,
            code: code_before(text),
            is_guest: false,
            score: 0.0,
        };
        weigh(&mut candidate, document, profile, block, after, style);
        candidate.score += if stands_alone { ALONE } else { 0.0 };
        return (candidate.score > 0.0).then_some(candidate);
    }
    None
}

/// "Chapter 4 General" in a line of its own: a few words like those of a title.
fn is_title_line(document: &Document, index: usize, rest: &str) -> bool {
    let title = rest.trim().trim_start_matches(['.', ':', '-', '–', '—', ' ']);
    let is_paragraph = document.blocks.get(index).is_some_and(|block| block.kind == BlockKind::Paragraph);
    is_paragraph
        && (1..=MAX_TITLE_LINE).contains(&title.len())
        && title.starts_with(char::is_uppercase)
        && !title.contains(['\n', ',', ';', '('])
        && !title.ends_with(['.', ':'])
        && !reads_as_sentence(title)
        && !cut_off(document, index)
}

/// `CRC` of "(CRC) CHAPTER 4".
fn code_before(text: &str) -> Option<String> {
    let (code, _) = text.strip_prefix('(')?.split_once(')')?;
    let is_acronym = (2..=5).contains(&code.len()) && code.chars().all(|c| c.is_ascii_uppercase());
    is_acronym.then(|| code.to_owned())
}

/// Where the mark of the agency or committee that keeps a part ends, if one stands after the number: `31B [DPH]`.
fn past_committee(text: &str, number_end: usize) -> usize {
    let rest = text.get(number_end..).unwrap_or_default();
    let mark = rest.trim_start().strip_prefix('[').and_then(|inner| inner.split_once(']'));
    match mark {
        Some((mark, after))
            if mark.len() <= 6 && mark.chars().all(|c| c.is_ascii_uppercase() || c == '-') =>
        {
            text.len() - after.len()
        }
        _ => number_end,
    }
}

/// The number at the beginning of the text, and the offset at which it ends.
pub(super) fn match_level(level: &Level, text: &str) -> Option<(Number, usize)> {
    level.patterns.iter().find_map(|pattern| {
        let captures = pattern.captures(text)?;
        let group = captures.name("number")?;
        let number = match &level.label {
            Some(label) => Number::labelled(label, group.as_str())?,
            None => Number::parse(group.as_str())?,
        };
        // "§§ 36.105 – 36.199 [Reserved]"
        // "8-2-70 through 8-2-75. [Reserved]", where the first number stands for the range.
        if let Some(skip) = captures.name("skip") {
            return Some((number, skip.end()));
        }
        match captures.name("last") {
            Some(last) => Some((number.through(&Number::parse(last.as_str())?)?, last.end())),
            // A star refers to the annex: "4.1* Goals."
            None => Some((number, group.end() + usize::from(text.get(group.end()..)?.starts_with('*')))),
        }
    })
}

/// How the heading is set.
#[derive(Clone, Copy)]
pub(super) struct Styled {
    /// The format marks the whole block as a heading.
    heading: bool,
    /// Bold type covers the number.
    bold: bool,
    /// Bold type covers the whole block.
    all_bold: bool,
    /// The block is centred.
    centred: bool,
    /// The block is short and all in capitals.
    capitals: bool,
}

impl Styled {
    pub(super) fn of(document: &Document, block: &Block, number_end: usize) -> Styled {
        let text = document.slice(block.span);
        let lead = block.bold_lead(&document.text);
        Styled {
            heading: matches!(block.kind, BlockKind::Heading { .. }),
            bold: lead.len() >= number_end,
            all_bold: lead.len() + 1 >= block.span.len(),
            centred: block.layout.centred,
            capitals: text.len() <= MAX_TITLE && !text.chars().any(char::is_lowercase),
        }
    }

    fn any(self) -> bool {
        self.heading || self.bold || self.centred || self.capitals
    }

    /// The block is nothing but heading.
    pub(super) fn own_line(self) -> bool {
        self.heading || self.all_bold || self.centred || self.capitals
    }
}

fn weigh(
    candidate: &mut Candidate,
    document: &Document,
    profile: &Profile,
    block: &Block,
    number_end: usize,
    style: Styled,
) {
    let text = document.slice(block.span);
    let rest = text.get(number_end..).unwrap_or_default();
    let mut score = 0.0;
    score += if style.heading { 5.0 } else { 0.0 };
    score += if style.bold { 4.0 } else { 0.0 };
    score += if style.centred { 2.0 } else { 0.0 };
    score += if style.capitals { 1.5 } else { 0.0 };
    score += if text.starts_with(['§', '*']) { 3.0 } else { 0.0 };
    score += if text.starts_with("SECTION ") { 2.0 } else { 0.0 };
    score += if candidate.number.components().len() > 1 { 1.0 } else { 0.0 };
    score -= if matches!(block.kind, BlockKind::ListItem { .. }) && !style.bold { 2.0 } else { 0.0 };
    score -= if reads_on(rest) { 6.0 } else { 0.0 };
    score -= if is_contents_line(rest) { 9.0 } else { 0.0 };
    score -= if cut_off(document, candidate.block) { 4.0 } else { 0.0 };

    let title_end = if style.own_line() && rest.len() <= MAX_TITLE {
        Some(text.len())
    } else if style.bold && block.bold_lead(&document.text).len() > number_end {
        Some(block.bold_lead(&document.text).len())
    } else {
        plain_title_end(rest).map(|end| number_end + end)
    };
    if let Some(end) = title_end {
        candidate.title = clean_title(text.get(number_end..end).unwrap_or_default());
        candidate.heading = Span::new(block.span.start, block.span.start + end);
        score += if candidate.title.is_some() { 2.0 } else { 0.0 };
    } else {
        candidate.heading = Span::new(block.span.start, block.span.start + number_end);
    }
    if candidate.title.is_none()
        && rest.trim_matches(['.', ':', ' ']).is_empty()
        && let Some((title, span)) = title::title_below(document, profile, candidate.block)
    {
        candidate.title = Some(title);
        candidate.heading.end = span.end;
        score += 2.0;
    }
    let instructs = |title: &String| profile.instructions.iter().any(|pattern| pattern.is_match(title));
    candidate.title = candidate.title.take().filter(|title| !instructs(title));
    let level = profile.levels.get(candidate.level);
    if level.is_some_and(|level| level.title == TitlePlace::Above) {
        let above = title_above(document, candidate.block);
        candidate.heading = Span::new(block.span.start, block.span.start + number_end);
        candidate.title = above.or_else(|| candidate.title.take());
        score += if candidate.title.is_some() { 2.0 } else { 0.0 };
    }
    let last = document.blocks.partition_point(|block| block.span.end < candidate.heading.end);
    let ends_block = document.blocks.get(last).is_some_and(|block| block.span.end == candidate.heading.end);
    if let Some(title) = candidate.title.as_mut().filter(|_| ends_block)
        && let Some(end) = title::extend(document, profile, last, title)
    {
        candidate.heading.end = end;
    }
    candidate.score = score;
}

/// The line of its own, set as a title, above a number that prose follows.
fn title_above(document: &Document, index: usize) -> Option<String> {
    let block = document.blocks.get(index.checked_sub(1)?)?;
    let text = document.slice(block.span);
    let is_title = text.len() <= MAX_TITLE && !text.trim_end().ends_with(['.', ';']);
    (is_title && Styled::of(document, block, 1).own_line()).then(|| clean_title(text)).flatten()
}

/// Prose goes on after the number: "1004.5 shall apply", "1004.5, and".
fn reads_on(rest: &str) -> bool {
    let rest = rest.trim_start_matches(['.', ' ', '\u{a0}', '\n']);
    rest.starts_with([',', ';', ')']) || rest.chars().next().is_some_and(char::is_lowercase)
}

/// Entries of a contents page: dot leaders or a tab before a page number. One block may hold several entries.
pub(super) fn is_contents_line(rest: &str) -> bool {
    let mut dots = 0;
    for (at, c) in rest.char_indices() {
        match c {
            '.' | '·' => dots += 1,
            '…' => dots += 3,
            _ if c.is_whitespace() => {}
            _ if dots < LEADER_DOTS => dots = 0,
            _ => {
                let after = rest.get(at..).unwrap_or_default();
                let label = after.split_whitespace().next().unwrap_or_default();
                let is_last = label.len() == after.trim_end().len();
                if is_page_label(label) && (is_last || dots >= CERTAIN_DOTS) {
                    return true;
                }
                dots = 0;
            }
        }
    }
    rest.trim_end().rsplit_once('\t').is_some_and(|(_, label)| is_page_label(label.trim()))
}

/// `12`, `10-12`, `C-1`, `xiv`.
fn is_page_label(word: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '–' | '.');
    let is_roman = || word.chars().all(|c| "ivxlcIVXLC".contains(c));
    (1..=MAX_PAGE_LABEL).contains(&word.len())
        && word.chars().all(is_part)
        && (word.ends_with(|c: char| c.is_ascii_digit()) || is_roman())
}

/// The block before ends in the middle of a sentence that this number completes ("… with Section").
pub(super) fn cut_off(document: &Document, index: usize) -> bool {
    let Some(before) = index.checked_sub(1).and_then(|i| document.blocks.get(i)) else { return false };
    let is_bold = before.bold_lead(&document.text).len() == before.span.len();
    // A caption or a heading of its own line ends with it.
    if is_bold || !matches!(before.kind, BlockKind::Paragraph | BlockKind::ListItem { .. }) {
        return false;
    }
    let text = document.slice(before.span).trim_end();
    let last = text.rsplit(char::is_whitespace).next().unwrap_or_default().to_lowercase();
    const OPEN: &[&str] = &[
        "section", "sections", "and", "or", "with", "of", "in", "to", "by", "see", "§", "§§", "table", "–",
        "—",
    ];
    OPEN.contains(&last.as_str()) || last.ends_with(',')
}

/// Where the run-in title of an unstyled heading ends: at the first full stop, if what stands before it
/// reads like a title.
pub(super) fn plain_title_end(rest: &str) -> Option<usize> {
    let body = rest.trim_start_matches(['.', ' ', '\u{a0}', '\n']);
    let after_dash = body.strip_prefix("– ");
    let body = after_dash.unwrap_or(body);
    let offset = rest.len() - body.len();
    if !body.chars().next().is_some_and(|c| c.is_uppercase() || c.is_ascii_digit()) {
        return None;
    }
    // "SECTION 106 – PERMITS Publisher's note: …"
    if let Some(end) = after_dash.and_then(capitals_end) {
        return Some(offset + end);
    }
    let end = body
        .char_indices()
        .find(|(at, c)| *c == '\n' || is_title_stop(body, *at, *c))
        .map_or(body.len(), |(at, c)| at + c.len_utf8());
    if reads_as_title(body.get(..end)?.trim_end_matches(['.', '—', '\n'])) {
        return Some(offset + end);
    }
    if let Some(end) = capitals_end(body) {
        return Some(offset + end);
    }
    // "Access for clearing blockages – If a trap …"
    let dash = body
        .match_indices(" – ")
        .map(|(at, dash)| (at, at + dash.len()))
        .find(|(_, after)| body.get(*after..).is_some_and(|text| text.starts_with(char::is_uppercase)));
    let (before, after) = dash?;
    reads_as_title(body.get(..before)?).then_some(offset + after)
}

/// Where a title in capitals ends that a sentence follows without a stop: "TITLE This chapter shall be known …".
fn capitals_end(body: &str) -> Option<usize> {
    let mut end = 0;
    for word in body.split_inclusive(char::is_whitespace) {
        if word.chars().any(char::is_lowercase) {
            let title = body.get(..end)?.trim_end();
            let letters = title.chars().filter(|c| c.is_alphabetic()).count();
            return (letters >= MIN_CAPITALS && word.starts_with(char::is_uppercase)).then_some(title.len());
        }
        end += word.len();
    }
    None
}

fn reads_as_title(text: &str) -> bool {
    !text.is_empty() && text.len() <= MAX_PLAIN_TITLE && !reads_as_sentence(text)
}

/// A full stop or dash that ends a title, not an abbreviation ("Mt. Sutro").
fn is_title_stop(text: &str, at: usize, c: char) -> bool {
    let after = text.get(at + c.len_utf8()..).unwrap_or_default();
    let before = text.get(..at).unwrap_or_default();
    let word = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    matches!(c, '.' | '—')
        && (after.is_empty() || after.starts_with([' ', '\n', '\u{a0}']))
        && !(c == '.' && ABBREVIATIONS.contains(&word))
}

/// Words that end in a full stop inside titles.
const ABBREVIATIONS: [&str; 9] = ["Mt", "St", "No", "Nos", "Dr", "Ft", "vs", "approx", "Ave"];

/// A title without the remark that follows it: "Preliminary determination. (Redesignated from § 36.604)".
fn without_remark(title: &str) -> &str {
    match title.trim_end().strip_suffix(')').and_then(|inner| inner.rfind(". (")) {
        Some(at) if at > 0 => title.get(..at).unwrap_or(title),
        _ => title,
    }
}

/// Words of a rule stand in it, which no title and no term has.
pub(super) fn reads_as_sentence(text: &str) -> bool {
    text.split_whitespace()
        .any(|word| matches!(word, "shall" | "must" | "is" | "are" | "may" | "means" | "should"))
}

/// A title without the punctuation around it, white space folded; `None` when nothing is left.
pub(super) fn clean_title(text: &str) -> Option<String> {
    let folded = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let title = without_remark(&folded);
    let title =
        title.trim_start_matches(['.', ':', '-', '–', '—', ' ']).trim_end_matches(['.', ':', ' ', '—', '–']);
    (!title.is_empty()).then(|| title.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_after_a_number_is_seen() {
        assert!(reads_on(" shall apply where"));
        assert!(reads_on(", and 1004.6"));
        assert!(!reads_on(" Occupant load. The"));
    }

    #[test]
    fn plain_titles_end_at_the_first_full_stop() {
        let rest = " Occupant load. The number of";
        assert_eq!(plain_title_end(rest).map(|end| &rest[..end]), Some(" Occupant load."));
        assert_eq!(plain_title_end(" Every room shall have a door. It"), None);
        assert_eq!(plain_title_end(" of the code"), None);
        for rest in [" – PERMITS New notice: it is amended (Ord. 1)", " TITLE This code shall be known as it"]
        {
            let title = plain_title_end(rest).map(|end| rest[..end].trim_matches([' ', '–']));
            assert!(matches!(title, Some("PERMITS" | "TITLE")), "{title:?}");
        }
        assert_eq!(plain_title_end(" HVAC systems shall be safe"), None);
    }

    #[test]
    fn contents_lines_are_seen() {
        for entry in [
            " Occupant load ....... 12",
            " GENERAL . . . . . . . . 10-12",
            " ROOFTOP SPACES . . . . . . C-1",
            " Preface … xiv",
            " Occupant load\t12",
            " USES . . . . . . . . . . 4-1 401 GENERAL . . . . . . . . . 4-1 402 HIGH-RISE BUILDINGS",
        ] {
            assert!(is_contents_line(entry), "{entry}");
        }
        assert!(!is_contents_line(" Signs. Signs shall read “Stay … 6 feet away” and be lit."));
        assert!(!is_contents_line(" Load factors. See Table 2. 14 persons"));
        assert!(!is_contents_line(" Doors at least 36"));
    }
}
