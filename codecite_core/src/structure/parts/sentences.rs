//! Terms that a sentence outside a list of definitions says the meaning of.

use std::sync::LazyLock;

use regex::Regex;

use super::definitions::{DEFINES, clean_term};
use super::marks::past_mark;
use crate::structure::headings::reads_as_sentence;

/// A term without quotation marks has at most so many words.
const MAX_WORDS: usize = 9;
/// The title before a sentence is at most so long, in bytes.
const MAX_TITLE: usize = 80;

/// `as used in this part, `, `as referred to in this section 28-102.5 `: where the meaning holds.
const USED: &str = r"(?:as\s+(?:used|referred\s+to|employed)\s+in\s+[^,;”“]{1,60}?,?\s+)?";
/// A quoted term anywhere, before a word that defines.
static QUOTED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(&format!(
        r#"(?i)[“"](?P<term>[^”"“]{{2,80}}?),?[”"],?\s+{USED}(?:(?:shall\s+)?means?(?-u:\b)|(?:is|are|shall\s+be)\s+defined\s+as(?-u:\b)|(?:shall\s+)?(?:have|has)\s+the\s+(?:same\s+)?meanings?(?-u:\b)|(?:refers\s+to|includes?|shall\s+include)(?-u:\b))"#
    ))
    .ok()
});
/// `A lift is a “main lift” if it serves all floors.`
static IF: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r#"(?-u:\b)(?:is|are)\s+(?:(?:considered|deemed)\s+)?(?:to\s+be\s+)?(?:an?\s+)?[“"](?P<term>[^”"“]{2,80}?),?[”"],?\s+(?:if|when|where)(?-u:\b)"#,
    )
    .ok()
});
/// What a sentence that defines begins with: what its meaning is for, or that a term follows.
static OPENING: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r#"^(?:(?i:(?:for\s+(?:the\s+)?purposes?\s+of|as\s+used\s+in)\s+(?:this|these|the)\s+[^,.;:“”"]{2,60}|in\s+this\s+(?:section|chapter|part|article|code|title|rule|document|appendix)),\s+(?P<purpose>))?(?:(?i:the\s+(?:term|phrase|word|expression)s?)\s+(?P<named>))?(?:(?i:an?|the|any)\s+)?"#
    )
    .ok()
});
/// What is enough behind any short beginning of a sentence: "means" before what it means, not "means of egress".
static MEANS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(&format!(
        r"^,?\s*{USED}(?:(?:shall\s+)?means?(?:\s*[:,—–-]|\s+(?:an?|the|any|all|each|every|either|one|those|that|having)(?-u:\b))|(?:is|are|shall\s+be)\s+(?:hereby\s+)?defined\s+(?:as|to)(?-u:\b)|(?:shall\s+)?(?:have|has)\s+the\s+(?:same\s+)?meanings?(?-u:\b))"
    ))
    .ok()
});
/// What is enough where the sentence says what it is for, names its words a term, or sets them in quotation marks.
static SAYS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(&format!(
        r"^,?\s*{USED}(?:{DEFINES}|(?:is|are)\s+(?:an?|the|any|one|those|that|each)(?-u:\b)|(?:also\s+)?(?:shall\s+)?includes?(?-u:\b)|applies\s+to|shall\s+be\s+(?:considered|deemed)\s+to\s+(?:be|mean|include)(?-u:\b))"
    ))
    .ok()
});
static SHALL_MEAN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(&format!(r"^,?\s*{USED}(?:shall\s+mean|(?:is|are|shall\s+be)\s+defined\s+as)(?-u:\b)")).ok()
});
static SENTENCE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r#"[.;][”"’)]?\s+"#).ok());
static IN_MARKS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"^[“"‘](?P<term>[^”"“]{2,80}?),?[”"’]"#).ok());

/// Words that are part of a sentence, not of a name.
const NO_NAMES: [&str; 40] = [
    "this", "these", "that", "those", "there", "such", "it", "which", "who", "where", "when", "if", "as",
    "in", "other", "no", "each", "all", "words", "terms", "shall", "will", "would", "may", "must", "should",
    "can", "do", "does", "did", "not", "is", "are", "be", "was", "were", "been", "has", "have", "had",
];

/// The term that a sentence defines: in quotation marks anywhere in the text, otherwise where a sentence begins.
pub(super) fn in_sentence(text: &str) -> Option<String> {
    if let Some(term) = quoted(text) {
        return Some(term);
    }
    if let Some(captures) = IF.as_ref().and_then(|pattern| pattern.captures(text)) {
        return clean_term(captures.name("term")?.as_str());
    }
    let text = past_title(past_mark(text));
    leading(text, false).or_else(|| later(text)).and_then(clean_term)
}

/// Behind the title that a paragraph begins with: `Alteration. For the purposes of this part, …`.
fn past_title(text: &str) -> &str {
    let Some((title, rest)) = text.split_once(". ") else { return text };
    let is_title = title.split_whitespace().count() <= MAX_WORDS
        && title.len() <= MAX_TITLE
        && !title.contains([',', ';', ':', '“', '"'])
        && !reads_as_sentence(title);
    if is_title { rest.trim_start() } else { text }
}

/// The term of a sentence behind the first one.
fn later(text: &str) -> Option<&str> {
    SENTENCE.as_ref()?.find_iter(text).find_map(|stop| leading(text.get(stop.end()..)?, true))
}

fn quoted(text: &str) -> Option<String> {
    let term = QUOTED.as_ref()?.captures(text)?.name("term")?;
    // The title of a standard after its number: "ISO 8201, “Acoustics”, refers to …".
    let before =
        text.get(..term.start())?.trim_end_matches(|c: char| c.is_whitespace() || "“\",".contains(c));
    let is_acronym = |word: &str| word.chars().take_while(char::is_ascii_uppercase).count() >= 2;
    let mut words = before.rsplit(char::is_whitespace);
    let number = words.next().filter(|word| word.contains(|c: char| c.is_ascii_digit()));
    let is_title = number.is_some_and(|number| is_acronym(number) || words.next().is_some_and(is_acronym));
    if is_title { None } else { clean_term(term.as_str()) }
}

/// `Captioning device means the …`, `For purposes of this section, an alteration is a …`, `A “path of travel” includes …`.
///
/// A sentence that is not the first of its paragraph (`later`) has to say so in the words of a legislator.
fn leading(text: &str, later: bool) -> Option<&str> {
    let opening = OPENING.as_ref()?.captures(text)?;
    let rest = text.get(opening.get(0)?.end()..)?;
    let tells = opening.name("purpose").is_some() || opening.name("named").is_some();
    if let Some(marked) = IN_MARKS.as_ref()?.captures(rest) {
        let after = rest.get(marked.get(0)?.end()..)?;
        return ((!later || tells) && is_match(&SAYS, after))
            .then(|| marked.name("term").map(|term| term.as_str()))
            .flatten();
    }
    let verb = match (tells, later) {
        (true, _) => &SAYS,
        (false, false) => &MEANS,
        (false, true) => &SHALL_MEAN,
    };
    let mut end = 0;
    for word in rest.split_inclusive(char::is_whitespace).take(MAX_WORDS) {
        end += word.len();
        if word.trim_end().ends_with(['.', ':', ';', '”', '"', ')']) {
            return None;
        }
        if is_match(verb, rest.get(end..)?) {
            let lead = rest.get(..end)?.trim_end().trim_end_matches(',');
            let begins = text.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
            return ((tells || begins && !reads_as_sentence(lead)) && is_name(lead)).then_some(lead);
        }
    }
    None
}

/// What stands behind a term that is set apart says what it means.
pub(super) fn says_meaning(after: &str) -> bool {
    is_match(&SAYS, after)
}

fn is_match(pattern: &LazyLock<Option<Regex>>, text: &str) -> bool {
    pattern.as_ref().is_some_and(|pattern| pattern.is_match(text))
}

/// A few words without a verb.
fn is_name(lead: &str) -> bool {
    let mut words = lead.split_whitespace().map(str::to_lowercase);
    !lead.contains([',', '(']) && !words.any(|word| NO_NAMES.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_defines_a_term_in_quotation_marks() {
        for (text, term) in [
            ("For this rule, “hearing officer” means a person.", Some("hearing officer")),
            ("For this Section 107A.15, “owner” means a person.", Some("owner")),
            ("A “path of travel” includes a way on foot.", Some("path of travel")),
            (
                "The phrase “as far as it can be done,” as used in this part, applies to a rare case.",
                Some("as far as it can be done"),
            ),
            ("(2) A “main use” is a use that the house is made for.", Some("main use")),
            ("As in ISO 8201, “Acoustics,” refers to sound.", None),
            ("The sign shall read “Exit” in red.", None),
            ("A “No smoking” sign is required.", None),
            ("For this part, a lift is a “main lift” if it serves all floors.", Some("main lift")),
            ("A lift is not a “main lift” if it serves one floor.", None),
        ] {
            assert_eq!(in_sentence(text).as_deref(), term, "{text}");
        }
    }

    #[test]
    fn a_sentence_defines_a_term_at_its_beginning() {
        for (text, term) in [
            ("Captioning device means the device that shows words.", Some("Captioning device")),
            ("(i) Attic room means any room below a roof.", Some("Attic room")),
            ("For purposes of this section, an alteration is a change to a house.", Some("alteration")),
            (
                "For the purposes of this Chapter, the term storm room shall include a shelter.",
                Some("storm room"),
            ),
            ("Alteration. For the purposes of this part, an alteration is a change.", Some("alteration")),
            (
                "Doors shall be wide. For purposes of this section, a pair of doors shall be considered to be one.",
                Some("pair of doors"),
            ),
            ("Doors shall be wide. The width is the clear opening. Width means a number.", None),
            ("A plot as referred to in this section 28-1.5 shall mean a piece of land.", Some("plot")),
            ("A plot is wide. A plot as referred to in this part shall mean a piece of land.", Some("plot")),
            ("In this chapter, a store room is a room for goods.", Some("store room")),
            ("In the event of a fire, there is a second way out.", None),
            ("The standard sets a uniform means to measure doors.", None),
            ("For the purposes of this part, the office will include the form.", None),
            ("For the purposes of this part, such as a museum, a house is a place.", None),
            ("For purposes of Section 217, doors are open.", None),
            ("For the purposes of this section, the owner shall keep it clean.", None),
            ("Exit access means of escape shall be lit.", None),
            ("A door in the means of egress shall open.", None),
            ("Alternative means and methods may be approved.", None),
            ("This means that the door is open.", None),
            ("Where the room is wide, this means a second door.", None),
            ("A stair is a flight of steps.", None),
        ] {
            assert_eq!(in_sentence(text).as_deref(), term, "{text}");
        }
    }
}
