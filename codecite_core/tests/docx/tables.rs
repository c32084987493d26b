//! Tables: grid, spans, headings, and what stands inside cells.

use codecite_core::document::{BlockKind, Document, FurnitureKind};

use super::writer::{Docx, cell, paragraph, plain, row, run, styled, table};
use super::{beside, read, table_of, texts, texts_of};

/// The cells of the only table: row, column, rows, columns, text.
fn cells(document: &Document) -> Vec<(usize, usize, usize, usize, &str)> {
    let block = document.blocks.iter().find(|b| matches!(b.kind, BlockKind::Table(_))).unwrap();
    let cells = table_of(block).cells.iter();
    cells.map(|c| (c.row, c.column, c.row_span, c.column_span, c.text.as_str())).collect()
}

fn text(text: &str) -> String {
    cell("", &plain(text))
}

fn merged(properties: &str, text: &str) -> String {
    cell(properties, &if text.is_empty() { "<w:p/>".to_owned() } else { plain(text) })
}

#[test]
fn cells_span_columns_and_rows() {
    let body = table(&[
        row(
            "<w:tblHeader/>",
            &[merged("<w:vMerge w:val=\"restart\"/>", "Use"), merged("<w:gridSpan w:val=\"2\"/>", "Load")],
        ),
        row("<w:tblHeader/>", &[merged("<w:vMerge/>", ""), text("m2"), text("ft2")]),
        row("", &[text("Office"), text("9.3"), text("100")]),
        row(
            "<w:gridBefore w:val=\"1\"/>",
            &[merged("<w:hMerge w:val=\"restart\"/>", "none"), merged("<w:hMerge/>", "")],
        ),
    ]);
    let document = read(&Docx::new(&body));
    let expected = [
        (0, 0, 2, 1, "Use"),
        (0, 1, 1, 2, "Load"),
        (1, 1, 1, 1, "m2"),
        (1, 2, 1, 1, "ft2"),
        (2, 0, 1, 1, "Office"),
        (2, 1, 1, 1, "9.3"),
        (2, 2, 1, 1, "100"),
        (3, 1, 1, 2, "none"),
    ];
    assert_eq!(cells(&document), expected);
    let table = table_of(&document.blocks[0]);
    assert_eq!((table.rows, table.columns, table.header_rows), (4, 3, 2));
}

#[test]
fn cells_merged_in_both_directions_are_one() {
    let both = |h: &str, v: &str, text: &str| {
        merged(&format!("<w:hMerge w:val=\"{h}\"/><w:vMerge w:val=\"{v}\"/>"), text)
    };
    let below = || row("", &[both("restart", "continue", ""), both("continue", "continue", ""), text("b")]);
    let body = table(&[
        row("", &[both("restart", "restart", "wide"), both("continue", "restart", ""), text("a")]),
        below(),
        below(),
    ]);
    let document = read(&Docx::new(&body));
    let expected = [(0, 0, 3, 2, "wide"), (0, 2, 1, 1, "a"), (1, 2, 1, 1, "b"), (2, 2, 1, 1, "b")];
    assert_eq!(cells(&document), expected);
}

#[test]
fn a_merge_that_continues_nothing_is_a_cell() {
    let body = table(&[
        row("", &[merged("<w:vMerge/>", "a"), text("b")]),
        row("", &[text("c"), merged("<w:vMerge w:val=\"continue\"/>", "d")]),
        row("", &[merged("<w:hMerge/>", "e"), text("f")]),
    ]);
    let document = read(&Docx::new(&body));
    assert_eq!(cells(&document).iter().map(|c| c.4).collect::<String>(), "abcdef");
}

#[test]
fn what_a_continued_cell_hides_stands_beside() {
    let body = table(&[
        row("", &[merged("<w:vMerge w:val=\"restart\"/>", "a"), text("b")]),
        row("", &[merged("<w:vMerge/>", "hidden"), text("c")]),
    ]);
    let document = read(&Docx::new(&body));
    assert_eq!(cells(&document), [(0, 0, 2, 1, "a"), (0, 1, 1, 1, "b"), (1, 1, 1, 1, "c")]);
    assert_eq!(beside(&document, FurnitureKind::Around), [("hidden", Some(0))]);
}

#[test]
fn a_table_in_a_cell_is_not_lost() {
    let inner = table(&[row("", &[text("1"), text("2")]), row("", &[text("3"), text("4")])]);
    let body = table(&[row("", &[cell("", &(plain("before") + &inner + &plain("after"))), text("x")])]);
    assert_eq!(texts_of(&body), ["| before 1 2 3 4 after | x |\n|---|---|"]);
}

#[test]
fn a_table_that_is_a_box_is_read_as_its_paragraphs() {
    let body = table(&[row("", &[cell("", &(plain("Note") + &plain("See 3.1.")))])]) + &plain("after");
    assert_eq!(texts_of(&body), ["Note", "See 3.1.", "after"]);
}

#[test]
fn the_caption_stays_above_its_table() {
    let body = plain("Table 1004.5 Loads") + &table(&[row("", &[text("a"), text("b")])]);
    assert_eq!(texts_of(&body), ["Table 1004.5 Loads", "| a | b |\n|---|---|"]);
}

#[test]
fn rows_in_bold_at_the_top_are_headings_where_none_is_named() {
    let bold = |s: &str| {
        cell("", &paragraph(&(styled("<w:b/>", s) + &styled("<w:vertAlign w:val=\"superscript\"/>", "2"))))
    };
    let body = table(&[
        row("", &[bold("Area, m"), bold("Load, kg per m")]),
        row("", &[text("a"), text("b")]),
        row("", &[bold("Sum of all"), bold("more words")]),
    ]);
    assert_eq!(table_of(&read(&Docx::new(&body)).blocks[0]).header_rows, 1);
    let all = table(&[row("", &[bold("every row"), bold("is bold")])]);
    assert_eq!(table_of(&read(&Docx::new(&all)).blocks[0]).header_rows, 0);
}

#[test]
fn struck_words_are_kept_out_of_cells() {
    let inner = paragraph(&(styled("<w:strike/>", "30") + &run(" 32")));
    let document = read(&Docx::new(&(plain("p") + &table(&[row("", &[cell("", &inner), text("in")])]))));
    assert_eq!(texts(&document), ["p", "| 32 | in |\n|---|---|"]);
    assert_eq!(beside(&document, FurnitureKind::Struck), [("30", Some(2))]);
}

#[test]
fn empty_tables_are_no_blocks() {
    assert_eq!(texts_of(&(plain("a") + &table(&[row("", &[text(""), text("")])]) + &plain("b"))), ["a", "b"]);
    assert_eq!(texts_of(&(plain("a") + "<w:tbl/>" + &plain("b"))), ["a", "b"]);
}
