//! Two hyphens: many typesetters write U+2010 where they break a word, and the hyphen of the keyboard inside words.

use super::words::PageWords;

const TYPESETTERS: char = '\u{2010}';
const SOFT: char = '\u{AD}';

/// Makes every U+2010 a plain hyphen or, at the end of a word in a file that has it nowhere else, a soft one.
pub(super) fn settle(pages: &mut [PageWords]) {
    let words = || pages.iter().flat_map(|page| &page.words);
    let inside = |text: &str| text.trim_end_matches(TYPESETTERS).contains(TYPESETTERS);
    let is_soft = !words().any(|word| inside(&word.text)) && words().any(|word| word.text.contains('-'));
    for word in pages.iter_mut().flat_map(|page| &mut page.words) {
        if !word.text.contains(TYPESETTERS) {
            continue;
        }
        let breaks = is_soft && word.text.ends_with(TYPESETTERS) && word.text.chars().count() > 1;
        word.text = word.text.replace(TYPESETTERS, "-");
        if breaks {
            word.text.pop();
            word.text.push(SOFT);
        }
    }
}
