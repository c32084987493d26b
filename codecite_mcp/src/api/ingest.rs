//! Loading documents, and how far that is.

use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio_postgres::types::Type;

use crate::cli::IngestOptions;
use crate::db::{Answer, Db, Param};
use crate::fault::Fault;

/// How often the progress is asked for; the extension reports it five times a second.
const ASK_EVERY: Duration = Duration::from_millis(200);
/// The stages of an ingest, in their order.
const STAGES: [&str; 5] = ["read", "structure", "chunk", "store", "embed"];

/// What `codecite.ingest` is given.
#[derive(Debug)]
pub struct Ingest<'a> {
    /// The file's bytes.
    pub content: Vec<u8>,
    /// Its name, without folders.
    pub filename: String,
    /// What is said of it.
    pub options: &'a IngestOptions,
}

/// The row of `codecite.ingest`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[allow(missing_docs, reason = "the columns are documented where they are made")]
pub struct Ingested {
    pub corpus: String,
    pub layer: String,
    pub document: String,
    pub edition: Option<String>,
    pub document_id: i64,
    pub format: String,
    pub profile: String,
    pub pages: i32,
    pub sections: i32,
    pub tables: i32,
    pub exceptions: i32,
    pub definitions: i32,
    pub chunks: i32,
    pub embedded: i32,
    pub pending: i32,
    pub superseded: Option<String>,
    pub warnings: Vec<String>,
    pub read_ms: f64,
    pub store_ms: f64,
    pub embed_ms: f64,
}

/// One row of `codecite.preview`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the columns are documented where they are made")]
pub struct Previewed {
    pub ordinal: i32,
    pub number: Option<String>,
    pub title: Option<String>,
    pub parent: Option<i32>,
    pub depth: i32,
    pub kind: String,
    pub page_from: Option<i32>,
    pub page_to: Option<i32>,
    pub warning: Option<String>,
}

/// How far an ingest is.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Progress {
    /// read, structure, chunk, store or embed.
    pub stage: String,
    /// Units of the stage that are done, and how many there are.
    pub done: u64,
    pub total: u64,
}

impl Progress {
    /// The whole, in per cent: each stage counts alike, since nobody knows before how long each will take.
    pub fn percent(&self) -> f64 {
        let stage = STAGES.iter().position(|stage| *stage == self.stage).unwrap_or(0) as f64;
        let part = if self.total == 0 { 0.0 } else { (self.done as f64 / self.total as f64).min(1.0) };
        (stage + part) * 100.0 / STAGES.len() as f64
    }
}

/// `codecite.ingest`. While it runs, a second connection asks how far it is.
pub async fn ingest(
    db: &Db,
    ingest: &Ingest<'_>,
    mut on_progress: impl FnMut(Progress),
) -> Result<Answer<Ingested>, Fault> {
    const SQL: &str = "SELECT row_to_json(r)::text FROM codecite.ingest(content => $1, corpus => $2, layer => $3, \
                       profile => $4, document => $5, title => $6, edition => $7, effective => $8::daterange, \
                       filename => $9, corpus_title => $10, jurisdiction => $11, replace => $12, embed => $13) AS r";
    let options = ingest.options;
    let embed = !options.no_embed;
    let params: [Param<'_>; 13] = [
        (&ingest.content, Type::BYTEA),
        (&options.corpus, Type::TEXT),
        (&options.layer, Type::TEXT),
        (&options.profile, Type::TEXT),
        (&options.document, Type::TEXT),
        (&options.title, Type::TEXT),
        (&options.edition, Type::TEXT),
        (&options.effective, Type::TEXT),
        (&ingest.filename, Type::TEXT),
        (&options.corpus_title, Type::TEXT),
        (&options.jurisdiction, Type::TEXT),
        (&options.replace, Type::BOOL),
        (&embed, Type::BOOL),
    ];
    let process = AtomicI32::new(0);
    let mut work = std::pin::pin!(db.call_seen(SQL, &params, &process));
    loop {
        tokio::select! {
            result = &mut work => return result,
            () = tokio::time::sleep(ASK_EVERY) => {}
        }
        if let Some(progress) = progress(db, process.load(Ordering::Relaxed)).await {
            on_progress(progress);
        }
    }
}

/// The row of `codecite.progress` for a process. It is no fault if there is none.
async fn progress(db: &Db, process: i32) -> Option<Progress> {
    const SQL: &str = "SELECT row_to_json(r)::text FROM codecite.progress() AS r WHERE r.pid = $1";
    db.call(SQL, &[(&process, Type::INT4)]).await.ok()?.rows.into_iter().next()
}

/// `codecite.preview`.
pub async fn preview(db: &Db, content: &[u8], profile: &str) -> Result<Answer<Previewed>, Fault> {
    const SQL: &str = "SELECT row_to_json(r)::text FROM codecite.preview(content => $1, profile => $2) AS r";
    db.call(SQL, &[(&content, Type::BYTEA), (&profile, Type::TEXT)]).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_only_rises() {
        let at = |stage: &str, done, total| Progress { stage: stage.into(), done, total }.percent();
        let steps =
            [at("read", 0, 10), at("read", 10, 10), at("chunk", 1, 3), at("embed", 5, 0), at("embed", 9, 9)];
        assert!(steps.is_sorted(), "{steps:?}");
        assert_eq!((steps[0], steps[4]), (0.0, 100.0));
    }
}
