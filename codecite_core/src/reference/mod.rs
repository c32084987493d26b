//! References: mentions of other sections, tables, chapters and appendices in text, with the work that they are said
//! to be in when that is another one.

mod list;
mod mention;
mod relative;
mod source;

#[cfg(test)]
mod tests;

use crate::document::Span;
use crate::number::Number;
use mention::{Mention, mentions};
pub(crate) use source::{DESIGNATION, LABELS};

/// One mention. A list or range makes one for each number that it names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// What is referred to.
    pub target: Number,
    /// For the first number of a range, the last one: "1004.1 through 1004.3".
    pub through: Option<Number>,
    /// `Exception 2`, when one is named.
    pub locator: Option<String>,
    /// The other work that the number is said to be in, as printed ("California Fire Code", "NFPA 72"); `None` for the
    /// document's own.
    pub source: Option<String>,
    /// Where the number stands, in the text that was searched.
    pub span: Span,
}

/// All references in a text, in order. `own` is the number of the section that the text is: its own heading is not a
/// reference, and "paragraph (b) of this section" is counted from it.
///
/// ```
/// # use codecite_core::reference::references;
/// let found = references("Sections 1004.1 and 1004.2 and Section 903.3 of the fire code", None);
/// let names: Vec<String> = found.iter().map(|r| r.target.to_string()).collect();
/// assert_eq!(names, ["1004.1", "1004.2", "903.3"]);
/// assert_eq!(found[2].source.as_deref(), Some("fire code"));
/// ```
pub fn references(text: &str, own: Option<&Number>) -> Vec<Reference> {
    let mut found = mentions(text, own);
    source::assign(text, own, &mut found);
    found.retain(|mention| !mention.is_heading(text, own));
    found.into_iter().flat_map(Mention::into_references).collect()
}
