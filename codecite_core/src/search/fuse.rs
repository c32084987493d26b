//! Fuses the legs of a search by chunk, then collapses chunks to sections.

use std::collections::HashMap;
use std::hash::Hash;

/// What the agreement of further chunks of a section adds to its best one.
const AGREEMENT: f32 = 0.05;

/// One ranked list of chunks, best first.
#[derive(Debug, Clone)]
pub struct Leg<K> {
    /// The chunks with their scores.
    pub ranked: Vec<(K, f32)>,
    /// What the leg counts.
    pub weight: f32,
    /// The score of what it does not hold, where that is known; else its last chunk's.
    pub floor: Option<f32>,
}

/// How legs are fused.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fusion {
    /// Reciprocal ranks: the sum of weight / (k + rank).
    Reciprocal {
        /// The constant of the ranks.
        k: f32,
    },
    /// The weighted sum of scores, each leg's scaled to 0-1.
    Scores,
}

/// A chunk after fusion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate<K> {
    /// The chunk.
    pub chunk: K,
    /// The fused score.
    pub score: f32,
}

/// Fuses legs; best first, equal scores in the order of the key, which is document order.
pub fn fuse<K: Copy + Eq + Hash + Ord>(legs: &[Leg<K>], fusion: Fusion) -> Vec<Candidate<K>> {
    let mut sums: HashMap<K, f32> = HashMap::new();
    for leg in legs {
        let best = leg.ranked.first().map_or(0.0, |(_, score)| *score);
        let worst = leg.floor.unwrap_or_else(|| leg.ranked.last().map_or(0.0, |(_, score)| *score));
        let range = (best - worst).max(f32::EPSILON);
        for (rank, (chunk, score)) in leg.ranked.iter().enumerate() {
            let gain = match fusion {
                Fusion::Reciprocal { k } => 1.0 / (k + rank as f32 + 1.0),
                Fusion::Scores => ((score - worst) / range).max(0.0),
            };
            *sums.entry(*chunk).or_default() += leg.weight * gain;
        }
    }
    let mut fused: Vec<Candidate<K>> =
        sums.into_iter().map(|(chunk, score)| Candidate { chunk, score }).collect();
    fused.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.chunk.cmp(&b.chunk)));
    fused
}

/// A section with the chunk that speaks for it.
#[derive(Debug, Clone, PartialEq)]
pub struct SectionHit<S, K> {
    /// The section.
    pub section: S,
    /// Its best chunk; `None` for a section that only its tables or what explains it speak for.
    pub best: Option<K>,
    /// All its chunks among the candidates, best first.
    pub chunks: Vec<K>,
    /// The score.
    pub score: f32,
}

/// Collapses chunks, best first, to their sections, best first. `section_of` names a chunk's section, `None`
/// for a chunk that does not count.
pub fn collapse<K, S>(
    candidates: &[Candidate<K>],
    mut section_of: impl FnMut(K) -> Option<S>,
) -> Vec<SectionHit<S, K>>
where
    K: Copy,
    S: Copy + Eq + Hash + Ord,
{
    let mut places: HashMap<S, usize> = HashMap::new();
    let mut hits: Vec<SectionHit<S, K>> = Vec::new();
    for candidate in candidates {
        let Some(section) = section_of(candidate.chunk) else { continue };
        match places.get(&section).and_then(|place| hits.get_mut(*place)) {
            Some(hit) => {
                // Each further chunk counts less, so that length alone does not win.
                hit.score += AGREEMENT * candidate.score / hit.chunks.len() as f32;
                hit.chunks.push(candidate.chunk);
            }
            None => {
                places.insert(section, hits.len());
                let chunks = vec![candidate.chunk];
                hits.push(SectionHit {
                    section,
                    best: Some(candidate.chunk),
                    chunks,
                    score: candidate.score,
                });
            }
        }
    }
    sort(&mut hits);
    hits
}

/// Best first; equal scores in document order.
pub(super) fn sort<S: Ord, K>(hits: &mut [SectionHit<S, K>]) {
    hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.section.cmp(&b.section)));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leg(chunks: &[u32], weight: f32) -> Leg<u32> {
        let ranked = chunks.iter().enumerate().map(|(rank, chunk)| (*chunk, 10.0 - rank as f32)).collect();
        Leg { ranked, weight, floor: None }
    }

    #[test]
    fn what_both_legs_find_comes_first() {
        let fused = fuse(&[leg(&[1, 2, 3], 1.0), leg(&[2, 4], 1.0)], Fusion::Reciprocal { k: 60.0 });
        assert_eq!(fused[0].chunk, 2);
        let fused = fuse(&[leg(&[1, 2, 3], 1.0), leg(&[2, 4], 1.0)], Fusion::Scores);
        assert_eq!(fused[0].chunk, 2);
    }

    #[test]
    fn ties_are_in_document_order() {
        let fused = fuse(&[leg(&[9, 5], 1.0), leg(&[5, 9], 1.0)], Fusion::Reciprocal { k: 60.0 });
        assert_eq!(fused.iter().map(|c| c.chunk).collect::<Vec<_>>(), [5, 9]);
    }

    #[test]
    fn sections_take_their_best_chunk_and_agreement_counts() {
        let candidates =
            [(10, 1.0), (20, 0.98), (21, 0.97), (30, 0.5)].map(|(chunk, score)| Candidate { chunk, score });
        let hits = collapse(&candidates, |chunk: u32| (chunk != 30).then_some(chunk / 10));
        assert_eq!(
            hits.iter().map(|h| (h.section, h.best)).collect::<Vec<_>>(),
            [(2, Some(20)), (1, Some(10))]
        );
        assert_eq!(hits[0].chunks, [20, 21]);
    }
}
