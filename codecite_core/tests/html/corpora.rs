//! Real codes, where they are present.

use std::path::PathBuf;

use codecite_core::document::{BlockKind, FurnitureKind};
use codecite_core::work::Limits;

use super::{read_with, texts};

/// A file of the shared test data, or `None` with a word about it.
fn load(name: &str) -> Option<Vec<u8>> {
    let default = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    let path =
        std::env::var_os("CODECITE_SHARED").map_or_else(default, PathBuf::from).join("corpora").join(name);
    let bytes = std::fs::read(&path).ok();
    if bytes.is_none() {
        println!("SKIPPED: no {} (set CODECITE_SHARED to the folder that holds corpora/)", path.display());
    }
    bytes
}

#[test]
fn georgia_title_8() {
    for (release, sections) in [("r83", 267), ("r86", 267)] {
        let Some(bytes) = load(&format!("georgia_title_8/ocga_title08_{release}.html")) else { return };
        let document = read_with(&bytes, &Limits::default()).unwrap();
        let headings = document.blocks.iter().filter(|b| b.kind == BlockKind::Heading { level: 3 });
        let numbered =
            headings.filter(|b| document.slice(b.span).starts_with("8-") && b.anchor.is_some()).count();
        assert_eq!(numbered, sections, "{release}");
        assert_eq!(document.title.as_deref(), Some("GACODE"));
        // Contents lists are furniture, and no item of one is text.
        let around = document.furniture.iter().filter(|f| f.kind == FurnitureKind::Around).count();
        assert_eq!(around, 39, "{release}");
        assert!(texts(&document).iter().all(|text| !text.contains("  ")));
    }
}
