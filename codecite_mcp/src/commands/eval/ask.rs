//! Asks the questions, one after the other, and takes the time.

use std::time::Instant;

use super::naive::Naive;
use super::questions::{Question, QuestionFile};
use crate::api::{self, Search};
use crate::cli::EvalMode;
use crate::db::Db;
use crate::fault::Fault;

/// A row of an answer.
#[derive(Debug, Clone)]
pub struct Found {
    /// Place in the answer, from 1. A section and its amendments share a rank.
    pub rank: usize,
    /// Number of the section.
    pub number: Option<String>,
    /// What matched; empty for the baseline.
    pub kinds: Vec<String>,
    /// What was returned.
    pub body: String,
}

/// An answer.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Its rows, in order of rank.
    pub found: Vec<Found>,
    /// Whether the verdict was `not_covered`; `None` for the baseline, which gives neither verdict nor kinds.
    pub abstained: Option<bool>,
    /// Why, in words.
    pub note: Option<String>,
    /// Time from the call to its rows, in milliseconds.
    pub millis: f64,
}

/// Asks all questions in one mode: the answers file by file. The first question is asked once before, because the first
/// call of a connection loads the model.
pub async fn ask_all(
    db: &Db,
    files: &[QuestionFile],
    mode: EvalMode,
    k: i32,
    naive: &mut Naive,
) -> Result<Vec<Vec<Asked>>, Fault> {
    let questions = || files.iter().flat_map(|file| &file.questions);
    if mode == EvalMode::Naive {
        for question in questions() {
            naive.prepare(db, &question.corpus).await?;
        }
    }
    if let Some(first) = questions().next() {
        ask(db, first, mode, k, naive).await?;
    }
    let mut answers = Vec::with_capacity(files.len());
    for file in files {
        let mut of_file = Vec::with_capacity(file.questions.len());
        for question in &file.questions {
            of_file.push(ask(db, question, mode, k, naive).await?);
        }
        answers.push(of_file);
    }
    Ok(answers)
}

async fn ask(db: &Db, question: &Question, mode: EvalMode, k: i32, naive: &Naive) -> Result<Asked, Fault> {
    let start = Instant::now();
    let millis = || start.elapsed().as_secs_f64() * 1000.0;
    if mode == EvalMode::Naive {
        let most = usize::try_from(k).unwrap_or(0);
        let found = naive.search(db, &question.corpus, &question.question, most).await?;
        return Ok(Asked { found, abstained: None, note: None, millis: millis() });
    }
    let corpora = Some(vec![question.corpus.clone()]);
    let search = Search { query: &question.question, corpora, k, mode: mode.as_str(), ..Search::default() };
    let rows = api::search(db, &search).await?.rows;
    let millis = millis();
    let verdict = rows.first().map(|row| (row.coverage == "not_covered", row.coverage_note.clone()));
    let (abstained, note) = verdict.unwrap_or_default();
    // A row without a citation only carries the verdict.
    let found = rows.into_iter().filter(|row| !row.citation.is_empty()).map(|row| Found {
        rank: usize::try_from(row.rank).unwrap_or(0),
        number: row.number,
        kinds: row.kinds,
        body: row.body,
    });
    Ok(Asked { found: found.collect(), abstained: Some(abstained), note, millis })
}
