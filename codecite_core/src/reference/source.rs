//! Whose numbers they are: the document's own, or those of another code, law or standard that is named beside them.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;

use super::mention::Mention;
use crate::number::Number;

/// How far before a mention the name of a work is looked for, and how far after it.
const NAME_BEFORE: usize = 120;
const NAME_AFTER: usize = 240;

/// The last word of a work's name.
const WORK: &str = r"(?i:codes?|law|laws|act|acts|regulations?|standards?|ordinances?|statutes?|rules|charter|constitution|guidelines?|manual|bylaws?)(?-u:\b)";
/// A standard by its designation: "NFPA 72", "ASME A17.1", "ICC/ANSI A117.1", "BS 9999".
pub(crate) const DESIGNATION: &str = r"[A-Z]{2,8}(?:/[A-Z0-9]{2,8})*(?:\s+[A-Z]{2,8})?(?:\s+|-)(?:[A-Z]{1,2})?[0-9]+[A-Za-z]?(?:[.\-–][0-9A-Za-z]+)*";
/// Words of a name that is not written in capitals.
const NAME_WORD: &str = r"[\p{L}\p{N}][\p{L}\p{N}.&’'/-]*";

static AFTER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let remark = r"(?:\s*\([^()]{0,120}\))?";
    let within = r"(?:(?i:titles?|parts?|divisions?|subchapters?|chapters?|articles?|subdivisions?|volumes?)\s+[\w.]+(?:\s+(?:or|and)\s+\w+)?\s*,?\s+(?:of|in)\s+)*";
    let others = r"(?:\s+and\s+other\s+(?:\w+\s+)?(?:sections|provisions|chapters|parts))?";
    let of = format!(
        r"^\)?{remark}{others},?\s*(?:(?i:title|part|division|chapter)\s+[\w.]+\s+)?(?:of|in|from|under)\s+{within}"
    );
    Regex::new(&format!(
        r"{of}(?:(?P<own>(?:this|these|the\s+present)(?-u:\b))|(?:the\s+|any\s+|that\s+)?(?P<standard>{DESIGNATION})|(?P<such>(?:such|said)\s+)?(?P<article>the\s+)?(?P<name>(?:{NAME_WORD}\s+){{0,8}}?{WORK}))"
    ))
    .ok()
});
static BEFORE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let word = r"[\p{Lu}][\p{L}\p{N}.&’'/-]*";
    Regex::new(&format!(
        r"(?:(?P<name>(?:(?:{word}|[12][0-9]{{3}})\s+(?:(?:and|of|for|the)\s+){{0,2}}){{0,8}}(?:Codes?|Law|Act|Regulations?|Standards?|Ordinance|Charter|IBC|IRC|IFC|IMC|IPC|IFGC|IEBC|IECC|NEC)(?:\s+[12][0-9]{{3}})?)|(?P<standard>{DESIGNATION})|(?P<owner>\p{{Lu}}[\p{{L}}.]+[’']s))(?:\s*\([^()]{{0,40}}\))?(?:,\s*(?:Title|Part|Division|Volume)\s+[\w.]+)*,?\s*(?:(?:Title|Part|Chapter)\s+[\w.]+\s+commencing\s+with\s+)?$"
    ))
    .ok()
});
/// What may stand between mentions that share what follows the last: "section 1009.12 and section 1012 of the …".
static BETWEEN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^(?:\s*,?\s*(?:and/or|and|or|of|to|in|as|may|be|by|the|any|referenced|modified|amended|exceptions?)(?-u:\b))*\s*,?\s*(?:the\s+)?$").ok()
});
static THEREOF: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^,?\s*thereof(?-u:\b)").ok());
/// Words that no name holds: what follows is a sentence of its own.
const NO_NAME: [&str; 24] = [
    "shall", "is", "are", "be", "was", "were", "may", "must", "that", "which", "where", "when", "with", "by",
    "as", "this", "these", "provided", "except", "for", "section", "sections", "if", "not",
];

/// What is said of a mention's work.
enum Said {
    Own,
    Other(String),
    /// "such code": the one named last.
    Last,
    Nothing,
}

/// Gives every mention the work that it is said to be in.
pub(super) fn assign(text: &str, own: Option<&Number>, mentions: &mut [Mention]) {
    let mut last: Option<String> = None;
    let mut said: Vec<Option<String>> = vec![None; mentions.len()];
    let mut settled: Vec<bool> = mentions.iter().map(|mention| mention.is_settled).collect();
    for (index, mention) in mentions.iter().enumerate() {
        let mut source = mention.source.clone();
        if source.is_none() && !mention.is_settled {
            let next = mentions.get(index + 1).map_or(text.len(), |next| next.span.start);
            let (found, is_settled) = match after(text, mention.span.end, next) {
                _ if mention.is_this => (None, true),
                Said::Own => (None, true),
                Said::Other(name) => (Some(name), true),
                Said::Last => (last.clone().or_else(|| Some("such code".to_owned())), true),
                Said::Nothing => match before(text, mention.span.start) {
                    Some(name) => (Some(name), true),
                    None => (None, false),
                },
            };
            if let Some(flag) = settled.get_mut(index) {
                *flag = is_settled;
            }
            source = found;
        }
        last = source.clone().or(last);
        if let Some(slot) = said.get_mut(index) {
            *slot = source;
        }
    }
    share_backwards(text, mentions, &mut said, &mut settled);
    let mut foreign: HashMap<String, String> = HashMap::new();
    for (mention, source) in mentions.iter().zip(&said) {
        let Some(source) = source else { continue };
        foreign.extend(mention.items.iter().map(|(number, _)| (number.key(), source.clone())));
    }
    for ((mention, source), settled) in mentions.iter_mut().zip(said).zip(settled) {
        for (number, item) in &mut mention.items {
            item.is_own = own.is_some_and(|own| same_series(own, number));
        }
        // "section 504 of the Rehabilitation Act … section 504": the same number again.
        let again = || mention.items.iter().find_map(|(number, _)| foreign.get(&number.key())).cloned();
        mention.source = source.or_else(|| (!settled).then(again).flatten());
    }
}

/// Mentions without a word on their work share that of the next one, if only words of a list stand between.
fn share_backwards(text: &str, mentions: &[Mention], said: &mut [Option<String>], settled: &mut [bool]) {
    for index in (0..mentions.len().saturating_sub(1)).rev() {
        let (Some(this), Some(next)) = (mentions.get(index), mentions.get(index + 1)) else { continue };
        let open = settled.get(index) == Some(&false) && settled.get(index + 1) == Some(&true);
        let between = text.get(this.span.end..next.span.start).unwrap_or_default();
        let joined =
            between.len() <= NAME_BEFORE && BETWEEN.as_ref().is_some_and(|glue| glue.is_match(between));
        if open && joined && !next.is_settled {
            let shared = said.get(index + 1).cloned().flatten();
            if let (Some(slot), Some(flag)) = (said.get_mut(index), settled.get_mut(index)) {
                (*slot, *flag) = (shared, true);
            }
        }
    }
}

/// Both are numbers of one title or series, which another work does not have: `28-105.2` in `28-101.4`, `106A.3` in
/// `102A.1`.
fn same_series(own: &Number, number: &Number) -> bool {
    let title = |number: &Number| {
        let (title, _) = number.body().split_once('-')?;
        title.chars().all(|c| c.is_ascii_digit() || c == ':').then(|| title.to_owned())
    };
    let series = |number: &Number| {
        let (letters, _) = number.components().into_iter().next()?;
        (!letters.is_empty()).then_some(letters)
    };
    let same = |of: &dyn Fn(&Number) -> Option<String>| of(own).is_some() && of(own) == of(number);
    number.label().is_none() && own.label().is_none() && (same(&title) || same(&series))
}

fn after(text: &str, from: usize, next: usize) -> Said {
    let rest = head(text.get(from..).unwrap_or_default(), NAME_AFTER);
    if THEREOF.as_ref().is_some_and(|pattern| pattern.is_match(rest)) {
        return Said::Last;
    }
    let Some(captures) = AFTER.as_ref().and_then(|pattern| pattern.captures(rest)) else {
        return Said::Nothing;
    };
    if captures.name("own").is_some() {
        return Said::Own;
    }
    if let Some(standard) = captures.name("standard") {
        return if is_label(standard.as_str()) {
            Said::Nothing
        } else {
            Said::Other(fold(standard.as_str()))
        };
    }
    let Some(name) = captures.name("name") else { return Said::Nothing };
    let words: Vec<&str> = name.as_str().split_whitespace().collect();
    if words.iter().any(|word| NO_NAME.contains(&word.to_lowercase().as_str())) || from + name.start() > next
    {
        return Said::Nothing;
    }
    let is_plain = words.len() == 1;
    if captures.name("such").is_some() && is_plain {
        return Said::Last;
    }
    // "of the code" is the one that is read; "of the Act" is the law behind it.
    if is_plain
        && !matches!(name.as_str().to_lowercase().as_str(), "act" | "law" | "charter" | "constitution")
    {
        return Said::Own;
    }
    Said::Other(fold(name.as_str()))
}

fn before(text: &str, to: usize) -> Option<String> {
    let tail = tail(text.get(..to).unwrap_or_default(), NAME_BEFORE);
    let captures = BEFORE.as_ref()?.captures(tail)?;
    let m = captures.name("name").or_else(|| captures.name("standard")).or_else(|| captures.name("owner"))?;
    let name = fold(m.as_str());
    let ahead = tail.get(..m.start()).unwrap_or_default().trim_end();
    let is_this = ["this", "the", "these"].iter().any(|word| ahead.ends_with(word));
    let is_plain =
        !name.contains(' ') && name.starts_with(char::is_uppercase) && captures.name("name").is_some();
    let is_acronym = name.chars().all(|c| c.is_ascii_uppercase());
    let is_name = !is_plain || is_acronym && !is_this;
    (is_name && !is_label(&name)).then_some(name)
}

/// Labels of numbers in capitals: they look like the letters of a designation, and are none.
pub(crate) const LABELS: [&str; 13] = [
    "TABLE",
    "SECTION",
    "CHAPTER",
    "APPENDIX",
    "ARTICLE",
    "FIGURE",
    "PART",
    "GROUP",
    "TYPE",
    "CLASS",
    "EXCEPTION",
    "TITLE",
    "DIVISION",
];

/// "TABLE 601" and "SECTION 1004" in capitals look like a designation.
fn is_label(name: &str) -> bool {
    let first = name.split([' ', '-', '/']).next().unwrap_or_default();
    LABELS.contains(&first)
}

fn fold(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// At most so many bytes from the beginning.
fn head(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    text.get(..end).unwrap_or_default()
}

/// At most so many bytes from the end.
pub(super) fn tail(text: &str, most: usize) -> &str {
    let from = (text.len().saturating_sub(most)..=text.len()).find(|at| text.is_char_boundary(*at));
    text.get(from.unwrap_or(0)..).unwrap_or_default()
}
