//! Paths, as far as they draw straight lines along the page's axes.

use hayro_syntax::content::ops::TypedInstruction as Op;

use super::geometry::{Matrix, Rule};

const MAX_SEGMENTS: usize = 20_000;
/// A filled rectangle that is at most this thick is a line.
const LINE: f32 = 3.0;

/// The current path, in user space.
#[derive(Debug, Default)]
pub(super) struct Path {
    segments: Vec<[(f64, f64); 2]>,
    boxes: Vec<[f64; 4]>,
    start: (f64, f64),
    at: (f64, f64),
    /// It has a curve: what is filled is no cell.
    curved: bool,
    /// Left, bottom, right, top of all its points.
    bounds: Option<[f64; 4]>,
}

impl Path {
    pub fn clear(&mut self) {
        self.segments.clear();
        self.boxes.clear();
        self.curved = false;
        self.bounds = None;
    }

    /// The box on the page that the path lies in.
    pub fn extent(&self, ctm: Matrix) -> Option<[f32; 4]> {
        self.bounds.map(|bounds| corners(ctm, bounds))
    }

    fn reach(&mut self, x: f64, y: f64) {
        let [x0, y0, x1, y1] = self.bounds.unwrap_or([x, y, x, y]);
        self.bounds = Some([x0.min(x), y0.min(y), x1.max(x), y1.max(y)]);
    }

    /// Takes a path operator; false when the operator is none.
    pub fn take(&mut self, op: &Op<'_, '_>) -> bool {
        match op {
            Op::MoveTo(p) => {
                self.at = (p.0.as_f64(), p.1.as_f64());
                self.start = self.at;
                self.reach(self.at.0, self.at.1);
            }
            Op::LineTo(p) => self.line((p.0.as_f64(), p.1.as_f64())),
            Op::CubicTo(p) => {
                // A curve stays within its control points.
                self.reach(p.0.as_f64(), p.1.as_f64());
                self.reach(p.2.as_f64(), p.3.as_f64());
                self.curve((p.4.as_f64(), p.5.as_f64()));
            }
            Op::CubicStartTo(p) => {
                self.reach(p.0.as_f64(), p.1.as_f64());
                self.curve((p.2.as_f64(), p.3.as_f64()));
            }
            Op::CubicEndTo(p) => {
                self.reach(p.0.as_f64(), p.1.as_f64());
                self.curve((p.2.as_f64(), p.3.as_f64()));
            }
            Op::ClosePath(_) => self.close(),
            Op::RectPath(r) => {
                let [x, y, w, h] = [&r.0, &r.1, &r.2, &r.3].map(|n| n.as_f64());
                self.reach(x, y);
                self.reach(x + w, y + h);
                if self.boxes.len() < MAX_SEGMENTS {
                    self.boxes.push([x, y, x + w, y + h]);
                }
            }
            _ => return false,
        }
        true
    }

    /// Draws the line back to where the path began.
    pub fn close(&mut self) {
        self.line(self.start);
    }

    fn line(&mut self, to: (f64, f64)) {
        if self.segments.len() < MAX_SEGMENTS {
            self.segments.push([self.at, to]);
        }
        self.reach(to.0, to.1);
        self.at = to;
    }

    fn curve(&mut self, to: (f64, f64)) {
        self.curved = true;
        self.reach(to.0, to.1);
        self.at = to;
    }

    /// The boxes on the page that filling it paints all over; none where the page is turned by less than a quarter.
    pub fn areas(&self, ctm: Matrix) -> Vec<[f32; 4]> {
        let [a, b, c, d, ..] = ctm.0;
        if (a * b).abs() + (c * d).abs() > f64::EPSILON {
            return Vec::new();
        }
        let boxes = self.boxes.iter().filter(|_| self.segments.is_empty());
        boxes.map(|bounds| corners(ctm, *bounds)).chain(self.rectangle(ctm)).collect()
    }

    /// A rectangle that is drawn line by line.
    fn rectangle(&self, ctm: Matrix) -> Option<[f32; 4]> {
        if self.curved || !(3..=4).contains(&self.segments.len()) {
            return None;
        }
        let points: Vec<_> = self.segments.iter().flatten().map(|p| ctm.apply(p.0, p.1)).collect();
        let [x0, y0, x1, y1] = extent(&points);
        let on_edge = |v: f64, a: f32, b: f32| (v as f32 - a).abs() < 0.5 || (v as f32 - b).abs() < 0.5;
        points.iter().all(|p| on_edge(p.0, x0, x1) && on_edge(p.1, y0, y1)).then_some([x0, y0, x1, y1])
    }

    /// The lines that painting the path shows.
    pub fn rules(&self, ctm: Matrix, stroke: bool, fill: bool, width: f64) -> Vec<Rule> {
        let mut out = Vec::new();
        for [x0, y0, x1, y1] in &self.boxes {
            let corners = extent(&[ctm.apply(*x0, *y0), ctm.apply(*x1, *y1)]);
            add_box(corners, stroke, fill, &mut out);
        }
        if fill
            && !stroke
            && let Some(extent) = self.rectangle(ctm)
        {
            add_box(extent, false, true, &mut out);
        }
        if fill && self.curved {
            // A fill closes its path: a box with two round corners has its straight side here.
            let [x0, y0, x1, y1] =
                extent(&[ctm.apply(self.at.0, self.at.1), ctm.apply(self.start.0, self.start.1)]);
            if x1 - x0 > 20.0 && y1 - y0 < 0.5 {
                out.push(Rule { x0, y0, x1, y1, edge: true });
            }
        }
        if stroke && width < f64::from(LINE) * 2.0 {
            for [from, to] in &self.segments {
                let [x0, y0, x1, y1] = extent(&[ctm.apply(from.0, from.1), ctm.apply(to.0, to.1)]);
                if (x1 - x0 < 0.5) != (y1 - y0 < 0.5) {
                    out.push(Rule { x0, y0, x1, y1, edge: false });
                }
            }
        }
        out.retain(|r| [r.x0, r.y0, r.x1, r.y1].iter().all(|v| v.is_finite() && v.abs() < 1e5));
        out
    }
}

/// The box on the page around a box in user space.
pub(super) fn corners(ctm: Matrix, [x0, y0, x1, y1]: [f64; 4]) -> [f32; 4] {
    extent(&[ctm.apply(x0, y0), ctm.apply(x1, y0), ctm.apply(x0, y1), ctm.apply(x1, y1)])
}

fn extent(points: &[(f64, f64)]) -> [f32; 4] {
    let mut out = [f32::MAX, f32::MAX, f32::MIN, f32::MIN];
    for (x, y) in points {
        let [x0, y0, x1, y1] = out;
        out = [x0.min(*x as f32), y0.min(*y as f32), x1.max(*x as f32), y1.max(*y as f32)];
    }
    out
}

/// A thin box is a line; a larger one shows its edges.
fn add_box([x0, y0, x1, y1]: [f32; 4], stroke: bool, fill: bool, out: &mut Vec<Rule>) {
    let (w, h) = (x1 - x0, y1 - y0);
    if h <= LINE && w > h {
        let y = (y0 + y1) / 2.0;
        out.push(Rule { x0, y0: y, x1, y1: y, edge: false });
    } else if w <= LINE && h > w {
        let x = (x0 + x1) / 2.0;
        out.push(Rule { x0: x, y0, x1: x, y1, edge: false });
    } else if (stroke || fill) && w > LINE && h > LINE {
        let edge = !stroke;
        out.push(Rule { x0, y0, x1, y1: y0, edge });
        out.push(Rule { x0, y0: y1, x1, y1, edge });
        out.push(Rule { x0, y0, x1: x0, y1, edge });
        out.push(Rule { x0: x1, y0, x1, y1, edge });
    }
}
