//! Results as the model sees them: structured, as text, and within a budget.

use rmcp::model::{CallToolResult, ContentBlock};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::api::{Corpus, Document, Hit, Holdings, Section};
use crate::db::Answer;
use crate::fault::Fault;
use crate::output::{pages, take_chars};

/// Bodies are not cut below this: less is no evidence.
const LEAST_BODY: usize = 200;

/// A result that can be made smaller, and says what it lost.
pub trait Bounded: Serialize {
    /// The rendering as text.
    fn text(&self) -> String;
    /// Loses at least some of `excess` characters; false if there is nothing left to lose.
    fn shrink(&mut self, excess: usize) -> bool;
}

/// The result, with neither its text nor its structured form above the budget.
pub fn reply(mut result: impl Bounded, max_chars: usize) -> CallToolResult {
    loop {
        let text = result.text();
        let value = serde_json::to_value(&result).unwrap_or(Value::Null);
        let size = text.chars().count().max(value.to_string().chars().count());
        if size <= max_chars || !result.shrink(size - max_chars) {
            let mut reply = CallToolResult::structured(value);
            reply.content = vec![ContentBlock::text(take_chars(&text, max_chars).0)];
            return reply;
        }
    }
}

/// A fault as a tool error.
pub fn fault(fault: &Fault) -> String {
    format!(
        "ERROR: {fault}\nThis is a failed look-up, not an answer: do not conclude that a code lacks something."
    )
}

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
        let hits: Vec<Hit> = answer
            .rows
            .into_iter()
            .filter(|hit| !hit.citation.is_empty())
            .collect();
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
                out.push_str(&format!(
                    "AMENDED by {by}: the text at the same rank overrides this one.\n"
                ));
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
        if let Some(hit) = self.hits.iter_mut().max_by_key(|hit| hit.body.len()) {
            if cut_body(&mut hit.body, excess) {
                let how = "Passages are cut; get_section gives the whole.";
                let before = self.truncated.take().filter(|text| !text.contains(how));
                self.truncated = Some(before.map_or_else(|| how.to_owned(), |text| format!("{text} {how}")));
                return true;
            }
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

/// The answer of `get_section`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SectionResult {
    /// found; not_in_corpus (indexed, no such number); not_indexed (no document there: nothing can be said).
    status: String,
    /// On what was not found: the nearest numbers, or what is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    /// The texts of that number, the highest layer first.
    sections: Vec<Section>,
    /// Notices of the server.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    /// What was cut to keep the budget, and how to get it.
    #[serde(skip_serializing_if = "Option::is_none")]
    truncated: Option<String>,
    #[serde(skip)]
    asked: String,
    #[serde(skip)]
    offset: usize,
    /// Characters of each body before anything was cut.
    #[serde(skip)]
    totals: Vec<usize>,
}

impl SectionResult {
    /// Takes the status off the rows, and the first `offset` characters off the bodies.
    pub fn new(answer: Answer<Section>, number: &str, corpus: Option<&str>, offset: usize) -> SectionResult {
        let missing = answer.rows.iter().find(|row| row.status != "found");
        let status = match missing {
            Some(row) => row.status.clone(),
            None if answer.rows.is_empty() => "not_in_corpus".to_owned(),
            None => "found".to_owned(),
        };
        let note = missing.and_then(|row| row.note.clone());
        let mut sections: Vec<Section> = answer
            .rows
            .into_iter()
            .filter(|row| row.status == "found")
            .collect();
        let mut totals = Vec::new();
        for section in &mut sections {
            let body = section.body.get_or_insert_with(String::new);
            let (before, total) = take_chars(body, offset);
            let rest = body.get(before.len()..).unwrap_or("").to_owned();
            *body = rest;
            totals.push(total);
        }
        let asked = corpus.map_or_else(
            || number.to_owned(),
            |corpus| format!("{number} in corpus {corpus}"),
        );
        SectionResult {
            status,
            note,
            sections,
            notes: answer.notices,
            truncated: None,
            asked,
            offset,
            totals,
        }
    }

    fn explain(&mut self) {
        let mut parts = Vec::new();
        for (section, total) in self.sections.iter().zip(&self.totals) {
            let end = self.offset.min(*total) + section.body.as_deref().unwrap_or("").chars().count();
            if end < *total {
                let name = |part: &Option<String>| part.clone().unwrap_or_default();
                parts.push(format!(
                    "{} (corpus {}, layer {}): the text ends at character {end} of {total}; call get_section with this corpus and layer and offset={end} for the rest",
                    name(&section.number), name(&section.corpus), name(&section.layer),
                ));
            }
        }
        if self.sections.len() < self.totals.len() {
            parts.push(format!(
                "{} of {} texts are shown; name a corpus or layer for the others",
                self.sections.len(),
                self.totals.len()
            ));
        }
        if parts.is_empty() {
            parts.push("lists of parts and references are cut; pass a larger max_chars for all".to_owned());
        }
        self.truncated = Some(parts.join(". "));
    }
}

impl Bounded for SectionResult {
    fn text(&self) -> String {
        let mut out = format!("status: {}\n", self.status);
        if self.sections.is_empty() {
            let note = self
                .note
                .as_ref()
                .map(|note| format!(" ({note})"))
                .unwrap_or_default();
            let meaning = match self.status.as_str() {
                "not_indexed" => {
                    "no document is indexed there, so nothing can be said about what it contains. list_corpora shows what is indexed."
                }
                _ => "the indexed text has no such number. Do not cite it.",
            };
            out.push_str(&format!("{}: {meaning}{note}\n", self.asked));
        }
        push_notes(&mut out, &self.notes);
        if self.sections.len() > 1 {
            out.push_str("Several texts have this number: within a corpus the first (highest) layer overrides those below it.\n");
        }
        for section in &self.sections {
            out.push_str(&format!("\n{}\n", section.citation.as_deref().unwrap_or("")));
            let about = [
                section.corpus.as_ref().map(|corpus| format!("corpus {corpus}")),
                section.layer.as_ref().map(|layer| format!("layer {layer}")),
                section
                    .document
                    .as_ref()
                    .map(|document| format!("document {document}")),
                section.effective.as_ref().map(|days| format!("in force {days}")),
                section.kind.clone(),
                pages(section.page_from, section.page_to),
                section
                    .breadcrumb
                    .as_ref()
                    .filter(|path| !path.is_empty())
                    .map(|path| format!("in {path}")),
            ];
            push_about(&mut out, about);
            if self.offset > 0 {
                out.push_str(&format!("(from character {})\n", self.offset));
            }
            push_quote(&mut out, section.body.as_deref().unwrap_or(""));
            if let Some(children) = section.children.as_ref().filter(|list| !list.is_empty()) {
                out.push_str(&format!("contains:\n- {}\n", children.join("\n- ")));
            }
            if let Some(refs) = section.refs.as_ref().filter(|list| !list.is_empty()) {
                out.push_str(&format!("refers to: {}\n", refs.join(", ")));
            }
        }
        push_truncated(&mut out, self.truncated.as_deref());
        out
    }

    fn shrink(&mut self, excess: usize) -> bool {
        let longest = self
            .sections
            .iter_mut()
            .filter_map(|section| section.body.as_mut())
            .max_by_key(|body| body.len());
        let mut lost = longest.is_some_and(|body| cut_body(body, excess));
        if !lost {
            let lists = self
                .sections
                .iter_mut()
                .flat_map(|section| [&mut section.children, &mut section.refs])
                .flatten();
            if let Some(list) = lists
                .max_by_key(|list| list.len())
                .filter(|list| !list.is_empty())
            {
                list.truncate(list.len() / 2);
                lost = true;
            }
        }
        if !lost && self.sections.len() > 1 {
            lost = self.sections.pop().is_some();
        }
        self.explain();
        lost
    }
}

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
            let about = if about.is_empty() {
                String::new()
            } else {
                format!(": {}", about.join(", "))
            };
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
            for document in self
                .documents
                .iter()
                .filter(|document| document.corpus == corpus.corpus)
            {
                let about = [
                    Some(format!("  {}", document.layer)),
                    Some(document.document.clone()),
                    document.title.clone().filter(|title| *title != document.document),
                    document
                        .edition
                        .as_ref()
                        .map(|edition| format!("edition {edition}")),
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
            self.documents
                .truncate(self.documents.len().saturating_sub(lines));
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

/// Shortens a body by about `excess`, at a space, and not below what is worth showing.
fn cut_body(body: &mut String, excess: usize) -> bool {
    let length = body.chars().count();
    let wanted = length.saturating_sub(excess.max(64)).max(LEAST_BODY);
    if wanted >= length {
        return false;
    }
    let end = take_chars(body, wanted).0.len();
    let kept = body.get(..end).unwrap_or("");
    // A word is not halved, unless it is as long as a page.
    let end = kept
        .rfind(char::is_whitespace)
        .map_or(end, |space| if end - space < 80 { space + 1 } else { end });
    body.truncate(end);
    true
}

fn push_about(out: &mut String, about: impl IntoIterator<Item = Option<String>>) {
    let about: Vec<String> = about.into_iter().flatten().collect();
    out.push_str(&about.join(" · "));
    out.push('\n');
}

/// Document text is marked on each line: no text of a document can pass for the tool's own.
fn push_quote(out: &mut String, body: &str) {
    for line in body.trim_end().lines() {
        out.push_str("> ");
        out.push_str(line);
        out.push('\n');
    }
}

fn push_notes(out: &mut String, notes: &[String]) {
    for note in notes {
        out.push_str(&format!("note: {note}\n"));
    }
}

fn push_truncated(out: &mut String, truncated: Option<&str>) {
    if let Some(text) = truncated {
        out.push_str(&format!("\ntruncated: {text}\n"));
    }
}
