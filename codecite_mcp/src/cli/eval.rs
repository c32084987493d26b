//! `codecite eval`: its options.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::Serialize;

use crate::commands::eval::gate::Limit;

/// `codecite eval`
#[derive(Debug, Args)]
pub struct EvalArgs {
    /// Files of questions with the sections that answer them (YAML, as evals/README.md describes)
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Ways to search, separated by commas
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = [EvalMode::Lexical, EvalMode::Vector, EvalMode::Hybrid])]
    pub modes: Vec<EvalMode>,
    /// Only the questions of this split; a question that names none is for development
    #[arg(long, value_enum)]
    pub split: Option<Split>,
    /// How many sections are asked for
    #[arg(short, long, default_value_t = 10, value_parser = clap::value_parser!(i32).range(10..=200))]
    pub k: i32,
    /// Where the resampling for the intervals begins
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// List the questions that were missed, with what came instead
    #[arg(long)]
    pub misses: bool,
    /// Fail when a mean is lower, such as hit@1=0.6 or lexical:mrr=0.5; several separated by commas
    #[arg(long, value_name = "[MODE:]MEASURE=VALUE", value_delimiter = ',')]
    pub fail_under: Vec<Limit>,
    /// Fail when a mean is higher, such as false_abstain=0.05
    #[arg(long, value_name = "[MODE:]MEASURE=VALUE", value_delimiter = ',')]
    pub fail_over: Vec<Limit>,
    /// Write a Markdown report into this file, and a plot beside it (.svg)
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
}

/// A way to search that is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EvalMode {
    /// The baseline: windows of the running text, by the model in use
    Naive,
    /// By words
    Lexical,
    /// By meaning
    Vector,
    /// By words and by meaning
    Hybrid,
    /// By both, and the first sections read again
    Rerank,
}

impl EvalMode {
    /// The name on the command line; that of all but `naive` is also the name in SQL.
    pub fn as_str(self) -> &'static str {
        match self {
            EvalMode::Naive => "naive",
            EvalMode::Lexical => "lexical",
            EvalMode::Vector => "vector",
            EvalMode::Hybrid => "hybrid",
            EvalMode::Rerank => "rerank",
        }
    }
}

/// What a question is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Split {
    /// To tune with
    Dev,
    /// To report with
    Test,
}
