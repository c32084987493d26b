//! The one tool that writes: a document below a folder that the operator has named. It is offered only where that was asked for.

use std::fs::File;
use std::io::Read;
use std::os::fd::AsRawFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use rmcp::model::{CallToolResult, ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RoleServer};
use schemars::JsonSchema;
use serde::Serialize;

use super::arguments::IngestArguments;
use super::render::{self, Bounded, cap_longest, drop_last, push_notes, push_truncated};
use super::tools::{CallError, budget, named};
use crate::api::{self, Ingest, Ingested};
use crate::cli::IngestOptions;
use crate::date;
use crate::db::{Answer, Db};
use crate::fault::{Fault, Kind};

/// The name of the tool.
pub const NAME: &str = "ingest_document";
const ENABLE: &str = "CODECITE_ENABLE_INGEST_TOOL";
const ROOT: &str = "CODECITE_INGEST_ROOT";
/// As for the command: a Postgres message holds 1 GB.
const MOST_BYTES: u64 = 900 << 20;

/// Where documents may be taken from, and the connections that may write.
#[derive(Clone)]
pub struct Ingesting {
    db: Arc<Db>,
    /// The folder, without links.
    root: PathBuf,
}

impl Ingesting {
    /// `None` unless the operator has enabled the tool; enabled by half is an error.
    pub fn new(db: Db) -> Result<Option<Ingesting>, Fault> {
        match std::env::var(ENABLE).as_deref() {
            Ok("1") => {}
            Ok("" | "0") | Err(_) => return Ok(None),
            Ok(_) => {
                return Err(Fault::new(
                    Kind::Input,
                    format!("{ENABLE} is neither 0 nor 1"),
                    "Set it to 1, or leave it out.",
                ));
            }
        }
        let next =
            format!("Set {ROOT} to the folder that documents may be taken from, or leave {ENABLE} out.");
        let root = std::env::var_os(ROOT).filter(|root| !root.is_empty());
        let root = root.ok_or_else(|| {
            Fault::new(Kind::Input, format!("{ENABLE} is set, and {ROOT} is not"), next.clone())
        })?;
        let root = Path::new(&root).canonicalize().ok().filter(|root| root.is_dir());
        let root = root
            .ok_or_else(|| Fault::new(Kind::Input, format!("{ROOT} is no folder that can be read"), next))?;
        Ok(Some(Ingesting { db: Arc::new(db), root }))
    }

    /// The bytes of a document below the root, and its name.
    fn read(&self, path: &str) -> Result<(Vec<u8>, String), CallError> {
        let wrong = |reason: &str| CallError::Arguments(format!("{path} {reason}"));
        let outside =
            || wrong("is not below the folder that documents may be taken from: pass a path relative to it");
        let given = Path::new(path);
        let below =
            if given.is_absolute() { given.strip_prefix(&self.root).map_err(|_| outside())? } else { given };
        // Before anything is opened: an error must not tell what there is elsewhere.
        if !below.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
            return Err(outside());
        }
        // Not waiting: it might be a pipe that nobody writes to.
        let file = File::options()
            .read(true)
            .custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY)
            .open(self.root.join(below));
        let file = file.map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => {
                wrong("does not exist below the folder that documents may be taken from")
            }
            _ => wrong("cannot be opened"),
        })?;
        // What was opened decides, and not what the path leads to now: a link may have changed in between.
        let real = opened(&file, &self.root.join(below)).ok_or_else(outside)?;
        if !real.starts_with(&self.root) {
            return Err(outside());
        }
        let about = file.metadata().map_err(|_| wrong("cannot be read"))?;
        if !about.is_file() {
            return Err(wrong("is no file: documents are ingested one by one"));
        }
        if about.len() > MOST_BYTES {
            return Err(wrong("is too large: split it into chapters"));
        }
        let mut content = Vec::new();
        file.take(MOST_BYTES).read_to_end(&mut content).map_err(|_| wrong("cannot be read"))?;
        let name = below.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        Ok((content, name))
    }
}

/// The real path of an open file. Linux tells it of the file itself; elsewhere the path is followed once more.
fn opened(file: &File, path: &Path) -> Option<PathBuf> {
    let link = format!("/proc/self/fd/{}", file.as_raw_fd());
    std::fs::read_link(link).or_else(|_| path.canonicalize()).ok()
}

/// Loads the document, and tells the client how far that is, if it asked to be told.
pub async fn call(
    ingesting: &Ingesting,
    arguments: IngestArguments,
    peer: &Peer<RoleServer>,
    token: Option<ProgressToken>,
) -> Result<CallToolResult, CallError> {
    let path = named(arguments.path, "path")?;
    let max_chars = budget(arguments.max_chars)?;
    let effective = arguments.effective.map(|days| date::range(&days)).transpose();
    let effective = effective.map_err(|wrong| CallError::Arguments(format!("effective: {wrong}")))?;
    let options = IngestOptions {
        corpus: named(arguments.corpus, "corpus")?,
        corpus_title: arguments.corpus_title,
        jurisdiction: arguments.jurisdiction,
        layer: arguments.layer.unwrap_or_else(|| "base".to_owned()),
        profile: arguments.profile.unwrap_or_else(|| "auto".to_owned()),
        document: arguments.document,
        title: arguments.title,
        edition: arguments.edition,
        effective,
        replace: arguments.replace.unwrap_or(false),
        no_embed: false,
    };
    let reader = ingesting.clone();
    let read = tokio::task::spawn_blocking(move || reader.read(&path)).await;
    let (content, filename) =
        read.map_err(|_| CallError::Arguments("the file could not be read".into()))??;
    let (sender, mut heard) = tokio::sync::mpsc::unbounded_channel();
    let ingest = Ingest { content, filename, options: &options };
    let mut work = std::pin::pin!(api::ingest(&ingesting.db, &ingest, |progress| {
        // The other end is held until the work is done.
        let _ = sender.send(progress);
    }));
    let mut highest = 0.0;
    let answer = loop {
        let progress = tokio::select! {
            result = &mut work => break result?,
            Some(progress) = heard.recv() => progress,
        };
        let percent = progress.percent();
        if let Some(token) = token.clone().filter(|_| percent > highest) {
            highest = percent;
            let message = format!("{} {}/{}", progress.stage, progress.done, progress.total);
            let told = ProgressNotificationParam::new(token, percent).with_total(100.0).with_message(message);
            // A client that cannot be told still gets its answer.
            let _ = peer.notify_progress(told).await;
        }
    };
    Ok(render::reply(IngestResult::new(answer), max_chars))
}

/// The answer of `ingest_document`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct IngestResult {
    /// What was stored, in one sentence.
    summary: String,
    /// Counts, the keys to address it with, and warnings of the reader. Look at the warnings before you rely on the text.
    report: Option<Ingested>,
    /// Notices of the server.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    /// What was cut to keep the budget.
    #[serde(skip_serializing_if = "Option::is_none")]
    truncated: Option<String>,
}

impl IngestResult {
    fn new(answer: Answer<Ingested>) -> IngestResult {
        let report = answer.rows.into_iter().next();
        let summary = report.as_ref().map_or_else(String::new, |report| {
            let old =
                report.superseded.as_ref().map(|old| format!("; it supersedes {old}")).unwrap_or_default();
            format!(
                "ingested document {} into corpus {}, layer {}: {} pages, {} sections, {} tables{old}",
                report.document, report.corpus, report.layer, report.pages, report.sections, report.tables
            )
        });
        IngestResult { summary, report, notes: answer.notices, truncated: None }
    }
}

impl Bounded for IngestResult {
    fn text(&self) -> String {
        let mut out = format!("{}\n", self.summary);
        push_notes(&mut out, &self.notes);
        for warning in self.report.iter().flat_map(|report| &report.warnings) {
            out.push_str(&format!("warning: {warning}\n"));
        }
        push_truncated(&mut out, self.truncated.as_deref());
        out
    }

    fn shrink(&mut self, excess: usize) -> bool {
        self.truncated =
            Some("warnings are cut or left out; codecite ingest --dry-run lists them".to_owned());
        let Some(report) = &mut self.report else {
            return drop_last(&mut self.notes, excess, 100);
        };
        cap_longest(report.warnings.iter_mut())
            || drop_last(&mut report.warnings, excess, 100)
            || drop_last(&mut self.notes, excess, 100)
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::db::Session;
    use crate::target::Target;

    fn below(root: &Path) -> Ingesting {
        let target = Target::new(Some("postgresql://u@127.0.0.1:1/x"), |_| None).unwrap();
        let session = Session { timeout: std::time::Duration::ZERO, connections: 1, read_only: false };
        Ingesting { db: Arc::new(Db::new(target, session)), root: root.canonicalize().unwrap() }
    }

    #[test]
    fn only_files_below_the_root_are_read() {
        let folder = std::env::temp_dir().join(format!("codecite-root-{}", std::process::id()));
        let root = folder.join("root");
        std::fs::create_dir_all(root.join("in")).unwrap();
        std::fs::write(root.join("in/a.md"), "inside").unwrap();
        std::fs::write(folder.join("secret.md"), "outside").unwrap();
        std::fs::create_dir_all(folder.join("root-2")).unwrap();
        std::fs::write(folder.join("root-2/b.md"), "outside").unwrap();
        symlink("in/a.md", root.join("good-link.md")).unwrap();
        symlink(folder.join("secret.md"), root.join("bad-link.md")).unwrap();
        symlink(&folder, root.join("up")).unwrap();
        symlink("/dev/zero", root.join("zero.md")).unwrap();
        let ingesting = below(&root);
        let absolute = ingesting.root.join("in/a.md");
        for good in ["in/a.md", "./in/a.md", "good-link.md", absolute.to_str().unwrap()] {
            assert_eq!(ingesting.read(good).unwrap().0, b"inside", "{good}");
        }
        let secret = folder.join("secret.md");
        let sibling = folder.join("root-2/b.md");
        let gone = folder.join("no-such-file");
        let bad = [
            "../secret.md",
            "in/../../secret.md",
            "bad-link.md",
            "up/secret.md",
            "zero.md",
            "/etc/passwd",
            "../no-such-file",
        ];
        let absolute = [secret.to_str().unwrap(), sibling.to_str().unwrap(), gone.to_str().unwrap()];
        for bad in bad.into_iter().chain(absolute) {
            match ingesting.read(bad) {
                Err(CallError::Arguments(text)) => assert!(text.contains("is not below"), "{text}"),
                other => panic!("{bad}: {other:?}"),
            }
        }
        for (bad, word) in [("in", "is no file"), ("in/b.md", "does not exist"), ("", "is no file")] {
            assert!(
                matches!(ingesting.read(bad), Err(CallError::Arguments(text)) if text.contains(word)),
                "{bad}"
            );
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
