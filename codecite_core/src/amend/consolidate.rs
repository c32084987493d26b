//! A section as amended: all operations on it, in the order of the stack.

use super::apply::{Amended, Step, apply};
use super::operation::Verb;

/// What became of one operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It is in the text.
    Applied,
    /// It is not, because it does not say clearly what it does.
    Ambiguous(&'static str),
    /// It is not, because its target is not there.
    Failed(&'static str),
}

impl Outcome {
    /// The word that is shown.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Applied => "applied",
            Self::Ambiguous(_) => "ambiguous",
            Self::Failed(_) => "failed",
        }
    }

    /// Why it was not applied.
    pub fn reason(self) -> Option<&'static str> {
        match self {
            Self::Applied => None,
            Self::Ambiguous(reason) | Self::Failed(reason) => Some(reason),
        }
    }
}

/// What a number holds after all operations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// This text is in force.
    Text(String),
    /// The section is deleted.
    Deleted,
    /// The number is kept without a text.
    Reserved,
    /// The text has moved to another number, and nothing has taken its place.
    Renumbered(String),
    /// No document that is indexed has such a section.
    Missing,
}

/// A section after all operations, and what became of each of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Consolidated {
    /// What the number holds.
    pub standing: Standing,
    /// One for each operation.
    pub outcomes: Vec<Outcome>,
}

/// Carries out operations in the order of the stack. `base` is the text of the base section with its heading, `steps` what
/// is done to it; `Err` is an operation that is not clear, with the reason. An operation that cannot be carried out leaves
/// the text as it is, and the next one is tried all the same.
pub fn consolidate(
    base: Option<&str>,
    number: &str,
    title: Option<&str>,
    steps: &[Result<Step<'_>, &'static str>],
) -> Consolidated {
    let mut standing = base.map_or(Standing::Missing, |text| Standing::Text(text.to_owned()));
    let mut outcomes = Vec::with_capacity(steps.len());
    for step in steps {
        let outcome = match step {
            Err(reason) => Outcome::Ambiguous(reason),
            Ok(step) => match next(&standing, number, title, step) {
                Ok(Some(after)) => {
                    standing = after;
                    Outcome::Applied
                }
                Ok(None) => Outcome::Applied,
                Err(outcome) => outcome,
            },
        };
        outcomes.push(outcome);
    }
    Consolidated { standing, outcomes }
}

/// What a step makes of a standing; `None` leaves it as it is.
fn next(
    standing: &Standing,
    number: &str,
    title: Option<&str>,
    step: &Step<'_>,
) -> Result<Option<Standing>, Outcome> {
    let whole = step.detail.scope.is_empty() && step.detail.place.is_none() && step.detail.words.is_empty();
    let text = match standing {
        Standing::Text(text) => text,
        _ if whole && matches!(step.verb, Verb::Add | Verb::Revise | Verb::Replace) => {
            // A reserved, deleted or new number gets a text. An addition without one brings its subsections only.
            return match (step.new, standing) {
                (Some(new), _) => Ok(Some(Standing::Text(new.trim().to_owned()))),
                (None, Standing::Missing) if step.verb == Verb::Add => Ok(None),
                (None, _) => Err(Outcome::Ambiguous("the instruction brings no text")),
            };
        }
        Standing::Missing if step.verb == Verb::Adopt => return Ok(None),
        Standing::Missing => return Err(Outcome::Failed("the section that is amended is not indexed")),
        Standing::Deleted => return Err(Outcome::Failed("the section that is amended is deleted")),
        Standing::Reserved => return Err(Outcome::Failed("the section that is amended is reserved")),
        Standing::Renumbered(_) => {
            return Err(Outcome::Failed("the section that is amended has another number now"));
        }
    };
    if whole && step.verb == Verb::Add {
        return Err(Outcome::Ambiguous("a section with this number is there already"));
    }
    let heading = heading_length(text, number, title);
    match apply(text, heading, step) {
        Ok(Amended::Text(text)) => Ok(Some(Standing::Text(text))),
        Ok(Amended::Deleted) => Ok(Some(Standing::Deleted)),
        Ok(Amended::Reserved) => Ok(Some(Standing::Reserved)),
        Ok(Amended::Renumbered(number)) => Ok(Some(Standing::Renumbered(number))),
        Err(reason) => Err(Outcome::Failed(reason)),
    }
}

/// The bytes of the heading at the beginning of a section's text: its number and title, with the mark behind them.
pub fn heading_length(text: &str, number: &str, title: Option<&str>) -> usize {
    let line = text.lines().next().unwrap_or_default();
    let found = title
        .filter(|title| !title.is_empty())
        .and_then(|title| line.find(title).map(|at| at + title.len()))
        .or_else(|| line.find(number).map(|at| at + number.len()));
    let Some(end) = found else { return 0 };
    let rest = line.get(end..).unwrap_or_default();
    end + (rest.len() - rest.trim_start_matches(['.', ':', '—', '–', '*', ']']).len())
}
