//! The vectors of chunks: computed here in batches, or brought from elsewhere.

use std::collections::HashMap;

use codecite_core::model::Purpose;
use codecite_core::work::{Progress, Stage};
use pgrx::prelude::*;

use crate::errors::{or_raise, refuse_if_read_only, spi};
use crate::ingest::required;
use crate::models::{Model, raise_embed, vector_schema};
use crate::store::int;
use crate::watch::Watch;

/// Chunks embedded between two looks at pending interrupts, and rows written at once.
const BATCH: usize = 64;
/// Most chunks in one answer of `pending`.
const MAX_PENDING: i32 = 10_000;

/// A chunk that waits for its vector.
pub struct Pending {
    pub document_id: i64,
    pub chunk: i32,
    pub corpus_id: i64,
    /// What is embedded for it.
    pub text: String,
}

/// A chunk whose text is to be cut out: pieces as (first character, characters).
struct Picked {
    document_id: i64,
    chunk: i32,
    corpus_id: i64,
    section: i32,
    piece: (i32, i32),
    header: (i32, i32),
}

/// Embeds up to `limit` pending chunks, of one document or of any; returns how many got their vector here. Rows that
/// another session works on are passed over.
pub fn fill(model: &Model, document_id: Option<i64>, limit: usize) -> usize {
    let mut watch = Watch::new();
    let mut done = 0;
    while done < limit {
        let batch = BATCH.min(limit - done);
        let pending = pick(model, Pick::Locked(document_id), batch);
        if pending.is_empty() {
            break;
        }
        let texts: Vec<&str> = pending.iter().map(|p| p.text.as_str()).collect();
        let mut stop = || !watch.tick(Stage::Embed, done as u64, limit as u64);
        let vectors = match model.embed(&texts, Purpose::Document, &mut stop) {
            Ok(vectors) => vectors,
            Err(error) => {
                drop(watch);
                raise_embed(&error);
            }
        };
        let places: Vec<(i64, i32, i64)> =
            pending.iter().map(|p| (p.document_id, p.chunk, p.corpus_id)).collect();
        // Another session may have stored some since these were picked: what it stored is its own to count.
        done += write(model, &places, vectors.concat());
    }
    done
}

/// Which chunks are picked.
#[derive(Clone, Copy, PartialEq)]
enum Pick {
    /// Of this document, of any for none; rows that another session works on are passed over, and these are locked.
    Locked(Option<i64>),
    /// Those behind this document and chunk.
    Behind(i64, i32),
}

/// Up to `limit` chunks without a vector, in document order, with their texts.
fn pick(model: &Model, pick: Pick, limit: usize) -> Vec<Pending> {
    const SELECT: &str = "
        SELECT c.document_id, c.ordinal, c.corpus_id, c.section, c.char_from, c.char_count,
               COALESCE(c.header_from, 0), COALESCE(c.header_count, 0)
        FROM codecite.chunk c
        WHERE NOT EXISTS (SELECT FROM codecite.embedding e
                          WHERE e.model_id = $1 AND e.document_id = c.document_id AND e.chunk = c.ordinal)";
    const LOCKED: &str = " AND ($2::bigint IS NULL OR c.document_id = $2)
        ORDER BY c.document_id, c.ordinal LIMIT $3 FOR NO KEY UPDATE OF c SKIP LOCKED";
    const BEHIND: &str =
        " AND (c.document_id, c.ordinal) > ($2, $4) ORDER BY c.document_id, c.ordinal LIMIT $3";
    // Bodies come once for each section: cutting a chunk out of a long one in SQL would unpack it every time.
    const BODIES: &str = "
        SELECT s.document_id, s.ordinal, s.breadcrumb, s.body
        FROM (SELECT DISTINCT r.document_id, r.section FROM unnest($1::bigint[], $2::int[]) r(document_id, section)) r
        JOIN codecite.section s ON s.document_id = r.document_id AND s.ordinal = r.section";
    let limit = i64::from(int(limit));
    Spi::connect_mut(|client| {
        let rows = match pick {
            Pick::Locked(document) => spi(client.update(
                &[SELECT, LOCKED].concat(),
                None,
                &[model.id.into(), document.into(), limit.into()],
            )),
            Pick::Behind(document, chunk) => {
                let args = [model.id.into(), document.into(), limit.into(), chunk.into()];
                spi(client.select(&[SELECT, BEHIND].concat(), None, &args))
            }
        };
        let picked: Vec<Picked> = rows
            .filter_map(|row| {
                Some(Picked {
                    document_id: spi(row.get(1))?,
                    chunk: spi(row.get(2))?,
                    corpus_id: spi(row.get(3))?,
                    section: spi(row.get(4))?,
                    piece: (spi(row.get(5))?, spi(row.get(6))?),
                    header: (spi(row.get(7))?, spi(row.get(8))?),
                })
            })
            .collect();
        let documents: Vec<i64> = picked.iter().map(|row| row.document_id).collect();
        let sections: Vec<i32> = picked.iter().map(|row| row.section).collect();
        let bodies: HashMap<(i64, i32), (String, String)> =
            spi(client.select(BODIES, None, &[documents.into(), sections.into()]))
                .filter_map(|row| {
                    Some(((spi(row.get(1))?, spi(row.get(2))?), (spi(row.get(3))?, spi(row.get(4))?)))
                })
                .collect();
        picked
            .into_iter()
            .filter_map(|row| {
                let (breadcrumb, body) = bodies.get(&(row.document_id, row.section))?;
                let number = |value: i32| usize::try_from(value).unwrap_or(0);
                let cut = |(from, count): (i32, i32)| -> String {
                    body.chars().skip(number(from)).take(number(count)).collect()
                };
                // Rows that were cut off from their table are read with its caption and heading rows.
                let header = cut(row.header);
                let between = if header.is_empty() || header.ends_with('\n') { "" } else { "\n" };
                let text = format!("{breadcrumb}\n{header}{between}{}", cut(row.piece));
                let Picked { document_id, chunk, corpus_id, .. } = row;
                Some(Pending { document_id, chunk, corpus_id, text })
            })
            .collect()
    })
}

/// Stores vectors, one behind the other in `flat`, in the order of the chunks; returns how many are new.
fn write(model: &Model, pending: &[(i64, i32, i64)], flat: Vec<f32>) -> usize {
    Spi::connect_mut(|client| {
        let query = format!(
            "INSERT INTO codecite.embedding (model_id, document_id, chunk, corpus_id, embedding)
             SELECT $1, r.document_id, r.chunk, r.corpus_id, ($5::real[])[(r.n - 1) * $6 + 1 : r.n * $6]::{}.vector
             FROM unnest($2::bigint[], $3::int[], $4::bigint[]) WITH ORDINALITY r(document_id, chunk, corpus_id, n)
             ON CONFLICT DO NOTHING",
            vector_schema(client)
        );
        let args = [
            model.id.into(),
            pending.iter().map(|p| p.0).collect::<Vec<i64>>().into(),
            pending.iter().map(|p| p.1).collect::<Vec<i32>>().into(),
            pending.iter().map(|p| p.2).collect::<Vec<i64>>().into(),
            flat.into(),
            int(model.dimension).into(),
        ];
        spi(client.update(&query, None, &args)).len()
    })
}

/// Embeds up to `batch` pending chunks with a model and returns how many it did.
#[pg_extern(schema = "codecite", volatile, parallel_unsafe, cost = 10000)]
fn embed_batch(model: default!(Option<&str>, "NULL"), batch: default!(Option<i32>, 256)) -> i32 {
    refuse_if_read_only(c"codecite.embed_batch()");
    let batch = required("batch", batch);
    int(fill(&Model::named(model), None, usize::try_from(batch).unwrap_or(0)))
}

/// Chunks without a vector of a model and what is to be embedded for them, in document order, so that a machine of the
/// user's own can compute the vectors.
#[pg_extern(schema = "codecite", stable, parallel_restricted, cost = 10000)]
fn pending(
    model: default!(Option<&str>, "NULL"),
    max: default!(Option<i32>, 256),
    after_document: default!(Option<i64>, 0),
    after_chunk: default!(Option<i32>, "-1"),
) -> TableIterator<'static, (name!(document_id, i64), name!(chunk, i32), name!(input, String))> {
    let max = required("max", max);
    let behind =
        Pick::Behind(required("after_document", after_document), required("after_chunk", after_chunk));
    if !(1..=MAX_PENDING).contains(&max) {
        or_raise::<()>(Err(codecite_core::Error::BadArgument {
            argument: "max",
            reason: format!("{max} is not between 1 and {MAX_PENDING}"),
            hint: "Ask again behind the last document and chunk of the answer.".into(),
        }));
    }
    let model = Model::named(model);
    let prefix = model.prefix(Purpose::Document);
    let rows = pick(&model, behind, usize::try_from(max).unwrap_or(1));
    TableIterator::new(
        rows.into_iter().map(move |row| (row.document_id, row.chunk, [prefix.as_str(), &row.text].concat())),
    )
}

/// Stores vectors that were computed elsewhere, as many numbers for each chunk as the model's dimension, one behind the
/// other; returns how many chunks got one. Chunks that are gone or have a vector are passed over.
#[pg_extern(schema = "codecite", volatile, strict, parallel_unsafe, cost = 10000)]
fn put_embeddings(model: &str, documents: Vec<i64>, chunks: Vec<i32>, embeddings: Vec<f32>) -> i32 {
    const PLACES: &str = "
        SELECT r.n::int, c.corpus_id FROM unnest($1::bigint[], $2::int[]) WITH ORDINALITY r(document_id, chunk, n)
        JOIN codecite.chunk c ON c.document_id = r.document_id AND c.ordinal = r.chunk ORDER BY r.n";
    refuse_if_read_only(c"codecite.put_embeddings()");
    let model = Model::named(Some(model));
    or_raise(check(&model, documents.len(), chunks.len(), &embeddings));
    let found: Vec<(usize, i64)> = Spi::connect(|client| {
        let args = [documents.clone().into(), chunks.clone().into()];
        let rows = spi(client.select(PLACES, None, &args));
        rows.filter_map(|row| {
            Some((usize::try_from(spi(row.get::<i32>(1))?).ok()?.checked_sub(1)?, spi(row.get(2))?))
        })
        .collect()
    });
    let places: Vec<(i64, i32, i64)> = found
        .iter()
        .filter_map(|(at, corpus)| Some((*documents.get(*at)?, *chunks.get(*at)?, *corpus)))
        .collect();
    let vectors = found.iter().filter_map(|(at, _)| embeddings.chunks_exact(model.dimension).nth(*at));
    int(write(&model, &places, vectors.flatten().copied().collect()))
}

/// Vectors from elsewhere are what the model would have made, as far as can be seen.
fn check(model: &Model, documents: usize, chunks: usize, embeddings: &[f32]) -> codecite_core::Result<()> {
    let bad = |reason: String| {
        Err(codecite_core::Error::BadArgument {
            argument: "embeddings",
            reason,
            hint: format!("Model {} has {} numbers for each chunk.", model.name, model.dimension),
        })
    };
    if documents != chunks {
        return bad(format!("{documents} documents stand beside {chunks} chunks"));
    }
    if embeddings.len() != chunks * model.dimension {
        return bad(format!("there are {} numbers for {chunks} chunks", embeddings.len()));
    }
    match embeddings
        .chunks_exact(model.dimension)
        .position(|v| v.iter().any(|x| !x.is_finite()) || v.iter().all(|x| *x == 0.0))
    {
        Some(at) => bad(format!("vector {} is not finite or nothing but zeros", at + 1)),
        None => Ok(()),
    }
}
