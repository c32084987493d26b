//! What is odd about the numbers of a document, and which of its references lead nowhere in it.

use std::collections::HashMap;

use super::{EXAMPLE_CHARS, Finding, line, some};
use crate::error::Result;
use crate::passage::{cut, safe};
use crate::pipeline::Parsed;
use crate::reference::references;
use crate::structure::{Gap, Links, Section, gaps};
use crate::work::{Stage, Work};

/// What is odd about the numbers: gaps, repeats, headings with little evidence.
pub(super) fn numbers(parsed: &Parsed) -> Vec<Finding> {
    let tree = &parsed.tree;
    let named = |section: &usize| tree.sections.get(*section).map_or(String::new(), name);
    let found = gaps(tree);
    let told: Vec<String> = found
        .iter()
        .map(|gap| format!("{} after {}{}", missing(gap), named(&gap.after), page(parsed, gap.before)))
        .collect();
    let missing_in_all = found.iter().map(|gap| u64::from(gap.missing)).sum::<u64>();
    let many = if missing_in_all > tree.sections.len() as u64 / 2 && found.len() > 4 {
        "; so many that this may be an amending document"
    } else {
        ""
    };
    let at = |sections: Vec<usize>| -> Vec<String> {
        sections.iter().map(|section| format!("{}{}", named(section), page(parsed, *section))).collect()
    };
    let repeated = at(duplicates(parsed));
    let qualified: Vec<usize> = (0..tree.sections.len())
        .filter(|index| tree.sections.get(*index).is_some_and(|section| section.part.is_some()))
        .collect();
    let weak: Vec<String> = tree
        .weak
        .iter()
        .filter_map(|index| Some((index, tree.sections.get(*index)?)))
        .map(|(index, section)| {
            let title = section
                .title
                .as_deref()
                .map_or(String::new(), |t| format!(" {}", cut(&safe(t), EXAMPLE_CHARS)));
            format!("{}{title}{}", name(section), page(parsed, *index))
        })
        .collect();
    let mut lines = vec![
        line("gaps", Some(found.len()), format!("{}{many}", some(&told, "; "))),
        line("duplicates", Some(repeated.len()), some(&repeated, "; ")),
        line("weak headings", Some(weak.len()), some(&weak, "; ")),
    ];
    if !qualified.is_empty() {
        let numbers: Vec<String> = qualified.iter().map(named).collect();
        lines.push(line("qualified numbers", Some(numbers.len()), some(&numbers, ", ")));
    }
    lines
}

/// Sections whose number an earlier one has.
pub(super) fn duplicates(parsed: &Parsed) -> Vec<usize> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut repeated = Vec::new();
    for (index, section) in parsed.tree.sections.iter().enumerate() {
        let Some(number) = &section.number else { continue };
        if *seen.entry(number.key()).or_insert(index) != index {
            repeated.push(index);
        }
    }
    repeated
}

/// References to what this document has not; other files of the corpus may have it.
pub(super) fn unresolved(parsed: &Parsed, work: &mut Work<'_>) -> Result<Finding> {
    let links = Links::of(&parsed.tree);
    let mut times: HashMap<String, (usize, String)> = HashMap::new();
    let mut mentions = 0;
    let total = parsed.tree.sections.len() as u64;
    for (index, section) in parsed.tree.sections.iter().enumerate() {
        work.tick(Stage::Structure, index as u64, total)?;
        // What stands inside a section is part of its text.
        if section.nested.is_some() {
            continue;
        }
        let all = references(parsed.document.slice(section.span), section.number.as_ref());
        // Numbers of other works are not expected here.
        for reference in all.into_iter().filter(|reference| reference.source.is_none()) {
            mentions += 1;
            let target = links.target(section, &reference.target);
            if !links.has(&target) {
                times.entry(target.key()).or_insert_with(|| (0, target.to_string())).0 += 1;
            }
        }
    }
    let missing: usize = times.values().map(|(count, _)| count).sum();
    let mut targets: Vec<(String, (usize, String))> = times.into_iter().collect();
    targets.sort_by(|(a_key, (a, _)), (b_key, (b, _))| b.cmp(a).then_with(|| a_key.cmp(b_key)));
    let told: Vec<String> = targets
        .into_iter()
        .map(|(_, (count, target))| if count > 1 { format!("{target} ({count} times)") } else { target })
        .collect();
    let of = if told.is_empty() {
        format!("none of {mentions}")
    } else {
        format!("of {mentions}: {}", some(&told, ", "))
    };
    Ok(line("unresolved references", Some(missing), of))
}

pub(super) fn missing(gap: &Gap) -> String {
    match gap.missing {
        1 => gap.first.clone(),
        more => format!("{} and {} more", gap.first, more - 1),
    }
}

fn name(section: &Section) -> String {
    match (&section.number, &section.title) {
        (Some(number), _) => number.to_string(),
        (None, Some(title)) => cut(&safe(title), EXAMPLE_CHARS),
        (None, None) => section.kind.as_str().to_owned(),
    }
}

fn page(parsed: &Parsed, section: usize) -> String {
    let start = parsed.tree.sections.get(section).map(|section| section.span.start);
    let mark = start.and_then(|start| parsed.document.page_at(start));
    mark.map_or(String::new(), |mark| {
        format!(" (p. {})", mark.label.clone().unwrap_or_else(|| mark.page.to_string()))
    })
}
