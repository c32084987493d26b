//! Changes of words: "strike “x” and insert “y”".

use super::grammar::{skip_apposition, verbs};
use super::lexicon::Form;
use super::operation::{Clause, Target, Verb, Words};
use super::phrase::{Cursor, Phrase};

/// `The words “x” in Section 5 are replaced by “y”`.
pub(super) fn quoted_subject(cursor: &mut Cursor<'_>) -> Option<Vec<Clause>> {
    while cursor.take(&["the", "word", "words", "phrase", "term", "text"]) {}
    let old = cursor.quote()?;
    let outer = containing(cursor);
    skip_apposition(cursor)?;
    let verbs = verbs(cursor, Form::Participle)?;
    let new = cursor.attempt(|cursor| {
        cursor.take(&["by", "with", "to"]).then_some(())?;
        cursor.take_all(&["read"]);
        while cursor.take(&["the", "words", "word", "phrase"]) {}
        cursor.quote()
    });
    let outer = outer.or_else(|| containing(cursor));
    let verb = *verbs.first()?;
    let words = match verb {
        Verb::Add => Words { old: None, new: Some(old), after: insertion_place(cursor), everywhere: false },
        _ => Words { old: Some(old), new, after: None, everywhere: everywhere(cursor) },
    };
    Some(vec![words_clause(words, outer)])
}

/// `strike “x” and insert “y”`, `replace “x” with “y”`, `insert “y” after “x”`, `substitute “y” for “x”`.
pub(super) fn words_change(cursor: &mut Cursor<'_>, verbs: &[Verb]) -> Option<Vec<Clause>> {
    let verb = *verbs.first()?;
    while cursor.take(&["the", "word", "words", "phrase", "term", "text", "number", "language"]) {}
    let quoted = cursor.quote()?;
    let mut outer = containing(cursor);
    let words = match verb {
        Verb::Add => {
            let after = insertion_place(cursor);
            Words { old: None, new: Some(quoted), after, everywhere: false }
        }
        Verb::Replace if cursor.take(&["for"]) => {
            while cursor.take(&["the", "word", "words", "phrase"]) {}
            Words {
                old: Some(cursor.quote()?),
                new: Some(quoted),
                after: None,
                everywhere: everywhere(cursor),
            }
        }
        _ => {
            let all = everywhere(cursor);
            let new = cursor.attempt(inserted);
            Words { old: Some(quoted), new, after: None, everywhere: all || everywhere(cursor) }
        }
    };
    outer = outer.or_else(|| containing(cursor));
    Some(vec![words_clause(words, outer)])
}

fn words_clause(words: Words, outer: Option<Phrase>) -> Clause {
    let outer = outer.unwrap_or(Phrase { scope: Vec::new(), target: None });
    Clause {
        verb: Verb::Revise,
        target: outer.target.unwrap_or(Target::Here(None)),
        scope: outer.scope,
        place: None,
        renumbered: None,
        words: vec![words],
        quoted: Vec::new(),
    }
}

/// "in the first sentence of Section 5"
fn containing(cursor: &mut Cursor<'_>) -> Option<Phrase> {
    cursor.attempt(|cursor| {
        cursor.take(&["in", "of", "from", "to", "at", "within"]).then_some(())?;
        cursor.phrases()?.into_iter().next()
    })
}

/// `and insert “y” in its place`, `and inserting in lieu thereof “y”`, `with “y”`, `to “y”`.
fn inserted(cursor: &mut Cursor<'_>) -> Option<String> {
    cursor.joiner();
    let joined = cursor.take(&["with", "by", "to"])
        || cursor.take(&[
            "insert",
            "inserting",
            "substitute",
            "substituting",
            "add",
            "adding",
            "replace",
            "replacing",
        ]);
    joined.then_some(())?;
    for _ in 0..8 {
        if let Some(quoted) = cursor.quote() {
            while cursor.take_all(&["in", "its", "place"])
                || cursor.take_all(&["in", "lieu", "thereof"])
                || cursor.take(&["instead", "thereof"])
            {}
            return Some(quoted);
        }
        let filler =
            ["in", "its", "place", "lieu", "thereof", "therefor", "instead", "read", "the", "word", "words"];
        cursor.take(&filler).then_some(())?;
    }
    None
}

/// `after “x”`, `after the word “x”`.
fn insertion_place(cursor: &mut Cursor<'_>) -> Option<String> {
    cursor.attempt(|cursor| {
        cursor.take(&["immediately"]);
        cursor.take(&["after", "following"]).then_some(())?;
        while cursor.take(&["the", "word", "words", "phrase"]) {}
        cursor.quote()
    })
}

fn everywhere(cursor: &mut Cursor<'_>) -> bool {
    if cursor.take(&["wherever", "throughout", "everywhere"])
        || cursor.take_all(&["each", "place"])
        || cursor.take_all(&["in", "each", "place"])
        || cursor.take_all(&["each", "time"])
    {
        while cursor.take(&["it", "they", "appears", "appear", "occurs", "occur", "that", "the", "section"]) {
        }
        return true;
    }
    false
}
