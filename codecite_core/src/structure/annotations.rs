//! What an annotated code prints behind the law of a section: its history, cases, editors' notes. It is kept in sections of
//! its own, so that it is never taken for law.

use super::headings::clean_title;
use super::tree::block_range;
use crate::document::{BlockKind, Document, Span};
use crate::profile::Profile;

/// One annotation.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Annotation {
    /// Where it begins, up to the end of its heading.
    pub heading: Span,
    /// What its heading says.
    pub title: Option<String>,
}

/// The annotations at the end of a section's text, from the offset `from` on. All that follows the first one is theirs.
pub(super) fn annotations(
    document: &Document,
    profile: &Profile,
    section: Span,
    from: usize,
) -> Vec<Annotation> {
    let mut found = Vec::new();
    if profile.annotations.is_empty() {
        return found;
    }
    let mut takes_all = false;
    for block in block_range(document, section).filter_map(|index| document.blocks.get(index)) {
        if block.span.start < from {
            continue;
        }
        let is_text =
            !matches!(block.kind, BlockKind::Table(_) | BlockKind::Preformatted | BlockKind::Footnote);
        match heading(profile, document.slice(block.span)).filter(|_| is_text) {
            Some((length, has_text)) => {
                takes_all |= has_text;
                let heading = Span::new(block.span.start, block.span.start + length);
                // "(Ord. No. 5, …)" has no title.
                let title = Some(document.slice(heading)).filter(|text| !text.starts_with(['(', '[']));
                found.push(Annotation { heading, title: title.and_then(clean_title) });
            }
            // Law goes on: what was found is a remark within it.
            None if !takes_all => found.clear(),
            None => {}
        }
    }
    found
}

/// The length of an annotation's heading, and whether what follows is annotation, too.
fn heading(profile: &Profile, text: &str) -> Option<(usize, bool)> {
    profile.annotations.iter().find_map(|annotation| {
        let end = annotation.patterns.iter().find_map(|pattern| pattern.find(text))?.end();
        Some((end, annotation.text))
    })
}
