//! BM25 with weighted fields, over the postings of the documents that a query may see.

use super::postings::decode;
use crate::error::Result;

/// The parameters of the ranking.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bm25 {
    /// How fast repetition stops to matter.
    pub k1: f32,
    /// How much length matters, 0 to 1.
    pub b: f32,
    /// What an occurrence in the section's title counts, against 1 in the text.
    pub title: f32,
    /// What an occurrence in the titles above counts.
    pub above: f32,
    /// What another word for a term of the query counts against the term itself.
    pub related: f32,
}

impl Default for Bm25 {
    fn default() -> Self {
        Bm25 { k1: 1.2, b: 0.6, title: 2.0, above: 0.5, related: 0.5 }
    }
}

/// The chunks that the query may see; what frequencies and lengths are relative to.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Scope {
    /// How many chunks.
    pub chunks: u64,
    /// How many terms they have together.
    pub total_length: u64,
}

/// How a word of the index stands to a term of the query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Match {
    /// It is the term.
    Own,
    /// It means about the same.
    Related,
    /// It is spelled nearly the same: it helps to find, but proves nothing.
    Guess,
}

/// One stored list.
#[derive(Debug, Clone, Copy)]
pub struct PostingRow<'a> {
    /// Index of the term in the query, or of the term that this one is another word for.
    pub term: usize,
    /// How the list's word stands to that term.
    pub word: Match,
    /// What the word counts beside others that stand for the same together, 1 where it stands alone.
    pub share: f32,
    /// Index of the document in the caller's list.
    pub document: usize,
    /// The packed list.
    pub packed: &'a [u8],
}

/// One chunk with its score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LexicalHit {
    /// Index of the document in the caller's list.
    pub document: usize,
    /// The chunk's ordinal.
    pub chunk: u32,
    /// The score; higher is better.
    pub score: f32,
    /// Which of the query's terms it holds, one bit each; those past 64 have none.
    pub matched: u64,
}

/// What the scoring of a query yields.
#[derive(Debug, Clone, Default)]
pub struct Ranking {
    /// The best chunks, best first; equal scores in document order.
    pub hits: Vec<LexicalHit>,
    /// For each term of the query, its weight (inverse document frequency); rarest possible when it is nowhere.
    pub weights: Vec<f32>,
    /// For each term, in how many chunks it is.
    pub frequencies: Vec<u64>,
}

impl Bm25 {
    /// Scores all chunks that hold a term of the query and keeps the best `limit`.
    /// `chunk_counts` are the numbers of chunks of the documents, by the caller's index; `admit` says which
    /// chunks may be found, without changing what frequencies are relative to.
    ///
    /// # Errors
    /// [`Error::Corrupt`](crate::Error::Corrupt) for damaged postings.
    #[allow(clippy::too_many_arguments)] // one query, each a different thing
    pub fn rank(
        &self,
        rows: &[PostingRow<'_>],
        terms: usize,
        chunk_counts: &[u32],
        scope: Scope,
        limit: usize,
        admit: &dyn Fn(usize, u32) -> bool,
    ) -> Result<Ranking> {
        let mut frequencies = vec![0u64; terms];
        for row in rows {
            let (count, _) = decode(row.packed)?;
            // Other words make a term more common: what stands everywhere under one name or another says little.
            if let Some(frequency) = frequencies.get_mut(row.term) {
                *frequency += count;
            }
        }
        let weights: Vec<f32> = frequencies.iter().map(|frequency| idf(*frequency, scope.chunks)).collect();
        let average = (scope.total_length as f32 / scope.chunks.max(1) as f32).max(1.0);
        let mut order: Vec<&PostingRow<'_>> = rows.iter().collect();
        order.sort_by_key(|row| (row.document, row.term));
        let mut hits: Vec<LexicalHit> = Vec::new();
        for group in order.chunk_by(|a, b| a.document == b.document) {
            let Some(document) = group.first().map(|row| row.document) else { continue };
            let size = chunk_counts.get(document).copied().unwrap_or(0) as usize;
            let mut scores: Vec<(f32, u64)> = vec![(0.0, 0); size];
            for row in group {
                let weight = weights.get(row.term).copied().unwrap_or(0.0)
                    * if row.word == Match::Own { 1.0 } else { self.related * row.share };
                let bit = if row.term < 64 && row.word != Match::Guess { 1 << row.term } else { 0 };
                for entry in decode(row.packed)?.1 {
                    let entry = entry?;
                    let Some((score, matched)) = scores.get_mut(entry.chunk as usize) else { continue };
                    let frequency = entry.body as f32
                        + self.title * f32::from(entry.title)
                        + self.above * f32::from(entry.above);
                    let length = 1.0 - self.b + self.b * entry.length as f32 / average;
                    *score += weight * frequency * (self.k1 + 1.0) / (frequency + self.k1 * length);
                    *matched |= bit;
                }
            }
            for (chunk, (score, matched)) in (0u32..).zip(scores) {
                if score > 0.0 && admit(document, chunk) {
                    hits.push(LexicalHit { document, chunk, score, matched });
                }
            }
            keep_best(&mut hits, limit.saturating_mul(4));
        }
        keep_best(&mut hits, 0);
        hits.truncate(limit);
        Ok(Ranking { hits, weights, frequencies })
    }
}

/// Sorts, best first, when there are more than `above`, and keeps a quarter of that.
fn keep_best(hits: &mut Vec<LexicalHit>, above: usize) {
    if hits.len() > above {
        hits.sort_by(|a, b| {
            b.score.total_cmp(&a.score).then((a.document, a.chunk).cmp(&(b.document, b.chunk)))
        });
        if above > 0 {
            hits.truncate(above / 4);
        }
    }
}

/// The weight of a term that is in `frequency` of `chunks` chunks; always positive.
fn idf(frequency: u64, chunks: u64) -> f32 {
    let (n, df) = (chunks as f32, frequency as f32);
    (1.0 + (n - df + 0.5).max(0.0) / (df + 0.5)).ln().max(0.01)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::{chunks, estimate_tokens};
    use crate::profile::Profile;
    use crate::read::markdown;
    use crate::structure::build;
    use crate::vocabulary::Vocabulary;
    use crate::work::{Limits, Unwatched, Work};

    /// Ranks the chunks of a text for a query; returns their first lines.
    fn ranked(source: &str, query: &str) -> Vec<String> {
        let limits = Limits::default();
        let mut watcher = Unwatched;
        let mut work = Work::new(&limits, &mut watcher);
        let document = markdown::read(source.as_bytes(), &mut work).unwrap();
        let tree = build(&document, &Profile::builtin("ibc").unwrap(), &mut work).unwrap();
        let chunks = chunks(&document, &tree, 256, &estimate_tokens, &mut work).unwrap();
        let index = super::super::index(&document, &tree, &chunks, &mut work).unwrap();
        let terms = Vocabulary::default().terms(query);
        let rows: Vec<PostingRow<'_>> = terms
            .iter()
            .enumerate()
            .filter_map(|(term, word)| {
                Some(PostingRow {
                    term,
                    word: Match::Own,
                    share: 1.0,
                    document: 0,
                    packed: index.postings.get(word)?,
                })
            })
            .collect();
        let scope = Scope { chunks: chunks.len() as u64, total_length: index.total_length };
        let ranking = Bm25::default()
            .rank(&rows, terms.len(), &[chunks.len() as u32], scope, 10, &|_, _| true)
            .unwrap();
        let line = |hit: &LexicalHit| {
            document.slice(chunks[hit.chunk as usize].span).lines().next().unwrap().to_owned()
        };
        ranking.hits.iter().map(line).collect()
    }

    const CODE: &str = "### 1001.1 Doors.\n\nDoors are doors.\n\n### 1001.2 Stairs.\n\nStairs near doors in Group A.\n\n### 1001.3 Ramps.\n\nRamps in Group B, not permitted.\n";

    #[test]
    fn rare_terms_and_titles_win() {
        assert_eq!(ranked(CODE, "doors in stairs")[0], "1001.2 Stairs.");
        assert_eq!(ranked(CODE, "door")[0], "1001.1 Doors.");
        assert_eq!(ranked(CODE, "Group B"), ["1001.3 Ramps.", "1001.2 Stairs."]);
        assert_eq!(ranked(CODE, "elevator"), Vec::<String>::new());
    }

    #[test]
    fn ties_stand_in_document_order() {
        let same = "### 1001.1 One.\n\nSame words.\n\n### 1001.2 Two.\n\nSame words.\n";
        assert_eq!(ranked(same, "same words"), ["1001.1 One.", "1001.2 Two."]);
    }

    #[test]
    fn frequent_terms_weigh_little_but_never_less_than_nothing() {
        assert!(idf(10, 10) > 0.0);
        assert!(idf(1, 1000) > idf(500, 1000));
        assert!(idf(0, 1000) > idf(1, 1000));
    }
}
