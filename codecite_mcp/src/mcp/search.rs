//! The answer of `search_code`.

use schemars::JsonSchema;
use serde::Serialize;

use super::render::{Bounded, cut_body, push_about, push_notes, push_quote, push_truncated};
use crate::api::Hit;
use crate::db::Answer;

/// The answer of `search_code`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SearchResult {
    /// covered, uncertain or not_covered: whether the searched corpora appear to answer the question.
    coverage: String,
    /// Why, and the nearest numbers if a number does not exist.
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage_note: Option<String>,
    /// The sections, best first.
    hits: Vec<Hit>,
    /// Notices of the server.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    /// What was cut to keep the budget, and how to get it.
    #[serde(skip_serializing_if = "Option::is_none")]
    truncated: Option<String>,
    #[serde(skip)]
    total: usize,
    #[serde(skip)]
    corpora: Vec<String>,
}

impl SearchResult {
    /// Takes the verdict off the rows; a row without a citation holds nothing else.
    pub fn new(answer: Answer<Hit>, corpora: &[String]) -> SearchResult {
        let first = answer.rows.first();
        let coverage = first.map_or_else(|| "not_covered".to_owned(), |hit| hit.coverage.clone());
        let coverage_note = first.and_then(|hit| hit.coverage_note.clone());
        let hits: Vec<Hit> = answer.rows.into_iter().filter(|hit| !hit.citation.is_empty()).collect();
        let total = hits.len();
        SearchResult {
            coverage,
            coverage_note,
            hits,
            notes: answer.notices,
            truncated: None,
            total,
            corpora: corpora.to_vec(),
        }
    }
}

impl Bounded for SearchResult {
    fn text(&self) -> String {
        let mut out = format!("coverage: {}", self.coverage);
        if let Some(note) = &self.coverage_note {
            out.push_str(&format!(" ({note})"));
        }
        out.push('\n');
        if self.coverage == "not_covered" {
            let scope = if self.corpora.is_empty() {
                "all indexed corpora".to_owned()
            } else {
                self.corpora.join(", ")
            };
            out.push_str(&format!(
                "Searched: {scope}. Say that these do not cover the question; list_corpora shows what is indexed.\n"
            ));
            if !self.hits.is_empty() {
                out.push_str("What follows only comes nearest: do not present it as the answer.\n");
            }
        }
        push_notes(&mut out, &self.notes);
        for hit in &self.hits {
            out.push_str(&format!("\n[{}] {}\n", hit.rank, hit.citation));
            let about = [
                Some(format!("corpus {}", hit.corpus)),
                Some(format!("layer {}", hit.layer)),
                hit.number.as_ref().map(|number| format!("number {number}")),
                (!hit.kinds.is_empty()).then(|| hit.kinds.join("+")),
                (!hit.breadcrumb.is_empty()).then(|| format!("in {}", hit.breadcrumb)),
            ];
            push_about(&mut out, about);
            if let Some(by) = &hit.amended_by {
                out.push_str(&format!("AMENDED by {by}: the text at the same rank overrides this one.\n"));
            }
            push_quote(&mut out, &hit.body);
            if !hit.refs.is_empty() {
                out.push_str(&format!("refers to: {}\n", hit.refs.join(", ")));
            }
        }
        push_truncated(&mut out, self.truncated.as_deref());
        out
    }

    fn shrink(&mut self, excess: usize) -> bool {
        let last = self.hits.last().map_or(0, |hit| hit.rank);
        if self.hits.first().is_some_and(|hit| hit.rank != last) {
            // A section and its amendments go together.
            self.hits.retain(|hit| hit.rank != last);
            let (shown, total) = (self.hits.len(), self.total);
            self.truncated = Some(format!(
                "{shown} of {total} hits are shown; pass a larger max_chars, or name a corpus, chapter or kind, for the others."
            ));
            return true;
        }
        let longest = self.hits.iter_mut().map(|hit| &mut hit.body).max_by_key(|body| body.len());
        if longest.is_some_and(|body| cut_body(body, excess)) {
            let how = "Passages are cut; get_section gives the whole.";
            let before = self.truncated.take().filter(|text| !text.contains(how));
            self.truncated = Some(before.map_or_else(|| how.to_owned(), |text| format!("{text} {how}")));
            return true;
        }
        let mut lost = false;
        for hit in &mut self.hits {
            lost |= !hit.refs.is_empty() || !hit.breadcrumb.is_empty();
            hit.refs.clear();
            hit.breadcrumb.clear();
        }
        lost
    }
}
