//! Framed figures: their labels are no tables, no headings and no part of the text around them.

use super::captions::{Caption, Kind};
use super::geometry::Rule;
use super::lines::{Line, lines};
use super::table::placeholder;
use super::words::{PageWords, Word};

/// A frame is at least this tall.
const MIN_HEIGHT: f32 = 40.0;
/// How far two ends may be apart that meet.
const SNAP: f32 = 5.0;
/// Upright lines that are looked at as sides of a frame.
const MAX_SIDES: usize = 400;
const MAX_LEFT: usize = 20;
/// More rules than this on one page are a drawing that fills it.
const MAX_RULES: usize = 20_000;

/// A figure with a caption and a frame.
#[derive(Debug, Clone)]
pub(super) struct Figure {
    pub caption: Vec<Line>,
    pub labels: Vec<Vec<Line>>,
    /// Left, top, right, bottom, with the caption.
    pub bounds: [f32; 4],
}

/// Left, top, right, bottom.
type Frame = [f32; 4];

/// Takes the framed figures off a page: their words, and the lines that they are drawn with.
pub(super) fn take_figures(page: &mut PageWords, captions: &[Caption]) -> Vec<Figure> {
    let mut out = Vec::new();
    if page.rules.len() > MAX_RULES {
        return out;
    }
    for caption in captions.iter().filter(|caption| caption.kind == Kind::Figure) {
        let Some((frame, band)) = frame_of(caption, &page.rules) else {
            continue;
        };
        let inside = |word: &Word, [left, top, right, bottom]: Frame| {
            let x = (word.x0 + word.x1) / 2.0;
            placeholder(word).is_none() && x > left && x < right && word.y > top && word.y <= bottom
        };
        let titled = |word: &Word| inside(word, band) && !inside(word, frame);
        let (title, words): (Vec<Word>, Vec<Word>) =
            page.words.iter().filter(|w| inside(w, frame) || titled(w)).cloned().partition(titled);
        if title.is_empty() {
            continue;
        }
        page.words.retain(|word| !inside(word, frame) && !titled(word));
        let [left, top, right, bottom] = frame;
        page.rules.retain(|r| {
            !(r.x0 > left - SNAP && r.x1 < right + SNAP && r.y0 > top - SNAP && r.y1 < bottom + SNAP)
        });
        out.push(Figure {
            caption: lines(page.number, &title),
            labels: labels(page.number, &words),
            bounds: [left, top.min(band[1]), right, bottom.max(band[3])],
        });
    }
    out
}

/// The frame that a caption stands above or below, and the band of the caption.
fn frame_of(caption: &Caption, rules: &[Rule]) -> Option<(Frame, Frame)> {
    let middle = caption.y - 0.3 * caption.size;
    let sides: Vec<&Rule> =
        rules.iter().filter(|r| !r.is_horizontal() && r.y1 - r.y0 > MIN_HEIGHT).take(MAX_SIDES).collect();
    let mut best: Option<(f32, Frame, Frame)> = None;
    for left in sides.iter().filter(|l| l.x0 <= caption.x0 + 2.0 && caption.x0 - l.x0 < 60.0).take(MAX_LEFT) {
        for right in sides.iter().filter(|r| r.x0 >= caption.x1 - 2.0) {
            if (left.y0 - right.y0).abs() > SNAP || (left.y1 - right.y1).abs() > SNAP {
                continue;
            }
            let frame = [left.x0, left.y0, right.x0, left.y1];
            let Some((distance, band)) = band_of(caption, middle, frame, rules) else {
                continue;
            };
            if best.as_ref().is_none_or(|(least, ..)| distance < *least) {
                best = Some((distance, frame, band));
            }
        }
    }
    best.map(|(_, frame, band)| (frame, band))
}

/// Where the caption of a frame stands: in a box that meets the frame, or within a few lines of it.
fn band_of(caption: &Caption, middle: f32, frame: Frame, rules: &[Rule]) -> Option<(f32, Frame)> {
    let [left, top, right, bottom] = frame;
    let across = |r: &&Rule| {
        r.is_horizontal() && (r.x0 - left).abs() < 2.0 * SNAP && (r.x1 - right).abs() < 2.0 * SNAP
    };
    let above = rules.iter().filter(across).map(|r| r.y0).filter(|y| *y < middle).fold(f32::MIN, f32::max);
    let below = rules.iter().filter(across).map(|r| r.y0).filter(|y| *y > middle).fold(f32::MAX, f32::min);
    let start = caption.y - caption.size;
    let reach = 3.6 * caption.size;
    // A caption has few lines, whatever its box.
    if middle < top && top - caption.y > 8.0 * caption.size || start - bottom > 2.0 * caption.size {
        return None;
    }
    if middle < top {
        let meets = (below - top).abs() < SNAP;
        let near = meets || top - caption.y < reach && below >= top - SNAP;
        return near.then_some((if meets { 0.0 } else { top - caption.y }, [left, start, right, top]));
    }
    if middle > bottom {
        let meets = (above - bottom).abs() < SNAP;
        let near = meets || start - bottom < reach && above <= bottom + SNAP;
        let end = if below - caption.y < 4.0 * caption.size { below } else { caption.y + 0.2 * caption.size };
        let end = if meets { end.max(caption.y + 1.5 * caption.size) } else { end };
        return near.then_some((if meets { 0.0 } else { start - bottom }, [left, bottom, right, end]));
    }
    None
}

/// Words that stand next to or under each other are one label.
fn labels(page: u32, words: &[Word]) -> Vec<Vec<Line>> {
    let mut out: Vec<Vec<Line>> = Vec::new();
    for line in lines(page, words).into_iter().flat_map(|line| pieces(page, line)) {
        let under =
            out.iter_mut().rev().take(12).find(|label| label.last().is_some_and(|l| stacks(l, &line)));
        match under {
            Some(label) => label.push(line),
            None => out.push(vec![line]),
        }
    }
    out
}

/// The stretches of a line that wide gaps cut.
fn pieces(page: u32, line: Line) -> Vec<Line> {
    let mut out: Vec<Vec<Word>> = Vec::new();
    for word in line.words {
        match out.last_mut() {
            Some(piece) if piece.last().is_some_and(|last| word.x0 - last.x1 < 0.7 * word.size) => {
                piece.push(word)
            }
            _ => out.push(vec![word]),
        }
    }
    out.into_iter().map(|words| Line::new(page, words)).collect()
}

fn stacks(above: &Line, line: &Line) -> bool {
    let gap = line.y - above.y;
    let em = line.size.max(above.size);
    let aligned = (line.x0 - above.x0).abs() < 0.6 * em
        || ((line.x0 + line.x1) - (above.x0 + above.x1)).abs() < 1.6 * em
        || (line.x1 - above.x1).abs() < 0.6 * em;
    gap > 0.3 * em && gap < 1.45 * em && aligned && (line.size - above.size).abs() < 0.8
}
