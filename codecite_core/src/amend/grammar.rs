//! An instruction into clauses: what is done, to which part of which section.
//!
//! Active ("Revise the second paragraph as follows:"), passive ("Exception 3 of Section 702.3 is deleted.") and by
//! gerunds ("Section 107.1 is amended by deleting “25 days” and inserting “35 days”").

use super::lexicon::{Form, verb};
use super::operation::{Clause, Place, Target, Unit, Verb, Which};
use super::phrase::{Cursor, Phrase};
use super::tail::{Tail, place, read_follows, with_following};
use super::token::{Kind, tokens};
use super::words::{quoted_subject, words_change};
use crate::number::Number;

/// The longest paragraph that is taken for an instruction, in bytes.
const MAX_INSTRUCTION: usize = 1500;
/// How many words may stand between a subject and its verb: ", as amended by the State,".
const MAX_APPOSITION: usize = 24;

/// What an instruction says, and where in the text it ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Instruction {
    pub clauses: Vec<Clause>,
    /// The section that the paragraph names before the instruction: "Table 1505.1 Revise the table as follows:".
    pub context: Option<Target>,
    /// The byte after its last token.
    pub end: usize,
}

/// Reads a paragraph as an instruction; `None` when it is something else.
pub(super) fn instruction(text: &str) -> Option<Instruction> {
    if text.len() > MAX_INSTRUCTION {
        return None;
    }
    let tokens = tokens(text);
    let mut cursor = Cursor { tokens: &tokens, at: 0 };
    skip_label(&mut cursor);
    let context = cursor.attempt(context_before);
    let mut clauses = Vec::new();
    let mut end = cursor.at;
    loop {
        let subject = clauses.last().map(|clause: &Clause| clause.target.clone());
        let found = cursor.attempt(|cursor| {
            let prefix = cursor.attempt(prefix);
            let found = cursor.attempt(imperative).or_else(|| cursor.attempt(passive))?;
            Some(
                found
                    .into_iter()
                    .map(|clause| place_in(clause, prefix.as_ref(), subject.as_ref()))
                    .collect::<Vec<_>>(),
            )
        });
        match found {
            Some(found) => {
                clauses.extend(found);
                end = cursor.at;
            }
            None if clauses.is_empty() => return None,
            None => {
                if !next_clause(&mut cursor) {
                    break;
                }
                continue;
            }
        }
        while cursor.joiner() || cursor.take(&[";", ".", "then", "also", "further"]) {}
        if cursor.peek().is_none() {
            break;
        }
    }
    cursor.at = end;
    skip_remark(&mut cursor);
    let end = cursor.at;
    // A colon after the instruction belongs to it.
    let after = tokens.get(end).filter(|token| token.is_any(&[":", "."]));
    let end = after.or_else(|| tokens.get(end.saturating_sub(1))).map_or(0, |token| token.span.end);
    Some(Instruction { clauses: merged(clauses), context, end })
}

/// ", as amended by the State", ", with the changes that follow": up to where the sentence ends.
fn skip_remark(cursor: &mut Cursor<'_>) {
    let start = cursor.at;
    if !cursor.take(&[",", "as", "of", "(", "effective", "–", "—"]) {
        return;
    }
    for _ in 0..MAX_APPOSITION {
        match cursor.peek() {
            None => return,
            Some(token) if token.is_any(&[".", ":"]) => return,
            Some(token) if token.is(";") => break,
            Some(_) => cursor.at += 1,
        }
    }
    cursor.at = start;
}

/// "(A)", "1." in front of an instruction.
fn skip_label(cursor: &mut Cursor<'_>) {
    let Some(token) = cursor.peek().filter(|token| token.kind == Kind::Number) else { return };
    let dotted =
        token.text.chars().all(|c| c.is_ascii_digit()) && cursor.ahead(1).is_some_and(|next| next.is("."));
    if token.text.starts_with('(') || dotted {
        cursor.at += 1;
        cursor.take(&["."]);
    }
}

/// The section named in front of an imperative.
fn context_before(cursor: &mut Cursor<'_>) -> Option<Target> {
    let bare =
        cursor.peek().filter(|token| token.kind == Kind::Number).and_then(|token| Number::parse(token.text));
    let target = match bare {
        // "456 Add the following section:"
        Some(number) => {
            cursor.at += 1;
            Target::Number(number, None)
        }
        None => {
            let phrases = cursor.phrases()?;
            let [Phrase { scope, target: Some(target @ Target::Number(..)) }] = phrases.as_slice() else {
                return None;
            };
            scope.is_empty().then(|| target.clone())?
        }
    };
    while cursor.take(&[":", ".", "-", "–", "—", ","]) {}
    let follows = cursor.peek()?;
    (verb(follows, Form::Imperative).is_some() && follows.text.starts_with(char::is_uppercase))
        .then_some(target)
}

/// "In Table 1004.5, …"
fn prefix(cursor: &mut Cursor<'_>) -> Option<Phrase> {
    cursor.take(&["in", "at", "under", "to"]).then_some(())?;
    let phrases = cursor.phrases()?;
    cursor.take(&[","]).then_some(())?;
    phrases.into_iter().next()
}

/// A clause that does not say where stands in what was named before it.
fn place_in(mut clause: Clause, prefix: Option<&Phrase>, subject: Option<&Target>) -> Clause {
    if let Some(prefix) = prefix {
        clause.scope.extend(prefix.scope.iter().cloned());
    }
    if clause.target == Target::Here(None) {
        let named = prefix.and_then(|prefix| prefix.target.clone()).or_else(|| subject.cloned());
        if let Some(named) = named.filter(|target| matches!(target, Target::Number(..))) {
            clause.target = named;
        }
    }
    // "the table" is the table that was named before.
    if let (Target::Here(Some(label)), Some(named @ Target::Number(number, None))) = (&clause.target, subject)
        && number.label() == Some(label)
    {
        clause.target = named.clone();
    }
    clause
}

/// Skips to behind the next "and", ";" or "."; what stands between is an explanation.
fn next_clause(cursor: &mut Cursor<'_>) -> bool {
    while let Some(token) = cursor.peek() {
        cursor.at += 1;
        if token.is_any(&[";", ".", "and"]) && cursor.peek().is_some() {
            return true;
        }
        if token.is(":") {
            return false;
        }
    }
    false
}

/// "Delete and replace Table 702.1 with the following:"
fn imperative(cursor: &mut Cursor<'_>) -> Option<Vec<Clause>> {
    let verbs = verbs(cursor, Form::Imperative)?;
    predicate(cursor, &verbs)
}

/// Verbs joined by "and", of one form.
pub(super) fn verbs(cursor: &mut Cursor<'_>, form: Form) -> Option<Vec<Verb>> {
    let mut found = vec![verb(cursor.peek()?, form)?];
    cursor.at += 1;
    while let Some(more) = cursor.attempt(|cursor| {
        while cursor.take(&["in", "its", "their", "entirety"]) {}
        cursor.joiner().then_some(())?;
        while cursor.take(&["is", "are", "hereby"]) {}
        let more = verb(cursor.peek()?, form)?;
        cursor.at += 1;
        Some(more)
    }) {
        found.push(more);
    }
    if found.contains(&Verb::Delete) && found.contains(&Verb::Replace) {
        return Some(vec![Verb::Replace]);
    }
    if found.contains(&Verb::Add) && found.contains(&Verb::Adopt) {
        return Some(vec![Verb::Add]);
    }
    Some(found)
}

/// What follows a verb in the imperative or a gerund: objects and how they are to read.
fn predicate(cursor: &mut Cursor<'_>, verbs: &[Verb]) -> Option<Vec<Clause>> {
    if let Some(words) = cursor.attempt(|cursor| words_change(cursor, verbs)) {
        return Some(words);
    }
    let start = cursor.at;
    let mut place = cursor.attempt(place);
    let objects = cursor.phrases();
    let objects = match objects {
        Some(objects) => objects,
        // "Revise as follows:", "Add the following:" says nothing more; a bare verb is no instruction.
        None if read_follows(cursor) || place.is_some() || with_following(cursor) => {
            vec![Phrase { scope: Vec::new(), target: None }]
        }
        None => {
            cursor.at = start;
            return None;
        }
    };
    let mut tail = Tail::default();
    tail.read(cursor, verbs);
    place = place.or(tail.place.take());
    Some(build(verbs, objects, place, tail))
}

/// "is deleted and replaced with the following", "is amended by striking “x” and inserting “y”".
fn passive(cursor: &mut Cursor<'_>) -> Option<Vec<Clause>> {
    if let Some(words) = cursor.attempt(quoted_subject) {
        return Some(words);
    }
    let mut subject = cursor.phrases()?;
    skip_apposition(cursor)?;
    let verbs = verbs(cursor, Form::Participle)?;
    // "The number is reserved": of what was named before.
    for phrase in &mut subject {
        phrase.scope.retain(|scope| scope.unit != Unit::Text || scope.which != Which::Only);
    }
    let mut tail = Tail::default();
    tail.read(cursor, &verbs);
    // "is added to Section 202": the section that the new text goes into.
    if let Some(outer) = cursor.attempt(|cursor| {
        cursor.take(&["to", "in", "under", "from"]).then_some(())?;
        cursor.phrases()
    }) {
        if let Some(outer) = outer.first() {
            subject = subject.iter().map(|phrase| within(phrase, outer)).collect();
        }
        tail.read(cursor, &verbs);
    }
    if let Some(found) = cursor.attempt(|cursor| gerunds(cursor, &subject)) {
        return Some(found);
    }
    let place = tail.place.take();
    Some(build(&verbs, subject, place, tail))
}

fn within(inner: &Phrase, outer: &Phrase) -> Phrase {
    let mut scope = inner.scope.clone();
    scope.extend(outer.scope.iter().cloned());
    // What follows and is new has its own number; the section it is added to is only its place.
    let target = match (&inner.target, &outer.target) {
        (Some(Target::Here(_)) | None, Some(outer)) => Some(outer.clone()),
        (inner, _) => inner.clone(),
    };
    Phrase { scope, target }
}

/// Up to the verb: ", as amended by the State,", ", Storm Refuge Rooms,", "of the International Building Code".
pub(super) fn skip_apposition(cursor: &mut Cursor<'_>) -> Option<()> {
    let start = cursor.at;
    for _ in 0..MAX_APPOSITION {
        let token = cursor.peek()?;
        if token.is_any(&["is", "are", "was", "were", "be", "shall", "has", "have"]) {
            while cursor.take(&[
                "is", "are", "was", "were", "be", "been", "shall", "has", "have", "hereby", "further",
                "also", "being",
            ]) {}
            return Some(());
        }
        // Without an opening word the subject would be another one than the phrase.
        let opens = token.is_any(&[",", "as", "of", "formerly", "titled", "entitled", "(", "–", "—", "-"])
            || token.kind == Kind::Quote;
        if (cursor.at == start && !opens) || token.is_any(&[".", ";", ":"]) {
            return None;
        }
        cursor.at += 1;
    }
    None
}

/// "by adding a new exception 3 to read as follows", joined by "and".
fn gerunds(cursor: &mut Cursor<'_>, subject: &[Phrase]) -> Option<Vec<Clause>> {
    cursor.take(&["by"]).then_some(())?;
    let mut found: Vec<Clause> = Vec::new();
    loop {
        let verbs = verbs(cursor, Form::Gerund)?;
        for clause in predicate(cursor, &verbs)? {
            for outer in subject {
                found.push(clause_within(clause.clone(), outer));
            }
        }
        let more = cursor.attempt(|cursor| {
            while cursor.joiner() || cursor.take(&[";"]) {}
            cursor.take(&["by"]);
            cursor.peek().filter(|token| verb(token, Form::Gerund).is_some()).map(|_| ())
        });
        if more.is_none() {
            return Some(found);
        }
    }
}

fn clause_within(mut clause: Clause, outer: &Phrase) -> Clause {
    clause.scope.extend(outer.scope.iter().cloned());
    if let (Target::Here(_), Some(target)) = (&clause.target, &outer.target) {
        clause.target = target.clone();
    }
    clause
}

fn build(verbs: &[Verb], objects: Vec<Phrase>, place: Option<Place>, tail: Tail) -> Vec<Clause> {
    let mut found = Vec::new();
    for object in objects {
        for verb in verbs {
            let target = match (&object.target, verb) {
                // "Add section as follows"
                (Some(Target::Here(label)), Verb::Add) if object.scope.is_empty() => {
                    Target::Following(*label)
                }
                (Some(Target::Following(label)), verb) if *verb != Verb::Add && *verb != Verb::Adopt => {
                    Target::Here(*label)
                }
                (Some(target), _) => target.clone(),
                (None, _) => Target::Here(None),
            };
            found.push(Clause {
                verb: *verb,
                target,
                scope: object.scope.clone(),
                place: place.clone(),
                renumbered: tail.renumbered.clone().filter(|_| *verb == Verb::Renumber),
                words: Vec::new(),
                quoted: tail.quoted.clone(),
            });
        }
    }
    found
}

/// "is deleted and the number is reserved" is one operation, and so is "delete … and replace it with".
fn merged(clauses: Vec<Clause>) -> Vec<Clause> {
    let mut found: Vec<Clause> = Vec::new();
    for clause in clauses {
        if let Some(last) = found.last_mut() {
            let same = (last.target == clause.target || matches!(clause.target, Target::Here(None)))
                && (clause.scope.is_empty() || clause.scope == last.scope);
            if same && last.verb == Verb::Delete && clause.verb == Verb::Reserve {
                continue;
            }
            if same && last.verb == Verb::Delete && clause.verb == Verb::Replace {
                last.verb = Verb::Replace;
                continue;
            }
        }
        found.push(clause);
    }
    found
}

/// What one paragraph says, when it is an instruction.
///
/// ```
/// # use codecite_core::amend::clauses;
/// let read = clauses("Revise the first sentence of Exception 3 of Section 2603.3 as follows:").unwrap();
/// assert_eq!(read[0].to_string(), "revise 2603.3: sentence 1 of exception 3");
/// assert!(clauses("Doors shall swing in the direction of egress travel.").is_none());
/// ```
pub fn clauses(text: &str) -> Option<Vec<Clause>> {
    let read = instruction(text)?;
    Some(read.clauses.into_iter().map(|clause| place_in(clause, None, read.context.as_ref())).collect())
}

/// Whether a line does nothing but name sections, as a heading of an amending document does.
pub(super) fn names_sections(line: &str) -> bool {
    let tokens = tokens(line);
    let mut cursor = Cursor { tokens: &tokens, at: 0 };
    let Some(phrases) = cursor.phrases() else { return false };
    cursor.peek().is_none()
        && phrases
            .iter()
            .all(|phrase| phrase.scope.is_empty() && matches!(phrase.target, Some(Target::Number(..))))
}
