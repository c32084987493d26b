//! Words that stand nowhere in a corpus, and the words of the corpus that are probably meant.

use strsim::osa_distance;

/// Shorter terms have too many neighbours.
const LEAST: usize = 5;
/// From this length on two letters may be wrong.
const LONG: usize = 8;
/// Letters at the beginning that are taken to be right, so that candidates stand together in an index.
const PREFIX: usize = 1;

/// A term of a query that a corpus does not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misspelled<'a> {
    term: &'a str,
    prefix: &'a str,
}

impl<'a> Misspelled<'a> {
    /// `None` for terms that are not corrected: numbers, names of groups, short words.
    pub fn new(term: &'a str) -> Option<Misspelled<'a>> {
        let is_word = term.chars().all(char::is_alphabetic) && term.chars().count() >= LEAST;
        let end = term.char_indices().nth(PREFIX).map(|(at, _)| at)?;
        Some(Misspelled { term, prefix: term.get(..end)? }).filter(|_| is_word)
    }

    /// What candidates begin with.
    pub fn prefix(&self) -> &'a str {
        self.prefix
    }
}

/// The candidates at the smallest distance from a term: one letter changed, left out, put in or two exchanged; two of
/// these in a long word.
pub fn near<'c>(term: &Misspelled<'_>, candidates: impl IntoIterator<Item = &'c str>) -> Vec<&'c str> {
    let length = term.term.chars().count();
    let mut best = if length >= LONG { 2 } else { 1 };
    let mut found: Vec<(usize, &str)> = Vec::new();
    for candidate in candidates {
        if candidate.chars().count().abs_diff(length) > best || !candidate.chars().all(char::is_alphabetic) {
            continue;
        }
        let distance = osa_distance(term.term, candidate);
        if distance <= best && distance > 0 {
            best = distance;
            found.push((distance, candidate));
        }
    }
    found.into_iter().filter(|(distance, _)| *distance == best).map(|(_, candidate)| candidate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meant(term: &str, candidates: &[&'static str]) -> Vec<&'static str> {
        Misspelled::new(term).map(|term| near(&term, candidates.iter().copied())).unwrap_or_default()
    }

    #[test]
    fn the_nearest_words_are_meant() {
        assert_eq!(meant("hieght", &["height", "heavi", "heat"]), ["height"]);
        assert_eq!(meant("regstrat", &["registr", "restrict", "registrat"]), ["registrat"]);
        assert_eq!(meant("corrdior", &["corridor", "corrod"]), ["corridor"]);
    }

    #[test]
    fn short_words_numbers_and_distant_words_are_left_alone() {
        assert_eq!(meant("dor", &["door"]), Vec::<&str>::new());
        assert_eq!(meant("#1004.5", &["#1004.6"]), Vec::<&str>::new());
        assert_eq!(meant("glazing", &["glass", "grading"]), Vec::<&str>::new());
    }
}
