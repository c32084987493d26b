//! `codecite embed`: gives waiting chunks their vectors, in several sessions of the database or by a machine of one's own.

mod endpoint;

use std::cell::Cell;
use std::time::Instant;

use futures_util::future::try_join_all;

use super::{Status, print, print_json};
use crate::api;
use crate::cli::EmbedArgs;
use crate::db::Db;
use crate::fault::{Fault, Kind};
use endpoint::Endpoint;

/// Chunks of one statement: a few seconds of work, which a cancel loses at most.
const BATCH: i32 = 64;

/// How far the work is.
struct Progress {
    total: i64,
    done: Cell<i64>,
    began: Instant,
    is_quiet: bool,
}

impl Progress {
    fn add(&self, chunks: i64) {
        self.done.set(self.done.get() + chunks);
        if !self.is_quiet && chunks > 0 {
            eprintln!("{} of {} chunks, {:.1} a second", self.done.get(), self.total, self.rate());
        }
    }

    fn rate(&self) -> f64 {
        self.done.get() as f64 / self.began.elapsed().as_secs_f64().max(0.001)
    }
}

/// Embeds what waits. What other sessions do meanwhile is not counted here.
pub async fn run(db: &Db, args: &EmbedArgs, json: bool) -> Result<Status, Fault> {
    let models = api::models(db).await?.rows;
    let chosen = models.iter().find(|model| match &args.model {
        Some(name) => model.model == *name,
        None => model.in_use == Some(true),
    });
    let Some(model) = chosen else {
        let names: Vec<&str> = models.iter().map(|model| model.model.as_str()).collect();
        let message = format!("there is no model {}", args.model.as_deref().unwrap_or("in use"));
        return Err(Fault::new(Kind::Input, message, format!("Registered models: {}.", names.join(", "))));
    };
    let progress =
        Progress { total: model.pending, done: Cell::new(0), began: Instant::now(), is_quiet: json };
    match &args.endpoint {
        Some(url) => {
            if args.allow_remote {
                eprintln!("The texts of your corpora are sent to {url}.");
            }
            elsewhere(db, &model.model, &Endpoint::new(url, args)?, &progress).await?;
        }
        None => {
            try_join_all((0..args.jobs).map(|_| here(db, &model.model, &progress))).await?;
        }
    }
    let (done, rate) = (progress.done.get(), progress.rate());
    if json {
        print_json(&serde_json::json!({ "model": model.model, "embedded": done, "chunks_per_second": rate }));
    } else {
        print(&format!("{}: {done} chunks embedded, {rate:.1} a second\n", model.model));
    }
    Ok(Status::Ok)
}

/// One session's share: the database hands out what no other session works on.
async fn here(db: &Db, model: &str, progress: &Progress) -> Result<(), Fault> {
    loop {
        match api::embed_batch(db, model, BATCH).await? {
            0 => return Ok(()),
            done => progress.add(done),
        }
    }
}

/// Sends the texts to the endpoint and brings the vectors back.
async fn elsewhere(db: &Db, model: &str, endpoint: &Endpoint, progress: &Progress) -> Result<(), Fault> {
    let mut behind = (0, -1);
    loop {
        let waiting = api::pending(db, model, BATCH, behind).await?;
        let Some(last) = waiting.last() else { return Ok(()) };
        behind = (last.document_id, last.chunk);
        let inputs: Vec<&str> = waiting.iter().map(|row| row.input.as_str()).collect();
        let vectors = endpoint.embed(&inputs).await?;
        progress.add(api::put_embeddings(db, model, &waiting, &vectors).await?);
    }
}
