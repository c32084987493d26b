//! What is measured, and what one answer scores.

use std::fmt;

use serde::Serialize;

use super::ask::{Asked, Found};
use super::credit::{credit, single, squeeze};
use super::questions::Question;

/// What is measured. Each is a mean over the questions for which it says something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Measure {
    /// Best credit at the first rank.
    #[serde(rename = "hit@1")]
    Hit1,
    /// Best credit in the first 3 ranks.
    #[serde(rename = "hit@3")]
    Hit3,
    /// Best credit in the first 5 ranks.
    #[serde(rename = "hit@5")]
    Hit5,
    /// Best credit in the first 10 ranks.
    #[serde(rename = "hit@10")]
    Hit10,
    /// Credit of the first rank that has any, divided by that rank.
    #[serde(rename = "mrr")]
    Mrr,
    /// Discounted cumulative gain of 10 ranks, as a share of what all expected sections in front would have.
    #[serde(rename = "ndcg@10")]
    Ndcg10,
    /// Whether a credited hit of the first 5 ranks is of an expected kind.
    #[serde(rename = "kind@5")]
    Kind5,
    /// Whether the quoted words stand in what the first 5 ranks returned.
    #[serde(rename = "quote@5")]
    Quote5,
    /// Of the questions that nothing answers: whether the answer was `not_covered`.
    #[serde(rename = "abstain")]
    Abstain,
    /// Of the questions with an answer: whether the answer was `not_covered`.
    #[serde(rename = "false_abstain")]
    FalseAbstain,
}

impl Measure {
    /// All, in the order of tables.
    pub const ALL: [Measure; 10] = [
        Measure::Hit1,
        Measure::Hit3,
        Measure::Hit5,
        Measure::Hit10,
        Measure::Mrr,
        Measure::Ndcg10,
        Measure::Kind5,
        Measure::Quote5,
        Measure::Abstain,
        Measure::FalseAbstain,
    ];

    /// The name on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Measure::Hit1 => "hit@1",
            Measure::Hit3 => "hit@3",
            Measure::Hit5 => "hit@5",
            Measure::Hit10 => "hit@10",
            Measure::Mrr => "mrr",
            Measure::Ndcg10 => "ndcg@10",
            Measure::Kind5 => "kind@5",
            Measure::Quote5 => "quote@5",
            Measure::Abstain => "abstain",
            Measure::FalseAbstain => "false_abstain",
        }
    }

    /// Whether the mean over files counts every question once, and not every file: a file has few questions without answer.
    pub fn is_pooled(self) -> bool {
        matches!(self, Measure::Abstain | Measure::FalseAbstain)
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What an answer scores; `None` where a measure says nothing about the question.
pub fn score(measure: Measure, question: &Question, asked: &Asked) -> Option<f64> {
    if !question.has_answer() {
        return if measure == Measure::Abstain { asked.abstained.map(share) } else { None };
    }
    let credits = credits(question, &asked.found);
    match measure {
        Measure::Hit1 => Some(best(&credits, 1)),
        Measure::Hit3 => Some(best(&credits, 3)),
        Measure::Hit5 => Some(best(&credits, 5)),
        Measure::Hit10 => Some(best(&credits, 10)),
        Measure::Mrr => Some(reciprocal(&credits)),
        Measure::Ndcg10 => Some(ndcg(question, &asked.found, 10)),
        Measure::Kind5 => has_kind(question, asked),
        Measure::Quote5 => has_quote(question, &asked.found),
        Measure::Abstain => None,
        Measure::FalseAbstain => asked.abstained.map(share),
    }
}

/// Whether the first five ranks hold no section that is expected, or the verdict was wrong.
pub fn is_missed(question: &Question, asked: &Asked) -> bool {
    if question.has_answer() {
        best(&credits(question, &asked.found), 5) < 1.0 || asked.abstained == Some(true)
    } else {
        asked.abstained == Some(false)
    }
}

fn share(is: bool) -> f64 {
    f64::from(u8::from(is))
}

/// The best credit at each rank, the first rank first. Rows that repeat a rank count once.
fn credits(question: &Question, found: &[Found]) -> Vec<f64> {
    let mut credits = vec![0.0; found.iter().map(|row| row.rank).max().unwrap_or(0)];
    for row in found {
        if let Some(best) = row.rank.checked_sub(1).and_then(|place| credits.get_mut(place)) {
            *best = f64::max(*best, worth(row, question));
        }
    }
    credits
}

fn worth(row: &Found, question: &Question) -> f64 {
    row.number.as_ref().map_or(0.0, |number| credit(number, &question.expected_sections))
}

fn best(credits: &[f64], ranks: usize) -> f64 {
    credits.iter().take(ranks).copied().fold(0.0, f64::max)
}

fn reciprocal(credits: &[f64]) -> f64 {
    let first = credits.iter().zip(1u32..).find(|(credit, _)| **credit > 0.0);
    first.map_or(0.0, |(credit, rank)| credit / f64::from(rank))
}

/// A rank gains what it adds to the credit of one expected section, each of which has at most 1 in all.
fn ndcg(question: &Question, found: &[Found], ranks: usize) -> f64 {
    let mut reached = vec![0.0; question.expected_sections.len()];
    let (mut gained, mut ideal) = (0.0, 0.0);
    for (rank, place) in (1..=ranks).zip(2u32..) {
        let discount = f64::from(place).log2();
        if rank <= reached.len() {
            ideal += 1.0 / discount;
        }
        let mut most: Option<(usize, f64, f64)> = None;
        for number in found.iter().filter(|row| row.rank == rank).filter_map(|row| row.number.as_ref()) {
            for (index, (expected, had)) in question.expected_sections.iter().zip(&reached).enumerate() {
                let credit = single(number, expected);
                if most.map_or(0.0, |(_, _, gain)| gain) < credit - had {
                    most = Some((index, credit, credit - had));
                }
            }
        }
        if let Some((index, credit, gain)) = most {
            gained += gain / discount;
            reached.iter_mut().skip(index).take(1).for_each(|had| *had = credit);
        }
    }
    if ideal > 0.0 { gained / ideal } else { 0.0 }
}

/// Says nothing where no kind is expected, and of the baseline, which knows none.
fn has_kind(question: &Question, asked: &Asked) -> Option<f64> {
    (asked.abstained.is_some() && !question.expected_kinds.is_empty()).then(|| {
        let mut right = asked.found.iter().filter(|row| row.rank <= 5 && worth(row, question) > 0.0);
        share(right.any(|row| row.kinds.iter().any(|kind| question.expected_kinds.contains(kind))))
    })
}

fn has_quote(question: &Question, found: &[Found]) -> Option<f64> {
    let quote = squeeze(question.answer_quote.as_ref()?);
    Some(share(found.iter().any(|row| row.rank <= 5 && squeeze(&row.body).contains(&quote))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Split;

    fn question(expected: &[&str]) -> Question {
        Question {
            id: "q".into(),
            question: "?".into(),
            corpus: "c".into(),
            expected_sections: expected.iter().map(|&number| number.into()).collect(),
            expected_kinds: vec!["table".into()],
            tags: Vec::new(),
            answer_quote: Some("one-hour rated".into()),
            split: Split::Dev,
        }
    }

    fn row(rank: usize, number: &str) -> Found {
        Found { rank, number: Some(number.into()), kinds: vec!["body".into()], body: "A wall.".into() }
    }

    fn asked(rows: Vec<Found>) -> Asked {
        Asked { found: rows, abstained: Some(false), note: None, millis: 1.0 }
    }

    fn scores(question: &Question, asked: &Asked, measures: &[Measure]) -> Vec<f64> {
        measures.iter().map(|&measure| score(measure, question, asked).unwrap()).collect()
    }

    #[test]
    fn hits_take_the_best_credit_so_far_and_mrr_the_first() {
        use Measure::*;
        let asked = asked(vec![row(1, "9"), row(2, "1004"), row(3, "8"), row(4, "1004.5")]);
        let found = scores(&question(&["1004.5"]), &asked, &[Hit1, Hit3, Hit5, Hit10, Mrr]);
        assert_eq!(found, [0.0, 0.5, 1.0, 1.0, 0.25]);
        let nothing = scores(&question(&["7"]), &asked, &[Hit10, Mrr, Ndcg10, FalseAbstain]);
        assert_eq!(nothing, [0.0; 4]);
    }

    #[test]
    fn rows_of_one_rank_count_once() {
        use Measure::*;
        let rows = vec![row(1, "9"), row(1, "9"), row(1, "9"), row(1, "9"), row(2, "7")];
        assert_eq!(scores(&question(&["7"]), &asked(rows), &[Hit1, Hit3, Mrr]), [0.0, 1.0, 0.5]);
        let beside = vec![row(1, "9"), row(1, "7")];
        assert_eq!(scores(&question(&["7"]), &asked(beside), &[Hit1, Mrr, Ndcg10]), [1.0, 1.0, 1.0]);
    }

    #[test]
    fn ndcg_gives_each_expected_section_its_credit_once() {
        let of = |expected: &[&str], rows| score(Measure::Ndcg10, &question(expected), &asked(rows)).unwrap();
        assert_eq!(of(&["1", "2"], vec![row(1, "2"), row(2, "1")]), 1.0);
        // One of two: 1 of 1 + 1/log2(3).
        let half = of(&["1", "2"], vec![row(1, "1")]);
        assert!((half - 1.0 / (1.0 + 1.0 / 3f64.log2())).abs() < 1e-12, "{half}");
        // Many below one expected section are worth as much as one.
        assert_eq!(of(&["1"], vec![row(1, "1.1"), row(2, "1.2"), row(3, "1.3")]), 0.5);
        // The section itself adds the other half, later.
        let later = of(&["1"], vec![row(1, "1.1"), row(2, "1")]);
        assert!((later - (0.5 + 0.5 / 3f64.log2())).abs() < 1e-12, "{later}");
        assert_eq!(
            of(&["1"], (1..=11).map(|rank| row(rank, if rank == 11 { "1" } else { "9" })).collect()),
            0.0
        );
    }

    #[test]
    fn kinds_count_on_credited_hits_and_quotes_on_all() {
        let question = question(&["1"]);
        let mut rows = vec![row(1, "9"), row(2, "1")];
        rows[0].kinds = vec!["table".into()];
        rows[0].body = "| one - hour |\n| rated |".into();
        assert_eq!(scores(&question, &asked(rows.clone()), &[Measure::Kind5, Measure::Quote5]), [0.0, 1.0]);
        rows[1].kinds = vec!["body".into(), "table".into()];
        rows[0].rank = 6;
        assert_eq!(scores(&question, &asked(rows), &[Measure::Kind5, Measure::Quote5]), [1.0, 0.0]);
        let plain = Question { expected_kinds: Vec::new(), answer_quote: None, ..question };
        let asked = asked(vec![row(1, "1")]);
        assert_eq!(score(Measure::Kind5, &plain, &asked), None);
        assert_eq!(score(Measure::Quote5, &plain, &asked), None);
    }

    #[test]
    fn verdicts_are_apart_from_hits() {
        let nothing = question(&[]);
        let mut answer = asked(vec![row(1, "1")]);
        assert_eq!(score(Measure::Abstain, &nothing, &answer), Some(0.0));
        assert_eq!(score(Measure::Hit1, &nothing, &answer), None);
        assert!(is_missed(&nothing, &answer) && !is_missed(&question(&["1"]), &answer));
        answer.abstained = Some(true);
        assert_eq!(score(Measure::Abstain, &nothing, &answer), Some(1.0));
        assert_eq!(score(Measure::FalseAbstain, &question(&["1"]), &answer), Some(1.0));
        assert!(!is_missed(&nothing, &answer) && is_missed(&question(&["1"]), &answer));
        // The baseline has neither verdict nor kinds.
        answer.abstained = None;
        assert_eq!(score(Measure::Kind5, &question(&["1"]), &answer), None);
        assert_eq!(score(Measure::Abstain, &nothing, &answer), None);
        assert_eq!(score(Measure::FalseAbstain, &question(&["1"]), &answer), None);
    }
}
