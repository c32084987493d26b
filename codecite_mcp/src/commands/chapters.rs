//! `codecite chapters`: the outline of a corpus.

use super::{Status, print, print_json, print_notices};
use crate::api;
use crate::cli::ChaptersArgs;
use crate::db::Db;
use crate::fault::Fault;
use crate::outline;

/// Prints the chapters with their main sections, the base first.
pub async fn run(db: &Db, args: &ChaptersArgs, json: bool) -> Result<Status, Fault> {
    let answer = api::toc(db, &args.corpus).await?;
    print_notices(&answer.notices);
    let documents = outline::outline(&answer.rows, false);
    if json {
        print_json(&serde_json::json!({ "corpus": args.corpus, "documents": documents }));
    } else if documents.is_empty() {
        print("No document of this corpus is in force, or none has numbered parts.\n");
    } else {
        print(outline::render(&documents).trim_start_matches('\n'));
    }
    Ok(Status::Ok)
}
