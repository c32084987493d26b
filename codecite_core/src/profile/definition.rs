//! A profile as data: what its author writes, field by field. `docs/PROFILES.md` describes it for people.

use serde::{Deserialize, Serialize};

use super::SectionKind;

/// A profile as its author writes it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// Its name: lower-case letters, digits and hyphens.
    pub name: String,
    /// One line for people.
    pub description: String,
    /// The levels of the tree, the highest first.
    pub levels: Vec<LevelDefinition>,
    /// Titles of sections that define terms, as patterns over the whole title.
    #[serde(default)]
    pub definitions: Vec<String>,
    /// Labels before exceptions, as patterns over the beginning of a block.
    #[serde(default)]
    pub exceptions: Vec<String>,
    /// What amending documents say instead of a title, as patterns over its beginning: "Revise this section as follows".
    #[serde(default)]
    pub instructions: Vec<String>,
    /// What stands behind the text of a section and is no law: history, cases, editors' notes.
    #[serde(default)]
    pub annotations: Vec<AnnotationDefinition>,
    /// Captions of tables, as patterns with the group `number`, over the beginning of a block.
    #[serde(default)]
    pub captions: Vec<String>,
    /// Captions of figures, diagrams, advisories and notes, which stand inside sections.
    #[serde(default)]
    pub floats: Vec<FloatDefinition>,
    /// To which section a table or float belongs.
    #[serde(default)]
    pub owner: Owner,
    /// The marks of paragraphs that are sections of their own, the outermost first.
    #[serde(default)]
    pub paragraphs: Vec<ParagraphDefinition>,
    /// What a heading that it finds counts against those of other profiles when one is chosen, in percent:
    /// less for a grammar that takes almost anything for a heading.
    #[serde(default = "full_trust")]
    pub trust: usize,
}

fn full_trust() -> usize {
    100
}

/// One level of the tree.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LevelDefinition {
    /// The kind of its sections.
    pub kind: SectionKind,
    /// The label that stays part of their number (`Chapter`), if any.
    #[serde(default)]
    pub label: Option<String>,
    /// Patterns over the beginning of a block, with the group `number`.
    pub patterns: Vec<String>,
    /// What a heading of this level needs besides its number.
    #[serde(default)]
    pub needs: Evidence,
    /// True when the number alone (without its ancestors) can be any depth: `1004`, `1004.5`, `1004.5.1`.
    #[serde(default)]
    pub nested: bool,
    /// True when marked paragraphs in its text are sections of their own.
    #[serde(default)]
    pub paragraphs: bool,
    /// True when it contains what follows although its numbers have no label.
    #[serde(default)]
    pub container: bool,
    /// How its number is made, where its own is counted anew in each container: `{above}` is the number of the container
    /// it stands in, `{number}` its own.
    #[serde(default)]
    pub compose: Option<String>,
    /// Where its title stands.
    #[serde(default)]
    pub title: TitlePlace,
    /// The kind of part below which its patterns are no headings: a commentary in an appendix repeats the titles of what
    /// it comments on.
    #[serde(default)]
    pub outside: Option<SectionKind>,
    /// True when its numbers qualify those below it that other parts repeat: `Appendix A 36.104`.
    #[serde(default)]
    pub qualifies: bool,
}

/// Where the title of a heading stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TitlePlace {
    /// After its number.
    #[default]
    After,
    /// In a line of its own above the number.
    Above,
}

/// Captions of one kind of float.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FloatDefinition {
    /// `figure`, `diagram` or `note`.
    pub kind: SectionKind,
    /// The label of their numbers (`Figure`, `Advisory`).
    pub label: String,
    /// Patterns over the beginning of a block, with the group `number`.
    pub patterns: Vec<String>,
    /// True when the text after the caption belongs to it, up to the next heading, caption or exception.
    #[serde(default)]
    pub text: bool,
}

/// Headings of annotations.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnnotationDefinition {
    /// Patterns over the beginning of a block; what they match is the title.
    pub patterns: Vec<String>,
    /// True when all that follows in the section belongs to annotations; else it is this one block, and counts only
    /// where no law follows it.
    #[serde(default)]
    pub text: bool,
}

/// One level of marked paragraphs.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParagraphDefinition {
    /// The kind of its sections.
    pub kind: SectionKind,
    /// How it counts.
    pub count: Count,
    /// How its mark joins the number above: `({mark})`.
    #[serde(default = "in_parentheses")]
    pub join: String,
    /// Patterns over the beginning of a block, with the group `mark`.
    pub patterns: Vec<String>,
    /// False when it only counts: its paragraphs stay text of the one above.
    #[serde(default = "yes")]
    pub section: bool,
}

fn in_parentheses() -> String {
    "({mark})".to_owned()
}

fn yes() -> bool {
    true
}

/// How marks count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Count {
    /// 1, 2, 3.
    Decimal,
    /// a, b, … z, aa, bb (or aa, ab), in either case.
    Letters,
    /// i, ii, iii, in either case.
    Roman,
}

/// To which section a table or float belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Owner {
    /// The one whose number it has, else the one it stands in.
    #[default]
    Number,
    /// The one that its caption refers to ("see paragraph 3.27"), else the one it stands in: for codes that count
    /// tables apart from sections.
    Reference,
}

/// What sets a heading apart from prose that happens to begin with a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Evidence {
    /// Nothing: the number's form is enough.
    #[default]
    Number,
    /// A format's own heading, bold or centred type, or a line of its own in capitals.
    Style,
}
