//! The whole way from bytes to what is stored.

use crate::chunk::{Chunk, CountTokens, chunks};
use crate::document::{Document, Format};
use crate::error::Result;
use crate::index::{Index, index};
use crate::profile::Profile;
use crate::read::read;
use crate::structure::{SectionTree, build};
use crate::work::Work;

/// A document after reading and structuring.
pub struct Parsed {
    /// What it was read as.
    pub format: Format,
    /// Its text and blocks.
    pub document: Document,
    /// The profile that was used.
    pub profile: String,
    /// Its sections.
    pub tree: SectionTree,
    /// What each profile found that was tried, in the order in which they were.
    pub trials: Vec<Trial>,
}

/// What one profile found in a document: the evidence by which one is chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trial {
    /// The profile.
    pub profile: String,
    /// Sections with a number, without tables and the like.
    pub numbered: usize,
    /// Warnings of the tree.
    pub warnings: usize,
    /// What is compared.
    pub weight: usize,
}

/// Reads a document and builds its tree. Among several profiles the one that finds the most headings with the
/// least doubt is used; a profile that takes almost anything for a heading has to find many more.
///
/// # Errors
/// What readers return, limits, cancellation.
pub fn parse(
    bytes: &[u8],
    declared: Option<Format>,
    profiles: &[Profile],
    work: &mut Work<'_>,
) -> Result<Parsed> {
    let (format, document) = read(bytes, declared, work)?;
    let mut best: Option<(usize, &Profile, SectionTree)> = None;
    let mut trials = Vec::with_capacity(profiles.len());
    for profile in profiles {
        let tree = build(&document, profile, work)?;
        let numbered = tree
            .sections
            .iter()
            .filter(|section| section.number.is_some() && section.nested.is_none())
            .count();
        let weight = numbered.saturating_sub(tree.warnings.len()) * profile.trust;
        let (profile_name, warnings) = (profile.name.clone(), tree.warnings.len());
        trials.push(Trial { profile: profile_name, numbered, warnings, weight });
        if best.as_ref().is_none_or(|(most, _, _)| weight > *most) {
            best = Some((weight, profile, tree));
        }
    }
    let (profile, tree) = best.map(|(_, profile, tree)| (profile.name.clone(), tree)).unwrap_or_default();
    Ok(Parsed { format, document, profile, tree, trials })
}

impl Parsed {
    /// Cuts the sections into chunks and indexes them. `window` and `count` are the embedding model's.
    ///
    /// # Errors
    /// Limits, cancellation.
    pub fn chunk(
        &self,
        window: usize,
        count: CountTokens<'_>,
        work: &mut Work<'_>,
    ) -> Result<(Vec<Chunk>, Index)> {
        let chunks = chunks(&self.document, &self.tree, window, count, work)?;
        let index = index(&self.document, &self.tree, &chunks, work)?;
        Ok((chunks, index))
    }
}
