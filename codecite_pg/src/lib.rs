//! The Postgres extension: settings, SQL functions, SPI, errors and interrupts around `codecite_core`.
//!
//! Nothing here parses, ranks or cites. A verb reads its arguments, asks `codecite_core`, and reads or writes
//! rows; `sql/` holds the tables and the verbs that are plain SQL.
#![deny(unsafe_op_in_unsafe_fn)]
#![allow(missing_docs)] // pgrx generates public items without documentation

#[cfg(not(panic = "unwind"))]
compile_error!("codecite needs panic = \"unwind\": an abort would take the whole cluster down");

mod amendments;
mod compare;
mod embeddings;
mod errors;
mod health;
mod helpers;
mod ingest;
mod lookup;
mod models;
mod plans;
mod preview;
mod profiles;
mod search;
mod settings;
mod store;
mod synonyms;
mod verify;
mod watch;

use pgrx::prelude::*;

pgrx::pg_module_magic!();

extension_sql_file!("../../sql/schema.sql", name = "schema", bootstrap);
extension_sql_file!(
    "../../sql/functions.sql",
    name = "functions",
    requires = [
        health::model_health,
        helpers::version,
        helpers::number_key,
        helpers::canonical_number,
        helpers::cite,
        helpers::wrap,
        helpers::terms,
        helpers::mentions,
        helpers::require_corpus,
        amendments::amendments,
        amendments::amended,
        compare::compare,
        ingest::ingest,
        lookup::address,
        lookup::term_key,
        lookup::pointers,
        lookup::table_markdown,
        lookup::plain,
        preview::preview,
        preview::inspect,
        profiles::known_profiles,
        profiles::profile_digests,
        profiles::add_profile,
        search::search,
        search::verdict::coverage,
        verify::verify,
        models::embed_array,
        embeddings::embed_batch,
        embeddings::pending,
        embeddings::put_embeddings,
        models::in_transaction_block,
        models::add_model,
    ]
);
extension_sql_file!("../../sql/lookups.sql", name = "lookups", requires = ["functions"]);
extension_sql_file!("../../sql/grants.sql", name = "grants", finalize);

/// The schema of all functions; `sql/schema.sql` has made it by then.
#[pg_schema]
mod codecite {}

#[pg_guard]
extern "C-unwind" fn _PG_init() {
    settings::define();
    // SAFETY: reads a variable of this process.
    if unsafe { pg_sys::process_shared_preload_libraries_in_progress } {
        models::preload();
    }
}
