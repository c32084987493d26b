//! What operators keep in order: models, and what is no longer wanted.

use serde::{Deserialize, Serialize};
use tokio_postgres::types::Type;

use crate::db::{Answer, Db};
use crate::fault::Fault;

/// One row of `codecite.models`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the columns are documented where they are made")]
pub struct Model {
    pub model: String,
    pub dimension: i32,
    pub max_tokens: Option<i32>,
    pub in_use: Option<bool>,
    pub embeddings: i64,
    pub pending: i64,
    pub indexed: bool,
}

/// `codecite.models`.
pub async fn models(db: &Db) -> Result<Answer<Model>, Fault> {
    db.call("SELECT row_to_json(r)::text FROM codecite.models() AS r", &[]).await
}

/// `codecite.add_model`.
pub async fn add_model(db: &Db, name: &str) -> Result<Answer<serde_json::Value>, Fault> {
    db.call("SELECT to_json(codecite.add_model(name => $1))::text", &[(&name, Type::TEXT)]).await
}

/// `codecite.use_model`.
pub async fn use_model(db: &Db, name: &str) -> Result<Answer<serde_json::Value>, Fault> {
    db.call("SELECT to_json(codecite.use_model(name => $1))::text", &[(&name, Type::TEXT)]).await
}

/// `codecite.drop_model`.
pub async fn drop_model(db: &Db, name: &str) -> Result<Answer<serde_json::Value>, Fault> {
    db.call("SELECT to_json(codecite.drop_model(name => $1))::text", &[(&name, Type::TEXT)]).await
}

/// One row of `codecite.pending`.
#[derive(Debug, Clone, Deserialize)]
#[allow(missing_docs, reason = "the columns are documented where they are made")]
pub struct Waiting {
    pub document_id: i64,
    pub chunk: i32,
    pub input: String,
}

/// `codecite.embed_batch`: how many chunks were embedded.
pub async fn embed_batch(db: &Db, model: &str, batch: i32) -> Result<i64, Fault> {
    const SQL: &str = "SELECT to_json(codecite.embed_batch(model => $1, batch => $2))::text";
    let answer = db.call(SQL, &[(&model, Type::TEXT), (&batch, Type::INT4)]).await?;
    Ok(answer.rows.into_iter().next().unwrap_or_default())
}

/// `codecite.pending`, behind a document and chunk.
pub async fn pending(db: &Db, model: &str, max: i32, behind: (i64, i32)) -> Result<Vec<Waiting>, Fault> {
    const SQL: &str = "SELECT row_to_json(r)::text
                       FROM codecite.pending(model => $1, max => $2, after_document => $3, after_chunk => $4) AS r";
    let params: [crate::db::Param<'_>; 4] =
        [(&model, Type::TEXT), (&max, Type::INT4), (&behind.0, Type::INT8), (&behind.1, Type::INT4)];
    Ok(db.call(SQL, &params).await?.rows)
}

/// `codecite.put_embeddings`: how many chunks got their vector.
pub async fn put_embeddings(
    db: &Db,
    model: &str,
    waiting: &[Waiting],
    vectors: &[Vec<f32>],
) -> Result<i64, Fault> {
    const SQL: &str = "SELECT to_json(codecite.put_embeddings(model => $1, documents => $2, chunks => $3, embeddings => $4))::text";
    let documents: Vec<i64> = waiting.iter().map(|row| row.document_id).collect();
    let chunks: Vec<i32> = waiting.iter().map(|row| row.chunk).collect();
    let numbers = vectors.concat();
    let params: [crate::db::Param<'_>; 4] = [
        (&model, Type::TEXT),
        (&documents, Type::INT8_ARRAY),
        (&chunks, Type::INT4_ARRAY),
        (&numbers, Type::FLOAT4_ARRAY),
    ];
    Ok(db.call(SQL, &params).await?.rows.into_iter().next().unwrap_or_default())
}

/// `codecite.drop_corpus`: how many documents went.
pub async fn drop_corpus(db: &Db, corpus: &str) -> Result<i64, Fault> {
    let answer =
        db.call("SELECT to_json(codecite.drop_corpus(corpus => $1))::text", &[(&corpus, Type::TEXT)]).await?;
    Ok(answer.rows.into_iter().next().unwrap_or_default())
}

/// `codecite.drop_document`: how many editions went.
pub async fn drop_document(
    db: &Db,
    corpus: &str,
    document: &str,
    layer: Option<&str>,
    edition: Option<&str>,
) -> Result<i64, Fault> {
    const SQL: &str = "SELECT to_json(codecite.drop_document(corpus => $1, document => $2, layer => $3, edition => $4))::text";
    let params: [crate::db::Param<'_>; 4] =
        [(&corpus, Type::TEXT), (&document, Type::TEXT), (&layer, Type::TEXT), (&edition, Type::TEXT)];
    let answer = db.call(SQL, &params).await?;
    Ok(answer.rows.into_iter().next().unwrap_or_default())
}
