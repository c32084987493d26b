//! Which section a heading stands under: by its number, then by its place.

use std::collections::HashMap;

use super::headings::Candidate;
use crate::number::Number;
use crate::profile::{Level, Profile, SectionKind};

/// The sections so far that others may stand under.
pub(super) struct Outline<'p> {
    profile: &'p Profile,
    /// The latest section of each number.
    latest: HashMap<String, usize>,
    /// The open parts, chapters, articles and appendices, the outermost first.
    containers: Vec<Open>,
}

struct Open {
    /// Which others close it.
    rank: usize,
    section: usize,
    number: Number,
}

impl<'p> Outline<'p> {
    pub(super) fn new(profile: &'p Profile) -> Self {
        Outline { profile, latest: HashMap::new(), containers: Vec::new() }
    }

    /// The parent of the heading that becomes section `index`, and its number, which its container may be a part of.
    pub(super) fn place(&mut self, candidate: &Candidate, index: usize) -> (Option<usize>, Number) {
        let attached = candidate.number.attached_to();
        let rank = self.rank(candidate.level).filter(|_| attached.is_none() && !candidate.is_guest);
        if let Some(rank) = rank {
            while self.containers.last().is_some_and(|open| open.rank >= rank) {
                self.containers.pop();
            }
        }
        let number = self.composed(candidate);
        let is_nested = self.profile.levels.get(candidate.level).is_some_and(|level| level.nested);
        let above = if is_nested { number.ancestors() } else { Vec::new() };
        let by_number = self.known(attached.into_iter().chain(above));
        let innermost = self.containers.last().map(|open| open.section);
        // The chapter of a number is further up than the article that the heading stands in.
        let is_open = |section: &usize| self.containers.iter().any(|open| open.section == *section);
        let parent = by_number.filter(|section| !is_open(section)).or(innermost).or(by_number);
        if let Some(rank) = rank {
            self.containers.push(Open { rank, section: index, number: number.clone() });
        }
        self.latest.insert(number.key(), index);
        (parent, number)
    }

    /// The number with that of its container, for levels that count anew in each.
    fn composed(&self, candidate: &Candidate) -> Number {
        let pattern = self.profile.levels.get(candidate.level).and_then(|level| level.compose.as_ref());
        let above = self.containers.last().map(|open| &open.number);
        let composed =
            pattern.zip(above).and_then(|(pattern, above)| candidate.number.composed(pattern, above));
        composed.unwrap_or_else(|| candidate.number.clone())
    }

    /// The parent of the marked paragraph that becomes section `index`.
    pub(super) fn place_paragraph(&mut self, number: &Number, index: usize) -> Option<usize> {
        let parent = self.known(number.ancestors());
        self.latest.insert(number.key(), index);
        parent
    }

    /// The latest section of each number, by its key.
    pub(super) fn latest(&self) -> &HashMap<String, usize> {
        &self.latest
    }

    fn known(&self, numbers: impl IntoIterator<Item = Number>) -> Option<usize> {
        numbers.into_iter().find_map(|up| self.latest.get(&up.key()).copied())
    }

    /// Which containers a level closes; `None` for levels whose sections contain by number only. An appendix stands
    /// beside the chapters, not in the last one.
    fn rank(&self, level: usize) -> Option<usize> {
        let this = self.profile.levels.get(level)?;
        if this.kind == SectionKind::Appendix {
            let is_chapter = |kind| matches!(kind, SectionKind::Chapter | SectionKind::Part);
            let before = self.profile.levels.get(..level).unwrap_or_default();
            // A division that counts anew in each chapter is no place beside it.
            let is_beside = |l: &Level| l.container && is_chapter(l.kind) && l.compose.is_none();
            let chapters = before.iter().rposition(is_beside);
            return Some(chapters.unwrap_or(0));
        }
        this.container.then_some(level)
    }
}
