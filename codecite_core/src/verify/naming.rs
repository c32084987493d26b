//! The work that stands beside a number: "IBC 2021 §1004.5", "§8.3 of NFPA 13", "Under the Model Code, …".

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::works::{is_generic, years};
use crate::document::Span;
use crate::reference::{DESIGNATION, LABELS};

/// How far before a number the name of a work is looked for, and how far behind it.
const BEFORE: usize = 160;
const AFTER: usize = 160;

const NAME: &str = r"(?:(?:[A-Z][\w.&’'/-]*|(?:19|20)[0-9]{2})\s+(?:(?:and|of|for|the|on|to)\s+){0,2}){0,8}(?:Codes?|Standards?|Regulations?|Ordinance|Acts?|Laws?|Guidelines?|Manual|Rules|Amendments|Statutes?|Charter|Bylaws?)(?-u:\b)(?:\s+for\s+(?:[A-Z][\w-]*\s){0,3}[A-Z][\w-]*)?";
const LAW: &str = r"[0-9]{1,3}\s+(?:CFR|C\.F\.R\.|NYCRR|U\.?S\.?C\.?(?:A\.)?|CCR)";
const ACRONYM: &str = r"[A-Z][A-Za-z]?[A-Z]{1,5}(?-u:\b)";
const EDITION: &str = r"(?:19|20)[0-9]{2}|(?i:issue)\s+[0-9]{1,3}";
/// The word of a number, which stands between it and the work's name.
const LABEL: &str = r"(?:(?i:exceptions?|exc\.|items?)\s+[0-9][0-9, and]*\s+(?:of|to|in|under)\s+|(?i:the\s+)?(?i:exception|exc\.)\s+(?:of|to|in|under)\s+)?(?:§+\s*|(?i:(?:sub)?sections?|secs?\.?|s\.|rules?|clauses?|tables?|chapters?|ch\.|articles?|art\.|appendix|figures?|paragraphs?|paras?\.?|parts?)\s+)?";

/// Capitals that name no work, beside the labels of numbers.
const NO_ACRONYM: [&str; 27] = [
    "AND", "OR", "THE", "SEE", "PER", "NOT", "ALL", "NO", "IS", "NOTE", "IN", "OF", "TO", "BY", "FOR", "AS",
    "US", "AHJ", "ITEM", "SHALL", "MUST", "ARE", "BE", "II", "III", "IV", "VI",
];
/// Words in front of a name that are not of it.
const LEADS: [&str; 18] = [
    "The", "This", "These", "Under", "Per", "See", "In", "By", "As", "Also", "If", "And", "Unlike", "Both",
    "Our", "Your", "Section", "However",
];

static WORK: LazyLock<String> = LazyLock::new(|| {
    format!(r"(?P<name>{NAME})|(?P<law>{LAW})|(?P<standard>{DESIGNATION})|(?P<acronym>{ACRONYM})")
});
static AHEAD: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(&format!(
        r"(?:(?P<year>(?:19|20)[0-9]{{2}})\s+(?:edition\s+of\s+(?:the\s+)?)?)?(?-u:\b)(?:{})(?:,?\s*\(?(?P<year_after>{EDITION})(?:\s+(?i:edition|ed\.?))?\)?)?(?:\s*\([^()]{{0,40}}\))?(?:,?\s*(?i:Title|Part|Division|Volume|Chapter|Chap\.|Ch\.|Subpart)\s+[\w.]+)*[’']?s?\s*[*_`]*[,:(\[–—-]?\s*[*_`]*(?:(?:at|in|under)\s+)?{LABEL}$",
        *WORK
    ))
    .ok()
});
static BEHIND: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let year = r"(?:(?P<year>(?:19|20)[0-9]{2})\s+(?:(?:edition\s+)?of\s+(?:the\s+)?)?)?";
    Regex::new(&format!(
        r"^(?:(?P<own>\s+(?:of|in)\s+(?:this|these)\s+(?P<thing>\w+))|(?P<loose>\s+(?:of|in|from|under)\s+(?:the\s+)?|\s*[,(\[]\s*(?:of\s+the\s+)?){year}(?:{}|(?P<plain>(?:[a-z]+\s+){{0,4}}(?:code|standards?|regulations?|ordinance|act|law))(?-u:\b))(?:,?\s*\(?(?P<year_after>{EDITION})(?:\s+(?i:edition|ed\.?))?\)?)?)",
        *WORK
    ))
    .ok()
});
static LEADING: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(&format!(
        r"^[\s*_>#-]*(?:(?P<under>Under|Per|As\s+per|According\s+to|In|By|Within)\s+)?(?:[Tt]he\s+)?(?:(?P<year>(?:19|20)[0-9]{{2}})\s+(?:edition\s+of\s+(?:the\s+)?)?)?(?:{})(?:,?\s*\(?(?P<year_after>{EDITION})(?:\s+(?i:edition|ed\.?))?\)?)?(?P<verb>\s+(?:requires?|says?|states?|provides?|limits?|permits?|allows?|sets?|defines?|prescribes?|reads?|prohibits?|also|has|does|is|calls?|treats?|uses?)(?-u:\b))?(?P<comma>,)?",
        *WORK
    ))
    .ok()
});
static NAMED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(&format!(
        r"(?-u:\b)(?:(?P<name>{NAME})|(?P<law>{LAW})|(?P<standard>{DESIGNATION})|(?P<acronym>(?:IBC|IRC|IFC|IMC|IPC|IFGC|IEBC|IECC|NEC|NFPA|ADA)(?-u:\b)))"
    ))
    .ok()
});

/// A work as a draft names it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Naming {
    /// `None` for "the code", "this code".
    pub work: Option<String>,
    pub edition: Option<String>,
    pub span: Span,
    /// The number is one of the draft itself: "Section 3 of this memo".
    pub is_own_part: bool,
}

/// The work right before a number that begins at `at`.
pub(super) fn before(text: &str, from: usize, at: usize) -> Option<Naming> {
    let from = ceil(text, from.max(at.saturating_sub(BEFORE)));
    let tail = text.get(from..at)?;
    named(&AHEAD.as_ref()?.captures(tail)?, from)
}

/// The work right behind a number whose locator ends at `at`.
pub(super) fn behind(text: &str, at: usize, to: usize) -> Option<Naming> {
    let to = floor(text, to.min(at + AFTER));
    let head = text.get(at..to)?;
    let captures = BEHIND.as_ref()?.captures(head)?;
    if let (Some(own), Some(thing)) = (captures.name("own"), captures.name("thing")) {
        let draft =
            ["memo", "report", "letter", "answer", "document", "note", "email", "list", "drawing", "plan"];
        let span = Span::new(at, at + own.end());
        let is_own_part = draft.contains(&thing.as_str());
        return Some(Naming { span, is_own_part, ..Naming::default() });
    }
    let naming = match captures.name("plain") {
        Some(plain) => {
            let is_loose =
                captures.name("loose").is_some_and(|m| m.as_str().trim_start().starts_with([',', '(']));
            if is_loose
                || plain
                    .as_str()
                    .split(' ')
                    .any(|word| ["shall", "is", "and", "that", "which"].contains(&word))
            {
                return None;
            }
            let span = Span::new(at + plain.start(), at + plain.end());
            Naming { edition: edition(&captures), ..of_name(plain.as_str(), span) }
        }
        None => named(&captures, at)?,
    };
    // "§1004.5, NFPA 13 systems …" goes on with another sentence.
    let loose = captures.name("loose").map_or("", |m| m.as_str().trim());
    let rest = text.get(at + captures.get(0)?.end()..to).unwrap_or_default();
    let is_end = rest.is_empty() || rest.starts_with(['.', ',', ';', ')', ']', ':', '\n', '”', '"']);
    (!loose.starts_with(',') || is_end).then_some(naming)
}

/// The work that a sentence is about by its beginning: "Under the Model Code, …", "NFPA 13 requires …".
pub(super) fn leading(sentence: &str) -> Option<Naming> {
    let head = sentence.get(..floor(sentence, AFTER))?;
    let captures = LEADING.as_ref()?.captures(head)?;
    let says = captures.name("verb").is_some()
        || captures.name("under").is_some() && captures.name("comma").is_some();
    says.then(|| named(&captures, 0)).flatten().filter(|naming| naming.work.is_some())
}

/// All works that a text names, with or without a number.
pub(super) fn all(text: &str) -> Vec<Naming> {
    let found = NAMED.as_ref().map(|pattern| pattern.captures_iter(text));
    let found = found.into_iter().flatten().filter_map(|captures| named(&captures, 0));
    found.filter(|naming| naming.work.is_some()).collect()
}

fn edition(captures: &Captures<'_>) -> Option<String> {
    let found = ["year_after", "year"].into_iter().find_map(|name| captures.name(name));
    found.map(|m| m.as_str().to_owned())
}

fn named(captures: &Captures<'_>, offset: usize) -> Option<Naming> {
    let m = ["name", "law", "standard", "acronym"].into_iter().find_map(|name| captures.name(name))?;
    let label = m.as_str().split([' ', '-', '/']).next().unwrap_or_default();
    let is_capital = captures.name("standard").is_some() || captures.name("acronym").is_some();
    if is_capital && (NO_ACRONYM.contains(&label) || LABELS.contains(&label)) {
        return None;
    }
    let mut name = m.as_str();
    while let Some((first, rest)) = name.split_once(char::is_whitespace) {
        if !LEADS.contains(&first) {
            break;
        }
        name = rest.trim_start();
    }
    let span = Span::new(offset + m.end() - name.len(), offset + m.end());
    let naming = of_name(name, span);
    let edition = edition(captures).or(naming.edition);
    Some(Naming { edition, ..naming })
}

fn of_name(name: &str, span: Span) -> Naming {
    let mut words: Vec<&str> = name.split_whitespace().collect();
    let year = words.iter().flat_map(|word| years(word)).next().map(str::to_owned);
    let is_year =
        |word: Option<&&str>| word.is_some_and(|word| word.len() == 4 && years(word).next().is_some());
    if words.len() > 1 && is_year(words.last()) {
        words.pop();
    } else if words.len() > 1 && is_year(words.first()) {
        words.remove(0);
    }
    let folded = words.join(" ");
    let work = Some(folded).filter(|name| !is_generic(name));
    Naming { work, edition: year, span, is_own_part: false }
}

fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

fn ceil(text: &str, at: usize) -> usize {
    (at..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ahead(text: &str) -> Option<(Option<String>, Option<String>)> {
        before(text, 0, text.len()).map(|naming| (naming.work, naming.edition))
    }

    fn after(text: &str) -> Option<(Option<String>, Option<String>)> {
        behind(text, 0, text.len()).map(|naming| (naming.work, naming.edition))
    }

    fn is(work: &str, edition: Option<&str>) -> Option<(Option<String>, Option<String>)> {
        Some((Some(work.to_owned()), edition.map(str::to_owned)))
    }

    #[test]
    fn works_before_a_number() {
        assert_eq!(ahead("as IBC 2021 §"), is("IBC", Some("2021")));
        assert_eq!(ahead("the 2018 IBC, Section "), is("IBC", Some("2018")));
        assert_eq!(ahead("See NFPA 13 §"), is("NFPA 13", None));
        assert_eq!(ahead("Model Building Code 2024 §"), is("Model Building Code", Some("2024")));
        assert_eq!(
            ahead("Model Building Code (2024 edition), Exception 2 of Section "),
            is("Model Building Code", Some("2024"))
        );
        assert_eq!(
            ahead("Aldermoor Studio Design Standard, issue 3, §"),
            is("Aldermoor Studio Design Standard", Some("issue 3"))
        );
        assert_eq!(ahead("in 28 CFR "), is("28 CFR", None));
        assert_eq!(ahead("the Code §"), Some((None, None)));
        for none in ["see §", "doors of GROUP A-2 in §", "NFPA 13 systems that are needed by §"] {
            assert_eq!(ahead(none), None, "{none}");
        }
    }

    #[test]
    fn works_behind_a_number() {
        assert_eq!(after(" of the 2021 IBC is"), is("IBC", Some("2021")));
        assert_eq!(after(" of NFPA 13."), is("NFPA 13", None));
        assert_eq!(after(" (IBC 2021)"), is("IBC", Some("2021")));
        assert_eq!(after(" of the fire code"), is("fire code", None));
        assert_eq!(after(" of the International Fire Code"), is("International Fire Code", None));
        assert_eq!(after(" of the code"), Some((None, None)));
        assert_eq!(after(" of this code"), Some((None, None)));
        assert_eq!(after(", NFPA 13 systems are"), None);
        assert_eq!(after(" requires a Code"), None);
        assert!(behind(" of this memo", 0, 13).is_some_and(|naming| naming.is_own_part));
    }

    #[test]
    fn works_that_a_sentence_is_about() {
        let work = |text: &str| leading(text).and_then(|naming| naming.work);
        assert_eq!(work("Under the IBC, doors"), Some("IBC".into()));
        assert_eq!(work("NFPA 101 requires doors"), Some("NFPA 101".into()));
        assert_eq!(work("The Fire Code says so"), Some("Fire Code".into()));
        assert_eq!(work("NFPA 13 systems are"), None);
        assert_eq!(all("by NFPA 13 and the State Fire Code").len(), 2);
    }
}
