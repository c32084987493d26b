//! Limits that means have to keep, for runs that must fail when quality does.

use std::str::FromStr;

use clap::ValueEnum;
use serde::Serialize;

use super::measures::Measure;
use crate::cli::EvalMode;

/// What rounding may take from a mean.
const ROUNDING: f64 = 1e-9;

/// `[MODE:]MEASURE=VALUE`
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limit {
    /// The mode that it is about; hybrid when none is named.
    pub mode: EvalMode,
    /// The measure.
    pub measure: Measure,
    /// The limit itself.
    pub value: f64,
}

impl FromStr for Limit {
    type Err = String;

    fn from_str(text: &str) -> Result<Limit, String> {
        let (name, value) = text.split_once('=').ok_or("write MEASURE=VALUE, such as hit@1=0.6")?;
        let (mode, name) = match name.split_once(':') {
            Some((mode, name)) => (EvalMode::from_str(mode, true)?, name),
            None => (EvalMode::Hybrid, name),
        };
        let known = || Measure::ALL.map(Measure::name).join(", ");
        let measure = Measure::ALL.into_iter().find(|measure| measure.name() == name.to_lowercase());
        let measure = measure.ok_or_else(|| format!("\"{name}\" is none of {}", known()))?;
        match value.parse() {
            Ok(value) if (0.0..=1.0).contains(&value) => Ok(Limit { mode, measure, value }),
            _ => Err(format!("\"{value}\" is no number from 0 to 1")),
        }
    }
}

/// Which way a limit is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// By less.
    Under,
    /// By more.
    Over,
}

/// A limit beside the mean.
#[derive(Debug, Clone, Serialize)]
pub struct Gate {
    /// Such as `hybrid hit@1 0.702, at least 0.6`.
    pub text: String,
    /// Whether the mean keeps it.
    pub holds: bool,
}

impl Gate {
    /// Judges a mean. One that could not be measured keeps no limit.
    pub fn new(limit: &Limit, side: Side, mean: Option<f64>) -> Gate {
        let holds = mean.is_some_and(|mean| match side {
            Side::Under => mean >= limit.value - ROUNDING,
            Side::Over => mean <= limit.value + ROUNDING,
        });
        let word = if side == Side::Under { "at least" } else { "at most" };
        let mean = mean.map_or("not measured".to_owned(), |mean| format!("{mean:.3}"));
        let text = format!("{} {} {mean}, {word} {}", limit.mode.as_str(), limit.measure, limit.value);
        Gate { text, holds }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read() {
        let limit: Limit = "hit@1=0.85".parse().unwrap();
        assert_eq!(limit, Limit { mode: EvalMode::Hybrid, measure: Measure::Hit1, value: 0.85 });
        let limit: Limit = "lexical:MRR=.5".parse().unwrap();
        assert_eq!(limit, Limit { mode: EvalMode::Lexical, measure: Measure::Mrr, value: 0.5 });
        for wrong in ["hit@1", "hit@2=0.5", "magic:hit@1=0.5", "hit@1=much", "hit@1=85", "hit@1=NaN", ""] {
            assert!(wrong.parse::<Limit>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn limits_hold_on_both_sides() {
        let limit = "hit@5=0.95".parse().unwrap();
        let under = |mean| Gate::new(&limit, Side::Under, mean).holds;
        assert!(under(Some(0.95)) && under(Some(0.95 - 1e-12)) && under(Some(1.0)) && !under(Some(0.949)));
        let limit = "false_abstain=0.05".parse().unwrap();
        let over = |mean| Gate::new(&limit, Side::Over, mean).holds;
        assert!(over(Some(0.05)) && over(Some(0.0)) && !over(Some(0.051)));
        // What was not measured proves nothing.
        assert!(!under(None) && !over(None) && !under(Some(f64::NAN)) && !over(Some(f64::NAN)));
        let text = Gate::new(&limit, Side::Over, Some(0.0612)).text;
        assert_eq!(text, "hybrid false_abstain 0.061, at most 0.05");
    }
}
