//! Whose text a citation names: whether a name as written is that of an indexed corpus.

use std::sync::LazyLock;

use regex::Regex;

/// A corpus that the caller may see.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Work {
    /// Its name, to which [`Text::corpus`](super::Text::corpus) is equal.
    pub corpus: String,
    /// What it goes by: its title, the titles of its documents, other names that are known.
    pub titles: Vec<String>,
    /// The editions in force, as they are named: `2024`, `issue 3`.
    pub editions: Vec<String>,
    /// Editions that are indexed and no longer in force.
    pub superseded: Vec<String>,
}

/// Words that name no work by themselves.
const GENERIC: [&str; 16] = [
    "code",
    "standard",
    "regulation",
    "act",
    "law",
    "ordinance",
    "rule",
    "guideline",
    "manual",
    "amendment",
    "edition",
    "issue",
    "statute",
    "bylaw",
    "provision",
    "chapter",
];
/// Words that a name may leave out.
const SMALL: [&str; 12] = ["the", "of", "and", "for", "to", "a", "an", "in", "on", "with", "its", "edition"];

static YEAR: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?-u:\b)(?:19|20)[0-9]{2}(?-u:\b)").ok());

/// The years of a text.
pub(super) fn years(text: &str) -> impl Iterator<Item = &str> {
    YEAR.as_ref().map(|pattern| pattern.find_iter(text)).into_iter().flatten().map(|m| m.as_str())
}

/// The words of a name that tell it from others.
fn name_words(name: &str) -> Vec<String> {
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words
        .filter(|word| years(word).next().is_none())
        .map(|word| word.to_lowercase())
        .map(|word| match word.strip_suffix('s') {
            Some(stem) if stem.len() > 3 && !stem.ends_with('s') => stem.to_owned(),
            _ => word,
        })
        .filter(|word| !SMALL.contains(&word.as_str()))
        .collect()
}

/// True for "the code", "these standards": a name that any work has.
pub(super) fn is_generic(name: &str) -> bool {
    name_words(name).iter().all(|word| GENERIC.contains(&word.as_str()))
}

impl Work {
    /// True when a name as written in a draft may be this corpus: all its words stand in one of the titles, or are the
    /// initials of words there.
    pub fn is_named(&self, name: &str) -> bool {
        let wanted = name_words(name);
        let corpus = self.corpus.replace(['-', '_'], " ");
        let mut titles = self.titles.iter().map(String::as_str).chain([corpus.as_str()]);
        titles.any(|title| covers(&name_words(title), &wanted))
    }

    /// Whether an edition as written is in force here (`Some(true)`), superseded (`Some(false)`), or unknown.
    pub fn has_edition(&self, edition: &str) -> Option<bool> {
        let same = |known: &String| says(known, edition);
        if self.editions.iter().any(same) {
            return Some(true);
        }
        if self.superseded.iter().any(same) {
            return Some(false);
        }
        self.titles.iter().any(same).then_some(true)
    }
}

/// True when what is known of an edition says the same as what is written.
fn says(known: &str, written: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words
            .map(str::to_lowercase)
            .filter(|word| !["edition", "ed", "the"].contains(&word.as_str()))
            .collect()
    };
    let (known, written) = (words(known), words(written));
    !written.is_empty() && known.windows(written.len()).any(|window| window == written)
}

/// True when a title has all words of a name; either may have the initials of the other's words in their place.
fn covers(title: &[String], name: &[String]) -> bool {
    let shortened = |word: &String, of: &[String]| {
        let letters: Vec<char> = word.chars().collect();
        (2..=6).contains(&letters.len())
            && of
                .windows(letters.len())
                .any(|window| window.iter().zip(&letters).all(|(word, letter)| word.starts_with(*letter)))
    };
    let spelt: Vec<&String> = title.iter().filter(|word| shortened(word, name)).collect();
    let is_spelt = |word: &String| {
        spelt.iter().any(|short| {
            let size = short.chars().count();
            name.windows(size).any(|window| {
                window.contains(word) && window.iter().zip(short.chars()).all(|(w, c)| w.starts_with(c))
            })
        })
    };
    !name.is_empty()
        && name.iter().all(|word| title.contains(word) || shortened(word, title) || is_spelt(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_apart() {
        let work = |titles: &[&str]| Work {
            corpus: "model-code".into(),
            titles: titles.iter().map(|title| (*title).to_owned()).collect(),
            editions: vec!["2024".into(), "issue 3".into()],
            superseded: vec!["2021".into()],
        };
        let model = work(&["Model Building Code", "State of Meridian Amendments to the Model Building Code"]);
        for name in
            ["Model Building Code", "MBC", "building code", "Meridian State Building Code", "Model Code 2024"]
        {
            assert!(model.is_named(name), "{name}");
        }
        for name in
            ["IBC", "International Building Code", "NFPA 13", "fire code", "Model Plumbing Code", "CBC", ""]
        {
            assert!(!model.is_named(name), "{name}");
        }
        let city = work(&["NYC Building Code"]);
        assert!(city.is_named("New York City Building Code") && !city.is_named("New Jersey Building Code"));
        assert!(work(&["New York City Building Code"]).is_named("NYC Building Code"));
        assert!(work(&["Adult Rules, 28 CFR Part 36"]).is_named("28 CFR"));
        assert!(is_generic("the 2021 code") && !is_generic("fire code"));
        assert_eq!(model.has_edition("2024"), Some(true));
        assert_eq!(model.has_edition("2021"), Some(false));
        assert_eq!(model.has_edition("2018"), None);
        assert_eq!(model.has_edition("Issue 3"), Some(true));
    }
}
