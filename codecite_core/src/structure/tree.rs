//! The section tree: every byte of the text in exactly one section.

use std::collections::HashMap;

use super::annotations::annotations;
use super::contents::contents_lines;
use super::fill::fill_sections;
use super::floats::{Place, adopt, place_floats};
use super::headings::{Candidate, candidates};
use super::joined::add_joined;
use super::notes::attach_notes;
use super::outline::Outline;
use super::paragraphs::{Counter, Marked, title_of};
use super::parts::Part;
use super::repeats::{drop_inside, name_guests, qualify};
use super::sequence::choose;
use crate::document::{Document, Span, Table, Warning};
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
    /// Its number; `None` for the text before the first heading, annotations, and tables without one.
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
    pub(super) fn of(kind: SectionKind, span: Span) -> Section {
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

/// The headings of a document under one profile: what a profile is chosen by, and a tree is built from.
#[derive(Debug, Clone)]
pub struct Headings {
    chosen: Vec<Candidate>,
}

impl Headings {
    /// Finds them.
    ///
    /// # Errors
    /// Cancellation and the time limit.
    pub fn find(document: &Document, profile: &Profile, work: &mut Work<'_>) -> Result<Headings> {
        let total = document.blocks.len() as u64;
        work.tick(Stage::Structure, 0, total)?;
        let mut found = candidates(document, profile, work)?;
        let contents = contents_lines(document, &found);
        found.retain(|candidate| !contents.contains(&candidate.block));
        work.tick(Stage::Structure, total / 2, total)?;
        let mut chosen: Vec<Candidate> =
            choose(&found).into_iter().filter_map(|index| found.get(index).cloned()).collect();
        chosen = add_joined(document, profile, chosen);
        drop_inside(&mut chosen, profile);
        name_guests(&mut chosen);
        qualify(&mut chosen, profile);
        Ok(Headings { chosen })
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.chosen.len()
    }

    /// How many numbers stand more than once.
    pub fn repeated(&self) -> usize {
        let mut times: HashMap<String, usize> = HashMap::new();
        for candidate in &self.chosen {
            *times.entry(candidate.number.key()).or_default() += 1;
        }
        times.values().filter(|times| **times > 1).count()
    }

    /// Builds the tree. The profile is the one by which they were found.
    ///
    /// # Errors
    /// Cancellation and the time limit.
    pub fn tree(&self, document: &Document, profile: &Profile, work: &mut Work<'_>) -> Result<SectionTree> {
        let total = document.blocks.len() as u64;
        let mut tree = SectionTree::default();
        place_sections(&mut tree, document, profile, &self.chosen, work)?;
        adopt(&mut tree, document, profile);
        work.tick(Stage::Structure, total * 3 / 4, total)?;
        attach_notes(&mut tree, document);
        fill_sections(&mut tree, document, profile, work)?;
        warn_of_duplicates(&mut tree, document);
        Ok(tree)
    }
}

/// Finds the headings and builds the tree.
///
/// # Errors
/// Cancellation and the time limit.
pub fn build(document: &Document, profile: &Profile, work: &mut Work<'_>) -> Result<SectionTree> {
    Headings::find(document, profile, work)?.tree(document, profile, work)
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
        if let Some(owner) = repeats_last(tree, document, candidate, end) {
            let part = candidate.part.as_ref();
            place_floats(tree, &Place { document, profile, owner, part, latest: outline.latest() });
            continue;
        }
        let level = profile.levels.get(candidate.level);
        let kind = level.map_or(SectionKind::Section, |level| level.kind);
        let span = Span::new(candidate.heading.start, end);
        let annotations = annotations(document, profile, span, candidate.heading.end);
        let law = Span::new(span.start, annotations.first().map_or(end, |first| first.heading.start));
        // An appendix to one paragraph stands between it and the next: the count goes on below it.
        let attached = candidate.number.attached_to().is_some();
        if !attached {
            let counts = level.filter(|level| level.paragraphs);
            counter = counts.map(|_| Counter::new(profile, &candidate.number));
        }
        let marked = counter.as_mut().map_or_else(Vec::new, |counter| {
            counter.paragraphs(document, block_range(document, law), candidate.heading.end)
        });
        let own_end = marked.first().map_or(law.end, |first| first.start);
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
            let end = marked.get(at + 1).map_or(law.end, |next| next.start);
            let owner = tree.sections.len();
            let section = Section {
                part: candidate.part.clone(),
                ..paragraph_section(document, profile, paragraph, end)
            };
            push(tree, section, outline.place_paragraph(&paragraph.number, owner));
            place_floats(tree, &Place { document, profile, owner, part, latest: outline.latest() });
        }
        for (at, annotation) in annotations.iter().enumerate() {
            let end = annotations.get(at + 1).map_or(end, |next| next.heading.start);
            let owner = tree.sections.len();
            let section = Section {
                part: candidate.part.clone(),
                title: annotation.title.clone(),
                heading: annotation.heading,
                ..Section::of(SectionKind::Annotation, Span::new(annotation.heading.start, end))
            };
            push(tree, section, Some(index));
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
/// an instruction, then "402.2 Title. Text"): one section. Takes it into the last one, whose index it returns.
fn repeats_last(
    tree: &mut SectionTree,
    document: &Document,
    candidate: &Candidate,
    end: usize,
) -> Option<usize> {
    let last = tree.sections.iter().rposition(|section| section.nested.is_none())?;
    let has_tables = last + 1 < tree.sections.len();
    let section = tree.sections.get_mut(last).filter(|section| section.title.is_none() && !has_tables)?;
    let same = section.number.as_ref().is_some_and(|number| number.key() == candidate.number.key());
    if !same || document.slice(section.span).len() > MAX_INSTRUCTION {
        return None;
    }
    section.title = candidate.title.clone();
    section.span.end = end;
    Some(last)
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
