//! Text that white was painted over afterwards: it is in the file, but nobody sees it.

use hayro_syntax::content::ops::TypedInstruction as Op;
use hayro_syntax::object::{Dict, Name, Number, Object};
use hayro_syntax::page::Resources;

use super::geometry::{Glyph, PageContent};

/// What is white within this much.
const TOLERANCE: f64 = 0.01;
/// A box that is thinner than this covers no line of text.
const MIN_SIDE: f32 = 4.0;
/// Boxes of one page that are looked at: more are a drawing.
const MAX_COVERS: u32 = 256;
/// How far above its baseline the middle of a glyph is, in its size.
const MIDDLE: f32 = 0.3;

/// What fills are painted with, as far as it matters for what is below them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ink {
    white: bool,
    /// Its components are light or ink; those of a spot colour may be anything.
    plain: bool,
    overprints: bool,
    faint: bool,
    blends: bool,
    masked: bool,
}

impl Ink {
    /// Black, as every page begins.
    pub fn new() -> Ink {
        Ink { white: false, plain: true, overprints: false, faint: false, blends: false, masked: false }
    }

    /// It looks like paper, and nothing shows through.
    pub fn hides(self) -> bool {
        self.white && !(self.overprints || self.faint || self.blends || self.masked)
    }

    /// Takes an operator that sets the colour of fills.
    pub fn take(&mut self, op: &Op<'_, '_>, resources: &Resources<'_>) {
        match op {
            Op::ColorSpaceNonStroke(space) => {
                (self.white, self.plain) = (false, is_plain(space.0, resources));
            }
            Op::NonStrokeColorDeviceGray(c) => self.set(true, &[c.0]),
            Op::NonStrokeColorDeviceRgb(c) => self.set(true, &[c.0, c.1, c.2]),
            Op::NonStrokeColorCmyk(c) => self.set(true, &[c.0, c.1, c.2, c.3]),
            Op::NonStrokeColor(c) => self.set(self.plain, &c.0),
            Op::NonStrokeColorNamed(c) => self.set(self.plain && c.1.is_none(), &c.0),
            _ => {}
        }
    }

    fn set(&mut self, plain: bool, components: &[Number]) {
        let all = |value: f64| components.iter().all(|c| (c.as_f64() - value).abs() <= TOLERANCE);
        let white = match components.len() {
            1 | 3 => all(1.0),
            4 => all(0.0),
            _ => false,
        };
        (self.plain, self.white) = (plain, plain && white);
    }

    /// Takes what a graphics state says about transparency; overprinted white leaves what is below it.
    pub fn take_state(&mut self, state: &Dict<'_>) {
        let overprints = state.get::<bool>("op").or_else(|| state.get::<bool>("OP"));
        self.overprints = overprints.unwrap_or(self.overprints);
        self.faint = state.get::<f64>("ca").map_or(self.faint, |alpha| alpha < 1.0);
        self.masked = match state.get::<Object<'_>>("SMask") {
            Some(Object::Name(_)) => false,
            Some(_) => true,
            None => self.masked,
        };
        self.blends = match state.get::<Object<'_>>("BM") {
            Some(Object::Name(mode)) => !matches!(mode.as_str(), "Normal" | "Compatible"),
            Some(_) => true,
            None => self.blends,
        };
    }
}

/// A device's own colours, or those that are measured.
fn is_plain(name: &Name<'_>, resources: &Resources<'_>) -> bool {
    let known = |name: &Name<'_>| {
        let spaces = ["DeviceGray", "DeviceRGB", "DeviceCMYK", "CalGray", "CalRGB", "ICCBased"];
        spaces.contains(&name.as_str())
    };
    known(name)
        || match resources.get_color_space(name) {
            Some(Object::Name(name)) => known(&name),
            Some(Object::Array(array)) => array.iter::<Name<'_>>().next().is_some_and(|name| known(&name)),
            _ => false,
        }
}

impl PageContent {
    /// White is painted over a box (left, top, right, bottom): what was shown there so far is not seen.
    pub(super) fn hide(&mut self, [x0, y0, x1, y1]: [f32; 4]) {
        let too_small = x1 - x0 < MIN_SIDE || y1 - y0 < MIN_SIDE;
        if too_small || self.glyphs.is_empty() || self.covers >= MAX_COVERS {
            return;
        }
        self.covers += 1;
        let is_below = |glyph: &Glyph| {
            let (sin, cos) = glyph.angle.to_radians().sin_cos();
            let (along, up) = (glyph.advance / 2.0, glyph.size * MIDDLE);
            let (x, y) = (glyph.x + along * cos + up * sin, glyph.y + along * sin - up * cos);
            (x0..=x1).contains(&x) && (y0..=y1).contains(&y)
        };
        let covered = &mut self.covered;
        self.glyphs.retain(|glyph| {
            let below = is_below(glyph);
            if below {
                covered.push_str(&glyph.code.text);
            }
            !below
        });
    }
}
