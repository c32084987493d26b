//! `ingest`: one document, one transaction.

use std::time::Instant;

use codecite_core::amend::operations;
use codecite_core::chunk::ChunkKind;
use codecite_core::profile::SectionKind;
use codecite_core::work::Work;
use codecite_core::{Error, Result};
use pgrx::datum::{Date, DatumWithOid, Range};
use pgrx::prelude::*;
use sha2::{Digest, Sha256};

use crate::embeddings;
use crate::errors::{or_raise, raise, refuse_if_read_only, spi};
use crate::models::Model;
use crate::settings;
use crate::store::{Rows, int};
use crate::watch::Watch;

/// Rank of the layer `amendment`; `base` is 0.
const AMENDMENT_RANK: i32 = 100;

/// What identifies a document.
struct Identity {
    corpus_id: i64,
    layer: String,
    layer_rank: i32,
    key: String,
    edition: Option<String>,
    effective: Option<Range<Date>>,
    sha256: Vec<u8>,
}

/// Another edition of the same document, already there.
struct Stored {
    id: i64,
    same_edition: bool,
    same_bytes: bool,
    name: String,
}

#[pg_extern(schema = "codecite", volatile, parallel_unsafe, cost = 100000)]
#[allow(clippy::type_complexity, clippy::too_many_arguments)]
fn ingest(
    content: Option<&[u8]>,
    corpus: Option<&str>,
    layer: default!(Option<&str>, "'base'"),
    profile: default!(Option<&str>, "'auto'"),
    document: default!(Option<&str>, "NULL"),
    title: default!(Option<&str>, "NULL"),
    edition: default!(Option<&str>, "NULL"),
    effective: default!(Option<Range<Date>>, "NULL"),
    filename: default!(Option<&str>, "NULL"),
    format: default!(Option<&str>, "NULL"),
    corpus_title: default!(Option<&str>, "NULL"),
    jurisdiction: default!(Option<&str>, "NULL"),
    replace: default!(Option<bool>, false),
    embed: default!(Option<bool>, true),
) -> TableIterator<
    'static,
    (
        name!(corpus, String),
        name!(layer, String),
        name!(document, String),
        name!(edition, Option<String>),
        name!(document_id, i64),
        name!(format, &'static str),
        name!(profile, String),
        name!(pages, i32),
        name!(sections, i32),
        name!(tables, i32),
        name!(exceptions, i32),
        name!(definitions, i32),
        name!(chunks, i32),
        name!(embedded, i32),
        name!(pending, i32),
        name!(superseded, Option<String>),
        name!(warnings, Vec<String>),
        name!(read_ms, f64),
        name!(store_ms, f64),
        name!(embed_ms, f64),
    ),
> {
    refuse_if_read_only(c"codecite.ingest()");
    let content = required("content", content);
    let corpus = required("corpus", corpus).trim();
    let (layer, profile) = (required("layer", layer), required("profile", profile));
    let (replace, embed) = (required("replace", replace), required("embed", embed));
    or_raise(check_corpus_name(corpus));
    if effective.as_ref().is_some_and(Range::is_empty) {
        or_raise::<()>(Err(Error::BadArgument {
            argument: "effective",
            reason: "an empty range holds no day".into(),
            hint: "Pass the first day and, if it has one, the day after the last: '[2025-01-01,)'.".into(),
        }));
    }
    let layer_rank = or_raise(rank_of(layer));
    let filename = filename.map(base_name);
    let started = Instant::now();
    let parsed = crate::preview::read(content, format, profile);
    let model = Model::in_use();
    let (chunks, index) = {
        let limits = settings::limits();
        let mut watch = Watch::new();
        let count = model.token_counter();
        let made = parsed.chunk(model.max_tokens, &count, &mut Work::new(&limits, &mut watch));
        drop(watch);
        or_raise(made)
    };
    // Only what stands above a base amends it.
    let operations = if layer_rank > 0 {
        let limits = settings::limits();
        let mut watch = Watch::new();
        let made = operations(&parsed.document, &parsed.tree, &mut Work::new(&limits, &mut watch));
        drop(watch);
        or_raise(made)
    } else {
        Vec::new()
    };
    let read_ms = started.elapsed().as_secs_f64() * 1000.0;

    let started = Instant::now();
    let sha256 = Sha256::digest(content).to_vec();
    let key = document
        .map(str::to_owned)
        .or_else(|| filename.map(|name| name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned()))
        .filter(|key| !key.trim().is_empty())
        .unwrap_or_else(|| hex(&sha256));
    let identity = Identity {
        corpus_id: corpus_id(corpus, corpus_title, jurisdiction),
        layer: layer.to_owned(),
        layer_rank,
        key,
        edition: edition.map(str::to_owned),
        effective,
        sha256,
    };
    let stored = others(&identity);
    make_room(&identity, &stored, replace);
    let title = title.or(parsed.document.title.as_deref()).or(filename).unwrap_or(&identity.key);
    let kinds: Vec<u8> = chunks.iter().map(|chunk| kind_byte(chunk.kind)).collect();
    let warnings: Vec<&codecite_core::document::Warning> =
        parsed.document.warnings.iter().chain(&parsed.tree.warnings).collect();
    let count = |kind| int(chunks.iter().filter(|chunk| chunk.kind == kind).count());
    let mut args: Vec<DatumWithOid<'_>> = vec![
        identity.corpus_id.into(),
        identity.layer.as_str().into(),
        identity.layer_rank.into(),
        identity.key.as_str().into(),
        identity.edition.as_deref().into(),
        identity.effective.clone().into(),
        title.into(),
        filename.into(),
        parsed.format.as_str().into(),
        parsed.profile.as_str().into(),
        identity.sha256.clone().into(),
        crate::profiles::digest_of(&parsed.profile).into(),
    ];
    args.push(i32::try_from(parsed.document.page_count).unwrap_or(0).into());
    args.push(int(parsed.tree.sections.len()).into());
    args.push(int(chunks.len()).into());
    args.push(i64::try_from(index.total_length).unwrap_or(i64::MAX).into());
    args.push(kinds.into());
    args.push(furniture(&parsed.document.furniture).into());
    args.push(pgrx::JsonB(serde_json::to_value(&warnings).unwrap_or_default()).into());
    let document_id = insert_document(&args);
    let superseded = supersede(&identity, document_id);
    let rows = Rows {
        document_id,
        corpus_id: identity.corpus_id,
        parsed: &parsed,
        chunks: &chunks,
        index,
        operations: &operations,
    };
    Spi::connect_mut(|client| rows.insert(client));
    let store_ms = started.elapsed().as_secs_f64() * 1000.0;

    let started = Instant::now();
    let embedded = if embed { fill_inline(&model, document_id, chunks.len()) } else { 0 };
    let embed_ms = started.elapsed().as_secs_f64() * 1000.0;
    let timings = serde_json::json!({ "read_ms": read_ms, "store_ms": store_ms, "embed_ms": embed_ms });
    record(identity.corpus_id, document_id, timings, serde_json::to_value(&warnings).unwrap_or_default());

    TableIterator::once((
        corpus.to_owned(),
        identity.layer,
        identity.key,
        identity.edition,
        document_id,
        parsed.format.as_str(),
        parsed.profile.clone(),
        i32::try_from(parsed.document.page_count).unwrap_or(0),
        int(parsed.tree.sections.iter().filter(|section| section.nested.is_none()).count()),
        int(parsed.tree.sections.iter().filter(|section| section.kind == SectionKind::Table).count()),
        count(ChunkKind::Exception),
        count(ChunkKind::Definition),
        int(chunks.len()),
        int(embedded),
        int(chunks.len() - embedded),
        superseded,
        warnings.iter().map(|warning| format!("{}: {}", warning.code, warning.message)).collect(),
        read_ms,
        store_ms,
        embed_ms,
    ))
}

/// The value of an argument that must be given.
pub fn required<T>(argument: &str, value: Option<T>) -> T {
    value.unwrap_or_else(|| {
        let message = format!("{argument} must not be NULL");
        raise(
            PgSqlErrorCode::ERRCODE_NULL_VALUE_NOT_ALLOWED,
            message,
            "\\df+ codecite.* describes the arguments.",
        )
    })
}

fn check_corpus_name(name: &str) -> Result<()> {
    if (1..=200).contains(&name.chars().count()) && !name.chars().any(char::is_control) {
        return Ok(());
    }
    Err(Error::BadArgument {
        argument: "corpus",
        reason: "a name has 1 to 200 characters on one line".into(),
        hint: "Choose a short name such as 'nyc-bc-2022'; corpus_title takes the long one.".into(),
    })
}

/// Place in the stack of a layer: `base`, `amendment`, or a number.
fn rank_of(layer: &str) -> Result<i32> {
    match layer {
        "base" => Ok(0),
        "amendment" => Ok(AMENDMENT_RANK),
        other => other.parse::<i32>().ok().filter(|rank| (0..=10_000).contains(rank)).ok_or_else(|| {
            Error::BadArgument {
                argument: "layer",
                reason: format!("there is no layer \"{other}\""),
                hint: "Layers: base (0), amendment (100), or another rank as a number such as '200'.".into(),
            }
        }),
    }
}

/// A file's name without its folders: paths are nobody's business.
fn base_name(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

fn kind_byte(kind: ChunkKind) -> u8 {
    ChunkKind::ALL.iter().position(|other| *other == kind).and_then(|at| u8::try_from(at).ok()).unwrap_or(0)
}

fn furniture(furniture: &[codecite_core::document::Furniture]) -> pgrx::JsonB {
    let rows = furniture
        .iter()
        .map(|f| serde_json::json!({ "kind": f.kind, "page": f.page, "offset": f.offset, "text": f.text }))
        .collect();
    pgrx::JsonB(serde_json::Value::Array(rows))
}

/// The corpus of that name, made if it is new.
fn corpus_id(name: &str, title: Option<&str>, jurisdiction: Option<&str>) -> i64 {
    const INSERT: &str =
        "INSERT INTO codecite.corpus (name, title, jurisdiction) VALUES ($1, COALESCE($2, $1), $3)
                          ON CONFLICT (name) DO NOTHING";
    const UPDATE: &str = "UPDATE codecite.corpus SET title = COALESCE($2, title), jurisdiction = COALESCE($3, jurisdiction)
                          WHERE name = $1 AND (title, jurisdiction) IS DISTINCT FROM (COALESCE($2, title), COALESCE($3, jurisdiction))";
    const SELECT: &str = "SELECT id FROM codecite.corpus WHERE name = $1";
    let args = [name.into(), title.into(), jurisdiction.into()];
    let id = Spi::connect_mut(|client| {
        if let Some(row) = spi(client.select(SELECT, Some(1), &args[..1])).next() {
            spi(client.update(UPDATE, None, &args));
            return spi(row.get::<i64>(1));
        }
        spi(client.update(INSERT, None, &args));
        spi(client.update(SELECT, Some(1), &args[..1])).next().and_then(|row| spi(row.get::<i64>(1)))
    });
    id.unwrap_or_else(|| {
        raise(
            PgSqlErrorCode::ERRCODE_INSUFFICIENT_PRIVILEGE,
            format!("corpus \"{name}\" cannot be written to by this role"),
            "Choose another name, or ask for access with codecite.restrict(corpus, role).",
        )
    })
}

/// The other editions of the document and equal files in its layer, under a lock that keeps two sessions
/// from ingesting the same document at once.
fn others(identity: &Identity) -> Vec<Stored> {
    const LOCK: &str = "SELECT pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended(
                            pg_catalog.concat_ws(E'\\x1f', 'codecite', $1::text, $2::text, $3::text), 0))";
    const SELECT: &str = "
        SELECT id, document = $3 AND edition IS NOT DISTINCT FROM $4 AND effective IS NOT DISTINCT FROM $5,
               sha256 = $6, pg_catalog.concat_ws(' ', document, edition)
        FROM codecite.document
        WHERE corpus_id = $1 AND layer = $2 AND (document = $3 OR sha256 = $6)";
    Spi::connect_mut(|client| {
        let args: [DatumWithOid<'_>; 6] = [
            identity.corpus_id.into(),
            identity.layer.as_str().into(),
            identity.key.as_str().into(),
            identity.edition.as_deref().into(),
            identity.effective.clone().into(),
            identity.sha256.clone().into(),
        ];
        let lock: [DatumWithOid<'_>; 3] = [
            identity.corpus_id.to_string().into(),
            identity.layer.as_str().into(),
            identity.key.as_str().into(),
        ];
        spi(client.update(LOCK, None, &lock));
        // A new snapshot, so that what the lock waited for is seen.
        let rows = spi(client.update(SELECT, None, &args));
        rows.filter_map(|row| {
            Some(Stored {
                id: spi(row.get(1))?,
                same_edition: spi(row.get(2))?,
                same_bytes: spi(row.get(3))?,
                name: spi(row.get(4))?,
            })
        })
        .collect()
    })
}

/// Refuses what is already there, or removes it for a replacement.
fn make_room(identity: &Identity, stored: &[Stored], replace: bool) {
    if replace {
        for old in stored.iter().filter(|old| old.same_edition) {
            const DELETE: &str = "DELETE FROM codecite.document WHERE id = $1";
            Spi::connect_mut(|client| spi(client.update(DELETE, None, &[old.id.into()])).len());
        }
        return;
    }
    let code = PgSqlErrorCode::ERRCODE_DUPLICATE_OBJECT;
    if let Some(same) = stored.iter().find(|old| old.same_bytes) {
        let message = format!("this file is already ingested as document \"{}\"", same.name);
        raise(
            code,
            message,
            "Nothing was changed. To ingest it anew, name the same document and pass replace => true.",
        );
    }
    if stored.iter().any(|old| old.same_edition) {
        let name = &identity.key;
        let message = format!(
            "document \"{name}\" with this edition and effective date is already ingested from another file"
        );
        raise(
            code,
            message,
            "Pass replace => true to replace it, or another edition, effective date or document name.",
        );
    }
}

fn insert_document(args: &[DatumWithOid<'_>]) -> i64 {
    const INSERT: &str = "
        INSERT INTO codecite.document (corpus_id, layer, layer_rank, document, edition, effective, title, filename, format,
                                       profile, sha256, profile_digest, page_count, section_count, chunk_count, term_count,
                                       chunk_kinds, furniture, warnings)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19) RETURNING id";
    let id = Spi::connect_mut(|client| {
        spi(client.update(INSERT, Some(1), args)).next().and_then(|row| spi(row.get::<i64>(1)))
    });
    id.unwrap_or_else(|| raise(PgSqlErrorCode::ERRCODE_INTERNAL_ERROR, "the document was not stored", ""))
}

/// Chains the editions of a document: each is superseded by the next one, by effective date, then by the
/// order of ingest. Names the editions that the new one supersedes.
fn supersede(identity: &Identity, document_id: i64) -> Option<String> {
    const UPDATE: &str = "
        WITH chain AS (
            SELECT id, pg_catalog.lead(id) OVER (ORDER BY pg_catalog.lower(effective) NULLS FIRST, id) AS next
            FROM codecite.document WHERE corpus_id = $1 AND layer = $2 AND document = $3)
        UPDATE codecite.document d SET superseded_by = chain.next
        FROM chain WHERE chain.id = d.id AND d.superseded_by IS DISTINCT FROM chain.next
        RETURNING CASE WHEN d.superseded_by = $4 THEN pg_catalog.concat_ws(' ', d.document, d.edition) END";
    let args: [DatumWithOid<'_>; 4] = [
        identity.corpus_id.into(),
        identity.layer.as_str().into(),
        identity.key.as_str().into(),
        document_id.into(),
    ];
    let names: Vec<String> = Spi::connect_mut(|client| {
        spi(client.update(UPDATE, None, &args)).filter_map(|row| spi(row.get::<String>(1))).collect()
    });
    (!names.is_empty()).then(|| names.join(", "))
}

/// Embeds a document's chunks as far as ingest may; says what stays.
fn fill_inline(model: &Model, document_id: i64, chunks: usize) -> usize {
    let most = settings::inline_embed_max();
    if chunks > most {
        notice!(
            "{chunks} chunks are more than codecite.inline_embed_max ({most}): they wait for CALL codecite.embed_pending(), \
             until then the search finds them by their words"
        );
        return 0;
    }
    embeddings::fill(model, Some(document_id), chunks)
}

fn record(corpus_id: i64, document_id: i64, timings: serde_json::Value, warnings: serde_json::Value) {
    const INSERT: &str =
        "INSERT INTO codecite.ingest_run (corpus_id, document_id, timings, warnings) VALUES ($1, $2, $3, $4)";
    let args =
        [corpus_id.into(), document_id.into(), pgrx::JsonB(timings).into(), pgrx::JsonB(warnings).into()];
    Spi::connect_mut(|client| spi(client.update(INSERT, None, &args)).len());
}
