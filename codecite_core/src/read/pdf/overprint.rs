//! Glyphs that are drawn more than once.

use super::geometry::Glyph;

/// The same glyph within this part of the em is the same ink.
const SAME_INK: f32 = 0.12;

/// The same glyph drawn twice at one place is one glyph. Done here and there it makes bold; a page that has
/// most of its text twice has a doubled text layer, and nothing of it is bold for that.
pub(super) fn merge_overprints(glyphs: Vec<Glyph>) -> Vec<Glyph> {
    let mut places = Places::new(glyphs.len());
    let mut out: Vec<Glyph> = Vec::with_capacity(glyphs.len());
    let mut doubled: Vec<usize> = Vec::new();
    for glyph in glyphs {
        if glyph.text.is_empty() {
            continue;
        }
        let near = glyph.size * SAME_INK;
        let same = |other: &Glyph| {
            (other.x - glyph.x).abs() <= near && (other.y - glyph.y).abs() <= near && other.text == glyph.text
        };
        if let Some(index) = places.find(&glyph, near, |index| out.get(index).is_some_and(same)) {
            doubled.push(index);
            continue;
        }
        places.add(&glyph, !glyph.text.trim().is_empty());
        out.push(glyph);
    }
    if doubled.len() * 2 < out.len() || out.len() < 40 {
        for index in doubled {
            if let Some(glyph) = out.get_mut(index) {
                glyph.bold = true;
            }
        }
    }
    out
}

/// Glyphs by where they stand: a chain for each of a fixed number of cells.
struct Places {
    /// For each cell, one more than the number of its last glyph.
    heads: Vec<u32>,
    /// For each glyph, the same of the one before it in its cell.
    before: Vec<u32>,
}

impl Places {
    const CELLS: usize = 1 << 14;
    const SIDE: f32 = 8.0;
    /// Cells looked at for one glyph; huge type needs no more.
    const MAX_CELLS: usize = 64;
    /// Glyphs looked at in one cell; what stands denser is no text.
    const MAX_CHAIN: usize = 256;

    fn new(count: usize) -> Places {
        Places { heads: vec![0; Self::CELLS], before: Vec::with_capacity(count) }
    }

    fn band(v: f32) -> i32 {
        (v / Self::SIDE).floor() as i32
    }

    fn cell(row: i32, column: i32) -> usize {
        (row.wrapping_mul(127).wrapping_add(column) as usize) % Self::CELLS
    }

    /// The first glyph around this one that `fits`.
    fn find(&self, glyph: &Glyph, near: f32, fits: impl Fn(usize) -> bool) -> Option<usize> {
        let rows = Self::band(glyph.y - near)..=Self::band(glyph.y + near);
        let columns = || Self::band(glyph.x - near)..=Self::band(glyph.x + near);
        let cells = rows.flat_map(|row| columns().map(move |column| Self::cell(row, column)));
        for cell in cells.take(Self::MAX_CELLS) {
            let mut at = self.heads.get(cell).copied().unwrap_or(0);
            for _ in 0..Self::MAX_CHAIN {
                let Some(index) = (at as usize).checked_sub(1) else { break };
                if fits(index) {
                    return Some(index);
                }
                at = self.before.get(index).copied().unwrap_or(0);
            }
        }
        None
    }

    /// Adds the next glyph; white space is counted, and never found.
    fn add(&mut self, glyph: &Glyph, visible: bool) {
        let number = self.before.len() as u32 + 1;
        let head = self.heads.get_mut(Self::cell(Self::band(glyph.y), Self::band(glyph.x)));
        match head.filter(|_| visible) {
            Some(head) => self.before.push(std::mem::replace(head, number)),
            None => self.before.push(0),
        }
    }
}
