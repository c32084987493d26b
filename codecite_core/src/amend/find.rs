//! The instructions of an amending document and the text that they bring.

use std::ops::Range;

use super::grammar::{Instruction, instruction, names_sections};
use super::markup::Markup;
use super::operation::{Clause, Detail, Operation, Scope, Status, Target, Unit, Verb, Which};
use crate::document::{Document, Span};
use crate::error::Result;
use crate::number::Number;
use crate::structure::{PartKind, Section, SectionTree};
use crate::work::{Stage, Work};

/// How far behind an instruction the section stands that it brings.
const NEAR: usize = 3;
/// Sections between ticks.
const TICK: usize = 256;

/// An instruction in its place.
struct Placed {
    instruction: Instruction,
    /// In the document's text.
    span: Span,
}

/// All operations of an amending document, in its order. A numbered section with a text of its own that no instruction
/// introduces restates the base's: that is an operation, too, but a clear one only where it shows what changes, with
/// struck and underlined words.
///
/// # Errors
/// Cancellation.
pub fn operations(document: &Document, tree: &SectionTree, work: &mut Work<'_>) -> Result<Vec<Operation>> {
    let text = document.text.as_str();
    let mut placed: Vec<Vec<Placed>> = Vec::with_capacity(tree.sections.len());
    let mut introduced = false;
    for (index, section) in tree.sections.iter().enumerate() {
        if index % TICK == 0 {
            work.tick(Stage::Structure, index as u64, tree.sections.len() as u64)?;
        }
        let found =
            if section.nested.is_some() { Vec::new() } else { instructions(text, section, &mut introduced) };
        placed.push(found);
    }
    let mut finder = Finder {
        text,
        tree,
        markup: Markup::of(document),
        placed: &placed,
        covered: vec![false; tree.sections.len()],
        found: Vec::new(),
    };
    for index in 0..tree.sections.len() {
        finder.section(index);
    }
    finder.struck();
    Ok(finder.found)
}

/// The instructions in a section's own text. `introduced`: new text is expected, so that only what is an instruction
/// from its first word to its last is one.
fn instructions(text: &str, section: &Section, introduced: &mut bool) -> Vec<Placed> {
    let own = text.get(section.span.range()).unwrap_or_default();
    let mut found: Vec<Placed> = Vec::new();
    if section.number.is_some() {
        *introduced = false;
    }
    let mut start = section.span.start;
    for line in own.split_inclusive('\n') {
        let read = instruction(line.trim_end()).filter(|read| is_whole(line, read, *introduced));
        if let Some(instruction) = read {
            let end = start + instruction.end;
            *introduced = line.get(..instruction.end).unwrap_or_default().ends_with(':');
            found.push(Placed { instruction, span: Span::new(start, end) });
        }
        start += line.len();
    }
    found
}

/// Whether the instruction is all of a paragraph, or ends where a sentence of it ends.
fn is_whole(line: &str, read: &Instruction, introduced: bool) -> bool {
    let rest = line.get(read.end..).unwrap_or_default().trim();
    let ended = line.get(..read.end).unwrap_or_default().ends_with(['.', ':', '”', '"']);
    rest.is_empty() || (!introduced && ended) || rest.chars().all(|c| !c.is_alphanumeric())
}

pub(super) struct Finder<'a> {
    pub(super) text: &'a str,
    pub(super) tree: &'a SectionTree,
    pub(super) markup: Markup,
    placed: &'a [Vec<Placed>],
    /// Sections that an instruction of another section brings.
    pub(super) covered: Vec<bool>,
    pub(super) found: Vec<Operation>,
}

impl Finder<'_> {
    fn section(&mut self, index: usize) {
        let (Some(section), Some(placed)) = (self.tree.sections.get(index), self.placed.get(index)) else {
            return;
        };
        if section.nested.is_some() {
            return;
        }
        if placed.is_empty() {
            self.without_instruction(index, section);
            return;
        }
        for (place, one) in placed.iter().enumerate() {
            let end =
                placed.get(place + 1).map_or(section.span.end, |next| self.before_heading(next.span.start));
            let text = self.trimmed(Span::new(one.span.end, end));
            for clause in &one.instruction.clauses {
                self.clause(index, one, clause, text);
            }
        }
    }

    /// The place of an instruction, or of the line before it when that only names sections: "Sections 1011.7 and 1011.8".
    fn before_heading(&self, at: usize) -> usize {
        let before = self.text.get(..at).unwrap_or_default().trim_end_matches('\n');
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        if names_sections(before.get(start..).unwrap_or_default()) { start } else { at }
    }

    /// Without the white space around it; `None` when nothing is left.
    pub(super) fn trimmed(&self, span: Span) -> Option<Span> {
        let slice = self.text.get(span.range())?;
        let start = span.start + (slice.len() - slice.trim_start().len());
        let end = span.start + slice.trim_end().len();
        (end > start).then(|| Span::new(start, end))
    }

    fn clause(&mut self, index: usize, placed: &Placed, clause: &Clause, text: Option<Span>) {
        let context = match &placed.instruction.context {
            Some(Target::Number(number, _)) => Some(number.clone()),
            _ => self.number_of(index),
        };
        match &clause.target {
            Target::Following(label) => {
                self.following(index, placed, clause, (*label, context.as_ref()), text)
            }
            Target::Number(number, through) => {
                let target = (number.clone(), through.clone());
                // "A new Section 410 is added": its subsections come along.
                if clause.verb == Verb::Add && clause.scope.is_empty() {
                    self.cover_below(index);
                }
                self.push(index, placed, clause, target, text, Status::Clear);
            }
            Target::Here(label) => {
                let (target, status) = self.here(index, context, *label);
                let Some(target) = target else { return };
                if clause.verb == Verb::Replace && clause.scope.is_empty() {
                    self.cover_below(index);
                }
                self.push(index, placed, clause, (target, None), text, status);
            }
        }
    }

    /// What "this section", "this chapter" or nothing at all means where the instruction stands.
    fn here(
        &self,
        index: usize,
        context: Option<Number>,
        label: Option<&'static str>,
    ) -> (Option<Number>, Status) {
        match (label, context) {
            (None, Some(context)) => (Some(context), Status::Clear),
            (Some(label), Some(context))
                if context.label() == Some(label)
                    || self.is_kind(index, label)
                    || last_label_is(&context, label) =>
            {
                (Some(context), Status::Clear)
            }
            (Some(label), context) => match self.above(index).find(|number| number.label() == Some(label)) {
                Some(number) => (Some(number), Status::Clear),
                None => (
                    context.or_else(|| self.above(index).next()),
                    Status::Ambiguous(
                        "the instruction does not say which table, chapter or other part it means",
                    ),
                ),
            },
            (None, None) => (
                self.above(index).next(),
                Status::Ambiguous("the instruction does not say which section it means"),
            ),
        }
    }

    fn is_kind(&self, index: usize, label: &str) -> bool {
        self.tree.sections.get(index).is_some_and(|section| section.kind.as_str().eq_ignore_ascii_case(label))
    }

    /// The numbers of a section and of those above it, the nearest first.
    fn above(&self, index: usize) -> impl Iterator<Item = Number> {
        let sections = &self.tree.sections;
        std::iter::successors(sections.get(index), |section| sections.get(section.parent?))
            .filter_map(|section| section.number.clone())
    }

    fn number_of(&self, index: usize) -> Option<Number> {
        self.tree.sections.get(index)?.number.clone()
    }

    /// "Add the following section(s)": those that follow are what is added.
    fn following(
        &mut self,
        index: usize,
        placed: &Placed,
        clause: &Clause,
        (label, context): (Option<&'static str>, Option<&Number>),
        text: Option<Span>,
    ) {
        if label == Some("Table") || label == Some("Figure") {
            let Some(number) = text.and_then(|text| self.float_in(index, text, label)) else {
                return self.unclear(index, placed, clause, text);
            };
            return self.push(index, placed, clause, (number, None), text, Status::Clear);
        }
        if let Some(label) = label {
            let next = (index + 1..self.tree.sections.len())
                .find(|next| self.number_of(*next).is_some_and(|number| number.label() == Some(label)));
            let Some((next, number)) = next.and_then(|next| Some((next, self.number_of(next)?))) else {
                return self.unclear(index, placed, clause, text);
            };
            self.cover(next);
            self.cover_below(next);
            let span = self.tree.sections.get(next).map(|section| section.span);
            return self.push(next, placed, clause, (number, None), span, Status::Clear);
        }
        let added = self.following_sections(index, context);
        if added.is_empty() {
            // The section that holds the instruction is the new one: its heading stands before it.
            let Some(number) = context.cloned().filter(|_| text.is_some()) else {
                return self.unclear(index, placed, clause, text);
            };
            return self.push(index, placed, clause, (number, None), text, Status::Clear);
        }
        for next in added {
            self.cover(next);
            let Some(section) = self.tree.sections.get(next) else { continue };
            let Some(number) = section.number.clone() else { continue };
            let text = self.trimmed(section.span);
            self.push(next, placed, clause, (number, None), text, Status::Clear);
        }
    }

    /// An addition whose text cannot be found.
    fn unclear(&mut self, index: usize, placed: &Placed, clause: &Clause, text: Option<Span>) {
        let nearest = self.above(index).next();
        if let Some(number) = nearest {
            let status = Status::Ambiguous("what is added does not follow the instruction");
            self.push(index, placed, clause, (number, None), text, status);
        }
    }

    /// The sections behind an instruction, up to the first that has an instruction of its own: those below its section in
    /// the tree, or below the number that it names ("1511 Add the following section:" after 1511.2).
    fn following_sections(&self, index: usize, context: Option<&Number>) -> Vec<usize> {
        let below = self.below(index);
        let inside =
            move |number: &Number| context.is_some_and(|context| number.ancestors().contains(context));
        (index + 1..self.tree.sections.len())
            .take_while(move |next| {
                let Some(section) = self.tree.sections.get(*next) else { return false };
                let named = section.number.as_ref().is_none_or(inside);
                section.nested.is_some() || below.contains(next) || named
            })
            .take_while(|next| self.placed.get(*next).is_none_or(Vec::is_empty))
            .filter(|next| {
                self.tree.sections.get(*next).is_some_and(|s| s.nested.is_none() && s.number.is_some())
            })
            .collect()
    }

    /// The sections below one in the tree; they follow it.
    fn below(&self, index: usize) -> Range<usize> {
        let depth = self.tree.sections.get(index).map_or(0, |section| section.depth);
        let after = self.tree.sections.get(index + 1..).unwrap_or_default();
        let count =
            after.iter().take_while(|section| section.nested.is_some() || section.depth > depth).count();
        index + 1..index + 1 + count
    }

    fn cover(&mut self, index: usize) {
        if let Some(covered) = self.covered.get_mut(index) {
            *covered = true;
        }
    }

    fn cover_below(&mut self, index: usize) {
        for below in self.below(index) {
            self.cover(below);
        }
    }

    /// The table or figure that stands in a piece of a section's text.
    fn float_in(&self, index: usize, text: Span, label: Option<&str>) -> Option<Number> {
        self.tree
            .sections
            .iter()
            .skip(index + 1)
            .take_while(|section| section.span.start < text.end)
            .find(|section| {
                text.contains(section.span) && section.number.as_ref().and_then(Number::label) == label
            })
            .and_then(|section| section.number.clone())
    }

    fn push(
        &mut self,
        index: usize,
        placed: &Placed,
        clause: &Clause,
        (target, through): (Number, Option<Number>),
        text: Option<Span>,
        status: Status,
    ) {
        let (section, text) = self.place_of(index, &target, clause, text);
        let mut scopes = vec![clause.scope.clone()];
        // New definitions and revised ones that are not named are those that follow.
        if let [Scope { unit: Unit::Definition, which: Which::New | Which::Only | Which::All }, outer @ ..] =
            clause.scope.as_slice()
            && let Some(text) = text
        {
            let terms = self.terms_in(index, text);
            if !terms.is_empty() {
                scopes = terms
                    .into_iter()
                    .map(|term| {
                        let mut scope = vec![Scope { unit: Unit::Definition, which: Which::Named(term) }];
                        scope.extend(outer.iter().cloned());
                        scope
                    })
                    .collect();
            }
        }
        for scope in scopes {
            self.found.push(Operation {
                verb: clause.verb,
                target: target.clone(),
                through: through.clone(),
                detail: Detail {
                    scope,
                    place: clause.place.clone(),
                    words: clause.words.clone(),
                    quoted: clause.quoted.clone(),
                },
                renumbered: clause.renumbered.clone(),
                section,
                instruction: placed.span,
                text: text.filter(|_| brings_text(clause)),
                status: status.clone(),
            });
        }
    }

    /// The section of the amending document that has the target's number, and the new text: a table inside the section with
    /// the instruction, or a section right behind it, to which the new text belongs then.
    fn place_of(
        &mut self,
        index: usize,
        target: &Number,
        clause: &Clause,
        text: Option<Span>,
    ) -> (usize, Option<Span>) {
        let has_number =
            |at: &usize| self.tree.sections.get(*at).and_then(|s| s.number.as_ref()) == Some(target);
        let after = index + 1..self.tree.sections.len();
        let is_nested = |at: &usize| self.tree.sections.get(*at).is_some_and(|s| s.nested == Some(index));
        if let Some(at) = after.clone().take_while(is_nested).find(has_number) {
            return (at, text);
        }
        if text.is_some() || !brings_text(clause) || !clause.scope.is_empty() {
            return (index, text);
        }
        let mut behind =
            after.filter(|at| self.tree.sections.get(*at).is_some_and(|s| s.nested.is_none())).take(NEAR);
        let found = behind.find(has_number).and_then(|at| Some((at, self.before_instructions(at)?)));
        let Some((at, text)) = found else { return (index, text) };
        self.cover(at);
        (at, Some(text))
    }

    /// A section's text as far as no instruction stands in it: behind the new text of one section the instruction for the
    /// next may follow.
    fn before_instructions(&self, index: usize) -> Option<Span> {
        let span = self.tree.sections.get(index)?.span;
        let first = self.placed.get(index).and_then(|placed| placed.first());
        let end = first.map_or(span.end, |first| self.before_heading(first.span.start));
        // A section that begins with an instruction brings no text of its own.
        self.trimmed(Span::new(span.start, end.max(span.start))).filter(|text| {
            let heading = self.tree.sections.get(index).map_or(span, |section| section.heading);
            text.end > heading.end || first.is_none()
        })
    }

    /// The terms defined in a piece of a section's text.
    fn terms_in(&self, index: usize, text: Span) -> Vec<String> {
        let parts = self.tree.sections.get(index).map(|section| section.parts.as_slice()).unwrap_or_default();
        parts
            .iter()
            .filter(|part| part.kind == PartKind::Definition && text.range().contains(&part.span.start))
            .map(|part| part.locator.clone())
            .collect()
    }
}

/// A label inside a number that says which of several codes it is in: `CRC Chapter 4`.
fn last_label_is(number: &Number, label: &str) -> bool {
    number.body().rsplit_once(' ').is_some_and(|(before, _)| before.ends_with(label))
}

/// Whether the text behind an instruction belongs to it.
fn brings_text(clause: &Clause) -> bool {
    clause.words.is_empty()
        && clause.quoted.is_empty()
        && matches!(clause.verb, Verb::Add | Verb::Revise | Verb::Replace | Verb::Adopt)
}
