//! Finds the mentions in a text: a word such as "Section" and the numbers after it, or numbers alone.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::Reference;
use super::list::{GLUE, Item, MARKS, NUMBER, items, number};
use super::relative;
use super::source;
use crate::document::Span;
use crate::number::Number;

/// The word may be said again in a list of sections; in a list of tables it ends the list.
const SECTION_AGAIN: &str = r"(?:(?:§\s*)+|(?i:sections?)\s+)?";
/// What a number without any word is a section's after.
const BEFORE_BARE: &str = r"(?:(?:compl(?:y|ies|ying|iance)|conform(?:s|ing|ance)?|accordance)\s+with|(?:required|permitted|allowed|exempted|covered|specified|described|provided|defined|prescribed|exceptions)\s+(?:by|in|under|to)|(?:requirements|provisions)\s+(?:of|in)|pursuant\s+to|subject\s+to|(?-u:\b)see)\s*";

static MENTION: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let exception = |name| {
        format!(
            r"(?:(?i:exceptions?)\s+(?P<{name}>[0-9]{{1,2}}(?:(?:,\s*|,?\s+and\s+|\s+or\s+|\s+through\s+)[0-9]{{1,2}})*)\s+(?:of|to|in)\s+)?"
        )
    };
    let after = |name| {
        format!(
            r"(?:,?\s*\(?(?i:exceptions?)\s+(?P<{name}>[0-9]{{1,2}}(?:(?:,\s*|,?\s+and\s+|\s+or\s+|\s+through\s+)[0-9]{{1,2}})*)(?-u:\b))?"
        )
    };
    let (exception, after, exception_bare, after_bare) =
        (exception("exception"), after("after"), exception("exception_bare"), after("after_bare"));
    let foreign = format!(
        r"(?-u:\b)(?P<foreign>[0-9]{{1,3}}\s+(?:NYCRR|CFR|C\.F\.R\.|U\.?S\.?C\.?(?:A\.)?|CCR|Fed\.\s?Reg\.))\s*(?:§+\s*|(?i:parts?|sections?)\s+)?(?P<foreign_numbers>{NUMBER}(?:{GLUE}{NUMBER})*)"
    );
    // A standard's own designation holds no number of a section.
    let standard = r"(?-u:\b)(?P<standard>[A-Z]{2,6}(?:/[A-Z0-9]{2,6})*(?:\s+(?:No\.\s+)?|-)[A-Z]{0,2}[0-9]+[A-Za-z]?(?:[.\-–][0-9A-Za-z]+)*)";
    let section = format!(
        r"{exception}(?P<word>(?i:(?-u:\b)(?:sub)?sections?|(?-u:\b)secs?\.|(?-u:\b)rules?|(?-u:\b)clauses?|(?-u:\b)sentences?)\s+|(?:§\s*)+)(?:[A-Z]{{2,6}}\s+)?(?P<sections>{NUMBER}(?:{GLUE}{SECTION_AGAIN}(?:{NUMBER}|{MARKS}))*){after}"
    );
    let labelled = format!(
        r"(?-u:\b)(?P<label>(?i:tables?|chapters?|articles?|figures?|diagrams?|subparts?|regulations?)|Parts?)\s+(?:(?i:nos?\.)\s+)?(?P<numbers>(?:{NUMBER}|[A-Z](?-u:\b))(?:{GLUE}(?:{NUMBER}|[A-Z]{{1,2}}(?-u:\b)))*)"
    );
    let appendix = r"(?-u:\b)(?i:appendix|appendices)\s+(?P<appendix>[A-Z]{1,2}(?:(?:\s*,\s*(?:and\s+|or\s+)?|\s+and\s+|\s+or\s+)[A-Z]{1,2}(?-u:\b))*)(?-u:\b)(?:\s+to\s+(?P<home>this\s+part|(?i:part)\s+[0-9]{1,4}))?";
    let paragraph = format!(
        r"(?-u:\b)(?P<relative>(?i:paragraphs?|subparagraphs?|sentences?|clauses?|subclauses?))\s+(?P<marks>{MARKS}(?:{GLUE}{MARKS})*)"
    );
    let counted = r"[A-Z]?[0-9]{1,2}\.[0-9]{1,3}[a-z]?(?:\([0-9A-Za-z]{1,4}\))*";
    let counted = format!(
        r"(?-u:\b)(?:(?i:paras?\.?|paragraphs?)\s+(?P<paras>{counted}(?:{GLUE}{counted})*)|(?i:requirements?)\s+(?P<required>[A-S][0-9]{{1,2}}(?:{GLUE}[A-S][0-9]{{1,2}})*)(?-u:\b))"
    );
    let word = r"[A-Z]{0,2}[0-9]{3,4}[A-Z]?";
    let dotted = format!(
        r"(?:{word}(?:\.[0-9]+)+|[0-9]{{1,2}}-\s?[0-9]{{3,4}}(?:\.[0-9]+)+|[0-9]{{3,4}}:[0-9]{{1,2}}-[0-9]{{1,3}}-[0-9]{{1,3}})(?:\([0-9A-Za-z]{{1,4}}\))*"
    );
    let bare = format!(
        r"{exception_bare}(?:{BEFORE_BARE}(?P<listed>(?:{dotted}|{word}(?-u:\b))(?:{GLUE}(?:{dotted}|{word}(?-u:\b)))*)|(?-u:\b)(?P<bare>{dotted}(?:{GLUE}{dotted})*)){after_bare}"
    );
    Regex::new(&format!("{foreign}|{section}|{labelled}|{appendix}|{paragraph}|{counted}|{bare}|{standard}"))
        .ok()
});

/// One mention with all the numbers of its list.
pub(super) struct Mention {
    pub items: Vec<(Number, Item)>,
    pub locator: Option<String>,
    /// It stands behind the numbers ("Sections 5 and 6, Exception 2"), and so belongs to the last of them.
    pub is_behind: bool,
    pub source: Option<String>,
    /// From the first word to the last number.
    pub span: Span,
    /// It says itself whose numbers these are.
    pub is_settled: bool,
    /// It says "this Section 1004.5".
    pub is_this: bool,
}

/// All mentions of a text in order, also those of other works.
pub(super) fn mentions(text: &str, own: Option<&Number>) -> Vec<Mention> {
    let Some(pattern) = MENTION.as_ref() else { return Vec::new() };
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(captures) = pattern.captures_at(text, at) {
        let Some(whole) = captures.get(0) else { break };
        // A list may end before "and Table 601"; what follows is looked at again.
        at = whole.end().max(at + 1);
        while !text.is_char_boundary(at) {
            at += 1;
        }
        if let Some(mention) = mention(text, own, &captures) {
            found.push(mention);
        }
        if at >= text.len() {
            break;
        }
    }
    found
}

fn mention(text: &str, own: Option<&Number>, captures: &Captures<'_>) -> Option<Mention> {
    let whole = captures.get(0)?;
    let span = Span::new(whole.start(), whole.end());
    let names = ["exception", "after", "exception_bare", "after_bare"];
    let exception = names.into_iter().find_map(|name| captures.name(name));
    let is_behind = ["after", "after_bare"].into_iter().any(|name| captures.name(name).is_some());
    let is_one = |list: &str| list.chars().all(|c| c.is_ascii_digit());
    let locator = exception.map(|m| match is_one(m.as_str()) {
        true => format!("Exception {}", m.as_str()),
        false => format!("Exceptions {}", fold(m.as_str())),
    });
    let is_this = source::tail(text.get(..whole.start()).unwrap_or_default(), HEADING_LABEL)
        .trim_end()
        .to_lowercase()
        .ends_with("this");
    let new = |items: Vec<(Number, Item)>| Mention {
        items,
        locator,
        is_behind,
        source: None,
        span,
        is_settled: false,
        is_this,
    };
    if let (Some(work), Some(list)) = (captures.name("foreign"), captures.name("foreign_numbers")) {
        let mut numbers = numbered(None, list.as_str(), list.start());
        if is_quantity(text, list.end()) {
            numbers.pop();
        }
        return Some(Mention { source: Some(fold(work.as_str())), is_settled: true, ..new(numbers) });
    }
    if captures.name("standard").is_some() {
        return None;
    }
    if let (Some(word), Some(marks)) = (captures.name("relative"), captures.name("marks")) {
        let found = relative::numbered(text, own?, word.as_str(), marks.as_str(), marks.start());
        return (!found.is_empty()).then(|| Mention { is_settled: true, ..new(found) });
    }
    let (label, list) = if let (Some(label), Some(list)) = (captures.name("label"), captures.name("numbers"))
    {
        (Some(label.as_str().trim_end_matches(['s', 'S'])), list)
    } else if let Some(list) = captures.name("appendix") {
        (Some("Appendix"), list)
    } else {
        let name = ["sections", "paras", "required", "bare", "listed"]
            .into_iter()
            .find_map(|name| captures.name(name));
        (None, name?)
    };
    let is_bare = captures.name("bare").is_some() || captures.name("listed").is_some();
    let ends_in_quantity = is_quantity(text, list.end());
    // "Section 1005.1 and 44 inches": only the last is none.
    let is_list = captures.name("word").is_some() && list.as_str().contains(char::is_whitespace);
    if ends_in_quantity && !is_list || is_bare && (is_money(text, list.start()) || is_name(text, list.end()))
    {
        return None;
    }
    let home = captures.name("home").and_then(|home| relative::part_of(home.as_str(), own));
    let mut numbers = numbered(label, list.as_str(), list.start());
    if ends_in_quantity {
        numbers.pop();
    }
    if let Some(part) = home {
        for (number, item) in &mut numbers {
            *number = Number::labelled("Appendix", &format!("{} to Part {part}", item.text))
                .unwrap_or(number.clone());
        }
    }
    (!numbers.is_empty()).then(|| new(numbers))
}

fn numbered(label: Option<&str>, list: &str, offset: usize) -> Vec<(Number, Item)> {
    let of = |item: Item| {
        // "Article 3.1.2.1." has a number like a section's; "Article 107" is one by its label.
        let label = label.filter(|label| !label.eq_ignore_ascii_case("article") || !item.text.contains('.'));
        Some((number(label, &item.text)?, item))
    };
    items(list, offset).into_iter().filter_map(of).collect()
}

fn fold(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// "12 inches" after the word "to" is no number of a section.
fn is_quantity(text: &str, end: usize) -> bool {
    let after = text.get(end..).unwrap_or_default().trim_start();
    let word = after
        .split(|c: char| !c.is_alphanumeric() && !matches!(c, '²' | '³' | '°' | '%' | '.'))
        .next()
        .unwrap_or_default();
    after.starts_with("U.S.C") || UNITS.contains(&word.trim_end_matches('.'))
}

/// The end of a sum: "$2,500.00", "1,000.5".
fn is_money(text: &str, start: usize) -> bool {
    text.get(..start).is_some_and(|before| before.ends_with([',', '$', '/', '.']))
}

/// The number begins a name: "complying with 2010 Standards".
fn is_name(text: &str, end: usize) -> bool {
    let mut after = text.get(end..).unwrap_or_default().chars();
    after.next() == Some(' ')
        && after.next().is_some_and(char::is_uppercase)
        && after.next().is_some_and(char::is_lowercase)
        && !text.get(end..).unwrap_or_default().trim_start().starts_with("Exception")
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

impl Mention {
    /// The section's own number at the beginning of its text, or of a line, where its heading stands.
    pub(super) fn is_heading(&self, text: &str, own: Option<&Number>) -> bool {
        let [(number, item)] = self.items.as_slice() else { return false };
        if own.is_none_or(|own| own.key() != number.key()) {
            return false;
        }
        // No more of the line matters than a label is long.
        let before = source::tail(text.get(..item.span.start).unwrap_or_default(), 2 * HEADING_LABEL);
        let line = before.rsplit('\n').next().unwrap_or_default();
        let label = line.trim().trim_matches(['*', '§', '[', ']', ' ']);
        label.is_empty()
            || label.len() <= 3 && line.contains('[')
            || item.span.start <= HEADING_LABEL
            || line.len() <= HEADING_LABEL && number.label().is_some()
    }

    pub(super) fn into_references(self) -> Vec<Reference> {
        let mut references: Vec<Reference> = Vec::with_capacity(self.items.len());
        for (target, item) in self.items {
            if let Some(from) = references.last_mut().filter(|_| item.ends_range) {
                from.through = Some(target.clone());
            }
            let source = self.source.clone().filter(|_| !item.is_own);
            references.push(Reference { target, through: None, locator: None, source, span: item.span });
        }
        let named = if self.is_behind { references.last_mut() } else { references.first_mut() };
        if let Some(named) = named {
            named.locator = self.locator;
        }
        references
    }
}

/// What may stand before the number of a heading: "SECTION ", "*§ ".
const HEADING_LABEL: usize = 8;
