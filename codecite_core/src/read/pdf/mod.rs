//! The PDF reader: content streams into glyphs, glyphs into words, lines, tables and blocks.
//!
//! [`read`] walks the pages with [`interpreter`], which hands glyphs and rules to a [`geometry::Sink`]; everything
//! behind that sink works on plain shapes and knows no PDF. Layout follows in this order: [`words`], [`furniture`]
//! (running heads), [`floats`] (tables and figures), [`columns`], [`lines`], [`blocks`], [`emit`].

mod blocks;
mod body;
mod booktabs;
mod captions;
mod columns;
mod contents;
mod cover;
mod emit;
mod figures;
mod floats;
mod font;
mod furniture;
mod geometry;
mod grid;
mod guard;
mod hints;
mod hyphens;
mod inflate;
mod interpreter;
mod layers;
mod lines;
mod notes;
mod numerals;
mod overprint;
mod packed;
mod page;
mod path;
mod scope;
mod segmented;
mod sentence;
mod shown;
mod state;
mod strike;
mod table;
mod tagged;
mod words;

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use hayro_syntax::{DecryptionError, LoadPdfError, Pdf};

use self::blocks::{Distances, Flow, Leading};
use self::body::{Body, Column, Margins};
use self::floats::Float;
use self::furniture::Candidate;
use self::geometry::PageContent;
use self::hints::Hints;
use self::hyphens::Hyphens;
use self::interpreter::{Shared, run_page};
use self::lines::Line;
use self::page::{Page, PageFlow};
use self::words::PageWords;
use crate::document::{Document, Format, Furniture, Warning};
use crate::error::{Error, Result};
use crate::work::{Stage, Work, check};

/// Share of characters without a known text from which on a page is not readable.
const MAX_UNKNOWN: f32 = 0.05;

/// Reads a PDF.
///
/// # Errors
/// [`Error::Malformed`], [`Error::Encrypted`], [`Error::NeedsOcr`], limits.
pub fn read(bytes: &[u8], work: &mut Work<'_>) -> Result<Document> {
    check("max_input_bytes", bytes.len() as u64, work.limits().max_input_bytes)?;
    guard::check_nesting(bytes, work.limits().max_nesting)?;
    guard::scan_raw(bytes, work)?;
    work.charge_memory(bytes.len() as u64)?;
    let pdf = open(bytes)?;
    let mut warnings = Vec::new();
    let (pages, hints) = pages(&pdf, work, &mut warnings)?;
    let count = pdf.pages().len() as u32;
    let title = pdf.metadata().title.as_deref().and_then(decode_text);
    // The pages say all that is needed from here on.
    drop(pdf);
    work.release_memory(bytes.len() as u64);
    refuse_scans(&pages, count, &mut warnings)?;
    layout(pages, &hints, Document { page_count: count, title, warnings, ..Document::default() }, work)
}

fn malformed(page: Option<u32>, what: &str) -> Error {
    Error::Malformed { format: Format::Pdf, page, what: what.into() }
}

fn open(bytes: &[u8]) -> Result<Pdf> {
    let data = bytes.to_vec();
    match catch_unwind(AssertUnwindSafe(|| Pdf::new(data))) {
        Ok(Ok(pdf)) if pdf.pages().is_empty() => Err(malformed(None, "it has no pages")),
        Ok(Ok(pdf)) => Ok(pdf),
        Ok(Err(LoadPdfError::Decryption(DecryptionError::PasswordProtected))) => Err(Error::Encrypted),
        Ok(Err(LoadPdfError::Decryption(_))) => Err(malformed(None, "its encryption is not understood")),
        Ok(Err(LoadPdfError::Invalid)) => Err(malformed(None, "there is no PDF structure")),
        Err(_) => Err(malformed(None, "its structure cannot be parsed")),
    }
}

/// Interprets every page. A page that fails becomes a warning; a limit or a cancel ends the work.
fn pages(pdf: &Pdf, work: &mut Work<'_>, warnings: &mut Vec<Warning>) -> Result<(Pages, Hints)> {
    let total = pdf.pages().len() as u64;
    check("max_pages", total, work.limits().max_pages)?;
    let hints = hints_of(pdf, work)?;
    let mut shared = Shared { fonts: font::Fonts::new(), guard: guard::Guard::default(), hints };
    let mut out = Pages::default();
    let mut content = PageContent::default();
    for (page, number) in pdf.pages().iter().zip(1u32..) {
        work.tick(Stage::Read, u64::from(number), total)?;
        content.clear();
        let run = || run_page(page, number, total, &mut shared, work, &mut content);
        match catch_unwind(AssertUnwindSafe(run)) {
            Ok(Ok(())) => {}
            Ok(Err(error @ (Error::Cancelled | Error::OutOfMemory))) => return Err(error),
            Ok(Err(
                error @ Error::Limit {
                    name: "max_read_ms" | "max_decoded_bytes" | "max_memory_bytes", ..
                },
            )) => {
                return Err(error);
            }
            Ok(Err(error)) => warnings.push(bad_page(number, &error.to_string())),
            Err(_) => warnings.push(bad_page(number, "its content cannot be parsed")),
        }
        let mut words = words::words(&mut content);
        if layers::take_second_layer(&mut words) {
            let message = "the page has two layers of text; the first was read".into();
            warnings.push(Warning { code: "doubled_text", page: Some(number), message });
        }
        out.push(words, work)?;
    }
    Ok((out, shared.hints))
}

/// The pages of a document, waiting until all have been read.
#[derive(Default)]
struct Pages {
    pages: Vec<Page>,
    /// What may be heads and feet of each.
    candidates: Vec<Vec<Candidate>>,
    /// For each, whether it has text and whether it is a picture of text, or has text without meaning.
    readable: Vec<(bool, bool)>,
}

impl Pages {
    fn push(&mut self, mut page: PageWords, work: &mut Work<'_>) -> Result<()> {
        let (seen, unknown) = page.seen;
        let has_text = !page.words.is_empty();
        let is_unreadable = !has_text && page.images > 0 || unknown as f32 > MAX_UNKNOWN * seen as f32;
        self.readable.push((has_text, is_unreadable));
        let floats = floats::take_floats(&mut page);
        strike::mark_rules(&mut page);
        let candidates = furniture::candidates(&page);
        let page = Page::of(page, floats);
        work.charge_memory(page.weight() + candidates.iter().map(Candidate::weight).sum::<u64>())?;
        self.pages.push(page);
        self.candidates.push(candidates);
        Ok(())
    }
}

/// A structure that cannot be read gives no hints.
fn hints_of(pdf: &Pdf, work: &mut Work<'_>) -> Result<Hints> {
    match catch_unwind(AssertUnwindSafe(|| Hints::of(pdf, work))) {
        Ok(hints) => hints,
        Err(_) => Ok(Hints::default()),
    }
}

fn bad_page(number: u32, what: &str) -> Warning {
    Warning {
        code: "bad_page",
        page: Some(number),
        message: format!("the page could not be read completely: {what}"),
    }
}

/// Pages that are pictures of text, and pages whose text has no meaning.
fn refuse_scans(pages: &Pages, count: u32, warnings: &mut Vec<Warning>) -> Result<()> {
    let numbered = || (1u32..).zip(&pages.readable);
    let scans: Vec<u32> =
        numbered().filter(|(_, (_, unreadable))| *unreadable).map(|(number, _)| number).collect();
    let has_text = pages.readable.iter().any(|(has_text, unreadable)| *has_text && !unreadable);
    if !has_text && !scans.is_empty() {
        return Err(Error::NeedsOcr { pages: count });
    }
    if let Some(first) = scans.first() {
        let (named, verb) = if scans.len() == 1 { ("page", "has") } else { ("pages", "have") };
        let message = format!("{named} {} {verb} no readable text layer", ranges(&scans));
        warnings.push(Warning { code: "needs_ocr", page: Some(*first), message });
    }
    Ok(())
}

/// "2-4, 9".
fn ranges(pages: &[u32]) -> String {
    let mut out: Vec<(u32, u32)> = Vec::new();
    for page in pages {
        match out.last_mut() {
            Some((_, last)) if *last + 1 == *page => *last = *page,
            _ => out.push((*page, *page)),
        }
    }
    let named = out.iter().map(|(first, last)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    });
    named.collect::<Vec<_>>().join(", ")
}

fn layout(pages: Pages, hints: &Hints, known: Document, work: &mut Work<'_>) -> Result<Document> {
    let Pages { mut pages, candidates, .. } = pages;
    let (mut furniture, mut labels) = furniture::take_furniture(&mut pages, &candidates, work)?;
    work.release_memory(candidates.iter().flatten().map(Candidate::weight).sum());
    drop(candidates);
    complete(&mut labels, &hints.labels);
    settle_hyphens(&mut pages);
    let gutters = columns::gutters(&mut pages);
    let (flow, learned) = flow(pages, gutters, &mut furniture, work)?;
    let body = Body::of(learned.margins);
    let leading = Leading::of(learned.distances);
    let items = blocks::blocks(widened(flow, &body), &leading);
    let mut document = emit::emit(items, &labels, &hints.bookmarks, work)?;
    document.furniture.append(&mut furniture);
    document.furniture.sort_by_key(|piece| piece.page);
    Ok(Document { page_count: known.page_count, title: known.title, warnings: known.warnings, ..document })
}

fn settle_hyphens(pages: &mut [Page]) {
    let mut hyphens = Hyphens::default();
    // Most files have none, and need not be unpacked to see that.
    if !pages.iter().any(Hyphens::may_be_in) {
        return;
    }
    pages.iter_mut().for_each(|page| page.look(|page| hyphens.learn(&page.words)));
    if !hyphens.are_plain() {
        pages.iter_mut().for_each(|page| page.change(|page| hyphens.settle(&mut page.words)));
    }
}

/// What only all pages together tell.
#[derive(Default)]
struct Learned {
    margins: Margins,
    distances: Distances,
}

/// The reading order of every page; text that no line can hold goes to the furniture.
fn flow(
    pages: Vec<Page>,
    gutters: Vec<Option<f32>>,
    furniture: &mut Vec<Furniture>,
    work: &mut Work<'_>,
) -> Result<(Vec<PageFlow>, Learned)> {
    let total = pages.len() as u64;
    let mut learned = Learned::default();
    let mut out = Vec::with_capacity(pages.len());
    for (page, gutter) in pages.into_iter().zip(gutters) {
        work.tick(Stage::Read, u64::from(page.number()), total)?;
        let (page, floats) = page.into_parts();
        let regions = columns::regions(&page, gutter);
        furniture.extend(page.aside.into_iter().map(|text| Furniture::of_page(page.number, text)));
        learned.margins.learn(page.width, &regions);
        let flow = flow_of(regions, page.width, floats);
        learned.distances.learn(&flow);
        out.push(PageFlow::of(flow));
    }
    Ok((out, learned))
}

/// The flow, in which lines over a page's whole width reach from margin to margin.
fn widened(flow: Vec<PageFlow>, body: &Body) -> impl Iterator<Item = Flow> {
    let mut margins = None;
    let widen = |line: &mut Line, margins: Option<(f32, f32)>| {
        if let Some((left, right)) = margins {
            line.left = line.left.min(left);
            line.right = line.right.max(right);
        }
    };
    flow.into_iter().flat_map(PageFlow::unpack).map(move |mut piece| {
        match &mut piece {
            Flow::Break(column) => margins = body.margins_of(*column),
            Flow::Line(line) => widen(line, margins),
            Flow::Note(lines) => lines.iter_mut().for_each(|line| widen(line, margins)),
            Flow::Float(_) => {}
        }
        piece
    })
}

/// Labels that the file counts, for pages without a printed number: where none is printed, and where those
/// that are printed agree.
fn complete(printed: &mut HashMap<u32, String>, counted: &HashMap<u32, String>) {
    let agree = printed.iter().filter(|(page, label)| counted.get(page) == Some(label)).count();
    let trivial = counted.iter().all(|(page, label)| page.to_string() == *label);
    if if printed.is_empty() { trivial } else { agree * 2 <= printed.len() } {
        return;
    }
    for (page, label) in counted {
        printed.entry(*page).or_insert_with(|| label.clone());
    }
}

/// The lines and floats of a page, in reading order.
fn flow_of(regions: Vec<columns::Region>, page_width: f32, floats: Vec<Float>) -> Vec<Flow> {
    let mut flow = Vec::new();
    let mut floats: Vec<Option<Float>> = floats.into_iter().map(Some).collect();
    for region in regions {
        flow.push(Flow::Break(Column::of(&region, page_width)));
        let (lines, notes) = notes::split(region.lines);
        for mut line in lines {
            let places: Vec<usize> = line.words.iter().filter_map(table::placeholder).collect();
            for place in &places {
                let float = floats.get_mut(*place).and_then(Option::take);
                flow.extend(float.map(|float| Flow::Float(Box::new(float))));
            }
            if !places.is_empty() {
                line.retain(|word| table::placeholder(word).is_none());
            }
            if !line.words.is_empty() {
                flow.push(Flow::Line(line));
            }
        }
        flow.extend(notes.into_iter().map(Flow::Note));
    }
    flow
}

/// A text string of the file's dictionaries: UTF-16 with a mark, else Latin-1.
fn decode_text(bytes: &[u8]) -> Option<String> {
    let text: String = match bytes.strip_prefix(&[0xFE, 0xFF]) {
        Some(wide) => {
            let units = wide.chunks_exact(2).map(|pair| {
                u16::from_be_bytes([pair.first().copied().unwrap_or(0), pair.last().copied().unwrap_or(0)])
            });
            char::decode_utf16(units).map(|c| c.unwrap_or('\u{FFFD}')).collect()
        }
        None => match bytes.strip_prefix(&[0xEF, 0xBB, 0xBF]).map(std::str::from_utf8) {
            Some(Ok(text)) => text.into(),
            _ => bytes.iter().map(|b| char::from(*b)).collect(),
        },
    };
    let text: String = text.chars().filter(|c| !c.is_control()).collect();
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_string())
}
