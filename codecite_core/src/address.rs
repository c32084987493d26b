//! What a person writes to name one part of a code: a number, a number with an exception, a pasted citation.

use std::sync::LazyLock;

use regex::Regex;

use crate::number::Number;
use crate::reference::references;

/// Characters of an address that are read.
const MAX_CHARS: usize = 300;

/// One part of a code by its address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// Its number.
    pub number: Number,
    /// `Exception 2`, when one is named.
    pub locator: Option<String>,
}

static EXCEPTION: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)[,;(\s]*(?-u:\b)exception(?:\s+(?:no\.?\s*)?([0-9]{1,2}))?(?-u:\b)\)?").ok()
});
static PAGES: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?i)\s*\(pp?\.[^()]*\)\s*$").ok());

impl Address {
    /// Reads `1004.5`, `§ 1004.5, Exception 2`, `exception 2 to Section 1004.5`, `Table 1004.5`, or a citation such as
    /// `Model Code 2024 §1004.5, Exception 2 (p. 10-12)`. `None` when it names no part, or several.
    pub fn parse(text: &str) -> Option<Address> {
        if let Some(number) = Number::parse(text) {
            return Some(Address { number, locator: None });
        }
        let end = text.char_indices().nth(MAX_CHARS).map_or(text.len(), |(at, _)| at);
        let text = text.get(..end)?.trim();
        let text = PAGES.as_ref()?.replace(text, "");
        let (rest, locator) = match EXCEPTION.as_ref()?.captures(&text) {
            Some(found) => {
                let which = found.get(1).map(|number| number.as_str().trim_start_matches('0'));
                let locator = which.map_or("Exception".to_owned(), |which| format!("Exception {which}"));
                let around = found.get(0)?;
                let before = text.get(..around.start())?;
                let after = text.get(around.end()..)?.trim_start();
                let after =
                    ["to ", "of ", "in "].iter().find_map(|word| after.strip_prefix(word)).unwrap_or(after);
                (format!("{before} {after}"), Some(locator))
            }
            None => (text.into_owned(), None),
        };
        let number = Number::parse(rest.trim()).or_else(|| only_reference(&rest))?;
        Some(Address { number, locator })
    }

    /// The keys to look it up by, the likeliest first: a bare `10` may also be chapter 10.
    pub fn keys(&self) -> Vec<String> {
        let mut keys = vec![self.number.key()];
        if self.number.label().is_none() {
            let labels = ["Chapter", "Article", "Part"].into_iter();
            keys.extend(labels.filter_map(|label| Some(Number::labelled(label, self.number.body())?.key())));
        }
        keys
    }
}

/// The part that a text refers to, if it is one.
fn only_reference(text: &str) -> Option<Number> {
    let mut found = references(text, None).into_iter().map(|reference| reference.target);
    let first = found.next()?;
    found.all(|other| other == first).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parsed(text: &str) -> Option<(String, Option<String>)> {
        Address::parse(text).map(|address| (address.number.to_string(), address.locator))
    }

    #[test]
    fn addresses_are_read_as_people_write_them() {
        let exception = |number: &str| Some(format!("Exception {number}"));
        for (text, number, locator) in [
            ("1004.5", "1004.5", None),
            ("§ 1004.5", "1004.5", None),
            ("table 1004.5", "Table 1004.5", None),
            ("1004.5 Exception 2", "1004.5", exception("2")),
            ("1004.5, exception 2", "1004.5", exception("2")),
            ("Section 1004.5, Exception No. 2", "1004.5", exception("2")),
            ("Section 1004.5 (Exception 2)", "1004.5", exception("2")),
            ("Exception 12 to Section 1004.5", "1004.5", exception("12")),
            ("exception to 28-304.6", "28-304.6", Some("Exception".into())),
            ("Appendix A 36.104, Exception 1", "Appendix A 36.104", exception("1")),
            ("Model Building Code 2024 §1004.5, Exception 2 (p. 10-12)", "1004.5", exception("2")),
            ("Model Building Code 2024, Table 1004.5 (pp. 3–4)", "Table 1004.5", None),
        ] {
            assert_eq!(parsed(text), Some((number.to_owned(), locator)), "{text}");
        }
        for none in ["", "exception 2", "Sections 1004.5 and 1004.6", "wide doors", "(p. 3)"] {
            assert_eq!(parsed(none), None, "{none}");
        }
    }

    #[test]
    fn a_bare_number_may_be_a_chapter() {
        let keys = Address::parse("10").unwrap().keys();
        assert_eq!(keys.first(), Some(&Number::parse("10").unwrap().key()));
        assert!(keys.contains(&Number::parse("Chapter 10").unwrap().key()));
        assert_eq!(Address::parse("Table 10").unwrap().keys().len(), 1);
    }

    proptest! {
        #[test]
        fn any_text_is_an_address_or_none(text in "\\PC{0,400}") {
            if let Some(address) = Address::parse(&text) {
                prop_assert!(!address.keys().is_empty());
            }
        }
    }
}
