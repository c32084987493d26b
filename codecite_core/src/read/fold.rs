//! White space as browsers fold it.

/// Appends text, with each stretch of white space as one space and none at the beginning of a line.
pub(super) fn push_folded(out: &mut String, text: &str) {
    let mut rest = text;
    while !rest.is_empty() {
        let word = rest.bytes().position(|byte| !(0x21..=0x7e).contains(&byte)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(word);
        out.push_str(word);
        let mut chars = after.chars();
        if let Some(c) = chars.next() {
            if !c.is_whitespace() {
                out.extend(Some(c).filter(|c| is_printed(*c)));
            } else if !matches!(out.as_bytes().last(), None | Some(b' ' | b'\n')) {
                out.push(' ');
            }
        }
        rest = chars.as_str();
    }
}

/// Appends preformatted text as it stands.
pub(super) fn push_raw(out: &mut String, text: &str) {
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            out.push('\n');
        }
        if line.contains('\u{a0}') {
            push_word(out, &line.replace('\u{a0}', " "));
        } else {
            push_word(out, line);
        }
    }
}

/// Appends what is printed of a word: soft hyphens, joiners without width and controls are not.
fn push_word(out: &mut String, word: &str) {
    if word.is_ascii() && !word.bytes().any(|byte| byte.is_ascii_control() && byte != b'\t') {
        out.push_str(word);
    } else {
        out.extend(word.chars().filter(|c| is_printed(*c)));
    }
}

/// False for what leaves no mark on the page.
pub(super) fn is_printed(c: char) -> bool {
    c == '\t' || !c.is_control() && !matches!(c, '\u{ad}' | '\u{200b}' | '\u{2060}' | '\u{feff}')
}

/// Begins a new line, without space at the end of the one before.
pub(super) fn push_line_break(out: &mut String) {
    out.truncate(out.trim_end_matches(' ').len());
    if !out.is_empty() {
        out.push('\n');
    }
}

/// True when nothing of it would be printed.
pub(super) fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || !is_printed(c))
}
