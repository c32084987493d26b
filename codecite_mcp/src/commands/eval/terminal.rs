//! The figures for a person at a terminal.

use std::collections::BTreeMap;

use super::bootstrap::Figure;
use super::gate::Gate;
use super::measures::Measure;
use super::summary::{Miss, ModeSummary, Row, Summary};
use crate::output;

/// Measures whose intervals are shown.
const WITH_INTERVAL: [Measure; 3] = [Measure::Hit1, Measure::Hit5, Measure::Mrr];

/// One line for each file and mode, the means, what they rest on, misses where they are wanted, limits.
pub fn render(summary: &Summary, gates: &[Gate], misses: bool) -> String {
    let mut out = table(summary);
    out.push('\n');
    for mode in &summary.modes {
        out.push_str(&intervals(mode));
    }
    for difference in &summary.hybrid_over {
        let Figure { value, low, high, .. } = difference.mrr;
        out.push_str(&format!(
            "hybrid over {}: mrr {value:+.3} ({low:+.3} to {high:+.3}), not better in {:.1} % of draws\n",
            difference.over.as_str(),
            100.0 * difference.not_better
        ));
    }
    if misses {
        for mode in &summary.modes {
            out.push_str(&format!("\n{}\n", output::bold(&format!("missed, {}", mode.mode.as_str()))));
            mode.missed.iter().for_each(|miss| out.push_str(&missed(miss)));
        }
    }
    for gate in gates {
        let word = if gate.holds { "holds" } else { "FAILS" };
        out.push_str(&format!("{word}: {}\n", gate.text));
    }
    out
}

fn table(summary: &Summary) -> String {
    let mut head = vec!["file", "mode", "questions"];
    head.extend(Measure::ALL.map(short));
    head.extend(["p50 ms", "p95 ms"]);
    let mut rows = Vec::new();
    for (place, file) in summary.files.iter().enumerate() {
        let questions = format!("{}+{}", file.answerable, file.negatives);
        for mode in &summary.modes {
            rows.extend(mode.files.get(place).map(|row| line(&file.name, mode, &questions, row)));
        }
    }
    if summary.files.len() > 1 {
        let total = |of: fn(&super::summary::FileSize) -> usize| summary.files.iter().map(of).sum::<usize>();
        let questions = format!("{}+{}", total(|file| file.answerable), total(|file| file.negatives));
        let name = format!("mean of {}", summary.files.len());
        rows.extend(summary.modes.iter().map(|mode| line(&name, mode, &questions, &mode.mean)));
    }
    output::table(&head, &rows)
}

/// Names that keep the table narrow.
fn short(measure: Measure) -> &'static str {
    match measure {
        Measure::FalseAbstain => "wrongly",
        other => other.name(),
    }
}

fn line(name: &str, mode: &ModeSummary, questions: &str, row: &Row) -> Vec<String> {
    let mut cells = vec![name.to_owned(), mode.mode.as_str().to_owned(), questions.to_owned()];
    cells.extend(Measure::ALL.map(|measure| cell(&row.figures, measure)));
    cells.extend([format!("{:.1}", row.p50_ms), format!("{:.1}", row.p95_ms)]);
    cells
}

/// A figure, or `-` where there is none.
pub fn cell(figures: &BTreeMap<Measure, Figure>, measure: Measure) -> String {
    figures.get(&measure).map_or("-".to_owned(), |figure| format!("{:.3}", figure.value))
}

fn intervals(mode: &ModeSummary) -> String {
    let shown = WITH_INTERVAL.iter().filter_map(|measure| {
        let Figure { low, high, .. } = mode.mean.figures.get(measure)?;
        Some(format!("{measure} {low:.3} to {high:.3}"))
    });
    format!("{}, 95 % intervals: {}\n", mode.mode.as_str(), shown.collect::<Vec<_>>().join(", "))
}

fn missed(miss: &Miss) -> String {
    let text = format!("{} {}: {}", miss.file, miss.id, instead(miss));
    output::wrap(&output::clean(&text), output::width(), "  ")
}

/// The question, and what came instead of what was expected.
pub fn instead(miss: &Miss) -> String {
    let expected = if miss.expected.is_empty() { "not_covered".to_owned() } else { miss.expected.join(", ") };
    let came = if miss.came.is_empty() { "nothing".to_owned() } else { miss.came.join(", ") };
    let verdict = match (miss.abstained, &miss.note) {
        (Some(true), Some(note)) => format!("; not_covered: {note}"),
        (Some(true), None) => "; not_covered".to_owned(),
        _ => String::new(),
    };
    format!("{} Expected {expected}; came {came}{verdict}", miss.question)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::eval::summary::example;

    #[test]
    fn shows_files_means_misses_and_limits() {
        let gates = [Gate { text: "hybrid mrr 0.625, at least 0.7".into(), holds: false }];
        let text = render(&example(), &gates, true);
        for expected in [
            "a&b        hybrid  2+0        0.500  1.000",
            "mean of 2  naive   3+1        0.250",
            "hybrid over naive: mrr +0.375 (",
            "c q4: What of <q4>? Expected not_covered; came 8",
            "FAILS: hybrid mrr 0.625, at least 0.7",
        ] {
            assert!(text.contains(expected), "{expected} is missing in:\n{text}");
        }
        assert!(!render(&example(), &[], false).contains("q4"));
    }
}
