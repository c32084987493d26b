//! A question as typed into what the search needs to know.

use crate::chunk::ChunkKind;
use crate::number::Number;
use crate::reference::references;
use crate::vocabulary::Vocabulary;

/// Characters of a query that are read; the rest is cut.
pub const MAX_QUERY_CHARS: usize = 2000;
/// Different terms of a query that are searched for.
const MAX_TERMS: usize = 64;

/// Words before the term in a question for a definition.
const DEFINITION_LEADS: &[&str] =
    &["what is the definition of", "definition of", "define", "what does", "what is meant by", "meaning of", "what is an", "what is a", "what is"];
/// Words after the term in such a question.
const DEFINITION_TAILS: &[&str] = &["mean", "means", "defined as", "definition"];

/// A part of a code that the query names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// Its number.
    pub number: Number,
    /// `Exception 2`, when one is named.
    pub locator: Option<String>,
}

/// A query after reading.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Query {
    /// The words of the query, without operators.
    pub text: String,
    /// True when the query was longer than what is read.
    pub was_cut: bool,
    /// What it names, in order.
    pub addresses: Vec<Address>,
    /// Different terms, in order.
    pub terms: Vec<String>,
    /// Other words for them, each with the index of the term that it stands for.
    pub related: Vec<(String, usize)>,
    /// Phrases in quotation marks, as terms: a hit must hold each of them.
    pub phrases: Vec<Vec<String>>,
    /// Terms after a minus sign: a hit must hold none of them.
    pub excluded: Vec<String>,
    /// The term whose definition is asked for, as typed, in lower case.
    pub subject: Option<String>,
    /// The kind of chunk that the question asks for by name.
    pub kind: Option<ChunkKind>,
}

impl Query {
    /// Reads a query. Any text is a query; none is an error.
    pub fn parse(input: &str, vocabulary: &Vocabulary) -> Query {
        let cut = input.char_indices().nth(MAX_QUERY_CHARS).map(|(at, _)| at);
        let input = cut.and_then(|at| input.get(..at)).unwrap_or(input);
        let mut query = Query { was_cut: cut.is_some(), ..Query::default() };
        let words = query.take_operators(input, vocabulary);
        query.addresses = addresses(&words);
        for term in vocabulary.terms(&words) {
            if query.terms.len() < MAX_TERMS && !query.terms.contains(&term) {
                query.terms.push(term);
            }
        }
        for (index, term) in query.terms.iter().enumerate() {
            for other in vocabulary.related(term) {
                if !query.terms.contains(&other) && !query.related.iter().any(|(known, _)| *known == other) {
                    query.related.push((other, index));
                }
            }
        }
        query.subject = subject(&words);
        query.kind = kind(&words);
        query.text = words;
        query
    }

    /// True when a text has all phrases and none of the excluded words.
    pub fn admits(&self, text: &str, vocabulary: &Vocabulary) -> bool {
        if self.phrases.is_empty() && self.excluded.is_empty() {
            return true;
        }
        let terms = vocabulary.terms(text);
        let has = |phrase: &[String]| terms.windows(phrase.len().max(1)).any(|window| window == phrase);
        self.phrases.iter().all(|phrase| has(phrase)) && !self.excluded.iter().any(|word| terms.contains(word))
    }

    /// Takes "quoted phrases" and -words out of the input; everything else is words.
    fn take_operators(&mut self, input: &str, vocabulary: &Vocabulary) -> String {
        let folded = input.replace(['“', '”', '„'], "\"");
        let mut words = String::new();
        let mut parts = folded.split('"').peekable();
        let mut inside = false;
        while let Some(part) = parts.next() {
            // A last, unclosed quotation mark is no operator.
            let closed = parts.peek().is_some();
            if inside && closed {
                let phrase = vocabulary.terms(part);
                if !phrase.is_empty() {
                    self.phrases.push(phrase);
                }
                words.push_str(part);
            } else {
                self.take_excluded(part, &mut words, vocabulary);
            }
            words.push(' ');
            inside = !inside;
        }
        words.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// `-word` excludes; `- 44` and `I-2` do not.
    fn take_excluded(&mut self, part: &str, words: &mut String, vocabulary: &Vocabulary) {
        for word in part.split_whitespace() {
            match word.strip_prefix('-') {
                Some(rest) if rest.starts_with(char::is_alphabetic) => self.excluded.extend(vocabulary.terms(rest)),
                _ => {
                    words.push_str(word);
                    words.push(' ');
                }
            }
        }
    }
}

/// The whole query as an address ("1004", "Chapter 10"), else every reference in it.
fn addresses(words: &str) -> Vec<Address> {
    if let Some(number) = Number::parse(words.trim_end_matches(['?', '.'])) {
        return vec![Address { number, locator: None }];
    }
    let mut found: Vec<Address> = Vec::new();
    for reference in references(words, None) {
        let address = Address { number: reference.target, locator: reference.locator };
        if !found.contains(&address) {
            found.push(address);
        }
    }
    found
}

/// The term in "what is an accessory structure?", or the whole of a short query.
fn subject(words: &str) -> Option<String> {
    let lower = words.to_lowercase();
    let lower = lower.trim_end_matches(['?', '.', '!', ' ']);
    let lead = DEFINITION_LEADS.iter().find_map(|lead| lower.strip_prefix(lead).filter(|rest| rest.starts_with(' ')));
    let mut subject = lead.unwrap_or(lower).trim();
    for tail in DEFINITION_TAILS {
        subject = subject.strip_suffix(tail).map_or(subject, str::trim_end);
    }
    let subject = subject.trim_matches(['"', '\'', '‘', '’', ' ']);
    let words = subject.split_whitespace().count();
    ((1..=6).contains(&words) && subject.chars().any(char::is_alphabetic)).then(|| subject.to_owned())
}

fn kind(words: &str) -> Option<ChunkKind> {
    let lower = words.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    if DEFINITION_LEADS.iter().take(4).any(|lead| lower.starts_with(lead)) {
        return Some(ChunkKind::Definition);
    }
    words.find_map(|word| match word {
        "exception" | "exceptions" | "exempt" | "exempted" | "except" => Some(ChunkKind::Exception),
        "table" => Some(ChunkKind::Table),
        "definition" | "defined" => Some(ChunkKind::Definition),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(text: &str) -> Query {
        Query::parse(text, &Vocabulary::default())
    }

    fn named(text: &str) -> Vec<String> {
        parse(text).addresses.iter().map(|a| a.number.to_string()).collect()
    }

    #[test]
    fn addresses_are_found_in_every_form() {
        assert_eq!(named("1004"), ["1004"]);
        assert_eq!(named("Chapter 10"), ["Chapter 10"]);
        assert_eq!(named("What does Table 1004.5 say?"), ["Table 1004.5"]);
        assert_eq!(named("what does section 28-102.1 say"), ["28-102.1"]);
        assert_eq!(named("egress width 44 inches"), Vec::<String>::new());
        assert_eq!(parse("exception 2 of Section 1004.5").addresses[0].locator.as_deref(), Some("Exception 2"));
    }

    #[test]
    fn operators_work_and_nothing_else_is_one() {
        let query = parse("\"dead end\" corridor -sprinkler");
        assert_eq!(query.phrases, [["dead", "end"]]);
        assert_eq!(query.excluded, ["sprinkler"]);
        assert_eq!(query.text, "dead end corridor");
        assert_eq!(parse("width - 44 inches").excluded, Vec::<String>::new());
        assert_eq!(parse("a \" b").phrases.len(), 0);
        let vocabulary = Vocabulary::default();
        assert!(query.admits("A dead-end corridor.", &vocabulary));
        assert!(!query.admits("A dead-end corridor with sprinklers.", &vocabulary));
        assert!(!query.admits("The end is dead.", &vocabulary));
    }

    #[test]
    fn questions_for_definitions_name_their_term() {
        assert_eq!(parse("What is the definition of occupant load?").subject.as_deref(), Some("occupant load"));
        assert_eq!(parse("What does \"exit\" mean?").subject.as_deref(), Some("exit"));
        assert_eq!(parse("define fire wall").kind, Some(ChunkKind::Definition));
    }

    #[test]
    fn a_long_query_is_cut_not_refused() {
        let query = parse(&"word ".repeat(1000));
        assert!(query.was_cut);
        assert_eq!(query.terms, ["word"]);
    }

    proptest! {
        #[test]
        fn any_text_is_a_query(text in "\\PC{0,300}") {
            let query = parse(&text);
            prop_assert!(query.terms.len() <= MAX_TERMS);
        }
    }
}
