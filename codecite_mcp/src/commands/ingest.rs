//! `codecite ingest`: files and folders into a corpus, one transaction a file.

mod files;
mod show;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Instant;

use indicatif::ProgressBar;
use serde::Serialize;

use super::{Status, print, print_json};
use crate::api::{self, Ingest, Ingested, Previewed};
use crate::cli::IngestArgs;
use crate::db::Db;
use crate::fault::{Fault, Kind};
use show::{Show, summary};

/// A Postgres message holds 1 GB; the extension's own limit is lower and speaks for itself.
const MOST_BYTES: u64 = 900 << 20;
/// What the server says of bytes that it already has.
const ALREADY: &str = "this file is already ingested";

/// What became of one file.
#[derive(Debug, Serialize)]
struct Outcome {
    path: String,
    /// `ingested`, `previewed`, `unchanged` or `failed`.
    result: &'static str,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<Ingested>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sections: Vec<Previewed>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notices: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Fault>,
}

impl Outcome {
    fn new(path: &Path) -> Outcome {
        Outcome {
            path: path.display().to_string(),
            result: "previewed",
            seconds: 0.0,
            report: None,
            sections: Vec::new(),
            notices: Vec::new(),
            error: None,
        }
    }

    fn failed(path: &Path, fault: Fault) -> Outcome {
        Outcome { result: "failed", error: Some(fault), ..Outcome::new(path) }
    }
}

/// Takes every file, and reports at the end: a bad one never stops the rest. Only a database that is gone does.
pub async fn run(db: &Db, args: &IngestArgs, json: bool) -> Result<Status, Fault> {
    let (files, unread) = files::collect(&args.paths);
    let mut outcomes: Vec<Outcome> =
        unread.into_iter().map(|(path, fault)| Outcome::failed(&path, fault)).collect();
    if args.options.document.is_some() && files.len() > 1 {
        let message = format!("--document names one document, but {} files were found", files.len());
        return Err(Fault::new(
            Kind::Input,
            message,
            "Leave --document out: the key of each is its file name's stem.",
        ));
    }
    if files.is_empty() && outcomes.is_empty() {
        let next = format!("Name files, or folders that hold some of: {}.", files::EXTENSIONS.join(", "));
        return Err(Fault::new(Kind::Input, "no documents were found", next));
    }
    let show = Show::new(files.len(), json);
    for outcome in &outcomes {
        show.outcome(outcome);
    }
    let work = Work { db, args, show: &show, queue: Mutex::new(files.into_iter()), lost: OnceLock::new() };
    let done = futures_util::future::join_all((0..args.jobs).map(|_| work.take_all())).await;
    let mut done: Vec<(usize, Outcome)> = done.into_iter().flatten().collect();
    done.sort_by_key(|(place, _)| *place);
    outcomes.extend(done.into_iter().map(|(_, outcome)| outcome));
    if let (Some(fault), [_]) = (work.lost.get(), outcomes.as_slice()) {
        return Err(fault.clone());
    }
    if json {
        print_json(&outcomes);
    } else if !args.dry_run {
        print(&summary(&outcomes));
    }
    let is_bad = outcomes.iter().any(|outcome| outcome.result == "failed");
    Ok(if is_bad { Status::Error } else { Status::Ok })
}

/// The files that are left, and those who take them.
struct Work<'a> {
    db: &'a Db,
    args: &'a IngestArgs,
    show: &'a Show,
    queue: Mutex<std::vec::IntoIter<PathBuf>>,
    /// Why the database is gone: every other file would fail alike, after a wait for each.
    lost: OnceLock<Fault>,
}

impl Work<'_> {
    /// One of the jobs: takes the next file until there is none.
    async fn take_all(&self) -> Vec<(usize, Outcome)> {
        let mut outcomes = Vec::new();
        while self.lost.get().is_none() {
            let next = {
                let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
                queue.next().map(|path| (queue.len(), path))
            };
            let Some((left, path)) = next else {
                break;
            };
            let place = self.show.total - left;
            let bar = self.show.begin(place, &path);
            let outcome = one(self.db, self.args, &path, &bar).await;
            bar.finish_and_clear();
            self.show.outcome(&outcome);
            if let Some(fault) = outcome.error.as_ref()
                && matches!(fault.kind, Kind::Unreachable | Kind::NotReady)
            {
                let _ = self.lost.set(fault.clone());
            }
            outcomes.push((place, outcome));
        }
        outcomes
    }
}

async fn one(db: &Db, args: &IngestArgs, path: &Path, bar: &ProgressBar) -> Outcome {
    let started = Instant::now();
    let content = match read(path) {
        Ok(content) => content,
        Err(fault) => return Outcome::failed(path, fault),
    };
    let mut outcome = Outcome::new(path);
    let error = take(db, args, path, content, &mut outcome, bar).await.err();
    outcome.seconds = started.elapsed().as_secs_f64();
    if let Some(fault) = error {
        outcome.result = if fault.message.starts_with(ALREADY) { "unchanged" } else { "failed" };
        outcome.error = Some(fault);
    }
    outcome
}

async fn take(
    db: &Db,
    args: &IngestArgs,
    path: &Path,
    content: Vec<u8>,
    outcome: &mut Outcome,
    bar: &ProgressBar,
) -> Result<(), Fault> {
    if args.dry_run || args.show_tree {
        let answer = api::preview(db, &content, &args.options.profile).await?;
        outcome.sections = answer.rows;
        outcome.notices = answer.notices;
    }
    if args.dry_run {
        return Ok(());
    }
    let filename = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let ingest = Ingest { content, filename, options: &args.options };
    let answer = api::ingest(db, &ingest, |progress| {
        bar.set_position(progress.percent() as u64);
        bar.set_message(format!("{} {}/{}", progress.stage, progress.done, progress.total));
    })
    .await?;
    outcome.result = "ingested";
    outcome.report = answer.rows.into_iter().next();
    outcome.notices = answer.notices;
    Ok(())
}

fn read(path: &Path) -> Result<Vec<u8>, Fault> {
    let size = std::fs::metadata(path).map_err(|error| unreadable(path, &error))?.len();
    if size > MOST_BYTES {
        let message = format!("{} is too large: {} MB", path.display(), size >> 20);
        return Err(Fault::new(Kind::Input, message, "Split it into chapters."));
    }
    std::fs::read(path).map_err(|error| unreadable(path, &error))
}

fn unreadable(path: &Path, error: &std::io::Error) -> Fault {
    Fault::new(
        Kind::Input,
        format!("{} cannot be read: {error}", path.display()),
        "Check the path and its permissions.",
    )
}
