//! Fonts: from a font dictionary to the text, width and weight of each character code.

use std::cell::RefCell;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;

use foldhash::HashMap as FastMap;
use hayro_cmap::{BfString, load_embedded};
use hayro_font::{CMapResolverFn, Font, FontCache, FontGlyph, FontQuery, FontResolverFn};
use hayro_syntax::object::{Array, Dict, Name, Number, Object, Stream};

use super::guard::Guard;
use crate::error::Result;
use crate::work::Work;

/// Codes that a `/W` or `/W2` range may cover; a font has at most that many glyphs.
const MAX_CID_RANGE: i64 = 65_536;

/// One character code of a font.
#[derive(Debug)]
pub(super) struct Code {
    /// Its text with ligatures taken apart; U+FFFD when the font does not tell.
    pub text: Box<str>,
    /// It is white space.
    pub blank: bool,
    /// Its text has a U+FFFD.
    pub unknown: bool,
    /// Horizontal advance, in thousandths of the font size.
    pub width: f64,
    /// Vertical advance (for vertical fonts), likewise.
    pub height: f64,
    /// Where a vertical font's glyph hangs from.
    pub origin: (f64, f64),
}

/// A font as the interpreter needs it.
pub(super) struct LoadedFont<'a> {
    font: Option<Font<'a>>,
    codes: RefCell<Codes>,
    /// Its codes are Unicode themselves (`UniKS-UCS2-H` and its like).
    unicode: bool,
    pub bold: bool,
    pub italic: bool,
    pub horizontal: bool,
}

impl LoadedFont<'_> {
    /// The next code of a string and how many bytes it takes.
    pub fn next(&self, bytes: &[u8], offset: usize) -> (Rc<Code>, u32, usize) {
        let Some(font) = self.font.as_ref().filter(|_| offset < bytes.len()) else {
            let byte = bytes.get(offset).copied().unwrap_or_default();
            return (Rc::new(Code::new("", [500.0, 0.0], (0.0, 0.0))), u32::from(byte), 1);
        };
        let (code, len) = font.read_code(bytes, offset);
        if let Some(known) = self.codes.borrow().get(code) {
            return (Rc::clone(known), code, len.max(1));
        }
        let made = Rc::new(describe(font, code, self.unicode));
        self.codes.borrow_mut().add(code, &made);
        (made, code, len.max(1))
    }
}

/// The codes of a font that have been shown.
#[derive(Default)]
struct Codes {
    /// By the code itself: most are small.
    low: Vec<Option<Rc<Code>>>,
    high: FastMap<u32, Rc<Code>>,
}

impl Codes {
    const LOW: u32 = 1024;

    fn get(&self, code: u32) -> Option<&Rc<Code>> {
        if code < Self::LOW { self.low.get(code as usize)?.as_ref() } else { self.high.get(&code) }
    }

    fn add(&mut self, code: u32, made: &Rc<Code>) {
        let place = code as usize;
        if code >= Self::LOW {
            self.high.insert(code, Rc::clone(made));
            return;
        }
        if place >= self.low.len() {
            self.low.resize(place + 1, None);
        }
        if let Some(known) = self.low.get_mut(place) {
            *known = Some(Rc::clone(made));
        }
    }
}

impl Code {
    fn new(text: &str, [width, height]: [f64; 2], origin: (f64, f64)) -> Code {
        let text: Box<str> = if text.is_empty() { "\u{FFFD}".into() } else { text.into() };
        let (blank, unknown) = (text.trim().is_empty(), text.contains('\u{FFFD}'));
        Code { text, blank, unknown, width, height, origin }
    }
}

fn describe(font: &Font<'_>, code: u32, is_unicode: bool) -> Code {
    let advance = font.code_advance(code);
    let origin = font.origin_displacement(code);
    let unicode = match font.glyph(font.map_code(code), code) {
        FontGlyph::Outline(glyph) => glyph.as_unicode(),
        FontGlyph::Type3(glyph) => glyph.as_unicode(),
    };
    let text = match unicode {
        Some(BfString::Char(c)) => clean(&[c]),
        Some(BfString::String(s)) => clean(&s.chars().collect::<Vec<_>>()),
        None if is_unicode => {
            let units = [(code >> 16) as u16, code as u16];
            let units = units.into_iter().skip_while(|unit| *unit == 0);
            clean(&char::decode_utf16(units).flatten().collect::<Vec<_>>())
        }
        None => String::new(),
    };
    Code::new(&text, [advance.x, advance.y], (origin.x, origin.y))
}

/// Takes ligatures apart and replaces what is no text: control characters and private-use bullets.
fn clean(chars: &[char]) -> String {
    let mut out = String::new();
    for &c in chars {
        match c {
            '\u{FB00}' => out.push_str("ff"),
            '\u{FB01}' => out.push_str("fi"),
            '\u{FB02}' => out.push_str("fl"),
            '\u{FB03}' => out.push_str("ffi"),
            '\u{FB04}' => out.push_str("ffl"),
            '\u{FB05}' | '\u{FB06}' => out.push_str("st"),
            '\u{A0}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{3000}' | '\t' | '\n' | '\r' => {
                out.push(' ')
            }
            // Symbol fonts' bullets.
            '\u{F0B7}' | '\u{F0A7}' | '\u{F06C}' | '\u{F06E}' => out.push('•'),
            // U+2010 is settled when all pages are known.
            '\u{2011}' => out.push('-'),
            '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}' => {}
            c if c.is_control() => out.push('\u{FFFD}'),
            c => out.push(c),
        }
    }
    out
}

/// Loads each font of a document once.
pub(super) struct Fonts<'a> {
    cache: FontCache<'a>,
    loaded: HashMap<(usize, usize), Rc<LoadedFont<'a>>>,
    programs: FontResolverFn,
    cmaps: CMapResolverFn,
}

impl<'a> Fonts<'a> {
    pub fn new() -> Self {
        Fonts {
            cache: FontCache::new(),
            loaded: HashMap::new(),
            programs: Arc::new(|query| match query {
                FontQuery::Standard(font) => Some(font.get_font_data()),
                FontQuery::Fallback(fallback) => Some(fallback.pick_standard_font().get_font_data()),
            }),
            cmaps: Arc::new(load_embedded),
        }
    }

    /// The font of a dictionary. A font that cannot be loaded shows U+FFFD, so that the loss is seen.
    pub fn get(
        &mut self,
        dict: &Dict<'a>,
        guard: &mut Guard,
        work: &mut Work<'_>,
    ) -> Result<Rc<LoadedFont<'a>>> {
        // A dictionary's bytes stay where they are while the file is open: their place is its identity.
        let key = (dict.data().as_ptr() as usize, dict.data().len());
        if let Some(font) = self.loaded.get(&key) {
            return Ok(Rc::clone(font));
        }
        let font = if admit(dict, guard, work)? {
            let load = || self.cache.font(dict, &self.programs, &self.cmaps);
            catch_unwind(AssertUnwindSafe(load)).ok().flatten()
        } else {
            None
        };
        let (bold, italic) = weight(dict);
        let horizontal = font.as_ref().is_none_or(Font::is_horizontal);
        let encoding = dict.get::<Name<'_>>("Encoding");
        let unicode =
            encoding.is_some_and(|e| ["-UCS2-", "-UTF16-"].iter().any(|kind| e.as_str().contains(kind)));
        let codes = RefCell::default();
        let font = Rc::new(LoadedFont { font, codes, unicode, bold, italic, horizontal });
        self.loaded.insert(key, Rc::clone(&font));
        Ok(font)
    }
}

fn descendant<'a>(dict: &Dict<'a>) -> Option<Dict<'a>> {
    dict.get::<Array<'a>>("DescendantFonts")?.iter::<Dict<'a>>().next()
}

/// Checks what the font library would decode or expand without a bound of its own.
fn admit(dict: &Dict<'_>, guard: &mut Guard, work: &mut Work<'_>) -> Result<bool> {
    let below = descendant(dict);
    for dict in std::iter::once(dict).chain(below.as_ref()) {
        for key in ["ToUnicode", "Encoding", "CIDToGIDMap"] {
            if let Some(stream) = dict.get::<Stream<'_>>(key) {
                guard.admit(&stream, work)?;
            }
        }
        if let Some(descriptor) = dict.get::<Dict<'_>>("FontDescriptor") {
            for key in ["FontFile", "FontFile2", "FontFile3"] {
                if let Some(stream) = descriptor.get::<Stream<'_>>(key) {
                    guard.admit(&stream, work)?;
                }
            }
        }
        for (key, trailing) in [("W", 1), ("W2", 3)] {
            if dict.get::<Array<'_>>(key).is_some_and(|array| !ranges_are_sane(&array, trailing)) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// `c [w …]` or `first last w …`: no range may be longer than a font can be.
fn ranges_are_sane(array: &Array<'_>, trailing: usize) -> bool {
    let mut pending: Vec<i64> = Vec::new();
    let mut total = 0i64;
    for object in array.iter::<Object<'_>>() {
        match object {
            Object::Array(_) => pending.clear(),
            object => match object.into_number().map(|n: Number| n.as_i64()) {
                Some(number) => pending.push(number),
                None => return false,
            },
        }
        if let [first, last, rest @ ..] = pending.as_slice()
            && rest.len() == trailing
        {
            total = total.saturating_add(last.saturating_sub(*first).max(0));
            if total > MAX_CID_RANGE {
                return false;
            }
            pending.clear();
        }
    }
    true
}

/// Bold and italic, as far as names and the descriptor tell.
fn weight(dict: &Dict<'_>) -> (bool, bool) {
    let below = descendant(dict);
    let mut bold = false;
    let mut italic = false;
    for dict in std::iter::once(dict).chain(below.as_ref()) {
        let descriptor = dict.get::<Dict<'_>>("FontDescriptor");
        let names = [
            dict.get::<Name<'_>>("BaseFont"),
            descriptor.as_ref().and_then(|d| d.get::<Name<'_>>("FontName")),
        ];
        for name in names.iter().flatten() {
            let name = name.as_str().to_ascii_lowercase();
            bold |= ["bold", "black", "heavy", "semibold", "demi"].iter().any(|word| name.contains(word));
            italic |= ["italic", "oblique"].iter().any(|word| name.contains(word));
        }
        let Some(descriptor) = descriptor else { continue };
        let number = |key: &str| descriptor.get::<f32>(key);
        let flags = number("Flags").unwrap_or(0.0) as u32;
        bold |= flags & (1 << 18) != 0;
        italic |= flags & (1 << 6) != 0;
        bold |= match number("FontWeight") {
            Some(weight) => weight >= 600.0,
            None => number("StemV").is_some_and(|stem| stem >= 140.0),
        };
    }
    (bold, italic)
}
