//! Synonyms that a database has beside the built-in ones.

use codecite_core::vocabulary::{Synonym, Synonyms, Vocabulary};
use pgrx::prelude::*;

use crate::errors::spi;
use crate::plans;

/// Letters by which a word is looked up: inflected forms share them.
const START: usize = 3;

/// The database's synonyms for the words of a question.
pub fn of(question: &str, vocabulary: &Vocabulary) -> Synonyms {
    const SELECT: &str =
        "SELECT word, means FROM codecite.synonyms WHERE pg_catalog.left(word, 3) = ANY ($1) ORDER BY word";
    let start = |word: &str| word.chars().take(START).collect::<String>();
    let mut starts: Vec<String> = question
        .to_lowercase()
        .split(|c: char| !c.is_alphanumeric())
        .filter(|w| !w.is_empty())
        .map(start)
        .collect();
    starts.sort_unstable();
    starts.dedup();
    let mut synonyms = Synonyms::default();
    Spi::connect(|client| {
        let rows = plans::select(client, SELECT, &[starts.into()]);
        synonyms.extend(rows.filter_map(|row| {
            let word = spi(row.get::<String>(1))?;
            let means = spi(row.get::<Vec<Option<String>>>(2))?;
            let means: Vec<&str> = means.iter().flatten().map(String::as_str).collect();
            Synonym::new(vocabulary, &word, &means)
        }));
    });
    synonyms
}
