//! Paragraphs that a code marks and cites: `(a)`, `(1)`, `(i)` below a section.
//!
//! A mark alone does not say how deep it stands: `(i)` follows `(h)` and begins roman numerals. The count decides:
//! a mark continues the deepest level at which it is the next one, or opens a level as its first one. A mark that
//! is neither is no paragraph of its own.

use crate::document::{Block, BlockKind, Document, Span};
use crate::number::Number;
use crate::profile::{Count, Paragraph, Profile};
use crate::roman::roman_value;

/// So many marks may be missing in between: paragraphs are repealed, and readers overlook some.
const MAX_SKIP: u32 = 3;
/// A title that nothing follows in its paragraph is at most so long.
const MAX_SOLE_TITLE: usize = 80;
/// How many blocks ahead are looked at to tell a letter from a roman numeral.
const LOOK_AHEAD: usize = 12;

/// One marked paragraph.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Marked {
    /// Where its mark begins.
    pub start: usize,
    /// Its level in the profile, from 0.
    pub level: usize,
    /// Its number, that of the section included.
    pub number: Number,
    /// Where the text after the mark begins.
    pub text: usize,
    /// Index of the block in which it begins.
    pub block: usize,
}

/// Counts the marks below one section. It may be taken up again where something else stood in between.
#[derive(Clone)]
pub(super) struct Counter<'p> {
    levels: &'p [Paragraph],
    number: Number,
    /// For each open level: the level, the value of its last mark, and its number.
    open: Vec<(usize, u32, Number)>,
    /// What the next blocks begin with.
    ahead: Vec<Vec<Mark>>,
}

impl<'p> Counter<'p> {
    pub(super) fn new(profile: &'p Profile, number: &Number) -> Self {
        Counter { levels: &profile.paragraphs, number: number.clone(), open: Vec::new(), ahead: Vec::new() }
    }

    /// The marked paragraphs in the blocks `range` that are sections, from the offset `from` on.
    pub(super) fn paragraphs(
        &mut self,
        document: &Document,
        range: std::ops::Range<usize>,
        from: usize,
    ) -> Vec<Marked> {
        let text_of = |index: usize| {
            let block = document.blocks.get(index)?;
            let is_text = matches!(
                block.kind,
                BlockKind::Paragraph | BlockKind::ListItem { .. } | BlockKind::Heading { .. }
            );
            let span = Span::new(block.span.start.max(from), block.span.end);
            is_text.then(|| (index, span.start, span.of(&document.text)))
        };
        let blocks: Vec<(usize, usize, &str)> = range.filter_map(text_of).collect();
        let mut found = Vec::new();
        for (at, (index, start, text)) in blocks.iter().enumerate() {
            let rest = blocks.get(at + 1..).unwrap_or_default();
            self.ahead =
                rest.iter().take(LOOK_AHEAD).map(|(_, _, text)| self.marks(past_bullet(text))).collect();
            self.take(text, *start, *index, &mut found);
        }
        found.retain(|marked| self.levels.get(marked.level).is_some_and(|level| level.section));
        found
    }
}

impl Counter<'_> {
    /// Takes the marks at the beginning of a block, and those after full stops in it that count on.
    fn take(&mut self, text: &str, start: usize, block: usize, found: &mut Vec<Marked>) {
        let lead = blank(text);
        let lead = lead + bullet(text.get(lead..).unwrap_or_default());
        let mut offset = lead;
        if is_mention(text.get(lead..).unwrap_or_default()) {
            return;
        }
        // "(c) (1) The …": several marks in a row.
        while let Some((level, length, number)) = self.next(text.get(offset..).unwrap_or_default()) {
            let end = offset + length;
            found.push(Marked { start: start + offset, level, number, text: start + end, block });
            offset = end + blank(text.get(end..).unwrap_or_default());
        }
        if offset == lead {
            return;
        }
        // "(a) … shall. (b) …": a paragraph that goes on in the same block.
        while let Some(at) = after_stop(text, offset) {
            offset = at;
            let rest = text.get(at..).unwrap_or_default();
            if let Some((level, length, number)) = self.follows(rest) {
                let end = at + length;
                found.push(Marked { start: start + at, level, number, text: start + end, block });
                offset = end;
            }
        }
    }

    /// The paragraph that begins here: its level, the length of its mark, its number.
    fn next(&mut self, text: &str) -> Option<(usize, usize, Number)> {
        let marks = self.marks(text);
        let choice = self.choose(&marks)?;
        self.enter(choice.at, choice.mark)
    }

    /// Reads a mark in the likeliest way.
    fn choose<'m>(&self, marks: &'m [Mark]) -> Option<Choice<'m>> {
        let deepest = self.open.len();
        let counts_on = |by: std::ops::RangeInclusive<u32>| {
            self.open.iter().enumerate().rev().find_map(|(at, (level, last, _))| {
                let fits = |mark: &&Mark| {
                    mark.level == *level && mark.value > *last && by.contains(&(mark.value - last))
                };
                Some(Choice { at, mark: marks.iter().find(fits)? })
            })
        };
        let next = counts_on(1..=1);
        let below = self.open.last().map_or(0, |(level, ..)| level + 1);
        let first = marks.iter().find(|mark| mark.level >= below && mark.value == 1);
        // The next of the deepest level: (h), (i). Unless it is the first of a deeper one, which (ii) then shows.
        if let Some(choice) = next.as_ref().filter(|choice| choice.at + 1 == deepest)
            && !first.is_some_and(|first| self.second_comes_before_next(first, choice.mark))
        {
            return Some(Choice { ..*choice });
        }
        // The first of a deeper level.
        if let Some(mark) = first {
            return Some(Choice { at: deepest, mark });
        }
        // The next of a level further up; the first of a level again, where the one above was overlooked; then those
        // before which some are missing.
        next.or_else(|| self.begins_again(marks, 1))
            .or_else(|| counts_on(2..=MAX_SKIP))
            .or_else(|| self.begins_again(marks, MAX_SKIP))
    }

    /// In the blocks that follow, the second mark of the level of `first` comes before the one after `other`.
    fn second_comes_before_next(&self, first: &Mark, other: &Mark) -> bool {
        for marks in &self.ahead {
            // The same mark again, which then is the first one: (h), (i), (i), (ii).
            if marks.iter().any(|mark| mark.level == first.level && mark.value == first.value) {
                return false;
            }
            if marks.iter().any(|mark| mark.level == first.level && mark.value == first.value + 1) {
                return true;
            }
            if marks.iter().any(|mark| mark.level == other.level && mark.value == other.value + 1) {
                return false;
            }
        }
        false
    }

    /// A mark of a level that opens below one that is open, although its own may be open, too.
    fn begins_again<'m>(&self, marks: &'m [Mark], most: u32) -> Option<Choice<'m>> {
        let fits = |mark: &&Mark| {
            mark.value <= most && self.open.first().is_some_and(|(level, ..)| *level < mark.level)
        };
        let mark = marks.iter().rev().find(fits)?;
        let at = self.open.iter().position(|(level, ..)| *level >= mark.level).unwrap_or(self.open.len());
        Some(Choice { at, mark })
    }

    /// The same inside a block, where only the very next mark of an open level counts.
    fn follows(&mut self, text: &str) -> Option<(usize, usize, Number)> {
        let marks = self.marks(text);
        let (at, mark) = self.open.iter().enumerate().rev().find_map(|(at, (level, last, _))| {
            Some((at, marks.iter().find(|mark| mark.level == *level && mark.value == last + 1)?))
        })?;
        self.enter(at, mark)
    }

    fn enter(&mut self, at: usize, mark: &Mark) -> Option<(usize, usize, Number)> {
        let above =
            at.checked_sub(1).and_then(|i| self.open.get(i)).map_or(&self.number, |(_, _, number)| number);
        let number = above.paragraph(&mark.joined)?;
        self.open.truncate(at);
        self.open.push((mark.level, mark.value, number.clone()));
        Some((mark.level, mark.length, number))
    }

    /// What the beginning of the text can be read as.
    fn marks(&self, text: &str) -> Vec<Mark> {
        let read = |(level, paragraph): (usize, &Paragraph)| {
            paragraph.patterns.iter().find_map(|pattern| {
                let captures = pattern.captures(text)?;
                let mark = captures.name("mark")?.as_str();
                Some(Mark {
                    level,
                    length: captures.get(0)?.end(),
                    value: value_of(paragraph.count, mark)?,
                    joined: paragraph.join.replace("{mark}", mark),
                })
            })
        };
        self.levels.iter().enumerate().filter_map(read).collect()
    }
}

/// A sentence goes on in a line that begins with a mark: "… under sections 501" / "(a) and (b) of the act".
fn is_mention(text: &str) -> bool {
    let Some((_, after)) = text.strip_prefix('(').and_then(|rest| rest.split_once(')')) else { return false };
    ["and (", "or (", "through (", "to (", "of this ", "of the "]
        .iter()
        .any(|word| after.trim_start().starts_with(word))
}

/// A mark as one level reads it.
#[derive(Clone)]
struct Mark {
    level: usize,
    /// Bytes of it.
    length: usize,
    /// What it counts as.
    value: u32,
    /// How it joins the number above.
    joined: String,
}

/// A mark and its place among the open levels.
struct Choice<'m> {
    at: usize,
    mark: &'m Mark,
}

/// The text without white space and a bullet before it.
fn past_bullet(text: &str) -> &str {
    let text = text.trim_start();
    text.get(bullet(text)..).unwrap_or_default()
}

/// Bytes of a bullet, which Markdown needs before a mark, at the beginning.
fn bullet(text: &str) -> usize {
    ["- ", "* ", "• ", "+ "].iter().find(|bullet| text.starts_with(**bullet)).map_or(0, |bullet| bullet.len())
}

/// Bytes of white space at the beginning.
fn blank(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

/// The next place after `from` at which a sentence has ended and a parenthesis opens.
fn after_stop(text: &str, from: usize) -> Option<usize> {
    let rest = text.get(from..)?;
    rest.match_indices('(').map(|(at, _)| from + at).find(|at| {
        let before = text.get(..*at).unwrap_or_default();
        let bare = before.trim_end();
        before.len() > bare.len() && *at > from && bare.ends_with(['.', ';', ':'])
    })
}

/// What a mark counts as, from 1.
fn value_of(count: Count, mark: &str) -> Option<u32> {
    match count {
        Count::Decimal => mark.parse().ok().filter(|value| *value > 0),
        Count::Letters => letters(mark),
        Count::Roman => roman_value(mark),
    }
}

/// a is 1, z 26, aa 27; ab and bb are both 28.
fn letters(mark: &str) -> Option<u32> {
    let mut values =
        mark.chars().map(|c| c.is_ascii_alphabetic().then(|| u32::from(c.to_ascii_lowercase()) - 96));
    let first = values.next()??;
    match (values.next(), values.next()) {
        (None, _) => Some(first),
        (Some(Some(second)), None) if first == second => Some(26 + first),
        (Some(Some(second)), None) => Some(26 * first + second),
        _ => None,
    }
}

/// The title of a marked paragraph: what is bold or reads like a title up to its full stop.
pub(super) fn title_of(document: &Document, block: &Block, marked: &Marked, end: usize) -> Option<String> {
    let bold = block.bold_lead(&document.text);
    let rest = Span::new(marked.text, block.span.end.min(end)).of(&document.text);
    if block.span.start == marked.start && bold.end > marked.text {
        let bold = Span::new(marked.text, bold.end).of(&document.text);
        // Some set the whole paragraph in bold: the title is its first sentence.
        let first = super::headings::plain_title_end(bold).and_then(|end| bold.get(..end));
        return super::headings::clean_title(first.unwrap_or(bold));
    }
    let end = super::headings::plain_title_end(rest).or_else(|| colon_title_end(rest))?;
    // A title is followed by its text; a short sentence alone is no title.
    let is_short = rest.len() <= MAX_SOLE_TITLE && !rest.contains(|c: char| c.is_ascii_digit());
    let is_followed = rest.len() > end + 1 || rest.trim_end().ends_with('.') && end == rest.len() && is_short;
    is_followed.then(|| super::headings::clean_title(rest.get(..end)?)).flatten()
}

/// `Landlord/tenant: If a tenant …`: a few words before a colon.
fn colon_title_end(rest: &str) -> Option<usize> {
    let end = rest.find(": ").filter(|end| *end <= 60)?;
    let after = rest.get(end + 2..)?;
    after.starts_with(char::is_uppercase).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{DocumentBuilder, Layout, Style};

    fn numbers(blocks: &[&str]) -> Vec<String> {
        let mut builder = DocumentBuilder::new();
        for block in blocks {
            builder.block(BlockKind::Paragraph, &[(block, Style::default())], Layout::default(), None);
        }
        let document = builder.finish();
        let json = r#"{"name":"x","description":"","levels":[{"kind":"section","patterns":["(?P<number>[0-9.]+)"]}],
            "paragraphs":[{"kind":"clause","count":"letters","patterns":["\\((?P<mark>[a-z]{1,2})\\)"]},
                          {"kind":"clause","count":"decimal","patterns":["\\((?P<mark>[0-9]{1,2})\\)"]},
                          {"kind":"clause","count":"roman","patterns":["\\((?P<mark>[ivxlc]{1,5})\\)"]}]}"#;
        let profile = Profile::from_json(json).unwrap();
        let number = Number::parse("36.304").unwrap();
        Counter::new(&profile, &number)
            .paragraphs(&document, 0..document.blocks.len(), 0)
            .iter()
            .map(|marked| marked.number.body().trim_start_matches("36.304").to_owned())
            .collect()
    }

    #[test]
    fn the_count_says_how_deep_a_mark_stands() {
        let deep = ["(a) One.", "(1) Two.", "(i) Three.", "(ii) Four.", "(2) Five.", "(b) Six."];
        assert_eq!(numbers(&deep), ["(a)", "(a)(1)", "(a)(1)(i)", "(a)(1)(ii)", "(a)(2)", "(b)"]);
        let mut letters: Vec<String> = ('a'..='k').map(|c| format!("({c}) Text.")).collect();
        assert_eq!(numbers(&letters.iter().map(String::as_str).collect::<Vec<_>>()).last().unwrap(), "(k)");
        letters.truncate(9);
        letters.push("(1) Below i.".into());
        letters.push("(i) Roman.".into());
        assert_eq!(
            numbers(&letters.iter().map(String::as_str).collect::<Vec<_>>())[9..],
            ["(i)(1)", "(i)(1)(i)"]
        );
    }

    #[test]
    fn a_level_may_begin_again_below_one_that_was_overlooked() {
        let list: Vec<String> = ('a'..='f').map(|c| format!("({c}) Text.")).collect();
        let mut list: Vec<&str> = list.iter().map(String::as_str).collect();
        list.extend(["(i) Roman.", "(2) One is missing above.", "(i) Roman again.", "(g) Seventh."]);
        assert_eq!(numbers(&list)[5..], ["(f)", "(f)(i)", "(f)(2)", "(f)(2)(i)", "(g)"]);
    }

    #[test]
    fn marks_may_stand_in_a_row_and_after_a_full_stop() {
        let mention = ["(a) Parts under sections 5", "(b) and (c) of the act stay.", "(b) Second."];
        assert_eq!(numbers(&mention), ["(a)", "(b)"]);
        assert_eq!(
            numbers(&["(a) (1) First. (2) Second; see (3) there.", "(b) Third."]),
            ["(a)", "(a)(1)", "(a)(2)", "(b)"]
        );
        assert_eq!(numbers(&["No mark first. (a) is no paragraph."]), Vec::<String>::new());
    }

    #[test]
    fn what_follows_tells_a_letter_from_a_roman_numeral() {
        let up_to_h: Vec<String> = ('a'..='h').map(|c| format!("({c}) Text.")).collect();
        let with = |more: &[&'static str]| {
            let list: Vec<&str> = up_to_h.iter().map(String::as_str).chain(more.iter().copied()).collect();
            numbers(&list).split_off(8)
        };
        assert_eq!(
            with(&["(i) Below h.", "(ii) Below h.", "(i) The ninth.", "(j) The tenth."]),
            ["(h)(i)", "(h)(ii)", "(i)", "(j)"]
        );
        assert_eq!(with(&["(i) The ninth.", "(j) The tenth."]), ["(i)", "(j)"]);
        assert_eq!(with(&["(i) The ninth.", "(i) Below i.", "(ii) Below i."]), ["(i)", "(i)(i)", "(i)(ii)"]);
    }

    #[test]
    fn what_does_not_count_is_no_paragraph() {
        assert_eq!(
            numbers(&["(a) One.", "(z) A stray mark.", "(b) Two.", "(d) One is missing."]),
            ["(a)", "(b)", "(d)"]
        );
    }

    #[test]
    fn letters_count_twice_over() {
        assert_eq!(
            [letters("a"), letters("z"), letters("aa"), letters("bb"), letters("1")],
            [Some(1), Some(26), Some(27), Some(28), None]
        );
    }
}
