//! The words of amending instructions: verbs, names of parts, ordinals.

use super::operation::{Unit, Verb, Which};
use super::token::{Kind, Token};

/// A verb, and its forms: imperatives, participles, gerunds.
type Forms = (Verb, &'static [&'static str], &'static [&'static str], &'static [&'static str]);

const VERBS: &[Forms] = &[
    (
        Verb::Add,
        &["add", "insert", "append", "restore"],
        &["added", "inserted", "appended", "restored"],
        &["adding", "inserting", "appending", "restoring"],
    ),
    (
        Verb::Revise,
        &["revise", "amend", "modify", "change", "correct", "update"],
        &["revised", "amended", "modified", "changed", "corrected", "updated"],
        &["revising", "amending", "modifying", "changing", "correcting", "updating"],
    ),
    (
        Verb::Replace,
        &["replace", "substitute", "supersede"],
        &["replaced", "substituted", "superseded"],
        &["replacing", "substituting", "superseding"],
    ),
    (
        Verb::Delete,
        &["delete", "repeal", "strike", "omit", "remove", "rescind"],
        &["deleted", "repealed", "struck", "stricken", "omitted", "removed", "rescinded"],
        &["deleting", "repealing", "striking", "omitting", "removing", "rescinding"],
    ),
    (
        Verb::Renumber,
        &["renumber", "redesignate", "relabel", "relocate"],
        &["renumbered", "redesignated", "relabeled", "relabelled", "relocated"],
        &["renumbering", "redesignating", "relabeling", "relabelling", "relocating"],
    ),
    (Verb::Reserve, &["reserve"], &["reserved"], &["reserving"]),
    (Verb::Adopt, &["adopt", "readopt"], &["adopted", "readopted"], &["adopting", "readopting"]),
];

/// Which form of a verb.
#[derive(Clone, Copy)]
pub(super) enum Form {
    Imperative,
    Participle,
    Gerund,
}

/// The verb that a token is, in one form.
pub(super) fn verb(token: &Token<'_>, form: Form) -> Option<Verb> {
    if token.kind != Kind::Word {
        return None;
    }
    VERBS
        .iter()
        .find(|(_, imperative, participle, gerund)| {
            let words = match form {
                Form::Imperative => imperative,
                Form::Participle => participle,
                Form::Gerund => gerund,
            };
            words.contains(&token.lower.as_str())
        })
        .map(|(verb, ..)| *verb)
}

/// What a noun names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Noun {
    /// A part of a section.
    Unit(Unit),
    /// A section (no label), table, chapter: what has a number.
    Numbered(Option<&'static str>),
}

const NOUNS: &[(Noun, &[&str], &[&str])] = &[
    (
        Noun::Numbered(None),
        &["section", "subsection", "sec.", "sec", "§", "rule"],
        &["sections", "subsections", "secs.", "secs", "rules"],
    ),
    (Noun::Numbered(Some("Table")), &["table"], &["tables"]),
    (Noun::Numbered(Some("Figure")), &["figure"], &["figures"]),
    (Noun::Numbered(Some("Diagram")), &["diagram"], &["diagrams"]),
    (Noun::Numbered(Some("Equation")), &["equation"], &["equations"]),
    (Noun::Numbered(Some("Chapter")), &["chapter"], &["chapters"]),
    (Noun::Numbered(Some("Appendix")), &["appendix"], &["appendices", "appendixes"]),
    (Noun::Numbered(Some("Annex")), &["annex"], &["annexes"]),
    (Noun::Numbered(Some("Article")), &["article"], &["articles"]),
    (Noun::Numbered(Some("Part")), &["part"], &["parts"]),
    (Noun::Numbered(Some("Division")), &["division"], &["divisions"]),
    (Noun::Numbered(Some("Subpart")), &["subpart"], &["subparts"]),
    (Noun::Unit(Unit::Title), &["title", "heading", "caption"], &["titles", "headings", "captions"]),
    (
        Noun::Unit(Unit::Paragraph),
        &["paragraph", "subparagraph", "subdivision"],
        &["paragraphs", "subparagraphs", "subdivisions"],
    ),
    (Noun::Unit(Unit::Sentence), &["sentence"], &["sentences"]),
    (Noun::Unit(Unit::Item), &["item", "subitem"], &["items", "subitems"]),
    (Noun::Unit(Unit::Exception), &["exception", "exemption"], &["exceptions", "exemptions"]),
    (Noun::Unit(Unit::Row), &["row", "line", "entry"], &["rows", "lines", "entries"]),
    (Noun::Unit(Unit::Column), &["column"], &["columns"]),
    (Noun::Unit(Unit::Note), &["footnote", "note"], &["footnotes", "notes"]),
    (Noun::Unit(Unit::Definition), &["definition", "term"], &["definitions", "terms"]),
    (
        Noun::Unit(Unit::Text),
        &["text", "number", "word", "phrase", "language", "provision", "requirement"],
        &["words", "phrases", "provisions", "requirements"],
    ),
];

/// The noun that a token is, and whether it is a plural.
pub(super) fn noun(token: &Token<'_>) -> Option<(Noun, bool)> {
    if token.kind == Kind::Quote {
        return None;
    }
    NOUNS.iter().find_map(|(noun, one, many)| {
        if one.contains(&token.lower.as_str()) {
            Some((*noun, false))
        } else {
            many.contains(&token.lower.as_str()).then_some((*noun, true))
        }
    })
}

const ORDINALS: [&str; 10] =
    ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];

/// "first", "2nd", "last".
pub(super) fn ordinal(token: &Token<'_>) -> Option<Which> {
    if token.is_any(&["last", "final"]) {
        return Some(Which::Last);
    }
    if let Some(place) = ORDINALS.iter().position(|word| token.is(word)) {
        return Some(Which::Nth(place + 1));
    }
    let digits = ["st", "nd", "rd", "th"].iter().find_map(|ending| token.lower.strip_suffix(ending))?;
    digits.parse().ok().filter(|place| (1..100).contains(place)).map(Which::Nth)
}
