//! `codecite search`: hits for people, or as JSON.

use super::{Status, print, print_json, print_notices};
use crate::api::{self, Hit, Search};
use crate::cli::SearchArgs;
use crate::db::Db;
use crate::fault::Fault;
use crate::output;

/// Prints the hits; a question that is not covered has its own exit code.
pub async fn run(db: &Db, args: &SearchArgs, json: bool) -> Result<Status, Fault> {
    let query = args.query.join(" ");
    let kinds: Vec<String> = args.kinds.iter().map(|kind| kind.as_str().to_owned()).collect();
    let search = Search {
        query: &query,
        corpora: (!args.corpus.is_empty()).then(|| args.corpus.clone()),
        k: args.k,
        kinds: (!kinds.is_empty()).then_some(kinds),
        layer: args.layer.as_deref(),
        chapter: args.chapter.as_deref(),
        as_of: args.as_of.as_deref(),
        mode: args.mode.as_str(),
    };
    let answer = api::search(db, &search).await?;
    print_notices(&answer.notices);
    let (coverage, note) = answer
        .rows
        .first()
        .map_or(("not_covered".to_owned(), None), |hit| (hit.coverage.clone(), hit.coverage_note.clone()));
    // A row without a citation only carries the verdict.
    let hits: Vec<Hit> = answer.rows.into_iter().filter(|hit| !hit.citation.is_empty()).collect();
    let is_covered = coverage != "not_covered";
    if json {
        print_json(&serde_json::json!({ "coverage": coverage, "coverage_note": note, "hits": hits }));
    } else {
        print(&render(&coverage, note.as_deref(), &hits, output::width()));
    }
    Ok(if is_covered { Status::Ok } else { Status::NotCovered })
}

fn render(coverage: &str, note: Option<&str>, hits: &[Hit], width: usize) -> String {
    let mut out = String::new();
    let verdict = match coverage {
        "covered" => None,
        "uncertain" => Some("Uncertain: check whether these sections answer the question"),
        _ => Some("Not covered by these corpora"),
    };
    let text = match (verdict, note) {
        (Some(verdict), Some(note)) => format!("{verdict}: {note}."),
        (Some(verdict), None) => format!("{verdict}."),
        (None, Some(note)) => format!("({note})"),
        (None, None) => String::new(),
    };
    if !text.is_empty() {
        out.push_str(&output::wrap(&text, width, ""));
        if !hits.is_empty() {
            out.push_str(if coverage == "not_covered" { "What comes nearest:\n\n" } else { "\n" });
        }
    }
    for (index, hit) in hits.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        out.push_str(&format!("{:>2}  {}\n", hit.rank, output::bold(&hit.citation)));
        if !hit.breadcrumb.is_empty() {
            out.push_str(&output::wrap(&hit.breadcrumb, width, "    "));
        }
        if let Some(by) = &hit.amended_by {
            out.push_str(&output::wrap(
                &format!("Amended by {by}: its text stands at the same rank."),
                width,
                "    ",
            ));
        }
        out.push('\n');
        out.push_str(&output::wrap(hit.body.trim_end(), width, "    "));
        if !hit.refs.is_empty() {
            out.push('\n');
            out.push_str(&output::wrap(&format!("See also {}", hit.refs.join(", ")), width, "    "));
        }
    }
    out
}
