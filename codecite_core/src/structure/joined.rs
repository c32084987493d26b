//! Headings that a reader joined to the paragraph before them: "… of the room. 608.8 Enclosures. Enclosures shall …".
//! Only the number that comes next is looked for, only where it is missing.

use super::headings::{Candidate, clean_title, plain_title_end};
use crate::document::{Block, BlockKind, Document, Span};
use crate::number::Number;
use crate::profile::Profile;

/// At most so many in a row, and so many places are looked at for one.
const MAX_IN_ROW: usize = 16;
const MAX_PLACES: usize = 8;
/// The title of a joined heading is at most so long.
const MAX_TITLE: usize = 100;

/// Adds the joined headings to the chosen ones.
pub(super) fn add_joined(document: &Document, profile: &Profile, chosen: Vec<Candidate>) -> Vec<Candidate> {
    let mut all: Vec<Candidate> = Vec::with_capacity(chosen.len());
    let mut rest = chosen.into_iter().peekable();
    while let Some(candidate) = rest.next() {
        let next = rest.peek();
        let end = next.map_or(document.text.len(), |next| next.heading.start);
        let next_key = next.map(|next| next.number.key());
        let is_nested = profile.levels.get(candidate.level).is_some_and(|level| level.nested);
        all.push(candidate);
        for _ in 0..MAX_IN_ROW {
            let Some(last) = all.last().filter(|last| is_nested && last.number.label().is_none()) else {
                break;
            };
            let Some(successor) = last.number.next_sibling() else { break };
            if next_key.as_ref() == Some(&successor.key()) {
                break;
            }
            let Some(found) = find(document, last, successor, end) else { break };
            all.push(found);
        }
    }
    all
}

/// The heading with that number between the end of the last heading and `end`, inside a block.
fn find(document: &Document, last: &Candidate, number: Number, end: usize) -> Option<Candidate> {
    let name = number.to_string();
    let own = Span::new(last.heading.end, end);
    let places = document.slice(own).match_indices(&name).take(MAX_PLACES);
    places.into_iter().find_map(|(at, _)| {
        let start = own.start + at;
        let index = document.blocks.partition_point(|block| block.span.end <= start);
        let block = document.blocks.get(index).filter(|block| is_prose(block))?;
        let before = Span::new(block.span.start, start).of(&document.text);
        let stands_after_sentence =
            before.ends_with(char::is_whitespace) && before.trim_end().ends_with(['.', ':', ')', '”']);
        let after = Span::new(start + name.len(), block.span.end.min(end)).of(&document.text);
        let rest = after.strip_prefix('.').unwrap_or(after);
        let is_number =
            rest.starts_with(char::is_whitespace) && rest.trim_start().starts_with(char::is_uppercase);
        let title_end = plain_title_end(after).filter(|_| stands_after_sentence && is_number)?;
        let title = clean_title(after.get(..title_end)?).filter(|title| title.len() <= MAX_TITLE)?;
        // A title is followed by its text.
        after.get(title_end..).filter(|text| !text.trim().is_empty())?;
        let heading = Span::new(start, start + name.len() + title_end);
        Some(Candidate { block: index, number: number.clone(), heading, title: Some(title), ..last.clone() })
    })
}

fn is_prose(block: &Block) -> bool {
    matches!(block.kind, BlockKind::Paragraph | BlockKind::ListItem { .. })
}

#[cfg(test)]
mod tests {
    use crate::document::{BlockKind, DocumentBuilder, Layout, Style};
    use crate::profile::Profile;
    use crate::structure::build;
    use crate::work::{Limits, Unwatched, Work};

    fn sections(blocks: &[&str]) -> Vec<(String, Option<String>, String)> {
        let mut builder = DocumentBuilder::new();
        for block in blocks {
            builder.block(BlockKind::Paragraph, &[(block, Style::default())], Layout::default(), None);
        }
        let document = builder.finish();
        let limits = Limits::default();
        let mut watcher = Unwatched;
        let profile = Profile::builtin("ibc").unwrap();
        let tree = build(&document, &profile, &mut Work::new(&limits, &mut watcher)).unwrap();
        let row = |section: &crate::structure::Section| {
            let number = section.number.as_ref().map(ToString::to_string).unwrap_or_default();
            (number, section.title.clone(), document.slice(section.span).trim_end().to_owned())
        };
        tree.sections.iter().map(row).collect()
    }

    #[test]
    fn a_heading_joined_to_the_paragraph_before_is_found() {
        let joined = "608.7 Thresholds. They shall be low. 608.8 Enclosures. They shall be clear. 608.9 Heads. They spray.";
        let found = sections(&[joined, "609.1 Bars. They shall be firm."]);
        let numbers: Vec<&str> = found.iter().map(|(number, ..)| number.as_str()).collect();
        assert_eq!(numbers, ["608.7", "608.8", "608.9", "609.1"]);
        assert_eq!(found[1].1.as_deref(), Some("Enclosures"));
        assert_eq!(found[1].2, "608.8 Enclosures. They shall be clear.");
    }

    #[test]
    fn a_mention_of_the_next_number_is_no_heading() {
        for text in [
            "608.7 Thresholds. They shall comply with 608.6. 608.8 applies, too.",
            "608.7 Thresholds. They shall comply with Section 608.8 Enclosures. They shall be low.",
            "608.7 Thresholds. They shall be low. See 608.8. Bars shall be firm.",
        ] {
            let found = sections(&[text, "609.1 Bars. They shall be firm."]);
            assert_eq!(found.len(), 2, "{text}");
        }
    }
}
