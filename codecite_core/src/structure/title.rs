//! Titles that do not end in the line in which they begin: below the number, or wrapped in their column.

use super::headings::{MAX_TITLE, Styled, clean_title, match_level};
use crate::document::{Block, BlockKind, Document, Span};
use crate::profile::Profile;

/// Sizes in points that differ by less are one.
const SAME_SIZE: f32 = 0.6;
/// How much larger than text the lines of a title are that nothing else sets apart.
const LARGER: f32 = 1.25;
/// The text is looked for so many lines below a title.
const LINES_BELOW: usize = 4;
/// A title goes on after a line that ends so.
const OPEN: [&str; 9] = ["and", "or", "of", "for", "to", "the", "in", "with", "by"];
/// The rest of a title that is not set apart is at most so long.
const MAX_PLAIN_REST: usize = 60;

/// The title of a two-line heading: `ARTICLE 302` and below it `MAINTENANCE OF EXTERIOR WALLS`.
pub(super) fn title_below(document: &Document, profile: &Profile, index: usize) -> Option<(String, Span)> {
    let block = document.blocks.get(index + 1)?;
    let text = document.slice(block.span);
    let is_title = is_line(block, text)
        && (Styled::of(document, block, 1).own_line() || is_large(document, index))
        && !begins_another(profile, text)
        && !text.trim_end().ends_with([';', ',']);
    if !is_title {
        return None;
    }
    let mut title = clean_title(text)?;
    let end = extend(document, profile, index + 1, &mut title).unwrap_or(block.span.end);
    Some((title, Span::new(block.span.start, end)))
}

/// The lines `index` and the next are set in one size, which is larger than that of the text below them.
fn is_large(document: &Document, index: usize) -> bool {
    let size = |at: usize| document.blocks.get(at).map_or(0.0, |block| block.layout.size);
    let (line, title) = (size(index), size(index + 1));
    let below = (index + 2..index + 2 + LINES_BELOW).map(size);
    let text = below.into_iter().find(|text| *text > 0.0 && (text - title).abs() >= SAME_SIZE);
    (line - title).abs() < SAME_SIZE && text.is_some_and(|text| title >= LARGER * text)
}

/// Takes the lines below block `index` in which the title that ends with it goes on. Returns where it ends then.
pub(super) fn extend(
    document: &Document,
    profile: &Profile,
    index: usize,
    title: &mut String,
) -> Option<usize> {
    let mut end = None;
    let mut line = document.blocks.get(index)?;
    for below in document.blocks.get(index + 1..).unwrap_or_default() {
        let text = document.slice(below.span);
        let fits = title.len() + text.len() <= MAX_TITLE && goes_on(document, line, below);
        if !fits || begins_another(profile, text) {
            break;
        }
        let Some(rest) = clean_title(text) else { break };
        *title = format!("{title} {rest}");
        (end, line) = (Some(below.span.end), below);
    }
    end
}

/// A line goes on in the one below, which is set alike: it begins in lower case, or both stand out and it is centred, on
/// one page.
fn goes_on(document: &Document, line: &Block, below: &Block) -> bool {
    let (text, rest) = (document.slice(line.span).trim_end(), document.slice(below.span));
    if !is_line(below, rest) || (line.layout.size - below.layout.size).abs() >= SAME_SIZE {
        return false;
    }
    let own_line = |block: &Block| Styled::of(document, block, 1).own_line();
    let has_size = line.layout.size > 0.0;
    let is_bold = |block: &Block| block.bold_lead(&document.text).len() == block.span.len();
    // The file marks both as headings of one level.
    let is_marked = matches!(line.kind, BlockKind::Heading { .. }) && line.kind == below.kind;
    let page = |block: &Block| document.page_at(block.span.start).map(|mark| mark.page);
    if rest.starts_with(char::is_lowercase) {
        let is_open = !text.ends_with(['.', ';', ':']);
        return is_open && (own_line(line) && own_line(below) || has_size && rest.len() <= MAX_PLAIN_REST);
    }
    let last = text.rsplit(char::is_whitespace).next().unwrap_or_default();
    if has_size && OPEN.contains(&last.to_lowercase().as_str()) && rest.len() <= MAX_PLAIN_REST {
        return line.kind == below.kind && page(line) == page(below);
    }
    let alike = is_marked || is_bold(line) && is_bold(below);
    has_size && below.layout.centred && alike && page(line) == page(below)
}

/// A short line of its own.
fn is_line(block: &Block, text: &str) -> bool {
    matches!(block.kind, BlockKind::Heading { .. } | BlockKind::Paragraph) && text.len() <= MAX_TITLE
}

/// A numbered heading or a caption.
fn begins_another(profile: &Profile, text: &str) -> bool {
    profile.levels_at(text).any(|(_, level)| match_level(level, text).is_some())
        || profile.captions.iter().any(|pattern| pattern.is_match(text))
}

#[cfg(test)]
mod tests {
    use crate::document::{BlockKind, DocumentBuilder, Layout, Style};
    use crate::profile::Profile;
    use crate::structure::build;
    use crate::work::{Limits, Unwatched, Work};

    fn titles(profile: &str, lines: &[(BlockKind, &str, Layout)]) -> Vec<Option<String>> {
        let mut builder = DocumentBuilder::new();
        for (kind, text, layout) in lines {
            builder.block(kind.clone(), &[(text, Style::default())], *layout, None);
        }
        let document = builder.finish();
        let limits = Limits::default();
        let profile = Profile::builtin(profile).unwrap();
        let tree = build(&document, &profile, &mut Work::new(&limits, &mut Unwatched)).unwrap();
        tree.sections.into_iter().filter(|s| s.number.is_some()).map(|s| s.title).collect()
    }

    const TEXT: Layout = Layout { size: 10.0, indent: 0.0, centred: false };

    #[test]
    fn a_heading_goes_on_in_a_centred_one_of_its_level() {
        let (heading, centred) = (BlockKind::Heading { level: 4 }, Layout { centred: true, ..TEXT });
        let lines = [
            (heading.clone(), "Section 36.302 Changes of Policies,", TEXT),
            (heading.clone(), "Practices, or Customs", centred),
            (BlockKind::Paragraph, "They are made at once.", TEXT),
            (heading.clone(), "Section 36.303 Aids", TEXT),
            (BlockKind::Heading { level: 5 }, "Signs", centred),
        ];
        assert_eq!(
            titles("cfr", &lines),
            [Some("Changes of Policies, Practices, or Customs".into()), Some("Aids".into())]
        );
    }

    #[test]
    fn large_lines_below_a_number_are_its_title() {
        let large = Layout { size: 22.0, ..TEXT };
        let lines = [
            (BlockKind::Paragraph, "Part 5", large),
            (BlockKind::Paragraph, "Doors, Gates and", large),
            (BlockKind::Paragraph, "Windows", large),
            (BlockKind::Paragraph, "This Part is about openings in walls.", TEXT),
            (BlockKind::Paragraph, "Part 6", TEXT),
            (BlockKind::Paragraph, "Walls are built of bricks", TEXT),
        ];
        assert_eq!(titles("canada-nbc", &lines), [Some("Doors, Gates and Windows".into()), None]);
    }
}
