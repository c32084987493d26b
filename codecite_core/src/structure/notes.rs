//! The notes of a table that stand behind it as lines of their own: "a. Measured on each floor."

use super::tree::SectionTree;
use crate::document::Document;

/// The most notes that a table is given.
const MAX_NOTES: usize = 26;

/// Gives each table that has none the lines behind it that count on from `a`, and a "Note:" before them. They stay in the
/// text of the section around it as well.
pub(super) fn attach_notes(tree: &mut SectionTree, document: &Document) {
    for index in 0..tree.sections.len() {
        let Some(section) = tree.sections.get(index) else { continue };
        let (Some(owner), true) =
            (section.nested, section.table.as_ref().is_some_and(|table| table.notes.is_empty()))
        else {
            continue;
        };
        let end = tree.sections.get(owner).map_or(section.span.end, |owner| owner.span.end);
        let notes = notes_after(document, section.span.end, end);
        if let Some(table) = tree.sections.get_mut(index).and_then(|section| section.table.as_mut()) {
            table.notes = notes;
        }
    }
}

fn notes_after(document: &Document, start: usize, end: usize) -> Vec<String> {
    let from = document.blocks.partition_point(|block| block.span.start < start);
    let blocks = document.blocks.get(from..).unwrap_or_default();
    let mut notes = Vec::new();
    let mut letter = 'a';
    for block in blocks.iter().take_while(|block| block.span.start < end).take(MAX_NOTES) {
        let text = document.slice(block.span).trim();
        if marked_with(text, letter) {
            letter = char::from_u32(u32::from(letter) + 1).unwrap_or('z');
        } else if !notes.is_empty() || !is_note(text) {
            break;
        }
        notes.push(text.to_owned());
    }
    notes
}

/// `a. …`, `(a) …`, `a) …`
fn marked_with(text: &str, letter: char) -> bool {
    let rest = text.strip_prefix('(').unwrap_or(text);
    let Some(rest) = rest.strip_prefix(letter) else { return false };
    rest.starts_with(['.', ')']) && rest.chars().nth(1).is_some_and(char::is_whitespace)
}

/// `Note: …`, `NOTES:`
fn is_note(text: &str) -> bool {
    let head = text.split([':', '.']).next().unwrap_or_default();
    head.len() < text.len() && (head.eq_ignore_ascii_case("note") || head.eq_ignore_ascii_case("notes"))
}
