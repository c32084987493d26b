//! `codecite export`: the text of a corpus, as it is stored.

use std::fs::File;
use std::io::{BufWriter, Write};

use super::{Status, print_notices};
use crate::api::{self, Exported};
use crate::cli::{ExportArgs, ExportFormat};
use crate::db::Db;
use crate::fault::{Fault, Kind};

/// Markdown knows no deeper heading.
const DEEPEST: usize = 6;

/// Writes the corpus out, piece by piece. Whoever may read it may export it; who else may have the text, its licence says.
pub async fn run(db: &Db, args: &ExportArgs, json: bool) -> Result<Status, Fault> {
    let default = if json { ExportFormat::Jsonl } else { ExportFormat::Markdown };
    let format = args.format.unwrap_or(default);
    let piece =
        async |after| api::export(db, &args.corpus, args.document.as_deref(), args.all_editions, after).await;
    let mut answer = piece((0, -1)).await?;
    if answer.rows.is_empty() {
        let what = args.document.as_ref().map(|key| format!(" with document \"{key}\"")).unwrap_or_default();
        let message = format!("there is no corpus \"{}\"{what} that this role can read", args.corpus);
        return Err(Fault::new(Kind::Input, message, "`codecite corpora` lists what is there."));
    }
    let mut out = writer(args)?;
    let mut before: Option<Exported> = None;
    while let Some(last) = answer.rows.last() {
        let after = (last.document_id, last.ordinal);
        print_notices(&answer.notices);
        for section in answer.rows {
            let written = match format {
                ExportFormat::Jsonl => {
                    serde_json::to_string(&section).map(|line| format!("{line}\n")).map_err(Into::into)
                }
                ExportFormat::Markdown => Ok(markdown(&section, before.as_ref())),
            };
            match written.and_then(|text| out.write_all(text.as_bytes())) {
                Ok(()) => before = Some(section),
                // A reader that has gone away (`codecite … | head`) has had enough.
                Err(error) if args.out.is_none() && error.kind() == std::io::ErrorKind::BrokenPipe => {
                    return Ok(Status::Ok);
                }
                Err(error) => return Err(unwritable(args, &error)),
            }
        }
        answer = piece(after).await?;
    }
    match out.flush() {
        Err(error) if args.out.is_some() => Err(unwritable(args, &error)),
        _ => Ok(Status::Ok),
    }
}

fn writer(args: &ExportArgs) -> Result<Box<dyn Write>, Fault> {
    match &args.out {
        Some(path) => {
            let file = File::options()
                .write(true)
                .create_new(true)
                .open(path)
                .map_err(|error| unwritable(args, &error))?;
            Ok(Box::new(BufWriter::new(file)))
        }
        None => Ok(Box::new(BufWriter::new(std::io::stdout().lock()))),
    }
}

fn unwritable(args: &ExportArgs, error: &std::io::Error) -> Fault {
    let name =
        args.out.as_ref().map_or_else(|| "standard output".to_owned(), |path| path.display().to_string());
    Fault::new(
        Kind::Input,
        format!("{name} cannot be written: {error}"),
        "Name a new file in a folder that can be written to.",
    )
}

/// The section's text; the line that bears its number becomes a heading. A document begins with what it is.
fn markdown(section: &Exported, before: Option<&Exported>) -> String {
    let mut out = String::new();
    if before.is_none_or(|before| before.document_id != section.document_id) {
        let about = [
            Some(format!("corpus: {}", section.corpus)),
            Some(format!("layer: {}", section.layer)),
            Some(format!("document: {}", section.document)),
            section.edition.as_ref().map(|edition| format!("edition: {edition}")),
            section.effective.as_ref().map(|days| format!("effective: {days}")),
        ];
        let about: Vec<String> = about.into_iter().flatten().collect();
        let gap = if before.is_some() { "\n" } else { "" };
        // In a comment nothing may end the comment.
        out.push_str(&format!("{gap}<!-- {} -->\n\n", about.join("; ").replace("--", "- -")));
    }
    let body = section.body.trim_end();
    let (first, rest) = body.split_once('\n').unwrap_or((body, ""));
    // "CHAPTER 10" bears the number Chapter 10.
    let line = first.to_lowercase();
    let has_heading = [&section.number, &section.title]
        .into_iter()
        .flatten()
        .any(|name| !name.is_empty() && line.contains(&name.to_lowercase()));
    if has_heading && !first.starts_with('#') && !first.trim_start().starts_with('|') {
        let depth = usize::try_from(section.depth).unwrap_or(0).saturating_add(1).min(DEEPEST);
        out.push_str(&format!("{} {first}\n{rest}\n\n", "#".repeat(depth)));
    } else if !body.is_empty() {
        out.push_str(&format!("{body}\n\n"));
    }
    out
}
