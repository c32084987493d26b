//! What a draft claims: its citations and its quotations, and which citation each quotation belongs to.

use super::citation::{Citation, citations};
use super::marks::{Marks, quotations};
use super::naming::{self, Naming};
use super::sentences::{blocks, sentences};
use super::values::values;
use super::words::words;
use crate::document::Span;
use crate::number::Number;
use crate::reference::{Reference, references};

/// A quotation of fewer words is checked only when a number stands in it.
const MIN_WORDS: usize = 4;
/// Citations that are tried for one quotation.
const MOST: usize = 6;
/// What the end of a sentence between a citation and a quotation weighs, in characters.
const SENTENCE: usize = 120;
/// What words weigh between them that do not join them.
const LOOSE: usize = 60;
/// What a work without a number weighs against one with a number.
const NO_NUMBER: usize = 100;

/// One thing that a draft says of a code.
#[derive(Debug, Clone, PartialEq)]
pub enum Claim {
    /// It cites a part of a code.
    Citation(Box<Citation>),
    /// It quotes a code.
    Quotation(Quotation),
}

impl Claim {
    /// Where it stands in the draft.
    pub fn span(&self) -> Span {
        match self {
            Claim::Citation(citation) => citation.span,
            Claim::Quotation(quotation) => quotation.span,
        }
    }
}

/// One quotation of a draft.
#[derive(Debug, Clone, PartialEq)]
pub struct Quotation {
    /// With its marks.
    pub span: Span,
    /// What stands between the marks, as written.
    pub text: String,
    /// How it is set apart.
    pub marks: Marks,
    /// What it is said to be a quotation of: the citation beside it, then others of the same sentence. Empty where none
    /// stands near.
    pub citations: Vec<Citation>,
}

/// All citations and quotations of a draft, in the order in which they begin. Any text is a draft.
///
/// ```
/// # use codecite_core::verify::{Claim, claims};
/// let found = claims("Section 1004.5 says “rounded up to the next whole number”.");
/// assert!(matches!(&found[0], Claim::Citation(c) if c.number().unwrap().to_string() == "1004.5"));
/// assert!(matches!(&found[1], Claim::Quotation(q) if q.citations.len() == 1));
/// ```
pub fn claims(draft: &str) -> Vec<Claim> {
    let marked = quotations(draft);
    let long = |span: Span| words(span.of(draft)).len() >= MIN_WORDS;
    let quoted: Vec<Span> = marked.iter().map(|m| m.whole).filter(|span| long(*span)).collect();
    let mut cited = citations(draft, &quoted);
    let blocks = blocks(draft);
    let sentences: Vec<Span> = blocks.iter().flat_map(|block| sentences(draft, *block, &quoted)).collect();
    let wholes: Vec<Span> = marked.iter().map(|m| m.whole).collect();
    describe(draft, &mut cited, &sentences, &wholes);
    let works = naming::all(draft);
    let layout = Layout { draft, blocks: &blocks, sentences: &sentences, quoted: &quoted, works: &works };
    let mut claims = Vec::with_capacity(cited.len() + marked.len());
    for mark in &marked {
        let text = mark.inner.of(draft);
        if is_checked(text) {
            let citations = layout.citations_of(mark.whole, text, &cited);
            let (span, text) = (mark.whole, text.to_owned());
            claims.push(Claim::Quotation(Quotation { span, text, marks: mark.marks, citations }));
        }
    }
    claims.extend(cited.into_iter().map(|citation| Claim::Citation(Box::new(citation))));
    claims.sort_by_key(|claim| (claim.span().start, claim.span().end));
    claims
}

/// Long enough, or with a number that is not only one of a section.
fn is_checked(text: &str) -> bool {
    let words = words(text);
    if words.len() >= MIN_WORDS {
        return true;
    }
    words.iter().any(|word| word.is_number) && words.len() > 1 && references(text, None).is_empty()
}

/// Gives every citation the works and values of its sentence.
fn describe(draft: &str, cited: &mut [Citation], sentences: &[Span], quoted: &[Span]) {
    let mut first = 0;
    for sentence in sentences {
        first += cited.iter().skip(first).take_while(|c| c.place().start < sentence.start).count();
        let count = cited.iter().skip(first).take_while(|c| c.place().start < sentence.end).count();
        if count == 0 {
            continue;
        }
        let inside = cited.get_mut(first..first + count).unwrap_or_default();
        let leading = naming::leading(sentence.of(draft));
        let found = values_of(draft, *sentence, inside, quoted);
        let numbers: Vec<_> = inside.iter().take(MOST).filter_map(|c| c.number().cloned()).collect();
        for citation in inside {
            if let Some(naming) =
                leading.as_ref().filter(|_| citation.work.is_none() && citation.edition.is_none())
            {
                (citation.work, citation.edition) = (naming.work.clone(), naming.edition.clone());
            }
            citation.values.clone_from(&found);
            citation.beside =
                numbers.iter().filter(|number| citation.number() != Some(number)).cloned().collect();
        }
        first += count;
    }
}

/// The values of a sentence outside its citations and quotations.
fn values_of(draft: &str, sentence: Span, cited: &[Citation], quoted: &[Span]) -> Vec<super::Value> {
    let from = quoted.partition_point(|span| span.end <= sentence.start);
    let inside = quoted.iter().skip(from).take_while(|span| span.start < sentence.end);
    let taken: Vec<Span> = cited.iter().map(|citation| citation.span).chain(inside.copied()).collect();
    let found = values(sentence.of(draft)).into_iter().take(4 * MOST).map(|mut value| {
        value.span = Span::new(value.span.start + sentence.start, value.span.end + sentence.start);
        value
    });
    found
        .filter(|value| !taken.iter().any(|span| span.start < value.span.end && value.span.start < span.end))
        .collect()
}

struct Layout<'a> {
    draft: &'a str,
    blocks: &'a [Span],
    sentences: &'a [Span],
    quoted: &'a [Span],
    works: &'a [Naming],
}

impl Layout<'_> {
    /// The citations that a quotation may belong to, the likeliest first.
    fn citations_of(&self, quotation: Span, text: &str, cited: &[Citation]) -> Vec<Citation> {
        let home = self.around(self.blocks, quotation);
        let sentence = self.around(self.sentences, quotation);
        let mut near = self.near(quotation, home, cited);
        if near.is_empty() {
            near = self.near(quotation, self.with_neighbours(home), cited);
        }
        near.sort_by_key(|(weight, _)| *weight);
        let mut found: Vec<Citation> = Vec::new();
        for (_, citation) in near {
            // Beside the likeliest only those of the same sentence.
            if found.is_empty() || sentence.contains(citation.place()) && citation.reference.is_some() {
                found.push(citation);
            }
        }
        if found.iter().all(|citation| citation.reference.is_none()) {
            found.extend(own_heading(text, quotation));
        }
        found.truncate(MOST);
        found
    }

    /// The blocks or sentences that a quotation stands in.
    fn around(&self, parts: &[Span], quotation: Span) -> Span {
        let first = parts.partition_point(|part| part.end <= quotation.start);
        let start = parts.get(first).map_or(quotation.start, |part| part.start.min(quotation.start));
        let last = parts.partition_point(|part| part.start < quotation.end);
        let end = last.checked_sub(1).and_then(|at| parts.get(at)).map_or(quotation.end, |part| part.end);
        Span::new(start, end.max(quotation.end))
    }

    /// With the block before, which leads in to a quotation or is its heading, and the block behind, which attributes it.
    fn with_neighbours(&self, home: Span) -> Span {
        let first = self.blocks.partition_point(|block| block.start < home.start);
        let before = first.checked_sub(1).and_then(|at| self.blocks.get(at));
        let start = before.map_or(home.start, |block| block.start);
        let last = self.blocks.partition_point(|block| block.start < home.end);
        let attributes = |block: &&Span| {
            let text = block.of(self.draft).trim_start();
            text.starts_with(['—', '–', '(', '[']) || text.starts_with("--") || text.starts_with("Source")
        };
        let end = self.blocks.get(last).filter(attributes).map_or(home.end, |block| block.end);
        Span::new(start, end)
    }

    /// The citations within a span, each with what speaks against it; only some on either side are looked at.
    fn near(&self, quotation: Span, home: Span, cited: &[Citation]) -> Vec<(usize, Citation)> {
        let inside = |place: Span| home.start <= place.start && place.end <= home.end;
        let split = cited.partition_point(|citation| citation.place().start < quotation.start);
        let before = cited.iter().take(split).rev().take(MOST);
        let behind = cited.iter().skip(split).take(MOST);
        let numbered = before.chain(behind).filter(|citation| inside(citation.place())).cloned();
        let at = self.works.partition_point(|work| work.span.start < quotation.start);
        let works = self.works.get(at.saturating_sub(2)..(at + 2).min(self.works.len())).unwrap_or_default();
        let bare =
            works.iter().filter(|work| inside(work.span) && !self.is_taken(work.span, cited)).map(whole_work);
        let all = numbered.chain(bare);
        all.filter_map(|citation| Some((self.weight(quotation, &citation)?, citation))).collect()
    }

    /// True when a work's name is a part of a citation or of a quotation.
    fn is_taken(&self, span: Span, cited: &[Citation]) -> bool {
        let at = cited.partition_point(|citation| citation.place().start < span.start);
        let near = cited.get(at.saturating_sub(2)..(at + 2).min(cited.len())).unwrap_or_default();
        let next = self.quoted.partition_point(|quoted| quoted.end <= span.start);
        near.iter().any(|citation| citation.span.start < span.end && span.start < citation.span.end)
            || self.quoted.get(next).is_some_and(|quoted| quoted.start < span.end)
    }

    /// How far a citation is from a quotation, by the words between.
    fn weight(&self, quotation: Span, citation: &Citation) -> Option<usize> {
        let span = citation.span;
        let is_before = citation.place().start < quotation.start;
        let gap = match is_before {
            true => Span::new(span.end.min(quotation.start), quotation.start),
            false => Span::new(quotation.end, span.start.max(quotation.end)),
        };
        let words = gap.of(self.draft);
        let ends = self.sentences.partition_point(|sentence| sentence.end <= gap.start);
        let ends = self.sentences.iter().skip(ends).take_while(|s| s.end <= gap.end).take(MOST).count();
        let between = self.quoted.partition_point(|quoted| quoted.start < gap.start);
        let others = self.quoted.iter().skip(between).take_while(|q| q.end <= gap.end).take(MOST).count();
        let joined = if is_before { leads_in(words) } else { attributes(words) };
        let loose = if joined { 0 } else { LOOSE };
        let whole = if citation.reference.is_some() { 0 } else { NO_NUMBER };
        Some(words.len().min(4 * SENTENCE) + SENTENCE * (ends + others) + loose + whole)
    }
}

/// Words between a citation and the quotation behind it: "says that", ":".
fn leads_in(words: &str) -> bool {
    let words = words.trim_matches(|c: char| c.is_whitespace() || "*_`".contains(c));
    !words.starts_with(')') && !words.contains([';', '|']) || words.ends_with(':')
}

/// Words between a quotation and the citation behind it: "(", "in", "as required by".
fn attributes(words: &str) -> bool {
    let words = words.trim_start_matches(['.', ',', '”', '"', ')', '*', '_', ' ', '\n', '>']);
    let first = words.split_whitespace().next().unwrap_or_default();
    words.is_empty()
        || words.starts_with(['(', '[', '—', '–', '-', '|'])
        || ["in", "under", "per", "of", "by", "from", "see", "according", "as", "pursuant", "at"]
            .contains(&first)
            && !words.contains(',')
}

fn whole_work(naming: &Naming) -> Citation {
    Citation { work: naming.work.clone(), edition: naming.edition.clone(), ..Citation::nothing(naming.span) }
}

/// The number that a quotation begins with: that of its heading.
fn own_heading(text: &str, quotation: Span) -> Option<Citation> {
    let line = text.trim_start_matches(['*', '#', '§', '>', ' ', '_']);
    let mut words = line.split_whitespace();
    let first = words.next()?;
    let is_label = ["section", "sec.", "table"].contains(&first.to_lowercase().as_str());
    let second = words.next().filter(|_| is_label).map(|second| format!("{first} {second}"));
    let name = second.as_deref().unwrap_or(first).trim_matches(['*', '_', '.', ':']);
    let target = Number::parse(name)?;
    let has_parts =
        target.body().contains(['.', '-']) && target.body().contains(|c: char| c.is_ascii_digit());
    let reference = Reference { target, through: None, locator: None, source: None, span: quotation };
    has_parts.then(|| Citation { reference: Some(reference), ..Citation::nothing(quotation) })
}

impl Citation {
    /// Where it counts as standing: at its number.
    fn place(&self) -> Span {
        self.reference.as_ref().map_or(self.span, |reference| reference.span)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For each quotation its text and the numbers that it may be of.
    fn pairs(draft: &str) -> Vec<(String, Vec<String>)> {
        let of = |claim: Claim| match claim {
            Claim::Quotation(quotation) => {
                let name = |citation: &Citation| {
                    citation.number().map_or_else(|| citation.work.clone().unwrap(), ToString::to_string)
                };
                Some((quotation.text, quotation.citations.iter().map(name).collect()))
            }
            Claim::Citation(_) => None,
        };
        claims(draft).into_iter().filter_map(of).collect()
    }

    fn first_of(draft: &str) -> Vec<Option<String>> {
        pairs(draft).into_iter().map(|(_, numbers)| numbers.into_iter().next()).collect()
    }

    #[test]
    fn quotations_belong_to_the_citation_beside_them() {
        let some = |number: &str| Some(number.to_owned());
        for (draft, expected) in [
            (
                "§1004.5 says “one two three four” and §1005.1 “five six seven eight”.",
                vec![some("1004.5"), some("1005.1")],
            ),
            (
                "“One two three four” (§1004.5) and “five six seven eight” (§1005.1).",
                vec![some("1004.5"), some("1005.1")],
            ),
            ("§1004.5 is this. As §1005.1 has it: “one two three four.” Then on.", vec![some("1005.1")]),
            ("“One two three four.” (§1004.5). See also §1005.1.", vec![some("1004.5")]),
            ("Section 1004.5 reads:\n\n> One two three four.\n\nSee §1005.1.", vec![some("1004.5")]),
            ("> One two three four.\n> — MBC §1004.5", vec![some("1004.5")]),
            ("> One two three four.\n\n— MBC §1004.5", vec![some("1004.5")]),
            ("> **1004.5 Load.** One two three four.", vec![some("1004.5")]),
            ("NFPA 13 says “one two three four”.", vec![some("NFPA 13")]),
            ("It says “one two three four”.", vec![None]),
            (
                "- “One two three four” (§1004.5)\n- “five six seven eight” (§1005.1)",
                vec![some("1004.5"), some("1005.1")],
            ),
        ] {
            assert_eq!(first_of(draft), expected, "{draft}");
        }
    }

    #[test]
    fn short_quotations_count_with_a_number() {
        assert_eq!(pairs("a “means of egress” (§1003.1)").len(), 0);
        assert_eq!(pairs("at least “44 inches” (§1003.1)").len(), 1);
        assert_eq!(pairs("see “Table 1004.5” or `1004.5`").len(), 0);
        assert_eq!(pairs("`one two three four` and `one`").len(), 1);
    }

    #[test]
    fn citations_know_their_sentence() {
        let found = claims(
            "Under NFPA 101, doors are 32 inches wide (§7.2.1). Others are “44 inches” by §1005.1 and 5 mm off.",
        );
        let Claim::Citation(one) = &found[0] else { panic!() };
        assert_eq!((one.work.as_deref(), one.values[0].text.as_str()), (Some("NFPA 101"), "32 inches"));
        let Some(Claim::Citation(two)) = found.last() else { panic!() };
        assert_eq!((two.work.as_deref(), two.values.len()), (None, 1));
    }
}
