//! The text area that pages of one size share.

use std::collections::HashMap;

use super::columns::Region;

/// Lines that a page size needs before its margins are trusted.
const MIN_LINES: usize = 3;

/// Margins of the lines seen so far, by page width in whole points.
#[derive(Debug, Default)]
pub(super) struct Margins {
    edges: HashMap<i32, (Vec<f32>, Vec<f32>)>,
}

/// For each page width (in whole points), the left and right margin of the text.
#[derive(Debug, Default)]
pub(super) struct Body {
    margins: HashMap<i32, (f32, f32)>,
}

/// What a column of a page is as a whole.
#[derive(Debug, Clone, Copy)]
pub(super) struct Column {
    /// The width of its page.
    page_width: f32,
    /// The whole width of the page belongs to it.
    whole: bool,
    lines: usize,
    width: f32,
}

impl Column {
    pub fn of(region: &Region, page_width: f32) -> Column {
        let width = region.lines.first().map_or(0.0, |line| line.right - line.left);
        Column { page_width, whole: region.whole, lines: region.lines.len(), width }
    }
}

impl Margins {
    /// Learns from the regions that have a page's whole width.
    pub fn learn(&mut self, page_width: f32, regions: &[Region]) {
        let (lefts, rights) = self.edges.entry(page_width.round() as i32).or_default();
        for line in regions.iter().filter(|r| r.whole).flat_map(|r| &r.lines) {
            lefts.push(line.x0);
            rights.push(line.x1);
        }
    }
}

impl Body {
    pub fn of(margins: Margins) -> Body {
        let mut out = HashMap::new();
        for (width, (mut lefts, mut rights)) in margins.edges {
            if lefts.len() < MIN_LINES {
                continue;
            }
            lefts.sort_by(f32::total_cmp);
            rights.sort_by(f32::total_cmp);
            let left = lefts.get(lefts.len() / 20).copied();
            let right = rights.get(rights.len() - 1 - rights.len() / 20).copied();
            if let (Some(left), Some(right)) = (left, right) {
                out.insert(width, (left, right));
            }
        }
        Body { margins: out }
    }

    /// The margins that the lines of a column get: those of the text area, if it has the page's whole width.
    pub fn margins_of(&self, column: Column) -> Option<(f32, f32)> {
        let (left, right) = *self.margins.get(&(column.page_width.round() as i32))?;
        // A page may use one of its two columns only; a few lines are a heading over the whole width.
        let narrow = column.width < 0.6 * (right - left) && column.lines > 3;
        (column.whole && !narrow).then_some((left, right))
    }
}
