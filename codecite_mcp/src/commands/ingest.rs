//! `codecite ingest`: files and folders into a corpus, one transaction a file.

use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::Serialize;

use super::{Status, print, print_json};
use crate::api::{self, Ingest, Ingested, Previewed};
use crate::cli::IngestArgs;
use crate::db::Db;
use crate::fault::{Fault, Kind};
use crate::output;

/// What is picked up in folders. A file that is named is always tried.
const EXTENSIONS: [&str; 9] = ["pdf", "html", "htm", "xhtml", "docx", "md", "markdown", "txt", "text"];
/// Files about a folder, not law: passed over unless they are named.
const ABOUT: [&str; 3] = ["readme", "license", "changelog"];
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

/// Takes every file, and reports at the end: a bad one never stops the rest. Only a database that is gone does.
pub async fn run(db: &Db, args: &IngestArgs, json: bool) -> Result<Status, Fault> {
    let (files, mut outcomes) = collect(&args.paths);
    if args.document.is_some() && files.len() > 1 {
        let message = format!("--document names one document, but {} files were found", files.len());
        return Err(Fault::new(
            Kind::Input,
            message,
            "Leave --document out: the key of each is its file name's stem.",
        ));
    }
    if files.is_empty() && outcomes.is_empty() {
        let next = format!("Name files, or folders that hold some of: {}.", EXTENSIONS.join(", "));
        return Err(Fault::new(Kind::Input, "no documents were found", next));
    }
    for outcome in &outcomes {
        say(outcome, json);
    }
    let total = files.len();
    for (index, path) in files.into_iter().enumerate() {
        if !json {
            eprintln!("[{}/{total}] {}", index + 1, output::clean(&path.display().to_string()));
        }
        let outcome = one(db, args, &path).await;
        say(&outcome, json);
        let stop = outcome
            .error
            .as_ref()
            .is_some_and(|fault| matches!(fault.kind, Kind::Unreachable | Kind::NotReady));
        let fault = outcome.error.clone();
        outcomes.push(outcome);
        // Every other file would fail alike, after a wait for each.
        if let (true, Some(fault)) = (stop, fault) {
            if outcomes.len() == 1 {
                return Err(fault);
            }
            break;
        }
    }
    if json {
        print_json(&outcomes);
    } else if !args.dry_run {
        print(&summary(&outcomes));
    }
    let is_bad = outcomes.iter().any(|outcome| outcome.result == "failed");
    Ok(if is_bad { Status::Error } else { Status::Ok })
}

/// The documents below the paths, in order, and what could not be read.
fn collect(paths: &[PathBuf]) -> (Vec<PathBuf>, Vec<Outcome>) {
    let mut files = Vec::new();
    let mut bad = Vec::new();
    for path in paths {
        if path.is_dir() {
            walk(path, &mut files, &mut bad);
        } else {
            files.push(path.clone());
        }
    }
    let mut seen = std::collections::HashSet::new();
    files.retain(|file| seen.insert(file.clone()));
    (files, bad)
}

/// Links to folders are not followed: they may lead in circles.
fn walk(folder: &Path, files: &mut Vec<PathBuf>, bad: &mut Vec<Outcome>) {
    let mut entries: Vec<PathBuf> = match std::fs::read_dir(folder) {
        Ok(entries) => entries.filter_map(|entry| Some(entry.ok()?.path())).collect(),
        Err(error) => {
            bad.push(failed(folder, unreadable(folder, &error), 0.0));
            return;
        }
    };
    entries.sort();
    for path in entries {
        let is_hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if is_hidden {
            continue;
        }
        if path.is_dir() {
            if !path.is_symlink() {
                walk(&path, files, bad);
            }
        } else if is_document(&path) {
            files.push(path);
        }
    }
}

fn is_document(path: &Path) -> bool {
    let lower = |part: Option<&std::ffi::OsStr>| {
        part.map(|part| part.to_string_lossy().to_lowercase()).unwrap_or_default()
    };
    EXTENSIONS.contains(&lower(path.extension()).as_str())
        && !ABOUT.contains(&lower(path.file_stem()).as_str())
}

async fn one(db: &Db, args: &IngestArgs, path: &Path) -> Outcome {
    let started = Instant::now();
    let content = match read(path) {
        Ok(content) => content,
        Err(fault) => return failed(path, fault, 0.0),
    };
    let mut outcome = Outcome {
        path: path.display().to_string(),
        result: "previewed",
        seconds: 0.0,
        report: None,
        sections: Vec::new(),
        notices: Vec::new(),
        error: None,
    };
    let error = if args.dry_run {
        match api::preview(db, &content, &args.profile).await {
            Ok(answer) => {
                outcome.sections = answer.rows;
                outcome.notices = answer.notices;
                None
            }
            Err(fault) => Some(fault),
        }
    } else {
        let filename = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        match api::ingest(db, &Ingest { content, filename, options: args }).await {
            Ok(answer) => {
                outcome.result = "ingested";
                outcome.report = answer.rows.into_iter().next();
                outcome.notices = answer.notices;
                None
            }
            Err(fault) => Some(fault),
        }
    };
    outcome.seconds = started.elapsed().as_secs_f64();
    if let Some(fault) = error {
        outcome.result = if fault.message.starts_with(ALREADY) { "unchanged" } else { "failed" };
        outcome.error = Some(fault);
    }
    outcome
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

fn failed(path: &Path, fault: Fault, seconds: f64) -> Outcome {
    Outcome {
        path: path.display().to_string(),
        result: "failed",
        seconds,
        report: None,
        sections: Vec::new(),
        notices: Vec::new(),
        error: Some(fault),
    }
}

/// Tells of one file as soon as it is done.
fn say(outcome: &Outcome, json: bool) {
    if json {
        return;
    }
    for notice in &outcome.notices {
        eprintln!("  notice: {}", output::clean(notice));
    }
    if let Some(fault) = &outcome.error {
        let text = if outcome.result == "unchanged" { fault.message.clone() } else { fault.to_string() };
        eprint!("{}", output::wrap(&output::clean(&text), output::width(), "  "));
    }
    if let Some(report) = &outcome.report {
        if let Some(old) = &report.superseded {
            eprintln!("  supersedes {old}");
        }
        for warning in &report.warnings {
            eprint!("{}", output::wrap(&format!("warning: {warning}"), output::width(), "  "));
        }
    }
    if !outcome.sections.is_empty() {
        print(&tree(&outcome.sections));
    }
}

/// The sections that an ingest would make, indented by depth, with warnings below.
fn tree(sections: &[Previewed]) -> String {
    let mut out = String::new();
    for section in sections {
        if let Some(warning) = &section.warning {
            out.push_str(&output::wrap(&format!("warning: {warning}"), output::width(), "  "));
            continue;
        }
        let indent = "  ".repeat(usize::try_from(section.depth).unwrap_or(0).min(12) + 1);
        let parts = [section.number.as_deref(), section.title.as_deref()];
        let name: Vec<&str> = parts.into_iter().flatten().collect();
        let name = if name.is_empty() { format!("({})", section.kind) } else { name.join("  ") };
        let pages = output::pages(section.page_from, section.page_to)
            .map(|pages| format!("  {pages}"))
            .unwrap_or_default();
        out.push_str(&format!("{indent}{name}{pages}\n"));
    }
    out
}

fn summary(outcomes: &[Outcome]) -> String {
    let head =
        ["file", "result", "pages", "sections", "tables", "exceptions", "chunks", "pending", "seconds"];
    let rows: Vec<Vec<String>> = outcomes
        .iter()
        .map(|outcome| {
            let name = Path::new(&outcome.path).file_name().map(|name| name.to_string_lossy().into_owned());
            let mut row =
                vec![output::clean(&name.unwrap_or_else(|| outcome.path.clone())), outcome.result.to_owned()];
            let counts = outcome
                .report
                .as_ref()
                .map(|r| [r.pages, r.sections, r.tables, r.exceptions, r.chunks, r.pending]);
            match counts {
                Some(counts) => row.extend(counts.iter().map(ToString::to_string)),
                None => row.extend(std::iter::repeat_n(String::new(), 6)),
            }
            row.push(format!("{:.1}", outcome.seconds));
            row
        })
        .collect();
    let count = |result: &str| outcomes.iter().filter(|outcome| outcome.result == result).count();
    let mut out = output::table(&head, &rows);
    out.push_str(&format!(
        "\n{} ingested, {} unchanged, {} failed\n",
        count("ingested"),
        count("unchanged"),
        count("failed")
    ));
    if outcomes.iter().any(|outcome| outcome.report.as_ref().is_some_and(|report| report.pending > 0)) {
        out.push_str("Pending chunks are found by their words until CALL codecite.embed_pending();\n");
    }
    out
}
