//! `codecite context`: what stands around a section.

use super::{Status, not_there, print, print_json, print_notices};
use crate::api::{self, Related};
use crate::cli::SectionArgs;
use crate::db::Db;
use crate::fault::Fault;
use crate::output;

/// Prints the parts around a section, one line each; a number that is not there has its own exit code.
pub async fn run(db: &Db, args: &SectionArgs, json: bool) -> Result<Status, Fault> {
    let answer =
        api::context(db, &args.number, args.corpus.as_deref(), args.layer.as_deref(), args.as_of.as_deref())
            .await?;
    print_notices(&answer.notices);
    let missing = answer.rows.iter().find(|row| row.relation.is_none() && row.status != "found");
    let status = missing.map_or("found", |row| row.status.as_str());
    let note = missing.and_then(|row| row.note.as_deref());
    let related: Vec<&Related> = answer.rows.iter().filter(|row| row.relation.is_some()).collect();
    if json {
        print_json(&serde_json::json!({ "status": status, "note": note, "related": related }));
    } else if missing.is_some() {
        print(&not_there(&args.number, status, note));
    } else {
        print(&render(&related, output::width()));
    }
    Ok(if missing.is_some() { Status::NotCovered } else { Status::Ok })
}

fn render(related: &[&Related], width: usize) -> String {
    let mut out = String::new();
    let mut last = "";
    for row in related {
        let relation = row.relation.as_deref().unwrap_or_default();
        if relation != last {
            let heading = match relation {
                "parent" => "Part of",
                "sibling" => "Beside it",
                "child" => "Contains",
                "reference" => "Refers to",
                "referenced_by" => "Referred to by",
                other => other,
            };
            out.push_str(&format!("{}\n", output::bold(heading)));
            last = relation;
        }
        let name = [row.number.as_deref(), row.title.as_deref()];
        let mut line = name.into_iter().flatten().collect::<Vec<_>>().join(" ");
        if row.status != "found" {
            line.push_str(" (not in this corpus)");
        } else if let Some(layer) = row.layer.as_deref().filter(|layer| *layer != "base") {
            line.push_str(&format!(" (layer {layer})"));
        }
        out.push_str(&output::wrap(&line, width, "  "));
    }
    out
}
