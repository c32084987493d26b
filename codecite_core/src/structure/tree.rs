//! The section tree: every byte of the text in exactly one section.

use std::collections::HashMap;

use super::contents::contents_lines;
use super::floats::{Place, adopt, place_floats};
use super::headings::{Candidate, candidates};
use super::outline::Outline;
use super::paragraphs::{Counter, Marked, title_of};
use super::parts::{Part, definitions, exceptions};
use super::repeats::{drop_inside, qualify};
use super::sequence::choose;
use crate::document::{Block, Document, Span, Table, Warning};
use crate::error::Result;
use crate::number::Number;
use crate::profile::{Profile, SectionKind};
use crate::work::{Stage, Work};

/// Headings between two reports of progress.
const TICK_SECTIONS: usize = 256;
/// An instruction between a heading and the repeated number is at most so long.
const MAX_INSTRUCTION: usize = 600;
/// Headings with less evidence are worth a look.
const WEAK: f32 = 3.0;

/// One section.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// Index of the section that it is a part of.
    pub parent: Option<usize>,
    /// Steps to the top; 0 for a section without a parent.
    pub depth: u16,
    /// What it is.
    pub kind: SectionKind,
    /// Its number; `None` for the text before the first heading and for tables without one.
    pub number: Option<Number>,
    /// Its title, without the number.
    pub title: Option<String>,
    /// The heading (or caption).
    pub heading: Span,
    /// The section's own text, from its heading to the next section's. The own texts of all sections that
    /// are not [`nested`](Self::nested) cover the document, in order, without overlap.
    pub span: Span,
    /// For a table, figure, diagram or note: the section in whose own text it stands.
    pub nested: Option<usize>,
    /// The part whose number qualifies this section's, because other parts repeat it.
    pub part: Option<Number>,
    /// Exceptions and defined terms in its own text.
    pub parts: Vec<Part>,
    /// The cells, for a table.
    pub table: Option<Table>,
}

impl Section {
    fn of(kind: SectionKind, span: Span) -> Section {
        Section {
            parent: None,
            depth: 0,
            kind,
            number: None,
            title: None,
            heading: Span::new(span.start, span.start),
            span,
            nested: None,
            part: None,
            parts: Vec::new(),
            table: None,
        }
    }

    pub(super) fn new(kind: SectionKind, number: Number, span: Span) -> Section {
        Section { number: Some(number), ..Section::of(kind, span) }
    }
}

/// All sections of a document, in document order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SectionTree {
    /// The sections; a section's ordinal is its index.
    pub sections: Vec<Section>,
    /// What a person should look at.
    pub warnings: Vec<Warning>,
    /// Sections whose heading little speaks for: it may be prose that begins with a number.
    pub weak: Vec<usize>,
}

impl SectionTree {
    /// For each section the index of the last of the sections below it that follow it without a gap.
    pub fn last_below(&self) -> Vec<usize> {
        let mut last: Vec<usize> = (0..self.sections.len()).collect();
        for (index, section) in self.sections.iter().enumerate() {
            let mut above = section.parent;
            while let Some(up) = above {
                match last.get_mut(up) {
                    Some(end) if *end + 1 == index || *end == index => *end = index,
                    _ => break,
                }
                above = self.sections.get(up).and_then(|section| section.parent);
            }
        }
        last
    }
}

/// Builds the tree.
///
/// # Errors
/// Cancellation and the time limit.
pub fn build(document: &Document, profile: &Profile, work: &mut Work<'_>) -> Result<SectionTree> {
    let total = document.blocks.len() as u64;
    work.tick(Stage::Structure, 0, total)?;
    let mut found = candidates(document, profile, work)?;
    let contents = contents_lines(document, &found);
    found.retain(|candidate| !contents.contains(&candidate.block));
    work.tick(Stage::Structure, total / 2, total)?;
    let mut chosen: Vec<Candidate> =
        choose(&found).into_iter().filter_map(|index| found.get(index).cloned()).collect();
    drop_inside(&mut chosen, profile);
    qualify(&mut chosen, profile);
    let mut tree = SectionTree::default();
    place_sections(&mut tree, document, profile, &chosen, work)?;
    adopt(&mut tree, document, profile);
    work.tick(Stage::Structure, total * 3 / 4, total)?;
    fill_sections(&mut tree, document, profile, work)?;
    warn_of_duplicates(&mut tree, document);
    Ok(tree)
}

/// One section for each heading and marked paragraph; floats where they stand.
fn place_sections(
    tree: &mut SectionTree,
    document: &Document,
    profile: &Profile,
    chosen: &[Candidate],
    work: &mut Work<'_>,
) -> Result<()> {
    let first = chosen.first().map_or(document.text.len(), |c| c.heading.start);
    if first > 0 {
        push(tree, front_matter(Span::new(0, first)), None);
        let latest = HashMap::new();
        place_floats(tree, &Place { document, profile, owner: 0, part: None, latest: &latest });
    }
    let mut outline = Outline::new(profile);
    let mut counter: Option<Counter<'_>> = None;
    for (position, candidate) in chosen.iter().enumerate() {
        if position % TICK_SECTIONS == 0 {
            let (done, total) = (position as u64, chosen.len() as u64);
            work.tick(Stage::Structure, total / 2 + done / 4, total)?;
        }
        let end = chosen.get(position + 1).map_or(document.text.len(), |next| next.heading.start);
        if repeats_last(tree, document, candidate, end) {
            continue;
        }
        let level = profile.levels.get(candidate.level);
        let kind = level.map_or(SectionKind::Section, |level| level.kind);
        let span = Span::new(candidate.heading.start, end);
        // An appendix to one paragraph stands between it and the next: the count goes on below it.
        let attached = candidate.number.attached_to().is_some();
        if !attached {
            let counts = level.filter(|level| level.paragraphs);
            counter = counts.map(|_| Counter::new(profile, &candidate.number));
        }
        let marked = counter.as_mut().map_or_else(Vec::new, |counter| {
            counter.paragraphs(document, block_range(document, span), candidate.heading.end)
        });
        let own_end = marked.first().map_or(end, |first| first.start);
        let index = tree.sections.len();
        let (parent, number) = outline.place(candidate, index);
        let section = Section {
            title: candidate.title.clone(),
            heading: candidate.heading,
            part: candidate.part.clone(),
            ..Section::new(kind, number, Span::new(span.start, own_end))
        };
        push(tree, section, parent);
        if candidate.score < WEAK {
            tree.weak.push(index);
        }
        let part = candidate.part.as_ref();
        place_floats(tree, &Place { document, profile, owner: index, part, latest: outline.latest() });
        for (at, paragraph) in marked.iter().enumerate() {
            let end = marked.get(at + 1).map_or(end, |next| next.start);
            let owner = tree.sections.len();
            let section = Section {
                part: candidate.part.clone(),
                ..paragraph_section(document, profile, paragraph, end)
            };
            push(tree, section, outline.place_paragraph(&paragraph.number, owner));
            place_floats(tree, &Place { document, profile, owner, part, latest: outline.latest() });
        }
    }
    Ok(())
}

fn paragraph_section(document: &Document, profile: &Profile, marked: &Marked, end: usize) -> Section {
    let kind = profile.paragraphs.get(marked.level).map_or(SectionKind::Clause, |level| level.kind);
    let title = document.blocks.get(marked.block).and_then(|block| title_of(document, block, marked, end));
    Section {
        title,
        heading: Span::new(marked.start, marked.text),
        ..Section::new(kind, marked.number.clone(), Span::new(marked.start, end))
    }
}

/// The same number again right below a heading without a title, as amending documents set it ("Section 402.2",
/// an instruction, then "402.2 Title. Text"): one section. Takes it into the last one.
fn repeats_last(tree: &mut SectionTree, document: &Document, candidate: &Candidate, end: usize) -> bool {
    let Some(last) = tree.sections.iter().rposition(|section| section.nested.is_none()) else { return false };
    let has_tables = last + 1 < tree.sections.len();
    let Some(section) = tree.sections.get_mut(last).filter(|section| section.title.is_none() && !has_tables)
    else {
        return false;
    };
    let same = section.number.as_ref().is_some_and(|number| number.key() == candidate.number.key());
    if !same || document.slice(section.span).len() > MAX_INSTRUCTION {
        return false;
    }
    section.title = candidate.title.clone();
    section.span.end = end;
    true
}

pub(super) fn push(tree: &mut SectionTree, mut section: Section, parent: Option<usize>) {
    section.depth =
        parent.and_then(|index| tree.sections.get(index)).map_or(0, |up| up.depth.saturating_add(1));
    section.parent = parent;
    tree.sections.push(section);
}

fn front_matter(span: Span) -> Section {
    let title = Some("Front matter".to_owned());
    Section { number: None, title, heading: Span::new(0, 0), ..Section::of(SectionKind::Part, span) }
}

/// The indices of the blocks that begin in a span.
pub(super) fn block_range(document: &Document, span: Span) -> std::ops::Range<usize> {
    let from = document.blocks.partition_point(|block| block.span.start < span.start);
    let to = document.blocks.partition_point(|block| block.span.start < span.end);
    from..to.max(from)
}

/// Finds exceptions and definitions in the own text of every section.
fn fill_sections(
    tree: &mut SectionTree,
    document: &Document,
    profile: &Profile,
    work: &mut Work<'_>,
) -> Result<()> {
    let count = tree.sections.len();
    let mut defines: Vec<bool> = vec![false; count];
    for index in 0..count {
        work.tick(Stage::Structure, index as u64, count as u64)?;
        let Some(section) = tree.sections.get(index).filter(|section| section.nested.is_none()) else {
            continue;
        };
        let blocks: Vec<&Block> = body_blocks(document, section);
        let mut parts = exceptions(document, profile, &blocks);
        let title = section.title.as_deref().unwrap_or_default();
        let inherits = section.parent.and_then(|up| defines.get(up)).copied().unwrap_or(false);
        let is_definitions = inherits || profile.definitions.iter().any(|pattern| pattern.is_match(title));
        if is_definitions {
            parts.extend(definitions(document, &blocks));
            if let Some(flag) = defines.get_mut(index) {
                *flag = true;
            }
        }
        if let Some(section) = tree.sections.get_mut(index) {
            section.parts = parts;
        }
    }
    Ok(())
}

/// The blocks of a section's own text after its heading. A run-in heading's block counts with what follows
/// the heading in it.
fn body_blocks<'a>(document: &'a Document, section: &Section) -> Vec<&'a Block> {
    let blocks = document.blocks.get(block_range(document, section.span)).unwrap_or_default();
    blocks.iter().filter(|block| block.span.start >= section.heading.end).collect()
}

fn warn_of_duplicates(tree: &mut SectionTree, document: &Document) {
    let mut seen: HashMap<String, usize> = HashMap::new();
    for section in &tree.sections {
        let Some(number) = &section.number else { continue };
        let times = seen.entry(number.key()).or_default();
        *times += 1;
        if *times == 2 {
            tree.warnings.push(Warning {
                code: "duplicate_number",
                page: document.page_at(section.span.start).map(|mark| mark.page),
                message: format!("the number {number} stands more than once"),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::BlockKind;
    use crate::document::{DocumentBuilder, Layout, Style};
    use crate::read::markdown;
    use crate::work::{Limits, Unwatched};

    fn tree_of(source: &str, profile: &str) -> (Document, SectionTree) {
        let limits = Limits::default();
        let mut watcher = Unwatched;
        let mut work = Work::new(&limits, &mut watcher);
        let document = markdown::read(source.as_bytes(), &mut work).unwrap();
        let tree = build(&document, &Profile::builtin(profile).unwrap(), &mut work).unwrap();
        (document, tree)
    }

    fn outline(tree: &SectionTree) -> Vec<String> {
        tree.sections
            .iter()
            .map(|s| {
                let number = s.number.as_ref().map_or("-".into(), ToString::to_string);
                let parent = s
                    .parent
                    .and_then(|p| tree.sections[p].number.as_ref())
                    .map_or("-".into(), ToString::to_string);
                format!("{number} < {parent}")
            })
            .collect()
    }

    const CODE: &str = "\
Some preface.

# CHAPTER 10 MEANS OF EGRESS

## SECTION 1004 OCCUPANT LOAD

### 1004.1 Design. The load shall comply with Section 1004.5.

1004.5 shall apply where it says so.

### 1004.5 Occupant load factors.

Use Table 1004.5.

**Table 1004.5 Factors**

| Use | Factor |
|---|---|
| Office | 12 |

**Exceptions:**

1. First case:
   a. inner
2. Second case.

After the list.

# Appendix C AGRICULTURE

## C101.1 Scope.

Text.
";

    #[test]
    fn parents_come_from_the_number_then_from_the_place() {
        let (_, tree) = tree_of(CODE, "ibc");
        assert_eq!(
            outline(&tree),
            [
                "- < -",
                "Chapter 10 < -",
                "1004 < Chapter 10",
                "1004.1 < 1004",
                "1004.5 < 1004",
                "Table 1004.5 < 1004.5",
                "Appendix C < -",
                "C101.1 < Appendix C",
            ]
        );
    }

    #[test]
    fn a_chapter_ends_where_the_next_begins() {
        let (_, tree) = tree_of(CODE, "ibc");
        assert_eq!(tree.last_below(), [0, 5, 5, 3, 5, 5, 7, 7]);
    }

    #[test]
    fn exceptions_are_itemised_in_place() {
        let (document, tree) = tree_of(CODE, "ibc");
        let section = &tree.sections[4];
        let parts: Vec<(&str, &str)> =
            section.parts.iter().map(|p| (p.locator.as_str(), document.slice(p.span))).collect();
        assert_eq!(
            parts,
            [("Exception 1", "Exceptions:\n1. First case: a. inner"), ("Exception 2", "2. Second case.")]
        );
    }

    #[test]
    fn own_texts_cover_the_document_once() {
        let (document, tree) = tree_of(CODE, "ibc");
        let mut end = 0;
        for section in tree.sections.iter().filter(|s| s.nested.is_none()) {
            assert_eq!(section.span.start, end);
            end = section.span.end;
        }
        assert_eq!(end, document.text.len());
    }

    #[test]
    fn definitions_are_one_per_term() {
        let source = "## SECTION 202 DEFINITIONS\n\nPreamble text.\n\n**EXIT.** A way out.\n\nMore on it.\n\nFIRE WALL. A wall.\n";
        let (document, tree) = tree_of(source, "ibc");
        let parts: Vec<(&str, &str)> =
            tree.sections[0].parts.iter().map(|p| (p.locator.as_str(), document.slice(p.span))).collect();
        assert_eq!(parts, [("EXIT", "EXIT. A way out.\nMore on it."), ("FIRE WALL", "FIRE WALL. A wall.")]);
    }

    #[test]
    fn a_list_of_definitions_is_one_part_per_term() {
        let source = "## SECTION 202 DEFINITIONS\n\nIn this code:\n\nExit\n: A way out of the building.\n\n  It leads outside.\n\nWall, fire\n: A wall against fire.\n\nThe terms are final.\n";
        let (document, tree) = tree_of(source, "ibc");
        let parts: Vec<(&str, &str)> =
            tree.sections[0].parts.iter().map(|p| (p.locator.as_str(), document.slice(p.span))).collect();
        assert_eq!(parts[0], ("Exit", "Exit\nA way out of the building.\nIt leads outside."));
        assert_eq!(parts[1].0, "Wall, fire");
        assert_eq!(parts.len(), 2);
    }

    #[test]
    fn a_number_repeated_under_its_own_heading_is_one_section() {
        let source = "### Section 402.2\n\n*Section 402.2 is revised to read as follows:*\n\n#### 402.2 Water supply.\n\nText.\n\n### Section 402.5\n\n*Delete.*\n";
        let (document, tree) = tree_of(source, "ibc");
        assert_eq!(outline(&tree), ["402.2 < -", "402.5 < -"]);
        assert_eq!(tree.sections[0].title.as_deref(), Some("Water supply"));
        assert!(document.slice(tree.sections[0].span).trim_end().ends_with("Text."));
    }

    #[test]
    fn a_title_that_is_wrapped_in_its_column_is_one() {
        let bold = Style { bold: true, ..Style::default() };
        let mut builder = DocumentBuilder::new();
        builder.page(1, None);
        let lines = [
            ("SECTION 603", 10.0, true),
            ("COMBUSTIBLE MATERIAL IN TYPES I", 10.0, false),
            ("AND II", 10.0, true),
            ("User note", 8.0, true),
            ("603.1 Uses. Wood is permitted.", 8.5, false),
        ];
        for (text, size, centred) in lines {
            let layout = Layout { size, centred, ..Layout::default() };
            builder.block(BlockKind::Paragraph, &[(text, bold)], layout, None);
        }
        let document = builder.finish();
        let limits = Limits::default();
        let mut watcher = Unwatched;
        let mut work = Work::new(&limits, &mut watcher);
        let tree = build(&document, &Profile::builtin("ibc").unwrap(), &mut work).unwrap();
        assert_eq!(tree.sections[0].title.as_deref(), Some("COMBUSTIBLE MATERIAL IN TYPES I AND II"));
        assert!(document.slice(tree.sections[0].span).ends_with("User note\n"));
    }

    #[test]
    fn an_exception_ends_where_a_caption_begins() {
        let source = "### 307.1 Limits.\n\n**Exceptions:**\n\n1. Fuel.\n\n   Table 1 is for fuel.\n\n   **Table 307.1 Amounts**\n\n| A |\n|---|\n| 1 |\n";
        let (document, tree) = tree_of(source, "ibc");
        assert_eq!(
            document.slice(tree.sections[0].parts[0].span),
            "Exceptions:\n1. Fuel.\nTable 1 is for fuel."
        );
    }

    #[test]
    fn two_line_headings_take_the_title_below() {
        let (_, tree) = tree_of(
            "# ARTICLE 302\n\n**MAINTENANCE OF EXTERIOR WALLS**\n\n**§28-302.1 General.** Text.\n",
            "nyc",
        );
        assert_eq!(tree.sections[0].title.as_deref(), Some("MAINTENANCE OF EXTERIOR WALLS"));
        assert_eq!(outline(&tree), ["Article 302 < -", "28-302.1 < Article 302"]);
    }
}
