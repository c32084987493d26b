//! The answer of `list_amendments`.

use schemars::JsonSchema;
use serde::Serialize;

use super::render::{
    Bounded, cap_longest, drop_last, drop_last_texts, push_about, push_notes, push_quote, push_truncated,
};
use crate::api::Operation;
use crate::db::Answer;
use crate::output::tally;

/// The answer of `list_amendments`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AmendmentsResult {
    /// How many operations were applied, and how many are ambiguous or failed.
    summary: String,
    /// The operations, in the order in which they apply.
    operations: Vec<Operation>,
    /// Notices of the server.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    /// What was cut to keep the budget, and how to get it.
    #[serde(skip_serializing_if = "Option::is_none")]
    truncated: Option<String>,
    #[serde(skip)]
    total: usize,
}

impl AmendmentsResult {
    /// All of it, to begin with.
    pub fn new(answer: Answer<Operation>, corpus: Option<&str>, number: Option<&str>) -> AmendmentsResult {
        let summary = match answer.rows.as_slice() {
            [] => {
                let whose =
                    corpus.map_or_else(|| "any corpus".to_owned(), |corpus| format!("corpus {corpus}"));
                let what = number.map_or_else(|| "anything".to_owned(), |number| format!("section {number}"));
                format!("no amending document of {whose} that is indexed and in force changes {what}")
            }
            rows => tally(rows.iter().map(|row| row.status.as_str())),
        };
        let total = answer.rows.len();
        AmendmentsResult { summary, operations: answer.rows, notes: answer.notices, truncated: None, total }
    }
}

impl Bounded for AmendmentsResult {
    fn text(&self) -> String {
        let mut out = format!("{}\n", self.summary);
        push_notes(&mut out, &self.notes);
        for row in &self.operations {
            out.push_str(&format!("\n{}\n", row.name()));
            let reason = row.reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default();
            let about = [
                row.citation.clone(),
                Some(format!("corpus {}", row.corpus)),
                Some(format!("layer {}", row.layer)),
                Some(format!("{}{reason}", row.status)),
            ];
            push_about(&mut out, about);
            for text in [&row.instruction, &row.new_text].into_iter().flatten() {
                push_quote(&mut out, text);
            }
        }
        push_truncated(&mut out, self.truncated.as_deref());
        out
    }

    fn shrink(&mut self, excess: usize) -> bool {
        let rows = &mut self.operations;
        let lost =
            cap_longest(rows.iter_mut().flat_map(|row| [&mut row.instruction, &mut row.new_text]).flatten())
                || drop_last_texts(rows.iter_mut().map(|row| &mut row.new_text), excess)
                || drop_last(rows, excess, 400);
        let (shown, total) = (self.operations.len(), self.total);
        let rows = if shown < total {
            format!("{shown} of {total} operations are shown, and ")
        } else {
            String::new()
        };
        self.truncated = Some(format!(
            "{rows}texts are cut or left out; name a corpus and a number, pass a larger max_chars, or read the section with get_section"
        ));
        lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(rows: serde_json::Value, number: Option<&str>) -> AmendmentsResult {
        let answer = Answer { rows: serde_json::from_value(rows).unwrap(), notices: Vec::new() };
        AmendmentsResult::new(answer, Some("c"), number)
    }

    #[test]
    fn what_was_not_applied_says_why() {
        let text = result(
            serde_json::json!([{ "corpus": "c", "layer": "amendment", "document": "d", "operation": "revise", "target": "1.1",
                "scope": "Exception 2", "status": "failed", "reason": "the base has no Exception 2",
                "instruction": "Exception 2 of Section 1.1 is revised.", "new_text": "2. New.", "citation": "D §1.1" }]),
            None,
        )
        .text();
        assert!(text.starts_with("1 failed\n"), "{text}");
        assert!(text.contains("revise 1.1, Exception 2\nD §1.1 · corpus c · layer amendment · failed (the base has no Exception 2)\n"), "{text}");
        assert!(text.contains("> Exception 2 of Section 1.1 is revised.\n> 2. New.\n"), "{text}");
    }

    #[test]
    fn none_is_said_of_what_is_indexed_only() {
        let text = result(serde_json::json!([]), Some("1.1")).text();
        assert!(
            text.contains(
                "no amending document of corpus c that is indexed and in force changes section 1.1"
            ),
            "{text}"
        );
    }
}
