//! Tables: grids, captions, notes, and tables that are none.

use codecite_core::document::{BlockKind, FurnitureKind};
use codecite_core::error::Error;
use codecite_core::work::Limits;

use super::{block, blocks, furniture, read, read_with, table, texts};

#[test]
fn spans_keep_cells_in_their_columns() {
    let document = read(
        "<table><caption>Table 1004.5 <b>Load</b></caption>\
         <thead><tr><th rowspan=2>Use</th><th colspan=2>Factor</th></tr><tr><th>gross</th><th>net</th></tr></thead>\
         <tbody><tr><td rowspan=0>Hall</td><td>7</td><td>5</td></tr><tr><td>8</td><td>6</td></tr></tbody>\
         <tfoot><tr><td colspan=3>a. A note.</td></tr></tfoot></table><p>after</p>",
    );
    let found = table(&document);
    assert_eq!((found.rows, found.columns, found.header_rows), (4, 3, 2));
    let places: Vec<_> =
        found.cells.iter().map(|c| (c.text.as_str(), c.row, c.column, c.row_span, c.column_span)).collect();
    assert_eq!(
        places,
        [
            ("Use", 0, 0, 2, 1),
            ("Factor", 0, 1, 1, 2),
            ("gross", 1, 1, 1, 1),
            ("net", 1, 2, 1, 1),
            ("Hall", 2, 0, 2, 1),
            ("7", 2, 1, 1, 1),
            ("5", 2, 2, 1, 1),
            ("8", 3, 1, 1, 1),
            ("6", 3, 2, 1, 1),
        ]
    );
    assert_eq!(found.caption.as_deref(), Some("Table 1004.5 Load"));
    assert_eq!(found.notes, ["a. A note."]);
    let texts = texts(&document);
    assert_eq!((texts[0], texts[2], texts[3]), ("Table 1004.5 Load", "a. A note.", "after"));
}

#[test]
fn heading_rows_without_a_head() {
    let document = read("<table><tr><th>A<th>B<tr><th>row<td>1</table>");
    assert_eq!(table(&document).header_rows, 1);
    assert_eq!(texts(&document), ["| A | B |\n|---|---|\n| row | 1 |"]);
}

#[test]
fn the_foot_is_printed_last_and_its_sums_stay_rows() {
    let document = read("<table><tfoot><tr><td>Sum<td>3</tfoot><tr><td>a<td>1<tr><td>b<td>2</table>");
    let cells: Vec<&str> = table(&document).cells.iter().map(|c| c.text.as_str()).collect();
    assert_eq!(cells, ["a", "1", "b", "2", "Sum", "3"]);
    assert!(table(&document).notes.is_empty());
}

#[test]
fn cells_hold_their_text_folded_and_apart() {
    let document = read(
        "<table><tr><th>A<th>B<tr><td><p>one</p><p>two<br>three</p><td><ul><li>x<li>y</ul><s>old</s> <b>n</b>ew</table>",
    );
    let cells: Vec<&str> = table(&document).cells.iter().map(|c| c.text.as_str()).collect();
    assert_eq!(cells, ["A", "B", "one two three", "• x • y new"]);
    assert_eq!(furniture(&document, FurnitureKind::Struck), ["old"]);
}

#[test]
fn the_text_of_a_nested_table_stays_in_its_cell() {
    let document = read(
        "<table><tr><th>A<th>B<tr><td>1<td>2<table><caption>in</caption><tr><td>3<td>4</table>5</table>",
    );
    let cells: Vec<&str> = table(&document).cells.iter().map(|c| c.text.as_str()).collect();
    assert_eq!(cells, ["A", "B", "1", "2 in 3 4 5"]);
}

#[test]
fn tables_that_arrange_prose_are_prose() {
    assert_eq!(blocks("<table><tr><td><h2>A</h2><p>b</p></td></tr></table>"), ["A", "b"]);
    assert_eq!(blocks("<table><tr><td>a</td></tr><tr><td>b<br>c</td></tr></table>"), ["a", "b\nc"]);
    assert_eq!(blocks("<table role=presentation><tr><td>a<td>b</table>"), ["a", "b"]);
    assert_eq!(blocks("<table><tr><td><p>a<p>b<td><p>c<p>d</table>"), ["a", "b", "c", "d"]);
    let document = read("<table><tr><td>menu<td><table><tr><th>A<th>B<tr><td>1<td>2</table></table>");
    assert_eq!(texts(&document), ["menu", "| A | B |\n|---|---|\n| 1 | 2 |"]);
}

#[test]
fn a_table_of_marks_and_items_is_a_list() {
    let document = read(
        "<p>Doors:</p><table><tr id=a><td>(a)</td><td>open <b>outwards</b>;</td></tr><tr><td><p>(b)</p></td><td>are:\
         <table><tr><td>&nbsp;(i)&nbsp;<td>wide<tr><td>(ii)<td>high</table></td></tr></table><p>after</p>",
    );
    assert_eq!(
        texts(&document),
        ["Doors:", "(a) open outwards;", "(b) are:", "(i) wide", "(ii) high", "after"]
    );
    assert_eq!(block(&document, "(a)").kind, BlockKind::ListItem { depth: 1 });
    assert_eq!(block(&document, "(a)").anchor.as_deref(), Some("a"));
    assert_eq!(block(&document, "(ii)").kind, BlockKind::ListItem { depth: 2 });
    assert_eq!(blocks("<table><tr><td>(a)<td><tr><td>(b)<td>x</table>"), ["(a)", "(b) x"]);
    let data = read("<table><tr><td>1.<td>a<td>b<tr><td>2.<td>c<td>d</table>");
    assert_eq!(table(&data).columns, 3);
}

#[test]
fn a_table_in_an_item_keeps_its_place_and_the_marker() {
    let document = read("<ol><li>one<table><tr><th>A<th>B</table>more<li><table><tr><th>C<th>D</table></ol>");
    assert_eq!(texts(&document), ["1. one", "| A | B |\n|---|---|", "more", "2.", "| C | D |\n|---|---|"]);
    assert_eq!(block(&document, "more").kind, BlockKind::Paragraph);
}

#[test]
fn careless_spans_make_no_empty_columns() {
    let document = read(
        "<table><tr><td colspan=4>A<td colspan=4>B<tr><td colspan=4>1<td colspan=4>2<tr></tr><tr><td>3</table>",
    );
    let found = table(&document);
    assert_eq!((found.rows, found.columns), (3, 2));
    assert_eq!(found.cells.len(), 5);
}

#[test]
fn overlapping_spans_do_not_share_a_place() {
    // The check of the invariants is the test.
    read("<table><tr><td>a<td rowspan=3>b<td>c<tr><td colspan=3>d<td>e<tr><td colspan=2>f</table>");
    read("<table><tr><td rowspan=9>a<td colspan=9>b<tr><td colspan=2 rowspan=2>c<tr><td>d</table>");
}

#[test]
fn a_grid_far_larger_than_its_cells_is_refused() {
    let wide = format!("<tr>{}</tr>", "<td>x</td>".repeat(20_000));
    let tall = "<tr><td>y</td></tr>".repeat(20_000);
    let error = read_with(format!("<table>{wide}{tall}</table>").as_bytes(), &Limits::default()).unwrap_err();
    assert!(matches!(error, Error::Limit { name: "max_memory_bytes", .. }), "{error:?}");
    let spans = "<tr><td colspan=1000 rowspan=65534>x</td><td colspan=99999999999>y</td></tr>".repeat(200);
    assert!(read(&format!("<table>{spans}</table>")).text.len() < 1 << 20);
}
