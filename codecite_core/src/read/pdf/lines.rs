//! Words into lines, within one region of a page.

use super::words::Word;

/// How far apart (in ems) the baselines of one row may be.
pub(super) const SAME_ROW: f32 = 0.3;

/// Room for the words of a row, to begin with.
const USUAL_WORDS: usize = 4;

/// A line of text in one column.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub page: u32,
    pub words: Vec<Word>,
    pub x0: f32,
    pub x1: f32,
    pub y: f32,
    /// Size of most of its text.
    pub size: f32,
    /// The column it stands in.
    pub left: f32,
    pub right: f32,
    text: String,
}

impl Line {
    /// The text, with the white space that the page shows.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Leaves out words.
    pub fn retain(&mut self, keep: impl Fn(&Word) -> bool) {
        self.words.retain(keep);
        self.text = self.spell();
    }

    fn spell(&self) -> String {
        let mut out = String::with_capacity(self.words.iter().map(|word| word.text.len() + 1).sum());
        for (index, word) in self.words.iter().enumerate() {
            if index > 0 && self.space_before(index) {
                out.push(' ');
            }
            out.push_str(&word.text);
        }
        out
    }

    /// True when white space stands before the word of this index.
    pub fn space_before(&self, index: usize) -> bool {
        let Some(word) = self.words.get(index) else {
            return false;
        };
        let Some(before) = index.checked_sub(1).and_then(|i| self.words.get(i)) else {
            return true;
        };
        word.spaced || word.x0 - before.x1 > 0.2 * word.size
    }

    pub fn all_bold(&self) -> bool {
        self.words.iter().all(|w| w.style.bold || !w.text.chars().any(char::is_alphanumeric))
    }

    /// The level of the heading that all of it is marked as, 0 for none.
    pub fn heading(&self) -> u8 {
        let level = self.words.first().map_or(0, |w| w.heading);
        if self.words.iter().all(|w| w.heading == level) { level } else { 0 }
    }

    pub fn starts_bold(&self) -> bool {
        self.words.first().is_some_and(|w| w.style.bold)
    }

    pub fn ends_bold(&self) -> bool {
        self.words.last().is_some_and(|w| w.style.bold)
    }

    /// It reaches the right edge of its column, nearly: the next line may go on with it.
    pub fn is_full(&self) -> bool {
        self.right - self.x1 < (self.right - self.left) * 0.12 + self.size * 2.0
    }

    /// It stands in the middle of its column, away from both edges.
    pub fn is_centred(&self) -> bool {
        let (before, after) = (self.x0 - self.left, self.right - self.x1);
        // A line of text that fills an indented paragraph stands in the middle by chance.
        (!self.is_full() || self.all_bold())
            && before > self.size * 1.5
            && after > self.size * 1.5
            && (before - after).abs() < self.size * 1.5
    }

    pub fn new(page: u32, mut words: Vec<Word>) -> Line {
        words.sort_by(|a, b| a.x0.total_cmp(&b.x0));
        let x0 = words.iter().map(|w| w.x0).fold(f32::MAX, f32::min);
        let x1 = words.iter().map(|w| w.x1).fold(f32::MIN, f32::max);
        let size = main_size(&words);
        let y = words
            .iter()
            .filter(|w| (w.size - size).abs() < 0.5)
            .map(|w| w.y)
            .next()
            .unwrap_or_else(|| words.first().map_or(0.0, |w| w.y));
        Line::placed(page, words, [x0, x1, y, size, x0, x1])
    }

    /// A line whose place is known already: left and right end, baseline and size, left and right of its column.
    pub fn placed(page: u32, words: Vec<Word>, [x0, x1, y, size, left, right]: [f32; 6]) -> Line {
        let mut line = Line { page, words, x0, x1, y, size, left, right, text: String::new() };
        line.text = line.spell();
        line
    }
}

fn main_size(words: &[Word]) -> f32 {
    let mut sizes: Vec<(f32, usize)> = Vec::new();
    for word in words {
        let len = word.text.len();
        match sizes.iter_mut().find(|(size, _)| (size - word.size).abs() < 0.3) {
            Some(known) => known.1 += len,
            None => sizes.push((word.size, len)),
        }
    }
    // Larger type counts for more: "7.5m" with three raised notes is a line of its figures' size.
    let weight = |(size, len): &(f32, usize)| size * size * *len as f32;
    sizes.iter().max_by(|a, b| weight(a).total_cmp(&weight(b))).map_or(0.0, |(size, _)| *size)
}

/// Groups words by baseline, top to bottom.
pub(super) fn rows(words: &[Word]) -> Vec<Vec<Word>> {
    let rows = rows_of(words.iter().collect(), SAME_ROW, |word| word);
    rows.into_iter().map(|row| row.into_iter().cloned().collect()).collect()
}

/// The same for anything that has a word, with how far apart (in ems) two baselines may be and still be one row.
pub(super) fn rows_of<T>(mut items: Vec<T>, ems: f32, word_of: impl Fn(&T) -> &Word) -> Vec<Vec<T>> {
    items.sort_by(|a, b| {
        let (a, b) = (word_of(a), word_of(b));
        a.y.total_cmp(&b.y).then(a.x0.total_cmp(&b.x0))
    });
    let mut out: Vec<Vec<T>> = Vec::new();
    let mut base = f32::MIN;
    for item in items {
        let word = word_of(&item);
        let tolerance = (word.size * ems).max(1.0);
        match out.last_mut() {
            Some(row) if word.y - base <= tolerance => row.push(item),
            _ => {
                base = word.y;
                let mut row = Vec::with_capacity(USUAL_WORDS);
                row.push(item);
                out.push(row);
            }
        }
    }
    out
}

/// The lines of a region.
pub(super) fn lines(page: u32, words: &[Word]) -> Vec<Line> {
    rows(words).into_iter().map(|row| Line::new(page, row)).collect()
}
