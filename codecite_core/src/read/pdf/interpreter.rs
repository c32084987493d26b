//! The content stream interpreter: operators in, glyphs and rules out.

use std::rc::Rc;

use hayro_syntax::content::TypedIter;
use hayro_syntax::content::ops::TypedInstruction as Op;
use hayro_syntax::object::{Array, Dict, Name, Number, Object, Rect};
use hayro_syntax::page::{Page, Resources};

use super::contents::contents;
use super::font::{Code, Fonts, LoadedFont};
use super::geometry::{Frame, Glyph, Matrix, Rule, Sink};
use super::guard::{Guard, check_nesting};
use super::hints::{Hints, heading_level};
use super::path::{Path, corners};
use super::scope::Scope;
use super::shown::{Shown, plain_items};
use super::state::{Mark, State};
use crate::error::{Error, Result};
use crate::work::{Stage, Work, check};

const MAX_OPERATORS: u64 = 5_000_000;
const MAX_GLYPHS: u64 = 200_000;
const MAX_RULES: u64 = 100_000;
const MAX_FORM_DEPTH: u64 = 12;
const MAX_FORMS: u64 = 2_000;
const MAX_STATES: usize = 512;
const MAX_MARKED: usize = 1_024;
const TICK_EVERY: u64 = 4_096;

/// What is counted on one page.
#[derive(Default)]
struct Counts {
    operators: u64,
    glyphs: u64,
    rules: u64,
    forms: u64,
}

/// What lives as long as the document.
pub(super) struct Shared<'a> {
    pub fonts: Fonts<'a>,
    pub guard: Guard,
    pub hints: Hints,
}

/// Interprets one page.
pub(super) struct Interpreter<'r, 'a, 'w> {
    shared: &'r mut Shared<'a>,
    work: &'r mut Work<'w>,
    sink: &'r mut dyn Sink,
    progress: (u64, u64),
    counts: Counts,
    /// Text matrix and text line matrix.
    text: (Matrix, Matrix),
    state: State<'a>,
    stack: Vec<State<'a>>,
    /// What the open marked-content sequences add up to, innermost last.
    marked: Vec<Mark>,
    page: u32,
    /// The current path will clip once it is painted.
    clips: bool,
    /// Of the last glyph: the next one has it as well, mostly.
    frame: Frame,
}

/// Runs a page's content through the sink.
pub(super) fn run_page<'a>(
    page: &Page<'a>,
    number: u32,
    total: u64,
    shared: &mut Shared<'a>,
    work: &mut Work<'_>,
    sink: &mut dyn Sink,
) -> Result<()> {
    let (width, height) = page.render_dimensions();
    sink.begin_page(number, width, height);
    let content = contents(page, &mut shared.guard, work)?;
    let ctm = Matrix(page.initial_transform(true).as_coeffs());
    let mut interpreter = Interpreter {
        shared,
        work,
        sink,
        progress: (u64::from(number), total),
        counts: Counts::default(),
        text: (Matrix::IDENTITY, Matrix::IDENTITY),
        state: State::new(ctm),
        stack: Vec::new(),
        marked: Vec::new(),
        page: number,
        clips: false,
        frame: Frame::default(),
    };
    interpreter.run(&content, page.resources(), 0)?;
    sink.end_page();
    Ok(())
}

fn matrix(n: [&Number; 6]) -> Matrix {
    Matrix(n.map(|n| n.as_f64()))
}

impl<'a> Interpreter<'_, 'a, '_> {
    fn run(&mut self, content: &[u8], resources: &Resources<'a>, depth: u64) -> Result<()> {
        check_nesting(content, self.work.limits().max_nesting)?;
        let mut path = Path::default();
        let floor = self.stack.len();
        let mut scope = Scope::new(resources, depth, floor);
        let mut operators = TypedIter::new(content);
        while let Some(op) = operators.next() {
            self.counts.operators += 1;
            if self.counts.operators.is_multiple_of(TICK_EVERY) {
                check("max_operators", self.counts.operators, MAX_OPERATORS)?;
                self.work.tick(Stage::Read, self.progress.0, self.progress.1)?;
            }
            if !path.take(&op) {
                self.step(&op, &mut path, &mut scope)?;
            }
        }
        self.stack.truncate(floor);
        Ok(())
    }

    fn step(&mut self, op: &Op<'_, '_>, path: &mut Path, scope: &mut Scope<'_, 'a>) -> Result<()> {
        let Scope { resources, depth, floor, .. } = *scope;
        match op {
            Op::SaveState(_) if self.stack.len() < MAX_STATES => self.stack.push(self.state.clone()),
            Op::RestoreState(_) if self.stack.len() > floor => {
                if let Some(state) = self.stack.pop() {
                    self.state = state;
                }
            }
            Op::Transform(t) => {
                self.state.ctm = matrix([&t.0, &t.1, &t.2, &t.3, &t.4, &t.5]).then(self.state.ctm);
            }
            Op::LineWidth(w) => self.state.line_width = w.0.as_f64(),
            Op::SetGraphicsState(gs) => self.graphics_state(gs.0, resources)?,
            Op::StrokePath(_) => return self.paint(path, true, false),
            Op::CloseAndStrokePath(_) => {
                path.close();
                return self.paint(path, true, false);
            }
            Op::FillPathNonZero(_) | Op::FillPathNonZeroCompatibility(_) | Op::FillPathEvenOdd(_) => {
                return self.paint(path, false, true);
            }
            Op::FillAndStrokeNonZero(_) | Op::FillAndStrokeEvenOdd(_) => return self.paint(path, true, true),
            Op::CloseFillAndStrokeNonZero(_) | Op::CloseFillAndStrokeEvenOdd(_) => {
                path.close();
                return self.paint(path, true, true);
            }
            Op::EndPath(_) => return self.paint(path, false, false),
            Op::ClipNonZero(_) | Op::ClipEvenOdd(_) => self.clips = true,
            Op::BeginMarkedContent(tag) => self.mark(tag.0, None, resources, depth),
            Op::BeginMarkedContentWithProperties(tag) => self.mark(tag.0, Some(tag.1), resources, depth),
            Op::EndMarkedContent(_) => {
                self.marked.pop();
            }
            Op::InlineImage(_) => self.sink.image(),
            Op::XObject(x) => return self.x_object(x.0, resources, depth),
            other => return self.text_step(other, scope),
        }
        Ok(())
    }

    fn text_step(&mut self, op: &Op<'_, '_>, scope: &mut Scope<'_, 'a>) -> Result<()> {
        match op {
            Op::BeginText(_) => self.text = (Matrix::IDENTITY, Matrix::IDENTITY),
            Op::CharacterSpacing(n) => self.state.char_space = n.0.as_f64(),
            Op::WordSpacing(n) => self.state.word_space = n.0.as_f64(),
            Op::HorizontalScaling(n) => self.state.stretch = n.0.as_f64() / 100.0,
            Op::TextLeading(n) => self.state.leading = n.0.as_f64(),
            Op::TextRise(n) => self.state.rise = n.0.as_f64(),
            Op::TextRenderingMode(n) => self.state.mode = n.0.as_i64(),
            Op::TextFont(f) => {
                self.state.size = f.1.as_f64();
                self.state.font = scope.font(f.0, self.shared, self.work)?;
            }
            Op::NextLine(t) => self.next_line(t.0.as_f64(), t.1.as_f64()),
            Op::NextLineAndSetLeading(t) => {
                self.state.leading = -t.1.as_f64();
                self.next_line(t.0.as_f64(), t.1.as_f64());
            }
            Op::SetTextMatrix(t) => {
                let set = matrix([&t.0, &t.1, &t.2, &t.3, &t.4, &t.5]);
                self.text = (set, set);
            }
            Op::NextLineUsingLeading(_) => self.next_line(0.0, -self.state.leading),
            Op::ShowText(s) => return self.show(s.0.as_bytes()),
            Op::NextLineAndShowText(s) => {
                self.next_line(0.0, -self.state.leading);
                return self.show(s.0.as_bytes());
            }
            Op::ShowTextWithParameters(s) => {
                self.state.word_space = s.0.as_f64();
                self.state.char_space = s.1.as_f64();
                self.next_line(0.0, -self.state.leading);
                return self.show(s.2.as_bytes());
            }
            Op::ShowTexts(array) => return self.show_array(array.0),
            other => self.state.fill.take(other, scope.resources),
        }
        Ok(())
    }

    fn font(&mut self, dict: Option<Dict<'a>>) -> Result<Option<Rc<LoadedFont<'a>>>> {
        let Some(dict) = dict else { return Ok(None) };
        Ok(Some(self.shared.fonts.get(&dict, &mut self.shared.guard, self.work)?))
    }

    fn graphics_state(&mut self, name: &Name<'_>, resources: &Resources<'a>) -> Result<()> {
        let Some(state) = resources.get_ext_g_state(name) else {
            return Ok(());
        };
        self.state.fill.take_state(&state);
        if let Some(width) = state.get::<f64>("LW") {
            self.state.line_width = width;
        }
        if let Some(font) = state.get::<Array<'a>>("Font") {
            let mut parts = font.iter::<Object<'a>>();
            let dict = parts.next().and_then(Object::into_dict);
            if let Some(size) = parts.next().and_then(Object::into_number) {
                self.state.size = size.as_f64();
            }
            self.state.font = self.font(dict)?;
        }
        Ok(())
    }

    fn mark(
        &mut self,
        tag: &Name<'_>,
        properties: Option<&Object<'_>>,
        resources: &Resources<'a>,
        depth: u64,
    ) {
        let mut mark = self.marked.last().copied().unwrap_or_default();
        mark.artifact |= tag.as_str() == "Artifact";
        let mcid = match properties {
            Some(Object::Dict(dict)) => dict.get::<i32>("MCID"),
            Some(Object::Name(name)) => {
                let group = resources.properties.get_ref(name).map(Into::into);
                mark.off |= tag.as_str() == "OC" && group.is_some_and(|id| self.shared.hints.is_hidden(id));
                resources.properties.get::<Dict<'_>>(name).and_then(|dict| dict.get::<i32>("MCID"))
            }
            _ => None,
        };
        // A form counts its own marks, apart from its page.
        let mcid = mcid.filter(|_| depth == 0).and_then(|mcid| u32::try_from(mcid).ok());
        let level = mcid
            .and_then(|mcid| self.shared.hints.heading(self.page, mcid))
            .or_else(|| heading_level(tag.as_str(), &Dict::default()));
        mark.heading = level.unwrap_or(mark.heading);
        mark.cell = mcid.and_then(|mcid| self.shared.hints.cell(self.page, mcid)).or(mark.cell);
        if self.marked.len() < MAX_MARKED {
            self.marked.push(mark);
        }
    }

    fn next_line(&mut self, x: f64, y: f64) {
        let line = Matrix::translate(x, y).then(self.text.1);
        self.text = (line, line);
    }

    fn show_array(&mut self, array: &Array<'_>) -> Result<()> {
        if let Some(items) = plain_items(array.data()) {
            for item in items {
                match item {
                    Shown::Text(bytes) => self.show(bytes)?,
                    Shown::Step(by) => self.shift(by),
                }
            }
            return Ok(());
        }
        for object in array.iter::<Object<'_>>() {
            match object {
                Object::String(bytes) => self.show(bytes.as_bytes())?,
                Object::Number(number) => self.shift(number.as_f64()),
                _ => {}
            }
        }
        Ok(())
    }

    /// Goes back by so many thousandths of the font size.
    fn shift(&mut self, by: f64) {
        let by = -by / 1000.0 * self.state.size;
        let vertical = self.state.font.as_ref().is_some_and(|font| !font.horizontal);
        let step = if vertical { (0.0, by) } else { (by * self.state.stretch, 0.0) };
        self.text.0 = Matrix::translate(step.0, step.1).then(self.text.0);
    }

    fn show(&mut self, bytes: &[u8]) -> Result<()> {
        let Some(font) = self.state.font.clone() else {
            return Ok(());
        };
        let mut at = 0;
        while at < bytes.len() {
            let (code, number, len) = font.next(bytes, at);
            let one_byte_space = len == 1 && number == 32;
            at += len;
            self.counts.glyphs += 1;
            check("max_page_glyphs", self.counts.glyphs, MAX_GLYPHS)?;
            let state = &self.state;
            let spacing = state.char_space + if one_byte_space { state.word_space } else { 0.0 };
            let step = if font.horizontal {
                ((code.width / 1000.0 * state.size + spacing) * state.stretch, 0.0)
            } else {
                (0.0, code.height / 1000.0 * state.size + spacing)
            };
            self.emit(&font, code);
            self.text.0 = Matrix::translate(step.0, step.1).then(self.text.0);
        }
        Ok(())
    }

    fn emit(&mut self, font: &LoadedFont<'a>, code: Rc<Code>) {
        let state = &self.state;
        let mark = self.marked.last().copied().unwrap_or_default();
        if mark.off {
            return;
        }
        let to_page = self.text.0.then(state.ctm);
        let hang = |v: f64| v / 1000.0 * state.size;
        let (x, y) = to_page.apply(hang(code.origin.0) * state.stretch, hang(code.origin.1) + state.rise);
        self.frame.follow(to_page, state.size, state.stretch);
        let (scale_x, scale_y) = self.frame.scale;
        let size = (state.size * scale_y).abs();
        // A column of upright glyphs is a line that is turned by a quarter.
        let (advance, turn) = if font.horizontal {
            ((hang(code.width) * state.stretch * scale_x).abs(), 0.0)
        } else {
            ((hang(code.height) * scale_y).abs(), 90.0)
        };
        if ![x, y, size, advance].iter().all(|v| v.is_finite() && v.abs() < 1e6) {
            return;
        }
        // The middle of the ink decides whether a glyph is seen.
        let (across, up) = if font.horizontal { (hang(code.width) / 2.0, 0.3) } else { (0.0, -0.5) };
        let middle = to_page.apply(across * state.stretch, up * state.size + state.rise);
        let (mx, my) = (middle.0 as f32, middle.1 as f32);
        if !state.shows([mx, my, mx, my], 0.25 * size as f32) {
            return;
        }
        self.sink.glyph(Glyph {
            code,
            x: x as f32,
            y: y as f32,
            advance: advance as f32,
            size: size as f32,
            angle: self.frame.angle + turn,
            bold: font.bold,
            italic: font.italic,
            hidden: state.mode == 3,
            artifact: mark.artifact,
            heading: mark.heading,
            cell: mark.cell,
        });
    }

    fn paint(&mut self, path: &mut Path, stroke: bool, fill: bool) -> Result<()> {
        let width = self.state.line_width * self.state.ctm.scale_x().max(self.state.ctm.scale_y());
        let rules: Vec<Rule> =
            if stroke || fill { path.rules(self.state.ctm, stroke, fill, width) } else { Vec::new() };
        for rule in rules {
            self.counts.rules += 1;
            check("max_page_rules", self.counts.rules, MAX_RULES)?;
            if self.state.shows([rule.x0, rule.y0, rule.x1, rule.y1], 1.0) {
                self.sink.rule(rule);
            }
        }
        if fill && self.state.fill.hides() && !self.marked.last().is_some_and(|mark| mark.off) {
            for area in path.areas(self.state.ctm) {
                self.sink.cover(self.state.clipped(area));
            }
        }
        if std::mem::take(&mut self.clips)
            && let Some(extent) = path.extent(self.state.ctm)
        {
            self.state.clip_to(extent);
        }
        path.clear();
        Ok(())
    }

    fn x_object(&mut self, name: &Name<'_>, resources: &Resources<'a>, depth: u64) -> Result<()> {
        let Some(stream) = resources.get_x_object(name) else {
            return Ok(());
        };
        let dict = stream.dict();
        if dict.get_ref("OC").is_some_and(|group| self.shared.hints.is_hidden(group.into())) {
            return Ok(());
        }
        if dict.get::<Name<'_>>("Subtype").is_none_or(|kind| kind.as_str() != "Form") {
            self.sink.image();
            return Ok(());
        }
        self.counts.forms += 1;
        // Deeper or more forms than this are a loop: what was shown so far stands.
        if depth >= MAX_FORM_DEPTH || self.counts.forms > MAX_FORMS {
            return Ok(());
        }
        let Some(content) = self.shared.guard.decode(&stream, self.work)? else {
            return Ok(());
        };
        let own = dict.get::<Dict<'a>>("Resources").map(Resources::new);
        let saved = (self.state.clone(), self.text);
        if let Some(m) = dict.get::<[f64; 6]>("Matrix") {
            self.state.ctm = Matrix(m).then(self.state.ctm);
        }
        if let Some(seen) = dict.get::<Rect>("BBox") {
            self.state.clip_to(corners(self.state.ctm, [seen.x0, seen.y0, seen.x1, seen.y1]));
        }
        let outcome = self.run(&content, own.as_ref().unwrap_or(resources), depth + 1);
        (self.state, self.text) = saved;
        match outcome {
            // A broken form does not take the page with it.
            Err(Error::Malformed { .. }) => Ok(()),
            outcome => outcome,
        }
    }
}
