//! The answer of `compare_editions`.

use schemars::JsonSchema;
use serde::Serialize;

use super::render::{
    Bounded, cap_longest, drop_last, drop_last_texts, push_notes, push_quote, push_truncated,
};
use crate::api::{Compare, Difference};
use crate::db::Answer;
use crate::output::tally;

/// The answer of `compare_editions`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CompareResult {
    /// How many sections are added, deleted, changed, renumbered, in all of what was compared.
    summary: String,
    /// What differs, in the order of the texts. Sections that are the same are left out.
    changes: Vec<Difference>,
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

impl CompareResult {
    /// All of it, to begin with.
    pub fn new(answer: Answer<Difference>, question: &Compare<'_>) -> CompareResult {
        let asked = question.name();
        let summary = match answer.rows.as_slice() {
            [] => "no section differs".to_owned(),
            rows => tally(rows.iter().map(|row| row.change.as_str())),
        };
        let total = answer.rows.len();
        CompareResult { summary, changes: answer.rows, notes: answer.notices, truncated: None, asked, total }
    }
}

impl Bounded for CompareResult {
    fn text(&self) -> String {
        let mut out = format!("{}: {}\n", self.asked, self.summary);
        push_notes(&mut out, &self.notes);
        for row in &self.changes {
            out.push_str(&format!("\n{}: {}\n", row.change, row.name()));
            for (side, citation) in [("a", &row.citation_a), ("b", &row.citation_b)] {
                if let Some(citation) = citation {
                    out.push_str(&format!("{side}: {citation}\n"));
                }
            }
            if let Some(redline) = &row.redline {
                push_quote(&mut out, redline);
            }
        }
        push_truncated(&mut out, self.truncated.as_deref());
        out
    }

    fn shrink(&mut self, excess: usize) -> bool {
        // Which sections differ says more than every word of the first few.
        let lost = cap_longest(self.changes.iter_mut().filter_map(|row| row.redline.as_mut()))
            || drop_last_texts(self.changes.iter_mut().map(|row| &mut row.redline), excess)
            || drop_last(&mut self.changes, excess, 200);
        let (shown, total) = (self.changes.len(), self.total);
        let rows =
            if shown < total { format!("{shown} of {total} changes are shown, and ") } else { String::new() };
        self.truncated = Some(format!(
            "{rows}redlines are cut or left out; name a chapter, pass a larger max_chars, or read both sections with get_section"
        ));
        lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(rows: serde_json::Value) -> CompareResult {
        let question = Compare {
            corpus_a: "a",
            corpus_b: "b",
            chapter: Some("10"),
            edition_a: Some("2021"),
            edition_b: None,
        };
        let answer = Answer { rows: serde_json::from_value(rows).unwrap(), notices: Vec::new() };
        CompareResult::new(answer, &question)
    }

    #[test]
    fn both_sides_are_cited_and_the_change_is_quoted() {
        let text = result(serde_json::json!([
            { "change": "changed", "number_a": "1.1", "title_a": "Doors", "number_b": "1.1", "title_b": "Doors",
              "redline": "[-30-] {+32+} inches\nanother line", "citation_a": "Old §1.1", "citation_b": "New §1.1" },
            { "change": "renumbered", "number_a": "1.2", "number_b": "1.3" },
        ]))
        .text();
        assert!(text.starts_with("a (edition 2021) → b, chapter 10: 1 changed, 1 renumbered\n"), "{text}");
        assert!(
            text.contains("changed: 1.1 Doors\na: Old §1.1\nb: New §1.1\n> [-30-] {+32+} inches\n> another"),
            "{text}"
        );
        assert!(text.contains("renumbered: 1.2 → 1.3"), "{text}");
        assert!(result(serde_json::json!([])).text().contains("no section differs"));
    }

    #[test]
    fn thousands_of_changes_are_cut_in_few_steps() {
        let row = |n: usize| serde_json::json!({ "change": "changed", "number_a": n.to_string(), "number_b": n.to_string(), "redline": "word ".repeat(n) });
        let mut result = result((0..1500).map(row).collect());
        let mut steps = 0;
        while result.text().len() > 5_000 {
            let excess = result.text().len() - 5_000;
            assert!(result.shrink(excess));
            steps += 1;
        }
        let text = result.text();
        assert!(steps < 60, "{steps}");
        assert!(text.contains("1500 changed") && text.contains("of 1500 changes are shown"), "{text}");
    }
}
