//! What becomes of a hyphen at the end of a line.

use std::borrow::Cow;

use foldhash::HashMap as FastMap;

/// The words of a document that do not stand at a line's end.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    words: FastMap<String, u32>,
}

impl Vocabulary {
    /// Learns the words of a line but its last, which may be half a word.
    pub fn learn(&mut self, line: &str) {
        let cut = line.trim_end().rfind(' ').unwrap_or(0);
        let words = line.get(..cut).unwrap_or_default();
        // The vertical tab is white space in Unicode alone.
        if words.is_ascii() && !words.as_bytes().contains(&b'\x0b') {
            words.split_ascii_whitespace().for_each(|token| self.count(token));
        } else {
            words.split_whitespace().for_each(|token| self.count(token));
        }
    }

    fn count(&mut self, token: &str) {
        let token = trim(token);
        if !token.chars().any(char::is_alphabetic) {
            return;
        }
        let token = lower(token);
        match self.words.get_mut(&*token) {
            Some(count) => *count += 1,
            None => drop(self.words.insert(token.into_owned(), 1)),
        }
    }

    fn knows(&self, word: &str) -> u32 {
        self.words.get(&*lower(word)).copied().unwrap_or(0)
    }

    /// How a line that ends in `before` and one that starts with `after` are joined.
    pub fn join(&self, before: &str, after: &str) -> Join {
        let (Some(left), Some(right)) = (before.split_whitespace().last(), after.split_whitespace().next())
        else {
            return Join::Space;
        };
        if left.ends_with('\u{AD}') {
            return Join::Drop;
        }
        let Some(stem) = left.strip_suffix('-') else {
            return Join::dash(left, right);
        };
        let (stem, head) = (trim(stem), trim(right));
        let last = stem.chars().last();
        let first = right.chars().next();
        let (Some(last), Some(first)) = (last, first) else {
            return Join::Space;
        };
        // A number, a capital or a bracket after the hyphen: the hyphen is the word's own.
        if !last.is_alphabetic() || !first.is_lowercase() {
            return if first.is_alphanumeric() { Join::Keep } else { Join::Space };
        }
        let whole = self.knows(&format!("{stem}{head}"));
        if matches!(head, "and" | "or" | "to") && whole == 0 {
            // "two- or three-story"
            return Join::Space;
        }
        let hyphened = self.knows(&format!("{stem}-{head}"));
        if whole != hyphened {
            return if whole > hyphened { Join::Drop } else { Join::Keep };
        }
        if self.knows(stem) > 0 && self.knows(head) > 0 { Join::Keep } else { Join::Drop }
    }
}

impl Vocabulary {
    /// The same within a cell, where words are also broken without a hyphen when the cell is narrow.
    pub fn join_in_cell(&self, before: &str, after: &str) -> Join {
        let (Some(left), Some(right)) = (before.split_whitespace().last(), after.split_whitespace().next())
        else {
            return Join::Space;
        };
        let letters = |word: &str| word.chars().all(char::is_alphabetic);
        let broken = letters(left)
            && letters(right)
            && self.knows(left) == 0
            && self.knows(&format!("{left}{right}")) > 0;
        if broken { Join::Keep } else { self.join(before, after) }
    }
}

/// How two lines meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Join {
    /// With a space.
    Space,
    /// The hyphen was the printer's.
    Drop,
    /// The hyphen stays and nothing comes between.
    Keep,
}

impl Join {
    /// Dashes and slashes between parts of one word.
    fn dash(left: &str, right: &str) -> Join {
        // "shall—" before "(a)" ends what introduces a list.
        let listed = right.starts_with('(');
        let glued = left.ends_with('/') || left.ends_with('—') && left.chars().count() > 1 && !listed;
        if glued { Join::Keep } else { Join::Space }
    }
}

/// In lower case; most words are already.
fn lower(word: &str) -> Cow<'_, str> {
    let is_lower = word.is_ascii() && !word.bytes().any(|byte| byte.is_ascii_uppercase());
    if is_lower {
        word.into()
    } else if word.is_ascii() {
        word.to_ascii_lowercase().into()
    } else {
        word.to_lowercase().into()
    }
}

fn trim(token: &str) -> &str {
    if let [first, .., last] = token.as_bytes()
        && first.is_ascii_alphanumeric()
        && last.is_ascii_alphanumeric()
    {
        return token;
    }
    token.trim_matches(|c: char| !c.is_alphanumeric())
}
