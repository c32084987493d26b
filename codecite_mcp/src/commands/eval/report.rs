//! The figures as Markdown, with a plot beside it: the same for the same data and seed, but for the times.

use std::collections::BTreeMap;
use std::path::Path;

use super::bootstrap::Figure;
use super::measures::Measure;
use super::plot;
use super::summary::{ModeSummary, Row, Summary};
use super::terminal::{cell, instead};
use crate::fault::{Fault, Kind};

/// The lines between which a report may be written anew.
const BEGIN: &str = "<!-- codecite eval: begin -->";
const END: &str = "<!-- codecite eval: end -->";
/// Measures whose intervals are shown.
const WITH_INTERVAL: [Measure; 5] =
    [Measure::Hit1, Measure::Hit5, Measure::Mrr, Measure::Ndcg10, Measure::Abstain];
/// Measures of a tag.
const OF_TAG: [Measure; 4] = [Measure::Hit1, Measure::Hit5, Measure::Mrr, Measure::Abstain];

/// Whether a report can be written there.
///
/// # Errors
/// `Input`: the folder is missing, or the file is another text without a place for figures.
pub fn check(path: &Path) -> Result<(), Fault> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if folder.is_some_and(|folder| !folder.is_dir()) {
        return Err(fault(path, "its folder does not exist", "Make the folder."));
    }
    placed(path, "").map(drop)
}

/// Writes the report and the plot.
pub fn write(path: &Path, summary: &Summary, files: &[String], misses: bool) -> Result<(), Fault> {
    let plot = path.with_extension("svg");
    let image = plot.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let text = placed(path, &render(summary, files, &image, misses))?;
    for (path, text) in [(path, text), (&plot, plot::render(summary))] {
        std::fs::write(path, text)
            .map_err(|error| fault(path, &error.to_string(), "Name a file that can be written."))?;
    }
    Ok(())
}

fn fault(path: &Path, problem: &str, next: &str) -> Fault {
    Fault::new(Kind::Input, format!("the report {} cannot be written: {problem}", path.display()), next)
}

/// The file as it is, with the figures in their place.
fn placed(path: &Path, figures: &str) -> Result<String, Fault> {
    match std::fs::read_to_string(path) {
        Ok(existing) => place(&existing, figures).ok_or_else(|| {
            let next =
                format!("Name a new file, or put the lines {BEGIN} and {END} where the figures belong.");
            fault(path, "there is another text already", &next)
        }),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Ok(format!("# Quality of answers\n\n{BEGIN}\n{figures}{END}\n"))
        }
        Err(error) => Err(fault(path, &error.to_string(), "Name a text file.")),
    }
}

/// Replaces what stands between the two lines; words that only name them are no lines.
fn place(existing: &str, figures: &str) -> Option<String> {
    let is_line = |marker: &str, line: &str| line.trim_end() == marker;
    let lines: Vec<&str> = existing.split_inclusive('\n').collect();
    let begin = lines.iter().position(|line| is_line(BEGIN, line))?;
    let behind = lines.iter().skip(begin).position(|line| is_line(END, line))?;
    let before: String = lines.iter().take(begin).copied().collect();
    let after: String = lines.iter().skip(begin + behind + 1).copied().collect();
    Some(format!("{before}{BEGIN}\n{figures}{END}\n{after}"))
}

fn render(summary: &Summary, files: &[String], image: &str, misses: bool) -> String {
    let mut out = opening(summary, image);
    if summary.files.len() > 1 {
        out.push_str(&format!("\n### Mean over {} files\n\n", summary.files.len()));
        out.push_str("Each file counts once; abstaining is counted over all questions.\n\n");
        let rows = summary.modes.iter().map(|mode| measured(vec![name(mode)], &mode.mean));
        out.push_str(&table(&measure_head(&["mode"]), rows));
    }
    out.push_str("\n### 95 % intervals\n\n");
    out.push_str(&table(&head(&["mode"], &WITH_INTERVAL), summary.modes.iter().map(intervals)));
    if !summary.hybrid_over.is_empty() {
        out.push_str("\n### Hybrid beside the other modes\n\n");
        let rows = summary.hybrid_over.iter().map(|difference| {
            let Figure { value, low, high, .. } = difference.mrr;
            let share = format!("{:.1} %", 100.0 * difference.not_better);
            vec![
                difference.over.as_str().into(),
                format!("{value:+.3}"),
                format!("{low:+.3} to {high:+.3}"),
                share,
            ]
        });
        out.push_str(&table(
            &["over", "MRR", "95 % interval", "draws in which it is not better"].map(String::from),
            rows,
        ));
    }
    out.push_str("\n### Each file\n\n");
    out.push_str(&table(&measure_head(&["file", "mode"]), each_file(summary)));
    out.push_str("\n### Each tag\n\n");
    out.push_str(&table(&head(&["tag", "questions", "mode"], &OF_TAG), each_tag(summary)));
    out.push_str(
        "\n### Times\n\nMilliseconds of an answer, from the call to its rows; another run gives others.\n\n",
    );
    let times = |mode: &ModeSummary| {
        vec![name(mode), format!("{:.1}", mode.mean.p50_ms), format!("{:.1}", mode.mean.p95_ms)]
    };
    out.push_str(&table(&["mode", "median", "95 %"].map(String::from), summary.modes.iter().map(times)));
    if misses {
        out.push_str(&missed(summary));
    }
    out.push_str(&format!("\n### Reproduce\n\n```\n{}\n```\n", command(summary, files, misses)));
    out
}

fn opening(summary: &Summary, image: &str) -> String {
    let (mut answerable, mut negatives) = (0, 0);
    for file in &summary.files {
        (answerable, negatives) = (answerable + file.answerable, negatives + file.negatives);
    }
    let split = summary.settings.split.map_or("all".to_owned(), |split| format!("{split:?}").to_lowercase());
    format!(
        "{answerable} questions with an answer and {negatives} without, in {} file(s), split: {split}. Model in use: {}. \
         Intervals: {} draws, seed {}.\n\n![hit@1, hit@5 and MRR of each file and mode]({image})\n",
        summary.files.len(),
        summary.settings.model,
        summary.resamples,
        summary.settings.seed,
    )
}

fn name(mode: &ModeSummary) -> String {
    mode.mode.as_str().to_owned()
}

fn head(first: &[&str], measures: &[Measure]) -> Vec<String> {
    first.iter().map(|&word| word.to_owned()).chain(measures.iter().map(ToString::to_string)).collect()
}

fn measure_head(first: &[&str]) -> Vec<String> {
    head(first, &Measure::ALL)
}

fn measured(mut cells: Vec<String>, row: &Row) -> Vec<String> {
    cells.extend(Measure::ALL.map(|measure| cell(&row.figures, measure)));
    cells
}

fn intervals(mode: &ModeSummary) -> Vec<String> {
    let interval = |measure: &Measure| match mode.mean.figures.get(measure) {
        Some(figure) => format!("{:.3} to {:.3}", figure.low, figure.high),
        None => "-".to_owned(),
    };
    std::iter::once(name(mode)).chain(WITH_INTERVAL.iter().map(interval)).collect()
}

fn each_file(summary: &Summary) -> impl Iterator<Item = Vec<String>> {
    summary.files.iter().enumerate().flat_map(|(place, file)| {
        let row = move |mode: &ModeSummary| {
            mode.files.get(place).map(|row| measured(vec![file.name.clone(), name(mode)], row))
        };
        summary.modes.iter().filter_map(row)
    })
}

/// The tags in order, and in each the modes.
fn each_tag(summary: &Summary) -> impl Iterator<Item = Vec<String>> {
    let mut rows: BTreeMap<(String, usize), Vec<String>> = BTreeMap::new();
    for (place, mode) in summary.modes.iter().enumerate() {
        for row in &mode.tags {
            let figure = |measure: &Measure| {
                row.figures.get(measure).map_or("-".into(), |value| format!("{value:.3}"))
            };
            let cells = [row.tag.clone(), row.questions.to_string(), name(mode)];
            let cells = cells.into_iter().chain(OF_TAG.iter().map(figure)).collect();
            rows.insert((row.tag.clone(), place), cells);
        }
    }
    rows.into_values()
}

fn missed(summary: &Summary) -> String {
    let mut out = String::new();
    for mode in &summary.modes {
        out.push_str(&format!("\n### Missed, {}\n\n", mode.mode.as_str()));
        for miss in &mode.missed {
            out.push_str(&format!(
                "- {} {}: {}\n",
                escape(&miss.file),
                escape(&miss.id),
                escape(&instead(miss))
            ));
        }
    }
    out
}

/// The command line with the names of the files, without their folders.
fn command(summary: &Summary, files: &[String], misses: bool) -> String {
    let last = |file: &String| file.rsplit('/').next().unwrap_or(file).to_owned();
    let modes: Vec<&str> = summary.modes.iter().map(|mode| mode.mode.as_str()).collect();
    let files = files.iter().map(last).collect::<Vec<_>>().join(" ");
    let split =
        summary.settings.split.map_or(String::new(), |split| format!(" --split {split:?}").to_lowercase());
    format!(
        "codecite eval {files} --modes {}{split} --k {} --seed {}{} --report FILE",
        modes.join(","),
        summary.settings.k,
        summary.settings.seed,
        if misses { " --misses" } else { "" },
    )
}

fn table(head: &[String], rows: impl Iterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| escape(cell)).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let mut out = line(head);
    out.push_str(&format!("|{}\n", "---|".repeat(head.len())));
    rows.for_each(|row| out.push_str(&line(&row)));
    out
}

/// What Markdown and HTML would read as more than text.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '&' => out.push_str("&amp;"),
            '|' | '*' | '`' | '[' | '\\' => out.extend(['\\', c]),
            '\n' | '\r' => out.push(' '),
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::eval::summary::example;

    #[test]
    fn holds_every_table_and_how_to_make_it_again() {
        let text = render(&example(), &["x/a.yaml".into(), "c.yaml".into()], "report.svg", true);
        for expected in [
            "3 questions with an answer and 1 without, in 2 file(s), split: all. Model in use: hash.",
            "![hit@1, hit@5 and MRR of each file and mode](report.svg)",
            "| hybrid | 0.500 | 0.750 | 0.750 | 0.750 | 0.625 |",
            "| naive | 0.250 |",
            "| naive | +0.375 | ",
            "| a&amp;b | hybrid | 0.500 | 1.000 |",
            "| lookup | 4 | naive | 0.333 | 0.333 | 0.333 | - |",
            "- c q4: What of &lt;q4>? Expected not\\_covered; came 8",
            "codecite eval a.yaml c.yaml --modes naive,hybrid --k 10 --seed 1 --misses --report FILE",
        ] {
            let expected = expected.replace("\\_", "_");
            assert!(text.contains(&expected), "{expected} is missing in:\n{text}");
        }
    }

    #[test]
    fn the_same_run_gives_the_same_report() {
        let of = || render(&example(), &[], "x.svg", true);
        assert_eq!(of(), of());
    }

    #[test]
    fn only_figures_are_replaced() {
        let folder = std::env::temp_dir().join(format!("codecite-report-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("report.md");
        write(&path, &example(), &[], false).unwrap();
        let first = std::fs::read_to_string(&path).unwrap();
        assert!(first.contains("(report.svg)") && folder.join("report.svg").exists());
        let around = format!("Between {BEGIN} and {END}.\n{first}Words behind.\n");
        std::fs::write(&path, &around).unwrap();
        write(&path, &example(), &[], false).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), around);
        std::fs::write(&path, around.replace(&format!("\n{END}\n"), "\n")).unwrap();
        assert!(check(&path).is_err());
        std::fs::write(&path, "Another text.\n").unwrap();
        assert!(check(&path).unwrap_err().message.contains("another text"));
        assert!(write(&path, &example(), &[], false).is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "Another text.\n");
        assert!(check(&folder.join("none/report.md")).unwrap_err().message.contains("folder"));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
