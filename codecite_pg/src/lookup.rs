//! Small functions over core that the look-ups by address, term and table are written with.

use codecite_core::address::Address;
use codecite_core::definition::{self, Pointer};
use codecite_core::document::Table;
use codecite_core::passage::safe;
use codecite_core::vocabulary::Vocabulary;
use pgrx::prelude::*;

/// What an address names; no row for what is none.
#[pg_extern(schema = "codecite", immutable, strict, parallel_safe)]
#[allow(clippy::type_complexity)]
fn address(
    text: &str,
) -> TableIterator<
    'static,
    (
        name!(number, String),
        name!(label, Option<String>),
        name!(keys, Vec<String>),
        name!(locator, Option<String>),
    ),
> {
    let row = Address::parse(text).map(|address| {
        let label = address.number.label().map(str::to_owned);
        (address.number.to_string(), label, address.keys(), address.locator)
    });
    TableIterator::new(row)
}

/// The key under which a defined term is stored.
#[pg_extern(schema = "codecite", immutable, strict, parallel_safe)]
fn term_key(term: &str) -> String {
    definition::key(term, &Vocabulary::default())
}

/// Where a definition sends the reader.
#[pg_extern(schema = "codecite", immutable, strict, parallel_safe)]
#[allow(clippy::type_complexity)]
fn pointers(
    definition: &str,
    term: &str,
) -> TableIterator<
    'static,
    (name!(target, String), name!(key, String), name!(is_section, bool), name!(says_nothing_else, bool)),
> {
    let vocabulary = Vocabulary::default();
    let (found, is_all) = definition::pointers(definition, term);
    let rows = found.into_iter().map(|pointer| match pointer {
        Pointer::Term(name) => {
            let key = definition::key(&name, &vocabulary);
            (name, key, false, is_all)
        }
        Pointer::Section(number) => (number.to_string(), number.key(), true, is_all),
    });
    TableIterator::new(rows.collect::<Vec<_>>())
}

/// The stored cells of a table as Markdown; NULL for what is no table.
#[pg_extern(schema = "codecite", immutable, strict, parallel_safe)]
fn table_markdown(cells: pgrx::JsonB) -> Option<String> {
    let table: Table = serde_json::from_value(cells.0).ok()?;
    Some(safe(&table.to_markdown()))
}

/// A text without control and bidirectional characters, which could deceive who reads it.
#[pg_extern(schema = "codecite", immutable, strict, parallel_safe)]
fn plain(text: &str) -> String {
    safe(text)
}
