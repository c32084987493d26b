//! Tables in fixed pitch: lines with gaps in them.

use std::ops::Range;

use super::lines::Line;
use super::paragraph::ends_sentence;
use crate::read::marker::{Marker, marker};

/// Columns of a gap between cells.
const GAP: usize = 3;
/// The longest number or mark that a gap sets off, and the widest such gap.
const MAX_MARK: usize = 14;
const MAX_MARK_GAP: usize = 10;
/// A line that begins further right than this is a cell under others.
const DEEP: usize = 24;
/// Lines of one column that may stand between two lines with gaps.
const MAX_BETWEEN: usize = 12;

/// Ranges of lines that are tables.
pub(super) fn tables(lines: &[Line<'_>], width: Option<usize>) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    let mut open: Option<Found> = None;
    for (index, line) in lines.iter().enumerate() {
        let shape = shape(line, width);
        if matches!(shape, Shape::Row) {
            match &mut open {
                Some(found) => (found.last, found.rows) = (index, found.rows + 1),
                None => open = Some(Found { first: before(lines, index, width), last: index, rows: 1 }),
            }
        } else if let Some(found) =
            open.as_ref().filter(|found| matches!(shape, Shape::Prose) || index - found.last > MAX_BETWEEN)
        {
            out.extend(found.range(lines, width));
            open = None;
        }
    }
    out.extend(open.and_then(|found| found.range(lines, width)));
    out
}

struct Found {
    first: usize,
    last: usize,
    rows: usize,
}

impl Found {
    fn range(&self, lines: &[Line<'_>], width: Option<usize>) -> Option<Range<usize>> {
        let below = lines.iter().skip(self.last + 1).take(MAX_BETWEEN);
        let end = self.last + 1 + below.take_while(|line| is_fragment(line, width)).count();
        (self.rows > 1).then_some(self.first..end)
    }
}

/// Where a table begins whose first line with a gap is `index`: cells above the others have lines of their own.
fn before(lines: &[Line<'_>], index: usize, width: Option<usize>) -> usize {
    let above = lines.get(..index).unwrap_or_default().iter().rev();
    index - above.take(MAX_BETWEEN).take_while(|line| is_fragment(line, width) && line.indent >= DEEP).count()
}

enum Shape {
    /// Has gaps.
    Row,
    /// May be a part of a table.
    Between,
    /// Ends a table.
    Prose,
}

fn shape(line: &Line<'_>, width: Option<usize>) -> Shape {
    if line.text.is_empty() {
        return Shape::Prose;
    }
    let ruled = line.text.starts_with(['|', '+', '│', '├', '┌', '└', '╔', '║'])
        && line.text.ends_with(['|', '+', '│', '┤', '┐', '┘', '╗', '║']);
    if ruled && line.text.len() > 1 || has_gap(line.text) {
        return Shape::Row;
    }
    if line.is_rule() || is_fragment(line, width) {
        return Shape::Between;
    }
    Shape::Prose
}

/// A short line or one far to the right, which may be part of a cell.
fn is_fragment(line: &Line<'_>, width: Option<usize>) -> bool {
    let width = width.unwrap_or(80).max(60);
    !line.text.is_empty()
        && (line.indent >= DEEP && line.text.contains(char::is_lowercase)
            || (line.end - line.indent) * 3 < width)
        && !line.is_rule()
        && !matches!(marker(line.text), Marker::Section | Marker::Part | Marker::Exception)
}

/// True for text with a gap that does not just set off the mark in front of it.
pub(super) fn has_gap(text: &str) -> bool {
    if !may_have_gap(text.as_bytes()) {
        return false;
    }
    let mut gap = 0;
    let mut words_end = 0;
    let mut narrow = 0;
    for (at, c) in text.char_indices() {
        if c.is_whitespace() {
            gap += if c == '\t' { GAP } else { 1 };
            continue;
        }
        if gap >= GAP {
            let before = text.get(..words_end).unwrap_or_default();
            // Space around "[ ← ]", an editor's mark, is none between cells.
            let is_mark = gap <= MAX_MARK_GAP && is_mark(before) || before.ends_with(']') || c == '[';
            if !is_mark {
                return true;
            }
        }
        // Two spaces may stand after a sentence; elsewhere, twice in a line, they are between columns.
        let before = text.get(..words_end).unwrap_or_default();
        narrow += usize::from(gap == 2 && !ends_sentence(before) && !is_mark(before));
        if narrow > 1 {
            return true;
        }
        gap = 0;
        words_end = at + c.len_utf8();
    }
    false
}

/// False for text in which surely no white space follows other white space: most lines.
fn may_have_gap(text: &[u8]) -> bool {
    let may_be_blank = |byte: u8| (byte <= b' ') | (byte >= 0x80);
    let pairs = text.iter().zip(text.iter().skip(1));
    pairs.fold(text.contains(&b'\t'), |any, (a, b)| any | (may_be_blank(*a) & may_be_blank(*b)))
}

/// True for one word that is a number, a letter or ends as marks do.
fn is_mark(word: &str) -> bool {
    word.len() <= MAX_MARK
        && !word.contains(char::is_whitespace)
        && (word.contains(|c: char| c.is_ascii_digit())
            || word.ends_with(['.', ')', ':', '—', '–'])
            || word.len() <= 3)
}
