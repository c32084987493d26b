//! Real codes, where they are present: what must be found in them, and how fast they are read.

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::Instant;

use codecite_core::document::{Block, BlockKind, Document, Table};
use codecite_core::error::Error;
use codecite_core::work::Limits;
use serde_json::Value;
use unicode_normalization::UnicodeNormalization;

use super::{bold, check_invariants, read_with, texts};

/// The folder of shared test data, or `None` with a word about it.
fn shared() -> Option<PathBuf> {
    folder("corpora")
}

fn folder(name: &str) -> Option<PathBuf> {
    let default = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    let folder = std::env::var_os("CODECITE_SHARED").map_or_else(default, PathBuf::from).join(name);
    if folder.is_dir() {
        return Some(folder);
    }
    println!(
        "SKIPPED: no {} (set CODECITE_SHARED to the folder that holds corpora/ and golden/)",
        folder.display()
    );
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

/// The rows of a gold file, or `None` with a word about it.
fn gold(name: &str) -> Option<Vec<Value>> {
    let path = folder("golden")?.join(name);
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("SKIPPED: no {}", path.display());
        return None;
    };
    Some(
        text.lines()
            .filter(|line| !line.trim().is_empty())
            .map(|l| serde_json::from_str(l).unwrap())
            .collect(),
    )
}

/// Letters and digits only: what white space and hyphens do is judged elsewhere.
fn squeeze(text: &str) -> String {
    text.nfkc().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[test]
fn reading_order_of_two_columns() {
    let (Some(rows), Some(document)) =
        (gold("uk-adh.readingorder.jsonl"), load("uk_approved_documents/Approved_Document_H.pdf"))
    else {
        return;
    };
    let all = squeeze(&document.text);
    let headings: Vec<String> =
        texts(&document).iter().filter(|t| t.len() < 80).map(|t| squeeze(t)).collect();
    let (mut wrong, mut seen) = (Vec::new(), [0, 0]);
    for row in rows {
        if row["type"] == "page" {
            seen[0] += 1;
            let page = row["page"].as_u64().unwrap() as u32;
            let expected: Vec<&str> =
                row["clauses"].as_array().unwrap().iter().map(|c| c.as_str().unwrap()).collect();
            let on_page = |b: &&Block| document.page_at(b.span.start).is_some_and(|mark| mark.page == page);
            let found = document
                .blocks
                .iter()
                .filter(on_page)
                .filter_map(|b| document.slice(b.span).split(' ').next());
            let found: Vec<&str> = found.filter(|head| expected.contains(head)).collect();
            if found != expected {
                wrong.push(format!("page {page}: {found:?} is not {expected:?}"));
            }
        } else {
            seen[1] += 1;
            let [before, after] = ["before", "after"].map(|key| squeeze(row[key].as_str().unwrap()));
            let follows = all.contains(&format!("{before}{after}"));
            // The heading of the next clause may stand between.
            let headed = row["join"] == "next-clause"
                && headings.iter().any(|heading| all.contains(&format!("{before}{heading}{after}")));
            if !follows && !headed {
                wrong.push(format!("break on page {}: {}", row["page"], row["before"]));
            }
        }
    }
    println!("{} pages and {} breaks in order but for {wrong:#?}", seen[0], seen[1]);
    assert!(wrong.is_empty() && seen == [15, 16]);
}

/// The table of a gold row: by its number or caption, else by its cells.
fn find_table<'t>(row: &Value, tables: &[(u32, &'t Table)]) -> Option<&'t Table> {
    let text = |value: &Value| squeeze(value.as_str().unwrap_or_default());
    let page =
        row["page"].as_u64().or_else(|| row["page"].as_str()?.split('-').next()?.parse().ok()).unwrap();
    let score = |table: &Table| {
        let caption = squeeze(table.caption.as_deref().unwrap_or_default());
        let named = [&row["number"], &row["title"]]
            .iter()
            .filter(|v| !text(v).is_empty())
            .all(|v| caption.contains(&text(v)));
        let cells =
            samples(row).filter(|(.., t)| table.cells.iter().any(|c| squeeze(&c.text) == squeeze(t))).count();
        if row["number"].is_string() { usize::from(named) * 10 + cells } else { cells }
    };
    let near = tables.iter().filter(|(on, _)| u64::from(*on).abs_diff(page) <= 1);
    near.map(|(_, table)| (score(table), *table))
        .filter(|(s, _)| *s > 0)
        .max_by_key(|(s, _)| *s)
        .map(|(_, t)| t)
}

/// Row and column, from 1 over data rows, and text of the sample cells.
fn samples(row: &Value) -> impl Iterator<Item = (usize, usize, &str)> {
    let cells = row.get("sample_cells").or(row.get("cells")).and_then(Value::as_array);
    cells.into_iter().flatten().map(|cell| {
        let at = |key: &str| cell[key].as_u64().unwrap() as usize;
        (at("row"), at("col"), cell["text"].as_str().unwrap())
    })
}

#[test]
fn tables_of_the_gold_files() {
    let files = [
        ("nyc-title-28.tables.jsonl", "nyc_title_28/"),
        ("cfr-28-36-pdf.tables.jsonl", "us_doj_ada/title-iii-2010-regulations.pdf"),
        ("uk-adb1.structure.jsonl", "uk_approved_documents/Approved_Document_B_vol_1-Content.pdf"),
        ("uk-adh.structure.jsonl", "uk_approved_documents/Approved_Document_H.pdf"),
    ];
    let (mut found, mut all, mut right, mut cells) = (0, 0, 0, 0);
    for (name, place) in files {
        let Some(rows) = gold(name) else { return };
        let mut read: HashMap<String, Document> = HashMap::new();
        for row in rows.iter().filter(|row| !name.contains("structure") || row["kind"] == "table") {
            let path = format!("{place}{}", row["file"].as_str().unwrap_or_default());
            if !read.contains_key(&path) {
                let Some(document) = load(&path) else { return };
                read.insert(path.clone(), document);
            }
            let document = &read[&path];
            let tables: Vec<(u32, &Table)> = document
                .blocks
                .iter()
                .filter_map(|b| match &b.kind {
                    BlockKind::Table(table) => Some((document.page_at(b.span.start)?.page, &**table)),
                    _ => None,
                })
                .collect();
            all += 1;
            cells += samples(row).count();
            let Some(table) = find_table(row, &tables) else {
                println!("{name}: no table {}", row["number"]);
                continue;
            };
            found += 1;
            for (line, column, text) in samples(row) {
                let place = (line - 1 + table.header_rows, column - 1);
                let cell = table.cells.iter().find(|c| (c.row, c.column) == place);
                let own = squeeze(cell.map_or("", |c| &c.text));
                right += usize::from(own == squeeze(text));
                if own != squeeze(text) {
                    println!("{name}: {} at {place:?}: {own:?}", row["number"]);
                }
            }
        }
    }
    println!("{found} of {all} tables, {right} of {cells} cells");
    assert!(found == all && right * 100 >= cells * 95);
}
