//! A question as typed into what the search needs to know.

use crate::chunk::ChunkKind;
use crate::number::Number;
use crate::reference::references;
use crate::vocabulary::{Related, Synonyms, TokenKind, Vocabulary, tokens};

/// Characters of a query that are read; the rest is cut.
pub const MAX_QUERY_CHARS: usize = 2000;
/// Different terms of a query that are searched for.
const MAX_TERMS: usize = 64;
/// With so many terms of its own a query is a question, even where it names an address.
const TOPIC_TERMS: usize = 3;

/// Words before the term in a question for a definition.
const DEFINITION_LEADS: &[&str] = &[
    "what is the definition of",
    "definition of",
    "define",
    "what does",
    "what is meant by",
    "meaning of",
    "what is an",
    "what is a",
    "what is",
];
/// Words after the term in such a question.
const DEFINITION_TAILS: &[&str] = &["mean", "means", "defined as", "definition"];

/// Words that ask for text beside the law.
const NOTE_WORDS: &[&str] = &[
    "advisory",
    "advisories",
    "annex",
    "annotation",
    "annotations",
    "appendices",
    "appendix",
    "cases",
    "commentary",
    "guidance",
    "history",
    "note",
    "notes",
    "preamble",
    "schedule",
];

/// A part of a code that the query names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// Its number.
    pub number: Number,
    /// `Exception 2`, when one is named.
    pub locator: Option<String>,
}

/// A query after reading.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Query {
    /// The words of the query, without operators.
    pub text: String,
    /// True when the query was longer than what is read.
    pub was_cut: bool,
    /// What it names, in order.
    pub addresses: Vec<Address>,
    /// Numbers in it that look like an address, though no word says that they are one.
    pub numbers: Vec<Number>,
    /// It asks for what it names and for nothing else.
    pub is_look_up: bool,
    /// Different terms, in order.
    pub terms: Vec<String>,
    /// Other words for them.
    pub related: Vec<Related>,
    /// Phrases in quotation marks, as terms: a hit must hold each of them.
    pub phrases: Vec<Vec<String>>,
    /// Terms after a minus sign: a hit must hold none of them.
    pub excluded: Vec<String>,
    /// The term whose definition is asked for, as typed, in lower case.
    pub subject: Option<String>,
    /// The kind of chunk that the question asks for by name.
    pub kind: Option<ChunkKind>,
    /// It asks for appendices, notes or commentary, which else stand behind the law itself.
    pub asks_for_notes: bool,
}

impl Query {
    /// Reads a query. Any text is a query; none is an error. `synonyms` come before the built-in ones.
    pub fn parse(input: &str, vocabulary: &Vocabulary, synonyms: &Synonyms) -> Query {
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
        query.related = vocabulary.related(&words, &query.terms, synonyms);
        query.numbers = numbers(&words, &query.addresses);
        query.is_look_up = query.terms.iter().filter(|term| is_topic(term)).count() < TOPIC_TERMS;
        query.subject = subject(&words);
        query.kind = kind(&words);
        query.asks_for_notes = asks_for_notes(&words);
        query.text = words;
        query
    }

    /// True when it has phrases or excluded words, for which texts have to be looked at.
    pub fn has_operators(&self) -> bool {
        !self.phrases.is_empty() || !self.excluded.is_empty()
    }

    /// True when a text has all phrases and none of the excluded words.
    pub fn admits(&self, text: &str, vocabulary: &Vocabulary) -> bool {
        if !self.has_operators() {
            return true;
        }
        let terms = vocabulary.terms(text);
        let has = |phrase: &[String]| terms.windows(phrase.len().max(1)).any(|window| window == phrase);
        self.phrases.iter().all(|phrase| has(phrase))
            && !self.excluded.iter().any(|word| terms.contains(word))
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
                Some(rest) if rest.starts_with(char::is_alphabetic) => {
                    self.excluded.extend(vocabulary.terms(rest))
                }
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

/// "OCGA 8-2-191": a number of three parts or with marks is hardly anything else than a section's.
fn numbers(words: &str, addresses: &[Address]) -> Vec<Number> {
    let parts = |text: &str| text.chars().filter(|c| matches!(c, '.' | '-' | ':' | '(')).count();
    let mut found = Vec::new();
    for token in tokens(words).filter(|token| token.kind == TokenKind::Number && parts(token.text) >= 2) {
        let Some(number) = Number::parse(token.text.trim_end_matches(['.', '-', ':'])) else { continue };
        if !found.contains(&number) && addresses.iter().all(|address| address.number != number) {
            found.push(number);
        }
    }
    found
}

/// A term that says what the question is about: no number, and no word of a look-up such as "what does section 5 say".
fn is_topic(term: &str) -> bool {
    const LOOK_UP: &[&str] = &[
        "appendix",
        "articl",
        "chapter",
        "claus",
        "code",
        "exception",
        "figur",
        "paragraph",
        "part",
        "read",
        "regul",
        "requir",
        "rule",
        "say",
        "sec",
        "section",
        "show",
        "state",
        "tabl",
        "text",
        "titl",
    ];
    !term.starts_with('#') && !term.starts_with(|c: char| c.is_ascii_digit()) && !LOOK_UP.contains(&term)
}

/// The term in "what is an accessory structure?", or the whole of a short query.
fn subject(words: &str) -> Option<String> {
    let lower = words.to_lowercase();
    let lower = lower.trim_end_matches(['?', '.', '!', ' ']);
    let lead = DEFINITION_LEADS
        .iter()
        .find_map(|lead| lower.strip_prefix(lead).filter(|rest| rest.starts_with(' ')));
    let mut subject = lead.unwrap_or(lower).trim();
    for tail in DEFINITION_TAILS {
        subject = subject.strip_suffix(tail).map_or(subject, str::trim_end);
    }
    let subject = subject.trim_matches(['"', '\'', '‘', '’', ' ']);
    let words = subject.split_whitespace().count();
    ((1..=6).contains(&words) && subject.chars().any(char::is_alphabetic)).then(|| subject.to_owned())
}

fn asks_for_notes(words: &str) -> bool {
    let lower = words.to_lowercase();
    lower.split(|c: char| !c.is_alphanumeric()).any(|word| NOTE_WORDS.contains(&word))
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
        Query::parse(text, &Vocabulary::default(), &Synonyms::default())
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
        assert_eq!(
            parse("exception 2 of Section 1004.5").addresses[0].locator.as_deref(),
            Some("Exception 2")
        );
    }

    #[test]
    fn a_question_that_names_an_address_is_still_a_question() {
        assert!(parse("what does section 28-102.1 say").is_look_up);
        assert!(parse("Table 1004.5").is_look_up);
        assert!(!parse("does section 610 of the act raise the fine for mobile homes").is_look_up);
    }

    #[test]
    fn long_numbers_are_addresses_without_a_word() {
        let numbers = |text: &str| parse(text).numbers.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(numbers("OCGA 8-2-191 filing fee"), ["8-2-191"]);
        assert_eq!(numbers("ramps of 1:12 and 0.33 m"), Vec::<String>::new());
        assert_eq!(numbers("Section 1004.5.1 doors"), Vec::<String>::new());
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
        assert_eq!(
            parse("What is the definition of occupant load?").subject.as_deref(),
            Some("occupant load")
        );
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
