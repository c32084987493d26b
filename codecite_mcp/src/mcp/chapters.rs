//! The answer of `list_chapters`, and the table of contents as a resource.

use schemars::JsonSchema;
use serde::Serialize;

use super::render::{Bounded, drop_last, push_notes, push_truncated};
use crate::api::Entry;
use crate::db::Answer;
use crate::outline::{Outline, Part, outline, render};

/// The answer of `list_chapters`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ChaptersResult {
    /// Name of the corpus.
    corpus: String,
    /// Its documents in force, the base first.
    documents: Vec<Outline>,
    /// Notices of the server.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    /// What was cut to keep the budget, and how to get it.
    #[serde(skip_serializing_if = "Option::is_none")]
    truncated: Option<String>,
    #[serde(skip)]
    total: usize,
}

impl ChaptersResult {
    /// The chapters and what stands right below them.
    pub fn new(answer: Answer<Entry>, corpus: &str) -> ChaptersResult {
        ChaptersResult::of(outline(&answer.rows, false), answer.notices, corpus)
    }

    /// Every numbered part.
    pub fn whole(answer: Answer<Entry>, corpus: &str) -> ChaptersResult {
        ChaptersResult::of(outline(&answer.rows, true), answer.notices, corpus)
    }

    fn of(documents: Vec<Outline>, notes: Vec<String>, corpus: &str) -> ChaptersResult {
        let total = documents.iter().map(|outline| outline.parts.len()).sum();
        ChaptersResult { corpus: corpus.to_owned(), documents, notes, truncated: None, total }
    }

    fn shown(&self) -> usize {
        self.documents.iter().map(|outline| outline.parts.len()).sum()
    }

    /// Leaves out some of the deepest level, from the end; the outermost stays.
    fn drop_inner(&mut self, excess: usize) -> bool {
        let parts = self.documents.iter().flat_map(|outline| &outline.parts);
        let deepest = parts.map(|part| part.depth).max().unwrap_or(0);
        if deepest == 0 {
            return false;
        }
        // A line has some 80 characters; a long outline is cut in few steps.
        let mut goes = (excess / 80 + 1).max(self.shown() / 64);
        for outline in self.documents.iter_mut().rev() {
            let mut kept: Vec<Part> = Vec::with_capacity(outline.parts.len());
            for part in std::mem::take(&mut outline.parts).into_iter().rev() {
                if goes > 0 && part.depth == deepest {
                    goes -= 1;
                } else {
                    kept.push(part);
                }
            }
            kept.reverse();
            outline.parts = kept;
        }
        true
    }
}

impl Bounded for ChaptersResult {
    fn text(&self) -> String {
        let mut out = format!("corpus {}\n", self.corpus);
        push_notes(&mut out, &self.notes);
        if self.documents.is_empty() {
            out.push_str("no document of it is in force, or none has numbered parts; list_corpora shows its documents\n");
        }
        out.push_str(&render(&self.documents));
        push_truncated(&mut out, self.truncated.as_deref());
        out
    }

    fn shrink(&mut self, excess: usize) -> bool {
        let lost = self.drop_inner(excess) || {
            let last = self.documents.iter_mut().rev().find(|outline| !outline.parts.is_empty());
            match last {
                Some(outline) => drop_last(&mut outline.parts, excess, 120),
                None => drop_last(&mut self.documents, excess, 60),
            }
        };
        self.truncated = Some(format!(
            "{} of {} parts are shown: inner ones are left out, those of the last chapters first; get_context lists what a chapter contains, and a larger max_chars shows more",
            self.shown(),
            self.total
        ));
        lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries() -> Answer<Entry> {
        let row = |document: &str, number: &str, kind: &str, depth: i32| serde_json::json!({ "layer": "base", "document": document, "number": number, "title": "T", "kind": kind, "depth": depth });
        let mut rows = vec![
            row("d", "Chapter 1", "chapter", 0),
            row("d", "101", "section", 1),
            row("d", "Table 101", "table", 1),
            row("d", "101.1", "section", 2),
            row("d", "Chapter 2", "chapter", 0),
            row("e", "1", "section", 0),
        ];
        rows.extend((0..300).map(|n| row("e", &format!("1.{n}"), "section", 1)));
        Answer { rows: serde_json::from_value(rows.into()).unwrap(), notices: Vec::new() }
    }

    #[test]
    fn sections_below_are_counted_within_their_document() {
        let text = ChaptersResult::new(entries(), "c").text();
        assert!(
            text.contains("  Chapter 1 T · 2 sections\n    101 T · 1 section\n  Chapter 2 T\n"),
            "{text}"
        );
        assert!(text.contains("  1 T · 300 sections\n"), "{text}");
        assert!(!text.contains("Table 101") && !text.contains("101.1"), "{text}");
        assert!(ChaptersResult::whole(entries(), "c").text().contains("      101.1 T\n"));
    }

    #[test]
    fn inner_parts_go_before_outer_ones() {
        let mut result = ChaptersResult::new(entries(), "c");
        while result.text().len() > 2_000 {
            let excess = result.text().len() - 2_000;
            assert!(result.shrink(excess));
        }
        let text = result.text();
        assert!(
            text.contains("Chapter 2") && text.contains("  1 T") && text.contains(" of 304 parts"),
            "{text}"
        );
        // The room that is left is used.
        assert!(text.len() > 1_500 && text.contains("1.9 T") && !text.contains("1.299 T"), "{text}");
    }
}
