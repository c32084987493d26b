//! Words of ordinary speech beside the words of building codes.
//!
//! The built-in list, `synonyms.txt`, is about the trade, not about any document; a database may have more of its own.

use std::collections::HashMap;

use super::Vocabulary;

/// The built-in list. `a = b = c`: words or phrases that mean the same; `a > b, c`: a question with `a` is also
/// searched for `b` and `c`, not the other way round.
const LIST: &str = include_str!("synonyms.txt");

/// A word or phrase and what else a question that has it is searched for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Synonym {
    /// The stems of its words, stop words included.
    words: Vec<String>,
    /// The terms of each of the others.
    means: Vec<Vec<String>>,
}

/// Another term for a term of a query.
#[derive(Debug, Clone, PartialEq)]
pub struct Related {
    /// The term.
    pub term: String,
    /// The term of the query that it stands for.
    pub of: String,
    /// Its part of the phrase that it comes from, 1 for a single word.
    pub share: f32,
}

impl Synonym {
    /// `word`, a word or phrase, is also searched for each of `means`; `None` where nothing is left of it.
    pub fn new(vocabulary: &Vocabulary, word: &str, means: &[&str]) -> Option<Synonym> {
        let words = vocabulary.stems(word);
        let has_weight = words.iter().any(|stem| !super::variants::is_stopword(stem));
        let means: Vec<Vec<String>> =
            means.iter().map(|other| vocabulary.terms(other)).filter(|terms| !terms.is_empty()).collect();
        (has_weight && !means.is_empty()).then_some(Synonym { words, means })
    }
}

/// Synonyms by the first stem of their word or phrase.
#[derive(Debug, Clone, Default)]
pub struct Synonyms(HashMap<String, Vec<Synonym>>);

impl Synonyms {
    /// The built-in list.
    pub fn builtin(vocabulary: &Vocabulary) -> Synonyms {
        let mut all = Synonyms::default();
        for (word, means) in LIST.lines().flat_map(entries) {
            all.extend(Synonym::new(vocabulary, word, &means));
        }
        all
    }

    /// Other terms for the terms of a query, each once, in the order of the query.
    pub fn related(&self, stems: &[String], terms: &[String]) -> Vec<Related> {
        let mut related: Vec<Related> = Vec::new();
        for (at, stem) in stems.iter().enumerate() {
            for synonym in self.0.get(stem).into_iter().flatten() {
                let phrase = stems.get(at..at + synonym.words.len());
                if phrase != Some(synonym.words.as_slice()) {
                    continue;
                }
                // The last word of a phrase says what it is.
                let Some(of) = synonym.words.iter().rev().find(|word| terms.contains(word)) else { continue };
                for other in &synonym.means {
                    let share = 1.0 / other.len() as f32;
                    for term in other {
                        if !terms.contains(term) && !related.iter().any(|known| known.term == *term) {
                            related.push(Related { term: term.clone(), of: of.clone(), share });
                        }
                    }
                }
            }
        }
        related
    }
}

impl Extend<Synonym> for Synonyms {
    fn extend<T: IntoIterator<Item = Synonym>>(&mut self, synonyms: T) {
        for synonym in synonyms {
            if let Some(first) = synonym.words.first() {
                self.0.entry(first.clone()).or_default().push(synonym);
            }
        }
    }
}

/// What one line of the list says, for each word that it is about.
fn entries(line: &str) -> Vec<(&str, Vec<&str>)> {
    let line = line.split('#').next().unwrap_or_default();
    if let Some((word, means)) = line.split_once('>') {
        return vec![(word.trim(), means.split(',').map(str::trim).collect())];
    }
    let words: Vec<&str> = line.split('=').map(str::trim).filter(|word| !word.is_empty()).collect();
    let others =
        |at: usize| words.iter().enumerate().filter(move |(other, _)| *other != at).map(|(_, word)| *word);
    words.iter().enumerate().map(|(at, word)| (*word, others(at).collect())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn related(question: &str) -> Vec<String> {
        let vocabulary = Vocabulary::default();
        let synonyms = Synonyms::builtin(&vocabulary);
        let found = synonyms.related(&vocabulary.stems(question), &vocabulary.terms(question));
        found.into_iter().map(|related| related.term).collect()
    }

    #[test]
    fn sets_work_in_every_direction() {
        assert!(related("a hallway").contains(&"corridor".to_owned()));
        assert!(related("the corridors").contains(&Vocabulary::default().stem("hallway")));
        assert!(related("zebra").is_empty());
    }

    #[test]
    fn an_arrow_works_in_one_direction_and_phrases_as_a_whole() {
        let vocabulary = Vocabulary::default();
        let mut own = Synonyms::default();
        own.extend(
            entries("way out > exit, means of egress")
                .iter()
                .filter_map(|(word, means)| Synonym::new(&vocabulary, word, means)),
        );
        let ask = |question: &str| own.related(&vocabulary.stems(question), &vocabulary.terms(question));
        let found = ask("is the way out lit?");
        assert_eq!(
            found.iter().map(|r| (r.term.as_str(), r.share)).collect::<Vec<_>>(),
            [("exit", 1.0), ("mean", 0.5), ("egress", 0.5)]
        );
        assert!(found.iter().all(|r| r.of == "way"));
        assert!(ask("which way is it?").is_empty());
        assert!(ask("exit").is_empty());
    }

    #[test]
    fn every_line_of_the_list_says_something_and_nothing_twice() {
        let vocabulary = Vocabulary::default();
        let mut seen: Vec<Vec<String>> = Vec::new();
        for line in LIST.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
            let entries = entries(line);
            assert!(!entries.is_empty(), "{line}");
            assert!(line.contains('>') || entries.len() > 1, "{line}");
            for (word, means) in entries {
                let synonym = Synonym::new(&vocabulary, word, &means).unwrap_or_else(|| panic!("{line}"));
                let own = vocabulary.terms(word);
                assert!(synonym.means.iter().any(|terms| *terms != own), "the same stem: {line}");
                if line.contains('>') {
                    assert!(!seen.contains(&synonym.words), "twice: {line}");
                    seen.push(synonym.words);
                }
            }
        }
    }
}
