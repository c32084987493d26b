//! The text area that pages of one size share.

use std::collections::HashMap;

use super::columns::Region;

/// Lines that a page size needs before its margins are trusted.
const MIN_LINES: usize = 3;

/// For each page width (in whole points), the left and right margin of the text.
#[derive(Debug, Default)]
pub(super) struct Body {
    margins: HashMap<i32, (f32, f32)>,
}

impl Body {
    /// Learns from the regions that have a page's whole width.
    pub fn of<'r>(pages: impl Iterator<Item = (f32, &'r [Region])>) -> Body {
        let mut edges: HashMap<i32, (Vec<f32>, Vec<f32>)> = HashMap::new();
        for (width, regions) in pages {
            let (lefts, rights) = edges.entry(width.round() as i32).or_default();
            for line in regions.iter().filter(|r| r.whole).flat_map(|r| &r.lines) {
                lefts.push(line.x0);
                rights.push(line.x1);
            }
        }
        let mut margins = HashMap::new();
        for (width, (mut lefts, mut rights)) in edges {
            if lefts.len() < MIN_LINES {
                continue;
            }
            lefts.sort_by(f32::total_cmp);
            rights.sort_by(f32::total_cmp);
            let left = lefts.get(lefts.len() / 20).copied();
            let right = rights.get(rights.len() - 1 - rights.len() / 20).copied();
            if let (Some(left), Some(right)) = (left, right) {
                margins.insert(width, (left, right));
            }
        }
        Body { margins }
    }

    /// Gives the lines of whole-width regions the margins of the text area.
    pub fn widen(&self, width: f32, regions: &mut [Region]) {
        let Some((left, right)) = self.margins.get(&(width.round() as i32)) else {
            return;
        };
        for region in regions.iter_mut().filter(|r| r.whole) {
            // A page may use one of its two columns only; a few lines are a heading over the whole width.
            let narrow = region.lines.first().is_some_and(|l| l.right - l.left < 0.6 * (right - left));
            if narrow && region.lines.len() > 3 {
                continue;
            }
            for line in &mut region.lines {
                line.left = line.left.min(*left);
                line.right = line.right.max(*right);
            }
        }
    }
}
