//! What stands inside a section and has a number of its own kind: tables, figures, diagrams, notes.

use std::collections::HashMap;

use super::grids::{continued, place_grid};
use super::headings::{clean_title, cut_off};
use super::title;
use super::tree::{Section, SectionTree, block_range, push};
use crate::document::{Block, BlockKind, Document, Span, Table};
use crate::number::Number;
use crate::profile::{Owner, Profile, SectionKind};
use crate::reference::references;

/// A caption, or the title line below it, is at most so long.
const MAX_CAPTION_LINE: usize = 300;

/// A line between a caption and its table that ends like a sentence is at most so long.
const MAX_LINE_ABOVE: usize = 80;
/// "See para 3.63" beside a float stands at most so many blocks from its caption, and is at most so long.
const NEAR: usize = 15;
const MAX_POINTER: usize = 60;

/// Where floats are looked for.
pub(super) struct Place<'a> {
    pub document: &'a Document,
    pub profile: &'a Profile,
    /// The section in whose own text they stand: the last one placed.
    pub owner: usize,
    /// The part whose number qualifies theirs.
    pub part: Option<&'a Number>,
    /// The latest section of each number, by its key.
    pub latest: &'a HashMap<String, usize>,
}

/// Adds the tables and other floats that stand in the own text of a section.
pub(super) fn place_floats(tree: &mut SectionTree, place: &Place<'_>) {
    let Some(own) = tree.sections.get(place.owner).map(|section| section.span) else { return };
    let range = block_range(place.document, own);
    // The heading's own block may begin before the section, where a paragraph of it is the section.
    for index in range.clone() {
        let Some(block) = place.document.blocks.get(index) else { continue };
        if let BlockKind::Table(table) = &block.kind {
            place_table(tree, place, range.start, index, table);
        } else if block.kind == BlockKind::Preformatted {
            place_grid(tree, place, index);
        } else if let Some((caption, end)) = place.table_without_grid(index, range.end) {
            let parent = place.parent(tree, &caption);
            let section = Section {
                heading: caption.span,
                span: Span::new(caption.span.start, end),
                ..place.section(parent, SectionKind::Table, Some(caption))
            };
            push(tree, section, Some(parent));
        } else if let Some((kind, caption, has_text)) = place.float_at(index) {
            let end = if has_text { place.text_end(index, range.end) } else { caption.span.end };
            let parent = place.parent(tree, &caption);
            let section = Section {
                heading: caption.span,
                span: Span::new(caption.span.start, end),
                ..place.section(parent, kind, Some(caption))
            };
            push(tree, section, Some(parent));
        }
    }
}

fn place_table(tree: &mut SectionTree, place: &Place<'_>, first: usize, index: usize, table: &Table) {
    let Some(block) = place.document.blocks.get(index) else { return };
    let caption = place
        .caption_above(first, index)
        .or_else(|| table.caption.as_deref().and_then(|text| place.table_caption(text, None)));
    if let Some(section) = continued(tree, place, index).filter(|_| caption.is_none()) {
        let parent = section.parent;
        push(tree, Section { table: Some(table.clone()), ..section }, parent);
        return;
    }
    let parent = caption.as_ref().map_or(place.owner, |caption| place.parent(tree, caption));
    let start = caption
        .as_ref()
        .map_or(block.span.start, |c| if c.span.is_empty() { block.span.start } else { c.span.start });
    let section = Section {
        heading: Span::new(start, block.span.start),
        span: Span::new(start, block.span.end),
        table: Some(table.clone()),
        ..place.section(parent, SectionKind::Table, caption)
    };
    push(tree, section, Some(parent));
}

/// Gives the floats that nothing beside them assigns to the nearest section that refers to them, for codes that count
/// floats by themselves.
pub(super) fn adopt(tree: &mut SectionTree, document: &Document, profile: &Profile) {
    if profile.owner != Owner::Reference {
        return;
    }
    let mut mentions: HashMap<String, Vec<usize>> = HashMap::new();
    for (index, section) in tree.sections.iter().enumerate().filter(|(_, section)| section.nested.is_none()) {
        let floats = tree.sections.iter().skip(index + 1).take_while(|float| float.nested.is_some());
        let captions: Vec<Span> = floats.map(|float| float.heading).collect();
        for reference in references(document.slice(section.span), None) {
            let at = section.span.start + reference.span.start;
            // "See Table 4.2" beside a diagram says nothing about where the table belongs.
            let line = line_at(document.slice(section.span), reference.span.start);
            if is_pointer(line) || captions.iter().any(|caption| caption.range().contains(&at)) {
                continue;
            }
            let home = section.part.as_ref();
            let target = home.map_or(reference.target.clone(), |part| reference.target.qualified_by(part));
            mentions.entry(target.key()).or_default().push(index);
        }
    }
    for index in 0..tree.sections.len() {
        let Some(float) = tree.sections.get(index) else { continue };
        let Some(owner) = float.nested.filter(|owner| float.parent == Some(*owner)) else { continue };
        let named = float.number.as_ref().and_then(|number| mentions.get(&number.key()));
        // A float stands near what refers to it, and rather after it.
        let distance = |at: &usize| (at.abs_diff(owner), *at > owner);
        let named = named.and_then(|list| list.iter().copied().min_by_key(distance));
        let parent = named.filter(|named| *named != owner);
        let depth =
            parent.and_then(|parent| tree.sections.get(parent)).map(|parent| parent.depth.saturating_add(1));
        if let (Some(section), Some(depth)) = (tree.sections.get_mut(index), depth) {
            (section.parent, section.depth) = (parent, depth);
        }
    }
}

struct Caption {
    number: Number,
    title: Option<String>,
    /// Where it is printed; empty for the caption of a format's own table.
    span: Span,
    /// The section that it refers to.
    refers_to: Option<Number>,
}

impl Place<'_> {
    fn section(&self, parent: usize, kind: SectionKind, caption: Option<Caption>) -> Section {
        let (number, title) = caption.map_or((None, None), |caption| (Some(caption.number), caption.title));
        Section {
            parent: Some(parent),
            depth: 0,
            kind,
            number: number.map(|number| self.part.map_or(number.clone(), |part| number.qualified_by(part))),
            title,
            heading: Span::default(),
            span: Span::default(),
            nested: Some(self.owner),
            parts: Vec::new(),
            part: self.part.cloned(),
            table: None,
        }
    }

    /// The section whose number the float has, or that its caption refers to; else the one it stands in.
    fn parent(&self, tree: &SectionTree, caption: &Caption) -> usize {
        let number = match self.profile.owner {
            Owner::Number => Some(caption.number.unlabelled()),
            Owner::Reference => caption.refers_to.clone(),
        };
        let Some(number) = number else { return self.owner };
        let plain = self.part.map_or(number.clone(), |part| number.qualified_by(part));
        let found = |number: &Number| self.latest.get(&number.key()).copied();
        if self.profile.owner == Owner::Reference {
            return found(&plain).unwrap_or(self.owner);
        }
        let above = plain.ancestors();
        let near = found(&plain).or_else(|| above.first().and_then(found));
        // Further up only what the float also stands in: an amendment prints the table and not its section.
        let around = || above.iter().skip(1).filter_map(found).find(|up| self.is_around(tree, *up));
        near.or_else(around).unwrap_or(self.owner)
    }

    /// The float stands in this section or in one below it.
    fn is_around(&self, tree: &SectionTree, section: usize) -> bool {
        let mut next = Some(self.owner);
        while let Some(index) = next {
            if index == section {
                return true;
            }
            next = tree.sections.get(index).and_then(|section| section.parent);
        }
        false
    }

    fn table_caption(&self, text: &str, block: Option<&Block>) -> Option<Caption> {
        self.profile.captions.iter().find_map(|pattern| {
            let group = pattern.captures(text)?.name("number")?;
            self.caption("Table", group.as_str(), text.get(group.end()..)?, block)
        })
    }

    fn caption(&self, label: &str, number: &str, rest: &str, block: Option<&Block>) -> Option<Caption> {
        let number = Number::labelled(label, number)?;
        let see = rest.to_lowercase().find("see ").and_then(|at| rest.get(at..));
        let refers_to = see.and_then(refers_to);
        let span = block.map_or(Span::default(), |block| block.span);
        Some(Caption { number, title: clean_title(rest), span, refers_to })
    }

    /// The caption in the block above the table, or above a title line that stands between.
    fn caption_above(&self, first: usize, index: usize) -> Option<Caption> {
        // "Table 3.1.2.1." / "Major Occupancy Classification" / "Forming part of Sentence …" / the table.
        let mut between: Option<&str> = None;
        for above in (first..index).rev().take(4) {
            let block = self.document.blocks.get(above)?;
            let text = self.document.slice(block.span);
            if matches!(block.kind, BlockKind::Table(_)) || text.len() > MAX_CAPTION_LINE {
                return None;
            }
            if let Some(mut caption) = self.table_caption(text, Some(block)) {
                let is_far = above + 2 < index;
                if is_far && caption.title.is_some() {
                    return None;
                }
                caption.title = caption.title.or_else(|| between.and_then(clean_title));
                return Some(caption);
            }
            if text.trim_end().ends_with(['.', ';', ':']) && text.len() > MAX_LINE_ABOVE {
                return None;
            }
            between = Some(text);
        }
        None
    }

    /// A caption of a table in a line of its own whose cells were not seen as a table: the lines below it are its text.
    fn table_without_grid(&self, index: usize, end: usize) -> Option<(Caption, usize)> {
        let block = self.document.blocks.get(index)?;
        let text = self.document.slice(block.span);
        let is_line = matches!(block.kind, BlockKind::Paragraph | BlockKind::Heading { .. })
            && text.len() <= MAX_CAPTION_LINE
            && !text.trim_end().ends_with(['.', ',', ';', ':']);
        if !is_line || cut_off(self.document, index) {
            return None;
        }
        let mut caption = self.table_caption(text, Some(block))?;
        let rest = text.get(text.len().min(label_end(text))..).unwrap_or_default();
        let has_grid = (index + 1..end.min(index + 5)).any(|next| {
            self.document.blocks.get(next).is_some_and(|block| matches!(block.kind, BlockKind::Table(_)))
        });
        if has_grid || !is_caption(rest, text.len()) || caption.title.is_none() && index + 1 >= end {
            return None;
        }
        if caption.title.is_none() {
            self.take_title_below(index, &mut caption);
        }
        let is_cell_line = |next: &usize| {
            let Some(block) = self.document.blocks.get(*next) else { return false };
            let text = self.document.slice(block.span);
            let ends = text.trim_end().ends_with(['.', ':', ';']);
            (matches!(block.kind, BlockKind::Preformatted) || text.len() <= MAX_LINE_ABOVE && !ends)
                && !self.begins_something(*next)
        };
        let last = (index + 1..end).take_while(is_cell_line).last();
        let text_end = last.and_then(|last| self.document.blocks.get(last)).map_or(0, |block| block.span.end);
        let end = text_end.max(caption.span.end);
        Some((caption, end))
    }

    /// The float whose caption this block is, and whether the text below belongs to it.
    fn float_at(&self, index: usize) -> Option<(SectionKind, Caption, bool)> {
        let block = self.document.blocks.get(index)?;
        if matches!(block.kind, BlockKind::Table(_) | BlockKind::Footnote | BlockKind::Preformatted) {
            return None;
        }
        let text = self.document.slice(block.span);
        self.profile.floats.iter().find_map(|float| {
            let group = float.patterns.iter().find_map(|pattern| pattern.captures(text)?.name("number"))?;
            let rest = text.get(group.end()..)?;
            if !is_caption(rest, text.len()) {
                return None;
            }
            let mut caption = self.caption(&float.label, group.as_str(), rest, Some(block))?;
            if self.profile.owner == Owner::Reference {
                caption.refers_to = caption.refers_to.or_else(|| self.pointer_near(index));
            }
            match (&caption.title, float.text) {
                (None, false) => self.take_title_below(index, &mut caption),
                (Some(_), false) => self.extend_title(index, &mut caption),
                _ => {}
            }
            Some((float.kind, caption, float.text))
        })
    }

    /// What a line such as "See para 3.63" near the caption names: below it, else above it, up to the next caption.
    fn pointer_near(&self, index: usize) -> Option<Number> {
        let below = (index + 1)..(index + 1 + NEAR);
        let above = (index.saturating_sub(NEAR)..index).rev();
        self.pointer_in(below).or_else(|| self.pointer_in(above))
    }

    fn pointer_in(&self, blocks: impl Iterator<Item = usize>) -> Option<Number> {
        for block in blocks.map_while(|index| self.document.blocks.get(index)) {
            let text = self.document.slice(block.span);
            let is_caption =
                self.profile.captions.iter().chain(self.profile.floats.iter().flat_map(|f| &f.patterns));
            if is_caption.into_iter().any(|pattern| pattern.is_match(text)) {
                return None;
            }
            // The words in the picture may follow in the same block.
            let line = text.lines().next().unwrap_or_default();
            if is_pointer(line) && line.to_lowercase().starts_with("see para") {
                return refers_to(line);
            }
        }
        None
    }

    /// A caption that is nothing but its number has its title in the next line, if that is short.
    fn take_title_below(&self, index: usize, caption: &mut Caption) {
        let Some(block) = self.document.blocks.get(index + 1) else { return };
        let text = self.document.slice(block.span);
        let is_line = matches!(block.kind, BlockKind::Paragraph | BlockKind::Heading { .. })
            && text.len() <= MAX_CAPTION_LINE
            && !text.trim_end().ends_with(['.', ':', ';'])
            && !self.begins_something(index + 1);
        if is_line {
            caption.title = clean_title(text);
            caption.span.end = block.span.end;
        }
    }

    /// Takes the lines in which the title goes on.
    fn extend_title(&self, index: usize, caption: &mut Caption) {
        let extended =
            caption.title.as_mut().and_then(|t| title::extend(self.document, self.profile, index, t));
        caption.span.end = extended.unwrap_or(caption.span.end);
    }

    /// Where the text of a note ends: at the next caption, table, exception or heading of the format.
    fn text_end(&self, index: usize, end: usize) -> usize {
        let stop = (index + 1..end).find(|next| self.begins_something(*next)).unwrap_or(end);
        let last = stop.checked_sub(1).and_then(|last| self.document.blocks.get(last));
        last.map_or(0, |block| block.span.end)
    }

    fn begins_something(&self, index: usize) -> bool {
        let Some(block) = self.document.blocks.get(index) else { return true };
        let text = self.document.slice(block.span);
        matches!(block.kind, BlockKind::Table(_) | BlockKind::Heading { .. })
            || self.profile.exceptions.iter().any(|pattern| pattern.is_match(text))
            || self.table_caption(text, None).is_some()
            || self.is_float(text)
    }

    /// A caption of a float: decided without a look at its neighbours, which would look at theirs.
    fn is_float(&self, text: &str) -> bool {
        let patterns = self.profile.floats.iter().flat_map(|float| &float.patterns);
        let groups = patterns.filter_map(|pattern| Some(pattern.captures(text)?.name("number")?.end()));
        groups.into_iter().any(|end| text.get(end..).is_some_and(|rest| is_caption(rest, text.len())))
    }
}

/// A short line that only refers: "See paras 5.6 and 5.7".
fn is_pointer(line: &str) -> bool {
    line.len() <= MAX_POINTER && line.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("see "))
}

/// The line of a text in which an offset lies.
fn line_at(text: &str, at: usize) -> &str {
    let start = text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
    text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default()
}

/// Where the label and number of a caption end.
fn label_end(text: &str) -> usize {
    let mut words = text.split_inclusive(char::is_whitespace);
    words.by_ref().take(2).map(str::len).sum()
}

/// What follows the number in a caption: nothing, or a title. "Figure 302.2 shows" is prose.
fn is_caption(rest: &str, length: usize) -> bool {
    let rest = rest.trim_start_matches(['.', ':', ' ', '\u{a0}', '-', '–', '—', '(', ')', '\n']);
    length <= MAX_CAPTION_LINE * 8 && !rest.chars().next().is_some_and(char::is_lowercase)
}

/// The first section that a caption refers to: "(see paragraph 3.27)", "See paras 1.4 and 1.5".
fn refers_to(text: &str) -> Option<Number> {
    let named = references(text, None).into_iter().find(|reference| reference.target.label().is_none());
    named.map(|reference| reference.target).or_else(|| {
        let word = text.split_whitespace().find(|word| word.starts_with(|c: char| c.is_ascii_digit()))?;
        Number::parse(word.trim_end_matches([')', ',', '.', ';']))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{DocumentBuilder, Layout, Style};
    use crate::structure::build;
    use crate::work::{Limits, Unwatched, Work};

    fn tables_and_figures(lines: &[String]) -> Vec<String> {
        let mut builder = DocumentBuilder::new();
        for line in lines {
            builder.block(BlockKind::Paragraph, &[(line, Style::default())], Layout::default(), None);
        }
        let document = builder.finish();
        let limits = Limits::default();
        let mut watcher = Unwatched;
        let profile = Profile::builtin("ada").unwrap();
        let tree = build(&document, &profile, &mut Work::new(&limits, &mut watcher)).unwrap();
        let floats = tree.sections.iter().filter(|section| section.nested.is_some());
        floats.filter_map(|float| float.number.as_ref().map(ToString::to_string)).collect()
    }

    #[test]
    fn a_long_column_of_captions_is_read() {
        let mut lines = vec!["404.2 Doors. Text.".to_owned()];
        lines.extend((1..30_000).map(|at| format!("Figure 404.2.{at}")));
        assert_eq!(tables_and_figures(&lines).len(), 29_999);
    }

    #[test]
    fn a_pointer_names_the_owner_and_no_table_beside_it() {
        let lines = [
            "2.1 Walls are as in Table 2.9.",
            "2.2 Doors are as in Diagram 2.4.",
            "2.3 Gates are low.",
            "Diagram 2.4 Doors",
            "See para 2.2 and Table 2.9\na.\nb.\nA door that opens, and the words that stand in the picture of it.",
            "Table 2.9 Walls",
            "brick and stone",
        ];
        let mut builder = DocumentBuilder::new();
        for line in lines {
            builder.block(BlockKind::Paragraph, &[(line, Style::default())], Layout::default(), None);
        }
        let document = builder.finish();
        let limits = Limits::default();
        let profile = Profile::builtin("uk-approved-document").unwrap();
        let tree = build(&document, &profile, &mut Work::new(&limits, &mut Unwatched)).unwrap();
        let owner = |section: &Section| {
            tree.sections[section.parent.unwrap()].number.as_ref().map(ToString::to_string)
        };
        let floats: Vec<_> = tree.sections.iter().filter(|s| s.nested.is_some()).map(owner).collect();
        assert_eq!(floats, [Some("2.2".to_owned()), Some("2.1".to_owned())]);
    }

    #[test]
    fn a_mention_at_the_beginning_of_a_line_is_no_caption() {
        let lines =
            ["404.2 Fees. The fee shall be paid per Section 110,", "Table 404.5 Building Permit Fees"];
        assert_eq!(tables_and_figures(&lines.map(str::to_owned)), Vec::<String>::new());
    }
}
