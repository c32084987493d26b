//! What was taken out of the text, and what the reader warns of.

use std::collections::{BTreeMap, HashMap};

use super::{EXAMPLE_CHARS, Finding, line, some_of};
use crate::document::{Furniture, FurnitureKind, Warning};
use crate::passage::{cut, safe};
use crate::pipeline::Parsed;

pub(super) fn furniture(parsed: &Parsed) -> Vec<Finding> {
    let mut of: BTreeMap<&'static str, Vec<&Furniture>> = BTreeMap::new();
    for piece in &parsed.document.furniture {
        of.entry(piece.kind.as_str()).or_default().push(piece);
    }
    let tell = |(kind, pieces): (&'static str, Vec<&Furniture>)| {
        let mut pages: Vec<u32> = pieces.iter().filter_map(|piece| piece.page).collect();
        pages.sort_unstable();
        pages.dedup();
        let mut times: HashMap<&str, usize> = HashMap::new();
        for piece in &pieces {
            *times.entry(piece.text.trim()).or_default() += 1;
        }
        let mut texts: Vec<(&str, usize)> = times.into_iter().collect();
        texts.sort_by(|(a_text, a), (b_text, b)| b.cmp(a).then_with(|| a_text.cmp(b_text)));
        let told = texts.iter().take(4).map(|(text, count)| {
            let again = if *count > 1 { format!(" ({count} times)") } else { String::new() };
            format!("“{}”{again}", cut(&safe(text), EXAMPLE_CHARS))
        });
        let told = told.collect::<Vec<_>>().join(", ");
        let on = if pages.is_empty() { String::new() } else { format!("on {}: ", ranges(&pages)) };
        line(format!("furniture: {kind}"), Some(pieces.len()), format!("{on}{told}"))
    };
    let mut lines: Vec<Finding> = of.into_iter().map(tell).collect();
    if lines.is_empty() {
        lines.push(line(
            format!("furniture: {}", FurnitureKind::Page.as_str()),
            Some(0),
            "nothing was taken out of the text",
        ));
    }
    lines
}

/// What the reader and the tree warn of, each code once; pages without text under a name of their own.
pub(super) fn warnings(parsed: &Parsed) -> Vec<Finding> {
    let mut of: BTreeMap<&'static str, Vec<&Warning>> = BTreeMap::new();
    for warning in parsed.document.warnings.iter().chain(&parsed.tree.warnings) {
        of.entry(warning.code).or_default().push(warning);
    }
    let tell = |(code, warnings): (&'static str, Vec<&Warning>)| {
        let texts: Vec<String> = warnings
            .iter()
            .map(|warning| match warning.page {
                Some(page) => format!("{} (p. {page})", safe(&warning.message)),
                None => safe(&warning.message),
            })
            .collect();
        let name = if code == "needs_ocr" { "needs OCR".to_owned() } else { format!("warning: {code}") };
        line(name, Some(warnings.len()), some_of(&texts, "; ", 4))
    };
    of.into_iter().map(tell).collect()
}

/// Sorted pages as people write them: `pages 1-4, 7, 9-12`.
pub(super) fn ranges(pages: &[u32]) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for page in pages {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == *page => *last = *page,
            _ => runs.push((*page, *page)),
        }
    }
    let told: Vec<String> = runs
        .iter()
        .map(|(from, to)| if from == to { from.to_string() } else { format!("{from}-{to}") })
        .collect();
    let word = if pages.len() == 1 { "page" } else { "pages" };
    format!("{word} {}", some_of(&told, ", ", 8))
}
