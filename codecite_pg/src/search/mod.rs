//! `search`: hits as rows, best first, with citations and a verdict on coverage.

mod legs;
mod overlay;
mod present;
mod rows;
mod scope;
mod verdict;

use std::collections::HashMap;

use codecite_core::chunk::ChunkKind;
use codecite_core::search::{
    Candidate, Fusion, Kin, Query, Rank, SectionHit, collapse, fuse, interaction, lift, rerank,
};
use codecite_core::vocabulary::Vocabulary;
use codecite_core::{Error, Result};
use pgrx::datum::Date;
use pgrx::prelude::*;

use crate::errors::{or_raise, raise};
use codecite_core::model::Purpose;

use crate::models::{Model, embed_one, raise_embed};
use crate::settings::{self, SearchSettings};
use crate::watch::must_stop;
use overlay::Hit;
use rows::{ChunkRow, SectionRef};
use scope::{Filters, View};
use verdict::{Vectors, Verdict};

/// A chunk's address in the database: document and ordinal.
pub type ChunkRef = (i64, i32);

/// Most sections in one answer.
const MAX_K: i32 = 200;
/// What a chunk of the kind that the question asks for gains.
const KIND_BONUS: f32 = 1.15;
/// What a definition keeps when none is asked for: it holds the words of a question, not the answer.
const DEFINITION_MALUS: f32 = 0.9;

/// Which legs are used.
#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Hybrid,
    Lexical,
    Vector,
    /// Both, and the first sections are read again.
    Rerank,
}

impl Mode {
    fn parse(name: &str) -> Result<Mode> {
        match name {
            "hybrid" => Ok(Mode::Hybrid),
            "lexical" => Ok(Mode::Lexical),
            "vector" => Ok(Mode::Vector),
            "rerank" => Ok(Mode::Rerank),
            other => Err(Error::BadArgument {
                argument: "mode",
                reason: format!("there is no mode \"{other}\""),
                hint: "Modes: hybrid, lexical, vector, rerank.".into(),
            }),
        }
    }
}

#[pg_extern(schema = "codecite", stable, parallel_restricted, cost = 10000)]
#[allow(clippy::type_complexity, clippy::too_many_arguments)]
fn search(
    query: Option<&str>,
    corpora: default!(Option<Vec<String>>, "NULL"),
    k: default!(Option<i32>, 5),
    kinds: default!(Option<Vec<String>>, "NULL"),
    layer: default!(Option<&str>, "NULL"),
    chapter: default!(Option<&str>, "NULL"),
    as_of: default!(Option<Date>, "NULL"),
    mode: default!(Option<&str>, "'hybrid'"),
    query_vector: default!(Option<Vec<f32>>, "NULL"),
) -> TableIterator<
    'static,
    (
        name!(rank, i32),
        name!(corpus, String),
        name!(layer, String),
        name!(document, String),
        name!(edition, Option<String>),
        name!(number, Option<String>),
        name!(locator, Option<String>),
        name!(title, Option<String>),
        name!(breadcrumb, String),
        name!(kinds, Vec<String>),
        name!(page_from, Option<i32>),
        name!(page_to, Option<i32>),
        name!(citation, String),
        name!(body, String),
        name!(refs, Vec<String>),
        name!(amended_by, Option<String>),
        name!(score, f32),
        name!(coverage, &'static str),
        name!(coverage_note, Option<String>),
    ),
> {
    let mode = or_raise(Mode::parse(crate::ingest::required("mode", mode)));
    let k = crate::ingest::required("k", k);
    if !(1..=MAX_K).contains(&k) {
        or_raise::<()>(Err(Error::BadArgument {
            argument: "k",
            reason: format!("{k} is not between 1 and {MAX_K}"),
            hint: "k is the number of sections wanted.".into(),
        }));
    }
    let vocabulary = Vocabulary::default();
    let text = crate::ingest::required("query", query);
    let query = Query::parse(text, &vocabulary, &crate::synonyms::of(text, &vocabulary));
    if query.was_cut {
        notice!("the query is longer than 2,000 characters; the rest was not searched for");
    }
    let view = View::of(&Filters { corpora, layer, as_of, chapter, kinds });
    let settings = settings::search();
    let k = usize::try_from(k).unwrap_or(1);
    let mut answer = Answer { query, view, settings, vocabulary };
    let (hits, verdict) = answer.find(mode, query_vector, k);
    TableIterator::new(answer.present(hits, &verdict))
}

/// One search under way.
struct Answer {
    query: Query,
    view: View,
    settings: SearchSettings,
    vocabulary: Vocabulary,
}

impl Answer {
    fn find(&mut self, mode: Mode, query_vector: Option<Vec<f32>>, k: usize) -> (Vec<Hit>, Verdict) {
        let (exact, missing) = self.exact();
        if exact.is_empty() && !missing.is_empty() && self.query.is_look_up {
            return (Vec::new(), Verdict::not_covered(missing));
        }
        if exact.is_empty() && self.query.terms.is_empty() && query_vector.is_none() {
            let note = "the query has no words to search for".into();
            return (Vec::new(), Verdict::not_covered(note));
        }
        let model = Model::in_use();
        let ranking = legs::lexical(&self.query, &self.view);
        let mut all_legs = Vec::new();
        if mode != Mode::Vector {
            all_legs.push(legs::lexical_leg(&ranking, &self.view, self.settings.lexical_weight));
        }
        let mut meaning = None;
        if mode != Mode::Lexical {
            let vector = query_vector.unwrap_or_else(|| embed_one(&model, &self.query.text, Purpose::Query));
            check_dimension(&vector, &model);
            let leg = legs::vector(&vector, &model, &self.view, &self.settings);
            meaning = self.meaning(&leg, &ranking);
            all_legs.push(leg);
        }
        let vectors = match meaning {
            _ if mode == Mode::Lexical => Vectors::NotAsked,
            None => Vectors::None,
            Some(_) if rows::is_half_embedded(model.id, &self.view) => Vectors::Some,
            Some(_) => Vectors::All,
        };
        let fusion = if self.settings.fuse_scores {
            Fusion::Scores
        } else {
            Fusion::Reciprocal { k: self.settings.rrf_k }
        };
        let candidates = fuse(&all_legs, fusion);
        let (mut sections, chunks) = self.sections(candidates, k);
        let verdict = self.verdict(&exact, &ranking, &sections, meaning, model.floors, vectors, missing);
        if mode == Mode::Rerank {
            self.read_again(&mut sections, &model);
        }
        (self.overlay(exact, sections, &chunks, k), verdict)
    }

    /// Orders the first sections anew by late interaction of the question and their best chunks. The verdict stays: its floors
    /// were fitted on the first ranking.
    fn read_again(&self, sections: &mut [SectionHit<SectionRef, ChunkRef>], model: &Model) {
        let count = sections.len().min(self.settings.rerank_sections);
        let first = sections.get(..count).unwrap_or_default();
        let best: Vec<ChunkRef> = first.iter().filter_map(|hit| hit.best).collect();
        let chunks = rows::chunks(&best, true);
        let owners: Vec<SectionRef> = chunks.values().map(|chunk| chunk.section).collect();
        let sections_of = rows::sections(&owners, false);
        let input = |chunk: &ChunkRef| {
            let row = chunks.get(chunk)?;
            Some(format!("{}\n{}", sections_of.get(&row.section)?.breadcrumb, row.text))
        };
        let texts: Vec<Option<String>> = first.iter().map(|hit| hit.best.as_ref().and_then(&input)).collect();
        let inputs: Vec<&str> = texts.iter().flatten().map(String::as_str).collect();
        let (Some(question), Some(tokens)) = (
            tokens_of(model, &[self.query.text.as_str()], Purpose::Query),
            tokens_of(model, &inputs, Purpose::Document),
        ) else {
            return;
        };
        let question = question.into_iter().next().unwrap_or_default();
        let mut tokens = tokens.into_iter();
        let mut read = |text: &Option<String>| {
            text.as_ref()
                .and_then(|_| tokens.next())
                .map(|text| interaction(&question, &text, model.dimension))
        };
        let read: Vec<Option<f32>> = texts.iter().map(&mut read).collect();
        rerank(sections, &read);
    }

    /// What the query names: sections by number, a defined term by name. The note says what does not exist.
    fn exact(&self) -> (Vec<(SectionRef, Option<ChunkRef>)>, String) {
        let mut found = Vec::new();
        let mut missing = Vec::new();
        for address in &self.query.addresses {
            let rows = rows::by_number(&[address.number.key()], &self.view);
            let rows = if rows.is_empty() { self.labelled(address) } else { rows };
            // The lowest layer is what is amended; the overlay brings the others.
            let lowest = rows.iter().map(|(_, _, rank, _)| *rank).min();
            for (section, _, rank, _) in &rows {
                if Some(*rank) == lowest {
                    let chunk = rows::chunk_of(*section, address.locator.as_deref(), &self.view);
                    if chunk.is_some() {
                        found.push((*section, chunk));
                    }
                }
            }
            if rows.is_empty() {
                let near = rows::nearest(&address.number, &self.view);
                let nearest = if near.is_empty() {
                    String::new()
                } else {
                    format!("; nearest are {}", near.join(", "))
                };
                missing.push(format!("{} is not in these corpora{nearest}", address.number));
            }
        }
        for number in &self.query.numbers {
            for (section, _, rank, _) in rows::by_number(&[number.key()], &self.view) {
                if let Some(chunk) = rows::chunk_of(section, None, &self.view).filter(|_| rank == 0) {
                    found.push((section, Some(chunk)));
                }
            }
        }
        if let Some(term) = &self.query.subject {
            for chunk in rows::definitions_of(term, &self.view)
                .into_iter()
                .filter(|chunk| self.view.admits_chunk(*chunk))
            {
                if let Some(row) = rows::chunks(&[chunk], false).remove(&chunk) {
                    found.push((row.section, Some(chunk)));
                }
            }
        }
        (found, missing.join("; "))
    }

    /// A bare number such as `10` may be a chapter or an article.
    fn labelled(&self, address: &codecite_core::search::Address) -> Vec<(SectionRef, String, i32, i64)> {
        if address.number.label().is_some() {
            return Vec::new();
        }
        let labels = ["Chapter", "Article", "Part"];
        let keys: Vec<String> = labels
            .iter()
            .filter_map(|label| {
                Some(codecite_core::number::Number::labelled(label, address.number.body())?.key())
            })
            .collect();
        rows::by_number(&keys, &self.view)
    }

    /// Candidates collapsed to sections, with the chunks they were made of.
    fn sections(
        &self,
        mut candidates: Vec<Candidate<ChunkRef>>,
        k: usize,
    ) -> (Vec<SectionHit<SectionRef, ChunkRef>>, HashMap<ChunkRef, ChunkRow>) {
        // Enough that k sections remain after several chunks of one were folded.
        candidates.truncate((k * 8).max(100));
        let wanted: Vec<ChunkRef> = candidates.iter().map(|candidate| candidate.chunk).collect();
        let chunks = rows::chunks(&wanted, self.query.has_operators());
        for candidate in &mut candidates {
            let kind = chunks.get(&candidate.chunk).map(|chunk| chunk.kind.as_str());
            if kind == Some(ChunkKind::Definition.as_str()) && self.query.kind != Some(ChunkKind::Definition)
            {
                candidate.score *= DEFINITION_MALUS;
            }
            if self.query.kind.is_some_and(|wanted| kind == Some(wanted.as_str())) {
                candidate.score *= KIND_BONUS;
            }
        }
        candidates.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.chunk.cmp(&b.chunk)));
        let sections = collapse(&candidates, |chunk| {
            let row = chunks.get(&chunk)?;
            self.query.admits(&row.text, &self.vocabulary).then_some(row.section)
        });
        let found: Vec<SectionRef> = sections.iter().map(|hit| hit.section).collect();
        let kin = rows::kin(&found, &self.view);
        let mut sections = lift(sections, self.query.asks_for_notes, |section| {
            kin.get(&section).copied().unwrap_or(Kin { rank: Rank::Law, owner: None })
        });
        // Filters and phrases are about chunks: a section whose own chunks were not let through is no hit.
        let is_strict = self.view.is_filtered() || self.query.has_operators();
        sections.retain(|hit| hit.best.is_some() || !is_strict);
        (sections, chunks)
    }
}

fn tokens_of(model: &Model, texts: &[&str], purpose: Purpose) -> Option<Vec<Vec<f32>>> {
    match model.embed_tokens(texts, purpose, &mut must_stop) {
        Ok(tokens) => tokens,
        Err(error) => raise_embed(&error),
    }
}

fn check_dimension(vector: &[f32], model: &Model) {
    if vector.len() != model.dimension {
        let message = format!(
            "query_vector has {} dimensions, model \"{}\" has {}",
            vector.len(),
            model.name,
            model.dimension
        );
        raise(
            PgSqlErrorCode::ERRCODE_INVALID_PARAMETER_VALUE,
            message,
            "Embed the query with the model in use, or leave query_vector out.",
        );
    }
}
