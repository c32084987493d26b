//! Amendments as a caller sees them: every operation with its status, and sections as amended.

mod rows;

use std::collections::HashMap;

use codecite_core::amend::{Consolidated, Outcome, Standing, Step, Verb, consolidate, redline, same_words};
use codecite_core::citation::{Cited, cite};
use codecite_core::number::Number;
use codecite_core::passage::safe;
use pgrx::datum::Date;
use pgrx::prelude::*;

use self::rows::{ABOVE, Address, Base, Stored, bases, operations};
use crate::errors::spi;

/// All that is done to one number, in the order of the stack.
fn on_number(key: &str, base: Option<&Base>, operations: &[&Stored]) -> Consolidated {
    let number = base.map_or_else(
        || operations.iter().find(|o| o.target_key == key).map(|o| o.target.clone()).unwrap_or_default(),
        |base| base.number.clone(),
    );
    let steps: Vec<Result<Step<'_>, &'static str>> = operations.iter().map(|stored| stored.step()).collect();
    consolidate(
        base.map(|base| base.body.as_str()),
        &number,
        base.and_then(|base| base.title.as_deref()),
        &steps,
    )
}

fn named(corpus: Option<&str>) -> Option<Vec<String>> {
    corpus.map(|corpus| vec![corpus.to_owned()])
}

#[pg_extern(schema = "codecite", stable, parallel_restricted, cost = 1000)]
#[allow(clippy::type_complexity)]
fn amendments(
    corpus: default!(Option<&str>, "NULL"),
    number: default!(Option<&str>, "NULL"),
    as_of: default!(Option<Date>, "NULL"),
) -> TableIterator<
    'static,
    (
        name!(corpus, String),
        name!(layer, String),
        name!(document, String),
        name!(edition, Option<String>),
        name!(operation, String),
        name!(target, String),
        name!(through, Option<String>),
        name!(scope, Option<String>),
        name!(renumbered, Option<String>),
        name!(status, &'static str),
        name!(reason, Option<String>),
        name!(instruction, String),
        name!(new_text, Option<String>),
        name!(citation, String),
    ),
> {
    let corpora = named(corpus);
    let keys =
        number.map(|number| vec![Number::parse(number).map_or_else(String::new, |number| number.key())]);
    let found = operations(corpora.as_deref(), as_of, keys.as_deref());
    let mut on: HashMap<Address, Vec<usize>> = HashMap::new();
    for (index, stored) in found.iter().enumerate() {
        on.entry((stored.corpus.clone(), stored.target_key.clone())).or_default().push(index);
    }
    let targets: Vec<String> = found.iter().map(|stored| stored.target_key.clone()).collect();
    let bases = bases(corpora.as_deref(), as_of, &targets);
    let mut outcomes: Vec<Outcome> = vec![Outcome::Applied; found.len()];
    for (address, indexes) in &on {
        let group: Vec<&Stored> = indexes.iter().filter_map(|index| found.get(*index)).collect();
        let result = on_number(&address.1, bases.get(address), &group);
        for (index, outcome) in indexes.iter().zip(result.outcomes) {
            if let Some(place) = outcomes.get_mut(*index) {
                *place = outcome;
            }
        }
    }
    let rows: Vec<_> = found
        .into_iter()
        .zip(outcomes)
        .map(|(stored, outcome)| {
            (
                stored.corpus.clone(),
                stored.layer.clone(),
                stored.document.clone(),
                stored.edition.clone(),
                stored.verb.clone(),
                stored.target.clone(),
                stored.through.clone(),
                stored.scope.clone(),
                stored.renumbered.clone(),
                outcome.as_str(),
                stored.reason(outcome),
                safe(&stored.instruction),
                stored.new_text.as_deref().map(safe),
                safe(&stored.citation()),
            )
        })
        .collect();
    TableIterator::new(rows)
}

/// One number as amended.
struct Amended {
    corpus: String,
    number: String,
    title: Option<String>,
    status: &'static str,
    text: Option<String>,
    redline: Option<String>,
    amended_by: Vec<String>,
    unapplied: Vec<String>,
    note: Option<String>,
    citation: Option<String>,
}

#[pg_extern(schema = "codecite", stable, parallel_restricted, cost = 1000)]
#[allow(clippy::type_complexity)]
fn amended(
    number: Option<&str>,
    corpus: default!(Option<&str>, "NULL"),
    as_of: default!(Option<Date>, "NULL"),
) -> TableIterator<
    'static,
    (
        name!(corpus, Option<String>),
        name!(number, String),
        name!(title, Option<String>),
        name!(status, String),
        name!(text, Option<String>),
        name!(redline, Option<String>),
        name!(amended_by, Vec<String>),
        name!(unapplied, Vec<String>),
        name!(note, Option<String>),
        name!(citation, Option<String>),
    ),
> {
    let asked = crate::ingest::required("number", number);
    let corpora = named(corpus);
    let Some(number) = Number::parse(asked) else {
        let note = Some("this is no number of a section".to_owned());
        return TableIterator::once(nothing(corpus, asked.to_owned(), "not_in_corpus", note));
    };
    let found = of_number(&number, corpora.as_deref(), as_of);
    if found.is_empty() {
        let any = Spi::connect(|client| {
            let args = [corpora.clone().into(), as_of.into()];
            !spi(client.select(
                "SELECT FROM codecite.documents_in_force($1, NULL, $2) LIMIT 1",
                Some(1),
                &args,
            ))
            .is_empty()
        });
        let status = if any { "not_in_corpus" } else { "not_indexed" };
        return TableIterator::once(nothing(corpus, number.to_string(), status, None));
    }
    TableIterator::new(found.into_iter().map(|a| {
        (
            Some(a.corpus),
            a.number,
            a.title.as_deref().map(safe),
            a.status.to_owned(),
            a.text.as_deref().map(safe),
            a.redline.as_deref().map(safe),
            a.amended_by,
            a.unapplied,
            a.note,
            a.citation.as_deref().map(safe),
        )
    }))
}

type AmendedRow = (
    Option<String>,
    String,
    Option<String>,
    String,
    Option<String>,
    Option<String>,
    Vec<String>,
    Vec<String>,
    Option<String>,
    Option<String>,
);

fn nothing(corpus: Option<&str>, number: String, status: &str, note: Option<String>) -> AmendedRow {
    (
        corpus.map(str::to_owned),
        number,
        None,
        status.to_owned(),
        None,
        None,
        Vec::new(),
        Vec::new(),
        note,
        None,
    )
}

/// What becomes of a number of a corpus, and its text as amended; `None` where nothing amends it.
pub(crate) fn standing_of(
    number: &Number,
    corpus: &str,
    as_of: Option<Date>,
) -> Option<(&'static str, Option<String>)> {
    let corpora = [corpus.to_owned()];
    let found = of_number(number, Some(&corpora), as_of).into_iter().next()?;
    (found.status != "unchanged").then_some((found.status, found.text))
}

/// A number in each corpus that has it, or that says something about it.
fn of_number(number: &Number, corpora: Option<&[String]>, as_of: Option<Date>) -> Vec<Amended> {
    let key = number.key();
    let above: Vec<String> = Spi::connect(|client| {
        let args = [corpora.map(<[String]>::to_vec).into(), as_of.into(), key.as_str().into()];
        spi(client.select(ABOVE, None, &args)).filter_map(|row| spi(row.get(1))).collect()
    });
    let mut keys = vec![key.clone()];
    keys.extend(above);
    let mut stored = operations(corpora, as_of, Some(&keys));
    // What was moved here, with all that is done to it under its old number.
    let sources: Vec<String> = stored
        .iter()
        .filter(|s| s.renumbered_key.as_deref() == Some(&key))
        .map(|s| s.target_key.clone())
        .filter(|source| !keys.contains(source))
        .collect();
    if !sources.is_empty() {
        keys.extend(sources);
        stored = operations(corpora, as_of, Some(&keys));
    }
    let bases = bases(corpora, as_of, &keys);
    let mut names: Vec<String> = stored.iter().map(|s| s.corpus.clone()).collect();
    names.extend(bases.keys().map(|(corpus, _)| corpus.clone()));
    names.sort();
    names.dedup();
    names.into_iter().filter_map(|corpus| in_corpus(&corpus, number, &keys, &stored, &bases)).collect()
}

fn in_corpus(
    corpus: &str,
    number: &Number,
    keys: &[String],
    stored: &[Stored],
    bases: &HashMap<Address, Base>,
) -> Option<Amended> {
    let key = number.key();
    let base = bases.get(&(corpus.to_owned(), key.clone()));
    let here: Vec<&Stored> = stored.iter().filter(|s| s.corpus == corpus).collect();
    // A container that is deleted or replaced takes its sections along, unless they are added anew after it.
    let mut on: Vec<&Stored> = Vec::new();
    let mut arrived: Option<(String, &Stored)> = None;
    for s in &here {
        let takes_along = matches!(s.verb.as_str(), "delete" | "replace" | "reserve")
            && keys.contains(&s.target_key)
            && s.is_whole()
            && s.renumbered_key.is_none();
        if s.is_on(&key) || takes_along {
            on.push(s);
        } else if s.renumbered_key.as_deref() == Some(&key) && s.unclear.is_none() {
            arrived = moved_text(s, &here, bases, number).map(|text| (text, *s));
            on.clear();
        }
    }
    if base.is_none() && on.is_empty() && arrived.is_none() {
        return None;
    }
    let steps: Vec<Result<Step<'_>, &'static str>> = on.iter().map(|s| below_container(s, &key)).collect();
    let start = arrived.as_ref().map(|(text, _)| text.as_str()).or(base.map(|base| base.body.as_str()));
    let title =
        base.and_then(|base| base.title.clone()).or_else(|| on.iter().find_map(|s| s.section_title.clone()));
    let result = consolidate(start, &number.to_string(), title.as_deref(), &steps);
    let mut amended_by: Vec<String> = base.and_then(|base| base.added_by.clone()).into_iter().collect();
    let mut unapplied = Vec::new();
    if let Some((_, by)) = &arrived {
        amended_by.push(by.title.clone());
    }
    for (s, outcome) in on.iter().zip(&result.outcomes) {
        match s.reason(*outcome) {
            None if !amended_by.contains(&s.title) => amended_by.push(s.title.clone()),
            None => {}
            Some(reason) => unapplied.push(format!("{}: {reason}", s.citation())),
        }
    }
    let in_base = base.is_some_and(|base| base.added_by.is_none());
    let (mut status, text, note) = standing(&result.standing, in_base, &arrived, &amended_by, &unapplied);
    if status == "amended" && arrived.is_none() && on.iter().all(|s| s.verb == "adopt") {
        status = "adopted";
    }
    let change = match (base, &text) {
        (Some(base), Some(text)) if !same_words(&base.body, text) => Some(redline(&base.body, text)),
        _ => None,
    };
    let citation = base.map(|base| {
        let cited = cite(&Cited {
            corpus: base.added_by.as_ref().unwrap_or(&base.corpus_title),
            edition: base.edition.as_deref(),
            number: Some(&base.number),
            title: base.title.as_deref(),
            locator: None,
            page_from: base.page_from.as_deref(),
            page_to: base.page_to.as_deref(),
        });
        let others: Vec<&str> = amended_by
            .iter()
            .filter(|title| base.added_by.as_ref() != Some(*title))
            .map(String::as_str)
            .collect();
        if others.is_empty() { cited } else { format!("{cited}, amended by {}", others.join(", ")) }
    });
    let citation = citation.or_else(|| on.last().map(|s| s.citation()));
    Some(Amended {
        corpus: corpus.to_owned(),
        number: number.to_string(),
        title,
        status,
        text,
        redline: change,
        amended_by,
        unapplied,
        note,
        citation,
    })
}

/// What is done to a container is done to the sections in it: they go with it.
fn below_container<'s>(stored: &'s Stored, key: &str) -> Result<Step<'s>, &'static str> {
    let mut step = stored.step()?;
    if !stored.is_on(key) {
        step.verb = Verb::Delete;
        step.new = None;
    }
    Ok(step)
}

/// The text that a renumbering brings, under its new number.
fn moved_text(by: &Stored, here: &[&Stored], bases: &HashMap<Address, Base>, to: &Number) -> Option<String> {
    let base = bases.get(&(by.corpus.clone(), by.target_key.clone()))?;
    let before: Vec<&Stored> = here
        .iter()
        .take_while(|s| !std::ptr::eq(**s, by))
        .filter(|s| s.is_on(&by.target_key))
        .copied()
        .collect();
    match on_number(&by.target_key, Some(base), &before).standing {
        Standing::Text(text) => Some(text.replacen(&base.number, &to.to_string(), 1)),
        _ => None,
    }
}

/// Status, text and note of a standing.
fn standing(
    found: &Standing,
    in_base: bool,
    arrived: &Option<(String, &Stored)>,
    amended_by: &[String],
    unapplied: &[String],
) -> (&'static str, Option<String>, Option<String>) {
    match found {
        Standing::Text(text) => {
            let status = match (in_base, amended_by.is_empty(), unapplied.is_empty()) {
                (_, _, false) => "unclear",
                (true, true, true) => "unchanged",
                (false, _, true) if arrived.is_none() => "added",
                _ => "amended",
            };
            let note = (status == "unclear")
                .then(|| "not every amendment could be applied: read them beside this text".to_owned());
            (
                status,
                Some(text.clone()),
                note.or_else(|| arrived.as_ref().map(|(_, by)| format!("formerly {}", by.target))),
            )
        }
        Standing::Deleted => ("deleted", None, None),
        Standing::Reserved => ("reserved", None, None),
        Standing::Renumbered(to) => ("renumbered", None, Some(format!("now {to}"))),
        Standing::Missing if unapplied.is_empty() => {
            ("added", None, Some("its text is in the sections below it".to_owned()))
        }
        Standing::Missing => ("unclear", None, Some("the section that is amended is not indexed".to_owned())),
    }
}
