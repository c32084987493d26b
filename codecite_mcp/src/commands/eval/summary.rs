//! All figures of a run.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::ask::Asked;
use super::bootstrap::{Draws, Figure, RESAMPLES, percentile};
use super::measures::{Measure, is_missed, score};
use super::questions::{Question, QuestionFile};
use crate::cli::{EvalMode, Split};

/// How many ranks a miss shows.
const SHOWN: usize = 5;

/// What a run was made with.
#[derive(Debug, Clone, Serialize)]
pub struct Settings {
    /// The embedding model in use.
    pub model: String,
    /// How many sections were asked for.
    pub k: i32,
    /// Where resampling began.
    pub seed: u64,
    /// The split, if not all questions.
    pub split: Option<Split>,
}

/// All figures of a run.
#[derive(Debug, Serialize)]
pub struct Summary {
    /// What it was made with.
    #[serde(flatten)]
    pub settings: Settings,
    /// How often questions were drawn anew for the intervals.
    pub resamples: usize,
    /// The files.
    pub files: Vec<FileSize>,
    /// The modes, in the order asked for.
    pub modes: Vec<ModeSummary>,
    /// How much higher hybrid's MRR is than that of each other mode.
    pub hybrid_over: Vec<Difference>,
}

/// A file and how many questions of it were asked.
#[derive(Debug, Serialize)]
pub struct FileSize {
    /// Its name.
    pub name: String,
    /// Questions that something answers.
    pub answerable: usize,
    /// Questions that nothing answers.
    pub negatives: usize,
}

/// One mode's figures.
#[derive(Debug, Serialize)]
pub struct ModeSummary {
    /// The mode.
    pub mode: EvalMode,
    /// By file.
    pub files: Vec<Row>,
    /// Over all files, each counted once; verdicts over all questions.
    pub mean: Row,
    /// By tag, over all questions that carry it.
    pub tags: Vec<TagRow>,
    /// What was missed.
    pub missed: Vec<Miss>,
}

/// Figures of one file, or of all.
#[derive(Debug, Serialize)]
pub struct Row {
    /// Each measure that says something.
    pub figures: BTreeMap<Measure, Figure>,
    /// Median time of an answer.
    pub p50_ms: f64,
    /// Time that 95 % of the answers kept.
    pub p95_ms: f64,
}

/// Figures of one tag.
#[derive(Debug, Serialize)]
pub struct TagRow {
    /// The tag.
    pub tag: String,
    /// Questions that carry it.
    pub questions: usize,
    /// Each measure that says something.
    pub figures: BTreeMap<Measure, f64>,
}

/// A question that was missed.
#[derive(Debug, Serialize)]
pub struct Miss {
    /// Its file.
    pub file: String,
    /// Its id.
    pub id: String,
    /// Its words.
    pub question: String,
    /// What was expected; nothing, where the answer should have been `not_covered`.
    pub expected: Vec<String>,
    /// The numbers of the first ranks.
    pub came: Vec<String>,
    /// Whether the verdict was `not_covered`.
    pub abstained: Option<bool>,
    /// Why.
    pub note: Option<String>,
}

/// How much higher hybrid's MRR is, question by question.
#[derive(Debug, Serialize)]
pub struct Difference {
    /// The other mode.
    pub over: EvalMode,
    /// The difference of the means over files.
    pub mrr: Figure,
    /// The share of draws in which hybrid was not better.
    pub not_better: f64,
}

/// The answers of one mode, file by file.
pub type Answers = (EvalMode, Vec<Vec<Asked>>);

impl Summary {
    /// Sums up; answers are in the order of the files' questions.
    pub fn new(settings: Settings, files: &[QuestionFile], answers: &[Answers]) -> Summary {
        let sizes: Vec<usize> = files.iter().map(|file| file.questions.len()).collect();
        let draws = Draws::new(&sizes, settings.seed);
        let modes = answers.iter().map(|answers| mode_summary(files, answers, &draws)).collect();
        Summary {
            settings,
            resamples: RESAMPLES,
            files: files.iter().map(size).collect(),
            modes,
            hybrid_over: differences(files, answers, &draws),
        }
    }

    /// The mean of a measure over all files.
    pub fn mean(&self, mode: EvalMode, measure: Measure) -> Option<f64> {
        let summary = self.modes.iter().find(|summary| summary.mode == mode)?;
        summary.mean.figures.get(&measure).map(|figure| figure.value)
    }
}

fn size(file: &QuestionFile) -> FileSize {
    let answerable = file.questions.iter().filter(|question| question.has_answer()).count();
    FileSize { name: file.name.clone(), answerable, negatives: file.questions.len() - answerable }
}

/// What the questions score, file by file.
fn scores(measure: Measure, files: &[QuestionFile], answers: &[Vec<Asked>]) -> Vec<Vec<Option<f64>>> {
    let of_file = |(file, answers): (&QuestionFile, &Vec<Asked>)| {
        file.questions.iter().zip(answers).map(|(question, asked)| score(measure, question, asked)).collect()
    };
    files.iter().zip(answers).map(of_file).collect()
}

fn mode_summary(files: &[QuestionFile], (mode, answers): &Answers, draws: &Draws) -> ModeSummary {
    let mut rows: Vec<Row> = answers.iter().map(|file| timed(file.iter())).collect();
    let mut mean = timed(answers.iter().flatten());
    for measure in Measure::ALL {
        let scores = scores(measure, files, answers);
        for (place, (row, scores)) in rows.iter_mut().zip(&scores).enumerate() {
            row.figures.extend(draws.file_figure(place, scores).map(|figure| (measure, figure)));
        }
        mean.figures.extend(draws.figure(&scores, measure.is_pooled()).map(|figure| (measure, figure)));
    }
    ModeSummary { mode: *mode, files: rows, mean, tags: tags(files, answers), missed: missed(files, answers) }
}

/// A row with its times alone.
fn timed<'a>(answers: impl Iterator<Item = &'a Asked>) -> Row {
    let mut millis: Vec<f64> = answers.map(|asked| asked.millis).collect();
    millis.sort_by(f64::total_cmp);
    Row { figures: BTreeMap::new(), p50_ms: percentile(&millis, 0.5), p95_ms: percentile(&millis, 0.95) }
}

/// Every question with its answer and file.
fn pairs<'a>(
    files: &'a [QuestionFile],
    answers: &'a [Vec<Asked>],
) -> impl Iterator<Item = (&'a QuestionFile, &'a Question, &'a Asked)> {
    files.iter().zip(answers).flat_map(|(file, answers)| {
        file.questions.iter().zip(answers).map(move |(question, asked)| (file, question, asked))
    })
}

fn tags(files: &[QuestionFile], answers: &[Vec<Asked>]) -> Vec<TagRow> {
    let names: BTreeSet<&String> =
        pairs(files, answers).flat_map(|(_, question, _)| &question.tags).collect();
    let row = |tag: &String| {
        let tagged: Vec<_> =
            pairs(files, answers).filter(|(_, question, _)| question.tags.contains(tag)).collect();
        let mean = |measure| {
            let scores: Vec<f64> =
                tagged.iter().filter_map(|(_, question, asked)| score(measure, question, asked)).collect();
            (!scores.is_empty()).then(|| (measure, scores.iter().sum::<f64>() / scores.len() as f64))
        };
        let figures = Measure::ALL.into_iter().filter_map(mean).collect();
        TagRow { tag: tag.clone(), questions: tagged.len(), figures }
    };
    names.into_iter().map(row).collect()
}

fn missed(files: &[QuestionFile], answers: &[Vec<Asked>]) -> Vec<Miss> {
    let miss = |(file, question, asked): (&QuestionFile, &Question, &Asked)| Miss {
        file: file.name.clone(),
        id: question.id.clone(),
        question: question.question.clone(),
        expected: question.expected_sections.clone(),
        came: came(asked),
        abstained: asked.abstained,
        note: asked.note.clone(),
    };
    pairs(files, answers).filter(|(_, question, asked)| is_missed(question, asked)).map(miss).collect()
}

/// The numbers of the first ranks, each rank once.
fn came(asked: &Asked) -> Vec<String> {
    let mut rows: Vec<_> = asked.found.iter().filter(|row| row.rank <= SHOWN).collect();
    rows.dedup_by_key(|row| row.rank);
    rows.into_iter().map(|row| row.number.clone().unwrap_or_else(|| "without number".to_owned())).collect()
}

fn differences(files: &[QuestionFile], answers: &[Answers], draws: &Draws) -> Vec<Difference> {
    let Some((_, hybrid)) = answers.iter().find(|(mode, _)| *mode == EvalMode::Hybrid) else {
        return Vec::new();
    };
    let hybrid = scores(Measure::Mrr, files, hybrid);
    let others = answers.iter().filter(|(mode, _)| *mode != EvalMode::Hybrid);
    others
        .filter_map(|(over, other)| {
            let (mrr, not_better) = draws.difference(&hybrid, &scores(Measure::Mrr, files, other))?;
            Some(Difference { over: *over, mrr, not_better })
        })
        .collect()
}

/// A small run for the tests of what shows it.
#[cfg(test)]
pub fn example() -> Summary {
    use super::ask::Found;

    let question = |id: &str, expected: &[&str]| Question {
        id: id.into(),
        question: format!("What of <{id}>?"),
        corpus: "c".into(),
        expected_sections: expected.iter().map(|&number| number.into()).collect(),
        expected_kinds: vec!["body".into()],
        tags: vec!["lookup".into()],
        answer_quote: None,
        split: Split::Dev,
    };
    let asked = |numbers: &[&str], abstained: Option<bool>| Asked {
        found: (1..)
            .zip(numbers)
            .map(|(rank, &number)| Found {
                rank,
                number: Some(number.into()),
                kinds: vec!["body".into()],
                body: String::new(),
            })
            .collect(),
        abstained,
        note: None,
        millis: 2.0,
    };
    let files = [
        QuestionFile { name: "a&b".into(), questions: vec![question("q1", &["1"]), question("q2", &["2"])] },
        QuestionFile { name: "c".into(), questions: vec![question("q3", &["3.1"]), question("q4", &[])] },
    ];
    let verdict = Some(false);
    let hybrid = vec![
        vec![asked(&["1"], verdict), asked(&["9", "2"], verdict)],
        vec![asked(&["3"], verdict), asked(&["8"], verdict)],
    ];
    let naive =
        vec![vec![asked(&["7"], None), asked(&["2"], None)], vec![asked(&["6"], None), asked(&["6"], None)]];
    let settings = Settings { model: "hash".into(), k: 10, seed: 1, split: None };
    Summary::new(settings, &files, &[(EvalMode::Naive, naive), (EvalMode::Hybrid, hybrid)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_count_once_and_verdicts_by_question() {
        let summary = example();
        let of = |measure| summary.mean(EvalMode::Hybrid, measure).unwrap();
        // Files: (1 + 0) / 2 and 0.5; reciprocal ranks (1 + 1/2) / 2 and 0.5.
        assert_eq!((of(Measure::Hit1), of(Measure::Mrr)), (0.5, 0.625));
        assert_eq!((of(Measure::Abstain), of(Measure::FalseAbstain)), (0.0, 0.0));
        assert_eq!(summary.mean(EvalMode::Naive, Measure::Abstain), None);
        assert_eq!(summary.mean(EvalMode::Lexical, Measure::Hit1), None);
        assert_eq!((summary.files[1].answerable, summary.files[1].negatives), (1, 1));
        let difference = &summary.hybrid_over[0];
        assert_eq!((difference.over, difference.mrr.value), (EvalMode::Naive, 0.375));
    }

    #[test]
    fn misses_say_what_came_instead() {
        let summary = example();
        let missed: Vec<_> =
            summary.modes[1].missed.iter().map(|miss| (miss.id.as_str(), &miss.came)).collect();
        assert_eq!(missed, [("q3", &vec!["3".to_owned()]), ("q4", &vec!["8".to_owned()])]);
    }

    #[test]
    fn tags_are_counted_over_all_files() {
        let summary = example();
        let tag = &summary.modes[1].tags[0];
        assert_eq!((tag.tag.as_str(), tag.questions, tag.figures[&Measure::Hit1]), ("lookup", 4, 0.5));
    }
}
