//! `codecite verify`: a drafted answer, checked.

use std::io::Read;

use super::{Status, print, print_json, print_notices};
use crate::api::{self, Checked};
use crate::cli::ResolveArgs;
use crate::db::Db;
use crate::fault::Fault;
use crate::output;

/// Prints a verdict on each citation and quotation; anything but right ones has its own exit code. `-` reads standard input.
pub async fn run(db: &Db, args: &ResolveArgs, json: bool) -> Result<Status, Fault> {
    let mut text = args.text.join(" ");
    if text == "-" {
        text.clear();
        // What is no UTF-8 cannot be quoted either.
        let mut bytes = Vec::new();
        if std::io::stdin().read_to_end(&mut bytes).is_ok() {
            text = String::from_utf8_lossy(&bytes).into_owned();
        }
    }
    let answer = api::verify(db, &text, args.corpus.as_deref(), args.as_of.as_deref()).await?;
    print_notices(&answer.notices);
    if json {
        print_json(&serde_json::json!({ "claims": answer.rows }));
    } else if answer.rows.is_empty() {
        print("No citation and no quotation was read in this text.\n");
    } else {
        print(&answer.rows.iter().map(|row| render(row, output::width())).collect::<Vec<_>>().join("\n"));
    }
    Ok(if answer.rows.iter().all(Checked::is_right) { Status::Ok } else { Status::NotCovered })
}

fn render(row: &Checked, width: usize) -> String {
    let mut out = format!("{}\n", output::bold(&row.verdict));
    out.push_str(&output::wrap(&row.passage, width, "  "));
    if let Some(citation) = &row.citation {
        out.push_str(&output::wrap(&format!("checked against {citation}"), width, "  "));
    }
    if let Some(text) = row.redline.as_ref().or(row.nearest.as_ref()) {
        out.push_str(&output::wrap(&format!("true words: {text}"), width, "  "));
    }
    for note in &row.notes {
        out.push_str(&output::wrap(note, width, "  "));
    }
    out
}
