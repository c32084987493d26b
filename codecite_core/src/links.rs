//! Links within a document: references whose text need not say a number.

use std::collections::HashMap;

use crate::document::{Document, Span};
use crate::number::Number;
use crate::reference::{Reference, references};
use crate::structure::{Section, SectionTree};

/// The references of a document's sections: what their text names, and where their links lead.
pub struct References<'d> {
    document: &'d Document,
    /// The number of the section whose heading has an id, by that id.
    targets: HashMap<&'d str, &'d Number>,
}

impl<'d> References<'d> {
    /// Learns which ids belong to headings of sections.
    pub fn of(document: &'d Document, tree: &'d SectionTree) -> References<'d> {
        let mut targets = HashMap::new();
        let mut sections: Vec<&Section> = tree.sections.iter().collect();
        sections.sort_by_key(|section| section.heading.start);
        let mut sections = sections.into_iter().peekable();
        for block in &document.blocks {
            while sections.next_if(|section| section.heading.start < block.span.start).is_some() {}
            let begins = sections.peek().filter(|section| section.heading.start < block.span.end);
            if let (Some(anchor), Some(number)) = (&block.anchor, begins.and_then(|s| s.number.as_ref())) {
                // An id that stands twice leads to the first place.
                targets.entry(anchor.as_str()).or_insert(number);
            }
        }
        References { document, targets }
    }

    /// Those of one section, in order, with places in its own text. A number in the text of a link counts as it would
    /// without the link; a link to the section itself is none.
    pub fn in_section(&self, section: &Section) -> Vec<Reference> {
        let mut found = references(self.document.slice(section.span), section.number.as_ref());
        let links = &self.document.links;
        let first = links.partition_point(|link| link.span.start < section.span.start);
        let inside = links.iter().skip(first).take_while(|link| link.span.end <= section.span.end);
        let mut linked = Vec::new();
        for link in inside {
            let at = |offset: usize| offset - section.span.start;
            let span = Span::new(at(link.span.start), at(link.span.end));
            let after = found.partition_point(|named| named.span.end <= span.start);
            let is_named = found.get(after).is_some_and(|named| named.span.start < span.end);
            let target = self.targets.get(link.target.as_str()).copied();
            if let Some(target) =
                target.filter(|target| !is_named && section.number.as_ref() != Some(*target))
            {
                linked.push(Reference {
                    target: target.clone(),
                    through: None,
                    locator: None,
                    source: None,
                    span,
                });
            }
        }
        found.extend(linked);
        found.sort_by_key(|reference| reference.span.start);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Format;
    use crate::pipeline::parse;
    use crate::profile::Profile;
    use crate::work::{Limits, Unwatched, Work};

    /// For each numbered section, the numbers that it refers to.
    fn found(html: &str) -> Vec<(String, Vec<String>)> {
        let limits = Limits::default();
        let profiles = [Profile::builtin("generic").unwrap()];
        let mut progress = Unwatched;
        let parsed =
            parse(html.as_bytes(), Some(Format::Html), &profiles, &mut Work::new(&limits, &mut progress))
                .unwrap();
        let references = References::of(&parsed.document, &parsed.tree);
        let numbered =
            parsed.tree.sections.iter().filter_map(|section| Some((section.number.as_ref()?, section)));
        let targets = |section| references.in_section(section).iter().map(|r| r.target.to_string()).collect();
        numbered.map(|(number, section)| (number.to_string(), targets(section))).collect()
    }

    fn code(paragraph: &str) -> String {
        format!(
            "<h2 id=one>101.1 Scope</h2><p>{paragraph}</p>\
             <h2 id=two>101.2 Intent</h2><p id=inner>The purpose is safety.</p>\
             <h2 id=three>101.3 Use</h2><p>As intended.</p>"
        )
    }

    fn of_first(paragraph: &str) -> Vec<String> {
        found(&code(paragraph)).swap_remove(0).1
    }

    #[test]
    fn a_link_to_a_section_refers_to_it_whatever_it_says() {
        assert_eq!(
            of_first("It serves <a href=#two>the <b>intent</b></a> and <a href='#three'> its use </a>."),
            ["101.2", "101.3"]
        );
        assert_eq!(
            of_first("<a href=#three>Use</a> comes before <del>struck</del> <a href=#two>intent</a>."),
            ["101.3", "101.2"]
        );
    }

    #[test]
    fn a_number_counts_as_without_the_link() {
        assert_eq!(
            of_first("See <a href=#three>Section 101.2</a> and <a href=#two>the intent</a>."),
            ["101.2", "101.2"]
        );
        assert_eq!(
            of_first("See Section 101.2 and 101.3."),
            of_first("See <a href=#two>Section 101.2</a> and <a href=#x>101.3</a>.")
        );
    }

    #[test]
    fn other_links_are_none() {
        for href in ["#one", "#inner", "#nowhere", "#", "two", "http://example.org/#two"] {
            assert_eq!(
                of_first(&format!("It goes <a href='{href}'>elsewhere</a>.")),
                Vec::<String>::new(),
                "{href}"
            );
        }
        assert_eq!(of_first("It goes <a href=#two></a>on."), Vec::<String>::new());
    }

    #[test]
    fn links_point_at_their_text() {
        let limits = Limits::default();
        let html = "<ol><li>An <a href=#a> item\n with </a> a mark</li></ol><pre>\n\n as <a href=#b>it</a> is</pre>\
                    <p>x <s>gone</s> <a href=#c>é</a> <a href=#d>over<p>two</a></p>";
        let document =
            crate::read::html::read(html.as_bytes(), &mut Work::new(&limits, &mut Unwatched)).unwrap();
        let texts: Vec<(&str, &str)> =
            document.links.iter().map(|link| (document.slice(link.span), link.target.as_str())).collect();
        assert_eq!(texts[..3], [("item with", "a"), ("it", "b"), ("é", "c")]);
    }
}
