//! The answer of `resolve_reference`.

use schemars::JsonSchema;
use serde::Serialize;

use super::render::{Bounded, drop_last, push_notes, push_truncated};
use crate::api::Resolved;
use crate::db::Answer;
use crate::output::tally;

/// The answer of `resolve_reference`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ResolveResult {
    /// How many texts were found, and how many references lead nowhere: "3 found, 1 not_in_corpus".
    summary: String,
    /// The references in the order of the text; one that several layers or corpora have stands once for each.
    references: Vec<Resolved>,
    /// Notices of the server.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    /// What was cut to keep the budget, and how to get it.
    #[serde(skip_serializing_if = "Option::is_none")]
    truncated: Option<String>,
    #[serde(skip)]
    total: usize,
}

impl ResolveResult {
    /// All of it, to begin with.
    pub fn new(answer: Answer<Resolved>) -> ResolveResult {
        let summary = match answer.rows.as_slice() {
            [] => "no reference was read in this text".to_owned(),
            rows => tally(rows.iter().map(|row| row.status.as_str())),
        };
        let total = answer.rows.len();
        ResolveResult { summary, references: answer.rows, notes: answer.notices, truncated: None, total }
    }
}

impl Bounded for ResolveResult {
    fn text(&self) -> String {
        let mut out = format!("{}\n", self.summary);
        push_notes(&mut out, &self.notes);
        for row in &self.references {
            let about = match (row.status.as_str(), row.citation.as_deref()) {
                ("found", Some(citation)) => {
                    let title = row.title.as_ref().map(|title| format!(" · {title}")).unwrap_or_default();
                    let place = [row.corpus.as_deref(), row.layer.as_deref()];
                    let place: Vec<&str> = place.into_iter().flatten().collect();
                    format!("{citation}{title} · {}", place.join(", layer "))
                }
                ("not_indexed", _) => "not_indexed: no document is there, so nothing can be said".to_owned(),
                (status, _) => format!("{status}: do not cite it"),
            };
            out.push_str(&format!("- {} · {about}\n", row.name()));
        }
        push_truncated(&mut out, self.truncated.as_deref());
        out
    }

    fn shrink(&mut self, excess: usize) -> bool {
        let lost = drop_last(&mut self.references, excess, 250);
        let (shown, total) = (self.references.len(), self.total);
        self.truncated = Some(format!(
            "{shown} of {total} references are shown; pass the text in parts, name a corpus, or pass a larger max_chars"
        ));
        lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_there_is_not_to_be_cited() {
        let rows = serde_json::json!([
            { "target": "1004.5", "locator": "Exception 1", "status": "found", "citation": "Code §1004.5", "corpus": "c", "layer": "base" },
            { "target": "9999.1", "through": "9999.4", "status": "not_in_corpus" },
        ]);
        let answer = Answer { rows: serde_json::from_value(rows).unwrap(), notices: Vec::new() };
        let text = ResolveResult::new(answer).text();
        assert!(text.starts_with("1 found, 1 not_in_corpus\n"), "{text}");
        assert!(text.contains("1004.5, Exception 1 · Code §1004.5"), "{text}");
        assert!(text.contains("9999.1 to 9999.4 · not_in_corpus: do not cite it"), "{text}");
    }

    #[test]
    fn a_text_without_references_is_told() {
        let text = ResolveResult::new(Answer { rows: Vec::new(), notices: Vec::new() }).text();
        assert!(text.contains("no reference was read"), "{text}");
    }
}
