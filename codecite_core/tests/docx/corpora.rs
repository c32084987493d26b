//! A real code with tracked changes, where it is present.

use std::path::PathBuf;
use std::time::Instant;

use codecite_core::document::{BlockKind, Document, FurnitureKind};
use codecite_core::work::Limits;
use serde_json::Value;

use super::{beside, read_with, table_of};

/// The folder of shared test data.
fn shared() -> PathBuf {
    let default = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    std::env::var_os("CODECITE_SHARED").map_or_else(default, PathBuf::from)
}

fn load(name: &str) -> Option<Document> {
    let path = shared().join("corpora").join(name);
    let Ok(bytes) = std::fs::read(&path) else {
        println!("SKIPPED: no {} (set CODECITE_SHARED to the folder that holds corpora/)", path.display());
        return None;
    };
    let started = Instant::now();
    let document = read_with(&bytes, &Limits::default()).unwrap();
    println!(
        "{name}: {} blocks, {} bytes of text, {} pieces of furniture, {:.0} ms",
        document.blocks.len(),
        document.text.len(),
        document.furniture.len(),
        started.elapsed().as_secs_f64() * 1e3
    );
    Some(document)
}

fn golden(name: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(shared().join("golden").join(name)).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Without white space and hyphens, as the gold is compared.
fn plain(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && !matches!(c, '-' | '\u{2011}' | '\u{ad}')).collect()
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

const CODE: &str = "bc_building_code/NBC2020p1_Division_B_Part_3.FIN.docx";

#[test]
fn tracked_sentences_read_as_accepted() {
    let Some(document) = load(CODE) else { return };
    let all = plain(&document.text);
    let examples: Vec<Value> =
        golden("bc-part3.tracked.jsonl").into_iter().filter(|row| text(row, "type") == "example").collect();
    assert!(!examples.is_empty(), "no gold");
    for row in &examples {
        assert!(all.contains(&plain(text(row, "final"))), "{}", text(row, "number"));
    }
    assert!(!beside(&document, FurnitureKind::Deleted).is_empty());
    assert!(document.warnings.iter().any(|warning| warning.code == "tracked_changes"));
}

#[test]
fn every_cell_of_the_gold_stands_in_its_place() {
    let Some(document) = load(CODE) else { return };
    let tables: Vec<_> =
        document.blocks.iter().filter(|b| matches!(b.kind, BlockKind::Table(_))).map(table_of).collect();
    let gold = golden("bc-part3.tables.jsonl");
    assert_eq!(tables.len(), gold.len());
    let mut headers = 0;
    for (table, row) in tables.iter().zip(&gold) {
        let number = text(row, "number");
        let shape = (table.rows as u64, table.columns as u64);
        assert_eq!(shape, (row["rows"].as_u64().unwrap(), row["cols"].as_u64().unwrap()), "{number}");
        headers += usize::from(table.header_rows as u64 == row["header_rows"].as_u64().unwrap());
        for want in row["cells"].as_array().unwrap() {
            let place = (want["row"].as_u64().unwrap(), want["col"].as_u64().unwrap());
            let have = table.cells.iter().find(|cell| (cell.row as u64, cell.column as u64) == place);
            let have = have.map(|cell| plain(&cell.text)).unwrap_or_default();
            assert_eq!(have, plain(text(want, "text")), "{number} {place:?}");
        }
    }
    println!("header rows as in the gold: {headers}/{}", gold.len());
    assert!(headers * 10 >= gold.len() * 9);
}
