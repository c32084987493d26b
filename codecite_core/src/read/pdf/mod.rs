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
mod path;
mod segmented;
mod sentence;
mod state;
mod strike;
mod table;
mod tagged;
mod words;

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use hayro_syntax::{DecryptionError, LoadPdfError, Pdf};

use self::blocks::Flow;
use self::floats::Float;
use self::geometry::PageContent;
use self::hints::Hints;
use self::interpreter::{Shared, run_page};
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
    refuse_scans(&pages, count, &mut warnings)?;
    let title = pdf.metadata().title.as_deref().and_then(decode_text);
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
fn pages(pdf: &Pdf, work: &mut Work<'_>, warnings: &mut Vec<Warning>) -> Result<(Vec<PageWords>, Hints)> {
    let total = pdf.pages().len() as u64;
    check("max_pages", total, work.limits().max_pages)?;
    let hints = hints_of(pdf, work)?;
    let mut shared = Shared { fonts: font::Fonts::new(), guard: guard::Guard::default(), hints };
    let mut out = Vec::new();
    for (page, number) in pdf.pages().iter().zip(1u32..) {
        work.tick(Stage::Read, u64::from(number), total)?;
        let mut content = PageContent::default();
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
        let mut words = words::words(content);
        if layers::take_second_layer(&mut words) {
            let message = "the page has two layers of text; the first was read".into();
            warnings.push(Warning { code: "doubled_text", page: Some(number), message });
        }
        let bytes =
            words.words.iter().map(|w| 96 + w.text.len() as u64).sum::<u64>() + 32 * words.rules.len() as u64;
        work.charge_memory(bytes)?;
        out.push(words);
    }
    Ok((out, shared.hints))
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
fn refuse_scans(pages: &[PageWords], count: u32, warnings: &mut Vec<Warning>) -> Result<()> {
    let unreadable = |page: &&PageWords| {
        let (seen, unknown) = page.seen;
        page.words.is_empty() && page.images > 0 || unknown as f32 > MAX_UNKNOWN * seen as f32
    };
    let scans: Vec<u32> = pages.iter().filter(unreadable).map(|page| page.number).collect();
    let has_text = pages.iter().any(|page| !page.words.is_empty() && !unreadable(&page));
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

fn layout(
    mut pages: Vec<PageWords>,
    hints: &Hints,
    known: Document,
    work: &mut Work<'_>,
) -> Result<Document> {
    let total = pages.len() as u64;
    let mut floats = Vec::new();
    for page in &mut pages {
        work.tick(Stage::Read, u64::from(page.number), total)?;
        floats.push(floats::take_floats(page));
        strike::mark_rules(page);
    }
    let (mut furniture, mut labels) = furniture::take_furniture(&mut pages);
    complete(&mut labels, &hints.labels);
    hyphens::settle(&mut pages);
    let gutters = columns::gutters(&pages);
    let mut regions = Vec::new();
    for (page, gutter) in pages.iter_mut().zip(gutters) {
        work.tick(Stage::Read, u64::from(page.number), total)?;
        let aside = page.aside.drain(..).map(|text| Furniture::of_page(page.number, text));
        furniture.extend(aside);
        regions.push(columns::regions(page, gutter));
        page.words = Vec::new();
    }
    let body =
        body::Body::of(pages.iter().zip(&regions).map(|(page, regions)| (page.width, regions.as_slice())));
    let mut flow = Vec::new();
    for ((page, mut regions), floats) in pages.iter().zip(regions).zip(floats) {
        body.widen(page.width, &mut regions);
        flow_of(regions, floats, &mut flow);
    }
    let items = blocks::blocks(flow);
    let mut document = emit::emit(items, &labels, &hints.bookmarks, work)?;
    document.furniture.append(&mut furniture);
    document.furniture.sort_by_key(|piece| piece.page);
    Ok(Document { page_count: known.page_count, title: known.title, warnings: known.warnings, ..document })
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
fn flow_of(regions: Vec<columns::Region>, floats: Vec<Float>, flow: &mut Vec<Flow>) {
    let mut floats: Vec<Option<Float>> = floats.into_iter().map(Some).collect();
    for region in regions {
        flow.push(Flow::Break);
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
