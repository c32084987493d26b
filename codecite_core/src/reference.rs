//! References: mentions of other sections, tables, chapters and appendices in text.

use std::sync::LazyLock;

use regex::Regex;

use crate::document::Span;
use crate::number::Number;

/// One mention. A list or range makes one for each number that it names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// What is referred to.
    pub target: Number,
    /// For the first number of a range, the last one: "1004.1 through 1004.3".
    pub through: Option<Number>,
    /// `Exception 2`, when one is named.
    pub locator: Option<String>,
    /// The other work that the number is said to be in, as printed; `None` for the document's own.
    pub source: Option<String>,
    /// Where the number stands, in the text that was searched.
    pub span: Span,
}

/// A number in running text.
const NUMBER: &str = r"(?:[A-Z]{0,3}[0-9]+[A-Z]{0,2}(?:[.:\-–][0-9]+[A-Za-z]?)*(?:\([0-9A-Za-z]{1,4}\))*)";
/// What joins the numbers of a list.
const GLUE: &str =
    r"(?:\s*,\s*(?:and\s+|or\s+|and/or\s+)?|\s+(?:and|or|and/or|through|thru|to)\s+|\s*[–—]\s*)";
/// The word may be said again in a list of sections; in a list of tables it ends the list.
const SECTION_AGAIN: &str = r"(?:§+\s*|[Ss]ections?\s+)?";

static MENTION: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let section = format!(
        r"(?:(?i:exceptions?)\s+(?P<exception>[0-9]{{1,2}})\s+(?:of|to|in)\s+)?(?:(?i:\bsections?|\bsecs?\.|\brules?)\s+|§+\s*)(?P<sections>{NUMBER}(?:{GLUE}{SECTION_AGAIN}{NUMBER})*)(?:,?\s*\(?(?i:exception)\s+(?P<after>[0-9]{{1,2}})\b)?"
    );
    let labelled = format!(
        r"\b(?P<label>(?i:tables?|chapters?|articles?|figures?|diagrams?|subparts?))\s+(?P<numbers>(?:{NUMBER}|[A-Z]\b)(?:{GLUE}(?:{NUMBER}|[A-Z]\b))*)"
    );
    let appendix = r"\b(?i:appendix|appendices)\s+(?P<appendix>[A-Z]{1,2}(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+|\s+or\s+)[A-Z]{1,2}\b)*)\b";
    let bare = r"(?P<bare>\b(?:[A-Z]{0,2}[0-9]{3,4}[A-Z]?(?:\.[0-9]+)+|[0-9]{1,2}-[0-9]{3,4}(?:\.[0-9]+)+|[0-9]{3,4}:[0-9]{1,2}-[0-9]{1,3}-[0-9]{1,3})\b)";
    Regex::new(&format!("{section}|{labelled}|{appendix}|{bare}")).ok()
});
static ONE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(&format!(r"{NUMBER}|\b[A-Z]{{1,2}}\b")).ok());
static RANGE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^\s*(?:through|thru|to|[–—])\s*(?:§|[Ss]ections?)?\s*$").ok());

/// All references in a text, in order. `own` is the number of the section that the text is; its own heading
/// is not a reference.
pub fn references(text: &str, own: Option<&Number>) -> Vec<Reference> {
    let Some(mention) = MENTION.as_ref() else { return Vec::new() };
    let mut found = Vec::new();
    for captures in mention.captures_iter(text) {
        let exception = captures.name("exception").or_else(|| captures.name("after"));
        let locator = exception.map(|m| format!("Exception {}", m.as_str()));
        let (label, list) = if let Some(list) = captures.name("sections").or_else(|| captures.name("bare")) {
            (None, list)
        } else if let (Some(label), Some(list)) = (captures.name("label"), captures.name("numbers")) {
            (Some(label.as_str().trim_end_matches(['s', 'S'])), list)
        } else if let Some(list) = captures.name("appendix") {
            (Some("Appendix"), list)
        } else {
            continue;
        };
        if is_quantity(text, list.end()) {
            continue;
        }
        expand(&mut found, list.as_str(), list.start(), label, locator.as_deref());
    }
    found.retain(|reference| {
        own.is_none_or(|own| reference.span.start > 8 || reference.target.key() != own.key())
    });
    found
}

/// "12 inches" after the word "to" is no number of a section; nor is a title of another law ("U.S.C.").
fn is_quantity(text: &str, end: usize) -> bool {
    let after = text.get(end..).unwrap_or_default().trim_start();
    let word = after
        .split(|c: char| !c.is_alphanumeric() && !matches!(c, '²' | '³' | '°' | '%' | '.'))
        .next()
        .unwrap_or_default();
    after.starts_with("U.S.C") || UNITS.contains(&word.trim_end_matches('.'))
}

/// What makes a number before it a quantity.
const UNITS: &[&str] = &[
    "CFR",
    "percent",
    "%",
    "°",
    "°C",
    "°F",
    "inches",
    "inch",
    "in",
    "feet",
    "foot",
    "ft",
    "square",
    "sq",
    "cubic",
    "mm",
    "cm",
    "m",
    "m2",
    "m²",
    "m3",
    "m³",
    "km",
    "kg",
    "g",
    "t",
    "lb",
    "pounds",
    "psf",
    "psi",
    "kPa",
    "Pa",
    "kN",
    "N",
    "L",
    "l",
    "litres",
    "liters",
    "gallons",
    "cfm",
    "W",
    "kW",
    "Btu",
    "hours",
    "minutes",
    "days",
    "years",
    "persons",
    "occupants",
];

fn expand(found: &mut Vec<Reference>, list: &str, offset: usize, label: Option<&str>, locator: Option<&str>) {
    let Some(one) = ONE.as_ref() else { return };
    let mut last_end = 0;
    let mut first = true;
    for m in one.find_iter(list) {
        let target = match label {
            Some(label) => Number::labelled(label, m.as_str()),
            None => Number::parse(m.as_str()),
        };
        let Some(target) = target else { continue };
        let between = list.get(last_end..m.start()).unwrap_or_default();
        last_end = m.end();
        let span = Span::new(offset + m.start(), offset + m.end());
        let is_range = !first && RANGE.as_ref().is_some_and(|range| range.is_match(between));
        if is_range && let Some(from) = found.last_mut() {
            from.through = Some(target.clone());
        }
        let locator = if first { locator.map(str::to_owned) } else { None };
        found.push(Reference { target, through: None, locator, source: None, span });
        first = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn targets(text: &str) -> Vec<String> {
        references(text, None).iter().map(|r| r.target.to_string()).collect()
    }

    #[test]
    fn lists_and_ranges_are_expanded() {
        assert_eq!(targets("see Sections 1004.1, 1004.2 and 1005.3.1"), ["1004.1", "1004.2", "1005.3.1"]);
        let range = references("Sections 1004.1 through 1004.3 apply", None);
        assert_eq!(range[0].through.as_ref().unwrap().to_string(), "1004.3");
        assert_eq!(range.len(), 2);
    }

    #[test]
    fn all_forms_are_seen() {
        assert_eq!(targets("section 28-302.1 or §28-302.2"), ["28-302.1", "28-302.2"]);
        assert_eq!(
            targets("Table 1004.5, Chapter 10, Appendix H and rule 4101:1-10-04"),
            ["Table 1004.5", "Chapter 10", "Appendix H", "4101:1-10-04"]
        );
        assert_eq!(targets("Tables 601 and 602"), ["Table 601", "Table 602"]);
        assert_eq!(targets("as in 404.2.3."), ["404.2.3"]);
        let exception = &references("exception 2 of Section 1004.5", None)[0];
        assert_eq!(
            (exception.target.to_string().as_str(), exception.locator.as_deref()),
            ("1004.5", Some("Exception 2"))
        );
        let own = &references("Model Code 2024 §1004.5, Exception 2 (p. 3)", None)[0];
        assert_eq!(
            (own.target.to_string().as_str(), own.locator.as_deref()),
            ("1004.5", Some("Exception 2"))
        );
    }

    #[test]
    fn a_list_of_tables_ends_where_sections_begin() {
        assert_eq!(
            targets("Table 1004.5 and Sections 1004.5.1 and 1004.6"),
            ["Table 1004.5", "1004.5.1", "1004.6"]
        );
        assert_eq!(targets("Sections 1004.1 and Table 601"), ["1004.1", "Table 601"]);
    }

    #[test]
    fn quantities_are_none() {
        assert_eq!(targets("an area of 8,500 square feet (789.7 m²) and 1021.9 L"), Vec::<String>::new());
        assert_eq!(targets("42 U.S.C. 12101 and 36 inches, chapter and verse"), Vec::<String>::new());
    }

    #[test]
    fn the_own_heading_is_none() {
        let own = Number::parse("1004.5").unwrap();
        assert_eq!(references("1004.5 Load. See Section 1004.6.", Some(&own)).len(), 1);
    }
}
