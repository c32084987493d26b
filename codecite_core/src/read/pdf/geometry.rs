//! The shapes that the interpreter hands on: glyphs, rules, pages. Coordinates are points with the origin in
//! the upper left corner of the page as it is seen (rotation and crop box applied), y growing downwards.

use std::rc::Rc;

use super::font::Code;
use super::hints::TaggedCell;

/// An affine map `[a b c d e f]` in PDF's order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Matrix(pub [f64; 6]);

impl Matrix {
    pub const IDENTITY: Matrix = Matrix([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    pub fn translate(x: f64, y: f64) -> Matrix {
        Matrix([1.0, 0.0, 0.0, 1.0, x, y])
    }

    /// First `self`, then `after`.
    pub fn then(self, after: Matrix) -> Matrix {
        let [a, b, c, d, e, f] = self.0;
        let [g, h, i, j, k, l] = after.0;
        Matrix([
            a * g + b * i,
            a * h + b * j,
            c * g + d * i,
            c * h + d * j,
            e * g + f * i + k,
            e * h + f * j + l,
        ])
    }

    pub fn apply(self, x: f64, y: f64) -> (f64, f64) {
        let [a, b, c, d, e, f] = self.0;
        (a * x + c * y + e, b * x + d * y + f)
    }

    /// How long a unit step in x becomes.
    pub fn scale_x(self) -> f64 {
        self.0[0].hypot(self.0[1])
    }

    /// How long a unit step in y becomes.
    pub fn scale_y(self) -> f64 {
        self.0[2].hypot(self.0[3])
    }
}

/// What glyphs have in common that stand at one angle in one size: roots and an arc, too dear to be found for each.
#[derive(Debug, Default)]
pub(super) struct Frame {
    /// What it was found for, bit by bit: a negative zero turns text round.
    made_of: [u64; 6],
    /// How long a unit step in x and in y becomes.
    pub scale: (f64, f64),
    /// Direction of the baseline in degrees.
    pub angle: f32,
}

impl Frame {
    /// Makes it the frame of that matrix, font size and stretch.
    pub fn follow(&mut self, to_page: Matrix, size: f64, stretch: f64) {
        let [a, b, c, d, ..] = to_page.0;
        let made_of = [a, b, c, d, size, stretch].map(f64::to_bits);
        if made_of == self.made_of {
            return;
        }
        let (dx, dy) = (a * stretch * size.signum(), b * stretch * size.signum());
        *self = Frame {
            made_of,
            scale: (to_page.scale_x(), to_page.scale_y()),
            angle: dy.atan2(dx).to_degrees() as f32,
        };
    }
}

/// One shown character code.
#[derive(Debug, Clone)]
pub(super) struct Glyph {
    /// What it says.
    pub code: Rc<Code>,
    /// Origin on the baseline.
    pub x: f32,
    /// Origin on the baseline.
    pub y: f32,
    /// Length of the advance, along the baseline.
    pub advance: f32,
    /// Font size as seen.
    pub size: f32,
    /// Direction of the baseline in degrees, counted clockwise as seen.
    pub angle: f32,
    pub bold: bool,
    pub italic: bool,
    /// Shown with rendering mode 3: there, but not seen.
    pub hidden: bool,
    /// Marked as no part of the content (a running head, a superseded text layer).
    pub artifact: bool,
    /// Level of the heading that it is marked as a part of, 0 for none.
    pub heading: u8,
    /// The cell of a tagged table that it is marked as a part of.
    pub cell: Option<TaggedCell>,
}

/// A straight horizontal or vertical line, or one edge of a filled cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rule {
    pub x0: f32,
    pub y0: f32,
    pub x1: f32,
    pub y1: f32,
    /// It is an edge of a filled area, not a line of its own.
    pub edge: bool,
}

impl Rule {
    pub fn is_horizontal(&self) -> bool {
        (self.x1 - self.x0) >= (self.y1 - self.y0)
    }
}

/// Receives what a page shows, in content order.
pub(super) trait Sink {
    fn begin_page(&mut self, number: u32, width: f32, height: f32);
    fn glyph(&mut self, glyph: Glyph);
    fn rule(&mut self, rule: Rule);
    /// White is painted over this box.
    fn cover(&mut self, area: [f32; 4]);
    fn image(&mut self);
    fn end_page(&mut self);
}

/// A sink that keeps one page.
#[derive(Debug, Default)]
pub(super) struct PageContent {
    pub number: u32,
    pub width: f32,
    pub height: f32,
    pub glyphs: Vec<Glyph>,
    pub rules: Vec<Rule>,
    pub images: u32,
    /// What was shown and then painted over.
    pub covered: String,
    /// How many boxes have been looked at for that.
    pub covers: u32,
}

impl PageContent {
    /// Forgets the page but not the place that its glyphs had: the next page needs about as much.
    pub fn clear(&mut self) {
        let mut glyphs = std::mem::take(&mut self.glyphs);
        glyphs.clear();
        *self = PageContent { glyphs, ..PageContent::default() };
    }
}

impl Sink for PageContent {
    fn begin_page(&mut self, number: u32, width: f32, height: f32) {
        self.clear();
        (self.number, self.width, self.height) = (number, width, height);
    }

    fn glyph(&mut self, glyph: Glyph) {
        self.glyphs.push(glyph);
    }

    fn rule(&mut self, rule: Rule) {
        self.rules.push(rule);
    }

    fn cover(&mut self, area: [f32; 4]) {
        self.hide(area);
    }

    fn image(&mut self) {
        self.images = self.images.saturating_add(1);
    }

    fn end_page(&mut self) {}
}
