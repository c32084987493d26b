//! What is found in a table, a note or a commentary speaks for the section that it belongs to, and the section is the law.

use std::collections::HashMap;
use std::hash::Hash;

use super::fuse::{SectionHit, sort};

/// How a section stands to the law.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rank {
    /// A section of the body.
    Law,
    /// A table or figure of a section: law, and cited with its section.
    Float,
    /// An advisory or explanatory note.
    Note,
    /// In an appendix: law only where it is adopted.
    Appendix,
    /// In an appendix, about the section whose number it bears.
    Commentary,
    /// Text without a number, which a citation can hardly name.
    Unnumbered,
    /// History, cases, editors' notes: not law at all.
    Annotation,
}

/// A section's rank and the section that it speaks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kin<S> {
    /// How it stands to the law.
    pub rank: Rank,
    /// The section that its table, note or commentary belongs to.
    pub owner: Option<S>,
}

/// What agreement between a section and what belongs to it adds.
const AGREEMENT: f32 = 0.1;

impl Rank {
    /// What its own score counts, when the question does not ask for such text by name.
    fn own(self) -> f32 {
        match self {
            Rank::Law | Rank::Float => 1.0,
            Rank::Note | Rank::Unnumbered => 0.8,
            Rank::Appendix => 0.75,
            Rank::Commentary => 0.5,
            Rank::Annotation => 0.0,
        }
    }

    /// What its score counts for its owner.
    fn for_owner(self) -> f32 {
        match self {
            Rank::Float => 1.0,
            Rank::Note => 0.95,
            Rank::Commentary => 0.8,
            _ => 0.0,
        }
    }
}

/// Weighs sections by their rank and gives owners what was found for them. `is_named`: the question asks for
/// appendices, notes or commentary, so that they count in full. The order is best first.
pub fn lift<S, K>(
    hits: Vec<SectionHit<S, K>>,
    is_named: bool,
    kin_of: impl Fn(S) -> Kin<S>,
) -> Vec<SectionHit<S, K>>
where
    S: Copy + Eq + Hash + Ord,
    K: Copy,
{
    let mut given: HashMap<S, (f32, Vec<K>)> = HashMap::new();
    let mut lifted: Vec<SectionHit<S, K>> = Vec::with_capacity(hits.len());
    for mut hit in hits {
        let kin = kin_of(hit.section);
        if let Some(owner) = kin.owner {
            let gift = hit.score * kin.rank.for_owner();
            let place = given.entry(owner).or_insert((0.0, Vec::new()));
            place.0 = place.0.max(gift);
            // The cells of its tables are the section's; the words of others about it are not.
            if kin.rank == Rank::Float {
                place.1.extend(hit.chunks.iter().copied());
            }
        }
        if !is_named {
            hit.score *= kin.rank.own();
        }
        if hit.score > 0.0 {
            lifted.push(hit);
        }
    }
    for hit in &mut lifted {
        if let Some((gift, chunks)) = given.remove(&hit.section) {
            hit.score = hit.score.max(gift) + AGREEMENT * hit.score.min(gift);
            hit.chunks.extend(chunks);
        }
    }
    lifted.extend(
        given.into_iter().filter(|(_, (gift, _))| *gift > 0.0).map(|(section, (score, chunks))| SectionHit {
            section,
            best: None,
            chunks,
            score,
        }),
    );
    sort(&mut lifted);
    lifted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(section: u32, score: f32) -> SectionHit<u32, u32> {
        SectionHit { section, best: Some(section * 10), chunks: vec![section * 10], score }
    }

    fn order(hits: Vec<SectionHit<u32, u32>>, is_named: bool, kin: &[(u32, Rank, Option<u32>)]) -> Vec<u32> {
        let kin_of = |section| {
            let known = kin.iter().find(|(of, ..)| *of == section);
            known.map_or(Kin { rank: Rank::Law, owner: None }, |(_, rank, owner)| Kin {
                rank: *rank,
                owner: *owner,
            })
        };
        lift(hits, is_named, kin_of).into_iter().map(|hit| hit.section).collect()
    }

    #[test]
    fn a_table_brings_its_section_and_stands_beside_it() {
        let hits = vec![hit(7, 1.0), hit(3, 0.9)];
        assert_eq!(order(hits, false, &[(7, Rank::Float, Some(2))]), [2, 7, 3]);
        let lifted = lift(vec![hit(7, 1.0), hit(2, 0.5)], false, |section| match section {
            7 => Kin { rank: Rank::Float, owner: Some(2) },
            _ => Kin { rank: Rank::Law, owner: None },
        });
        assert_eq!((lifted[0].section, lifted[0].best), (2, Some(20)));
        assert_eq!(lifted[0].chunks, [20, 70]);
    }

    #[test]
    fn commentary_gives_way_to_what_it_is_about_unless_it_is_asked_for() {
        let kin = [(7, Rank::Commentary, Some(2)), (8, Rank::Appendix, None)];
        assert_eq!(order(vec![hit(7, 1.0), hit(8, 0.9), hit(3, 0.85)], false, &kin), [3, 2, 8, 7]);
        assert_eq!(order(vec![hit(7, 1.0), hit(8, 0.9), hit(3, 0.85)], true, &kin), [7, 8, 3, 2]);
    }

    #[test]
    fn annotations_are_no_answer_unless_they_are_asked_for() {
        let kin = [(7, Rank::Annotation, Some(2))];
        assert_eq!(order(vec![hit(7, 1.0), hit(3, 0.2)], false, &kin), [3]);
        assert_eq!(order(vec![hit(7, 1.0), hit(3, 0.2)], true, &kin), [7, 3]);
    }
}
