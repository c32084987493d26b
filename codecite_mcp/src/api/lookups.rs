//! What stands around a section, what a text refers to, what a corpus contains, and what a term means.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio_postgres::types::Type;

use crate::db::{Answer, Db};
use crate::fault::Fault;

/// One row of `codecite.context`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Related {
    /// parent, sibling, child, reference (what its text refers to) or referenced_by.
    #[serde(default)]
    pub relation: Option<String>,
    /// Number, as get_section takes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
    /// Title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Kind of part: chapter, section, table, appendix and so on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Name of the corpus.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corpus: Option<String>,
    /// Layer: base, amendment, or a rank as a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layer: Option<String>,
    /// Key of the document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
    /// The citation to paste.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub citation: Option<String>,
    /// found, or not_in_corpus for a reference to what is not there. On a row without a relation: about the number asked for.
    pub status: String,
    /// On a row that was not found; shown once, above the others.
    #[serde(default, skip_serializing)]
    #[schemars(skip)]
    pub note: Option<String>,
}

/// One row of `codecite.resolve`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Resolved {
    /// The number that the text refers to, as get_section takes it.
    pub target: String,
    /// The finer address in the text, such as "Exception 2".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locator: Option<String>,
    /// The last number, where the text names a range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub through: Option<String>,
    /// found, not_in_corpus (indexed, no such number), not_indexed (no document there).
    pub status: String,
    /// Name of the corpus.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corpus: Option<String>,
    /// Layer: base, amendment, or a rank as a number. The highest layer stands first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layer: Option<String>,
    /// Key of the document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
    /// Title of the section.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The citation to paste.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub citation: Option<String>,
}

impl Resolved {
    /// The number as the text has it, with its exception and the end of its range.
    pub fn name(&self) -> String {
        let through = self.through.as_ref().map(|last| format!(" to {last}")).unwrap_or_default();
        let locator = self.locator.as_ref().map(|locator| format!(", {locator}")).unwrap_or_default();
        format!("{}{through}{locator}", self.target)
    }
}

/// One row of `codecite.toc`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the columns are documented where they are made")]
pub struct Entry {
    pub layer: String,
    pub document: String,
    pub number: String,
    pub title: Option<String>,
    pub kind: String,
    pub depth: i32,
    pub page_from: Option<i32>,
}

/// One row of `codecite.define`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the columns are documented where they are made")]
pub struct Defined {
    pub corpus: Option<String>,
    pub layer: Option<String>,
    pub document: Option<String>,
    pub edition: Option<String>,
    pub term: Option<String>,
    pub aliases: Option<Vec<String>>,
    pub definition: Option<String>,
    pub number: Option<String>,
    pub title: Option<String>,
    pub page_from: Option<i32>,
    pub page_to: Option<i32>,
    pub citation: Option<String>,
    pub see: Option<Vec<String>>,
    pub via: Option<String>,
    #[serde(skip_serializing)]
    pub status: String,
    #[serde(skip_serializing)]
    pub note: Option<String>,
}

/// `codecite.context`.
pub async fn context(
    db: &Db,
    number: &str,
    corpus: Option<&str>,
    layer: Option<&str>,
    as_of: Option<&str>,
) -> Result<Answer<Related>, Fault> {
    const SQL: &str = "SELECT row_to_json(r)::text FROM codecite.context(number => $1, corpus => $2, layer => $3, \
                       as_of => $4::date) AS r ORDER BY r.ordinal";
    db.call(SQL, &[(&number, Type::TEXT), (&corpus, Type::TEXT), (&layer, Type::TEXT), (&as_of, Type::TEXT)])
        .await
}

/// `codecite.define`.
pub async fn define(
    db: &Db,
    term: &str,
    corpus: Option<&str>,
    layer: Option<&str>,
    as_of: Option<&str>,
) -> Result<Answer<Defined>, Fault> {
    const SQL: &str = "SELECT row_to_json(r)::text FROM codecite.define(term => $1, corpus => $2, layer => $3, \
                       as_of => $4::date) AS r";
    db.call(SQL, &[(&term, Type::TEXT), (&corpus, Type::TEXT), (&layer, Type::TEXT), (&as_of, Type::TEXT)])
        .await
}

/// `codecite.resolve`.
pub async fn resolve(
    db: &Db,
    text: &str,
    corpus: Option<&str>,
    as_of: Option<&str>,
) -> Result<Answer<Resolved>, Fault> {
    const SQL: &str =
        "SELECT row_to_json(r)::text FROM codecite.resolve(text => $1, corpus => $2, as_of => $3::date) AS r";
    db.call(SQL, &[(&text, Type::TEXT), (&corpus, Type::TEXT), (&as_of, Type::TEXT)]).await
}

/// `codecite.toc`. A corpus that does not exist is an error.
pub async fn toc(db: &Db, corpus: &str) -> Result<Answer<Entry>, Fault> {
    db.call("SELECT row_to_json(r)::text FROM codecite.toc(corpus => $1) AS r", &[(&corpus, Type::TEXT)])
        .await
}
