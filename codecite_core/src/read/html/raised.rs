//! Raised text, which must not run into the number or the word before it.

use super::tree::{NONE, NodeId, Tree};

/// What becomes of raised text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::read) enum Raised {
    /// Raised figures: `10⁶`, `ft²`.
    Marks(String),
    /// As it stands, with a space before it: `5 1/2`, `load factor a`.
    Apart,
    /// As it stands: `4th`.
    Plain,
}

/// The longest raised text that is looked at.
const MAX_LENGTH: usize = 16;

/// How raised text is written after the two characters before it.
pub(super) fn raised(tree: &Tree, id: NodeId, before: Option<[char; 2]>) -> Raised {
    let after = tree.text(tree.next_sibling(id)).unwrap_or_default();
    short_text(tree, id).map_or(Raised::Plain, |text| raised_text(&text, before, after))
}

/// The same for text between the two characters before it and what follows.
pub(in crate::read) fn raised_text(text: &str, before: Option<[char; 2]>, after: &str) -> Raised {
    let text = text.trim();
    let Some([second, last]) = before.filter(|_| !text.is_empty()) else { return Raised::Plain };
    let is_fraction = after.trim_start().starts_with(['/', '⁄']);
    if text.bytes().all(|byte| byte.is_ascii_digit()) && is_fraction {
        return if last.is_ascii_digit() { Raised::Apart } else { Raised::Plain };
    }
    if let Some(marks) = text.chars().map(raised_figure).collect::<Option<String>>() {
        return Raised::Marks(marks);
    }
    let is_note = text
        .split([',', ' '])
        .filter(|mark| !mark.is_empty())
        .all(|mark| mark.len() == 1 && mark.bytes().all(|b| b.is_ascii_lowercase()));
    // "x" raised to "n" is no word with a note.
    let after_word = last.is_alphanumeric() && second.is_alphanumeric() || last == ')';
    if is_note && after_word { Raised::Apart } else { Raised::Plain }
}

/// The text of an element that has little of it.
pub(super) fn short_text(tree: &Tree, id: NodeId) -> Option<String> {
    let mut out = String::new();
    let mut node = tree.first_child(id);
    let mut inner = id;
    for _ in 0..MAX_LENGTH {
        if node == NONE {
            // Back to the elements around.
            if inner == id {
                return Some(out);
            }
            node = tree.next_sibling(inner);
            inner = tree.parent(inner);
            continue;
        }
        match tree.text(node) {
            Some(text) => {
                if out.len() + text.len() > MAX_LENGTH {
                    return None;
                }
                out.push_str(text);
                node = tree.next_sibling(node);
            }
            None => {
                inner = node;
                node = tree.first_child(node);
            }
        }
    }
    None
}

fn raised_figure(c: char) -> Option<char> {
    Some(match c {
        '0' => '⁰',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4' => '⁴',
        '5' => '⁵',
        '6' => '⁶',
        '7' => '⁷',
        '8' => '⁸',
        '9' => '⁹',
        '+' => '⁺',
        '-' | '−' => '⁻',
        _ => return None,
    })
}
