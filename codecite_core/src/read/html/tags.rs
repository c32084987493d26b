//! A look at the tags before they are parsed.

use crate::document::Format;
use crate::error::{Error, Result};

/// The most attributes of one tag: the tokenizer compares each with all before it.
const MAX_ATTRIBUTES: usize = 4_000;

/// Elements whose content is not markup.
const RAW: [&str; 8] = ["script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"];

/// Fails for a tag with thousands of attributes.
///
/// # Errors
/// [`Error::Malformed`].
pub(super) fn check_attributes(source: &str) -> Result<()> {
    let mut rest = source;
    while let Some(open) = rest.find('<') {
        rest = rest.get(open + 1..).unwrap_or_default();
        if let Some(comment) = rest.strip_prefix("!--") {
            rest = after_comment(comment);
            continue;
        }
        let name = rest.strip_prefix('/').unwrap_or(rest);
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            continue;
        }
        let (after, attributes) = after_tag(rest);
        if attributes > MAX_ATTRIBUTES {
            let what = format!("a tag has more than {MAX_ATTRIBUTES} attributes");
            return Err(Error::Malformed { format: Format::Html, page: None, what });
        }
        let raw = RAW.iter().find(|raw| begins_with(rest, raw));
        rest = raw.map_or(after, |raw| after_raw(after, raw));
    }
    Ok(())
}

fn begins_with(text: &str, name: &str) -> bool {
    let next = text.as_bytes().get(name.len());
    text.get(..name.len()).is_some_and(|head| head.eq_ignore_ascii_case(name))
        && next.is_none_or(|byte| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>'))
}

fn after_comment(comment: &str) -> &str {
    if let Some(rest) = comment.strip_prefix('>').or_else(|| comment.strip_prefix("->")) {
        return rest;
    }
    let mut rest = comment;
    while let Some(at) = rest.find("--") {
        rest = rest.get(at + 2..).unwrap_or_default();
        let end = rest.trim_start_matches('-');
        if let Some(after) = end.strip_prefix('>').or_else(|| rest.strip_prefix("!>")) {
            return after;
        }
    }
    ""
}

/// What follows a tag, and how many attributes it has.
fn after_tag(tag: &str) -> (&str, usize) {
    let name = tag.find(|c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>')).unwrap_or(tag.len());
    let mut rest = tag.get(name..).unwrap_or_default();
    let mut count = 0;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '/');
        let Some(first) = rest.chars().next() else { return ("", count) };
        if first == '>' {
            return (rest.get(1..).unwrap_or_default(), count);
        }
        count += 1;
        // An equals sign may begin a name.
        let from = first.len_utf8();
        let ends = |c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>' | '=');
        let end = rest.get(from..).and_then(|tail| tail.find(ends)).map_or(rest.len(), |at| from + at);
        rest = rest.get(end..).unwrap_or_default();
        if let Some(value) = rest.trim_start_matches(|c: char| c.is_ascii_whitespace()).strip_prefix('=') {
            rest = after_value(value.trim_start_matches(|c: char| c.is_ascii_whitespace()));
        }
    }
}

fn after_value(value: &str) -> &str {
    for quote in ['"', '\''] {
        if let Some(inner) = value.strip_prefix(quote) {
            return inner.find(quote).and_then(|end| inner.get(end + 1..)).unwrap_or_default();
        }
    }
    let end = value.find(|c: char| c.is_ascii_whitespace() || c == '>').unwrap_or(value.len());
    value.get(end..).unwrap_or_default()
}

fn after_raw<'a>(text: &'a str, name: &str) -> &'a str {
    let mut rest = text;
    while let Some(at) = rest.find("</") {
        rest = rest.get(at + 2..).unwrap_or_default();
        if begins_with(rest, name) {
            return rest;
        }
    }
    ""
}
