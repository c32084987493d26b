//! Damaged files: each reader, fed with mutations of small good files, ends in text or in a clean error, in time and
//! in memory, on the stack that a server's backend may have.
//!
//! `CODECITE_MUTATION_SECONDS` (5 when unset) is how long each format is tried. The mutations are the same every time;
//! a longer run only goes further. A file that fails is written to the folder of cargo's temporary files, and its name is
//! part of the message.
#![allow(missing_docs)]

mod memory;
mod mutate;
mod seeds;

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use codecite_core::document::{BlockKind, Document, Format};
use codecite_core::error::Error;
use codecite_core::pipeline::{Parsed, parse};
use codecite_core::profile::Profile;
use codecite_core::read::read;
use codecite_core::work::{Limits, Unwatched, Work};
use mutate::Mutator;

/// A backend's stack is 2 MB at least where Postgres lets `max_stack_depth` be anything; half of it is ours.
const STACK: usize = 1 << 20;
const MOST_MEMORY: usize = 300 << 20;
/// On a machine that does other things as well; a good file takes a hundredth of it.
const MOST_TIME: Duration = Duration::from_secs(3);

/// Compiling its patterns takes longer than reading a small file.
static PROFILES: LazyLock<[Profile; 2]> =
    LazyLock::new(|| ["generic", "cfr"].map(|name| Profile::builtin(name).expect("a built-in profile")));

#[test]
fn pdf() {
    run(Format::Pdf);
}

#[test]
fn html() {
    run(Format::Html);
}

#[test]
fn docx() {
    run(Format::Docx);
}

#[test]
fn markdown() {
    run(Format::Markdown);
}

#[test]
fn text() {
    run(Format::Text);
}

fn run(format: Format) {
    let seconds = std::env::var("CODECITE_MUTATION_SECONDS").ok().and_then(|s| s.parse().ok()).unwrap_or(5);
    let until = Instant::now() + Duration::from_secs(seconds);
    let seeds = seeds::of(format);
    let mut mutator = Mutator::new(0x1004_5000 + format as u64, &seeds, seeds::words(format));
    let parts = seeds::parts(format);
    let mut inside = Mutator::new(0x1004_5001, &parts, seeds::words(format));
    for seed in &seeds {
        assert!(judge(format, seed).is_ok(), "a {format} seed is no {format} file");
    }
    let (mut files, mut read_well) = (0u32, 0u32);
    while Instant::now() < until {
        files += 1;
        // Half of the archives are whole, and what is in them is not.
        let is_inside = !parts.is_empty() && files % 2 == 0;
        let bytes = if is_inside { seeds::packed(&inside.next_file()) } else { mutator.next_file() };
        match judge(format, &bytes) {
            Ok(true) => read_well += 1,
            Ok(false) => {}
            Err(fault) => {
                let path =
                    std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{format}-{files}"));
                std::fs::write(&path, &bytes).expect("the folder of cargo's temporary files can be written");
                panic!("{fault}; the file is {}", path.display());
            }
        }
    }
    println!("{format}: {files} files, of which {read_well} could be read");
    assert!(read_well > 0 && read_well < files, "the mutations are too strong or too weak to test anything");
}

/// Whether the file can be read; `Err` is a fault of the reader.
fn judge(format: Format, bytes: &[u8]) -> Result<bool, String> {
    let bytes = bytes.to_vec();
    let work = move || {
        let started = Instant::now();
        memory::forget_peak();
        let outcome =
            std::panic::catch_unwind(|| judge_here(format, &bytes)).unwrap_or(Err("a panic".into()))?;
        let (peak, took) = (memory::peak(), started.elapsed());
        if peak > MOST_MEMORY {
            return Err(format!("{} MB of memory", peak >> 20));
        }
        if took > MOST_TIME {
            return Err(format!("{} ms", took.as_millis()));
        }
        Ok(outcome)
    };
    std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(work)
        .expect("a thread")
        .join()
        .unwrap_or(Err("a panic".into()))
}

fn judge_here(format: Format, bytes: &[u8]) -> Result<bool, String> {
    let limits = Limits { max_read_ms: 2_500, ..Limits::default() };
    match read(bytes, Some(format), &mut Work::new(&limits, &mut Unwatched)) {
        Ok((_, document)) => {
            tiles(&document)?;
            let parsed = parse(bytes, Some(format), &*PROFILES, &mut Work::new(&limits, &mut Unwatched));
            parsed.map_or_else(clean, |parsed| covers(&parsed).map(|()| true))
        }
        Err(error) => clean(error),
    }
}

/// Every byte of the text belongs to exactly one section, and floats stand inside the section that holds them.
fn covers(parsed: &Parsed) -> Result<(), String> {
    let mut end = 0;
    for section in &parsed.tree.sections {
        match section.nested.map(|owner| parsed.tree.sections.get(owner)) {
            None if section.span.start != end => return Err("sections do not cover the text".into()),
            None => end = section.span.end,
            Some(Some(owner)) if owner.span.contains(section.span) => {}
            Some(_) => return Err("a float outside the section that holds it".into()),
        }
    }
    if end == parsed.document.text.len() {
        Ok(())
    } else {
        Err("sections do not reach the end of the text".into())
    }
}

/// An error about the file is what is wanted; one about ourselves is not.
fn clean(error: Error) -> Result<bool, String> {
    match error {
        Error::Limit { name: "max_read_ms", .. } => Err("it had to be stopped by the time limit".into()),
        Error::Cancelled | Error::OutOfMemory => Err(error.to_string()),
        _ => Ok(false),
    }
}

/// Blocks cover the text in order, and everything points into it.
fn tiles(document: &Document) -> Result<(), String> {
    let mut end = 0;
    for block in &document.blocks {
        let gap = block.span.start.checked_sub(end);
        if !matches!(gap, Some(0 | 1)) || document.text.get(block.span.range()).is_none() {
            return Err("blocks do not cover the text".into());
        }
        if !block.runs.iter().all(|run| block.span.contains(run.span)) {
            return Err("a run outside its block".into());
        }
        if let BlockKind::Table(table) = &block.kind {
            let inside = |c: &codecite_core::document::Cell| {
                c.row + c.row_span <= table.rows && c.column + c.column_span <= table.columns
            };
            if !table.cells.iter().all(inside) {
                return Err("a cell outside its table".into());
            }
        }
        end = block.span.end;
    }
    let sorted = document.pages.windows(2).all(|pair| pair[0].offset <= pair[1].offset);
    let within = document.pages.iter().all(|mark| mark.offset <= document.text.len() + 1);
    if sorted && within { Ok(()) } else { Err("page marks out of order".into()) }
}
