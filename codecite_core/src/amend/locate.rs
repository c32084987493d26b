//! Where the parts that an instruction names stand in the text of a section.

use std::ops::Range;

use super::operation::{Scope, Unit, Which};

/// Why a part is not found; said to the person who reads the amendment.
pub(super) type Reason = &'static str;

/// The text of a section as lines, the first of which is (or begins with) its heading.
pub(super) struct Lines<'a> {
    pub text: &'a str,
    /// Bytes of the heading at the beginning.
    pub heading: usize,
    lines: Vec<Range<usize>>,
}

/// A label such as "Exceptions:" with what stands under it.
struct Exceptions {
    /// From the label to the end of the last exception.
    all: Range<usize>,
    /// Each exception: its number, if it has one, and where it stands.
    items: Vec<(Option<String>, Range<usize>)>,
}

impl<'a> Lines<'a> {
    pub fn new(text: &'a str, heading: usize) -> Self {
        let mut lines = Vec::new();
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let end = start + line.trim_end_matches('\n').len();
            // The heading's line counts with what runs in behind it.
            let from = if start < heading { heading.min(end) } else { start };
            let slice = text.get(from..end).unwrap_or_default();
            let from = from + (slice.len() - slice.trim_start().len());
            if !text.get(from..end).unwrap_or_default().trim().is_empty() {
                lines.push(from..end);
            }
            start += line.len();
        }
        Self { text, heading, lines }
    }

    fn slice(&self, range: &Range<usize>) -> &'a str {
        self.text.get(range.clone()).unwrap_or_default()
    }

    /// All after the heading.
    pub fn body(&self) -> Range<usize> {
        let start = self.lines.first().map_or(self.text.len(), |line| line.start);
        start..self.lines.last().map_or(self.text.len(), |line| line.end)
    }

    /// The part that a scope names, the innermost first.
    ///
    /// # Errors
    /// Why there is none, or not one alone.
    pub fn find(&self, scope: &[Scope]) -> Result<Range<usize>, Reason> {
        let mut within = self.body();
        for part in scope.iter().rev() {
            within = self.part(part, &within)?;
        }
        Ok(within)
    }

    fn part(&self, part: &Scope, within: &Range<usize>) -> Result<Range<usize>, Reason> {
        match part.unit {
            Unit::Title => Ok(0..self.heading),
            Unit::Exception => self.exception(&part.which),
            Unit::Item => self.item(&part.which, within),
            Unit::Paragraph => self.paragraph(&part.which, within),
            Unit::Sentence => self.sentence(&part.which, within),
            Unit::Note => self.note(&part.which),
            Unit::Row => self.row(&part.which),
            Unit::Definition => self.definition(&part.which),
            Unit::Text => Ok(within.clone()),
            Unit::Column => Err("a column of a table is not changed automatically"),
        }
    }

    fn all_exceptions(&self) -> Option<Exceptions> {
        let first = self.lines.iter().position(|line| exception_label(self.slice(line)).is_some())?;
        let mut found = Exceptions { all: self.lines.get(first)?.clone(), items: Vec::new() };
        for (index, line) in self.lines.iter().enumerate().skip(first) {
            let text = self.slice(line);
            if let Some((number, length)) = exception_label(text) {
                let rest = text.get(length..).unwrap_or_default().trim();
                if let Some(marked) = mark(rest).filter(|_| number.is_none()) {
                    found.items.push((Some(marked.to_owned()), line.clone()));
                } else if !rest.is_empty() || number.is_some() {
                    found.items.push((number, line.clone()));
                }
            } else if let Some(marked) = mark(text) {
                let expected = found.items.len() + 1;
                let numbered = marked.parse::<usize>().is_ok_and(|n| n == expected)
                    && found.items.iter().all(|(number, _)| number.is_some());
                if numbered || (found.items.is_empty() && index == first + 1) {
                    found.items.push((Some(marked.to_owned()), line.clone()));
                } else if let Some((_, last)) = found.items.last_mut() {
                    // A condition of the exception above it.
                    last.end = line.end;
                }
            } else {
                break;
            }
            found.all.end = line.end;
        }
        Some(found)
    }

    fn exception(&self, which: &Which) -> Result<Range<usize>, Reason> {
        let found = self.all_exceptions().ok_or("the section has no exceptions")?;
        match which {
            Which::All => Ok(found.all),
            Which::Only => match found.items.as_slice() {
                [_] => Ok(found.all),
                _ => {
                    Err("the section has several exceptions, and the instruction does not say which it means")
                }
            },
            Which::Named(name) => {
                let name = name.trim_matches(['(', ')', '.']);
                let unnumbered = name == "1" && matches!(found.items.as_slice(), [(None, _)]);
                found
                    .items
                    .iter()
                    .find(|(number, _)| number.as_deref() == Some(name) || unnumbered)
                    .map(|(_, range)| range.clone())
                    .ok_or("the section has no exception with this number")
            }
            Which::Nth(place) => found
                .items
                .get(place.saturating_sub(1))
                .map(|(_, range)| range.clone())
                .ok_or("the section has fewer exceptions"),
            Which::Last => {
                found.items.last().map(|(_, range)| range.clone()).ok_or("the section has no exceptions")
            }
            Which::New => Err("a new exception has no place in the text yet"),
        }
    }

    /// Lines of the section that are no exceptions.
    fn plain_lines(&self, within: &Range<usize>) -> Vec<Range<usize>> {
        let exceptions = self.all_exceptions().map(|found| found.all);
        let inside_exception =
            exceptions.as_ref().is_some_and(|all| all.start <= within.start && within.end <= all.end);
        self.lines
            .iter()
            .filter(|line| line.start >= within.start && line.end <= within.end)
            .filter(|line| {
                inside_exception
                    || exceptions.as_ref().is_none_or(|all| line.end <= all.start || line.start >= all.end)
            })
            .cloned()
            .collect()
    }

    fn item(&self, which: &Which, within: &Range<usize>) -> Result<Range<usize>, Reason> {
        let lines = self.plain_lines(within);
        let items: Vec<(&str, &Range<usize>)> =
            lines.iter().filter_map(|line| Some((mark(self.slice(line))?, line))).collect();
        let found: Vec<&Range<usize>> = match which {
            Which::Named(name) => items
                .iter()
                .filter(|(mark, _)| mark.eq_ignore_ascii_case(name))
                .map(|(_, line)| *line)
                .collect(),
            Which::Nth(place) => {
                items.get(place.saturating_sub(1)).map(|(_, line)| *line).into_iter().collect()
            }
            Which::Last => items.last().map(|(_, line)| *line).into_iter().collect(),
            Which::All => {
                return range_of(items.iter().map(|(_, line)| *line)).ok_or("the section has no items");
            }
            Which::Only | Which::New => return Err("the instruction does not say which item it means"),
        };
        one(&found, "the section has no such item", "the section has several items with this mark")
    }

    fn paragraph(&self, which: &Which, within: &Range<usize>) -> Result<Range<usize>, Reason> {
        let lines = self.plain_lines(within);
        if let Which::Named(name) = which
            && name.starts_with('(')
        {
            let first = name.split_inclusive(')').next().unwrap_or_default();
            let rest = name.get(first.len()..).unwrap_or_default();
            let mark_is = |line: &&Range<usize>| self.slice(line).trim_start().starts_with(first);
            let at = lines.iter().find(mark_is).ok_or("the section has no such paragraph")?;
            if rest.is_empty() {
                return Ok(at.clone());
            }
            let inner = at.end..within.end;
            return self.paragraph(&Which::Named(rest.to_owned()), &inner);
        }
        // A list belongs to the paragraph that introduces it.
        let paragraphs: Vec<&Range<usize>> =
            lines.iter().filter(|line| mark(self.slice(line)).is_none()).collect();
        let found: Vec<&Range<usize>> = match which {
            Which::Nth(place) => paragraphs.get(place.saturating_sub(1)).copied().into_iter().collect(),
            Which::Last => paragraphs.last().copied().into_iter().collect(),
            Which::Only => paragraphs.clone(),
            Which::Named(name) => {
                let marked: Vec<&Range<usize>> =
                    lines.iter().filter(|line| mark(self.slice(line)).is_some_and(|m| m == name)).collect();
                match (marked.is_empty(), name.parse::<usize>()) {
                    (true, Ok(place)) => {
                        paragraphs.get(place.saturating_sub(1)).copied().into_iter().collect()
                    }
                    _ => marked,
                }
            }
            Which::All => return range_of(paragraphs.into_iter()).ok_or("the section has no paragraphs"),
            Which::New => return Err("a new paragraph has no place in the text yet"),
        };
        one(
            &found,
            "the section has no such paragraph",
            "the section has several paragraphs, and the instruction does not say which it means",
        )
    }

    fn sentence(&self, which: &Which, within: &Range<usize>) -> Result<Range<usize>, Reason> {
        let sentences = sentences(self.text, within);
        match which {
            Which::Nth(place) => {
                sentences.get(place.saturating_sub(1)).cloned().ok_or("the text has fewer sentences")
            }
            Which::Last => sentences.last().cloned().ok_or("the text has no sentences"),
            Which::Only => match sentences.as_slice() {
                [only] => Ok(only.clone()),
                _ => Err("the text has several sentences, and the instruction does not say which it means"),
            },
            _ => Err("the instruction does not say which sentence it means"),
        }
    }

    /// A footnote: a line that begins with its letter.
    fn note(&self, which: &Which) -> Result<Range<usize>, Reason> {
        let Which::Named(name) = which else {
            return Err("the instruction does not say which note it means");
        };
        let found: Vec<&Range<usize>> = self
            .lines
            .iter()
            .filter(|line| {
                let text = self.slice(line).trim_start();
                let bare = text.trim_start_matches('(');
                bare.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
                    && bare.get(name.len()..).is_some_and(|rest| {
                        rest.starts_with(['.', ')']) || (rest.starts_with(' ') && !text.contains('|'))
                    })
            })
            .collect();
        one(&found, "there is no such note", "there are several notes with this mark")
    }

    /// A row of a table, by its first cell.
    fn row(&self, which: &Which) -> Result<Range<usize>, Reason> {
        let Which::Named(name) = which else { return Err("the instruction does not say which row it means") };
        let wanted = folded(name);
        let found: Vec<&Range<usize>> = self
            .lines
            .iter()
            .filter(|line| {
                let first =
                    self.slice(line).trim().trim_start_matches('|').split('|').next().unwrap_or_default();
                folded(first) == wanted
            })
            .collect();
        one(&found, "the table has no such row", "the table has several rows with this name")
    }

    /// A definition: from the term to the next line that begins with another one.
    fn definition(&self, which: &Which) -> Result<Range<usize>, Reason> {
        let Which::Named(term) = which else {
            return Err("the instruction does not say which definition it means");
        };
        let wanted = folded(term);
        let begins = |line: &Range<usize>| {
            let text = self.slice(line).trim_start_matches(['*', '"', '“', ' ']);
            let start: String = folded(text).chars().take(wanted.chars().count() + 1).collect();
            start.trim_end() == wanted
        };
        let mut found: Vec<Range<usize>> = Vec::new();
        for (index, line) in self.lines.iter().enumerate().filter(|(_, line)| begins(line)) {
            let rest = self.lines.get(index + 1..).unwrap_or_default();
            let more = rest.iter().take_while(|next| !begins_term(self.slice(next))).last();
            found.push(line.start..more.map_or(line.end, |last| last.end));
        }
        one(
            &found.iter().collect::<Vec<_>>(),
            "the term is not defined here",
            "the term is defined here several times",
        )
    }

    /// The place after the last exception, or `None` without any.
    pub fn after_exceptions(&self) -> Option<usize> {
        self.all_exceptions().map(|found| found.all.end)
    }

    /// The place after the last item of the section's list.
    pub fn after_items(&self) -> Option<usize> {
        self.plain_lines(&self.body())
            .iter()
            .rfind(|line| mark(self.slice(line)).is_some())
            .map(|line| line.end)
    }

    /// Where a new paragraph with this place in order begins.
    pub fn before_paragraph(&self, place: usize) -> Option<usize> {
        let lines = self.plain_lines(&self.body());
        let paragraphs: Vec<&Range<usize>> =
            lines.iter().filter(|line| mark(self.slice(line)).is_none()).collect();
        match paragraphs.get(place.saturating_sub(1)) {
            Some(line) => Some(line.start),
            // One more than there are: at the end, before the exceptions.
            None if paragraphs.len() + 1 == place => Some(lines.last()?.end),
            None => None,
        }
    }

    /// Where a definition belongs in the order of the alphabet.
    pub fn before_definition(&self, term: &str) -> usize {
        let wanted = folded(term);
        self.lines
            .iter()
            .filter(|line| begins_term(self.slice(line)))
            .find(|line| folded(self.slice(line)) > wanted)
            .map_or(self.body().end, |line| line.start)
    }
}

fn range_of<'r>(mut ranges: impl Iterator<Item = &'r Range<usize>>) -> Option<Range<usize>> {
    let first = ranges.next()?;
    Some(first.start..ranges.last().map_or(first.end, |last| last.end))
}

fn one(found: &[&Range<usize>], none: Reason, several: Reason) -> Result<Range<usize>, Reason> {
    match found {
        [] => Err(none),
        [only] => Ok((*only).clone()),
        _ => Err(several),
    }
}

/// Letters and digits in lower case, one space between words.
pub(super) fn folded(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

/// "Exceptions:", "EXCEPTION 2." at the beginning of a line: the number and the label's length.
pub(super) fn exception_label(line: &str) -> Option<(Option<String>, usize)> {
    let start = line.len() - line.trim_start_matches([' ', '*']).len();
    let rest = line.get(start..)?;
    let word = rest.get(..9).filter(|word| word.eq_ignore_ascii_case("exception"))?;
    let after = rest.get(word.len()..)?.trim_start_matches(['s', 'S']);
    let number: String = after.trim_start().chars().take_while(char::is_ascii_digit).collect();
    let after_number = after.trim_start().get(number.len()..)?.trim_start_matches('*').trim_start();
    let end = after_number.strip_prefix([':', '.'])?.trim_start_matches('*');
    Some(((!number.is_empty()).then_some(number), line.len() - end.len()))
}

/// "1.", "(a)", "b)" at the beginning of a line.
pub(super) fn mark(line: &str) -> Option<&str> {
    let text = line.trim_start();
    if let Some(inner) = text.strip_prefix('(').and_then(|rest| rest.split(')').next()) {
        return ((1..=4).contains(&inner.len()) && inner.chars().all(|c| c.is_ascii_alphanumeric()))
            .then_some(inner);
    }
    let end = text.find(['.', ')', ' '])?;
    let inner = text.get(..end)?;
    let fits = inner.chars().all(|c| c.is_ascii_digit()) && inner.len() <= 3
        || inner.len() == 1 && inner.chars().all(|c| c.is_ascii_alphabetic());
    let closed = text.get(end..)?.starts_with(['.', ')']);
    let spaced = text.get(end + 1..)?.chars().next().is_none_or(char::is_whitespace);
    (!inner.is_empty() && fits && closed && spaced).then_some(inner)
}

/// A term at the beginning of a line: capitals or a short run of words before a full stop, or bold.
fn begins_term(line: &str) -> bool {
    let text = line.trim_start();
    if text.starts_with("**") || text.starts_with(['“', '"']) {
        return true;
    }
    let head = text.split(['.', ':', '—']).next().unwrap_or_default();
    head.len() >= 3
        && head.len() <= 80
        && head.chars().any(char::is_alphabetic)
        && !head.chars().any(char::is_lowercase)
}

/// The sentences of a stretch of text.
fn sentences(text: &str, within: &Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = within.start;
    let slice = text.get(within.clone()).unwrap_or_default();
    for (at, c) in slice.char_indices() {
        let end = within.start + at + c.len_utf8();
        let rest = slice.get(at + c.len_utf8()..).unwrap_or_default();
        let closes =
            matches!(c, '.' | '!' | '?') && (rest.is_empty() || rest.starts_with(char::is_whitespace));
        let next_is_upper = rest
            .trim_start()
            .chars()
            .next()
            .is_none_or(|next| !next.is_lowercase() && !next.is_ascii_digit());
        let before = slice.get(..at).unwrap_or_default();
        let word = before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        let abbreviated = matches!(word, "Sec" | "No" | "Fig" | "Mr" | "Dr" | "St")
            || mark(text.get(start..end).unwrap_or_default())
                .is_some_and(|m| m.len() + 1 >= text.get(start..end).unwrap_or_default().trim().len());
        if closes && next_is_upper && !abbreviated {
            found.push(start..end);
            start = end + (rest.len() - rest.trim_start().len());
        }
    }
    if start < within.end && !text.get(start..within.end).unwrap_or_default().trim().is_empty() {
        found.push(start..within.end);
    }
    found
}
