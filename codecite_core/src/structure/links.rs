//! Which section of a document a reference means.

use std::collections::HashSet;

use super::tree::{Section, SectionTree};
use crate::number::Number;

/// The numbers of a document, for looking up what its references mean.
pub struct Links {
    keys: HashSet<String>,
}

impl Links {
    /// Of all numbers in a tree.
    pub fn of(tree: &SectionTree) -> Links {
        let numbers = tree.sections.iter().filter_map(|section| section.number.as_ref());
        Links { keys: numbers.map(Number::key).collect() }
    }

    /// True when the document has a section of that number.
    pub fn has(&self, number: &Number) -> bool {
        self.keys.contains(&number.key())
    }

    /// The number under which the target of a reference is kept. In a part that counts anew its sections name each other
    /// without the part; "Article 3.1.2" is 3.1.2 where articles have no label of their own.
    pub fn target(&self, from: &Section, written: &Number) -> Number {
        if self.has(written) {
            return written.clone();
        }
        let bare = (written.label() == Some("Article")).then(|| written.unlabelled());
        let spellings = [Some(written.clone()), bare];
        let spellings = || spellings.iter().flatten();
        let qualified = from.part.iter().flat_map(|part| spellings().map(|number| number.qualified_by(part)));
        let mut all = spellings().cloned().chain(qualified);
        all.find(|number| self.has(number)).unwrap_or_else(|| written.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Span;
    use crate::profile::SectionKind;

    fn number(text: &str) -> Number {
        Number::parse(text).unwrap()
    }

    #[test]
    fn a_part_that_counts_anew_names_its_own_sections() {
        let section = |text, part: Option<&str>| Section {
            part: part.map(number),
            ..Section::new(SectionKind::Section, number(text), Span::default())
        };
        let own = section("H1-2.16", Some("H1"));
        let sections = vec![
            own.clone(),
            section("H1-2.17", Some("H1")),
            section("H2-2.18", Some("H2")),
            section("9.1", None),
        ];
        let links = Links::of(&SectionTree { sections, ..SectionTree::default() });
        let target = |text| links.target(&own, &number(text)).to_string();
        assert_eq!(target("2.17"), "H1-2.17");
        // What the part has not is left as it is written; what stands elsewhere under its own number is meant.
        assert_eq!(target("2.18"), "2.18");
        assert_eq!(target("9.1"), "9.1");
        assert_eq!(target("H2-2.18"), "H2-2.18");
        assert_eq!(target("Article 9.1"), "9.1");
        assert_eq!(target("Article 9.2"), "Article 9.2");
        assert!(!links.has(&number("2.17")));
    }
}
