//! Whether an answer covers its question, and what that is judged by.

use std::collections::HashSet;

use codecite_core::index::Ranking;
use codecite_core::search::{Coverage, Floors, Leg, Meaning, Query, SectionHit, Signals, judge};
use codecite_core::vocabulary::Vocabulary;
use pgrx::datum::Date;
use pgrx::prelude::*;

use super::rows::SectionRef;
use super::scope::{Filters, View};
use super::{Answer, ChunkRef, Mode};
use crate::settings;

/// The chunks at the head of both legs that are compared.
const FIRST: usize = 10;
/// The hits that the cover of the question's words is measured on.
const COVER_HITS: usize = 5;

/// How much of what is in view has vectors of the model in use.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Vectors {
    NotAsked,
    None,
    Some,
    All,
}

impl Vectors {
    pub(super) fn note(self) -> &'static str {
        match self {
            Vectors::NotAsked | Vectors::All => "",
            Vectors::None => "no embeddings for the model in use: searched by words only",
            Vectors::Some => "some chunks wait for their embeddings: those are searched by words only",
        }
    }
}

/// The verdict that stands on every row.
pub(super) struct Verdict {
    pub(super) coverage: Coverage,
    pub(super) note: String,
    /// What it rests on; `None` where it needed no weighing.
    pub(super) weighed: Option<(Signals, f32)>,
}

impl Verdict {
    pub(super) fn not_covered(note: String) -> Verdict {
        Verdict { coverage: Coverage::NotCovered, note, weighed: None }
    }
}

#[pg_extern(schema = "codecite", stable, parallel_restricted, cost = 10000)]
#[allow(clippy::type_complexity)]
fn coverage(
    query: Option<&str>,
    corpora: default!(Option<Vec<String>>, "NULL"),
    layer: default!(Option<&str>, "NULL"),
    as_of: default!(Option<Date>, "NULL"),
) -> TableIterator<
    'static,
    (
        name!(coverage, &'static str),
        name!(coverage_note, Option<String>),
        name!(score, Option<f32>),
        name!(words, Option<f32>),
        name!(terms, Option<i32>),
        name!(similarity, Option<f32>),
        name!(margin, Option<f32>),
        name!(agreement, Option<f32>),
    ),
> {
    let vocabulary = Vocabulary::default();
    let text = crate::ingest::required("query", query);
    let query = Query::parse(text, &vocabulary, &crate::synonyms::of(text, &vocabulary));
    let view = View::of(&Filters { corpora, layer, as_of, chapter: None, kinds: None });
    let mut answer = Answer { query, view, settings: settings::search(), vocabulary };
    let (_, verdict) = answer.find(Mode::Hybrid, None, COVER_HITS);
    let signals = verdict.weighed.map(|(signals, _)| signals);
    let meaning = signals.and_then(|signals| signals.meaning);
    TableIterator::once((
        verdict.coverage.as_str(),
        (!verdict.note.is_empty()).then_some(verdict.note),
        verdict.weighed.map(|(_, score)| score),
        signals.map(|signals| signals.lexical),
        signals.map(|signals| i32::try_from(signals.terms).unwrap_or(i32::MAX)),
        meaning.map(|meaning| meaning.similarity),
        meaning.map(|meaning| meaning.margin),
        meaning.map(|meaning| meaning.agreement),
    ))
}

impl Answer {
    #[allow(clippy::too_many_arguments)]
    pub(super) fn verdict(
        &self,
        exact: &[(SectionRef, Option<ChunkRef>)],
        ranking: &Ranking,
        sections: &[SectionHit<SectionRef, ChunkRef>],
        meaning: Option<Meaning>,
        floors: Floors,
        vectors: Vectors,
        missing: String,
    ) -> Verdict {
        let mut notes: Vec<String> = Vec::new();
        let mut weighed = None;
        let coverage = if !exact.is_empty() {
            Coverage::Covered
        } else if sections.is_empty() {
            let none = || "nothing in these corpora appears to cover the question".into();
            notes.push(self.view.why_empty.clone().unwrap_or_else(none));
            Coverage::NotCovered
        } else {
            let lexical = self.word_cover(ranking, sections);
            // Half a set of vectors says nothing about what has none: the words judge.
            let meaning = meaning.filter(|_| vectors == Vectors::All);
            let signals = Signals { lexical, terms: self.query.terms.len(), meaning };
            weighed = Some((signals, floors.score(&signals)));
            let (coverage, note) = judge(signals, floors);
            notes.push(note);
            // The question is about something that is not here.
            if coverage == Coverage::Covered && !missing.is_empty() { Coverage::Uncertain } else { coverage }
        };
        if !self.view.documents.is_empty() {
            notes.push(vectors.note().into());
        }
        notes.push(missing);
        notes.retain(|note| !note.is_empty());
        Verdict { coverage, note: notes.join("; "), weighed }
    }

    /// What the vector leg shows beside its best hit.
    pub(super) fn meaning(&self, leg: &Leg<ChunkRef>, ranking: &Ranking) -> Option<Meaning> {
        let (_, similarity) = *leg.ranked.first()?;
        let first = leg.ranked.get(..leg.ranked.len().min(FIRST))?;
        let (_, last) = first.last()?;
        let by_words: HashSet<ChunkRef> = ranking
            .hits
            .iter()
            .take(FIRST)
            .filter_map(|hit| self.view.chunk_ref(hit.document, hit.chunk))
            .collect();
        let both = first.iter().filter(|(chunk, _)| by_words.contains(chunk)).count();
        Some(Meaning { similarity, margin: similarity - last, agreement: both as f32 / FIRST as f32 })
    }

    /// The share of the query's term weight that one of the first hits holds.
    fn word_cover(&self, ranking: &Ranking, sections: &[SectionHit<SectionRef, ChunkRef>]) -> f32 {
        let total: f32 = ranking.weights.iter().sum();
        let first: HashSet<ChunkRef> =
            sections.iter().take(COVER_HITS).flat_map(|hit| hit.chunks.clone()).collect();
        let best = ranking
            .hits
            .iter()
            .filter(|hit| {
                self.view.chunk_ref(hit.document, hit.chunk).is_some_and(|chunk| first.contains(&chunk))
            })
            .map(|hit| {
                let held = ranking
                    .weights
                    .iter()
                    .enumerate()
                    .filter(|(bit, _)| *bit < 64 && hit.matched >> bit & 1 == 1);
                held.map(|(_, weight)| weight).sum::<f32>()
            })
            .fold(0.0, f32::max);
        if total > 0.0 { best / total } else { 0.0 }
    }
}
