//! The answer of `get_context`.

use schemars::JsonSchema;
use serde::Serialize;

use super::render::{Bounded, push_notes, push_truncated};
use crate::api::Related;
use crate::db::Answer;

/// The answer of `get_context`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ContextResult {
    /// found; not_in_corpus (indexed, no such number); not_indexed (no document there: nothing can be said).
    status: String,
    /// On what was not found: the nearest numbers, or what is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    /// The parts around it: first the parent, then siblings, children, references, and what refers to it.
    related: Vec<Related>,
    /// Notices of the server.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    /// What was cut to keep the budget, and how to get it.
    #[serde(skip_serializing_if = "Option::is_none")]
    truncated: Option<String>,
    #[serde(skip)]
    asked: String,
    #[serde(skip)]
    total: usize,
}

impl ContextResult {
    /// Takes the status of the number off the rows.
    pub fn new(answer: Answer<Related>, number: &str, corpus: Option<&str>) -> ContextResult {
        let missing = answer.rows.iter().find(|row| row.relation.is_none() && row.status != "found");
        let status = missing.map_or_else(|| "found".to_owned(), |row| row.status.clone());
        let note = missing.and_then(|row| row.note.clone());
        let related: Vec<Related> = answer.rows.into_iter().filter(|row| row.relation.is_some()).collect();
        let asked = corpus.map_or_else(|| number.to_owned(), |corpus| format!("{number} in corpus {corpus}"));
        let total = related.len();
        ContextResult { status, note, related, notes: answer.notices, truncated: None, asked, total }
    }
}

impl Bounded for ContextResult {
    fn text(&self) -> String {
        let mut out = format!("status: {}\n", self.status);
        if self.status != "found" {
            let note = self.note.as_ref().map(|note| format!(" ({note})")).unwrap_or_default();
            let meaning = match self.status.as_str() {
                "not_indexed" => {
                    "no document is indexed there, so nothing can be said about it. list_corpora shows what is indexed."
                }
                _ => "the indexed text has no such number. Do not cite it.",
            };
            out.push_str(&format!("{}: {meaning}{note}\n", self.asked));
        }
        push_notes(&mut out, &self.notes);
        let mut last = "";
        for row in &self.related {
            let relation = row.relation.as_deref().unwrap_or_default();
            if relation != last {
                out.push_str(&format!("\n{relation}:\n"));
                last = relation;
            }
            let name = [row.number.as_deref(), row.title.as_deref()];
            let name = name.into_iter().flatten().collect::<Vec<_>>().join(" ");
            let about = match (row.status.as_str(), row.citation.as_deref()) {
                ("found", Some(citation)) => {
                    format!("{citation}, layer {}", row.layer.as_deref().unwrap_or_default())
                }
                _ => "not in this corpus: do not cite it".to_owned(),
            };
            out.push_str(&format!("- {name} · {about}\n"));
        }
        push_truncated(&mut out, self.truncated.as_deref());
        out
    }

    fn shrink(&mut self, excess: usize) -> bool {
        // A line has some 100 characters; what is near stands first, and goes last.
        let goes = (excess / 100 + 1).min(self.related.len());
        self.related.truncate(self.related.len() - goes);
        self.truncated = Some(format!(
            "{} of {} parts are shown; pass a larger max_chars, or name a corpus and layer",
            self.related.len(),
            self.total
        ));
        goes > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(rows: serde_json::Value) -> Answer<Related> {
        Answer { rows: serde_json::from_value(rows).unwrap(), notices: Vec::new() }
    }

    #[test]
    fn a_number_that_is_not_there_is_not_an_empty_answer() {
        let rows =
            serde_json::json!([{ "relation": null, "status": "not_in_corpus", "note": "nearest: 1004.5" }]);
        let text = ContextResult::new(answer(rows), "1004.55", Some("x")).text();
        assert!(text.contains("1004.55 in corpus x: the indexed text has no such number"), "{text}");
        assert!(text.contains("nearest: 1004.5"));
    }

    #[test]
    fn what_is_near_is_kept_and_what_is_cut_is_told() {
        let row = |relation: &str, n: usize| serde_json::json!({ "relation": relation, "number": format!("{n}"), "status": "found", "citation": "Code", "layer": "base" });
        let mut rows = vec![row("parent", 1)];
        rows.extend((0..500).map(|n| row("referenced_by", n)));
        let mut result = ContextResult::new(answer(rows.into()), "1", None);
        while result.text().len() > 2_000 {
            let excess = result.text().len() - 2_000;
            assert!(result.shrink(excess));
        }
        let text = result.text();
        assert!(text.contains("parent:\n- 1 · Code") && text.contains("of 501 parts are shown"), "{text}");
    }
}
