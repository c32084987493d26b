//! Which sections stand at which rank: exact hits first, amendments above the base of the same number.

use std::collections::{HashMap, HashSet};

use codecite_core::search::SectionHit;

use super::rows::{self, ChunkRow, SectionRef, SectionRow};
use super::{Answer, ChunkRef};

/// One row of the answer.
pub(super) struct Hit {
    pub rank: i32,
    pub section: SectionRef,
    pub chunk: Option<ChunkRef>,
    pub kinds: Vec<String>,
    pub score: f32,
    /// The keys of the documents that amend it.
    pub amended_by: Option<String>,
    /// Their titles.
    pub amended_titles: String,
}

impl Answer {
    /// Exact hits first, then the others, each base section under the amendments of its number.
    pub(super) fn overlay(
        &self,
        exact: Vec<(SectionRef, Option<ChunkRef>)>,
        sections: Vec<SectionHit<SectionRef, ChunkRef>>,
        chunks: &HashMap<ChunkRef, ChunkRow>,
        k: usize,
    ) -> Vec<Hit> {
        let exact_score = sections.first().map_or(1.0, |hit| hit.score.max(1.0)) + 1.0;
        let mut list: Vec<(SectionRef, Option<ChunkRef>, Vec<String>, f32)> = Vec::new();
        for (section, chunk) in exact {
            list.push((section, chunk, Vec::new(), exact_score));
        }
        for hit in sections {
            let mut kinds: Vec<String> = Vec::new();
            for kind in hit.chunks.iter().filter_map(|chunk| Some(chunks.get(chunk)?.kind.clone())) {
                if !kinds.contains(&kind) {
                    kinds.push(kind);
                }
            }
            list.push((hit.section, hit.best, kinds, hit.score));
        }
        // Rank groups are cut with some spare: amendments fold into their base below.
        list.truncate(k * 3 + 10);
        let wanted: Vec<SectionRef> = list.iter().map(|(section, ..)| *section).collect();
        let known = rows::sections(&wanted, false);
        // What an amending section is about, where that is not its own number.
        let targets = rows::targets(&wanted);
        let key_of = |section: &SectionRef| {
            targets.get(section).cloned().or_else(|| known.get(section)?.number_key.clone())
        };
        let keys: Vec<String> = wanted.iter().filter_map(key_of).collect();
        let same_number = rows::by_number(&keys, &self.view);
        let own: HashMap<SectionRef, (Option<ChunkRef>, Vec<String>, f32)> =
            list.iter().rev().map(|(s, c, kinds, score)| (*s, (*c, kinds.clone(), *score))).collect();

        let mut hits: Vec<Hit> = Vec::new();
        let mut seen: HashSet<SectionRef> = HashSet::new();
        let mut rank = 0;
        for (section, chunk, kinds, score) in list {
            if rank as usize >= k {
                break;
            }
            if seen.contains(&section) {
                continue;
            }
            let Some(row) = known.get(&section) else { continue };
            let stack = stack_of(section, key_of(&section), row, &same_number);
            if stack.iter().any(|member| seen.contains(member)) {
                seen.insert(section);
                continue;
            }
            rank += 1;
            for member in stack {
                seen.insert(member);
                let (chunk, kinds, score) = if member == section {
                    (chunk, kinds.clone(), score)
                } else {
                    own.get(&member).cloned().unwrap_or((None, Vec::new(), score))
                };
                hits.push(Hit {
                    rank,
                    section: member,
                    chunk,
                    kinds,
                    score,
                    amended_by: None,
                    amended_titles: String::new(),
                });
            }
        }
        hits
    }
}

/// A section with all amendments of its number in its corpus: the highest layer first, the base last.
fn stack_of(
    section: SectionRef,
    key: Option<String>,
    row: &SectionRow,
    same: &[(SectionRef, String, i32, i64)],
) -> Vec<SectionRef> {
    let Some(key) = key else { return vec![section] };
    let mut stack: Vec<SectionRef> = same
        .iter()
        .filter(|(member, number, rank, corpus)| {
            // Sections of the same layer that repeat a number are separate hits.
            *number == key && *corpus == row.corpus_id && (*rank != row.layer_rank || *member == section)
        })
        .map(|(member, ..)| *member)
        .collect();
    if !stack.contains(&section) {
        stack.push(section);
    }
    stack
}

/// Names on each hit the amendments of higher layers at the same rank: by key, and by title for the citation.
pub(super) fn name_amendments(hits: &mut [Hit], sections: &HashMap<SectionRef, SectionRow>) {
    let placed: Vec<(i32, &SectionRow)> =
        hits.iter().filter_map(|hit| Some((hit.rank, sections.get(&hit.section)?))).collect();
    for hit in hits {
        let Some(row) = sections.get(&hit.section) else { continue };
        let above =
            placed.iter().filter(|(rank, other)| *rank == hit.rank && other.layer_rank > row.layer_rank);
        let (mut keys, mut titles): (Vec<&str>, Vec<&str>) =
            above.map(|(_, other)| (other.document.as_str(), other.cited_title.as_str())).unzip();
        keys.dedup();
        titles.dedup();
        hit.amended_by = (!keys.is_empty()).then(|| keys.join(", "));
        hit.amended_titles = titles.join(", ");
    }
}
