//! `codecite define`: what a term means.

use super::{Status, not_there, print, print_json, print_notices};
use crate::api::{self, Defined};
use crate::cli::DefineArgs;
use crate::db::Db;
use crate::fault::Fault;
use crate::output;

/// Prints the definitions of a term, the highest layer first; a term that is not there has its own exit code.
pub async fn run(db: &Db, args: &DefineArgs, json: bool) -> Result<Status, Fault> {
    let term = args.term.join(" ");
    let answer =
        api::define(db, &term, args.corpus.as_deref(), args.layer.as_deref(), args.as_of.as_deref()).await?;
    print_notices(&answer.notices);
    let missing = answer.rows.iter().find(|row| row.status != "found");
    let status = missing.map_or("found", |row| row.status.as_str());
    let note = missing.and_then(|row| row.note.as_deref());
    let found: Vec<&Defined> = answer.rows.iter().filter(|row| row.status == "found").collect();
    if json {
        print_json(&serde_json::json!({ "status": status, "note": note, "definitions": found }));
    } else if found.is_empty() {
        print(&not_there(&format!("A definition of “{term}”"), status, note));
    } else {
        let parts: Vec<String> = found.iter().map(|row| render(row, output::width())).collect();
        print(&parts.join("\n"));
    }
    Ok(if found.is_empty() { Status::NotCovered } else { Status::Ok })
}

fn render(row: &Defined, width: usize) -> String {
    let mut out = format!("{}\n", output::bold(row.citation.as_deref().unwrap_or_default()));
    let about = [
        row.layer.as_ref().map(|layer| format!("layer {layer}")),
        row.aliases
            .as_ref()
            .filter(|names| !names.is_empty())
            .map(|names| format!("also {}", names.join(", "))),
        row.via.as_ref().map(|term| format!("because “{term}” sends here")),
    ];
    out.push_str(&output::wrap(&about.into_iter().flatten().collect::<Vec<_>>().join(" · "), width, ""));
    out.push('\n');
    out.push_str(&output::wrap(row.definition.as_deref().unwrap_or_default().trim_end(), width, ""));
    out
}
