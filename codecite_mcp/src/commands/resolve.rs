//! `codecite resolve`: the references that a text makes.

use super::{Status, print, print_json, print_notices};
use crate::api::{self, Resolved};
use crate::cli::ResolveArgs;
use crate::db::Db;
use crate::fault::Fault;
use crate::output;

/// Prints the references; one that leads nowhere, or none at all, has its own exit code.
pub async fn run(db: &Db, args: &ResolveArgs, json: bool) -> Result<Status, Fault> {
    let text = args.text.join(" ");
    let answer = api::resolve(db, &text, args.corpus.as_deref(), args.as_of.as_deref()).await?;
    print_notices(&answer.notices);
    if json {
        print_json(&serde_json::json!({ "references": answer.rows }));
    } else if answer.rows.is_empty() {
        print("No reference was read in this text.\n");
    } else {
        print(&render(&answer.rows, output::width()));
    }
    let is_whole = !answer.rows.is_empty() && answer.rows.iter().all(|row| row.status == "found");
    Ok(if is_whole { Status::Ok } else { Status::NotCovered })
}

fn render(rows: &[Resolved], width: usize) -> String {
    let mut out = String::new();
    let mut last = String::new();
    for row in rows {
        let name = row.name();
        if name != last {
            out.push_str(&format!("{}\n", output::bold(&name)));
            last = name;
        }
        let line = match (row.status.as_str(), row.citation.as_deref()) {
            ("found", Some(citation)) => {
                let parts = [
                    Some(citation.to_owned()),
                    row.title.clone(),
                    row.layer.as_ref().map(|layer| format!("layer {layer}")),
                ];
                parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
            }
            ("not_indexed", _) => "nothing is indexed where it was looked for".to_owned(),
            _ => "not in this corpus".to_owned(),
        };
        out.push_str(&output::wrap(&line, width, "  "));
    }
    out
}
