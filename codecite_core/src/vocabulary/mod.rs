//! Text into terms: one normaliser for documents and queries, so that both speak the same words.
//!
//! Terms of ordinary words are lower-case stems. Special terms carry a mark that no word can have:
//! `#1004.5` a section number, `group:i-2` an occupancy group, `type:iib` a construction type, `not:permit`
//! a negated word.

mod spelling;
mod synonyms;
mod token;
mod variants;

use std::cell::RefCell;
use std::sync::LazyLock;

use foldhash::HashMap as FastMap;
use rust_stemmers::{Algorithm, Stemmer};
use unicode_normalization::UnicodeNormalization;

pub use spelling::{Misspelled, near};
pub use synonyms::{Related, Synonym, Synonyms};
pub use token::{Token, TokenKind, tokens};

use crate::number::Number;

/// The longest term that is kept; longer ones are cut (a document's base64 must not fill the index).
const MAX_TERM: usize = 64;

/// A vocabulary remembers the stems of so many words, none of them longer than so many bytes.
const KEPT_WORDS: usize = 1 << 16;
const KEPT_BYTES: usize = 32;

/// The normaliser. Making one is cheap; keep it for a batch, whose words it stems once.
pub struct Vocabulary {
    stemmer: Stemmer,
    stems: RefCell<FastMap<Box<str>, Box<str>>>,
}

impl Default for Vocabulary {
    fn default() -> Self {
        Vocabulary { stemmer: Stemmer::create(Algorithm::English), stems: RefCell::default() }
    }
}

impl Vocabulary {
    /// The terms of a text in order, repeated as often as they occur. Words that stand in every sentence
    /// ("the", "of") are left out; "not", "no" and "without" are kept and also mark the word after them.
    pub fn terms(&self, text: &str) -> Vec<String> {
        let mut terms = Vec::new();
        let mut negated = false;
        let mut naming: Option<Naming> = None;
        let mut is_after_number = false;
        for token in tokens(text) {
            let unit = variants::unit(token.text, is_after_number);
            // "44-in." is as good as "44 in."
            is_after_number = token.kind == TokenKind::Number || is_after_number && token.text == "-";
            if let Some(unit) = unit {
                if !unit.is_empty() {
                    terms.push(self.stem(unit));
                }
                continue;
            }
            if let Some(name) = &naming
                && self.push_named(&mut terms, *name, token)
            {
                continue;
            }
            naming = Naming::opened_by(token.text).or(naming.filter(|_| token.is_list_glue()));
            match token.kind {
                TokenKind::Word => self.push_word(&mut terms, token.text, &mut negated),
                TokenKind::Number => {
                    push_number(&mut terms, token.text);
                    negated = false;
                }
                TokenKind::Mark => {}
            }
        }
        terms
    }

    /// The stem of one word, as it stands in the index.
    pub fn stem(&self, word: &str) -> String {
        if let Some(stem) = self.stems.borrow().get(word) {
            return stem.to_string();
        }
        let stem = self.stem_anew(word);
        let mut stems = self.stems.borrow_mut();
        if stems.len() < KEPT_WORDS && word.len() <= KEPT_BYTES {
            stems.insert(word.into(), stem.as_str().into());
        }
        stem
    }

    fn stem_anew(&self, word: &str) -> String {
        let folded: String =
            word.nfkc().flat_map(char::to_lowercase).filter(|c| *c != '\'' && *c != '’').collect();
        cut(self.stemmer.stem(&variants::spelling(&folded)).into_owned())
    }

    /// The stems of the words of a text in order, words without weight included.
    pub fn stems(&self, text: &str) -> Vec<String> {
        tokens(text)
            .filter(|token| token.kind == TokenKind::Word)
            .map(|token| self.stem(token.text))
            .collect()
    }

    /// Terms that stand for terms of a question as well: `corridor` where it says `hall`. `own` are a database's
    /// synonyms, which go before the built-in ones.
    pub fn related(&self, question: &str, terms: &[String], own: &Synonyms) -> Vec<Related> {
        static BUILTIN: LazyLock<Synonyms> = LazyLock::new(|| Synonyms::builtin(&Vocabulary::default()));
        let stems = self.stems(question);
        let mut related = own.related(&stems, terms);
        for more in BUILTIN.related(&stems, terms) {
            if !related.iter().any(|known| known.term == more.term) {
                related.push(more);
            }
        }
        related
    }

    fn push_word(&self, terms: &mut Vec<String>, word: &str, negated: &mut bool) {
        if let Some(group) = token::occupancy_group(word) {
            push_group(terms, &group);
            return;
        }
        let stem = self.stem(word);
        if stem.is_empty() {
            return;
        }
        if variants::is_negation(&stem) {
            *negated = true;
            terms.push(stem);
            return;
        }
        if variants::is_stopword(&stem) {
            return;
        }
        if std::mem::take(negated) {
            terms.push(format!("not:{stem}"));
        }
        terms.push(stem);
    }

    /// A token after "Group" or "Type": its letter is a name, not a word.
    fn push_named(&self, terms: &mut Vec<String>, naming: Naming, token: Token<'_>) -> bool {
        if token.kind == TokenKind::Mark {
            return false;
        }
        match naming {
            Naming::Group => match token::group_name(token.text) {
                Some(group) => {
                    push_group(terms, &group);
                    true
                }
                None => false,
            },
            Naming::Type => match token::type_name(token.text) {
                Some(name) => {
                    terms.push(format!("type:{name}"));
                    true
                }
                None => false,
            },
        }
    }
}

/// Which sort of name may follow.
#[derive(Clone, Copy)]
enum Naming {
    Group,
    Type,
}

impl Naming {
    fn opened_by(word: &str) -> Option<Naming> {
        let is = |name: &&str| word.eq_ignore_ascii_case(name);
        if ["group", "groups", "occupancy", "occupancies"].iter().any(is) {
            return Some(Naming::Group);
        }
        ["type", "types"].iter().any(is).then_some(Naming::Type)
    }
}

fn push_group(terms: &mut Vec<String>, group: &str) {
    terms.push(format!("group:{group}"));
    // A rule for Group I also speaks about I-2.
    if let Some((letter, _)) = group.split_once('-') {
        terms.push(format!("group:{letter}"));
    }
}

/// A number as a term, and the section numbers above it when it looks like an address.
fn push_number(terms: &mut Vec<String>, text: &str) {
    let plain = text.trim_end_matches(['.', '-', ':']);
    let is_address =
        plain.chars().any(|c| matches!(c, '.' | '-' | ':' | '(')) || plain.chars().any(char::is_alphabetic);
    if !is_address {
        terms.push(cut(plain.replace(',', "").to_lowercase()));
        return;
    }
    let Some(number) = Number::parse(plain) else { return };
    terms.push(cut(format!("#{}", number.body().to_lowercase())));
    for up in number.ancestors().iter().filter(|up| up.body().len() > 2) {
        terms.push(cut(format!("#{}", up.body().to_lowercase())));
    }
}

fn cut(mut term: String) -> String {
    let mut end = MAX_TERM.min(term.len());
    while !term.is_char_boundary(end) {
        end -= 1;
    }
    term.truncate(end);
    term
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn terms(text: &str) -> Vec<String> {
        Vocabulary::default().terms(text)
    }

    #[test]
    fn occupancy_groups_keep_their_letter() {
        assert_eq!(terms("Group A"), ["group", "group:a"]);
        assert_eq!(terms("Groups A, B and I-2"), ["group", "group:a", "group:b", "group:i-2", "group:i"]);
        assert_ne!(terms("I-2 occupancy"), terms("A-2 occupancy"));
        assert_eq!(terms("R-3"), ["group:r-3", "group:r"]);
    }

    #[test]
    fn construction_types() {
        assert_eq!(terms("Type IIB"), ["type", "type:iib"]);
        assert_eq!(terms("type II-B"), ["type", "type:iib"]);
    }

    #[test]
    fn section_numbers_match_in_every_spelling() {
        assert_eq!(terms("§1004.5"), ["#1004.5", "#1004"]);
        assert_eq!(terms("Section 1004.5."), ["section", "#1004.5", "#1004"]);
        assert!(terms("28-304.6.3").contains(&"#28-304.6.3".to_string()));
        assert!(terms("4101:1-10-04").contains(&"#4101:1-10-04".to_string()));
    }

    #[test]
    fn negation_is_kept() {
        assert_ne!(terms("permitted"), terms("not permitted"));
        assert!(terms("is not permitted").contains(&"not:permit".to_string()));
    }

    #[test]
    fn a_sign_is_a_unit_only_after_a_number() {
        assert_eq!(terms("doors in rooms"), ["door", "room"]);
        assert_eq!(terms("min. width"), terms("minimum width"));
        assert_eq!(terms("30 min."), terms("30 minutes"));
    }

    #[test]
    fn british_and_american_words_are_the_same() {
        for (british, american) in [
            ("neighbouring", "neighboring"),
            ("a neighbourhood", "a neighborhood"),
            ("fibreboard", "fiberboard"),
            ("authorised persons", "authorized persons"),
            ("theatres", "theaters"),
            ("kerbs", "curbs"),
            ("organisation", "organization"),
            ("two storeys", "two stories"),
            ("licences", "licenses"),
        ] {
            assert_eq!(terms(british), terms(american));
        }
        assert_ne!(terms("premises otherwise"), terms("premizes otherwize"));
    }

    #[test]
    fn hyphens_and_spelling_variants_fold() {
        assert_eq!(terms("dead-end"), terms("dead end"));
        assert_eq!(terms("storeys"), terms("stories"));
        assert_eq!(terms("sprinklers"), terms("sprinkler"));
    }

    #[test]
    fn plain_numbers_are_terms() {
        assert_eq!(terms("44 inches"), ["44", "inch"]);
        assert_eq!(terms("44 in."), ["44", "inch"]);
        assert_eq!(terms("1,118 mm"), ["1118", "mm"]);
        assert_eq!(terms("- 44 inches"), ["44", "inch"]);
        assert_eq!(terms("44-in. door, 30 min"), ["44", "inch", "door", "30", "minut"]);
    }

    proptest! {
        #[test]
        fn what_was_stemmed_before_changes_nothing(texts in prop::collection::vec("([A-Za-z’']{1,9}[ ,]){0,12}", 1..6)) {
            let kept = Vocabulary::default();
            for text in texts.iter().chain(&texts) {
                prop_assert_eq!(kept.terms(text), terms(text));
            }
        }

        #[test]
        fn no_text_panics_or_makes_an_endless_term(text in "\\PC{0,200}") {
            for term in terms(&text) {
                prop_assert!(!term.is_empty() && term.len() <= MAX_TERM + 8);
            }
        }
    }
}
