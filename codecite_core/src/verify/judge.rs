//! The verdict on a claim, by what a look-up knows.

use super::citation::Citation;
use super::claims::Claim;
use super::exceptions::{missing_exceptions, missing_items};
use super::lookup::{Lookup, Standing, Text};
use super::quoted;
use super::scope::{Scope, scope};
use super::values::Values;
use crate::number::Number;

/// What is said of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Judgement {
    /// What is cited is there and in force as it stands.
    Found,
    /// The quotation stands in what is cited, word for word.
    QuoteExact,
    /// What is cited has nearly these words, not these.
    QuoteAltered,
    /// Nothing that is cited has these words or nearly these.
    QuoteAbsent,
    /// What is cited is there, and an amendment has changed it; the words quoted are those before the amendment.
    Amended,
    /// It stands only in an edition that is no longer in force.
    Superseded,
    /// An amendment has deleted it.
    Deleted,
    /// The code is indexed and has no such part.
    NotInCorpus,
    /// The code, standard or edition is not indexed.
    NotChecked,
}

impl Judgement {
    /// All of them.
    pub const ALL: [Judgement; 9] = [
        Judgement::Found,
        Judgement::QuoteExact,
        Judgement::QuoteAltered,
        Judgement::QuoteAbsent,
        Judgement::Amended,
        Judgement::Superseded,
        Judgement::Deleted,
        Judgement::NotInCorpus,
        Judgement::NotChecked,
    ];

    /// The name used in SQL.
    pub fn as_str(self) -> &'static str {
        match self {
            Judgement::Found => "found",
            Judgement::QuoteExact => "quote_exact",
            Judgement::QuoteAltered => "quote_altered",
            Judgement::QuoteAbsent => "quote_absent",
            Judgement::Amended => "amended",
            Judgement::Superseded => "superseded",
            Judgement::Deleted => "deleted",
            Judgement::NotInCorpus => "not_in_corpus",
            Judgement::NotChecked => "not_checked",
        }
    }
}

/// Something to know beside the verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// A stable name: `value_absent`, `page`, `exceptions`, `items`, `edition`, `work`, `elsewhere`, `several`, `brackets`,
    /// `no_citation`, `quote_in_doubt`.
    pub code: &'static str,
    /// What was seen.
    pub text: String,
}

impl Note {
    pub(super) fn new(code: &'static str, text: impl Into<String>) -> Note {
        Note { code, text: text.into() }
    }
}

/// What is said of a claim, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// The verdict.
    pub judgement: Judgement,
    /// The text that it is about, where there is one: what was found, or holds the nearest words.
    pub text: Option<Text>,
    /// For a quotation that is not exact: the true words that come nearest.
    pub nearest: Option<String>,
    /// From the true words to the draft's: `[-…-]` the draft leaves out, `{+…+}` it puts in.
    pub redline: Option<String>,
    /// What else there is to know.
    pub notes: Vec<Note>,
}

impl Verdict {
    pub(super) fn new(judgement: Judgement, text: Option<&Text>, notes: Vec<Note>) -> Verdict {
        Verdict { judgement, text: text.cloned(), nearest: None, redline: None, notes }
    }
}

/// Judges one claim. Whatever the look-up answers, a work that it does not know is never judged.
pub fn judge(claim: &Claim, lookup: &dyn Lookup) -> Verdict {
    match claim {
        Claim::Citation(citation) => judge_citation(citation, lookup),
        Claim::Quotation(quotation) => quoted::judge(quotation, lookup),
    }
}

fn judge_citation(citation: &Citation, lookup: &dyn Lookup) -> Verdict {
    let scope = match scope(citation, lookup.works()) {
        Ok(scope) => scope,
        Err(note) => return Verdict::new(Judgement::NotChecked, None, vec![note]),
    };
    let Some(number) = citation.number() else {
        return Verdict::new(Judgement::NotChecked, None, Vec::new());
    };
    let cited = Cited::of(number, &scope, lookup);
    let Some(best) = best(&cited.texts) else {
        let judgement = if scope.is_superseded { Judgement::Superseded } else { Judgement::NotInCorpus };
        let note = Note::new("work", format!("{number} is not in {}", scope.names()));
        return Verdict::new(judgement, None, vec![note]);
    };
    let mut notes = cited.notes.clone();
    notes.extend(notes_on(citation, &cited, &scope, lookup));
    let corpus: Vec<&Text> = cited.texts.iter().filter(|text| text.corpus == best.corpus).collect();
    if let Some((judgement, note)) = part_of(citation, &cited, &corpus) {
        notes.insert(0, note);
        return Verdict::new(judgement, Some(best), notes);
    }
    let judgement = match standing(&corpus) {
        _ if scope.is_superseded => Judgement::Superseded,
        Standing::InForce => Judgement::Found,
        Standing::Amended => Judgement::Amended,
        Standing::Superseded => Judgement::Superseded,
        Standing::Deleted => Judgement::Deleted,
    };
    Verdict::new(judgement, Some(best), notes)
}

/// What is wrong with the exception or item that a citation names.
fn part_of(citation: &Citation, cited: &Cited, texts: &[&Text]) -> Option<(Judgement, Note)> {
    let locator = citation.locator.as_deref()?;
    if let Some(missing) = missing_exceptions(locator, texts) {
        return Some(missing);
    }
    let is_below = cited.below.iter().any(|text| missing_items(locator, &[text]).is_none());
    missing_items(locator, texts).filter(|_| !is_below)
}

/// The texts that a number names.
pub(super) struct Cited {
    /// Those with this number.
    pub texts: Vec<Text>,
    /// Those below it, which are a part of what is cited.
    pub below: Vec<Text>,
    pub notes: Vec<Note>,
}

impl Cited {
    pub fn of(number: &Number, scope: &Scope<'_>, lookup: &dyn Lookup) -> Cited {
        let mut notes = Vec::new();
        for spelling in spellings(number) {
            let mut found = lookup.texts(&spelling);
            found.retain(|text| scope.admits(text));
            let key = spelling.key();
            let (mut texts, below): (Vec<Text>, Vec<Text>) =
                found.into_iter().partition(|text| text.number.as_ref().is_some_and(|n| n.key() == key));
            if texts.is_empty() {
                continue;
            }
            if spelling.label().is_none() && spelling.body() != number.body() {
                let mark = number.body().get(spelling.body().len()..).unwrap_or_default();
                let item = format!("Item {}", mark.trim_matches(['(', ')']).replace(")(", " "));
                texts.retain(|text| missing_items(&item, &[text]).is_none());
                if texts.is_empty() {
                    continue;
                }
                notes.push(Note::new("items", format!("{mark} is an item of {spelling}")));
            }
            return Cited { texts, below, notes };
        }
        Cited { texts: Vec::new(), below: Vec::new(), notes }
    }

    pub fn all(&self) -> impl Iterator<Item = &Text> {
        self.texts.iter().chain(&self.below)
    }
}

/// The ways in which a number may be kept: as written, as a chapter, without the label, without the marks of an item.
fn spellings(number: &Number) -> Vec<Number> {
    let mut found = vec![number.clone()];
    if number.label().is_none() && number.body().bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        let labels = ["Chapter", "Article", "Part"];
        found.extend(labels.into_iter().filter_map(|label| Number::labelled(label, number.body())));
    }
    if number.label() == Some("Article") {
        found.push(number.unlabelled());
    }
    if number.label().is_none() {
        let cuts = number.body().match_indices('(').map(|(at, _)| at).collect::<Vec<_>>();
        let stems = cuts.into_iter().rev().filter_map(|at| Number::parse(number.body().get(..at)?));
        found.extend(stems.take(1));
    }
    found
}

/// The text that is told about: in force rather than not, as the look-up ordered them.
pub(super) fn best(texts: &[Text]) -> Option<&Text> {
    texts.iter().min_by_key(|text| usize::from(text.standing == Standing::Superseded))
}

/// What holds of the texts of one corpus together: what amendments made of it, if it stands in an edition in force.
fn standing(texts: &[&Text]) -> Standing {
    let now = texts.iter().map(|text| text.standing).filter(|standing| *standing != Standing::Superseded);
    now.max().unwrap_or(Standing::Superseded)
}

/// What does not fit a citation without making it wrong.
fn notes_on(citation: &Citation, cited: &Cited, scope: &Scope<'_>, lookup: &dyn Lookup) -> Vec<Note> {
    let mut notes = Vec::new();
    if let Some(pages) = &citation.pages {
        let known: Vec<&(String, String)> =
            cited.texts.iter().filter_map(|text| text.pages.as_ref()).collect();
        if let Some((from, to)) =
            known.first().filter(|_| !known.iter().any(|known| super::pages::fit(pages, known)))
        {
            let place = if from == to { format!("p. {from}") } else { format!("pp. {from}–{to}") };
            notes.push(Note::new("page", format!("it stands on {place}, not on {pages}")));
        }
    }
    let mut corpora: Vec<&str> = cited.texts.iter().map(|text| text.corpus.as_str()).collect();
    corpora.dedup();
    corpora.sort_unstable();
    corpora.dedup();
    if corpora.len() > 1 {
        notes.push(Note::new("several", format!("the number stands in {}", corpora.join(", "))));
    }
    notes.extend(absent_values(citation, cited, scope, lookup));
    notes
}

fn absent_values(citation: &Citation, cited: &Cited, scope: &Scope<'_>, lookup: &dyn Lookup) -> Option<Note> {
    if citation.values.is_empty() {
        return None;
    }
    let said = |cited: &Cited| -> Vec<Values> {
        cited
            .all()
            .flat_map(|text| [Some(&text.body), text.amended.as_ref()])
            .flatten()
            .map(|body| Values::of(body))
            .collect()
    };
    let has = |known: &[Values], value| known.iter().any(|values| values.has(value));
    let own = said(cited);
    let mut absent: Vec<_> = citation.values.iter().filter(|value| !has(&own, value)).collect();
    for number in &citation.beside {
        if absent.is_empty() {
            break;
        }
        let other = said(&Cited::of(number, scope, lookup));
        absent.retain(|value| !has(&other, value));
    }
    let texts: Vec<&str> = absent.iter().map(|value| value.text.as_str()).collect();
    (!texts.is_empty())
        .then(|| Note::new("value_absent", format!("values not in the text: {}", texts.join(", "))))
}
