//! Small functions over core that the SQL verbs are written with.

use codecite_core::citation::{Cited, cite as write_citation};
use codecite_core::number::Number;
use codecite_core::passage;
use codecite_core::reference::references;
use codecite_core::vocabulary::Vocabulary;
use pgrx::prelude::*;

use crate::errors::{raise, spi};

/// The version of the library that is loaded.
#[pg_extern(schema = "codecite", immutable, parallel_safe)]
fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// The key under which a number is stored; NULL for what is no number.
#[pg_extern(schema = "codecite", immutable, strict, parallel_safe)]
fn number_key(number: &str) -> Option<String> {
    Number::parse(number).map(|number| number.key())
}

/// The canonical spelling of a number; NULL for what is no number.
#[pg_extern(schema = "codecite", immutable, strict, parallel_safe)]
fn canonical_number(number: &str) -> Option<String> {
    Number::parse(number).map(|number| number.to_string())
}

/// The citation of a part of a code.
#[pg_extern(schema = "codecite", immutable, parallel_safe)]
fn cite(
    corpus_title: &str,
    edition: Option<&str>,
    number: Option<&str>,
    title: Option<&str>,
    locator: Option<&str>,
    page_from: Option<&str>,
    page_to: Option<&str>,
) -> String {
    write_citation(&Cited { corpus: corpus_title, edition, number, title, locator, page_from, page_to })
}

/// The text with lines of at most that many characters.
#[pg_extern(schema = "codecite", immutable, strict, parallel_safe)]
fn wrap(text: &str, width: i32) -> String {
    passage::wrap(text, usize::try_from(width).unwrap_or(0))
}

/// The terms under which a text is indexed.
#[pg_extern(schema = "codecite", immutable, strict, parallel_safe)]
fn terms(text: &str) -> Vec<String> {
    Vocabulary::default().terms(text)
}

/// The references that a text makes, in order.
#[pg_extern(schema = "codecite", immutable, strict, parallel_safe)]
fn mentions(
    text: &str,
) -> TableIterator<
    'static,
    (name!(target, String), name!(target_key, String), name!(through, Option<String>), name!(locator, Option<String>)),
> {
    let rows: Vec<_> = references(text, None)
        .into_iter()
        .map(|r| (r.target.to_string(), r.target.key(), r.through.map(|n| n.to_string()), r.locator))
        .collect();
    TableIterator::new(rows)
}

/// The name of a corpus that the caller sees; an error for any other.
#[pg_extern(schema = "codecite", stable, strict, parallel_restricted)]
fn require_corpus(corpus: &str) -> String {
    const SELECT: &str = "SELECT name FROM codecite.corpus WHERE name = $1";
    let known = Spi::connect(|client| spi(client.select(SELECT, Some(1), &[corpus.into()])).next().is_some());
    if !known {
        let hint = "SELECT * FROM codecite.corpora() lists what is there.";
        raise(PgSqlErrorCode::ERRCODE_UNDEFINED_OBJECT, format!("there is no corpus \"{corpus}\""), hint);
    }
    corpus.to_owned()
}
