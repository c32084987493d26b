//! What an amending document does to another: operations.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::document::Span;
use crate::number::Number;

/// What is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verb {
    /// New text is added.
    Add,
    /// The text is changed to read otherwise, or words in it are.
    Revise,
    /// The text is taken out and other text put in its place.
    Replace,
    /// The text is taken out, repealed or not adopted.
    Delete,
    /// The number changes.
    Renumber,
    /// The number is kept without a text.
    Reserve,
    /// The text becomes law here, where it was not.
    Adopt,
}

impl Verb {
    /// The verb with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        let all = [
            Self::Add,
            Self::Revise,
            Self::Replace,
            Self::Delete,
            Self::Renumber,
            Self::Reserve,
            Self::Adopt,
        ];
        all.into_iter().find(|verb| verb.as_str() == word)
    }

    /// The word that is stored and shown.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Revise => "revise",
            Self::Replace => "replace",
            Self::Delete => "delete",
            Self::Renumber => "renumber",
            Self::Reserve => "reserve",
            Self::Adopt => "adopt",
        }
    }
}

/// A kind of part of a section that an instruction names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Its title.
    Title,
    /// A paragraph, by place or mark.
    Paragraph,
    /// A sentence.
    Sentence,
    /// An item of a list.
    Item,
    /// An exception.
    Exception,
    /// A row of a table.
    Row,
    /// A column of a table.
    Column,
    /// A footnote of a table, or a note.
    Note,
    /// A definition.
    Definition,
    /// Text without a name of its own.
    Text,
}

impl Unit {
    fn as_str(self) -> &'static str {
        match self {
            Self::Title => "title",
            Self::Paragraph => "paragraph",
            Self::Sentence => "sentence",
            Self::Item => "item",
            Self::Exception => "exception",
            Self::Row => "row",
            Self::Column => "column",
            Self::Note => "note",
            Self::Definition => "definition",
            Self::Text => "text",
        }
    }
}

/// Which of them.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Which {
    /// The one there is: "the exception".
    Only,
    /// All there are: "the exceptions".
    All,
    /// One that is not there yet: "an exception", "the following exception".
    New,
    /// By number, letter or term.
    Named(String),
    /// By place, from 1.
    Nth(usize),
    /// The last.
    Last,
}

/// A part of a section, as an instruction names it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Scope {
    /// What it is.
    pub unit: Unit,
    /// Which.
    pub which: Which,
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = self.unit.as_str();
        match &self.which {
            Which::Only => f.write_str(unit),
            Which::All => write!(f, "all {unit}s"),
            Which::New => write!(f, "new {unit}"),
            Which::Named(name) => write!(f, "{unit} {name}"),
            Which::Nth(place) => write!(f, "{unit} {place}"),
            Which::Last => write!(f, "last {unit}"),
        }
    }
}

/// A part inside others, in words: `sentence 1 of exception 3`.
fn in_words(scope: &[Scope]) -> String {
    scope.iter().map(ToString::to_string).collect::<Vec<_>>().join(" of ")
}

/// Where new text goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// At the end of what the operation names.
    End,
    /// At its beginning.
    Start,
    /// After a part of it.
    After(Vec<Scope>),
    /// Before a part of it.
    Before(Vec<Scope>),
}

/// A change of words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Words {
    /// What is taken out.
    pub old: Option<String>,
    /// What is put in.
    pub new: Option<String>,
    /// What it is put in after, when nothing is taken out.
    pub after: Option<String>,
    /// Wherever the words occur, not once.
    pub everywhere: bool,
}

/// What an operation is done to. A label (`Table`, `Chapter`) says that it is not a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// The section (or table, chapter) in which the instruction stands.
    Here(Option<&'static str>),
    /// A number, or the first and the last of a range.
    Number(Number, Option<Number>),
    /// What follows the instruction in the amending document.
    Following(Option<&'static str>),
}

/// What one verb of an instruction says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    /// What is done.
    pub verb: Verb,
    /// To which section.
    pub target: Target,
    /// To which part of it, the innermost first; empty: to the whole.
    pub scope: Vec<Scope>,
    /// Where new text goes.
    pub place: Option<Place>,
    /// The new number.
    pub renumbered: Option<String>,
    /// Changes of words.
    pub words: Vec<Words>,
    /// New text that the instruction itself quotes.
    pub quoted: Vec<String>,
}

/// How far an operation is understood. Whether its target is indexed is known only beside the base.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Status {
    /// Its target and extent are clear.
    Clear,
    /// They are not, for this reason.
    Ambiguous(&'static str),
}

/// What an operation does in its target.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Detail {
    /// The part that it is done to, the innermost first; empty: the whole.
    pub scope: Vec<Scope>,
    /// Where new text goes.
    pub place: Option<Place>,
    /// Changes of words.
    pub words: Vec<Words>,
    /// New text that the instruction itself quotes.
    pub quoted: Vec<String>,
}

/// One operation of an amending document, with its place in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// What is done.
    pub verb: Verb,
    /// The number that it is done to.
    pub target: Number,
    /// The last number of a range.
    pub through: Option<Number>,
    /// What it does there.
    pub detail: Detail,
    /// The new number.
    pub renumbered: Option<String>,
    /// Ordinal of the section of the amending document that holds the new text, or the instruction where it brings none.
    pub section: usize,
    /// The instruction, in the document's text; empty where the markup alone says it.
    pub instruction: Span,
    /// The new text, in the document's text: from the instruction to what follows it.
    pub text: Option<Span>,
    /// How far it is understood.
    pub status: Status,
}

impl Detail {
    /// The part that it is done to, in words: `sentence 1 of exception 3`; `None` for the whole.
    pub fn scope_words(&self) -> Option<String> {
        (!self.scope.is_empty()).then(|| in_words(&self.scope))
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Here(None) => f.write_str("here"),
            Self::Here(Some(label)) => write!(f, "this {label}"),
            Self::Number(number, None) => write!(f, "{number}"),
            Self::Number(number, Some(through)) => write!(f, "{number} through {through}"),
            Self::Following(None) => f.write_str("following"),
            Self::Following(Some(label)) => write!(f, "following {label}"),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::End => f.write_str("at the end"),
            Self::Start => f.write_str("at the beginning"),
            Self::After(scope) => write!(f, "after {}", in_words(scope)),
            Self::Before(scope) => write!(f, "before {}", in_words(scope)),
        }
    }
}

/// In one line: `delete 702.3: exception 3`, `revise 107.1 “25 days” → “35 days”`.
impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.verb.as_str(), self.target)?;
        if !self.scope.is_empty() {
            write!(f, ": {}", in_words(&self.scope))?;
        }
        if let Some(place) = &self.place {
            write!(f, " {place}")?;
        }
        if let Some(number) = &self.renumbered {
            write!(f, " as {number}")?;
        }
        for words in &self.words {
            match (&words.old, &words.new, &words.after) {
                (Some(old), Some(new), _) => write!(f, " “{old}” → “{new}”")?,
                (Some(old), None, _) => write!(f, " “{old}” → nothing")?,
                (None, Some(new), Some(after)) => write!(f, " “{new}” after “{after}”")?,
                (None, new, _) => write!(f, " “{}” somewhere", new.as_deref().unwrap_or_default())?,
            }
            if words.everywhere {
                f.write_str(" everywhere")?;
            }
        }
        for quoted in &self.quoted {
            write!(f, " “{quoted}”")?;
        }
        Ok(())
    }
}
