use super::*;
use crate::work::{Limits, Unwatched};

fn read_str(source: &str) -> Document {
    let limits = Limits::default();
    let mut watcher = Unwatched;
    read(source.as_bytes(), &mut Work::new(&limits, &mut watcher)).unwrap()
}

fn texts(document: &Document) -> Vec<&str> {
    document.blocks.iter().map(|block| document.slice(block.span)).collect()
}

#[test]
fn headings_paragraphs_and_emphasis() {
    let document = read_str("# CHAPTER 1\n\nSetext\n---\n\n**101.1 Title.** Body\nwraps here.\n");
    assert_eq!(texts(&document), ["CHAPTER 1", "Setext", "101.1 Title. Body wraps here."]);
    assert_eq!(document.blocks[1].kind, BlockKind::Heading { level: 2 });
    assert_eq!(document.slice(document.blocks[2].bold_lead(&document.text)), "101.1 Title.");
}

#[test]
fn lists_keep_their_printed_markers_and_nesting() {
    let document = read_str("1. one\n   wrapped\n2. two\n   - inner\n\n   more of two\n\nafter\n");
    assert_eq!(texts(&document), ["1. one wrapped", "2. two", "- inner", "more of two", "after"]);
    assert_eq!(document.blocks[2].kind, BlockKind::ListItem { depth: 2 });
    assert_eq!(document.blocks[3].kind, BlockKind::Paragraph);
    assert!(document.blocks[3].layout.indent > document.blocks[4].layout.indent);
}

#[test]
fn tables_are_cells_and_text_in_place() {
    let document = read_str("before\n\n| A | B |\n|---|---|\n| 1 | x \\| y |\n\nafter\n");
    assert_eq!(document.blocks.len(), 3);
    let BlockKind::Table(table) = &document.blocks[1].kind else { panic!("no table") };
    assert_eq!((table.rows, table.columns, table.header_rows), (2, 2, 1));
    assert_eq!(table.cells[3].text, "x | y");
    assert_eq!(document.slice(document.blocks[1].span), "| A | B |\n|---|---|\n| 1 | x \\| y |");
}

#[test]
fn front_matter_html_and_fences() {
    let document =
        read_str("---\ntitle: \"My Code\"\nlayout: x\n---\n\n<div><p>in html</p></div>\n\n```\ncode\n```\n");
    assert_eq!(document.title.as_deref(), Some("My Code"));
    assert_eq!(texts(&document), ["in html", "code"]);
}

#[test]
fn blocks_and_separators_cover_the_text() {
    let document = read_str("# A\n\npara\n\n- x\n- y\n\n| h |\n|--|\n| c |\n");
    let mut end = 0;
    for block in &document.blocks {
        assert!(document.text[end..block.span.start].chars().all(|c| c == '\n'));
        end = block.span.end;
    }
    assert_eq!(end, document.text.len());
}

#[test]
fn deep_nesting_is_a_limit() {
    let limits = Limits::default();
    let mut watcher = Unwatched;
    let source = format!("{} x", ">".repeat(5000));
    let error = read(source.as_bytes(), &mut Work::new(&limits, &mut watcher)).unwrap_err();
    assert_eq!(error.code(), "limit");
}
