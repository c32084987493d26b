//! `codecite corpora`: what is indexed.

use super::{Status, print, print_json};
use crate::api::{self, Document, Holdings};
use crate::cli::CorporaArgs;
use crate::db::Db;
use crate::fault::Fault;
use crate::output;

/// Prints the corpora with their documents; one that is named and not there has its own exit code.
pub async fn run(db: &Db, args: &CorporaArgs, json: bool) -> Result<Status, Fault> {
    let holdings = api::holdings(db, args.corpus.as_deref()).await?;
    let is_missing = holdings.corpora.is_empty() && args.corpus.is_some();
    if json {
        print_json(&serde_json::json!({ "corpora": holdings.corpora, "documents": holdings.documents }));
    } else if let Some(corpus) = args.corpus.as_ref().filter(|_| is_missing) {
        print(&format!("There is no corpus “{corpus}”, or this role may not see it.\n"));
    } else if holdings.corpora.is_empty() {
        print("Nothing is indexed, or this role may see nothing. `codecite ingest` loads documents.\n");
    } else {
        print(&render(&holdings));
    }
    Ok(if is_missing { Status::NotCovered } else { Status::Ok })
}

fn render(holdings: &Holdings) -> String {
    let mut out = String::new();
    for (index, corpus) in holdings.corpora.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        let title = corpus.title.as_ref().filter(|title| **title != corpus.corpus);
        let about = [title, corpus.jurisdiction.as_ref()];
        let about: Vec<&str> = about.into_iter().flatten().map(String::as_str).collect();
        let about = if about.is_empty() { String::new() } else { format!("  {}", about.join(", ")) };
        out.push_str(&format!("{}{about}\n", output::bold(&corpus.corpus)));
        if corpus.pending > 0 {
            out.push_str(&format!("  {} of {} chunks have no vector yet\n", corpus.pending, corpus.chunks));
        }
        let own = holdings.documents.iter().filter(|document| document.corpus == corpus.corpus);
        let rows: Vec<Vec<String>> = own.map(row).collect();
        let table = output::table(&["layer", "document", "edition", "in force", "sections"], &rows);
        out.push_str(&table.lines().map(|line| format!("  {line}\n")).collect::<String>());
    }
    out
}

fn row(document: &Document) -> Vec<String> {
    let days = document.effective.clone().unwrap_or_default();
    vec![
        document.layer.clone(),
        document.document.clone(),
        document.edition.clone().unwrap_or_default(),
        if document.superseded { format!("{days} superseded").trim().to_owned() } else { days },
        document.sections.to_string(),
    ]
}
