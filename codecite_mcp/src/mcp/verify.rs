//! The answer of `verify_answer`.

use schemars::JsonSchema;
use serde::Serialize;

use super::render::{Bounded, drop_last, push_notes, push_quote, push_truncated};
use crate::api::Checked;
use crate::db::Answer;
use crate::output::tally;

/// The answer of `verify_answer`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct VerifyResult {
    /// How many claims got which verdict: "3 found, 1 quote_altered".
    summary: String,
    /// The citations and quotations in the order of the text.
    claims: Vec<Checked>,
    /// Notices of the server.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    /// What was cut to keep the budget, and how to get it.
    #[serde(skip_serializing_if = "Option::is_none")]
    truncated: Option<String>,
    #[serde(skip)]
    total: usize,
}

impl VerifyResult {
    /// All of it, to begin with; what has to be corrected stands first, so that it is cut last.
    pub fn new(answer: Answer<Checked>) -> VerifyResult {
        let mut claims = answer.rows;
        let summary = match claims.as_slice() {
            [] => "no citation and no quotation was read in this text".to_owned(),
            rows => tally(rows.iter().map(|row| row.verdict.as_str())),
        };
        claims.sort_by_key(Checked::is_right);
        let total = claims.len();
        VerifyResult { summary, claims, notes: answer.notices, truncated: None, total }
    }
}

impl Bounded for VerifyResult {
    fn text(&self) -> String {
        let mut out = format!("{}\n", self.summary);
        push_notes(&mut out, &self.notes);
        for claim in &self.claims {
            out.push_str(&format!("\n{}: {}\n", claim.verdict, claim.kind));
            push_quote(&mut out, &claim.passage);
            let advice = match claim.verdict.as_str() {
                "quote_altered" => "the text says otherwise: correct it to the words below",
                "quote_absent" => {
                    "the text has no such words: remove the quotation or read the section again"
                }
                "not_in_corpus" => "it is not there: do not cite it",
                "amended" => "an amendment has changed it: read get_section and cite the amendment, too",
                "superseded" => "a later edition is in force",
                "deleted" => "an amendment has deleted it: do not cite it as law",
                "not_checked" => "the code or edition is not indexed: say that it was not checked",
                _ => "",
            };
            if !advice.is_empty() {
                out.push_str(&format!("{advice}\n"));
            }
            if let Some(citation) = &claim.citation {
                out.push_str(&format!("checked against: {citation}\n"));
            }
            for note in &claim.notes {
                out.push_str(&format!("note: {note}\n"));
            }
            if let Some(text) = claim.redline.as_ref().or(claim.nearest.as_ref()) {
                out.push_str("true words ([-left out-] {+put in+} by the text):\n");
                push_quote(&mut out, text);
            }
        }
        push_truncated(&mut out, self.truncated.as_deref());
        out
    }

    fn shrink(&mut self, excess: usize) -> bool {
        let lost = drop_last(&mut self.claims, excess, 300);
        let (shown, total) = (self.claims.len(), self.total);
        self.truncated = Some(format!(
            "{shown} of {total} claims are shown, those to correct first; pass the text in parts or a larger max_chars"
        ));
        lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_to_be_corrected_stands_first_with_the_true_words() {
        let rows = serde_json::json!([
            { "kind": "citation", "passage": "Section 5", "verdict": "found", "notes": [] },
            { "kind": "quotation", "passage": "36 inches", "verdict": "quote_altered", "redline": "[-35-] {+36+} inches", "notes": [] },
        ]);
        let answer = Answer { rows: serde_json::from_value(rows).unwrap(), notices: Vec::new() };
        let text = VerifyResult::new(answer).text();
        assert!(
            text.starts_with("1 found, 1 quote_altered\n\nquote_altered: quotation\n> 36 inches\n"),
            "{text}"
        );
        assert!(text.contains("> [-35-] {+36+} inches"), "{text}");
    }
}
