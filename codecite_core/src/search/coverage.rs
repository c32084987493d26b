//! Whether an answer covers the question, and why it is thought so.

use serde::{Deserialize, Serialize};

/// The verdict over one answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coverage {
    /// The corpus speaks about this.
    Covered,
    /// It may; a person should read the hits.
    Uncertain,
    /// It does not appear to.
    NotCovered,
}

impl Coverage {
    /// The name used in SQL.
    pub fn as_str(self) -> &'static str {
        match self {
            Coverage::Covered => "covered",
            Coverage::Uncertain => "uncertain",
            Coverage::NotCovered => "not_covered",
        }
    }
}

/// What an answer shows of how well it fits its question.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Signals {
    /// Share of the query's term weight that the best hits hold, 0-1. Terms that stand nowhere count as the
    /// rarest.
    pub lexical: f32,
    /// Different terms of the query.
    pub terms: usize,
    /// What the vectors say, where there is a vector leg.
    pub meaning: Option<Meaning>,
}

/// What the vectors say of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Meaning {
    /// The best cosine similarity.
    pub similarity: f32,
    /// How far the best stands above the tenth.
    pub margin: f32,
    /// The share of the first ten chunks that the word search has among its first ten, too.
    pub agreement: f32,
}

/// How the signals of a model's answers are weighed, and the floors of their sum: below the lower one the answer is not
/// covered, from the upper one on it is. They are fitted on questions whose answers are known, and stored with the model.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Floors {
    /// Weight of the similarity.
    pub similarity: f32,
    /// Weight of the words found.
    pub lexical: f32,
    /// Weight of the margin.
    pub margin: f32,
    /// Weight of the agreement.
    pub agreement: f32,
    /// Weight of each term of the query: a long question is never as similar to one passage as a short one.
    pub terms: f32,
    /// The lower floor of the weighted sum.
    pub uncertain: f32,
    /// The upper floor.
    pub covered: f32,
    /// The lower floor of the words found, where no vectors were searched.
    pub words_uncertain: f32,
    /// The upper one.
    pub words_covered: f32,
}

/// The floors of the `hash` model, which rest on the words.
impl Default for Floors {
    fn default() -> Self {
        Floors {
            similarity: 0.3,
            lexical: 0.7,
            margin: 0.0,
            agreement: 0.0,
            terms: 0.0,
            uncertain: 0.15,
            covered: 0.5,
            words_uncertain: 0.1,
            words_covered: 0.5,
        }
    }
}

impl Floors {
    /// The floors of a model for which none were fitted: nothing is called covered for certain.
    pub fn unfitted() -> Self {
        Floors { similarity: 0.5, lexical: 0.5, uncertain: 0.2, covered: f32::INFINITY, ..Floors::default() }
    }

    /// The weighted sum of the signals; the words found alone where there are no vectors.
    pub fn score(&self, signals: &Signals) -> f32 {
        match signals.meaning {
            Some(meaning) => {
                self.similarity * meaning.similarity
                    + self.lexical * signals.lexical
                    + self.margin * meaning.margin
                    + self.agreement * meaning.agreement
                    + self.terms * signals.terms as f32
            }
            None => signals.lexical,
        }
    }
}

/// Judges an answer. The note says in plain words what the verdict rests on.
pub fn judge(signals: Signals, floors: Floors) -> (Coverage, String) {
    let words = signals.lexical * 100.0;
    let score = floors.score(&signals);
    let (uncertain, covered, basis) = match signals.meaning {
        Some(meaning) => {
            let basis = format!("similarity {:.2}, words found {words:.0} %", meaning.similarity);
            (floors.uncertain, floors.covered, basis)
        }
        None => {
            let basis = format!("words found {words:.0} %, no vectors searched");
            (floors.words_uncertain, floors.words_covered, basis)
        }
    };
    if score >= covered {
        (Coverage::Covered, String::new())
    } else if score >= uncertain {
        (Coverage::Uncertain, format!("the hits fit the question only in part ({basis})"))
    } else {
        (Coverage::NotCovered, format!("nothing in these corpora appears to cover the question ({basis})"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_follow_the_floors() {
        let floors = Floors {
            similarity: 0.5,
            lexical: 0.5,
            uncertain: 0.4,
            covered: 0.6,
            words_uncertain: 0.2,
            words_covered: 0.7,
            ..Floors::default()
        };
        let verdict = |lexical, similarity: Option<f32>| {
            let meaning = similarity.map(|similarity| Meaning { similarity, ..Meaning::default() });
            judge(Signals { lexical, terms: 3, meaning }, floors).0
        };
        assert_eq!(verdict(0.9, Some(0.7)), Coverage::Covered);
        assert_eq!(verdict(0.5, Some(0.4)), Coverage::Uncertain);
        assert_eq!(verdict(0.1, Some(0.2)), Coverage::NotCovered);
        assert_eq!(verdict(0.7, None), Coverage::Covered);
        assert_eq!(verdict(0.3, None), Coverage::Uncertain);
    }

    #[test]
    fn every_signal_has_its_weight() {
        let floors = Floors { margin: 2.0, agreement: 1.0, terms: 0.1, ..Floors::default() };
        let meaning = Some(Meaning { similarity: 1.0, margin: 0.5, agreement: 0.2 });
        let score = floors.score(&Signals { lexical: 1.0, terms: 4, meaning });
        assert!((score - (0.3 + 0.7 + 1.0 + 0.2 + 0.4)).abs() < 1e-6);
    }
}
