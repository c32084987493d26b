//! `codecite eval`: how good answers are, by questions whose answers are known. evals/README.md says how things count.

mod ask;
mod bootstrap;
mod credit;
pub mod gate;
mod measures;
mod naive;
mod plot;
mod questions;
mod report;
mod summary;
mod terminal;
mod windows;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::{Status, print, print_json};
use crate::api;
use crate::cli::{EvalArgs, EvalMode};
use crate::db::Db;
use crate::fault::{Fault, Kind};
use gate::{Gate, Side};
use naive::Naive;
use questions::QuestionFile;
use summary::{Settings, Summary};

/// Asks, measures, prints, reports; a mean that breaks its limit has its own exit code.
pub async fn run(db: &Db, args: &EvalArgs, json: bool) -> Result<Status, Fault> {
    let modes = distinct(&args.modes);
    check_limits(args, &modes)?;
    // Before anything takes time.
    if let Some(path) = &args.report {
        report::check(path)?;
    }
    let files = load(args)?;
    check_corpora(db, &files).await?;
    let models = api::models(db).await?.rows;
    let model = models.into_iter().find(|model| model.in_use == Some(true));
    let (model, tokens) = model.map_or((String::new(), None), |model| (model.model, model.max_tokens));
    let mut naive = Naive::new(tokens.and_then(|tokens| usize::try_from(tokens).ok()).unwrap_or(usize::MAX));

    let mut answers = Vec::with_capacity(modes.len());
    for &mode in &modes {
        answers.push((mode, ask::ask_all(db, &files, mode, args.k, &mut naive).await?));
    }
    let settings = Settings { model, k: args.k, seed: args.seed, split: args.split };
    let summary = Summary::new(settings, &files, &answers);
    let gates = gates(args, &summary);
    if json {
        print_json(&serde_json::json!({ "summary": summary, "gates": gates }));
    } else {
        print(&terminal::render(&summary, &gates, args.misses));
    }
    if let Some(path) = &args.report {
        let names: Vec<String> = args.files.iter().map(|file| file.display().to_string()).collect();
        report::write(path, &summary, &names, args.misses)?;
    }
    Ok(if gates.iter().all(|gate| gate.holds) { Status::Ok } else { Status::BelowLimit })
}

fn distinct(modes: &[EvalMode]) -> Vec<EvalMode> {
    let mut seen = BTreeSet::new();
    modes.iter().copied().filter(|mode| seen.insert(*mode)).collect()
}

fn check_limits(args: &EvalArgs, modes: &[EvalMode]) -> Result<(), Fault> {
    let Some(limit) =
        args.fail_under.iter().chain(&args.fail_over).find(|limit| !modes.contains(&limit.mode))
    else {
        return Ok(());
    };
    let mode = limit.mode.as_str();
    let message =
        format!("the limit of {} is for the mode {mode}, which is not among --modes", limit.measure);
    let next =
        format!("Add {mode} to --modes, or write the mode before the limit, such as lexical:hit@5=0.7.");
    Err(Fault::new(Kind::Input, message, next))
}

/// The files; those whose names are the same go by their paths.
fn load(args: &EvalArgs) -> Result<Vec<QuestionFile>, Fault> {
    let read = |path: &PathBuf| questions::read(path, args.split);
    let mut files = args.files.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for file in &files {
        *times.entry(file.name.clone()).or_default() += 1;
    }
    for (file, path) in files.iter_mut().zip(&args.files) {
        if times.get(&file.name).is_some_and(|times| *times > 1) {
            file.name = path.display().to_string();
        }
    }
    Ok(files)
}

async fn check_corpora(db: &Db, files: &[QuestionFile]) -> Result<(), Fault> {
    let known: BTreeSet<String> =
        api::holdings(db, None).await?.corpora.into_iter().map(|corpus| corpus.corpus).collect();
    for file in files {
        if let Some(question) = file.questions.iter().find(|question| !known.contains(&question.corpus)) {
            let list = known.into_iter().collect::<Vec<_>>().join(", ");
            let there = if list.is_empty() {
                "There are no corpora yet".to_owned()
            } else {
                format!("There are: {list}")
            };
            return Err(Fault::new(
                Kind::Input,
                format!(
                    "{}, question {}, field corpus: there is no corpus \"{}\"",
                    file.name, question.id, question.corpus
                ),
                format!("{there}. Ingest the documents that the questions are about, or correct the name."),
            ));
        }
    }
    Ok(())
}

fn gates(args: &EvalArgs, summary: &Summary) -> Vec<Gate> {
    let under = args.fail_under.iter().map(|limit| (limit, Side::Under));
    let over = args.fail_over.iter().map(|limit| (limit, Side::Over));
    under
        .chain(over)
        .map(|(limit, side)| Gate::new(limit, side, summary.mean(limit.mode, limit.measure)))
        .collect()
}
