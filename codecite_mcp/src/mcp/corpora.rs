//! The answer of `list_corpora`.

use schemars::JsonSchema;
use serde::Serialize;

use super::render::{Bounded, push_about, push_truncated};
use crate::api::{Corpus, Document, Holdings};

/// The answer of `list_corpora`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CorporaResult {
    /// The corpora.
    corpora: Vec<Corpus>,
    /// Their documents.
    documents: Vec<Document>,
    /// What was cut to keep the budget, and how to get it.
    #[serde(skip_serializing_if = "Option::is_none")]
    truncated: Option<String>,
    #[serde(skip)]
    asked: Option<String>,
    #[serde(skip)]
    totals: (usize, usize),
}

impl CorporaResult {
    /// All of it, to begin with.
    pub fn new(holdings: Holdings, asked: Option<String>) -> CorporaResult {
        let totals = (holdings.corpora.len(), holdings.documents.len());
        CorporaResult {
            corpora: holdings.corpora,
            documents: holdings.documents,
            truncated: None,
            asked,
            totals,
        }
    }
}

impl Bounded for CorporaResult {
    fn text(&self) -> String {
        let mut out = String::new();
        if self.corpora.is_empty() {
            out.push_str(&match &self.asked {
                Some(name) => format!("No corpus \"{name}\" is indexed, or this role may not see it. Call list_corpora without arguments for all.\n"),
                None => "Nothing is indexed, or this role may see nothing. An operator loads documents with `codecite ingest`.\n".to_owned(),
            });
        }
        for corpus in &self.corpora {
            let title = corpus.title.as_deref().filter(|title| *title != corpus.corpus);
            let about = [title, corpus.jurisdiction.as_deref()];
            let about: Vec<&str> = about.into_iter().flatten().collect();
            let about = if about.is_empty() { String::new() } else { format!(": {}", about.join(", ")) };
            out.push_str(&format!(
                "{}{about} ({} documents, {} sections)\n",
                corpus.corpus, corpus.documents, corpus.sections
            ));
            if corpus.pending > 0 {
                out.push_str(&format!(
                    "  {} of {} chunks are found by their words only\n",
                    corpus.pending, corpus.chunks
                ));
            }
            for document in self.documents.iter().filter(|document| document.corpus == corpus.corpus) {
                let about = [
                    Some(format!("  {}", document.layer)),
                    Some(document.document.clone()),
                    document.title.clone().filter(|title| *title != document.document),
                    document.edition.as_ref().map(|edition| format!("edition {edition}")),
                    document.effective.as_ref().map(|days| format!("in force {days}")),
                    document.superseded.then(|| "superseded".to_owned()),
                ];
                push_about(&mut out, about);
            }
        }
        push_truncated(&mut out, self.truncated.as_deref());
        out
    }

    fn shrink(&mut self, excess: usize) -> bool {
        // About 100 characters a line: less than enough is tried again.
        let lines = (excess / 400).max(1);
        let lost = if self.documents.is_empty() {
            self.corpora.truncate(self.corpora.len().saturating_sub(lines));
            !self.corpora.is_empty()
        } else {
            self.documents.truncate(self.documents.len().saturating_sub(lines));
            true
        };
        self.truncated = Some(format!(
            "{} of {} corpora and {} of {} documents are shown; name a corpus, or pass a larger max_chars, for the others.",
            self.corpora.len(),
            self.totals.0,
            self.documents.len(),
            self.totals.1,
        ));
        lost
    }
}
