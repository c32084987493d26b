//! What a person checks before a document is stored: what was found, what is missing, what is doubtful. Each finding is
//! one line or a few; none lists more than a screen holds.

mod aside;
mod numbers;

use std::collections::BTreeMap;

use crate::error::Result;
use crate::passage::{cut, safe};
use crate::pipeline::Parsed;
use crate::profile::SectionKind;
use crate::structure::{PartKind, Section, gaps};
use crate::work::Work;
use aside::{furniture, warnings};
use numbers::{duplicates, missing, numbers, unresolved};

/// Examples in one finding.
const EXAMPLES: usize = 12;
/// Characters of a title or a running head in an example.
const EXAMPLE_CHARS: usize = 40;

/// One line of the report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What was looked for: `chapter`, `gaps`, `furniture: page`.
    pub finding: String,
    /// How often it was found, where it can be counted.
    pub count: Option<usize>,
    /// Where, and what it looks like.
    pub detail: String,
}

fn line(finding: impl Into<String>, count: Option<usize>, detail: impl Into<String>) -> Finding {
    Finding { finding: finding.into(), count, detail: detail.into() }
}

/// The whole report, in the order in which a person reads it.
///
/// # Errors
/// Cancellation and the time limit.
pub fn findings(parsed: &Parsed, work: &mut Work<'_>) -> Result<Vec<Finding>> {
    let mut all = vec![file(parsed), profile(parsed)];
    all.extend(kinds(parsed));
    all.extend(parts(parsed));
    all.extend(numbers(parsed));
    all.push(unresolved(parsed, work)?);
    all.extend(furniture(parsed));
    all.extend(warnings(parsed));
    Ok(all)
}

/// For each section what is doubtful about it, if anything is.
pub fn doubts(parsed: &Parsed) -> Vec<Option<String>> {
    let tree = &parsed.tree;
    let mut doubts: Vec<Vec<String>> = vec![Vec::new(); tree.sections.len()];
    let mut add = |section: usize, text: String| {
        if let Some(list) = doubts.get_mut(section) {
            list.push(text);
        }
    };
    for gap in gaps(tree) {
        add(gap.before, format!("gap: {} missing before it", missing(&gap)));
    }
    for section in duplicates(parsed) {
        add(section, "duplicate: its number stands more than once".into());
    }
    for section in &tree.weak {
        add(*section, "weak: little speaks for a heading".into());
    }
    doubts.into_iter().map(|list| (!list.is_empty()).then(|| list.join("; "))).collect()
}

fn file(parsed: &Parsed) -> Finding {
    let document = &parsed.document;
    let pages = match document.page_count {
        0 => "no pages".to_owned(),
        1 => "1 page".to_owned(),
        count => format!("{count} pages"),
    };
    let title =
        document.title.as_deref().map_or(String::new(), |title| format!(", “{}”", cut(&safe(title), 60)));
    let letters = document.text.chars().count();
    line("file", None, format!("{}, {pages}, {letters} characters{title}", parsed.format))
}

/// Why this profile: what the best of those found that were tried.
fn profile(parsed: &Parsed) -> Finding {
    let mut trials = parsed.evidence.clone();
    if trials.iter().all(|trial| trial.headings == 0) {
        return line(
            "profile",
            None,
            format!("none fits: no numbered section was found; {} was used", parsed.profile),
        );
    }
    trials.sort_by_key(|trial| std::cmp::Reverse((trial.weight, trial.profile == parsed.profile)));
    let told: Vec<String> = trials
        .iter()
        .map(|trial| match trial.repeated {
            0 => format!("{} {} (weight {})", trial.profile, trial.headings, trial.weight),
            some => {
                format!("{} {} (repeated {some}, weight {})", trial.profile, trial.headings, trial.weight)
            }
        })
        .collect();
    line("profile", None, format!("{}; numbered headings: {}", parsed.profile, some_of(&told, ", ", 4)))
}

fn kinds(parsed: &Parsed) -> Vec<Finding> {
    let mut of: BTreeMap<SectionKind, Vec<&Section>> = BTreeMap::new();
    for section in &parsed.tree.sections {
        of.entry(section.kind).or_default().push(section);
    }
    let tell = |(kind, sections): (SectionKind, Vec<&Section>)| {
        let numbers: Vec<String> =
            sections.iter().filter_map(|section| section.number.as_ref()).map(ToString::to_string).collect();
        let range = match (numbers.first(), numbers.last()) {
            (Some(first), Some(last)) if first != last => format!("{first} … {last}"),
            (Some(only), _) => only.clone(),
            _ => String::new(),
        };
        let bare = sections.len() - numbers.len();
        let bare = if bare > 0 { format!("{bare} without a number") } else { String::new() };
        let detail: Vec<String> = [range, bare].into_iter().filter(|part| !part.is_empty()).collect();
        line(kind.as_str(), Some(sections.len()), detail.join("; "))
    };
    of.into_iter().map(tell).collect()
}

fn parts(parsed: &Parsed) -> Vec<Finding> {
    let of = |kind: PartKind| {
        let sections = &parsed.tree.sections;
        sections
            .iter()
            .flat_map(move |section| section.parts.iter().map(move |part| (section, part)))
            .filter(move |(_, part)| part.kind == kind)
    };
    let homes =
        of(PartKind::Exception).filter_map(|(section, _)| section.number.as_ref()).map(ToString::to_string);
    let mut homes: Vec<String> = homes.collect();
    homes.dedup();
    let terms: Vec<String> =
        of(PartKind::Definition).map(|(_, part)| cut(&safe(&part.locator), EXAMPLE_CHARS)).collect();
    vec![
        line("exceptions", Some(of(PartKind::Exception).count()), some(&homes, ", ")),
        line("definitions", Some(terms.len()), some(&terms, ", ")),
    ]
}

fn some(all: &[String], between: &str) -> String {
    some_of(all, between, EXAMPLES)
}

/// The first few, and how many more there are.
fn some_of(all: &[String], between: &str, most: usize) -> String {
    let shown = all.get(..most.min(all.len())).unwrap_or_default().join(between);
    match all.len().saturating_sub(most) {
        0 if all.is_empty() => "none".to_owned(),
        0 => shown,
        more => format!("{shown}{between}{more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::aside::ranges;
    use super::*;
    use crate::pipeline::parse;
    use crate::profile::Profile;
    use crate::work::{Limits, Unwatched};

    const CODE: &str = "\
# CHAPTER 10 MEANS OF EGRESS

## SECTION 1004 OCCUPANT LOAD

### 1004.1 Design. The load shall comply with Section 1004.5 and Chapter 9.

### 1004.3 Posting. See Chapter 9.

**Exception:** In Group R no posting.

### 1004.4 Seats.

### 1004.4 Seats again.

| Use | Factor |
|---|---|
| Office | 12 |
";

    fn parsed(source: &str, profiles: &[&str]) -> Parsed {
        let limits = Limits::default();
        let mut watcher = Unwatched;
        let profiles: Vec<Profile> = profiles.iter().map(|name| Profile::builtin(name).unwrap()).collect();
        parse(source.as_bytes(), None, &profiles, &mut Work::new(&limits, &mut watcher)).unwrap()
    }

    fn report(source: &str, profiles: &[&str]) -> Vec<Finding> {
        let limits = Limits::default();
        findings(&parsed(source, profiles), &mut Work::new(&limits, &mut Unwatched)).unwrap()
    }

    fn told(all: &[Finding], finding: &str) -> (Option<usize>, String) {
        let found = all.iter().find(|line| line.finding == finding);
        found.map(|line| (line.count, line.detail.clone())).unwrap_or_else(|| panic!("{finding}: {all:?}"))
    }

    #[test]
    fn a_report_counts_and_names_what_is_odd() {
        let all = report(CODE, &["ibc", "generic"]);
        assert_eq!(told(&all, "chapter"), (Some(1), "Chapter 10".into()));
        assert_eq!(told(&all, "section"), (Some(5), "1004 … 1004.4".into()));
        assert_eq!(told(&all, "table"), (Some(1), "1 without a number".into()));
        assert_eq!(told(&all, "exceptions"), (Some(1), "1004.3".into()));
        assert_eq!(told(&all, "definitions"), (Some(0), "none".into()));
        assert_eq!(told(&all, "gaps"), (Some(1), "1004.2 after 1004.1".into()));
        assert_eq!(told(&all, "duplicates"), (Some(1), "1004.4".into()));
        assert_eq!(
            told(&all, "unresolved references"),
            (Some(3), "of 3: Chapter 9 (2 times), 1004.5".into())
        );
        assert_eq!(told(&all, "warning: duplicate_number").0, Some(1));
        assert!(
            told(&all, "profile")
                .1
                .starts_with("ibc; numbered headings: ibc 6 (repeated 1, weight 500), generic"),
            "{all:?}"
        );
        assert!(told(&all, "file").1.starts_with("markdown, no pages, "));
    }

    #[test]
    fn a_text_that_no_profile_knows_is_told() {
        let all = report("Plain words.\n\nMore of them.\n", &["ibc", "nyc"]);
        assert!(told(&all, "profile").1.starts_with("none fits"), "{all:?}");
        assert_eq!(told(&all, "part"), (Some(1), "1 without a number".into()));
        assert_eq!(told(&all, "unresolved references"), (Some(0), "none of 0".into()));
    }

    #[test]
    fn the_doubts_stand_at_their_sections() {
        let parsed = parsed(CODE, &["ibc"]);
        let told: Vec<(String, String)> = doubts(&parsed)
            .into_iter()
            .zip(&parsed.tree.sections)
            .filter_map(|(doubt, section)| Some((section.number.as_ref()?.to_string(), doubt?)))
            .collect();
        let expected = [
            ("1004.3", "gap: 1004.2 missing before it"),
            ("1004.4", "duplicate: its number stands more than once"),
        ];
        assert_eq!(told, expected.map(|(number, doubt)| (number.to_owned(), doubt.to_owned())));
    }

    #[test]
    fn prose_that_was_taken_for_a_heading_is_doubted() {
        let source = "# CHAPTER 10 X\n\n## SECTION 1004 Y\n\n### 1004.1 Design.\n\nText.\n\n1004.2 Every room shall be posted.\n";
        let parsed = parsed(source, &["ibc"]);
        let last = parsed.tree.sections.last().and_then(|section| section.number.as_ref()).unwrap();
        assert_eq!(last.to_string(), "1004.2");
        assert_eq!(doubts(&parsed).pop().flatten().as_deref(), Some("weak: little speaks for a heading"));
        assert_eq!(told(&report(source, &["ibc"]), "weak headings"), (Some(1), "1004.2".into()));
    }

    #[test]
    fn long_lists_are_cut() {
        let all: Vec<String> = (1..=20).map(|n| n.to_string()).collect();
        assert_eq!(some_of(&all, ", ", 3), "1, 2, 3, 17 more");
        assert_eq!(ranges(&[1, 2, 3, 7, 9, 10]), "pages 1-3, 7, 9-10");
        assert_eq!(ranges(&[4]), "page 4");
    }
}
