//! Defined terms: the names a definition goes by, the key it is looked up by, and where it sends the reader.

use crate::number::Number;
use crate::reference::references;
use crate::vocabulary::Vocabulary;

/// A name in parentheses or behind "See" is at most so long.
const MAX_NAME: usize = 80;
/// "A or B" is two names when each has at most so many words.
const MAX_NAME_WORDS: usize = 4;
/// "See" sends to at most so many places.
const MAX_POINTERS: usize = 8;
/// Words before a name in parentheses that are not part of it.
const ALSO: [&str; 9] = [
    "also known as ",
    "also called ",
    "also ",
    "or ",
    "formerly ",
    "known as ",
    "called ",
    "aka ",
    "a.k.a. ",
];
/// A remark in parentheses that begins so says which, and is no name: "Area (of a building)".
const REMARKS: [&str; 9] = ["of ", "for ", "in ", "as ", "see ", "to ", "on ", "by ", "with "];

/// The names of a definition, from the term as it is printed; the first is its own.
///
/// `DWELLING UNIT (APARTMENT)` is also the apartment, `BALCONY, EXTERIOR` the exterior balcony, `LOT OR PLOT` both. A tag in
/// front (`[F]`) is none of it.
pub fn names(term: &str) -> Vec<String> {
    let term = untagged(term);
    let (own, mut aliases) = out_of_parentheses(term);
    match own.split_once(',') {
        Some((last, first)) if !first.contains(',') && !first.trim().is_empty() => {
            aliases.push(format!("{} {}", first.trim(), last.trim()));
        }
        Some(_) => {}
        None => aliases.extend(either(&own)),
    }
    let mut names: Vec<String> = Vec::new();
    for name in std::iter::once(own).chain(aliases) {
        let is_new = !names.iter().any(|known| known.eq_ignore_ascii_case(&name));
        if is_new && name.chars().any(char::is_alphanumeric) {
            names.push(name);
        }
    }
    names
}

/// The key of a name: the same in any case, in the plural, with or without hyphens.
pub fn key(name: &str, vocabulary: &Vocabulary) -> String {
    let terms = vocabulary.terms(untagged(name));
    // A term made of nothing but small words.
    if terms.is_empty() { name.trim().to_lowercase() } else { terms.join(" ") }
}

/// Where a definition sends the reader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pointer {
    /// Another defined term.
    Term(String),
    /// A section.
    Section(Number),
}

/// What a definition refers to with "See …" at the beginning of a sentence, and whether it says nothing else.
pub fn pointers(definition: &str, term: &str) -> (Vec<Pointer>, bool) {
    let text = definition.get(term.len()..).filter(|_| definition.starts_with(term)).unwrap_or(definition);
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let mut found: Vec<Pointer> = Vec::new();
    let mut rest = text;
    let mut says_more = false;
    while !rest.is_empty() && found.len() < MAX_POINTERS {
        let (sentence, after) = sentence(rest);
        match see(sentence) {
            Some(to) => found.extend(targets(to)),
            None => says_more = true,
        }
        rest = after;
    }
    found.truncate(MAX_POINTERS);
    let is_all = !found.is_empty() && !says_more;
    (found, is_all)
}

/// The first sentence and what follows it. A full stop inside a number ends none.
fn sentence(text: &str) -> (&str, &str) {
    let ends = |at: usize| {
        let after = text.get(at + 1..).unwrap_or_default().trim_start_matches(['”', '"', '’', ')']);
        after.is_empty() || after.starts_with(char::is_whitespace)
    };
    let end = text
        .char_indices()
        .find(|(at, c)| matches!(c, '\n' | ';') || *c == '.' && ends(*at))
        .map_or(text.len(), |(at, _)| at + 1);
    let (sentence, after) = text.split_at(end);
    (sentence, after.trim_start_matches(|c: char| !c.is_alphanumeric()))
}

/// What stands behind "See" or "See also".
fn see(sentence: &str) -> Option<&str> {
    let word = sentence.get(..4).filter(|word| word.eq_ignore_ascii_case("see "))?;
    let rest = sentence.get(word.len()..)?.trim_start();
    let rest = rest.strip_prefix("also ").or_else(|| rest.strip_prefix("ALSO ")).unwrap_or(rest);
    let rest = rest
        .strip_prefix("the definition of ")
        .or_else(|| rest.strip_prefix("definition of "))
        .unwrap_or(rest);
    Some(rest.trim())
}

fn targets(to: &str) -> Vec<Pointer> {
    let sections = references(to, None);
    if !sections.is_empty() {
        return sections.into_iter().map(|reference| Pointer::Section(reference.target)).collect();
    }
    let folded = to.replace(['“', '”', '„'], "\"");
    let quoted: Vec<&str> = folded.split('"').skip(1).step_by(2).collect();
    let names = if quoted.is_empty() { vec![folded.as_str()] } else { quoted };
    let clean = |name: &&str| name.trim_matches(|c: char| !c.is_alphanumeric() && c != ')').to_owned();
    let is_name = |name: &String| !name.is_empty() && name.len() <= MAX_NAME;
    names.iter().map(clean).filter(is_name).map(Pointer::Term).collect()
}

/// Without `[F]`, `[BG]` in front, which say whose committee keeps the term.
fn untagged(term: &str) -> &str {
    let term = term.trim();
    let rest = term.strip_prefix('[').and_then(|rest| rest.split_once(']')).map(|(_, rest)| rest.trim());
    rest.filter(|rest| !rest.is_empty()).unwrap_or(term)
}

/// The term without what stands in parentheses, and the names in there.
fn out_of_parentheses(term: &str) -> (String, Vec<String>) {
    let mut own = String::new();
    let mut inner = Vec::new();
    let mut rest = term;
    while let Some((before, after)) = rest.split_once('(') {
        let Some((inside, after)) = after.split_once(')') else { break };
        own.push_str(before);
        inner.extend(name_inside(inside));
        rest = after;
    }
    own.push_str(rest);
    (own.split_whitespace().collect::<Vec<_>>().join(" "), inner)
}

fn name_inside(text: &str) -> Option<String> {
    let lower = text.trim().to_lowercase();
    if lower.len() > MAX_NAME || REMARKS.iter().any(|word| lower.starts_with(word)) {
        return None;
    }
    let skip = ALSO.iter().find(|word| lower.starts_with(**word)).map_or(0, |word| word.len());
    let name = text.trim().get(skip..)?.trim_matches(|c: char| !c.is_alphanumeric());
    (!name.is_empty()).then(|| name.to_owned())
}

/// "Lot or plot": both, where neither needs the other's words ("heating or cooling equipment").
fn either(own: &str) -> Vec<String> {
    let lower = own.to_lowercase();
    let Some(at) =
        lower.find(" or ").filter(|_| lower.matches(" or ").count() == 1 && lower.len() == own.len())
    else {
        return Vec::new();
    };
    let (Some(first), Some(second)) = (own.get(..at), own.get(at + 4..)) else { return Vec::new() };
    let words = |text: &str| text.split_whitespace().count();
    if words(first) == words(second) && words(first) <= MAX_NAME_WORDS {
        vec![first.trim().to_owned(), second.trim().to_owned()]
    } else {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_definition_goes_by_several_names() {
        for (term, all) in [
            ("CORRIDOR", &["CORRIDOR"][..]),
            ("[F] FIRE LANE", &["FIRE LANE"]),
            ("DWELLING UNIT (APARTMENT)", &["DWELLING UNIT", "APARTMENT"]),
            ("Heat detector (also known as thermostat)", &["Heat detector", "thermostat"]),
            ("Area (of a building)", &["Area"]),
            ("BALCONY, EXTERIOR", &["BALCONY, EXTERIOR", "EXTERIOR BALCONY"]),
            ("Lot or plot", &["Lot or plot", "Lot", "plot"]),
            ("Heating or cooling equipment", &["Heating or cooling equipment"]),
            ("Stair, ramp, or landing", &["Stair, ramp, or landing"]),
        ] {
            assert_eq!(names(term), all, "{term}");
        }
    }

    #[test]
    fn keys_fold_case_plural_and_hyphens() {
        let vocabulary = Vocabulary::default();
        let key = |name| key(name, &vocabulary);
        assert_eq!(key("OCCUPANT LOAD"), key("occupant loads"));
        assert_eq!(key("dead-end corridor"), key("Dead end corridors"));
        assert_eq!(key("[F] Fire lane"), key("fire lanes"));
        assert_eq!(key("storey"), key("stories"));
        assert_ne!(key("exit"), key("exit access"));
        assert_ne!(key("Group A"), key("Group B"));
        assert!(!key("of the").is_empty());
    }

    #[test]
    fn see_sends_on() {
        let section = |number| Pointer::Section(Number::parse(number).unwrap());
        let term = |name: &str| Pointer::Term(name.to_owned());
        for (text, name, to, is_all) in [
            ("APARTMENT. See Dwelling unit.", "APARTMENT", vec![term("Dwelling unit")], true),
            (
                "Flat. See “Dwelling unit” and “Storey.”",
                "Flat",
                vec![term("Dwelling unit"), term("Storey")],
                true,
            ),
            ("EXIT. See Section 1002.1.", "EXIT", vec![section("1002.1")], true),
            ("EXIT. A way out. See also Section 1004.5.", "EXIT", vec![section("1004.5")], false),
            ("“Owner” means a person. See “Lessee”.", "Owner", vec![term("Lessee")], false),
            ("WALL. An upright part. Seen from outside.", "WALL", vec![], false),
        ] {
            assert_eq!(pointers(text, name), (to, is_all), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_has_names_and_pointers(text in "\\PC{0,200}", term in "\\PC{0,60}") {
            for name in names(&term) {
                prop_assert!(!key(&name, &Vocabulary::default()).is_empty());
            }
            prop_assert!(pointers(&text, &term).0.len() <= MAX_POINTERS);
        }
    }
}
