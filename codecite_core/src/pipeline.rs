//! The whole way from bytes to what is stored.

use crate::chunk::{Chunk, CountTokens, chunks};
use crate::document::{Document, Format};
use crate::error::Result;
use crate::index::{Index, index};
use crate::profile::Profile;
use crate::read::read;
use crate::structure::{Headings, SectionTree};
use crate::work::Work;

/// A document after reading and structuring.
pub struct Parsed {
    /// What it was read as.
    pub format: Format,
    /// Its text and blocks.
    pub document: Document,
    /// The profile that was used.
    pub profile: String,
    /// What was found under each profile that was tried.
    pub evidence: Vec<Evidence>,
    /// Its sections.
    pub tree: SectionTree,
}

/// What speaks for a profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// Its name.
    pub profile: String,
    /// Headings found with it.
    pub headings: usize,
    /// Numbers that stand more than once.
    pub repeated: usize,
    /// What profiles are compared by: headings without those in doubt, by how far the profile is trusted.
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
    structured(format, document, profiles, work)
}

/// Builds the tree of a document that has been read, as [`parse`] does.
///
/// # Errors
/// Limits, cancellation.
pub fn structured(
    format: Format,
    document: Document,
    profiles: &[Profile],
    work: &mut Work<'_>,
) -> Result<Parsed> {
    let mut best: Option<(usize, &Profile, Headings)> = None;
    let mut evidence = Vec::with_capacity(profiles.len());
    for profile in profiles {
        let headings = Headings::find(&document, profile, work)?;
        let (count, repeated) = (headings.count(), headings.repeated());
        let weight = count.saturating_sub(repeated) * profile.trust;
        evidence.push(Evidence { profile: profile.name.clone(), headings: count, repeated, weight });
        if best.as_ref().is_none_or(|(most, _, _)| weight > *most) {
            best = Some((weight, profile, headings));
        }
    }
    let Some((_, profile, headings)) = best else {
        let (profile, tree) = (String::new(), SectionTree::default());
        return Ok(Parsed { format, document, profile, evidence, tree });
    };
    let tree = headings.tree(&document, profile, work)?;
    Ok(Parsed { format, document, profile: profile.name.clone(), evidence, tree })
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
