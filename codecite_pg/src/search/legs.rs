//! The two legs of a search: words by postings, meaning by vectors.

use codecite_core::index::{Bm25, Match, PostingRow, Ranking, Scope};
use codecite_core::search::{Leg, Query};
use codecite_core::vocabulary::{Misspelled, near};
use std::collections::{HashMap, HashSet};

use pgrx::prelude::*;
use pgrx::spi::SpiClient;

use super::ChunkRef;
use super::scope::View;
use crate::errors::{or_raise, spi};
use crate::models::{Model, vector_schema};
use crate::plans::select;
use crate::settings::SearchSettings;
use crate::store::int;

/// Chunks that each leg brings.
const LEG_LIMIT: usize = 200;
/// Nearest vectors that count.
const NEAREST: usize = 100;
/// Rows that a vector index may visit to find enough that the filters let through.
const MAX_SCAN_TUPLES: &str = "200000";

/// What a word of the index is to a query.
#[derive(Clone, Copy)]
struct Role {
    /// Index of the term of the query that it is or stands for.
    term: usize,
    word: Match,
    share: f32,
}

impl Role {
    fn alone(term: usize, word: Match) -> Role {
        Role { term, word, share: 1.0 }
    }
}

/// One list of postings, with the index of its document.
type Posting = (Role, usize, Vec<u8>);

/// Ranks the chunks in view by the query's words.
pub fn lexical(query: &Query, view: &View) -> Ranking {
    let own = query.terms.iter().enumerate().map(|(at, term)| (term.clone(), Role::alone(at, Match::Own)));
    let related = query.related.iter().filter_map(|related| {
        let term = query.terms.iter().position(|term| *term == related.of)?;
        Some((related.term.clone(), Role { term, word: Match::Related, share: related.share }))
    });
    // A word may stand for several others; where it is a word of the query it is that one.
    let words: HashMap<String, Role> = related.chain(own).collect();
    let mut rows = postings_of(&words, view);
    let known: HashSet<usize> =
        rows.iter().filter(|(role, ..)| role.word == Match::Own).map(|(role, ..)| role.term).collect();
    let unknown = query.terms.iter().enumerate().filter(|(at, _)| !known.contains(at));
    let meant = unknown.flat_map(|(at, term)| {
        meant_by(term, view).into_iter().map(move |word| (word, Role::alone(at, Match::Guess)))
    });
    let meant: HashMap<String, Role> = meant.filter(|(word, _)| !words.contains_key(word)).collect();
    if !meant.is_empty() {
        rows.extend(postings_of(&meant, view));
    }
    let postings: Vec<PostingRow<'_>> = rows
        .iter()
        .map(|(role, document, packed)| PostingRow {
            term: role.term,
            word: role.word,
            share: role.share,
            document: *document,
            packed,
        })
        .collect();
    let counts: Vec<u32> = view.documents.iter().map(|document| document.chunk_count).collect();
    let scope = Scope {
        chunks: counts.iter().map(|count| u64::from(*count)).sum(),
        total_length: view.documents.iter().map(|d| u64::try_from(d.term_count).unwrap_or(0)).sum(),
    };
    let admit = |document: usize, chunk: u32| view.admits(document, chunk);
    or_raise(Bm25::default().rank(&postings, query.terms.len(), &counts, scope, LEG_LIMIT, &admit))
}

fn postings_of(words: &HashMap<String, Role>, view: &View) -> Vec<Posting> {
    const SELECT: &str = "SELECT document_id, term, packed FROM codecite.posting
                          WHERE term = ANY ($1) AND document_id = ANY ($2)";
    let list: Vec<String> = words.keys().cloned().collect();
    Spi::connect(|client| {
        let rows = select(client, SELECT, &[list.into(), view.ids().into()]);
        rows.filter_map(|row| {
            let document = view.index_of(spi(row.get::<i64>(1))?)?;
            let role = *words.get(&spi(row.get::<String>(2))?)?;
            Some((role, document, spi(row.get::<Vec<u8>>(3))?))
        })
        .collect()
    })
}

/// The words in view that a term which stands nowhere probably means.
fn meant_by(term: &str, view: &View) -> Vec<String> {
    const SELECT: &str = "SELECT DISTINCT term FROM codecite.posting
                          WHERE term >= $1 AND term < $2 AND document_id = ANY ($3)";
    let Some(misspelled) = Misspelled::new(term) else { return Vec::new() };
    // Above every letter that may follow.
    let end = format!("{}\u{10ffff}", misspelled.prefix());
    let candidates: Vec<String> = Spi::connect(|client| {
        let rows = select(client, SELECT, &[misspelled.prefix().into(), end.into(), view.ids().into()]);
        rows.filter_map(|row| spi(row.get::<String>(1))).collect()
    });
    near(&misspelled, candidates.iter().map(String::as_str)).into_iter().map(str::to_owned).collect()
}

/// The lexical ranking as a leg.
pub fn lexical_leg(ranking: &Ranking, view: &View, weight: f32) -> Leg<ChunkRef> {
    let ranked =
        ranking.hits.iter().filter_map(|hit| Some((view.chunk_ref(hit.document, hit.chunk)?, hit.score)));
    // A chunk that the list does not hold has none of the words, unless the list was cut.
    let floor = (ranking.hits.len() < LEG_LIMIT).then_some(0.0);
    Leg { ranked: ranked.collect(), weight, floor }
}

/// Ranks the chunks in view by the cosine of their vectors to the query's: exactly while few are admitted,
/// by the HNSW index of the model above that.
pub fn vector(vector: &[f32], model: &Model, view: &View, settings: &SearchSettings) -> Leg<ChunkRef> {
    let exact = view.admitted_chunks() <= settings.exact_search_max_chunks;
    let ranked = if exact { exact_scan(vector, model, view) } else { index_scan(vector, model, view) };
    // Fewer than asked for are all: what is not among them has no similarity.
    let floor = (ranked.len() < NEAREST).then_some(0.0);
    Leg { ranked, weight: settings.vector_weight * model.trust(), floor }
}

fn exact_scan(vector: &[f32], model: &Model, view: &View) -> Vec<(ChunkRef, f32)> {
    if !view.is_filtered() {
        return Spi::connect(|client| {
            let schema = vector_schema(client);
            let query = format!(
                "SELECT document_id, chunk, (1 - (embedding OPERATOR({schema}.<=>) $1::{schema}.vector))::real
                 FROM codecite.embedding WHERE model_id = $2 AND document_id = ANY ($3)
                 ORDER BY embedding OPERATOR({schema}.<=>) $1::{schema}.vector, document_id, chunk LIMIT $4"
            );
            let args =
                [vector.to_vec().into(), model.id.into(), view.ids().into(), i64::from(int(NEAREST)).into()];
            collect(select(client, &query, &args), view, true)
        });
    }
    // The chunks are named one by one: the filters are known here, and an exact answer is what is wanted.
    let mut documents = Vec::new();
    let mut chunks = Vec::new();
    for (index, document) in view.documents.iter().enumerate() {
        for chunk in (0..document.chunk_count).filter(|chunk| view.admits(index, *chunk)) {
            documents.push(document.id);
            chunks.push(i32::try_from(chunk).unwrap_or(i32::MAX));
        }
    }
    Spi::connect(|client| {
        let schema = vector_schema(client);
        let query = format!(
            "SELECT e.document_id, e.chunk, (1 - (e.embedding OPERATOR({schema}.<=>) $1::{schema}.vector))::real
             FROM unnest($3::bigint[], $4::int[]) r(document_id, chunk)
             JOIN codecite.embedding e ON e.model_id = $2 AND e.document_id = r.document_id AND e.chunk = r.chunk
             ORDER BY e.embedding OPERATOR({schema}.<=>) $1::{schema}.vector, e.document_id, e.chunk LIMIT $5"
        );
        let limit = i64::from(int(NEAREST));
        let args = [vector.to_vec().into(), model.id.into(), documents.into(), chunks.into(), limit.into()];
        collect(select(client, &query, &args), view, true)
    })
}

fn index_scan(vector: &[f32], model: &Model, view: &View) -> Vec<(ChunkRef, f32)> {
    let _scan = IndexSettings::set();
    Spi::connect(|client| {
        let schema = vector_schema(client);
        // The model's id and dimension are literals, so that the partial expression index is used.
        let (id, dimension) = (model.id, model.dimension);
        let kind = if has_half_index(client, id) { "halfvec" } else { "vector" };
        let query = format!(
            "SELECT document_id, chunk,
                    (1 - (embedding::{schema}.{kind}({dimension}) OPERATOR({schema}.<=>) $1::{schema}.{kind}({dimension})))::real
             FROM codecite.embedding WHERE model_id = {id} AND document_id = ANY ($2)
             ORDER BY embedding::{schema}.{kind}({dimension}) OPERATOR({schema}.<=>) $1::{schema}.{kind}({dimension}) LIMIT $3"
        );
        // Chapters and kinds are filtered here, so more rows are asked for.
        let limit = int(if view.is_filtered() { NEAREST * 10 } else { NEAREST });
        let args = [vector.to_vec().into(), view.ids().into(), i64::from(limit).into()];
        collect(select(client, &query, &args), view, false)
    })
}

/// True where the index of a model holds its vectors with half the precision.
fn has_half_index(client: &SpiClient<'_>, model_id: i32) -> bool {
    const SELECT: &str =
        "SELECT pg_catalog.to_regclass('codecite.embedding_model_' || $1 || '_half') IS NOT NULL";
    select(client, SELECT, &[model_id.into()]).next().and_then(|row| spi(row.get::<bool>(1))) == Some(true)
}

fn collect(rows: pgrx::spi::SpiTupleTable<'_>, view: &View, admitted: bool) -> Vec<(ChunkRef, f32)> {
    rows.filter_map(|row| {
        let document: i64 = spi(row.get(1))?;
        let chunk: i32 = spi(row.get(2))?;
        let similarity: f32 = spi(row.get(3))?;
        (admitted || view.admits_chunk((document, chunk))).then_some(((document, chunk), similarity))
    })
    .take(NEAREST)
    .collect()
}

/// Settings of the index scan, taken back when dropped so that they never reach the caller's transaction.
struct IndexSettings {
    level: i32,
}

impl IndexSettings {
    fn set() -> IndexSettings {
        // SAFETY: opens a nesting level of settings in this backend; closed in drop, or by the abort of the
        // transaction when an ERROR passes.
        let level = unsafe { pgrx::pg_sys::NewGUCNestLevel() };
        for (name, value) in [
            (c"hnsw.iterative_scan", "strict_order"),
            (c"hnsw.ef_search", "200"),
            (c"hnsw.max_scan_tuples", MAX_SCAN_TUPLES),
        ] {
            let Ok(value) = std::ffi::CString::new(value) else { continue };
            // SAFETY: constant, NUL-terminated strings; the call copies them.
            unsafe {
                pgrx::pg_sys::set_config_option(
                    name.as_ptr(),
                    value.as_ptr(),
                    pgrx::pg_sys::GucContext::PGC_USERSET,
                    pgrx::pg_sys::GucSource::PGC_S_SESSION,
                    pgrx::pg_sys::GucAction::GUC_ACTION_SAVE,
                    true,
                    0,
                    false,
                );
            }
        }
        IndexSettings { level }
    }
}

impl Drop for IndexSettings {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            // SAFETY: closes the level that `set` opened.
            unsafe { pgrx::pg_sys::AtEOXact_GUC(false, self.level) };
        }
    }
}
