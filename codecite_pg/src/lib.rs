//! The Postgres extension: settings, SQL functions, SPI, errors and interrupts around `codecite_core`.
#![allow(missing_docs)] // pgrx macros generate public items without docs

use pgrx::prelude::*;

pgrx::pg_module_magic!();

#[pg_schema]
mod codecite {
    use super::*;

    /// The version of the library that is loaded.
    #[pg_extern(immutable, parallel_safe)]
    fn version() -> &'static str {
        env!("CARGO_PKG_VERSION")
    }
}
