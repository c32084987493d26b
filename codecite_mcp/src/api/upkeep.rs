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
