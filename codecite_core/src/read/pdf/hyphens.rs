//! Two hyphens: many typesetters write U+2010 where they break a word, and the hyphen of the keyboard inside words.

use super::page::Page;
use super::words::Word;

const TYPESETTERS: char = '\u{2010}';
const SOFT: char = '\u{AD}';

/// What a file's words say about its hyphens.
#[derive(Debug, Default)]
pub(super) struct Hyphens {
    /// U+2010 is there.
    typesetters: bool,
    /// It is there before the end of a word.
    inside: bool,
    plain: bool,
}

impl Hyphens {
    /// False for a page that surely has no U+2010.
    pub fn may_be_in(page: &Page) -> bool {
        page.may_hold(TYPESETTERS)
    }

    pub fn learn(&mut self, words: &[Word]) {
        for text in words.iter().map(|word| word.text.as_str()) {
            self.plain |= text.contains('-');
            if text.contains(TYPESETTERS) {
                self.typesetters = true;
                self.inside |= text.trim_end_matches(TYPESETTERS).contains(TYPESETTERS);
            }
        }
    }

    /// There is nothing to settle.
    pub fn are_plain(&self) -> bool {
        !self.typesetters
    }

    /// Makes every U+2010 a plain hyphen or, at the end of a word in a file that has it nowhere else, a soft one.
    pub fn settle(&self, words: &mut [Word]) {
        let is_soft = !self.inside && self.plain;
        for word in words {
            if !word.text.contains(TYPESETTERS) {
                continue;
            }
            let breaks = is_soft && word.text.ends_with(TYPESETTERS) && word.text.chars().count() > 1;
            word.text = word.text.replace(TYPESETTERS, "-").into();
            if breaks {
                word.text.pop();
                word.text.push(SOFT);
            }
        }
    }
}
