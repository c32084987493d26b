//! `codecite amendments`: what the amending documents do.

use super::{Status, print, print_json, print_notices};
use crate::api::{self, Operation};
use crate::cli::AmendmentsArgs;
use crate::db::Db;
use crate::fault::Fault;
use crate::output;

/// Prints the operations in the order in which they apply.
pub async fn run(db: &Db, args: &AmendmentsArgs, json: bool) -> Result<Status, Fault> {
    let answer =
        api::amendments(db, args.corpus.as_deref(), args.number.as_deref(), args.as_of.as_deref()).await?;
    print_notices(&answer.notices);
    if json {
        print_json(&serde_json::json!({ "operations": answer.rows }));
    } else if answer.rows.is_empty() {
        print("No amending document that is indexed and in force changes anything there.\n");
    } else {
        print(&render(&answer.rows, output::width()));
    }
    Ok(Status::Ok)
}

fn render(rows: &[Operation], width: usize) -> String {
    let mut out = format!("{}\n", output::tally(rows.iter().map(|row| row.status.as_str())));
    for row in rows {
        out.push_str(&format!("\n{}\n", output::bold(&row.name())));
        let not_applied = (row.status != "applied").then(|| {
            let reason = row.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
            format!("{}{reason}", row.status)
        });
        let about = [row.citation.clone(), Some(format!("layer {}", row.layer)), not_applied];
        let about: Vec<String> = about.into_iter().flatten().collect();
        out.push_str(&output::wrap(&about.join(" · "), width, "  "));
        for text in [&row.instruction, &row.new_text].into_iter().flatten() {
            out.push_str(&output::wrap(text.trim_end(), width, "    "));
        }
    }
    out
}
