//! Footnotes at the foot of a column.

use super::lines::Line;

/// Cuts the footnotes off the end of a column: smaller lines, of which the first begins with a raised mark.
pub(super) fn split(mut lines: Vec<Line>) -> (Vec<Line>, Vec<Vec<Line>>) {
    let Some(body) = lines.first().map(|line| line.size) else {
        return (lines, Vec::new());
    };
    let small = |line: &Line| line.size < body - 0.7;
    let tail = lines.iter().rev().take_while(|line| small(line)).count();
    let start = lines.len() - tail;
    if start == 0 || !lines.get(start).is_some_and(has_mark) {
        return (lines, Vec::new());
    }
    let mut notes: Vec<Vec<Line>> = Vec::new();
    for line in lines.split_off(start) {
        match notes.last_mut() {
            Some(note) if !has_mark(&line) => note.push(line),
            _ => notes.push(vec![line]),
        }
    }
    (lines, notes)
}

/// A raised number, a star or a dagger at the beginning.
fn has_mark(line: &Line) -> bool {
    let Some(first) = line.words.first() else {
        return false;
    };
    let raised = first.size < 0.8 * line.size && first.text.chars().all(|c| c.is_ascii_alphanumeric());
    raised || first.text.starts_with(['*', '†', '‡'])
}
