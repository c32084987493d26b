//! What an amending document says without an instruction: sections that stand in it as they are to read, or struck through.

use super::find::Finder;
use super::operation::{Detail, Operation, Status, Verb};
use crate::document::Span;
use crate::structure::Section;

impl Finder<'_> {
    /// A section that says that it is reserved, or that restates the base's without a word about it.
    pub(super) fn without_instruction(&mut self, index: usize, section: &Section) {
        let Some(number) = section.number.clone() else { return };
        if self.covered.get(index).copied().unwrap_or_default()
            || number.label().is_some_and(|l| l != "Table")
        {
            return;
        }
        let body =
            self.text.get(section.heading.end.max(section.span.start)..section.span.end).unwrap_or_default();
        let title = section.title.as_deref().unwrap_or_default();
        let standing = match body.trim().is_empty() {
            true => standing(title),
            false => standing(body),
        };
        let (verb, status, text) = match standing {
            Some(verb) => (verb, Status::Clear, None),
            None if body.trim().is_empty() => return,
            None => {
                let status = match self.markup.is_in(section.span) {
                    true => Status::Clear,
                    false => Status::Ambiguous("the section is restated without an instruction"),
                };
                let verb = if self.markup.is_new(section.heading) { Verb::Add } else { Verb::Replace };
                (verb, status, self.trimmed(section.span))
            }
        };
        self.found.push(Operation {
            verb,
            target: number,
            through: None,
            detail: Detail::default(),
            renumbered: None,
            section: index,
            instruction: Span::new(section.span.start, section.span.start),
            text,
            status,
        });
    }

    /// Sections whose heading is struck through are deleted, unless the number stands elsewhere in the document.
    pub(super) fn struck(&mut self) {
        for (offset, target) in std::mem::take(&mut self.markup.headings) {
            let stands = self.tree.sections.iter().any(|section| section.number.as_ref() == Some(&target));
            let at = self.tree.sections.partition_point(|section| section.span.start <= offset);
            if stands || at == 0 {
                continue;
            }
            self.found.push(Operation {
                verb: Verb::Delete,
                target,
                through: None,
                detail: Detail::default(),
                renumbered: None,
                section: at - 1,
                instruction: Span::new(offset, offset),
                text: None,
                status: Status::Clear,
            });
        }
    }
}

/// "Reserved.", "[Repealed.]", "Not adopted": what a section says of itself instead of a text.
fn standing(text: &str) -> Option<Verb> {
    let line = text.trim().lines().next()?.trim();
    let word = line.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    match word.as_str() {
        "reserved" => Some(Verb::Reserve),
        "repealed" | "deleted" | "omitted" | "not adopted" | "not used" | "deleted without substitution" => {
            Some(Verb::Delete)
        }
        _ => None,
    }
}
