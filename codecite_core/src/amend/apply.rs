//! An operation carried out on the text of a base section.

use std::ops::Range;

use super::locate::{Lines, Reason, exception_label, folded, mark};
use super::operation::{Detail, Place, Scope, Unit, Verb, Which, Words};

/// What becomes of a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Amended {
    /// It reads so.
    Text(String),
    /// It is deleted.
    Deleted,
    /// Its number is kept without a text.
    Reserved,
    /// Its text is the same under another number.
    Renumbered(String),
}

/// An operation that is clear, with the text that it brings.
#[derive(Debug, Clone)]
pub struct Step<'a> {
    /// What is done.
    pub verb: Verb,
    /// In which part, and how.
    pub detail: Detail,
    /// The new number.
    pub renumbered: Option<String>,
    /// The new text.
    pub new: Option<&'a str>,
}

/// Carries out one operation on `text`, of which the first `heading` bytes are the heading. The base itself stays as it is.
///
/// # Errors
/// Why it cannot be carried out: the part is not there, or not one alone. Nothing is guessed.
pub fn apply(text: &str, heading: usize, operation: &Step<'_>) -> Result<Amended, Reason> {
    let new = operation.new;
    let lines = Lines::new(text, heading);
    if !operation.detail.words.is_empty() {
        let within = lines.find(&operation.detail.scope)?;
        return words(text, &within, &operation.detail.words).map(Amended::Text);
    }
    if operation.detail.scope.is_empty() && operation.detail.place.is_none() {
        return whole(text, operation, new);
    }
    match operation.verb {
        Verb::Add => add(&lines, operation, new.ok_or("the instruction brings no text")?).map(Amended::Text),
        Verb::Revise | Verb::Replace if !operation.detail.quoted.is_empty() => {
            cells(&lines, operation).map(Amended::Text)
        }
        Verb::Revise | Verb::Replace => {
            let new = new.ok_or("the instruction brings no text")?;
            let range = lines.find(&operation.detail.scope)?;
            let new = relabelled(text.get(range.clone()).unwrap_or_default(), new.trim());
            Ok(Amended::Text(spliced(text, &range, &new)))
        }
        Verb::Delete | Verb::Reserve => {
            let range = lines.find(&operation.detail.scope)?;
            Ok(Amended::Text(without(&lines, range)))
        }
        Verb::Renumber => renumber_part(&lines, operation).map(Amended::Text),
        Verb::Adopt => Ok(Amended::Text(text.to_owned())),
    }
}

fn whole(text: &str, operation: &Step<'_>, new: Option<&str>) -> Result<Amended, Reason> {
    match operation.verb {
        Verb::Add | Verb::Revise | Verb::Replace => {
            new.map(|new| Amended::Text(new.trim().to_owned())).ok_or("the instruction brings no text")
        }
        Verb::Delete => Ok(Amended::Deleted),
        Verb::Reserve => Ok(Amended::Reserved),
        Verb::Renumber => {
            operation.renumbered.clone().map(Amended::Renumbered).ok_or("the instruction says no new number")
        }
        Verb::Adopt => Ok(Amended::Text(text.to_owned())),
    }
}

fn spliced(text: &str, range: &Range<usize>, new: &str) -> String {
    format!(
        "{}{new}{}",
        text.get(..range.start).unwrap_or_default(),
        text.get(range.end..).unwrap_or_default()
    )
}

/// A new text without the label keeps that of the old one: "Exception: …".
fn relabelled(old: &str, new: &str) -> String {
    match (exception_label(old), exception_label(new), mark(new)) {
        (Some((_, length)), None, None) => {
            format!("{} {new}", old.get(..length).unwrap_or_default().trim_end())
        }
        // "Exceptions: 1. …" whose first item is replaced.
        (Some((_, length)), None, Some(_)) if mark(old.get(length..).unwrap_or_default()).is_some() => {
            format!("{} {new}", old.get(..length).unwrap_or_default().trim_end())
        }
        _ => new.to_owned(),
    }
}

/// The text without a part, without the line that it leaves empty, and without a label that stands alone then.
fn without(lines: &Lines<'_>, range: Range<usize>) -> String {
    let text = lines.text;
    let removed = text.get(range.clone()).unwrap_or_default();
    let before = text.get(..range.start).unwrap_or_default();
    let after = text.get(range.end..).unwrap_or_default();
    let kept_label = exception_label(removed)
        .map(|(_, length)| removed.get(..length).unwrap_or_default())
        .filter(|label| {
            // The label of several exceptions stays with those that are left.
            label.to_lowercase().contains("exceptions") && mark(after.trim_start()).is_some()
        });
    let mut left = match kept_label {
        Some(label) => format!("{before}{}{after}", label.trim_end()),
        None if before.ends_with('\n') || before.is_empty() => {
            format!("{before}{}", after.trim_start_matches('\n'))
        }
        None => format!("{}{after}", before.trim_end_matches(' ')),
    };
    let bare = |line: &str| {
        exception_label(line)
            .is_some_and(|(_, length)| line.get(length..).unwrap_or_default().trim().is_empty())
    };
    let all: Vec<&str> = left.lines().collect();
    let alone = all
        .iter()
        .enumerate()
        .find(|(index, line)| bare(line) && all.get(index + 1).is_none_or(|next| mark(next).is_none()));
    if let Some((index, _)) = alone {
        let rest: Vec<&str> =
            all.iter().enumerate().filter(|(at, _)| *at != index).map(|(_, line)| *line).collect();
        left = rest.join("\n");
    }
    left.trim_end().to_owned()
}

fn add(lines: &Lines<'_>, operation: &Step<'_>, new: &str) -> Result<String, Reason> {
    let text = lines.text;
    let new = new.trim();
    let unit = operation.detail.scope.first();
    let outer = operation.detail.scope.get(1..).unwrap_or_default();
    let at = match (&operation.detail.place, unit) {
        (Some(Place::After(scope)), _) => place_end(lines, scope)?,
        (Some(Place::Before(scope)), _) => {
            return Ok(insert(text, lines.find(scope)?.start, &format!("{new}\n")));
        }
        (Some(Place::Start), _) => return Ok(insert(text, lines.find(outer)?.start, &format!("{new} "))),
        (Some(Place::End), _) => lines.find(outer)?.end,
        (None, None) => return Err("the instruction does not say where the text is added"),
        (None, Some(unit)) => return add_unit(lines, unit, outer, new),
    };
    // A sentence goes on in its line; anything else begins one.
    let runs_on = unit.is_some_and(|unit| unit.unit == Unit::Sentence || unit.unit == Unit::Text);
    Ok(insert(text, at, &format!("{}{new}", if runs_on { " " } else { "\n" })))
}

fn place_end(lines: &Lines<'_>, scope: &[Scope]) -> Result<usize, Reason> {
    match scope {
        [] => Ok(lines.body().end),
        _ => Ok(lines.find(scope)?.end),
    }
}

fn add_unit(lines: &Lines<'_>, unit: &Scope, outer: &[Scope], new: &str) -> Result<String, Reason> {
    let text = lines.text;
    let exists = !matches!(unit.which, Which::New) && lines.find(std::slice::from_ref(unit)).is_ok();
    match unit.unit {
        Unit::Exception => match (lines.after_exceptions(), &unit.which) {
            (Some(_), Which::Named(_)) if exists => {
                Err("the section has an exception with this number already")
            }
            (Some(end), _) => {
                let new = if mark(new).is_some() {
                    exception_label(new)
                        .map_or(new, |(_, length)| new.get(length..).unwrap_or_default().trim_start())
                } else {
                    new
                };
                Ok(insert(text, end, &format!("\n{new}")))
            }
            (None, _) if exception_label(new).is_some() => {
                Ok(insert(text, lines.body().end, &format!("\n{new}")))
            }
            (None, _) if mark(new).is_some() => {
                Ok(insert(text, lines.body().end, &format!("\nExceptions:\n{new}")))
            }
            (None, _) => Ok(insert(text, lines.body().end, &format!("\nException: {new}"))),
        },
        Unit::Item if exists => Err("the section has an item with this mark already"),
        Unit::Item => {
            let at = lines.after_items().ok_or("the section has no list that the item could be added to")?;
            Ok(insert(text, at, &format!("\n{new}")))
        }
        Unit::Paragraph => match unit.which {
            Which::Nth(place) => {
                let at = lines.before_paragraph(place).ok_or("the section has fewer paragraphs")?;
                let at_line = text.get(..at).is_some_and(|before| before.ends_with('\n'));
                Ok(insert(text, at, &if at_line { format!("{new}\n") } else { format!("\n{new}") }))
            }
            _ => Ok(insert(
                text,
                lines.after_items().max(Some(lines.body().end)).unwrap_or_default(),
                &format!("\n{new}"),
            )),
        },
        Unit::Sentence | Unit::Text => {
            let at = if outer.is_empty() { lines.body().end } else { lines.find(outer)?.end };
            Ok(insert(text, at, &format!(" {new}")))
        }
        Unit::Definition => {
            let Which::Named(term) = &unit.which else { return Err("the new definition cannot be found") };
            if exists {
                return Err("the term is defined here already");
            }
            let new = definition_of(term, new).ok_or("the new definition cannot be found")?;
            let at = lines.before_definition(term);
            if at == lines.body().end {
                Ok(insert(text, at, &format!("\n{new}")))
            } else {
                Ok(insert(text, at, &format!("{new}\n")))
            }
        }
        Unit::Row | Unit::Note => Ok(insert(text, lines.body().end, &format!("\n{new}"))),
        Unit::Title | Unit::Column => Err("such a part is not added automatically"),
    }
}

/// The lines of one term among several new definitions.
fn definition_of<'n>(term: &str, new: &'n str) -> Option<&'n str> {
    let lines = Lines::new(new, 0);
    let scope = [Scope { unit: Unit::Definition, which: Which::Named(term.to_owned()) }];
    new.get(lines.find(&scope).ok()?)
}

fn insert(text: &str, at: usize, new: &str) -> String {
    spliced(text, &(at..at), new)
}

/// The cells of a row after its name.
fn cells(lines: &Lines<'_>, operation: &Step<'_>) -> Result<String, Reason> {
    let range = lines.find(&operation.detail.scope)?;
    let old = lines.text.get(range.clone()).unwrap_or_default();
    if operation.detail.scope.first().is_none_or(|scope| scope.unit != Unit::Row) {
        let [quoted] = operation.detail.quoted.as_slice() else {
            return Err("the instruction quotes several texts");
        };
        return Ok(spliced(lines.text, &range, quoted));
    }
    let inner = old.trim().trim_start_matches('|').trim_end_matches('|');
    let cells: Vec<&str> = inner.split('|').map(str::trim).collect();
    if cells.len() != operation.detail.quoted.len() + 1 {
        return Err("the row has another number of cells than the instruction");
    }
    let mut row = vec![cells.first().copied().unwrap_or_default()];
    row.extend(operation.detail.quoted.iter().map(String::as_str));
    let joined = row.join(" | ");
    let new = if old.trim_start().starts_with('|') { format!("| {joined} |") } else { joined };
    Ok(spliced(lines.text, &range, &new))
}

/// "The exception is renumbered as exception 1."
fn renumber_part(lines: &Lines<'_>, operation: &Step<'_>) -> Result<String, Reason> {
    let number = operation.renumbered.as_deref().ok_or("the instruction says no new number")?;
    let range = lines.find(&operation.detail.scope)?;
    let old = lines.text.get(range.clone()).unwrap_or_default();
    let new = match (exception_label(old), mark(old)) {
        (Some((_, length)), _) => {
            let rest = old.get(length..).unwrap_or_default().trim_start();
            let rest = mark(rest).map_or(rest, |m| rest.get(m.len() + 1..).unwrap_or_default().trim_start());
            format!("Exceptions:\n{number}. {rest}")
        }
        (None, Some(old_mark)) => old.replacen(old_mark, number, 1),
        (None, None) => return Err("the part has no number"),
    };
    Ok(spliced(lines.text, &range, &new))
}

/// Changes words that occur exactly once (or everywhere, when the instruction says so), whatever the white space in them.
fn words(text: &str, within: &Range<usize>, changes: &[Words]) -> Result<String, Reason> {
    let mut text = text.to_owned();
    let mut end = within.end;
    for change in changes {
        let wanted =
            change.old.as_deref().or(change.after.as_deref()).ok_or("the instruction does not say where")?;
        let found = occurrences(text.get(within.start..end).unwrap_or_default(), wanted);
        match found.len() {
            0 => return Err("the words do not occur in the text"),
            1 => {}
            _ if change.everywhere => {}
            _ => {
                return Err("the words occur several times, and the instruction does not say which it means");
            }
        }
        for range in found.iter().rev() {
            let range = within.start + range.start..within.start + range.end;
            let new = match (&change.old, change.new.as_deref().unwrap_or_default()) {
                (Some(_), new) => new.to_owned(),
                (None, new) => format!("{} {new}", text.get(range.clone()).unwrap_or_default()),
            };
            let before = text.len();
            text = spliced(&text, &range, &new);
            if new.is_empty() {
                text = text.replacen("  ", " ", 1);
            }
            end = (end + text.len()).saturating_sub(before);
        }
    }
    Ok(text)
}

/// Where words occur, as whole words, with any white space between them.
fn occurrences(text: &str, wanted: &str) -> Vec<Range<usize>> {
    let words: Vec<&str> = wanted.split_whitespace().collect();
    let (Some(first), Some(_)) = (words.first(), words.last()) else { return Vec::new() };
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|rest| rest.find(first)).map(|at| from + at) {
        from = at + first.len();
        let mut end = at;
        let mut fits =
            !ends_in_word(text.get(..at).unwrap_or_default()) || !first.starts_with(char::is_alphanumeric);
        for (index, word) in words.iter().enumerate() {
            let rest = text.get(end..).unwrap_or_default();
            let skipped = if index == 0 { rest } else { rest.trim_start() };
            if !skipped.starts_with(word) || (index > 0 && skipped.len() == rest.len()) {
                fits = false;
                break;
            }
            end += rest.len() - skipped.len() + word.len();
        }
        let closed = text.get(end..).unwrap_or_default().chars().next().is_none_or(|c| !c.is_alphanumeric())
            || !wanted.ends_with(char::is_alphanumeric);
        if fits && closed {
            found.push(at..end);
            from = end;
        }
    }
    found
}

fn ends_in_word(text: &str) -> bool {
    text.ends_with(char::is_alphanumeric)
}

/// Whether two texts say the same but for case, white space and punctuation.
pub fn same_words(a: &str, b: &str) -> bool {
    folded(a) == folded(b)
}
