//! What stands behind the objects of a verb: new numbers, places, "to read as follows".

use super::operation::{Place, Scope, Target, Verb, Which};
use super::phrase::Cursor;

/// "as follows", "to read as follows": whether one was there.
pub(super) fn read_follows(cursor: &mut Cursor<'_>) -> bool {
    let start = cursor.at;
    while cursor.take_all(&["to", "read"]) || cursor.take_all(&["as", "follows"]) || cursor.take(&[":"]) {}
    cursor.at > start
}

/// "with the following": the text that follows.
pub(super) fn with_following(cursor: &mut Cursor<'_>) -> bool {
    let found = cursor.attempt(|cursor| {
        cursor.take(&["with", "by"]).then_some(())?;
        if cursor.peek().is_none() {
            return Some(());
        }
        let phrases = cursor.phrases()?;
        phrases.iter().all(|phrase| !matches!(phrase.target, Some(Target::Here(_)))).then_some(())
    });
    found.is_some()
}

/// What stands behind the objects of a verb.
#[derive(Default)]
pub(super) struct Tail {
    pub place: Option<Place>,
    pub renumbered: Option<String>,
    pub quoted: Vec<String>,
}

impl Tail {
    pub fn read(&mut self, cursor: &mut Cursor<'_>, verbs: &[Verb]) {
        loop {
            let start = cursor.at;
            if verbs.contains(&Verb::Renumber) && self.renumbered.is_none() {
                self.renumbered = cursor.attempt(new_number);
            }
            if let Some(place) = cursor.attempt(place) {
                self.place = Some(place);
            }
            while cursor.take_all(&["in", "its", "entirety"])
                || cursor.take_all(&["in", "their", "entirety"])
                || cursor.take_all(&["without", "substitution"])
                || cursor.take_all(&["in", "alphabetical", "order"])
                || cursor.take_all(&["in", "numerical", "order"])
                || cursor.take(&["hereby"])
            {}
            let reads = cursor.take_all(&["to", "read"]);
            if let Some(quoted) = cursor.attempt(|cursor| if reads { cursor.quote() } else { None }) {
                self.quoted.push(quoted);
                while let Some(more) =
                    cursor.attempt(|cursor| cursor.joiner().then(|| cursor.quote()).flatten())
                {
                    self.quoted.push(more);
                }
            }
            read_follows(cursor);
            with_following(cursor);
            if cursor.at == start {
                return;
            }
        }
    }
}

/// "as Section 1011.8", "to 1015.9", "as exception 1".
fn new_number(cursor: &mut Cursor<'_>) -> Option<String> {
    cursor.take(&["as", "to"]).then_some(())?;
    cursor.take(&["be"]);
    let phrase = cursor.single()?;
    match (&phrase.target, phrase.scope.first()) {
        (_, Some(Scope { which: Which::Named(name), .. })) => Some(name.clone()),
        (Some(Target::Number(number, _)), None) => Some(number.to_string()),
        _ => None,
    }
}

/// "at the end of the first paragraph", "after Exception 2", "between items 3 and 4".
pub(super) fn place(cursor: &mut Cursor<'_>) -> Option<Place> {
    let inner = |cursor: &mut Cursor<'_>| -> Option<Vec<Scope>> {
        cursor.attempt(|cursor| {
            cursor.take(&["of", "to"]).then_some(())?;
            Some(cursor.phrases()?.into_iter().next()?.scope)
        })
    };
    let ended = cursor.attempt(|cursor| {
        cursor.take(&["at", "to"]).then_some(())?;
        cursor.take(&["the"]);
        let end = cursor.peek()?.is("end");
        cursor.take(&["end", "beginning", "start"]).then_some(end)
    });
    if let Some(end) = ended {
        let scope = inner(cursor).unwrap_or_default();
        return Some(match (end, scope.is_empty()) {
            (true, true) => Place::End,
            (true, false) => Place::After(scope),
            (false, true) => Place::Start,
            (false, false) => Place::Before(scope),
        });
    }
    cursor.take(&["immediately", "directly"]);
    let word = cursor.peek()?;
    if !word.is_any(&["after", "following", "before", "preceding", "between"]) {
        return None;
    }
    cursor.at += 1;
    let mut phrases = cursor.phrases()?;
    // "after paragraph 2 and before Section 5" and the like name a place, not something to change.
    let first = if phrases.is_empty() { return None } else { phrases.swap_remove(0) };
    let scope = if first.scope.is_empty() { Vec::new() } else { first.scope };
    if scope.is_empty() && first.target.is_none() {
        return None;
    }
    Some(if word.is_any(&["before", "preceding"]) { Place::Before(scope) } else { Place::After(scope) })
}
