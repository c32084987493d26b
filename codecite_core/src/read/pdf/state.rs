//! What the interpreter remembers between operators.

use std::rc::Rc;

use super::cover::Ink;
use super::font::LoadedFont;
use super::geometry::Matrix;
use super::hints::TaggedCell;

/// The part of the graphics state that text and rules depend on.
#[derive(Clone)]
pub(super) struct State<'a> {
    pub ctm: Matrix,
    pub line_width: f64,
    pub font: Option<Rc<LoadedFont<'a>>>,
    pub size: f64,
    pub char_space: f64,
    pub word_space: f64,
    pub stretch: f64,
    pub leading: f64,
    pub rise: f64,
    pub mode: i64,
    pub fill: Ink,
    /// Left, top, right, bottom of what may be seen, on the page.
    pub clip: [f32; 4],
}

impl State<'_> {
    pub fn new(ctm: Matrix) -> Self {
        State {
            ctm,
            line_width: 1.0,
            font: None,
            size: 0.0,
            char_space: 0.0,
            word_space: 0.0,
            stretch: 1.0,
            leading: 0.0,
            rise: 0.0,
            mode: 0,
            fill: Ink::new(),
            clip: [f32::MIN, f32::MIN, f32::MAX, f32::MAX],
        }
    }

    /// Narrows what may be seen to a box on the page.
    pub fn clip_to(&mut self, [x0, y0, x1, y1]: [f32; 4]) {
        self.clip = self.clipped([x0, y0, x1, y1]);
    }

    /// What may be seen of a box on the page.
    pub fn clipped(&self, [x0, y0, x1, y1]: [f32; 4]) -> [f32; 4] {
        let [left, top, right, bottom] = self.clip;
        [left.max(x0), top.max(y0), right.min(x1), bottom.min(y1)]
    }

    /// A box on the page, of which a part lies within the clip and that much around it.
    pub fn shows(&self, [x0, y0, x1, y1]: [f32; 4], slack: f32) -> bool {
        let [left, top, right, bottom] = self.clip;
        x1 >= left - slack && x0 <= right + slack && y1 >= top - slack && y0 <= bottom + slack
    }
}

/// What marked content says about the text in it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Mark {
    pub artifact: bool,
    pub heading: u8,
    pub cell: Option<TaggedCell>,
    /// Optional content that is switched off.
    pub off: bool,
}
