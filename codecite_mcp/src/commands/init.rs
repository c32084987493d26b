//! `codecite init`: a database that is ready to ingest.

use super::{Status, print, print_json};
use crate::api;
use crate::cli::InitArgs;
use crate::db::Db;
use crate::fault::Fault;

/// A database of every server, from which another one is made.
const MAINTENANCE: &str = "postgres";
/// There is no such database.
const NO_DATABASE: &str = "3D000";

/// Makes what is missing, and says of each step whether it was needed.
pub async fn run(db: Db, args: &InitArgs, json: bool) -> Result<Status, Fault> {
    let mut steps = vec![format!("database {}: {}", db.database(), database(&db).await?)];
    for name in ["vector", "codecite"] {
        let before = api::extension(&db, name).await?;
        api::add_extension(&db, name).await?;
        let version = api::extension(&db, name).await?.unwrap_or_default();
        let done = if before.is_some() { "was there" } else { "installed" };
        steps.push(format!("extension {name} {version}: {done}"));
    }
    if let Some(name) = &args.model {
        steps.push(format!("model {name}: {}", model(&db, name).await?));
    }
    for (roles, writes) in [(&args.grant_read, false), (&args.grant_write, true)] {
        for role in roles {
            api::grant(&db, role, writes).await?;
            steps.push(format!("role {role}: may {}", if writes { "search and ingest" } else { "search" }));
        }
    }
    if json {
        print_json(&serde_json::json!({ "steps": steps }));
    } else {
        print(&format!("{}\n", steps.join("\n")));
    }
    Ok(Status::Ok)
}

async fn database(db: &Db) -> Result<&'static str, Fault> {
    match api::extension(db, "codecite").await {
        Ok(_) => Ok("was there"),
        Err(fault) if fault.sqlstate.as_deref() == Some(NO_DATABASE) => {
            api::create_database(&db.in_database(MAINTENANCE), db.database()).await?;
            Ok("made")
        }
        Err(fault) => Err(fault),
    }
}

async fn model(db: &Db, name: &str) -> Result<&'static str, Fault> {
    let find = |models: Vec<api::Model>| models.into_iter().find(|model| model.model == name);
    let known = find(api::models(db).await?.rows);
    if known.as_ref().is_some_and(|model| model.in_use == Some(true)) {
        return Ok("was in use");
    }
    if known.is_none() {
        api::add_model(db, name).await?;
    }
    api::use_model(db, name).await?;
    Ok(if known.is_none() { "registered, and now in use" } else { "now in use" })
}
