//! Glyphs into words: overprints merged, what is not seen dropped, white space decided.

use compact_str::CompactString;
use foldhash::HashMap as FastMap;

use super::geometry::{Glyph, PageContent, Rule};
use super::hints::TaggedCell;
use super::overprint::merge_overprints;
use crate::document::Style;

/// Text at a steeper angle than this is a watermark or a label, not a line.
const MAX_ANGLE: f32 = 5.0;
const MIN_SIZE: f32 = 1.5;

/// A run of glyphs without white space, in one style.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Word {
    pub text: CompactString,
    pub x0: f32,
    pub x1: f32,
    /// The baseline of its line (a superscript stands on the line it belongs to).
    pub y: f32,
    /// The baseline that it is drawn on.
    pub base: f32,
    pub size: f32,
    pub style: Style,
    /// White space stands before it.
    pub spaced: bool,
    /// Marked as no part of the content.
    pub artifact: bool,
    /// Level of the heading that it is marked as a part of, 0 for none.
    pub heading: u8,
    /// The cell of a tagged table that it is marked as a part of.
    pub cell: Option<TaggedCell>,
}

/// A page as words.
#[derive(Debug, Default)]
pub(super) struct PageWords {
    pub number: u32,
    pub width: f32,
    pub height: f32,
    pub words: Vec<Word>,
    pub rules: Vec<Rule>,
    /// Left, top, right, bottom of each float that was taken off the page.
    pub floats: Vec<[f32; 4]>,
    pub images: u32,
    /// Text that is set at an angle, which no line can hold.
    pub aside: Vec<String>,
    /// Characters and, of these, those without a known text.
    pub seen: (usize, usize),
}

/// Makes the words of a page, of which nothing is left but the place.
pub(super) fn words(page: &mut PageContent) -> PageWords {
    turn_upright(page);
    let mut out = PageWords {
        number: page.number,
        width: page.width,
        height: page.height,
        images: page.images,
        aside: vec![std::mem::take(&mut page.covered)],
        ..PageWords::default()
    };
    keep_visible(page, &mut out.aside);
    out.seen = (page.glyphs.len(), page.glyphs.iter().filter(|g| g.code.unknown).count());
    merge_overprints(&mut page.glyphs);
    out.words = join(&page.glyphs);
    attach_marks(&mut out.words);
    out.rules = std::mem::take(&mut page.rules);
    page.clear();
    out
}

/// Turns a page whose text mostly runs up or down.
fn turn_upright(page: &mut PageContent) {
    let runs = |page: &PageContent, angle: f32| {
        page.glyphs.iter().filter(|g| (g.angle - angle).abs() < MAX_ANGLE).count() * 2 > page.glyphs.len()
    };
    let up = runs(page, -90.0);
    if page.glyphs.is_empty() || !(up || runs(page, 90.0)) {
        return;
    }
    let (w, h) = (page.width, page.height);
    let turn = |x: f32, y: f32| if up { (h - y, x) } else { (y, w - x) };
    for glyph in &mut page.glyphs {
        (glyph.x, glyph.y) = turn(glyph.x, glyph.y);
        glyph.angle += if up { 90.0 } else { -90.0 };
    }
    for rule in &mut page.rules {
        let (a, b) = (turn(rule.x0, rule.y0), turn(rule.x1, rule.y1));
        *rule =
            Rule { x0: a.0.min(b.0), y0: a.1.min(b.1), x1: a.0.max(b.0), y1: a.1.max(b.1), edge: rule.edge };
    }
    (page.width, page.height) = (h, w);
}

/// Leaves the glyphs that lines are made of.
fn keep_visible(page: &mut PageContent, aside: &mut Vec<String>) {
    let (width, height) = (page.width, page.height);
    let on_page =
        |g: &Glyph| g.x > -3.0 && g.x < width + 3.0 && g.y > -3.0 && g.y < height + 3.0 && g.size >= MIN_SIZE;
    let hidden = page.glyphs.iter().filter(|g| g.hidden).count();
    // An OCR layer is hidden text under an image; elsewhere hidden text is a trick.
    let keep_hidden = hidden > 0 && (page.glyphs.len() - hidden) * 10 < page.glyphs.len();
    // Hidden text that is marked as no content beside text that is: a layer that was replaced.
    let replaced = |g: &Glyph| g.hidden && g.artifact;
    let dead = page.glyphs.iter().filter(|g| replaced(g)).count();
    let drop_replaced = dead > 0 && (page.glyphs.len() - dead) * 3 > dead;
    if drop_replaced {
        aside.push(page.glyphs.iter().filter(|g| replaced(g)).map(|g| &*g.code.text).collect());
    }
    let mut turned = Turned::default();
    page.glyphs.retain(|glyph| {
        let seen = on_page(glyph) && (!glyph.hidden || keep_hidden) && !(drop_replaced && replaced(glyph));
        let turns = glyph.angle.abs() > MAX_ANGLE;
        if seen && turns {
            turned.push(glyph, aside);
        }
        seen && !turns
    });
    aside.extend(turned.text);
    aside.retain(|text| !text.trim().is_empty());
}

/// Text at an angle, as far as it hangs together.
#[derive(Default)]
struct Turned {
    text: Option<String>,
    end: (f32, f32),
}

impl Turned {
    fn push(&mut self, glyph: &Glyph, aside: &mut Vec<String>) {
        let apart = (glyph.x - self.end.0).hypot(glyph.y - self.end.1);
        if apart > 1.5 * glyph.size {
            aside.extend(self.text.take());
        }
        let text = self.text.get_or_insert_default();
        if apart > 0.2 * glyph.size && !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&glyph.code.text);
        let angle = glyph.angle.to_radians();
        self.end = (glyph.x + glyph.advance * angle.cos(), glyph.y + glyph.advance * angle.sin());
    }
}

/// Words in content order.
fn join(glyphs: &[Glyph]) -> Vec<Word> {
    let mut out: Vec<Word> = Vec::new();
    // The text of the last word, which is short-lived and cheap to add to here.
    let mut text = String::new();
    let mut open = false;
    let mut spaced = true;
    for glyph in glyphs {
        if glyph.code.blank {
            open = false;
            spaced = true;
            continue;
        }
        let style = Style { bold: glyph.bold, italic: glyph.italic, ..Style::default() };
        let tie = out.last().map_or(Tie::Apart, |word| tie(word, glyph));
        if tie == Tie::Lead
            && let Some(word) = out.last_mut()
        {
            word.y = glyph.y;
        }
        match out.last_mut() {
            Some(word) if open && tie == Tie::Same && word.style == style => {
                text.push_str(&glyph.code.text);
                word.x1 = word.x1.max(glyph.x + glyph.advance);
            }
            mut last => {
                if let Some(word) = &mut last {
                    word.text = CompactString::new(&text);
                }
                text.clear();
                text.push_str(&glyph.code.text);
                let y = match tie {
                    Tie::Script | Tie::Glued => last.map_or(glyph.y, |w| w.y),
                    Tie::Same => last.filter(|w| w.base != w.y).map_or(glyph.y, |w| w.y),
                    Tie::Apart | Tie::Lead => glyph.y,
                };
                out.push(Word {
                    text: CompactString::default(),
                    x0: glyph.x,
                    x1: glyph.x + glyph.advance,
                    y,
                    base: glyph.y,
                    size: glyph.size,
                    style,
                    spaced: spaced || tie == Tie::Apart || tie == Tie::Lead,
                    artifact: glyph.artifact,
                    heading: glyph.heading,
                    cell: glyph.cell,
                });
            }
        }
        open = true;
        spaced = false;
    }
    if let Some(word) = out.last_mut() {
        word.text = CompactString::new(&text);
    }
    out
}

/// Pairs of words that are looked at for marks; a page that needs more is a drawing.
const MAX_PAIRS: usize = 2_000_000;

/// Raised marks that stand apart in content order belong to the line of the word before them, or, at the
/// beginning of a line, of the word after.
fn attach_marks(words: &mut [Word]) {
    const BAND: f32 = 12.0;
    let band = |y: f32| (y / BAND).floor() as i32;
    let mut bands: FastMap<i32, Vec<usize>> = FastMap::default();
    for (index, word) in words.iter().enumerate() {
        bands.entry(band(word.y)).or_default().push(index);
    }
    let mut pairs = 0;
    let mut moves: Vec<(usize, f32)> = Vec::new();
    for (index, mark) in words.iter().enumerate() {
        if mark.base != mark.y || mark.text.chars().count() > 4 {
            continue;
        }
        let mut near: Option<(f32, f32)> = None;
        for word in (band(mark.y)..=band(mark.y + BAND)).filter_map(|b| bands.get(&b)).flatten() {
            pairs += 1;
            let Some(word) = words.get(*word) else { continue };
            let em = word.size;
            let rise = word.y - mark.y;
            if mark.size > 0.8 * em || rise <= 0.15 * em || rise > 0.6 * em {
                continue;
            }
            let (after, before) = (mark.x0 - word.x1, word.x0 - mark.x1);
            let gap = if (-0.2 * em..0.7 * em).contains(&after) {
                after.abs()
            } else if (-0.1 * em..3.0 * em).contains(&before) {
                // What it leads counts only where nothing stands before it.
                100.0 + before.abs()
            } else {
                continue;
            };
            if near.is_none_or(|(least, _)| gap < least) {
                near = Some((gap, word.y));
            }
        }
        if pairs > MAX_PAIRS {
            return;
        }
        moves.extend(near.map(|(_, y)| (index, y)));
    }
    for (index, y) in moves {
        if let Some(word) = words.get_mut(index) {
            word.y = y;
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Tie {
    /// One word, same line.
    Same,
    /// One word, but raised or lowered and small.
    Script,
    /// One word as to place, but of another size.
    Glued,
    /// The word so far was a raised mark before this.
    Lead,
    Apart,
}

fn tie(word: &Word, glyph: &Glyph) -> Tie {
    let em = word.size.max(glyph.size);
    let gap = glyph.x - word.x1;
    let rise = (glyph.y - word.base).abs();
    let raised = rise > 0.15 * em && rise <= 0.55 * em;
    if raised && word.size <= 0.8 * glyph.size && word.base == word.y && (-0.1 * em..0.6 * em).contains(&gap)
    {
        return Tie::Lead;
    }
    if !(-0.6 * em..0.2 * em).contains(&gap) || glyph.x < word.x0 - 0.1 * em {
        return Tie::Apart;
    }
    if rise <= 0.15 * em {
        if (word.size - glyph.size).abs() < 0.12 * em { Tie::Same } else { Tie::Glued }
    } else if rise <= 0.55 * em && glyph.size <= 0.8 * word.size {
        Tie::Script
    } else if (glyph.y - word.y).abs() <= 0.15 * em {
        // Back on the line after a superscript.
        Tie::Glued
    } else {
        Tie::Apart
    }
}
