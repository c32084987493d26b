//! What `codecite eval` reads beside searches: running texts, and vectors of texts that are stored nowhere.

use serde::Deserialize;
use tokio_postgres::types::Type;

use crate::db::Db;
use crate::fault::Fault;

/// A section of a document in force. The bodies of sections that are not nested are the whole text, in order.
#[derive(Debug, Clone, Deserialize)]
pub struct SectionText {
    /// The document.
    pub document_id: i64,
    /// Its title.
    pub title: String,
    /// Place in the document.
    pub ordinal: i32,
    /// Canonical number.
    pub number: Option<String>,
    /// For a table: the section in whose body its text stands, too.
    pub nested: Option<i32>,
    /// Its text.
    pub body: String,
}

/// The sections of a corpus' documents in force, in order.
pub async fn section_texts(db: &Db, corpus: &str) -> Result<Vec<SectionText>, Fault> {
    const SQL: &str = "SELECT json_build_object('document_id', d.id, 'title', d.title, 'ordinal', s.ordinal, \
                       'number', s.number, 'nested', s.nested, 'body', s.body)::text \
                       FROM codecite.documents_in_force(ARRAY[$1]) d \
                       JOIN codecite.section s ON s.document_id = d.id ORDER BY d.id, s.ordinal";
    Ok(db.call(SQL, &[(&corpus, Type::TEXT)]).await?.rows)
}

/// `codecite.embed_array` of each text; `purpose` is `document` or `query`.
pub async fn embed(db: &Db, texts: &[&str], purpose: &str) -> Result<Vec<Vec<f32>>, Fault> {
    const SQL: &str = "SELECT to_json(codecite.embed_array(t.text, $2))::text \
                       FROM unnest($1) WITH ORDINALITY AS t (text, place) ORDER BY t.place";
    Ok(db.call(SQL, &[(&texts, Type::TEXT_ARRAY), (&purpose, Type::TEXT)]).await?.rows)
}
