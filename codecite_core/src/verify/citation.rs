//! Citations of a draft: a number, what it narrows itself to, and the work that it is said to be of.

use std::sync::LazyLock;

use regex::Regex;

use super::naming::{self, Naming};
use super::values::Value;
use super::works::years;
use crate::document::Span;
use crate::number::Number;
use crate::reference::{Reference, references};

/// How far before a number "Exception 2 of Section" may begin.
const LEAD: usize = 60;

/// One citation of a draft.
#[derive(Debug, Clone, PartialEq)]
pub struct Citation {
    /// From the work's name to the page, as far as they stand beside the number.
    pub span: Span,
    /// What is cited; `None` for a work as a whole, which stands only beside quotations.
    pub reference: Option<Reference>,
    /// `Exception 2`, `Exceptions 1 and 2`, `Exception`, `Item 3`: the part of it that is meant.
    pub locator: Option<String>,
    /// The work as named: `NFPA 13`, `Model Building Code`; `None` where none is, or only "the code".
    pub work: Option<String>,
    /// Its edition as named: `2021`, `issue 3`.
    pub edition: Option<String>,
    /// The pages as written: `10-12`, `3–4`.
    pub pages: Option<String>,
    /// Numbers with a unit that the same sentence has outside quotations.
    pub values: Vec<Value>,
    /// The other numbers that the same sentence cites: a value may be theirs.
    pub beside: Vec<Number>,
}

impl Citation {
    /// A citation that names neither a number nor a work.
    pub(super) fn nothing(span: Span) -> Citation {
        Citation {
            span,
            reference: None,
            locator: None,
            work: None,
            edition: None,
            pages: None,
            values: Vec::new(),
            beside: Vec::new(),
        }
    }

    /// The number that is cited.
    pub fn number(&self) -> Option<&Number> {
        self.reference.as_ref().map(|reference| &reference.target)
    }
}

static EXCEPTION_AHEAD: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)(?-u:\b)(?:(?P<nth>first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|only|sole)\s+)?(?P<word>exceptions?|exc\.|ex\.|items?)\s*(?:nos?\.\s*)?(?P<list>[0-9]{1,2}(?:(?:,\s*|,?\s+and\s+|\s+or\s+|\s+through\s+)[0-9]{1,2})*)?\s+(?:of|to|in|under|from)\s+(?:the\s+)?(?:[A-Za-z0-9., ’'-]{0,40}?)(?:§+\s*|sections?\s+|secs?\.?\s+|tables?\s+)?$").ok()
});
static EXCEPTION_BEHIND: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)^\s*[,;(]?\s*(?:the\s+)?(?P<word>exceptions?|exc\.|ex\.|items?)(?:\s*(?:nos?\.\s*|\#\s*)?(?P<list>[0-9]{1,2}(?:(?:,\s*|,?\s+and\s+|\s+or\s+|\s+through\s+)[0-9]{1,2})*))?(?-u:\b|$)\)?").ok()
});
static PAGES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)^[,;\s]*\(?(?:pp?\.|pages?)\s*(?P<pages>[0-9ivxl]+(?:\s?[-–]\s?[0-9ivxl]+)*)\)?").ok()
});
/// Parts of a number.
static MORE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^(?:\.[0-9]{1,4}(?-u:\b)|\([0-9A-Za-z]{1,3}\))+").ok());
/// What parts the numbers of a list, which share a work.
static LIST: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^(?:[\s,;&]|(?i:and|or|through|to|as|well|in|the|see|also|sections?|secs?\.|tables?|chapters?|exceptions?|items?|of)(?-u:\b)|§|[0-9]{1,2}\s+of)*$").ok()
});

/// All citations of a text that have a number, in order; those within `quoted` are words of the quotation.
pub(super) fn citations(text: &str, quoted: &[Span]) -> Vec<Citation> {
    let found: Vec<Reference> = references(text, None)
        .into_iter()
        .map(|reference| whole(text, reference))
        .filter(|reference| !is_edition(&reference.target))
        .filter(|reference| {
            let next = quoted.partition_point(|span| span.end <= reference.span.start);
            quoted.get(next).is_none_or(|span| span.start >= reference.span.end)
        })
        .collect();
    let mut citations: Vec<Citation> = Vec::with_capacity(found.len());
    let mut owned = Vec::with_capacity(found.len());
    let mut lead_from = 0;
    for (index, reference) in found.iter().enumerate() {
        let next = found.get(index + 1).map_or(text.len(), |next| next.span.start);
        let (citation, says, is_own_part) = citation(text, reference, lead_from, next);
        // "Sections 1 and 2": each begins where the one before ends; two ends of one range share a place.
        lead_from = citation.span.end.max(lead_from);
        citations.push(citation);
        owned.push((says, is_own_part));
    }
    share(text, &mut citations, &mut owned);
    let kept = citations.into_iter().zip(owned).filter(|(_, (_, is_own_part))| !is_own_part);
    kept.map(|(citation, _)| citation).collect()
}

/// "Regulations 2009": a year is no number of a regulation.
fn is_edition(number: &Number) -> bool {
    number.label() == Some("Regulation") && years(number.body()).next() == Some(number.body())
}

/// What goes on behind a number without a gap is a part of it, though codes have no such number: "36.302(e).97".
fn whole(text: &str, mut reference: Reference) -> Reference {
    let rest = text.get(reference.span.end..).unwrap_or_default();
    let more = MORE.as_ref().and_then(|pattern| pattern.find(rest)).map_or("", |m| m.as_str());
    let body = format!("{}{more}", reference.target.body());
    let target = match reference.target.label() {
        Some(label) => Number::labelled(label, &body),
        None => Number::parse(&body),
    };
    if let Some(target) = target.filter(|_| !more.is_empty()) {
        reference.target = target;
        reference.span.end += more.len();
    }
    reference
}

/// One citation; whether it says itself whose number it is; whether it is of the draft.
fn citation(text: &str, reference: &Reference, from: usize, next: usize) -> (Citation, bool, bool) {
    let number = reference.span;
    let mut span = number;
    let mut locator = reference.locator.clone();
    let mut pages = None;
    let rest = |end: usize| text.get(end..next.max(end)).unwrap_or_default();
    if let Some(captures) = EXCEPTION_BEHIND.as_ref().and_then(|pattern| pattern.captures(rest(span.end))) {
        let after = rest(span.end).get(captures.get(0).map_or(0, |m| m.end())..).unwrap_or_default();
        // "…1004.5, exception 2 of 1005.1": it belongs to what follows.
        let is_next = ["of", "to", "in", "under"].iter().any(|word| after.trim_start().starts_with(word))
            && after.len() < LEAD
            && next < text.len();
        if !is_next {
            locator = Some(named_part(&captures));
            span.end += captures.get(0).map_or(0, |m| m.end());
        }
    }
    if let Some(captures) = PAGES.as_ref().and_then(|pattern| pattern.captures(rest(span.end))) {
        pages = captures.name("pages").map(|m| m.as_str().to_owned());
        span.end += captures.get(0).map_or(0, |m| m.end());
    }
    let lead_from = from.min(number.start);
    if locator.is_none() {
        let start = ceil(text, lead_from.max(number.start.saturating_sub(LEAD)));
        let lead = text.get(start..number.start).unwrap_or_default();
        if let Some(captures) = EXCEPTION_AHEAD.as_ref().and_then(|pattern| pattern.captures(lead)) {
            locator = Some(named_part(&captures));
            span.start = start + captures.get(0).map_or(0, |m| m.start());
        }
    }
    let ahead = naming::before(text, lead_from, number.start);
    let naming = ahead.or_else(|| naming::behind(text, span.end, text.len().min(next.max(span.end) + 1)));
    let says = naming.is_some();
    let naming = naming.unwrap_or_default();
    if says {
        span.start = span.start.min(naming.span.start);
        span.end = span.end.max(naming.span.end);
    }
    let late =
        PAGES.as_ref().filter(|_| pages.is_none()).and_then(|pattern| pattern.captures(rest(span.end)));
    if let Some(captures) = late {
        pages = captures.name("pages").map(|m| m.as_str().to_owned());
        span.end += captures.get(0).map_or(0, |m| m.end());
    }
    let Naming { work, edition, is_own_part, .. } = naming;
    let reference = Some(reference.clone());
    let citation = Citation { reference, locator, work, edition, pages, ..Citation::nothing(span) };
    (citation, says, is_own_part)
}

fn named_part(captures: &regex::Captures<'_>) -> String {
    let word = captures.name("word").map_or("", |m| m.as_str()).to_lowercase();
    let word = if word.starts_with("item") { "Item" } else { "Exception" };
    if let Some(list) = captures.name("list") {
        let list = list.as_str().split_whitespace().collect::<Vec<_>>().join(" ");
        let plural = if list.bytes().all(|byte| byte.is_ascii_digit()) { "" } else { "s" };
        return format!("{word}{plural} {list}");
    }
    const NTH: [&str; 9] =
        ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"];
    let nth = captures.name("nth").map(|m| m.as_str().to_lowercase());
    match nth.and_then(|nth| NTH.iter().position(|name| *name == nth)) {
        Some(at) => format!("{word} {}", at + 1),
        None => word.to_owned(),
    }
}

/// Numbers of one list are of one work, whether it is named before the first or behind the last.
fn share(text: &str, citations: &mut [Citation], owned: &mut [(bool, bool)]) {
    let joined: Vec<bool> = citations
        .windows(2)
        .map(|pair| match pair {
            [one, next] => {
                let from = one.span.end.min(next.span.start);
                let gap = text.get(from..next.span.start).unwrap_or_default();
                gap.len() <= 80 && LIST.as_ref().is_some_and(|pattern| pattern.is_match(gap))
            }
            _ => false,
        })
        .collect();
    let copy = |citations: &mut [Citation], owned: &mut [(bool, bool)], from: usize, to: usize| {
        let source = citations.get(from).map(|citation| (citation.work.clone(), citation.edition.clone()));
        let flags = owned.get(from).copied();
        let (Some((work, edition)), Some(flags)) = (source, flags) else { return };
        let (Some(citation), Some(slot)) = (citations.get_mut(to), owned.get_mut(to)) else { return };
        if flags.0 && !slot.0 {
            (citation.work, citation.edition) = (work, edition);
            *slot = flags;
        }
    };
    for (at, _) in joined.iter().enumerate().filter(|(_, joined)| **joined) {
        copy(citations, owned, at, at + 1);
    }
    for (at, _) in joined.iter().enumerate().rev().filter(|(_, joined)| **joined) {
        copy(citations, owned, at + 1, at);
    }
}

fn ceil(text: &str, at: usize) -> usize {
    (at..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Number, locator, work, edition, pages of each.
    fn found(text: &str) -> Vec<String> {
        let of = |citation: &Citation| {
            let parts = [&citation.locator, &citation.work, &citation.edition, &citation.pages];
            let parts = parts.map(|part| part.as_deref().unwrap_or("-"));
            format!("{} {}", citation.number().unwrap(), parts.join("/"))
        };
        citations(text, &[]).iter().map(of).collect()
    }

    #[test]
    fn citations_say_what_they_say() {
        for (text, expected) in [
            ("see §1004.5, Exception 2 (p. 10-12)", "1004.5 Exception 2/-/-/10-12"),
            ("the exception to Section 403.3 applies", "403.3 Exception/-/-/-"),
            ("the second exception to Section 403.3", "403.3 Exception 2/-/-/-"),
            ("Section 1004.5 (Exception No. 9)", "1004.5 Exception 9/-/-/-"),
            ("IBC 2021 §1004.5", "1004.5 -/IBC/2021/-"),
            (
                "Model Building Code 2024 §1004.5, Exception 2 (p. 10-12)",
                "1004.5 Exception 2/Model Building Code/2024/10-12",
            ),
            ("§8.3 of NFPA 13 applies", "8.3 -/NFPA 13/-/-"),
            ("(Exception 2 of Section 1015.2 of the 2021 IBC)", "1015.2 Exception 2/IBC/2021/-"),
            ("MBC Table 1020.2, pp. 3–4", "Table 1020.2 -/MBC/-/3–4"),
            ("Item 3 of Section 104.2", "104.2 Item 3/-/-/-"),
        ] {
            assert_eq!(found(text), [expected], "{text}");
        }
        assert_eq!(found("Section 3.1 of this memo"), Vec::<String>::new());
    }

    #[test]
    fn a_list_shares_its_work() {
        assert_eq!(found("IBC §§1004.5 and 1004.6"), ["1004.5 -/IBC/-/-", "1004.6 -/IBC/-/-"]);
        assert_eq!(
            found("Sections 503.1 and 504.1 of the State Fire Code. See §101.2."),
            ["503.1 -/State Fire Code/-/-", "504.1 -/State Fire Code/-/-", "101.2 -/-/-/-"]
        );
        assert_eq!(
            found("MBC §1004.5 allows what IBC §1004.5 does not."),
            ["1004.5 -/MBC/-/-", "1004.5 -/IBC/-/-"]
        );
        assert_eq!(
            found("§1004.5, and exception 2 of §1005.1"),
            ["1004.5 -/-/-/-", "1005.1 Exception 2/-/-/-"]
        );
    }
}
