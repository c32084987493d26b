//! `codecite model`: the embedding models.

use super::{Status, print, print_json, print_notices};
use crate::api::{self, Model};
use crate::cli::ModelCommand;
use crate::db::{Answer, Db};
use crate::fault::Fault;
use crate::output;

/// Lists the models, or changes which there are.
pub async fn run(db: &Db, command: &ModelCommand, json: bool) -> Result<Status, Fault> {
    match command {
        ModelCommand::List => list(db, json).await?,
        ModelCommand::Add(args) => done("added", &args.name, &api::add_model(db, &args.name).await?, json),
        ModelCommand::Use(args) => {
            done("in use", &args.name, &api::use_model(db, &args.name).await?, json);
            let models = api::models(db).await?.rows;
            let pending =
                models.iter().find(|model| model.model == args.name).map_or(0, |model| model.pending);
            if pending > 0 {
                eprintln!(
                    "{pending} chunks are found by their words only until CALL codecite.embed_pending();"
                );
            }
        }
        ModelCommand::Drop(args) => {
            done("dropped", &args.name, &api::drop_model(db, &args.name).await?, json)
        }
    }
    Ok(Status::Ok)
}

fn done(what: &str, name: &str, answer: &Answer<serde_json::Value>, json: bool) {
    print_notices(&answer.notices);
    if json {
        print_json(&serde_json::json!({ "model": name, "result": what }));
    } else {
        print(&format!("{name}: {what}\n"));
    }
}

async fn list(db: &Db, json: bool) -> Result<(), Fault> {
    let answer = api::models(db).await?;
    print_notices(&answer.notices);
    if json {
        print_json(&serde_json::json!({ "models": answer.rows }));
    } else {
        let rows: Vec<Vec<String>> = answer.rows.iter().map(row).collect();
        print(&output::table(
            &["model", "in use", "dimension", "tokens", "embeddings", "pending", "index"],
            &rows,
        ));
    }
    Ok(())
}

fn row(model: &Model) -> Vec<String> {
    let yes = |is: bool| if is { "yes".to_owned() } else { String::new() };
    vec![
        model.model.clone(),
        yes(model.in_use == Some(true)),
        model.dimension.to_string(),
        model.max_tokens.map(|tokens| tokens.to_string()).unwrap_or_default(),
        model.embeddings.to_string(),
        model.pending.to_string(),
        yes(model.indexed),
    ]
}
