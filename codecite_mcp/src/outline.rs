//! The table of contents of a corpus, as an outline.

use schemars::JsonSchema;
use serde::Serialize;

use crate::api::Entry;

/// What divides a code, at whatever depth it stands.
const DIVISIONS: [&str; 4] = ["part", "chapter", "article", "appendix"];
/// What belongs to a section, and is no place to look in.
const FLOATS: [&str; 5] = ["table", "figure", "diagram", "note", "annotation"];

/// A part of the outline.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Part {
    /// Number, as get_section and get_context take it.
    pub number: String,
    /// Title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Kind of part: part, chapter, article, appendix, section.
    pub kind: String,
    /// 0 for the outermost.
    pub depth: i32,
    /// First page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<i32>,
    /// Sections in it, at every depth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sections: Option<usize>,
}

/// The outline of one document.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Outline {
    /// Layer: base, amendment, or a rank as a number.
    pub layer: String,
    /// Key of the document.
    pub document: String,
    /// Its parts, in order.
    pub parts: Vec<Part>,
}

/// The entries that are outline, with the sections below them counted; `all` keeps every entry.
pub fn outline(entries: &[Entry], all: bool) -> Vec<Outline> {
    let mut documents: Vec<Outline> = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        let is_same = |outline: &Outline| outline.layer == entry.layer && outline.document == entry.document;
        if !documents.last().is_some_and(is_same) {
            let (layer, document) = (entry.layer.clone(), entry.document.clone());
            documents.push(Outline { layer, document, parts: Vec::new() });
        }
        let is_division = DIVISIONS.contains(&entry.kind.as_str());
        let is_wanted = all || is_division || (entry.depth <= 1 && !FLOATS.contains(&entry.kind.as_str()));
        if let (true, Some(outline)) = (is_wanted, documents.last_mut()) {
            outline.parts.push(Part {
                number: entry.number.clone(),
                title: entry.title.clone(),
                kind: entry.kind.clone(),
                depth: entry.depth,
                page: entry.page_from,
                sections: Some(below(entry, entries.get(index + 1..).unwrap_or_default()))
                    .filter(|count| *count > 0),
            });
        }
    }
    documents
}

/// How many sections stand below an entry. A table beside it does not end it.
fn below(entry: &Entry, behind: &[Entry]) -> usize {
    let is_float = |other: &Entry| FLOATS.contains(&other.kind.as_str());
    let is_same = |other: &Entry| other.layer == entry.layer && other.document == entry.document;
    behind
        .iter()
        .take_while(|other| is_same(other) && (other.depth > entry.depth || is_float(other)))
        .filter(|other| other.kind == "section")
        .count()
}

/// The outline, indented.
pub fn render(documents: &[Outline]) -> String {
    let mut out = String::new();
    for outline in documents {
        out.push_str(&format!("\n{}, layer {}\n", outline.document, outline.layer));
        for part in &outline.parts {
            let indent = "  ".repeat(usize::try_from(part.depth).unwrap_or(0).min(12) + 1);
            let title = part.title.as_ref().map(|title| format!(" {title}")).unwrap_or_default();
            let sections = match part.sections {
                None => String::new(),
                Some(1) => " · 1 section".to_owned(),
                Some(many) => format!(" · {many} sections"),
            };
            let page = part.page.map(|page| format!(" · p. {page}")).unwrap_or_default();
            out.push_str(&format!("{indent}{}{title}{sections}{page}\n", part.number));
        }
    }
    out
}
