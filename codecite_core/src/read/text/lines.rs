//! The lines of a text, measured in columns.

use super::paragraph::ends_sentence;
use crate::error::Result;
use crate::work::{Stage, Work};

/// Bytes between two reports of progress.
const TICK_BYTES: usize = 1 << 18;
/// Columns from one tab stop to the next.
const TAB: usize = 8;

/// A line; of blank lines in a row only one is kept.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line<'t> {
    /// As it stands in the file, without white space at its end.
    pub source: &'t str,
    /// Without white space around it; empty for a blank line.
    pub text: &'t str,
    /// The column in which it begins.
    pub indent: usize,
    /// The column in which it ends.
    pub end: usize,
    /// Counted from 1 in form feeds.
    pub page: u32,
}

/// Cuts a text into lines.
///
/// # Errors
/// The limit on memory.
pub(super) fn lines<'t>(text: &'t str, work: &mut Work<'_>) -> Result<Vec<Line<'t>>> {
    let mut out: Vec<Line<'t>> = Vec::new();
    let mut booked = 0;
    let (mut seen, mut ticked) = (0, 0);
    for (page, sheet) in (1u32..).zip(text.split('\u{c}')) {
        let mut is_first = page > 1;
        for source in sheet.split('\n') {
            let line = measure(source.trim_end(), page);
            seen += source.len() + 1;
            if seen >= ticked + TICK_BYTES {
                ticked = seen;
                work.tick(Stage::Read, seen.min(text.len()) as u64, 2 * text.len() as u64)?;
            }
            if is_first && !line.text.is_empty() {
                is_first = false;
                // The blank lines around a form feed do not end a sentence.
                let before = out.iter().rev().find(|line| !line.text.is_empty());
                if line.text.starts_with(char::is_lowercase) && before.is_some_and(|l| !ends_sentence(l.text))
                {
                    out.pop_if(|line| line.text.is_empty());
                }
            }
            if line.text.is_empty() && out.last().is_none_or(|last| last.text.is_empty()) {
                continue;
            }
            if out.len() == out.capacity() {
                let bytes = (out.len().max(1024) * 2 * size_of::<Line<'_>>()) as u64;
                work.charge_memory(bytes - booked)?;
                booked = bytes;
            }
            out.push(line);
        }
    }
    Ok(out)
}

fn measure(source: &str, page: u32) -> Line<'_> {
    let text = source.trim_start();
    let (blank, rest) = source.split_at(source.len() - text.len());
    let indent = blank.chars().fold(0, advance);
    let end = if rest.is_ascii() && !rest.contains('\t') {
        indent + rest.len()
    } else {
        rest.chars().fold(indent, advance)
    };
    Line { source, text, indent, end, page }
}

fn advance(column: usize, c: char) -> usize {
    if c == '\t' { (column / TAB + 1) * TAB } else { column + 1 }
}

impl Line<'_> {
    /// True for a line of nothing but dashes or the like.
    pub fn is_rule(&self) -> bool {
        let first = self.text.chars().next().filter(|c| "=-_*~—–─═".contains(*c));
        let alike = |first: char| self.text.chars().all(|c| c == first || c == ' ');
        first.is_some_and(alike) && self.text.chars().filter(|c| *c != ' ').count() >= 3
    }

    /// True for a rule that is as long as the line above it.
    pub fn underlines(&self, above: &Line<'_>) -> bool {
        self.text.starts_with(['=', '-'])
            && self.indent.abs_diff(above.indent) <= 2
            && self.end.abs_diff(above.end) <= 2
    }
}
