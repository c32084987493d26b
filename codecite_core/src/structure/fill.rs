//! What sections hold besides their text: exceptions and defined terms.

use std::collections::HashMap;

use super::parts::{Part, PartKind, Piece, definitions, exceptions};
use super::tree::{Section, SectionTree};
use crate::document::{Document, Span};
use crate::error::Result;
use crate::profile::{Profile, SectionKind};
use crate::work::{Stage, Work};

/// The title of a section of definitions is at most so long.
const MAX_LIST_TITLE: usize = 80;
/// Terms that are sections are at least so many, and have titles of at most so many words.
const MIN_TERMS: usize = 5;
const MAX_TERM_WORDS: usize = 8;
/// How the titles of sections begin that say something about terms and define none.
const NO_TERMS: [&str; 9] = [
    "general",
    "scope",
    "terms",
    "words",
    "undefined",
    "interchang",
    "application",
    "reserved",
    "definition",
];
/// How the title of a section begins that is about one term.
const DEFINITION_OF: &str = "definition of ";

/// Finds exceptions and definitions in the own text of every section.
pub(super) fn fill_sections(
    tree: &mut SectionTree,
    document: &Document,
    profile: &Profile,
    work: &mut Work<'_>,
) -> Result<()> {
    let count = tree.sections.len();
    let mut defines: Vec<bool> = vec![false; count];
    for index in 0..count {
        work.tick(Stage::Structure, index as u64, count as u64)?;
        let Some(section) = tree.sections.get(index).filter(|section| is_law(section)) else {
            continue;
        };
        let pieces = body_pieces(document, section);
        let title = section.title.as_deref().unwrap_or_default();
        let mut parts = exceptions(document, profile, first_line(document, section), &pieces);
        if parts.is_empty() && is_exception(title) && !pieces.is_empty() {
            parts.push(Part { kind: PartKind::Exception, locator: "Exception".into(), span: section.span });
        }
        let comments = section.part.as_ref().is_some_and(|part| part.label() == Some("Appendix"));
        let inherits = section.parent.and_then(|up| defines.get(up)).copied().unwrap_or(false);
        let defined = defined_by(title);
        // What stands below the definition of one term are rules about it.
        let titled = defined.is_none()
            && (inherits
                || profile.definitions.iter().any(|pattern| pattern.is_match(title))
                || tells_definitions(title));
        // A commentary on the definitions defines nothing.
        if let Some(term) = defined.filter(|_| !comments) {
            parts.push(Part { kind: PartKind::Definition, locator: term, span: section.span });
        } else if !comments {
            parts.extend(definitions(document, titled, &pieces));
        }
        if let Some(flag) = defines.get_mut(index) {
            *flag = titled;
        }
        if let Some(section) = tree.sections.get_mut(index) {
            section.parts = parts;
        }
    }
    define_by_titles(tree, &defines);
    Ok(())
}

/// Its own text is law: no float, which stands in another's, and no annotation.
fn is_law(section: &Section) -> bool {
    section.nested.is_none() && section.kind != SectionKind::Annotation
}

/// Terms that are numbered sections of their own below a title such as "Terms and definitions": `3.1 access route`.
fn define_by_titles(tree: &mut SectionTree, defines: &[bool]) {
    let mut children: HashMap<usize, Vec<usize>> = HashMap::new();
    let mut has_children = vec![false; tree.sections.len()];
    for (index, section) in tree.sections.iter().enumerate().filter(|(_, section)| is_law(section)) {
        let Some(parent) = section.parent else { continue };
        if let Some(flag) = has_children.get_mut(parent) {
            *flag = true;
        }
        if defines.get(parent) == Some(&true) {
            children.entry(parent).or_default().push(index);
        }
    }
    for below in children.into_values().filter(|below| below.len() >= MIN_TERMS) {
        let is_term = |index: &usize| {
            let Some(section) = tree.sections.get(*index) else { return false };
            let title = section.title.as_deref().unwrap_or_default();
            let words = title.split_whitespace().count();
            has_children.get(*index) == Some(&false)
                && (1..=MAX_TERM_WORDS).contains(&words)
                && section.span.end > section.heading.end
                && !section.parts.iter().any(|part| part.kind == PartKind::Definition)
                && !NO_TERMS.iter().any(|word| title.to_lowercase().starts_with(word))
        };
        // One "Scope" or "General" among them makes it a chapter about definitions.
        if !below.iter().all(is_term) {
            continue;
        }
        for index in below {
            let Some(section) = tree.sections.get_mut(index) else { continue };
            let Some(locator) = section.title.clone() else { continue };
            section.parts.push(Part { kind: PartKind::Definition, locator, span: section.span });
        }
    }
}

/// The blocks of a section's own text after its heading. Of a run-in heading's block it is what follows the heading.
fn body_pieces<'a>(document: &'a Document, section: &Section) -> Vec<Piece<'a>> {
    let stretch = Span::new(section.heading.end.min(section.span.end), section.span.end);
    let from = document.blocks.partition_point(|block| block.span.end <= stretch.start);
    let blocks = document.blocks.get(from..).unwrap_or_default();
    let inside = blocks.iter().take_while(|block| block.span.start < stretch.end);
    inside.filter_map(|block| Piece::of(document, block, stretch)).collect()
}

/// The line that a section begins with.
fn first_line(document: &Document, section: &Section) -> Span {
    let text = document.slice(section.span);
    let end = text.find('\n').unwrap_or(text.len());
    Span::new(section.span.start, section.span.start + end)
}

/// "RULES OF CONSTRUCTION AND DEFINITIONS", "Glossary", whatever the profile.
fn tells_definitions(title: &str) -> bool {
    let title = title.to_lowercase();
    let names = ["definitions", "defined terms", "terms defined", "glossary"];
    title.len() <= MAX_LIST_TITLE && names.iter().any(|name| title.contains(name))
}

/// The one term that a section titled "Definition of X" is about.
fn defined_by(title: &str) -> Option<String> {
    let start = title.get(..DEFINITION_OF.len()).filter(|start| start.eq_ignore_ascii_case(DEFINITION_OF))?;
    let term = title.get(start.len()..)?.trim_matches(|c: char| c.is_whitespace() || "“”\"‘’'.".contains(c));
    (!term.is_empty()).then(|| term.to_owned())
}

/// "Exception for structural impracticability": the whole section is one.
fn is_exception(title: &str) -> bool {
    let first = title.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    first.eq_ignore_ascii_case("exception")
}
