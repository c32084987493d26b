//! The verdict on a quotation.

use super::align::{Body, Nearest};
use super::citation::Citation;
use super::claims::Quotation;
use super::judge::{Cited, Judgement, Note, Verdict};
use super::lookup::{Lookup, Standing, Text};
use super::quote::Quote;
use super::scope::{Scope, scope};

/// From here on words count as altered, in what is cited and elsewhere.
const ALTERED: f64 = 0.5;
const ALTERED_ELSEWHERE: f64 = 0.6;

pub(super) fn judge(quotation: &Quotation, lookup: &dyn Lookup) -> Verdict {
    let quote = Quote::of(&quotation.text);
    let mut notes = Vec::new();
    if !quote.insertions.is_empty() {
        let text = format!("words in brackets are the draft's own: {}", quote.insertions.join(" "));
        notes.push(Note::new("brackets", text));
    }
    let mut verdict = judged(quotation, &quote, lookup);
    verdict.notes.extend(notes);
    verdict
}

fn judged(quotation: &Quotation, quote: &Quote<'_>, lookup: &dyn Lookup) -> Verdict {
    let mut unchecked = None;
    let mut missing = None;
    let mut best: Option<(Text, Nearest)> = None;
    let mut scopes = Vec::new();
    let mut seen: Vec<Text> = Vec::new();
    for (at, citation) in quotation.citations.iter().enumerate() {
        let scope = match scope(citation, lookup.works()) {
            Ok(scope) => scope,
            // What the quotation is said to be of cannot be checked; other citations of the sentence can.
            Err(note) => {
                unchecked = unchecked.or((at == 0).then_some(note));
                continue;
            }
        };
        let Some(number) = citation.number() else {
            scopes.push(scope);
            continue;
        };
        let cited = Cited::of(number, &scope, lookup);
        if cited.texts.is_empty() {
            missing = missing.or(Some(Note::new("work", format!("{number} is not in {}", scope.names()))));
        }
        if let Some(mut verdict) = stands_in(&cited, quote, &scope) {
            if at > 0 {
                let first = quotation.citations.first().and_then(Citation::number);
                let other = first.map_or(String::new(), |first| format!(", not in {first}"));
                verdict.notes.push(Note::new("elsewhere", format!("the words stand in {number}{other}")));
            }
            return verdict;
        }
        for text in cited.texts.into_iter().chain(cited.below) {
            keep_nearer(&mut best, &text, quote);
            seen.push(text);
        }
        scopes.push(scope);
    }
    if let Some(note) = unchecked {
        return Verdict::new(Judgement::NotChecked, None, vec![note]);
    }
    if let Some((text, nearest)) = best.take().filter(|(_, nearest)| nearest.similarity >= ALTERED) {
        return altered(&text, nearest, Vec::new());
    }
    let has_number = quotation.citations.iter().any(|citation| citation.number().is_some());
    let mut verdict = searched(quotation, quote, &scopes, (has_number, &seen), lookup);
    verdict.notes.extend(missing);
    verdict
}

/// The verdict where all words stand in what is cited: in force, as amended, or no more.
fn stands_in(cited: &Cited, quote: &Quote<'_>, scope: &Scope<'_>) -> Option<Verdict> {
    let mut old = None;
    for text in cited.all() {
        match stands(text, quote, scope) {
            Some(verdict) if verdict.judgement == Judgement::QuoteExact => return Some(verdict),
            other => old = old.or(other),
        }
    }
    // A quotation of a whole section may run on into the parts below it.
    let is_one = cited.below.is_empty() || old.is_some();
    old.or_else(|| if is_one { None } else { runs_on(cited, quote) })
}

fn runs_on(cited: &Cited, quote: &Quote<'_>) -> Option<Verdict> {
    for text in &cited.texts {
        let same = |other: &&Text| {
            other.corpus == text.corpus && other.layer == text.layer && other.edition == text.edition
        };
        let is_now = |other: &Text| matches!(other.standing, Standing::InForce);
        let parts: Vec<&Text> = std::iter::once(text).chain(cited.below.iter().filter(same)).collect();
        let whole: Vec<&str> = parts.iter().map(|part| part.body.as_str()).collect();
        if Body::of(&whole.join("\n")).find(quote).is_some() {
            let judgement = match parts.iter().find(|part| !is_now(part)) {
                None => Judgement::QuoteExact,
                Some(part) => no_more(part.standing),
            };
            return Some(Verdict::new(judgement, Some(text), Vec::new()));
        }
    }
    None
}

/// The verdict on words that stand in a text, by what holds of it.
fn stands(text: &Text, quote: &Quote<'_>, scope: &Scope<'_>) -> Option<Verdict> {
    let amended = text.amended.as_deref().map(Body::of);
    if amended.as_ref().is_some_and(|amended| amended.find(quote).is_some()) && !scope.is_superseded {
        return Some(Verdict::new(Judgement::QuoteExact, Some(text), Vec::new()));
    }
    Body::of(&text.body).find(quote)?;
    let judgement = match text.standing {
        _ if scope.is_superseded => Judgement::Superseded,
        Standing::InForce => Judgement::QuoteExact,
        standing => no_more(standing),
    };
    let mut verdict = Verdict::new(judgement, Some(text), Vec::new());
    if let Some(nearest) = amended.filter(|_| judgement == Judgement::Amended).and_then(|a| a.nearest(quote))
    {
        (verdict.nearest, verdict.redline) = (Some(nearest.text), Some(nearest.redline));
    }
    Some(verdict)
}

fn no_more(standing: Standing) -> Judgement {
    match standing {
        Standing::InForce => Judgement::QuoteExact,
        Standing::Amended => Judgement::Amended,
        Standing::Deleted => Judgement::Deleted,
        Standing::Superseded => Judgement::Superseded,
    }
}

/// The verdict by texts that a search finds, where nothing cited holds the words.
fn searched(
    quotation: &Quotation,
    quote: &Quote<'_>,
    scopes: &[Scope<'_>],
    (has_number, seen): (bool, &[Text]),
    lookup: &dyn Lookup,
) -> Verdict {
    let everything = Citation::nothing(quotation.span);
    let all = scope(&everything, lookup.works());
    let Ok(all) = all else {
        return Verdict::new(Judgement::NotChecked, None, all.err().into_iter().collect());
    };
    let admits = |text: &Text| scopes.is_empty() || scopes.iter().any(|scope| scope.admits(text));
    // What is cited has been looked at.
    let is_new = |text: &Text| !seen.contains(text);
    let found = lookup.similar(&quotation.text).into_iter();
    let found: Vec<Text> = found.filter(|text| admits(text) && is_new(text)).collect();
    let scope = scopes.first().unwrap_or(&all);
    let mut old = None;
    for text in &found {
        let Some(mut verdict) = stands(text, quote, scope) else { continue };
        if has_number {
            // The words are true and the citation is not theirs.
            let note = Note::new("elsewhere", format!("the words stand in {}", named(text)));
            return Verdict::new(Judgement::QuoteAbsent, Some(text), vec![note]);
        }
        if quotation.citations.is_empty() {
            let note = format!("no citation stands beside it; the words stand in {}", named(text));
            verdict.notes.push(Note::new("no_citation", note));
        }
        if verdict.judgement == Judgement::QuoteExact {
            return verdict;
        }
        old = old.or(Some(verdict));
    }
    if let Some(verdict) = old {
        return verdict;
    }
    let mut best = None;
    for text in &found {
        keep_nearer(&mut best, text, quote);
    }
    let mut notes = Vec::new();
    if quotation.citations.is_empty() {
        notes.push(Note::new("no_citation", "no citation stands beside it"));
    }
    match best.filter(|(_, nearest): &(Text, Nearest)| nearest.similarity >= ALTERED_ELSEWHERE) {
        Some((text, nearest)) => {
            if has_number {
                notes.push(Note::new("elsewhere", format!("the nearest words stand in {}", named(&text))));
            }
            altered(&text, nearest, notes)
        }
        None => Verdict::new(Judgement::QuoteAbsent, None, notes),
    }
}

fn altered(text: &Text, nearest: Nearest, notes: Vec<Note>) -> Verdict {
    let verdict = Verdict::new(Judgement::QuoteAltered, Some(text), notes);
    Verdict { nearest: Some(nearest.text), redline: Some(nearest.redline), ..verdict }
}

/// Keeps the text whose words come nearest, as amended where they are.
fn keep_nearer(best: &mut Option<(Text, Nearest)>, text: &Text, quote: &Quote<'_>) {
    let bodies = [
        text.amended.as_deref(),
        Some(text.body.as_str()).filter(|_| text.standing != Standing::Amended || text.amended.is_none()),
    ];
    for body in bodies.into_iter().flatten() {
        let Some(nearest) = Body::of(body).nearest(quote) else { continue };
        if best.as_ref().is_none_or(|(_, known)| nearest.similarity > known.similarity) {
            *best = Some((text.clone(), nearest));
        }
    }
}

fn named(text: &Text) -> String {
    match (&text.number, text.citation.as_str()) {
        (_, citation) if !citation.is_empty() => citation.to_owned(),
        (Some(number), _) => number.to_string(),
        (None, _) => text.corpus.clone(),
    }
}
