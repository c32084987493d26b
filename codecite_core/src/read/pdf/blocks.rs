//! Lines into paragraphs, list items and headings.

use std::collections::{HashMap, VecDeque};

use super::body::Column;
use super::floats::{Body, Float};
use super::lines::Line;
use super::packed::PackedLines;
use super::sentence::{awaits_number, is_terminal};
use super::table::PlacedTable;
use crate::read::marker::{Marker, marker};

/// Lines of one paragraph; what seems to go on longer is cut, since a paragraph is held whole.
const MAX_LINES: usize = 2_000;

/// A piece of the document, in reading order.
#[derive(Debug)]
pub(super) enum Item {
    /// Lines of one paragraph.
    Lines(PackedLines),
    /// Lines of one footnote.
    Note(PackedLines),
    /// A table and the page it begins on.
    Table(Box<PlacedTable>),
    /// Lines of one note under the table before it.
    TableNote(PackedLines),
    /// The labels of a figure, whose caption stands before it.
    Labels(Vec<PackedLines>),
}

/// What the reading order yields: lines, floats, and where a column begins.
#[derive(Debug)]
pub(super) enum Flow {
    Line(Line),
    Float(Box<Float>),
    /// Lines of a footnote, which the text around it runs past.
    Note(Vec<Line>),
    /// Another column or page begins.
    Break(Column),
}

/// Distances between lines, by size of type.
#[derive(Debug, Default)]
pub(super) struct Leading {
    common: HashMap<i32, f32>,
}

/// Distances seen so far: for each size, how often each.
#[derive(Debug, Default)]
pub(super) struct Distances(HashMap<i32, HashMap<i32, u32>>);

impl Distances {
    /// Learns from the lines of a page.
    pub fn learn(&mut self, flow: &[Flow]) {
        for pair in flow.windows(2) {
            let [Flow::Line(a), Flow::Line(b)] = pair else {
                continue;
            };
            let gap = b.y - a.y;
            if (a.size - b.size).abs() < 0.5 && gap > 0.5 * a.size && gap < 3.0 * a.size {
                *self.0.entry(key(a.size)).or_default().entry((gap * 4.0).round() as i32).or_default() += 1;
            }
        }
    }
}

impl Leading {
    /// For each size the commonest distance counts.
    pub fn of(distances: Distances) -> Leading {
        let mut common = HashMap::new();
        for (size, gaps) in distances.0 {
            let most = gaps.iter().max_by_key(|(gap, count)| (**count, -**gap));
            if let Some((gap, _)) = most {
                common.insert(size, *gap as f32 / 4.0);
            }
        }
        Leading { common }
    }

    fn get(&self, size: f32) -> f32 {
        self.common.get(&key(size)).copied().unwrap_or(size * 1.2).max(size * 0.9)
    }
}

fn key(size: f32) -> i32 {
    (size * 2.0).round() as i32
}

/// Cuts the flow into blocks.
pub(super) fn blocks(flow: impl Iterator<Item = Flow>, leading: &Leading) -> Vec<Item> {
    let mut out = Vec::new();
    let mut open: Vec<Line> = Vec::new();
    let mut broken = false;
    // Notes and floats wait until the paragraph that they interrupt has ended.
    let mut waiting: Vec<Item> = Vec::new();
    let mut flow = flow.peekable();
    let mut ahead: VecDeque<Flow> = VecDeque::new();
    while let Some(piece) = ahead.pop_front().or_else(|| flow.next()) {
        match piece {
            Flow::Break(_) => broken = true,
            Flow::Note(lines) => waiting.push(Item::Note(PackedLines::of(&lines))),
            Flow::Float(float) => {
                while ahead.back().is_none_or(|piece| !matches!(piece, Flow::Line(_)))
                    && let Some(next) = flow.next()
                {
                    ahead.push_back(next);
                }
                if interrupts(&open, broken, &ahead) {
                    waiting.extend(items_of(*float));
                    broken = true;
                    continue;
                }
                close(&mut open, &mut out);
                out.append(&mut waiting);
                take_float(*float, &mut out);
                broken = false;
            }
            Flow::Line(line) => {
                let goes_on = match open.last() {
                    None => true,
                    Some(_) if open.len() >= MAX_LINES => false,
                    Some(prev) if broken => continues_over_break(&open, prev, &line),
                    Some(prev) => !opens(&open, prev, &line, leading),
                };
                if !goes_on {
                    close(&mut open, &mut out);
                    out.append(&mut waiting);
                }
                open.push(line);
                broken = false;
            }
        }
    }
    close(&mut open, &mut out);
    out.append(&mut waiting);
    out
}

/// A float at the end of a column or the beginning of the next, which the open paragraph runs past.
fn interrupts(open: &[Line], broken: bool, ahead: &VecDeque<Flow>) -> bool {
    let breaks = broken || ahead.iter().any(|piece| matches!(piece, Flow::Break(_)));
    match (open.last(), ahead.back()) {
        (Some(prev), Some(Flow::Line(line))) => breaks && continues_over_break(open, prev, line),
        _ => false,
    }
}

fn items_of(float: Float) -> Vec<Item> {
    let mut out = Vec::new();
    if !float.caption.is_empty() {
        out.push(Item::Lines(float.caption));
    }
    out.push(match float.body {
        Body::Table(table) => Item::Table(Box::new(table)),
        Body::Labels(labels) => Item::Labels(labels),
    });
    out.extend(float.notes.into_iter().map(Item::TableNote));
    out
}

/// Appends a float, unless it is the rest of the table before it.
fn take_float(float: Float, out: &mut Vec<Item>) {
    if let Body::Table(table) = &float.body {
        // "TABLE 307.1 (continued)" stands for the caption above.
        let mut at = out.len();
        let mut heads: Vec<String> = Vec::new();
        if !float.caption.is_empty() {
            heads.push(joined(&float.caption.unpack()));
        } else if let [.., Item::Lines(lines)] = out.as_slice() {
            heads.push(joined(&lines.unpack()));
            at -= 1;
        }
        if heads.iter().any(|head| !is_continued(head)) {
            heads.clear();
            at = if float.caption.is_empty() { out.len() } else { usize::MAX };
        }
        let before = out.get_mut(..at).unwrap_or_default();
        let notes = before.iter().rev().take_while(|item| matches!(item, Item::TableNote(_))).count();
        let last = before.len().checked_sub(notes + 1).and_then(|i| before.get_mut(i));
        if let Some(Item::Table(last)) = last
            && last.append(table)
        {
            last.dropped.extend(heads.into_iter().map(|head| (table.first_page(), head)));
            out.truncate(at);
            out.extend(float.notes.into_iter().map(Item::TableNote));
            return;
        }
    }
    out.extend(items_of(float));
}

fn close(open: &mut Vec<Line>, out: &mut Vec<Item>) {
    if !open.is_empty() {
        out.push(Item::Lines(PackedLines::of(open)));
        open.clear();
    }
}

fn joined(lines: &[Line]) -> String {
    lines.iter().map(Line::text).collect::<Vec<_>>().join(" ")
}

/// A caption that only says that the table goes on.
fn is_continued(text: &str) -> bool {
    let text = text.to_lowercase();
    text.starts_with("table") && text.contains("continued") && text.len() < 200
}

/// Rule for a paragraph that goes on in the next column or on the next page.
fn continues_over_break(open: &[Line], prev: &Line, line: &Line) -> bool {
    let (before, text) = (prev.text(), line.text());
    if (prev.size - line.size).abs() > 0.5 || is_terminal(before) || is_part_line(open) {
        return false;
    }
    if prev.is_centred() && !prev.is_full() || line.is_centred() && !line.is_full() {
        return false;
    }
    if marker(text) != Marker::None && !awaits_number(before) {
        return false;
    }
    if line.starts_bold() && !prev.ends_bold() || prev.all_bold() && !line.starts_bold() {
        return false;
    }
    text.starts_with(char::is_lowercase) || prev.is_full() || awaits_number(before)
}

/// The block so far is a line such as "ARTICLE 302", which stands alone.
fn is_part_line(open: &[Line]) -> bool {
    let [line] = open else { return false };
    let text = line.text();
    marker(text) == Marker::Part && text.split(' ').count() <= 2
}

/// True when the line begins a new block.
fn opens(open: &[Line], prev: &Line, line: &Line, leading: &Leading) -> bool {
    let gap = line.y - prev.y;
    let size = prev.size.max(line.size);
    if gap <= 0.0 || gap > 1.35 * leading.get(size) || (prev.size - line.size).abs() > 0.9 {
        return true;
    }
    let (before, text) = (prev.text(), line.text());
    if before.ends_with('-') && before.chars().rev().nth(1).is_some_and(char::is_alphanumeric) {
        return false;
    }
    let ended = is_terminal(before) || !prev.is_full();
    if is_part_line(open) || (prev.heading() > 0) != (line.heading() > 0) {
        return true;
    }
    if let Some(decided) = opens_by_marker(prev, line, before, text, ended) {
        return decided;
    }
    opens_by_style(prev, line, ended) || opens_by_place(open, prev, line, before)
}

fn opens_by_marker(prev: &Line, line: &Line, before: &str, text: &str, ended: bool) -> Option<bool> {
    let waits = awaits_number(before);
    match marker(text) {
        Marker::None => None,
        Marker::Exception => Some(true),
        Marker::Part => (line.is_centred() || line.starts_bold() || ended && !waits).then_some(true),
        Marker::Section if line.starts_bold() && !(waits && prev.ends_bold()) => Some(true),
        Marker::Section => Some(ended && !waits),
        Marker::List => {
            let moved = (line.x0 - prev.x0).abs() > 0.5 * line.size;
            // "… 29 U.S.C." / "792. The Board": a long number in running text.
            let long = text.chars().take_while(char::is_ascii_digit).count() > 2;
            if long && !moved && prev.is_full() {
                return None;
            }
            let listed =
                ["; or", "; and", ", or", ", and"].iter().any(|end| before.trim_end().ends_with(end));
            let waits = waits && !listed;
            let ended = ended || listed;
            ((ended || moved) && (!waits || is_terminal(before) || !prev.is_full())).then_some(true)
        }
    }
}

fn opens_by_style(prev: &Line, line: &Line, ended: bool) -> bool {
    let same_edge = (prev.x0 - line.x0).abs() < 1.5;
    if prev.is_centred() != line.is_centred() && !same_edge && !(prev.is_full() && line.x0 - line.left < 3.0)
    {
        return true;
    }
    if line.starts_bold() && !prev.ends_bold() && ended {
        return true;
    }
    prev.all_bold() && !line.starts_bold() && !prev.is_full()
}

fn opens_by_place(open: &[Line], prev: &Line, line: &Line, before: &str) -> bool {
    if prev.is_centred() && line.is_centred() {
        return false;
    }
    let em = line.size;
    let moved = line.x0 - prev.x0;
    let ended = is_terminal(before) || !prev.is_full();
    let hanging = open.len() == 1
        && matches!(marker(open.first().map(Line::text).unwrap_or_default()), Marker::List | Marker::Section);
    if moved > 0.8 * em && ended && !(hanging && prev.is_full()) {
        return true;
    }
    if moved < -0.8 * em && (open.len() > 1 || ended) {
        return true;
    }
    // The next word had room on the line before: the line was ended on purpose.
    let first = line.words.first().map_or(0.0, |w| w.x1 - w.x0);
    let room = prev.right - prev.x1 - first - 0.3 * em;
    is_terminal(before) && room > 1.5 * em || room > 0.4 * (prev.right - prev.left)
}
