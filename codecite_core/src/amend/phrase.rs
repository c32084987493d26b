//! Noun phrases of instructions: "the first sentence of Exception 3 of Section 2603.3", "Items 2 and 4", "this section".

use super::lexicon::{Noun, noun, ordinal};
use super::operation::{Scope, Target, Unit, Which};
use super::token::{Kind, Token};
use crate::number::Number;

/// How deep phrases contain phrases.
const MAX_DEPTH: usize = 6;
/// The longest range of items that is written out.
const MAX_RANGE: usize = 60;

/// One thing that an instruction names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Phrase {
    /// The part, the innermost first; empty for a whole section.
    pub scope: Vec<Scope>,
    /// The section; `None` when the phrase does not say.
    pub target: Option<Target>,
}

impl Phrase {
    fn unit(unit: Unit, which: Which) -> Self {
        Self { scope: vec![Scope { unit, which }], target: None }
    }

    fn target(target: Target) -> Self {
        Self { scope: Vec::new(), target: Some(target) }
    }

    fn within(&self, outer: &Phrase) -> Phrase {
        let mut scope = self.scope.clone();
        scope.extend(outer.scope.iter().cloned());
        Phrase { scope, target: self.target.clone().or_else(|| outer.target.clone()) }
    }
}

/// Reads tokens from left to right; what does not fit leaves the place as it was.
pub(super) struct Cursor<'t> {
    pub tokens: &'t [Token<'t>],
    pub at: usize,
}

impl<'t> Cursor<'t> {
    pub fn peek(&self) -> Option<&'t Token<'t>> {
        self.tokens.get(self.at)
    }

    pub fn ahead(&self, by: usize) -> Option<&'t Token<'t>> {
        self.tokens.get(self.at + by)
    }

    /// Takes the next token when it is one of these words.
    pub fn take(&mut self, words: &[&str]) -> bool {
        let fits = self.peek().is_some_and(|token| token.is_any(words));
        self.at += usize::from(fits);
        fits
    }

    /// Takes a sequence of words, all or none.
    pub fn take_all(&mut self, words: &[&str]) -> bool {
        let fits =
            words.iter().enumerate().all(|(i, word)| self.ahead(i).is_some_and(|token| token.is(word)));
        if fits {
            self.at += words.len();
        }
        fits
    }

    /// The next token's text when it is a quotation.
    pub fn quote(&mut self) -> Option<String> {
        let token = self.peek().filter(|token| token.kind == Kind::Quote)?;
        self.at += 1;
        Some(token.text.trim().to_owned())
    }

    /// Tries `read`; where it finds nothing, nothing is taken.
    pub fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let start = self.at;
        let found = read(self);
        if found.is_none() {
            self.at = start;
        }
        found
    }

    /// "and", "or", a comma.
    pub fn joiner(&mut self) -> bool {
        let start = self.at;
        self.take(&[","]);
        self.take(&["and", "or", "&", "and/or"]);
        self.at > start
    }

    /// One phrase alone, the first of its numbers.
    pub fn single(&mut self) -> Option<Phrase> {
        self.attempt(Self::one)?.into_iter().next()
    }

    /// A list of phrases with what contains them.
    pub fn phrases(&mut self) -> Option<Vec<Phrase>> {
        self.phrases_below(0)
    }

    fn phrases_below(&mut self, depth: usize) -> Option<Vec<Phrase>> {
        if depth > MAX_DEPTH {
            return None;
        }
        let mut list = self.attempt(Self::one)?;
        loop {
            let start = self.at;
            let comma = self.peek().is_some_and(|token| token.is(","));
            let joined = self.joiner();
            let last_is_section = list.last().is_some_and(|phrase| phrase.scope.is_empty());
            // "In Table 1004.5, the entry …": another phrase.
            if last_is_section
                && comma
                && self.at == start + 1
                && self.peek().is_some_and(|t| t.is_any(&["the", "a", "an"]))
            {
                self.at = start;
                break;
            }
            let Some(more) = self.attempt(Self::one) else {
                self.at = start;
                break;
            };
            let parts = more.iter().all(|phrase| phrase.target.is_none());
            // "Section 1004.5, Exception 2": the part after the section that it is a part of.
            let plain = joined && comma && self.at == start + 2;
            if last_is_section && parts && (!joined || plain || (comma && self.only_comma_between(start))) {
                if let Some(section) = list.pop() {
                    list.extend(more.iter().map(|phrase| phrase.within(&section)));
                }
            } else if joined {
                list.extend(more);
            } else {
                self.at = start;
                break;
            }
        }
        let outer = self.attempt(|cursor| {
            (cursor.take(&["of", "in", "to", "under", "from", "for", "within", "at", "on"])).then_some(())?;
            cursor.phrases_below(depth + 1)
        });
        let Some(outer) = outer else { return Some(list) };
        let contained = list.iter().flat_map(|inner| outer.iter().map(|outer| inner.within(outer))).collect();
        Some(contained)
    }

    fn only_comma_between(&self, start: usize) -> bool {
        self.tokens.get(start + 1).is_some_and(|token| !token.is_any(&["and", "or", "&"]))
    }

    /// One noun with what identifies it; a list of numbers makes a phrase each.
    fn one(&mut self) -> Option<Vec<Phrase>> {
        let (mut fresh, mut this, mut following) = (false, false, false);
        let first = self.at;
        while let Some(token) = self.peek() {
            match token.lower.as_str() {
                "a" | "an" | "new" | "another" | "additional" => fresh = true,
                "this" | "these" | "said" | "such" => this = true,
                "the" | "entire" | "existing" | "all" | "both" | "whole" => {}
                "two" | "three" | "four" | "five" | "six" | "seven" | "eight" | "nine" | "ten" => {}
                "following" => following = true,
                _ => break,
            }
            if token.kind == Kind::Quote {
                break;
            }
            self.at += 1;
        }
        let place = self.peek().filter(|token| token.kind != Kind::Quote).and_then(ordinal);
        self.at += usize::from(place.is_some());
        // "the first two sentences" is not understood: better nothing than the wrong part.
        let Some((noun, plural)) = self.peek().and_then(noun) else {
            if following && place.is_none() {
                return Some(vec![Phrase::unit(Unit::Text, Which::New)]);
            }
            return (!fresh && !this && place.is_none()).then(|| self.bare_numbers()).flatten();
        };
        let is_loose = plural && self.at == first;
        self.at += 1;
        self.take(&["("]);
        let fresh = fresh || following;
        match noun {
            Noun::Numbered(label) => {
                let numbers = self.numbers(label);
                if !numbers.is_empty() {
                    return Some(
                        numbers.into_iter().map(|(n, t)| Phrase::target(Target::Number(n, t))).collect(),
                    );
                }
                // "Adopt rules." is no part of this code; "Add sections as follows:" is.
                if is_loose && !self.peek().is_some_and(|next| next.is_any(&["as", ":", "to", "in", "that"]))
                {
                    return None;
                }
                let target = if fresh { Target::Following(label) } else { Target::Here(label) };
                // "Add section as follows": the verb decides what a bare noun means.
                Some(vec![Phrase::target(target)])
            }
            Noun::Unit(unit) => {
                let mut names = self.names(unit);
                if names.is_empty() {
                    names.push(match place {
                        Some(place) => place,
                        None if fresh => Which::New,
                        None if plural => Which::All,
                        None => Which::Only,
                    });
                }
                Some(names.into_iter().map(|which| Phrase::unit(unit, which)).collect())
            }
        }
    }

    /// Numbers that are recognisably those of sections, without the word.
    fn bare_numbers(&mut self) -> Option<Vec<Phrase>> {
        let token = self.peek().filter(|token| token.kind == Kind::Number)?;
        let dotted = token.text.contains(['.', ':']) || token.text.matches('-').count() >= 1;
        if !dotted || token.text.starts_with('(') {
            return None;
        }
        let numbers = self.numbers(None);
        (!numbers.is_empty())
            .then(|| numbers.into_iter().map(|(n, t)| Phrase::target(Target::Number(n, t))).collect())
    }

    /// The numbers after a noun: "1004.5", "405.1 through 405.2", "1, 2 and 4".
    fn numbers(&mut self, label: Option<&'static str>) -> Vec<(Number, Option<Number>)> {
        let mut found: Vec<(Number, Option<Number>)> = Vec::new();
        self.take(&["no", "no.", "number", "numbers", "#", "§"]);
        while self.take(&["§"]) || self.take(&["."]) {}
        while let Some(number) = self.number(label) {
            let through = self.attempt(|cursor| {
                cursor.take(&["through", "thru", "to", "–", "—"]).then_some(())?;
                while cursor.take(&["section", "sections", "§", "table", "tables"]) {}
                cursor.number(label)
            });
            found.push((number, through));
            let start = self.at;
            while self.joiner() {}
            if self.at == start || self.number_ahead(label).is_none() {
                self.at = start;
                break;
            }
        }
        found
    }

    fn number_ahead(&self, label: Option<&'static str>) -> Option<Number> {
        let token = self.peek()?;
        let text = token.text.trim_end_matches(['.', ':']);
        match (token.kind, label) {
            (Kind::Number, None) => Number::parse(text).filter(|_| !text.starts_with('(')),
            (Kind::Number, Some(label)) => Number::labelled(label, text),
            // "Appendix C", "Table A".
            (Kind::Word, Some(label)) if token.is_upper() && text.len() <= 2 => Number::labelled(label, text),
            _ => None,
        }
    }

    fn number(&mut self, label: Option<&'static str>) -> Option<Number> {
        let number = self.number_ahead(label)?;
        self.at += 1;
        Some(number)
    }

    /// What identifies parts: numbers, letters, terms, quotations.
    fn names(&mut self, unit: Unit) -> Vec<Which> {
        if unit == Unit::Definition {
            return self.terms();
        }
        self.take(&["no", "no.", "number", "numbers", "#"]);
        self.take(&["#", "."]);
        if unit == Unit::Row || unit == Unit::Column {
            let quoted = self.attempt(|cursor| {
                cursor.take(&["for", "of", "labeled", "labelled", "titled"]);
                cursor.quote()
            });
            if let Some(name) = quoted {
                return vec![Which::Named(name)];
            }
        }
        let mut found = Vec::new();
        while let Some(name) = self.name(unit) {
            let last = self.attempt(|cursor| {
                cursor.take(&["through", "thru", "to", "–", "—", "-"]).then_some(())?;
                cursor.name(unit)
            });
            found.push(Which::Named(name.clone()));
            if let (Some(last), Ok(first)) = (last, name.parse::<usize>()) {
                let last = last.parse::<usize>().unwrap_or(first).min(first + MAX_RANGE);
                found.extend((first + 1..=last).map(|n| Which::Named(n.to_string())));
            }
            let start = self.at;
            while self.joiner() {}
            if self.at == start || self.attempt(|cursor| cursor.name(unit)).is_none() {
                self.at = start;
                break;
            }
            // The name itself is read again in the next round.
            self.at = self.tokens.get(start..).map_or(start, |rest| {
                start + rest.iter().take_while(|t| t.is_any(&[",", "and", "or", "&", "and/or"])).count()
            });
        }
        found
    }

    /// `2`, `(a)(1)`, `b`.
    fn name(&mut self, unit: Unit) -> Option<String> {
        let token = self.peek()?;
        let letter = token.kind == Kind::Word && token.text.len() == 1 && unit != Unit::Sentence;
        let letter = letter && !(token.is("a") && self.ahead(1).is_some_and(|next| noun(next).is_some()));
        let number =
            token.kind == Kind::Number && !token.text.contains(['.', ':', '-']) && ordinal(token).is_none();
        if !letter && !number {
            return None;
        }
        self.at += 1;
        let mut name = token.text.to_owned();
        while let Some(next) = self.peek().filter(|t| t.kind == Kind::Number && t.text.starts_with('(')) {
            name.push_str(next.text);
            self.at += 1;
        }
        let plain =
            name.strip_prefix('(').and_then(|n| n.strip_suffix(')')).filter(|n| !n.contains(['(', ')']));
        Some(plain.map_or(name.clone(), str::to_owned))
    }

    /// "of HIGH-RISE BUILDING", "for “story”", "“story”".
    fn terms(&mut self) -> Vec<Which> {
        let mut found = Vec::new();
        let start = self.at;
        self.take(&["of", "for", "under", ":"]);
        self.take(&["the"]);
        self.take(&["term", "terms"]);
        while let Some(term) = self.quote().or_else(|| self.capitals()) {
            found.push(Which::Named(term));
            let before = self.at;
            while self.joiner() || self.take(&[";"]) {}
            if self.at == before || !self.peek().is_some_and(|t| t.kind == Kind::Quote || t.is_upper()) {
                self.at = before;
                break;
            }
        }
        if found.is_empty() {
            self.at = start;
            // The mark of a footnote: "Add this definition 1 as follows".
            let note = self.peek().is_some_and(|t| t.kind == Kind::Number && t.text.len() <= 2);
            self.at += usize::from(note && self.ahead(1).is_some_and(|next| next.is_any(&["as", "to", ":"])));
        }
        found
    }

    /// Words in capitals, as terms are set.
    fn capitals(&mut self) -> Option<String> {
        let start = self.at;
        let mut long = false;
        while let Some(token) = self.peek() {
            let inner =
                !token.text.contains(char::is_lowercase) && (token.is_upper() || token.kind == Kind::Number);
            if !inner {
                break;
            }
            long |= token.text.len() > 1;
            self.at += 1;
        }
        let words: Vec<&str> = self.tokens.get(start..self.at)?.iter().map(|token| token.text).collect();
        if !long {
            self.at = start;
        }
        long.then(|| words.join(" "))
    }
}
