//! `codecite drop`: deletes a corpus or a document.

use super::{Status, print, print_json};
use crate::api;
use crate::cli::DropArgs;
use crate::db::Db;
use crate::fault::{Fault, Kind};

/// Deletes what is named, if it was meant; otherwise says what would go.
pub async fn run(db: &Db, args: &DropArgs, json: bool) -> Result<Status, Fault> {
    if !args.yes {
        return Err(unconfirmed(db, args).await?);
    }
    let gone = match &args.document {
        Some(document) => {
            api::drop_document(db, &args.corpus, document, args.layer.as_deref(), args.edition.as_deref())
                .await?
        }
        None => api::drop_corpus(db, &args.corpus).await?,
    };
    if json {
        print_json(
            &serde_json::json!({ "corpus": args.corpus, "document": args.document, "documents_dropped": gone }),
        );
    } else {
        print(&format!("Dropped {}.\n", documents(gone)));
    }
    Ok(Status::Ok)
}

/// The error that names what would be deleted.
async fn unconfirmed(db: &Db, args: &DropArgs) -> Result<Fault, Fault> {
    let holdings = api::holdings(db, Some(&args.corpus)).await?;
    let is_meant =
        |wanted: &Option<String>, own: Option<&str>| wanted.as_deref().is_none_or(|name| own == Some(name));
    let going = holdings.documents.iter().filter(|document| {
        is_meant(&args.document, Some(&document.document))
            && is_meant(&args.layer, Some(&document.layer))
            && is_meant(&args.edition, document.edition.as_deref())
    });
    let going = i64::try_from(going.count()).unwrap_or(i64::MAX);
    if holdings.corpora.is_empty() || (going == 0 && args.document.is_some()) {
        let message =
            format!("there is no such corpus or document: nothing in \"{}\" would be deleted", args.corpus);
        return Ok(Fault::new(Kind::Input, message, "`codecite corpora` lists what is there."));
    }
    let what = match args.document {
        Some(_) => format!("{} of corpus \"{}\"", documents(going), args.corpus),
        None => format!("corpus \"{}\" with {}", args.corpus, documents(going)),
    };
    let message = format!("this would delete {what}; nothing was deleted");
    Ok(Fault::new(Kind::Input, message, "Give the command again with --yes to delete for good."))
}

fn documents(count: i64) -> String {
    if count == 1 { "1 document".to_owned() } else { format!("{count} documents") }
}
