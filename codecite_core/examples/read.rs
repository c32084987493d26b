//! What the readers make of a file, on the command line: for tests against independent readers, and for people
//! who look at a document that reads badly.
//!
//! ```text
//! read FILE            the text
//! read FILE blocks     one JSON object a block, then one a piece of furniture, then one a warning
//! read FILE operations [NAME] one JSON object an operation of an amending document
//! read FILE tree [NAME] one JSON object a section, with its own text, parts, references and table; the profile
//!                      NAME or the best
//! read FILE structure [N] builds the tree, the chunks, the index and the references N times (default 5) from what was read;
//!                      the fastest of each in milliseconds
//! read FILE time [N]   reads it N times (default 5); the fastest in milliseconds, MB/s, pages/s, peak memory
//! ```

use std::io::{self, Write};
use std::time::Instant;

use codecite_core::amend::{Status, operations};
use codecite_core::chunk::{chunks, estimate_tokens};
use codecite_core::document::{Block, BlockKind, Document};
use codecite_core::index::index;
use codecite_core::pipeline::{Parsed, parse, structured};
use codecite_core::profile::{Profile, builtin_names};
use codecite_core::read::read;
use codecite_core::reference::references;
use codecite_core::structure::{PartKind, Section};
use codecite_core::work::{Limits, Unwatched, Work};
use serde_json::{Value, json};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (Some(path), what) = (arguments.first(), arguments.get(1).map_or("text", String::as_str)) else {
        eprintln!("usage: read FILE [text|blocks|tree [NAME]|structure [N]|time [N]]");
        std::process::exit(2);
    };
    let result = std::fs::read(path).map_err(|e| e.to_string()).and_then(|bytes| match what {
        "text" => with_document(&bytes, |document| write!(io::stdout(), "{}", document.text)),
        "blocks" => with_document(&bytes, blocks),
        "tree" => tree(&bytes, arguments.get(2).map(String::as_str)),
        "operations" => amendments(&bytes, arguments.get(2).map(String::as_str)),
        "structure" => structure(&bytes, arguments.get(2).and_then(|n| n.parse().ok()).unwrap_or(5)),
        "time" => time(&bytes, arguments.get(2).and_then(|n| n.parse().ok()).unwrap_or(5)),
        other => Err(format!("unknown output: {other}")),
    });
    if let Err(message) = result {
        eprintln!("{path}: {message}");
        std::process::exit(1);
    }
}

fn with_document(bytes: &[u8], print: impl Fn(&Document) -> io::Result<()>) -> Result<(), String> {
    let limits = Limits::default();
    let (_, document) =
        read(bytes, None, &mut Work::new(&limits, &mut Unwatched)).map_err(|e| e.to_string())?;
    print(&document).map_err(|e| e.to_string())
}

fn blocks(document: &Document) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for block in &document.blocks {
        writeln!(out, "{}", block_json(document, block))?;
    }
    for piece in &document.furniture {
        writeln!(
            out,
            "{}",
            json!({"furniture": piece.text, "kind": piece.kind, "page": piece.page, "offset": piece.offset})
        )?;
    }
    for warning in &document.warnings {
        writeln!(
            out,
            "{}",
            json!({"warning": warning.code, "page": warning.page, "message": warning.message})
        )?;
    }
    Ok(())
}

fn block_json(document: &Document, block: &Block) -> Value {
    let (kind, table) = match &block.kind {
        BlockKind::Heading { level } => (format!("heading {level}"), None),
        BlockKind::Paragraph => ("paragraph".into(), None),
        BlockKind::ListItem { depth } => (format!("item {depth}"), None),
        BlockKind::Table(table) => ("table".into(), Some(table)),
        BlockKind::Footnote => ("footnote".into(), None),
        BlockKind::Preformatted => ("preformatted".into(), None),
    };
    let page = document.pages_of(block.span).map(|(first, last)| (first.page, last.page));
    let runs: Vec<Value> = block
        .runs
        .iter()
        .map(|run| {
            let style = [
                (run.style.bold, 'b'),
                (run.style.italic, 'i'),
                (run.style.underlined, 'u'),
                (run.style.struck, 's'),
            ];
            let style: String = style.iter().filter(|(on, _)| *on).map(|(_, letter)| *letter).collect();
            json!([run.span.start, run.span.end, style])
        })
        .collect();
    json!({
        "kind": kind, "start": block.span.start, "end": block.span.end, "pages": page, "runs": runs,
        "indent": block.layout.indent, "size": block.layout.size, "centred": block.layout.centred,
        "anchor": block.anchor, "text": document.slice(block.span), "table": table,
    })
}

/// The tree by the profile `name`, or by the best.
fn parsed(bytes: &[u8], name: Option<&str>) -> Result<Parsed, String> {
    let limits = Limits::default();
    let profiles: Vec<Profile> = builtin_names()
        .iter()
        .filter(|known| name.is_none_or(|name| name == known.as_str()))
        .map(|name| Profile::builtin(name))
        .collect::<Result<_, _>>()
        .map_err(|e| e.to_string())?;
    let parsed =
        parse(bytes, None, &profiles, &mut Work::new(&limits, &mut Unwatched)).map_err(|e| e.to_string())?;
    eprintln!("{}", parsed.profile);
    Ok(parsed)
}

fn amendments(bytes: &[u8], name: Option<&str>) -> Result<(), String> {
    let parsed = parsed(bytes, name)?;
    let limits = Limits::default();
    let mut unwatched = Unwatched;
    let mut work = Work::new(&limits, &mut unwatched);
    let found = operations(&parsed.document, &parsed.tree, &mut work).map_err(|e| e.to_string())?;
    let mut out = io::stdout().lock();
    for operation in &found {
        let (status, reason) = match operation.status {
            Status::Clear => ("clear", None),
            Status::Ambiguous(reason) => ("ambiguous", Some(reason)),
        };
        let under = parsed.tree.sections.get(operation.section).and_then(|s| s.number.as_ref());
        let row = json!({
            "verb": operation.verb.as_str(), "target": operation.target.to_string(),
            "through": operation.through.as_ref().map(ToString::to_string), "scope": operation.detail.scope_words(),
            "under": under.map(ToString::to_string), "status": status, "reason": reason,
            "instruction": parsed.document.slice(operation.instruction),
            "new": operation.text.map(|span| parsed.document.slice(span)),
        });
        writeln!(out, "{row}").map_err(|e| e.to_string())?;
    }
    Ok(())
}

fn tree(bytes: &[u8], name: Option<&str>) -> Result<(), String> {
    let parsed = parsed(bytes, name)?;
    let mut out = io::stdout().lock();
    for section in &parsed.tree.sections {
        writeln!(out, "{}", section_json(&parsed, section)).map_err(|e| e.to_string())?;
    }
    for warning in &parsed.tree.warnings {
        writeln!(out, "{}", json!({"warning": format!("{warning:?}")})).map_err(|e| e.to_string())?;
    }
    Ok(())
}

fn section_json(parsed: &Parsed, section: &Section) -> Value {
    let number_of = |index: Option<usize>| {
        index.and_then(|index| parsed.tree.sections.get(index)?.number.as_ref()).map(ToString::to_string)
    };
    let parts: Vec<Value> = section
        .parts
        .iter()
        .map(|part| {
            let kind = match part.kind {
                PartKind::Exception => "exception",
                PartKind::Definition => "definition",
            };
            json!({
                "kind": kind, "locator": part.locator, "start": part.span.start, "end": part.span.end,
                "text": parsed.document.slice(part.span),
            })
        })
        .collect();
    // A float's text stands in that of the section around it.
    let own = if section.nested.is_none() { parsed.document.slice(section.span) } else { "" };
    let mentions: Vec<Value> = references(own, section.number.as_ref())
        .iter()
        .map(|reference| {
            json!({
                "number": reference.target.to_string(),
                "through": reference.through.as_ref().map(ToString::to_string),
                "locator": reference.locator, "source": reference.source,
                "start": section.span.start + reference.span.start,
                "end": section.span.start + reference.span.end,
            })
        })
        .collect();
    let page = parsed.document.pages_of(section.span).map(|(first, _)| first.page);
    json!({
        "number": section.number.as_ref().map(ToString::to_string), "title": section.title,
        "kind": section.kind, "parent": section.parent, "parent_number": number_of(section.parent),
        "owner_number": number_of(section.nested), "nested": section.nested, "page": page,
        "start": section.span.start, "end": section.span.end,
        "text": parsed.document.slice(section.span), "parts": parts, "references": mentions, "table": section.table,
    })
}

fn structure(bytes: &[u8], rounds: usize) -> Result<(), String> {
    let limits = Limits::default();
    let text = |error: codecite_core::error::Error| error.to_string();
    let (format, document) = read(bytes, None, &mut Work::new(&limits, &mut Unwatched)).map_err(text)?;
    let profiles: Vec<Profile> =
        builtin_names().iter().map(|name| Profile::builtin(name)).collect::<Result<_, _>>().map_err(text)?;
    let (mut tree, mut chunk, mut post, mut mention) =
        (f64::INFINITY, f64::INFINITY, f64::INFINITY, f64::INFINITY);
    let (mut sections, mut pieces, mut terms, mut mentions) = (0, 0, 0, 0);
    for _ in 0..rounds.max(1) {
        let copy = document.clone();
        let start = Instant::now();
        let parsed =
            structured(format, copy, &profiles, &mut Work::new(&limits, &mut Unwatched)).map_err(text)?;
        tree = tree.min(start.elapsed().as_secs_f64());
        let start = Instant::now();
        let made = chunks(
            &parsed.document,
            &parsed.tree,
            512,
            &estimate_tokens,
            &mut Work::new(&limits, &mut Unwatched),
        )
        .map_err(text)?;
        chunk = chunk.min(start.elapsed().as_secs_f64());
        let start = Instant::now();
        let postings = index(&parsed.document, &parsed.tree, &made, &mut Work::new(&limits, &mut Unwatched))
            .map_err(text)?;
        post = post.min(start.elapsed().as_secs_f64());
        let start = Instant::now();
        let own = parsed.tree.sections.iter().filter(|section| section.nested.is_none());
        mentions = own
            .map(|section| references(parsed.document.slice(section.span), section.number.as_ref()).len())
            .sum();
        mention = mention.min(start.elapsed().as_secs_f64());
        (sections, pieces, terms) = (parsed.tree.sections.len(), made.len(), postings.postings.len());
    }
    println!(
        "{sections} sections {:.1} ms, {pieces} chunks {:.1} ms, {terms} terms {:.1} ms, {mentions} references {:.1} ms",
        tree * 1e3,
        chunk * 1e3,
        post * 1e3,
        mention * 1e3
    );
    Ok(())
}

fn time(bytes: &[u8], rounds: usize) -> Result<(), String> {
    let limits = Limits::default();
    let mut best = f64::INFINITY;
    let mut pages = 0;
    for _ in 0..rounds.max(1) {
        let start = Instant::now();
        let (_, document) =
            read(bytes, None, &mut Work::new(&limits, &mut Unwatched)).map_err(|e| e.to_string())?;
        best = best.min(start.elapsed().as_secs_f64());
        pages = document.page_count;
    }
    let megabytes = bytes.len() as f64 / 1e6;
    print!("{:.1} ms, {megabytes:.2} MB, {:.1} MB/s", best * 1e3, megabytes / best);
    if pages > 0 {
        print!(", {pages} pages, {:.0} pages/s", f64::from(pages) / best);
    }
    println!(", peak {} kB", peak_kilobytes());
    Ok(())
}

/// The most memory this process ever had, where the system says.
fn peak_kilobytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse().ok()).unwrap_or(0)
}
