//! `codecite compare`: what changed between two corpora or editions.

use super::{Status, print, print_json, print_notices};
use crate::api::{self, Compare, Difference};
use crate::cli::CompareArgs;
use crate::db::Db;
use crate::fault::Fault;
use crate::output;

/// Prints the sections that differ, with the difference by words.
pub async fn run(db: &Db, args: &CompareArgs, json: bool) -> Result<Status, Fault> {
    let question = Compare {
        corpus_a: &args.corpus_a,
        corpus_b: &args.corpus_b,
        chapter: args.chapter.as_deref(),
        edition_a: args.edition_a.as_deref(),
        edition_b: args.edition_b.as_deref(),
    };
    let answer = api::compare(db, &question).await?;
    print_notices(&answer.notices);
    if json {
        print_json(&serde_json::json!({ "changes": answer.rows }));
    } else {
        print(&render(&question, &answer.rows, output::width()));
    }
    Ok(Status::Ok)
}

fn render(question: &Compare<'_>, rows: &[Difference], width: usize) -> String {
    let summary = match rows {
        [] => "no section differs".to_owned(),
        rows => output::tally(rows.iter().map(|row| row.change.as_str())),
    };
    let mut out = output::wrap(&format!("{}: {summary}.", question.name()), width, "");
    for row in rows {
        out.push_str(&format!("\n{}\n", output::bold(&format!("{}: {}", row.change, row.name()))));
        let citations: Vec<&str> =
            [row.citation_a.as_deref(), row.citation_b.as_deref()].into_iter().flatten().collect();
        out.push_str(&output::wrap(&citations.join(" → "), width, "  "));
        if let Some(redline) = &row.redline {
            out.push_str(&output::paint(&output::wrap(redline.trim_end(), width, "    ")));
        }
    }
    out
}
