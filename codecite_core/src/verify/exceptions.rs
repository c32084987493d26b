//! Exceptions and items of a section's text, as far as a citation needs to know which there are.

use super::judge::{Judgement, Note};
use super::lookup::Text;
use super::marker;

/// The exceptions of a text, by number; one without a number is 1.
pub(super) fn exceptions(body: &str) -> Vec<u32> {
    let mut found = Vec::new();
    let mut listing = false;
    for line in body.lines() {
        let line = line.trim_matches([' ', '\t', '*', '_', '>', '#']);
        if let Some(label) = label(line) {
            match label {
                Label::List => listing = true,
                Label::One(number) => {
                    found.push(number.unwrap_or(1));
                    listing = true;
                }
            }
            continue;
        }
        match item(line) {
            Some(number) if listing && !(number == 1 && found.contains(&1) && found.len() == 1) => {
                found.push(number)
            }
            _ if inside(line) => {
                found.push(1);
                listing = true;
            }
            _ => {}
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

enum Label {
    /// "Exceptions:"
    List,
    /// "Exception: …", "Exception 2: …"
    One(Option<u32>),
}

fn label(line: &str) -> Option<Label> {
    let lower = line.to_ascii_lowercase();
    // A paragraph may be titled so: "(2) Exception. …".
    let lower = marker::at_start(&lower).and_then(|at| lower.get(at..)).unwrap_or(&lower).trim_start();
    let rest = lower.strip_prefix("exception")?;
    let is_list = rest.starts_with('s');
    let rest = rest.trim_start_matches('s').trim_start();
    let rest = rest.strip_prefix("no.").unwrap_or(rest).trim_start();
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    let after = rest.get(digits.len()..)?.trim_start_matches(['*', ' ']);
    let is_label =
        after.is_empty() || after.starts_with([':', '.', '—', '–', '-']) || after.starts_with("for ");
    // A list may begin in the line of its label: "Exceptions: 1. Sheds."
    let body = after.trim_start_matches([':', '.', '—', '–', '-', ' ', '*']);
    match (is_label, is_list) {
        (false, _) => None,
        (true, true) if item(body).is_some() => Some(Label::One(item(body))),
        (true, true) if body.is_empty() => Some(Label::List),
        (true, _) => Some(Label::One(digits.parse().ok().or_else(|| item(body)))),
    }
}

/// "… is closed. Exception: …" within a line.
fn inside(line: &str) -> bool {
    let found = ["Exception:", "EXCEPTION:", "Exceptions:", "EXCEPTIONS:"];
    found.iter().any(|label| line.contains(label))
}

/// The number of an item at the beginning of a line.
fn item(line: &str) -> Option<u32> {
    let length = marker::at_start(line)?;
    line.get(..length)?.trim_matches(['(', ')', '.']).parse().ok()
}

/// Which numbers a locator names: "Exceptions 1 and 2", "Exceptions 1 through 3", "Exception" (none).
fn numbers(locator: &str) -> Vec<u32> {
    let words: Vec<&str> =
        locator.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).skip(1).collect();
    let mut found: Vec<u32> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let Ok(number) = word.parse::<u32>() else { continue };
        let is_end = at.checked_sub(1).and_then(|before| words.get(before)) == Some(&"through");
        if let Some(first) = found.last().copied().filter(|first| is_end && number > *first && number < 100) {
            found.extend(first + 1..number);
        }
        found.push(number);
    }
    found
}

/// What is wrong with the exceptions that a citation names, in the texts of one corpus.
pub(super) fn missing_exceptions(locator: &str, texts: &[&Text]) -> Option<(Judgement, Note)> {
    if !locator.starts_with("Exception") {
        return None;
    }
    let mut wanted = numbers(locator);
    if wanted.is_empty() {
        wanted.push(1);
    }
    let of = |body: &str| exceptions(body);
    let mut before: Vec<u32> = texts.iter().flat_map(|text| of(&text.body)).collect();
    before.sort_unstable();
    before.dedup();
    let amended: Vec<&str> = texts.iter().filter_map(|text| text.amended.as_deref()).collect();
    let now: Vec<u32> = amended.iter().flat_map(|body| of(body)).collect();
    let known = if amended.is_empty() { &before } else { &now };
    let absent: Vec<&u32> = wanted.iter().filter(|number| !known.contains(number)).collect();
    let first = absent.first()?;
    if !amended.is_empty() && before.contains(first) {
        let text = format!("as amended it has {}: Exception {first} is of the text before", count(now.len()));
        return Some((Judgement::Deleted, Note::new("exceptions", text)));
    }
    Some((Judgement::NotInCorpus, Note::new("exceptions", format!("it has {}", count(known.len())))))
}

fn count(exceptions: usize) -> String {
    match exceptions {
        0 => "no exception".to_owned(),
        1 => "1 exception".to_owned(),
        more => format!("{more} exceptions"),
    }
}

/// What is wrong with the items that a citation names.
pub(super) fn missing_items(locator: &str, texts: &[&Text]) -> Option<(Judgement, Note)> {
    let name = locator.strip_prefix("Item").map(|rest| rest.trim_start_matches('s').trim())?;
    let wanted = numbers(locator);
    let bodies =
        || texts.iter().flat_map(|text| [Some(text.body.as_str()), text.amended.as_deref()]).flatten();
    let marks: Vec<&str> = bodies().flat_map(marks).collect();
    let has = |mark: &str| marks.iter().any(|known| known.eq_ignore_ascii_case(mark));
    let all = match wanted.as_slice() {
        [] => name.split_whitespace().all(has),
        numbers => numbers.iter().all(|number| has(&number.to_string())),
    };
    let counted = marks.iter().filter(|mark| mark.starts_with(|c: char| c.is_ascii_digit())).count();
    (!all).then(|| (Judgement::NotInCorpus, Note::new("items", format!("it has {counted} numbered items"))))
}

/// The marks at the beginnings of lines, without their signs.
fn marks(body: &str) -> impl Iterator<Item = &str> {
    body.lines().filter_map(|line| {
        let line = line.trim_start_matches([' ', '\t', '*', '_']);
        let length = marker::at_start(line)?;
        Some(line.get(..length)?.trim_matches(['(', ')', '.']))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exceptions_are_counted() {
        for (body, expected) in [
            ("Doors are wide.\nException: Not in barns.", vec![1]),
            ("Doors are wide.\nExceptions:\n1. Not in barns.\n2. Nor in sheds.\n3. Nor here.", vec![1, 2, 3]),
            ("Doors:\n1. wide\n2. high\nException: barns.", vec![1]),
            ("**Exception 2:** barns", vec![2]),
            ("Doors are wide. Exception: barns.", vec![1]),
            ("Exceptions: 1. Sheds.\n2. Barns.", vec![1, 2]),
            ("(2) Exception. Not in barns.", vec![1]),
            ("No exception is made.\n1. One", vec![]),
        ] {
            assert_eq!(exceptions(body), expected, "{body}");
        }
        assert_eq!(numbers("Exceptions 1 through 3 and 5"), [1, 2, 3, 5]);
        assert_eq!(numbers("Exception"), Vec::<u32>::new());
    }
}
