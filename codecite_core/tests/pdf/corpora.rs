//! Real codes, where they are present: what must be found in them, and how fast they are read.

use std::path::PathBuf;
use std::time::Instant;

use codecite_core::document::{BlockKind, Document};
use codecite_core::error::Error;
use codecite_core::work::Limits;

use super::{bold, check_invariants, read_with, texts};

/// The folder of shared test data, or `None` with a word about it.
fn shared() -> Option<PathBuf> {
    let default = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    let folder = std::env::var_os("CODECITE_SHARED").map_or_else(default, PathBuf::from).join("corpora");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("SKIPPED: no {} (set CODECITE_SHARED to the folder that holds corpora/)", folder.display());
    None
}

fn load(name: &str) -> Option<Document> {
    let path = shared()?.join(name);
    let Ok(bytes) = std::fs::read(&path) else {
        println!("SKIPPED: no {}", path.display());
        return None;
    };
    let started = Instant::now();
    let document = read_with(&bytes, &Limits::default()).unwrap();
    let seconds = started.elapsed().as_secs_f64();
    check_invariants(&document);
    println!(
        "{name}: {} pages, {} blocks, {} tables, {} bytes of text, {} pieces of furniture, {:.0} pages/s",
        document.page_count,
        document.blocks.len(),
        document.blocks.iter().filter(|b| matches!(b.kind, BlockKind::Table(_))).count(),
        document.text.len(),
        document.furniture.len(),
        f64::from(document.page_count) / seconds
    );
    Some(document)
}

/// Blocks that begin with `§28-…`, `*§28-…`.
fn sections(document: &Document) -> usize {
    let heads = document.blocks.iter().filter(|b| {
        document.slice(b.span).trim_start_matches(['*', ' ']).starts_with("§28-")
            && !bold(document, b).is_empty()
    });
    heads.count()
}

fn starting(document: &Document, start: &str) -> usize {
    texts(document).iter().filter(|t| t.starts_with(start)).count()
}

#[test]
fn new_york_title_28() {
    let expected = [("1", 327, 19, 24), ("3", 168, 17, 26)];
    for (chapter, heads, articles, exceptions) in expected {
        let Some(document) = load(&format!("nyc_title_28/nyc_title28_chapter{chapter}.pdf")) else {
            return;
        };
        assert_eq!(sections(&document), heads);
        assert_eq!(starting(&document, "ARTICLE ") + starting(&document, "*ARTICLE "), articles);
        assert_eq!(starting(&document, "Exception:") + starting(&document, "Exceptions:"), exceptions);
        // No section begins inside a block, and no block in the middle of a sentence.
        let inside =
            texts(&document).iter().filter(|t| t.trim_start_matches(['*', '§']).contains("§28-")).count();
        assert_eq!(inside, 0);
        assert_eq!(texts(&document).iter().filter(|t| t.starts_with(char::is_lowercase)).count(), 0);
        for block in document.blocks.iter().filter(|b| document.slice(b.span).starts_with("ARTICLE ")) {
            assert!(block.layout.centred && document.slice(block.span).len() < 14);
        }
    }
}

#[test]
fn new_york_fee_tables() {
    let Some(document) = load("nyc_title_28/nyc_title28_chapter1.pdf") else {
        return;
    };
    let tables: Vec<_> = document
        .blocks
        .iter()
        .filter_map(|b| match &b.kind {
            BlockKind::Table(table) => Some(table),
            _ => None,
        })
        .collect();
    let captions: Vec<&str> = tables.iter().filter_map(|t| t.caption.as_deref()).collect();
    for number in ["28-112.2", "28-112.7.1", "28-112.7.2", "28-112.7.3", "28-112.7.4", "28-112.8"] {
        assert_eq!(captions.iter().filter(|c| **c == format!("TABLE {number}")).count(), 1, "{captions:?}");
    }
    let fees = tables.iter().find(|t| t.caption.as_deref() == Some("TABLE 28-112.2")).unwrap();
    assert_eq!(fees.columns, 4);
    // Five landscape pages are one table: the heading stands once.
    assert_eq!(fees.cells.iter().filter(|c| c.text == "PERMIT TYPE").count(), 1);
    assert!(fees.rows > 30);
}

#[test]
fn two_columns_of_the_ada_regulation() {
    let Some(document) = load("us_doj_ada/title-iii-2010-regulations.pdf") else {
        return;
    };
    let labelled = document.pages.iter().filter(|mark| mark.label.is_some()).count();
    println!("pages with a printed label: {labelled} of {}", document.pages.len());
    assert!(labelled * 10 > document.pages.len() * 9);
    let long = document.blocks.iter().filter(|b| b.kind == BlockKind::Paragraph && b.span.len() > 300);
    let (mut ended, mut all) = (0, 0);
    for block in long {
        all += 1;
        ended +=
            usize::from(document.slice(block.span).trim_end().ends_with(['.', ':', ';', '”', '’', ')', '?']));
    }
    println!("long paragraphs that end as sentences do: {ended} of {all}");
    assert!(ended * 100 > all * 95);
}

#[test]
fn approved_documents() {
    for name in ["Approved_Document_B_vol_1-Content.pdf", "Approved_Document_H.pdf"] {
        let Some(document) = load(&format!("uk_approved_documents/{name}")) else {
            return;
        };
        assert!(document.pages.iter().filter(|mark| mark.label.is_some()).count() > 40);
    }
}

#[test]
fn awkward_files() {
    let Some(folder) = shared() else { return };
    if let Ok(bytes) = std::fs::read(folder.join("awkward/scan_no_text_layer.pdf")) {
        assert_eq!(read_with(&bytes, &Limits::default()).unwrap_err(), Error::NeedsOcr { pages: 2 });
    }
    if let Some(document) = load("awkward/doubled_text_layer.pdf") {
        assert_eq!(document.text.matches("\"main building\" means").count(), 1);
        assert_eq!(document.text.matches("enacts as follows").count(), 1);
    }
    load("awkward/german_two_level.pdf");
}
