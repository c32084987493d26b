//! The answer of `get_section`.

use schemars::JsonSchema;
use serde::Serialize;

use super::render::{Bounded, cut_body, push_about, push_notes, push_quote, push_truncated};
use crate::api::Section;
use crate::db::Answer;
use crate::output::{pages, take_chars};

/// The answer of `get_section`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SectionResult {
    /// found; not_in_corpus (indexed, no such number); not_indexed (no document there: nothing can be said).
    status: String,
    /// On what was not found: the nearest numbers, or what is missing, such as an exception.
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
    /// Whether there is such a section.
    pub fn is_found(&self) -> bool {
        self.status == "found"
    }

    /// Takes the status off the rows, and the first `offset` characters off the bodies.
    pub fn new(answer: Answer<Section>, number: &str, corpus: Option<&str>, offset: usize) -> SectionResult {
        let missing = answer.rows.iter().find(|row| row.status != "found");
        let status = match missing {
            Some(row) => row.status.clone(),
            None if answer.rows.is_empty() => "not_in_corpus".to_owned(),
            None => "found".to_owned(),
        };
        // A section that is there may lack the exception that was asked for.
        let note = answer.rows.iter().find_map(|row| row.note.clone());
        let mut sections: Vec<Section> =
            answer.rows.into_iter().filter(|row| row.status == "found").collect();
        let mut totals = Vec::new();
        for section in &mut sections {
            let body = section.body.get_or_insert_with(String::new);
            let (before, total) = take_chars(body, offset);
            let rest = body.get(before.len()..).unwrap_or("").to_owned();
            *body = rest;
            totals.push(total);
        }
        let asked = corpus.map_or_else(|| number.to_owned(), |corpus| format!("{number} in corpus {corpus}"));
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
        if self.sections.iter().any(|section| section.amended_text.is_some() && section.redline.is_none()) {
            parts.push("the redline is left out, and a long text as amended may be cut".to_owned());
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
            let note = self.note.as_ref().map(|note| format!(" ({note})")).unwrap_or_default();
            let meaning = match self.status.as_str() {
                "not_indexed" => {
                    "no document is indexed there, so nothing can be said about what it contains. list_corpora shows what is indexed."
                }
                _ => "the indexed text has no such number. Do not cite it.",
            };
            out.push_str(&format!("{}: {meaning}{note}\n", self.asked));
        }
        push_notes(&mut out, &self.notes);
        if let Some(note) = self.note.as_ref().filter(|_| !self.sections.is_empty()) {
            out.push_str(&format!("note: {note}. Do not cite what is not there.\n"));
        }
        if self.sections.len() > 1 {
            out.push_str("Several texts have this number: within a corpus the first (highest) layer overrides those below it.\n");
        }
        for section in &self.sections {
            out.push_str(&format!("\n{}\n", section.citation.as_deref().unwrap_or("")));
            let about = [
                section.corpus.as_ref().map(|corpus| format!("corpus {corpus}")),
                section.layer.as_ref().map(|layer| format!("layer {layer}")),
                section.document.as_ref().map(|document| format!("document {document}")),
                section.effective.as_ref().map(|days| format!("in force {days}")),
                section.kind.clone(),
                pages(section.page_from, section.page_to),
                section.breadcrumb.as_ref().filter(|path| !path.is_empty()).map(|path| format!("in {path}")),
            ];
            push_about(&mut out, about);
            if self.offset > 0 {
                out.push_str(&format!("(from character {})\n", self.offset));
            }
            push_quote(&mut out, section.body.as_deref().unwrap_or(""));
            push_standing(&mut out, section);
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
        // The redline says nothing that the two texts do not say.
        let redline = self.sections.iter_mut().find(|section| section.redline.is_some());
        let mut lost = redline.is_some_and(|section| section.redline.take().is_some());
        if !lost {
            let texts = self
                .sections
                .iter_mut()
                .flat_map(|section| [section.body.as_mut(), section.amended_text.as_mut()]);
            let longest = texts.flatten().max_by_key(|text| text.len());
            lost = longest.is_some_and(|text| cut_body(text, excess));
        }
        if !lost {
            let lists = self
                .sections
                .iter_mut()
                .flat_map(|section| [&mut section.children, &mut section.refs])
                .flatten();
            if let Some(list) = lists.max_by_key(|list| list.len()).filter(|list| !list.is_empty()) {
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

/// What the amendments make of a section.
fn push_standing(out: &mut String, section: &Section) {
    let list = |list: &Option<Vec<String>>| list.clone().filter(|list| !list.is_empty());
    if let Some(standing) = &section.standing {
        let by =
            list(&section.amended_by).map_or_else(String::new, |by| format!(", by {}", by.join(" and ")));
        out.push_str(&format!("standing: {standing}{by}\n"));
    }
    for reason in list(&section.unapplied).into_iter().flatten() {
        out.push_str(&format!("not applied: {reason}\n"));
    }
    if let Some(text) = &section.amended_text {
        out.push_str("as amended:\n");
        push_quote(out, text);
    }
    if let Some(text) = &section.redline {
        out.push_str("change ([-deleted-] {+added+}):\n");
        push_quote(out, text);
    }
    if let Some(parts) = list(&section.amended_children) {
        out.push_str(&format!("amended below it: {}\n", parts.join(", ")));
    }
}
