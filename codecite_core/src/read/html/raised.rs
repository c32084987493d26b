//! Raised text, which must not run into the number or the word before it.

use super::tree::{NONE, NodeId, Tree};

/// What becomes of a `sup` element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Raised {
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
    let Some(text) = short_text(tree, id) else { return Raised::Plain };
    let text = text.trim();
    let Some([second, last]) = before.filter(|_| !text.is_empty()) else { return Raised::Plain };
    if text.bytes().all(|byte| byte.is_ascii_digit()) && is_followed_by_slash(tree, id) {
        return if last.is_ascii_digit() { Raised::Apart } else { Raised::Plain };
    }
    if let Some(marks) = text.chars().map(raised_figure).collect::<Option<String>>() {
        return Raised::Marks(marks);
    }
    let is_note =
        text.split([',', ' ']).all(|mark| mark.len() == 1 && mark.bytes().all(|b| b.is_ascii_lowercase()));
    // "x" raised to "n" is no word with a note.
    let after_word = last.is_alphanumeric() && second.is_alphanumeric() || last == ')';
    if is_note && after_word { Raised::Apart } else { Raised::Plain }
}

/// The text of an element that has little of it.
fn short_text(tree: &Tree, id: NodeId) -> Option<String> {
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

fn is_followed_by_slash(tree: &Tree, id: NodeId) -> bool {
    tree.text(tree.next_sibling(id)).is_some_and(|text| text.trim_start().starts_with(['/', '⁄']))
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
