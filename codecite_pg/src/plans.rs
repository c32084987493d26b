//! Queries that are parsed and planned once for each connection: planning took longer than running them.

use std::cell::RefCell;
use std::collections::HashMap;

use pgrx::datum::DatumWithOid;
use pgrx::prelude::*;
use pgrx::spi::{OwnedPreparedStatement, SpiClient, SpiTupleTable};

use crate::errors::spi;

thread_local! {
    // Never freed: when the process ends, Postgres has taken the plans' memory before.
    static PLANS: RefCell<HashMap<String, &'static OwnedPreparedStatement>> = RefCell::default();
}

/// Runs a query with its kept plan. Postgres plans anew by itself when a table, a policy or the role changes. A query that
/// is put together from parts must have few forms: each is kept.
pub fn select<'c>(client: &SpiClient<'c>, sql: &str, args: &[DatumWithOid<'_>]) -> SpiTupleTable<'c> {
    let kept = PLANS.with(|plans| plans.borrow().get(sql).copied());
    let plan = kept.unwrap_or_else(|| {
        let types: Vec<PgOid> = args.iter().map(|arg| PgOid::from(arg.oid())).collect();
        let plan: &'static _ = Box::leak(Box::new(spi(client.prepare(sql, &types)).keep()));
        PLANS.with(|plans| plans.borrow_mut().insert(sql.to_owned(), plan));
        plan
    });
    spi(client.select(plan, None, args))
}
