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

/// What is known about the best hit of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Signals {
    /// Share of the query's term weight that the best hits hold, 0-1. Terms that stand nowhere count as the
    /// rarest.
    pub lexical: f32,
    /// The best cosine similarity, where there is a vector leg.
    pub similarity: Option<f32>,
}

/// The floors of a model: below the lower one the answer is not covered, from the upper one on it is. They are
/// fitted on questions whose answers are known, and stored with the model.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Floors {
    /// What similarity counts against the words found, 0-1.
    pub similarity_weight: f32,
    /// The lower floor.
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
        Floors { similarity_weight: 0.3, uncertain: 0.15, covered: 0.5, words_uncertain: 0.1, words_covered: 0.5 }
    }
}

impl Floors {
    /// The floors of a model for which none were fitted: nothing is called covered for certain.
    pub fn unfitted() -> Self {
        Floors { similarity_weight: 0.5, uncertain: 0.2, covered: f32::INFINITY, ..Floors::default() }
    }
}

/// Judges an answer. The note says in plain words what the verdict rests on.
pub fn judge(signals: Signals, floors: Floors) -> (Coverage, String) {
    let words = signals.lexical * 100.0;
    let (score, uncertain, covered, basis) = match signals.similarity {
        Some(similarity) => {
            let weight = floors.similarity_weight;
            let score = weight * similarity + (1.0 - weight) * signals.lexical;
            let basis = format!("similarity {similarity:.2}, words found {words:.0} %");
            (score, floors.uncertain, floors.covered, basis)
        }
        None => {
            let basis = format!("words found {words:.0} %, no vectors searched");
            (signals.lexical, floors.words_uncertain, floors.words_covered, basis)
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
        let floors = Floors { similarity_weight: 0.5, uncertain: 0.4, covered: 0.6, words_uncertain: 0.2, words_covered: 0.7 };
        let verdict = |lexical, similarity| judge(Signals { lexical, similarity }, floors).0;
        assert_eq!(verdict(0.9, Some(0.7)), Coverage::Covered);
        assert_eq!(verdict(0.5, Some(0.4)), Coverage::Uncertain);
        assert_eq!(verdict(0.1, Some(0.2)), Coverage::NotCovered);
        assert_eq!(verdict(0.7, None), Coverage::Covered);
        assert_eq!(verdict(0.3, None), Coverage::Uncertain);
    }
}
