//! What is asked of whoever holds the codes.

use super::works::Work;
use crate::number::Number;

/// What holds of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Standing {
    /// In force as it stands.
    #[default]
    InForce,
    /// In force, and changed by an amendment.
    Amended,
    /// Deleted by an amendment.
    Deleted,
    /// Of an edition that is no longer in force.
    Superseded,
}

/// A section, a table or another part of a code, in one layer of one edition.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Text {
    /// The name of its corpus.
    pub corpus: String,
    /// The layer, as the caller calls it.
    pub layer: String,
    /// Its edition.
    pub edition: Option<String>,
    /// Its number.
    pub number: Option<Number>,
    /// The parts above it: its chapter, its section.
    pub above: Vec<Number>,
    /// Its own text with the heading.
    pub body: String,
    /// The text as amended, where it is.
    pub amended: Option<String>,
    /// What holds of it.
    pub standing: Standing,
    /// The first and last page, as printed.
    pub pages: Option<(String, String)>,
    /// The citation that a person would paste.
    pub citation: String,
}

/// Where texts are looked up. Nothing here fails: who cannot answer answers with nothing.
pub trait Lookup {
    /// The corpora that the caller may see.
    fn works(&self) -> &[Work];

    /// The texts of that number in all corpora and layers, those in force first, then those of editions that are not; after
    /// them the texts below it, in order, where they are at hand: a quotation of Section 1004 may stand in 1004.5.
    fn texts(&self, number: &Number) -> Vec<Text>;

    /// Texts that may hold these words, found by a search: for a quotation that is not in what it cites, or cites nothing.
    fn similar(&self, words: &str) -> Vec<Text>;
}

/// Texts in memory. As a search it gives all of them.
#[derive(Debug, Clone, Default)]
pub struct Texts {
    /// The corpora.
    pub works: Vec<Work>,
    /// Their texts, in order.
    pub texts: Vec<Text>,
}

impl Lookup for Texts {
    fn works(&self) -> &[Work] {
        &self.works
    }

    fn texts(&self, number: &Number) -> Vec<Text> {
        let key = number.key();
        let is = |text: &&Text| text.number.as_ref().is_some_and(|number| number.key() == key);
        let is_below = |text: &&Text| text.above.iter().any(|above| above.key() == key);
        self.texts.iter().filter(is).chain(self.texts.iter().filter(is_below)).cloned().collect()
    }

    fn similar(&self, _: &str) -> Vec<Text> {
        self.texts.clone()
    }
}
