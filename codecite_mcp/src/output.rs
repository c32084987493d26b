//! Text for people: cleaning, wrapping, tables, terminals.

use std::io::IsTerminal;

/// Lines longer than this are hard to read, however wide the terminal is.
const WIDEST: usize = 110;
const NARROWEST: usize = 40;

/// The width to wrap to.
pub fn width() -> usize {
    let columns = terminal_size::terminal_size().map_or(100, |(columns, _)| usize::from(columns.0));
    columns.clamp(NARROWEST, WIDEST)
}

fn wants_colour() -> bool {
    let is_unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    std::io::stdout().is_terminal() && !is_unwanted
}

/// Bold on a terminal that wants it.
pub fn bold(text: &str) -> String {
    if wants_colour() { format!("\x1b[1m{text}\x1b[0m") } else { text.to_owned() }
}

/// Characters that steer a terminal or reorder text: text from documents must not hold them.
fn is_unsafe(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t')
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{61c}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// The text without control, bidirectional and invisible characters.
pub fn clean(text: &str) -> String {
    text.chars().filter(|c| !is_unsafe(*c)).collect()
}

/// Cleans every string in a value.
pub fn clean_json(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::String(text) if text.chars().any(is_unsafe) => *text = clean(text),
        serde_json::Value::Array(items) => items.iter_mut().for_each(clean_json),
        serde_json::Value::Object(fields) => fields.values_mut().for_each(clean_json),
        _ => {}
    }
}

/// Wraps each line of a text at spaces, behind an indent. Leading spaces of a line are kept on what follows it.
pub fn wrap(text: &str, width: usize, indent: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let own: String = line.chars().take_while(|c| *c == ' ').collect();
        let prefix = format!("{indent}{own}");
        let room = width.saturating_sub(prefix.chars().count()).max(20);
        // Tables are aligned by their author: their lines stay whole.
        let is_table = line.trim_start().starts_with('|');
        let mut current = String::new();
        let mut length = 0;
        for word in line.split_whitespace() {
            let size = word.chars().count();
            if length > 0 && !is_table && length + 1 + size > room {
                push_line(&mut out, &prefix, &current);
                current.clear();
                length = 0;
            }
            if length > 0 {
                current.push(' ');
                length += 1;
            }
            current.push_str(word);
            length += size;
        }
        push_line(&mut out, &prefix, &current);
    }
    out
}

fn push_line(out: &mut String, prefix: &str, line: &str) {
    if !line.is_empty() {
        out.push_str(prefix);
        out.push_str(line);
    }
    out.push('\n');
}

/// A table with aligned columns; numbers are set to the right.
pub fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let size = |text: &str| text.chars().count();
    let mut widths: Vec<usize> = head.iter().map(|name| size(name)).collect();
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(size(cell));
        }
    }
    let is_number =
        |cell: &str| !cell.is_empty() && cell.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ','));
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        let mut text = String::new();
        for (cell, width) in cells.zip(&widths) {
            let pad = " ".repeat(width.saturating_sub(size(cell)));
            let (before, after) = if is_number(cell) { (pad.as_str(), "") } else { ("", pad.as_str()) };
            text.push_str(&format!("{before}{cell}{after}  "));
        }
        format!("{}\n", text.trim_end())
    };
    let mut out = line(&mut head.iter().copied());
    for row in rows {
        out.push_str(&line(&mut row.iter().map(String::as_str)));
    }
    out
}

/// The first `most` characters, and how many there are in all.
pub fn take_chars(text: &str, most: usize) -> (&str, usize) {
    let total = text.chars().count();
    let end = text.char_indices().nth(most).map_or(text.len(), |(at, _)| at);
    (text.get(..end).unwrap_or(text), total)
}

/// "p. 10" or "p. 10–12".
pub fn pages(from: Option<i32>, to: Option<i32>) -> Option<String> {
    match (from, to) {
        (Some(from), Some(to)) if to != from => Some(format!("p. {from}–{to}")),
        (Some(page), _) | (None, Some(page)) => Some(format!("p. {page}")),
        (None, None) => None,
    }
}

/// "3 changed, 1 added": how often each word occurs, in the order of first occurrence.
pub fn tally<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for word in words {
        match counts.iter_mut().find(|(known, _)| *known == word) {
            Some((_, count)) => *count += 1,
            None => counts.push((word, 1)),
        }
    }
    counts.iter().map(|(word, count)| format!("{count} {word}")).collect::<Vec<_>>().join(", ")
}

/// A redline ([-out-] {+in+}) in colours on a terminal that wants them. It is painted after it is wrapped: marks have no width.
pub fn paint(redline: &str) -> String {
    if !wants_colour() {
        return redline.to_owned();
    }
    let marks = [("[-", "\x1b[31m[-"), ("-]", "-]\x1b[0m"), ("{+", "\x1b[32m{+"), ("+}", "+}\x1b[0m")];
    marks.iter().fold(redline.to_owned(), |text, (mark, painted)| text.replace(mark, painted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wraps_at_spaces_and_keeps_lines() {
        let text = wrap("one two three four five six seven\n  1. eight", 24, "  ");
        assert_eq!(text, "  one two three four\n  five six seven\n    1. eight\n");
    }

    #[test]
    fn strips_what_steers_a_terminal() {
        assert_eq!(clean("a\u{1b}[31m\u{202e}b\u{200b}\n\tc\u{7}"), "a[31mb\n\tc");
        let mut value = serde_json::json!({"a": ["x\u{2066}y"], "b": 1});
        clean_json(&mut value);
        assert_eq!(value, serde_json::json!({"a": ["xy"], "b": 1}));
    }

    #[test]
    fn takes_characters_not_bytes() {
        assert_eq!(take_chars("§§§", 2), ("§§", 3));
        assert_eq!(take_chars("ab", 9), ("ab", 2));
    }

    #[test]
    fn aligns_tables() {
        let rows = vec![vec!["a".into(), "10".into()], vec!["long".into(), "9".into()]];
        assert_eq!(table(&["name", "n"], &rows), "name  n\na     10\nlong   9\n");
    }
}
