//! A corpus as it is stored.

use serde::{Deserialize, Serialize};
use tokio_postgres::types::Type;

use crate::db::{Answer, Db};
use crate::fault::Fault;

/// One section with its whole text, and the document that it stands in.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the columns of the tables")]
pub struct Exported {
    pub document_id: i64,
    pub corpus: String,
    pub layer: String,
    pub document: String,
    pub edition: Option<String>,
    pub effective: Option<String>,
    pub document_title: String,
    pub superseded: bool,
    pub ordinal: i32,
    pub parent: Option<i32>,
    pub depth: i32,
    pub kind: String,
    pub number: Option<String>,
    pub title: Option<String>,
    pub page_from: Option<i32>,
    pub page_to: Option<i32>,
    pub body: String,
}

/// Where an export goes on: behind this document and section.
pub type Place = (i64, i32);

/// The next sections of a corpus, in the order of the text, document by document. What stands in the body of another
/// section, as tables do, is not repeated. The pieces are small, so that no corpus is too large for a message.
pub async fn export(
    db: &Db,
    corpus: &str,
    document: Option<&str>,
    superseded: bool,
    after: Place,
) -> Result<Answer<Exported>, Fault> {
    const SQL: &str = "SELECT row_to_json(r)::text FROM (\
                       SELECT d.id AS document_id, c.name AS corpus, d.layer, d.document, d.edition, d.effective, \
                       d.title AS document_title, d.superseded_by IS NOT NULL AS superseded, s.ordinal, s.parent, s.depth, s.kind, \
                       s.number, s.title, s.page_from, s.page_to, s.body \
                       FROM codecite.section s JOIN codecite.document d ON d.id = s.document_id \
                       JOIN codecite.corpus c ON c.id = d.corpus_id \
                       WHERE c.name = $1 AND ($2 IS NULL OR d.document = $2) AND ($3 OR d.superseded_by IS NULL) \
                       AND (d.id, s.ordinal) > ($4, $5) AND s.nested IS NULL ORDER BY d.id, s.ordinal LIMIT 500) AS r";
    let (id, ordinal) = after;
    let params: [crate::db::Param<'_>; 5] = [
        (&corpus, Type::TEXT),
        (&document, Type::TEXT),
        (&superseded, Type::BOOL),
        (&id, Type::INT8),
        (&ordinal, Type::INT4),
    ];
    db.call(SQL, &params).await
}
