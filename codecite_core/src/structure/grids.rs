//! Grids without a caption of their own: the cells of plain text, and those that go on below the caption of another.

use std::collections::HashMap;

use super::floats::Place;
use super::headings::reads_as_sentence;
use super::tree::{Section, SectionTree, block_range, push};
use crate::document::{BlockKind, Span};
use crate::profile::SectionKind;

/// Between two grids of one table there are at most so many lines, each at most so long.
const MAX_LINES: usize = 8;
const MAX_LINE: usize = 120;
/// So many blocks may stand between a caption and its first grid.
const MAX_FAR: usize = 16;
/// Lines with a gap that make a grid of plain text, and one without a caption.
const MIN_ROWS: usize = 2;
const MIN_OWN_ROWS: usize = 3;
/// Columns of a gap between cells.
const GAP: &str = "   ";

/// Places cells that a reader kept as lines of text.
pub(super) fn place_grid(tree: &mut SectionTree, place: &Place<'_>, index: usize) {
    let Some(block) = place.document.blocks.get(index) else { return };
    let text = place.document.slice(block.span);
    let rows = rows(text);
    let is_taken = || floats(tree, place).any(|(_, float)| float.span.contains(block.span));
    if block.kind != BlockKind::Preformatted || rows < MIN_ROWS || is_taken() {
        return;
    }
    if let Some(section) = continued(tree, place, index) {
        let parent = section.parent;
        push(tree, section, parent);
    } else if let Some(waiting) = caption_that_waits(tree, place, index) {
        if let Some(section) = tree.sections.get_mut(waiting) {
            section.span.end = block.span.end;
        }
    } else if rows >= MIN_OWN_ROWS && aligned(text) >= MIN_OWN_ROWS {
        let section = Section {
            heading: Span::new(block.span.start, block.span.start),
            nested: Some(place.owner),
            part: place.part.cloned(),
            ..Section::of(SectionKind::Table, block.span)
        };
        push(tree, section, Some(place.owner));
    }
}

/// The grid `index` as a further one of the table above it, from which only short lines part it.
pub(super) fn continued(tree: &SectionTree, place: &Place<'_>, index: usize) -> Option<Section> {
    let (_, last) = floats(tree, place).next().filter(|(_, last)| last.kind == SectionKind::Table)?;
    let block = place.document.blocks.get(index)?;
    let between = block_range(place.document, Span::new(last.span.end, block.span.start));
    let has_cells = last.span.end > last.heading.end;
    let is_line = |at: usize| {
        let text = place.document.blocks.get(at).map_or("", |block| place.document.slice(block.span));
        text.len() <= MAX_LINE && !reads_as_sentence(text) && !begins_notes(text)
    };
    if last.number.is_none() || !has_cells || between.len() > MAX_LINES || !between.clone().all(is_line) {
        return None;
    }
    Some(Section {
        number: last.number.clone(),
        title: last.title.clone(),
        heading: Span::new(block.span.start, block.span.start),
        nested: Some(place.owner),
        part: place.part.cloned(),
        parent: last.parent,
        ..Section::of(SectionKind::Table, block.span)
    })
}

/// The caption of a table below which no cells were found so far.
fn caption_that_waits(tree: &SectionTree, place: &Place<'_>, index: usize) -> Option<usize> {
    let (at, last) = floats(tree, place).next().filter(|(_, last)| last.kind == SectionKind::Table)?;
    let start = place.document.blocks.get(index)?.span.start;
    let between = block_range(place.document, Span::new(last.span.end, start)).len();
    let waits = last.span.end == last.heading.end && last.number.is_some() && between <= MAX_FAR;
    waits.then_some(at)
}

/// The floats of the section that is being filled, the last first.
fn floats<'t>(
    tree: &'t SectionTree,
    place: &Place<'_>,
) -> impl Iterator<Item = (usize, &'t Section)> + use<'t> {
    let owner = place.owner;
    tree.sections.iter().enumerate().rev().take_while(move |(_, float)| float.nested == Some(owner))
}

/// Lines of plain text with a gap between cells. A list of labels ("DATE    : …") has none.
fn rows(text: &str) -> usize {
    let is_row = |line: &&str| match line.find(GAP) {
        Some(gap) => !line.get(gap..).is_some_and(|rest| rest.trim_start().starts_with(':')),
        None => line.contains('\t') || line.starts_with('|'),
    };
    text.lines().map(str::trim).filter(is_row).count()
}

/// So many rows begin their second cell in one column.
fn aligned(text: &str) -> usize {
    let mut columns: HashMap<usize, usize> = HashMap::new();
    for line in text.lines() {
        let indent = line.len() - line.trim_start().len();
        let Some(gap) = line.get(indent..).and_then(|rest| rest.find(GAP)) else { continue };
        let cell = line.get(indent + gap..).map_or(0, |rest| rest.len() - rest.trim_start().len());
        let column = line.get(..indent + gap + cell).map_or(0, |before| before.chars().count());
        *columns.entry(column).or_default() += 1;
    }
    columns.into_values().max().unwrap_or(0)
}

fn begins_notes(text: &str) -> bool {
    text.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("note"))
}
