//! Glyphs that are drawn more than once.

use super::geometry::Glyph;

/// The same glyph within this part of the em is the same ink.
const SAME_INK: f32 = 0.12;

/// The same glyph drawn twice at one place is one glyph. Done here and there it makes bold; a page that has
/// most of its text twice has a doubled text layer, and nothing of it is bold for that.
pub(super) fn merge_overprints(glyphs: &mut Vec<Glyph>) {
    let mut places = Places::new(glyphs.len());
    let mut doubled: Vec<usize> = Vec::new();
    let mut kept = 0;
    for at in 0..glyphs.len() {
        let Some(glyph) = glyphs.get(at) else { break };
        let near = glyph.size * SAME_INK;
        let same = |other: &Glyph| {
            (other.x - glyph.x).abs() <= near
                && (other.y - glyph.y).abs() <= near
                && other.code.text == glyph.code.text
        };
        match places.find(glyph, near, |index| glyphs.get(index).is_some_and(same)) {
            Some(index) => doubled.push(index),
            None => {
                places.add(glyph);
                glyphs.swap(kept, at);
                kept += 1;
            }
        }
    }
    glyphs.truncate(kept);
    if doubled.len() * 2 < kept || kept < 40 {
        for index in doubled {
            if let Some(glyph) = glyphs.get_mut(index) {
                glyph.bold = true;
            }
        }
    }
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

    /// Rounded down by hand: without SSE 4.1 `floor` is a call.
    fn band(v: f32) -> i32 {
        let bands = v / Self::SIDE;
        let whole = bands as i32;
        whole - i32::from(bands < whole as f32)
    }

    fn cell(row: i32, column: i32) -> usize {
        (row.wrapping_mul(127).wrapping_add(column) as usize) % Self::CELLS
    }

    /// The first glyph around this one that `fits`.
    fn find(&self, glyph: &Glyph, near: f32, fits: impl Fn(usize) -> bool) -> Option<usize> {
        let (left, right) = (Self::band(glyph.x - near), Self::band(glyph.x + near));
        let mut cells = 0;
        for row in Self::band(glyph.y - near)..=Self::band(glyph.y + near) {
            for column in left..=right {
                cells += 1;
                if cells > Self::MAX_CELLS {
                    return None;
                }
                if let Some(index) = self.find_in(Self::cell(row, column), &fits) {
                    return Some(index);
                }
            }
        }
        None
    }

    fn find_in(&self, cell: usize, fits: impl Fn(usize) -> bool) -> Option<usize> {
        let mut at = self.heads.get(cell).copied().unwrap_or(0);
        for _ in 0..Self::MAX_CHAIN {
            let index = (at as usize).checked_sub(1)?;
            if fits(index) {
                return Some(index);
            }
            at = self.before.get(index).copied().unwrap_or(0);
        }
        None
    }

    /// Adds the next glyph; white space is counted, and never found.
    fn add(&mut self, glyph: &Glyph) {
        let number = self.before.len() as u32 + 1;
        let head = self.heads.get_mut(Self::cell(Self::band(glyph.y), Self::band(glyph.x)));
        match head.filter(|_| !glyph.code.blank) {
            Some(head) => self.before.push(std::mem::replace(head, number)),
            None => self.before.push(0),
        }
    }
}
