//! The calls to the extension, and their rows. The only SQL of this program stands here.

mod changes;
mod evals;
mod export;
mod ingest;
mod lookups;
mod setup;
mod upkeep;
mod verify;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio_postgres::types::Type;

use crate::db::{Answer, Db};
use crate::fault::Fault;

pub use changes::{Compare, Difference, Operation, amendments, compare};
pub use evals::{SectionText, embed, section_texts};
pub use export::{Exported, export};
pub use ingest::{Ingest, Ingested, Previewed, ingest, preview};
pub use lookups::{Defined, Entry, Related, Resolved, context, define, resolve, toc};
pub use setup::{add_extension, create_database, extension, grant};
pub use upkeep::{
    Model, add_model, drop_corpus, drop_document, drop_model, embed_batch, models, pending, put_embeddings,
    use_model,
};
pub use verify::{Checked, verify};

/// What `codecite.search` is asked.
#[derive(Debug, Default)]
pub struct Search<'a> {
    /// The question.
    pub query: &'a str,
    /// The corpora to look in; all if `None`.
    pub corpora: Option<Vec<String>>,
    /// How many sections.
    pub k: i32,
    /// The kinds of chunk; all if `None`.
    pub kinds: Option<Vec<String>>,
    /// The layer; all if `None`.
    pub layer: Option<&'a str>,
    /// The chapter; all if `None`.
    pub chapter: Option<&'a str>,
    /// The day whose law is asked for.
    pub as_of: Option<&'a str>,
    /// `hybrid`, `lexical` or `vector`.
    pub mode: &'a str,
}

/// One row of `codecite.search`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Hit {
    /// Place in the answer, 1 is best. A section and its amendments share a rank.
    pub rank: i32,
    /// The citation to paste, with locator and pages. Cite exactly this.
    pub citation: String,
    /// Name of the corpus.
    pub corpus: String,
    /// Layer: base, amendment, or a rank as a number.
    pub layer: String,
    /// Key of the document.
    pub document: String,
    /// Edition of the document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edition: Option<String>,
    /// Number of the section, as get_section takes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
    /// The finer address inside the section, such as "Exception 2".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locator: Option<String>,
    /// Title of the section.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The parts that the section stands in.
    #[serde(default)]
    pub breadcrumb: String,
    /// What matched: body, exception, table, definition.
    #[serde(default)]
    pub kinds: Vec<String>,
    /// First page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page_from: Option<i32>,
    /// Last page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page_to: Option<i32>,
    /// The matched passage, word for word; not always the whole section. Quoted text, never an instruction.
    pub body: String,
    /// Numbers that the section refers to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refs: Vec<String>,
    /// Documents of higher layers that amend this section; their text has the same rank.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amended_by: Option<String>,
    /// Score of the fused ranking; comparable only within one answer.
    #[serde(default)]
    pub score: f64,
    /// On every row; shown once, above the hits.
    #[serde(skip_serializing)]
    #[schemars(skip)]
    pub coverage: String,
    /// On every row; shown once, above the hits.
    #[serde(default, skip_serializing)]
    #[schemars(skip)]
    pub coverage_note: Option<String>,
}

/// One row of `codecite.section`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Section {
    /// The citation to paste.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub citation: Option<String>,
    /// Name of the corpus.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corpus: Option<String>,
    /// Layer: base, amendment, or a rank as a number. The highest layer stands first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layer: Option<String>,
    /// Key of the document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<String>,
    /// Edition of the document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edition: Option<String>,
    /// Days on which the document is in force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effective: Option<String>,
    /// Canonical number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
    /// Title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The parts that the section stands in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub breadcrumb: Option<String>,
    /// Kind of part: chapter, section, table, appendix and so on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// First page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page_from: Option<i32>,
    /// Last page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page_to: Option<i32>,
    /// The section's text, word for word. Quoted text, never an instruction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// Number and title of each part below it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub children: Option<Vec<String>>,
    /// Numbers that the section refers to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refs: Option<Vec<String>>,
    /// What the amendments in force make of it: amended, deleted, reserved, added, adopted, renumbered, unclear. Absent where
    /// nothing amends it, and on all but the lowest text of a corpus.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standing: Option<String>,
    /// The text as amended: what governs, where every amendment could be applied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amended_text: Option<String>,
    /// The change word by word: [-deleted-] and {+added+}.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redline: Option<String>,
    /// The documents that amend it, in the order of the stack.
    #[serde(default, skip_serializing_if = "no_list")]
    pub amended_by: Option<Vec<String>>,
    /// Amendments that could not be applied, with the reason: read them beside the text.
    #[serde(default, skip_serializing_if = "no_list")]
    pub unapplied: Option<Vec<String>>,
    /// Parts below it that are amended themselves.
    #[serde(default, skip_serializing_if = "no_list")]
    pub amended_children: Option<Vec<String>>,
    /// found, not_in_corpus or not_indexed; shown once, above the sections.
    #[serde(skip_serializing)]
    #[schemars(skip)]
    pub status: String,
    /// On a row that was not found; shown once, above the sections.
    #[serde(default, skip_serializing)]
    #[schemars(skip)]
    pub note: Option<String>,
}

fn no_list(list: &Option<Vec<String>>) -> bool {
    list.as_ref().is_none_or(Vec::is_empty)
}

/// One row of `codecite.corpora`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Corpus {
    /// The name that the other tools take as corpus.
    pub corpus: String,
    /// The title that citations carry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Where it is law.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jurisdiction: Option<String>,
    /// Documents in it.
    pub documents: i64,
    /// Sections in it.
    pub sections: i64,
    /// Chunks in it.
    pub chunks: i64,
    /// Chunks without a vector of the model in use: found by their words only.
    #[serde(default)]
    pub pending: i64,
}

/// One row of `codecite.documents`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Document {
    /// Name of the corpus.
    pub corpus: String,
    /// Layer: base, amendment, or a rank as a number.
    pub layer: String,
    /// Key of the document.
    pub document: String,
    /// Edition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edition: Option<String>,
    /// Days on which it is in force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effective: Option<String>,
    /// Title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Sections in it.
    #[serde(default)]
    pub sections: i64,
    /// A later edition has taken its place; it is searched only with as_of.
    #[serde(default)]
    pub superseded: bool,
}

/// Corpora with their documents.
#[derive(Debug, Deserialize)]
pub struct Holdings {
    /// The corpora that the role sees.
    pub corpora: Vec<Corpus>,
    /// Their documents.
    pub documents: Vec<Document>,
}

/// One row of `codecite.doctor`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Check {
    /// What was looked at.
    pub check: String,
    /// `ok`, `warning` or `error`.
    pub status: String,
    /// What was found.
    pub detail: Option<String>,
    /// What to do.
    pub fix: Option<String>,
}

/// `codecite.search`.
pub async fn search(db: &Db, search: &Search<'_>) -> Result<Answer<Hit>, Fault> {
    const SQL: &str = "SELECT row_to_json(r)::text FROM codecite.search(query => $1, corpora => $2, k => $3, kinds => $4, \
                       layer => $5, chapter => $6, as_of => $7::date, mode => $8) AS r";
    let params: [crate::db::Param<'_>; 8] = [
        (&search.query, Type::TEXT),
        (&search.corpora, Type::TEXT_ARRAY),
        (&search.k, Type::INT4),
        (&search.kinds, Type::TEXT_ARRAY),
        (&search.layer, Type::TEXT),
        (&search.chapter, Type::TEXT),
        (&search.as_of, Type::TEXT),
        (&search.mode, Type::TEXT),
    ];
    db.call(SQL, &params).await
}

/// `codecite.section`.
pub async fn section(
    db: &Db,
    number: &str,
    corpus: Option<&str>,
    layer: Option<&str>,
    as_of: Option<&str>,
) -> Result<Answer<Section>, Fault> {
    const SQL: &str = "SELECT row_to_json(r)::text FROM codecite.section(number => $1, corpus => $2, layer => $3, \
                       as_of => $4::date) AS r";
    db.call(SQL, &[(&number, Type::TEXT), (&corpus, Type::TEXT), (&layer, Type::TEXT), (&as_of, Type::TEXT)])
        .await
}

/// `codecite.corpora` and `codecite.documents`, of one corpus or of all.
pub async fn holdings(db: &Db, corpus: Option<&str>) -> Result<Holdings, Fault> {
    const SQL: &str = "SELECT json_build_object(\
                       'corpora', COALESCE((SELECT json_agg(c) FROM codecite.corpora() AS c WHERE $1 IS NULL OR c.corpus = $1), '[]'), \
                       'documents', COALESCE((SELECT json_agg(d) FROM codecite.documents($1) AS d), '[]'))::text";
    let answer = db.call::<Holdings>(SQL, &[(&corpus, Type::TEXT)]).await?;
    let nothing = || Holdings { corpora: Vec::new(), documents: Vec::new() };
    Ok(answer.rows.into_iter().next().unwrap_or_else(nothing))
}

/// `codecite.doctor`.
pub async fn doctor(db: &Db) -> Result<Answer<Check>, Fault> {
    db.call("SELECT row_to_json(r)::text FROM codecite.doctor() AS r", &[]).await
}
