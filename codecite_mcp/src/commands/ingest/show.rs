//! What an ingest tells: bars, faults and warnings on standard error, trees and the summary on standard output.

use std::io::IsTerminal;
use std::path::Path;

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::Outcome;
use crate::api::Previewed;
use crate::commands::print;
use crate::output;

/// What a person sees while the files are taken.
pub struct Show {
    /// How many files there are.
    pub total: usize,
    is_quiet: bool,
    bars: MultiProgress,
}

impl Show {
    /// Bars are drawn on a terminal only.
    pub fn new(total: usize, is_quiet: bool) -> Show {
        let is_drawn = !is_quiet && std::io::stderr().is_terminal();
        let target = if is_drawn { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        Show { total, is_quiet, bars: MultiProgress::with_draw_target(target) }
    }

    /// The bar of a file.
    pub fn begin(&self, place: usize, path: &Path) -> ProgressBar {
        let name = output::clean(&path.display().to_string());
        if !self.is_quiet {
            self.bars.suspend(|| eprintln!("[{place}/{}] {name}", self.total));
        }
        let bar = self.bars.add(ProgressBar::new(100));
        if let Ok(style) = ProgressStyle::with_template("  {bar:30} {percent:>3} %  {msg}") {
            bar.set_style(style);
        }
        bar
    }

    /// Tells of one file as soon as it is done.
    pub fn outcome(&self, outcome: &Outcome) {
        if !self.is_quiet {
            self.bars.suspend(|| say(outcome));
        }
    }
}

fn say(outcome: &Outcome) {
    for notice in &outcome.notices {
        eprintln!("  notice: {}", output::clean(notice));
    }
    if let Some(fault) = &outcome.error {
        let text = if outcome.result == "unchanged" { fault.message.clone() } else { fault.to_string() };
        eprint!("{}", output::wrap(&output::clean(&text), output::width(), "  "));
    }
    if let Some(report) = &outcome.report {
        if let Some(old) = &report.superseded {
            eprintln!("  supersedes {old}");
        }
        for warning in &report.warnings {
            eprint!("{}", output::wrap(&format!("warning: {warning}"), output::width(), "  "));
        }
    }
    if !outcome.sections.is_empty() {
        print(&tree(&outcome.sections));
    }
}

/// The sections that an ingest would make, indented by depth, with warnings below.
fn tree(sections: &[Previewed]) -> String {
    let mut out = String::new();
    for section in sections {
        if let Some(warning) = &section.warning {
            out.push_str(&output::wrap(&format!("warning: {warning}"), output::width(), "  "));
            continue;
        }
        let indent = "  ".repeat(usize::try_from(section.depth).unwrap_or(0).min(12) + 1);
        let parts = [section.number.as_deref(), section.title.as_deref()];
        let name: Vec<&str> = parts.into_iter().flatten().collect();
        let name = if name.is_empty() { format!("({})", section.kind) } else { name.join("  ") };
        let pages = output::pages(section.page_from, section.page_to)
            .map(|pages| format!("  {pages}"))
            .unwrap_or_default();
        out.push_str(&format!("{indent}{name}{pages}\n"));
    }
    out
}

/// The table of what became of each file.
pub fn summary(outcomes: &[Outcome]) -> String {
    let head =
        ["file", "result", "pages", "sections", "tables", "exceptions", "chunks", "pending", "seconds"];
    let rows: Vec<Vec<String>> = outcomes
        .iter()
        .map(|outcome| {
            let name = Path::new(&outcome.path).file_name().map(|name| name.to_string_lossy().into_owned());
            let mut row =
                vec![output::clean(&name.unwrap_or_else(|| outcome.path.clone())), outcome.result.to_owned()];
            let counts = outcome
                .report
                .as_ref()
                .map(|r| [r.pages, r.sections, r.tables, r.exceptions, r.chunks, r.pending]);
            match counts {
                Some(counts) => row.extend(counts.iter().map(ToString::to_string)),
                None => row.extend(std::iter::repeat_n(String::new(), 6)),
            }
            row.push(format!("{:.1}", outcome.seconds));
            row
        })
        .collect();
    let count = |result: &str| outcomes.iter().filter(|outcome| outcome.result == result).count();
    let mut out = output::table(&head, &rows);
    out.push_str(&format!(
        "\n{} ingested, {} unchanged, {} failed\n",
        count("ingested"),
        count("unchanged"),
        count("failed")
    ));
    if outcomes.iter().any(|outcome| outcome.report.as_ref().is_some_and(|report| report.pending > 0)) {
        out.push_str("Pending chunks are found by their words until CALL codecite.embed_pending();\n");
    }
    out
}
