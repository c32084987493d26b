//! Ruled tables.

use codecite_core::document::{BlockKind, Document, Table};

use super::writer::{BOLD, FIRST_EXTRA, Page, REGULAR, page_object, pdf, pdf_with};
use super::{check_invariants, read, texts};

fn tables(document: &Document) -> Vec<&Table> {
    document
        .blocks
        .iter()
        .filter_map(|block| match &block.kind {
            BlockKind::Table(table) => Some(&**table),
            _ => None,
        })
        .collect()
}

fn cell(table: &Table, row: usize, column: usize) -> &str {
    table.cells.iter().find(|c| (c.row, c.column) == (row, column)).map_or("", |c| &c.text)
}

/// A grid of 3 columns of 100 points from x 72 and rows of 20 points down from `top`; no line where a cell spans.
fn grid(mut page: Page, top: f32, rows: usize, spans: &[(usize, usize)]) -> Page {
    for row in 0..=rows {
        let y = top - 20.0 * row as f32;
        page = page.line(72.0, y, 372.0, y);
    }
    for row in 0..rows {
        let y = top - 20.0 * row as f32;
        for column in 0..=3 {
            if !spans.contains(&(row, column)) {
                let x = 72.0 + 100.0 * column as f32;
                page = page.line(x, y, x, y - 20.0);
            }
        }
    }
    page
}

fn fill(mut page: Page, top: f32, cells: &[(usize, usize, &str)]) -> Page {
    for (row, column, text) in cells {
        let font = if *row == 0 { BOLD } else { REGULAR };
        page = page.text(font, 9.0, 76.0 + 100.0 * *column as f32, top - 14.0 - 20.0 * *row as f32, text);
    }
    page
}

#[test]
fn a_grid_with_a_span_becomes_a_table_with_its_caption() {
    let page = Page::new()
        .text(REGULAR, 10.0, 72.0, 740.0, "Occupant loads shall comply with the table.")
        .text(BOLD, 10.0, 190.0, 715.0, "TABLE 1004.5");
    let page = grid(page, 700.0, 4, &[(0, 2)]);
    let page = fill(
        page,
        700.0,
        &[
            (0, 0, "USE"),
            (0, 1, "FACTOR"),
            (1, 0, "Business"),
            (1, 1, "150"),
            (1, 2, "gross"),
            (2, 0, "Library"),
            (2, 1, "50"),
            (2, 2, "net"),
            (3, 0, "Stage"),
            (3, 1, "15"),
            (3, 2, "net"),
        ],
    )
    .text(REGULAR, 10.0, 72.0, 590.0, "Text after the table.");
    let document = read(&pdf(&[page], &[]));
    check_invariants(&document);
    let found = tables(&document);
    assert_eq!(found.len(), 1, "{:?}", texts(&document));
    let table = found[0];
    assert_eq!((table.rows, table.columns, table.header_rows), (4, 3, 1));
    assert_eq!(table.caption.as_deref(), Some("TABLE 1004.5"));
    let wide = table.cells.iter().find(|c| c.text == "FACTOR").unwrap();
    assert_eq!((wide.row, wide.column, wide.row_span, wide.column_span), (0, 1, 1, 2));
    assert_eq!((cell(table, 2, 0), cell(table, 2, 1), cell(table, 2, 2)), ("Library", "50", "net"));
    // The cells are in the table and nowhere else, and the order is the page's.
    assert_eq!(document.text.matches("Library").count(), 1);
    let order =
        ["Occupant loads", "TABLE 1004.5", "| USE", "Text after"].map(|t| document.text.find(t).unwrap());
    assert!(order.is_sorted(), "{}", document.text);
}

#[test]
fn a_table_goes_on_over_the_page_without_its_repeated_heading() {
    let head = [(0, 0, "USE"), (0, 1, "LOAD"), (0, 2, "BASIS")];
    let rows = |a: &'static str, b: &'static str| {
        let mut cells = head.to_vec();
        cells.extend([(1, 0, a), (1, 1, "10"), (1, 2, "net"), (2, 0, b), (2, 1, "20"), (2, 2, "gross")]);
        cells
    };
    let one = fill(grid(Page::new(), 160.0, 3, &[]), 160.0, &rows("Assembly", "Court"));
    let two = fill(grid(Page::new(), 700.0, 3, &[]), 700.0, &rows("Kitchen", "Locker"));
    let document = read(&pdf(&[one, two], &[]));
    check_invariants(&document);
    let found = tables(&document);
    assert_eq!(found.len(), 1, "{:?}", texts(&document));
    assert_eq!(found[0].rows, 5);
    assert_eq!((cell(found[0], 3, 0), cell(found[0], 4, 1)), ("Kitchen", "20"));
    assert_eq!(document.text.matches("BASIS").count(), 1);
    assert!(document.furniture.iter().any(|f| f.page == Some(2) && f.text == "USE LOAD BASIS"));
    let mark = document.pages.iter().find(|mark| mark.page == 2).unwrap();
    assert!(document.text[mark.offset..].starts_with("| Kitchen"), "{:?}", &document.text[mark.offset..]);
}

#[test]
fn a_frame_around_text_is_no_table() {
    let page = Page::new().raw("60 640 400 80 re S").lines(
        72.0,
        700.0,
        &["A note in a frame speaks of one thing only", "and goes on in a second line."],
    );
    let document = read(&pdf(&[page], &[]));
    assert!(tables(&document).is_empty());
    assert_eq!(
        texts(&document),
        ["A note in a frame speaks of one thing only and goes on in a second line."]
    );
}

#[test]
fn rules_in_stretches_make_a_table_without_upright_lines() {
    // Two columns with a gutter; the caption's and the notes' rows have one rule over both.
    let mut page = Page::new();
    for y in [700.0, 680.0, 660.0, 640.0, 620.0] {
        page = page.line(72.0, y, 250.0, y).line(262.0, y, 440.0, y);
    }
    for (y, left, right) in
        [(686.0, "Location", "Class"), (666.0, "Rooms", "C-s3"), (646.0, "Stairs", "B-s3")]
    {
        page = page.text(REGULAR, 9.0, 76.0, y, left).text(REGULAR, 9.0, 266.0, y, right);
    }
    let page = page.text(BOLD, 9.0, 76.0, 706.0, "Table 4.1 Classification of linings").text(
        REGULAR,
        9.0,
        76.0,
        626.0,
        "NOTE: Wallcoverings are not linings.",
    );
    let document = read(&pdf(&[page], &[]));
    check_invariants(&document);
    let found = tables(&document);
    assert_eq!(found.len(), 1, "{:?}", texts(&document));
    assert_eq!((found[0].rows, found[0].columns), (3, 2));
    assert_eq!((cell(found[0], 2, 0), cell(found[0], 2, 1)), ("Stairs", "B-s3"));
    assert_eq!(found[0].caption.as_deref(), Some("Table 4.1 Classification of linings"));
    assert!(texts(&document).contains(&"NOTE: Wallcoverings are not linings."), "{:?}", texts(&document));
}

/// A table with rules over its whole width and nothing between its columns.
fn open_table(page: Page, caption: &str) -> Page {
    let mut page = page.text(BOLD, 9.0, 72.0, 690.0, caption);
    for y in [685.0, 665.0, 613.0, 585.0] {
        page = page.line(72.0, y, 400.0, y);
    }
    let rows = [("Clay", "0.6", "5.0"), ("Concrete", "0.7", "4.5"), ("Plastic", "0.9", "7.0")];
    page = page
        .text(BOLD, 8.0, 76.0, 672.0, "Pipe")
        .text(BOLD, 8.0, 200.0, 672.0, "Least (m)")
        .text(BOLD, 8.0, 320.0, 672.0, "Most (m)");
    for (index, (name, least, most)) in rows.iter().enumerate() {
        let y = 654.0 - 16.0 * index as f32;
        page = page.text(REGULAR, 8.0, 76.0, y, name).text(REGULAR, 8.0, 200.0, y, least);
        page = page.text(REGULAR, 8.0, 320.0, y, most);
    }
    page.text(REGULAR, 7.0, 76.0, 603.0, "Notes:").text(REGULAR, 7.0, 76.0, 592.0, "1. In fields only.")
}

#[test]
fn white_space_makes_columns_where_rules_run_across() {
    let page = open_table(Page::new(), "Table 8 Limits of cover").text(
        REGULAR,
        10.0,
        72.0,
        560.0,
        "Text after the table.",
    );
    let document = read(&pdf(&[page], &[]));
    check_invariants(&document);
    let found = tables(&document);
    assert_eq!(found.len(), 1, "{:?}", texts(&document));
    let table = found[0];
    assert_eq!((table.rows, table.columns, table.header_rows), (4, 3, 1), "{}", document.text);
    assert_eq!((cell(table, 0, 1), cell(table, 2, 0), cell(table, 3, 2)), ("Least (m)", "Concrete", "7.0"));
    assert_eq!(table.caption.as_deref(), Some("Table 8 Limits of cover"));
    assert_eq!(table.notes, ["Notes:", "1. In fields only."]);
    assert_eq!(document.text.matches("Concrete").count(), 1);
    assert!(document.text.ends_with("Text after the table."));
}

#[test]
fn a_table_within_one_column_leaves_the_columns_alone() {
    let mut page = open_table(Page::new(), "Table 8 Limits of cover");
    for n in 1..=12 {
        page =
            page.text(REGULAR, 9.0, 420.0, 700.0 - 14.0 * n as f32, &format!("right line {n:02} says more"));
        let y = 560.0 - 14.0 * n as f32;
        page = page.text(
            REGULAR,
            9.0,
            72.0,
            y,
            &format!("left line {n:02} of a paragraph that is long enough for it"),
        );
        page = page.text(REGULAR, 9.0, 420.0, y, &format!("right line {:02} says more", n + 12));
    }
    let document = read(&pdf(&[page], &[]));
    check_invariants(&document);
    assert_eq!(tables(&document).len(), 1, "{}", document.text);
    let order = ["| Clay", "left line 01", "left line 12", "right line 01", "right line 24"]
        .map(|t| document.text.find(t).unwrap_or_else(|| panic!("{t}: {}", document.text)));
    assert!(order.is_sorted(), "{}", document.text);
}

#[test]
fn labels_of_a_framed_figure_are_one_block_and_no_table() {
    let mut page = Page::new()
        .text(REGULAR, 10.0, 72.0, 720.0, "Text before the figure.")
        .text(BOLD, 10.0, 76.0, 690.0, "Diagram 2 Width of stairs")
        .line(72.0, 680.0, 400.0, 680.0)
        .line(72.0, 500.0, 400.0, 500.0)
        .line(72.0, 500.0, 72.0, 680.0)
        .line(400.0, 500.0, 400.0, 680.0);
    // What is drawn looks like a grid with text in its cells.
    page = grid(page, 660.0, 3, &[]);
    for (row, column, text) in
        [(0, 0, "Stair"), (0, 1, "Landing"), (1, 0, "900mm"), (1, 1, "1.2m"), (2, 2, "Exit")]
    {
        page = page.text(REGULAR, 8.0, 76.0 + 100.0 * column as f32, 646.0 - 20.0 * row as f32, text);
    }
    let page = page.text(REGULAR, 10.0, 72.0, 470.0, "Text after the figure.");
    let document = read(&pdf(&[page], &[]));
    check_invariants(&document);
    assert!(tables(&document).is_empty());
    let texts = texts(&document);
    assert_eq!(texts.len(), 4, "{texts:?}");
    assert_eq!(texts[1], "Diagram 2 Width of stairs");
    let mut labels: Vec<&str> = texts[2].split('\n').collect();
    labels.sort_unstable();
    assert_eq!(labels, ["1.2m", "900mm", "Exit", "Landing", "Stair"]);
    assert_eq!(texts[3], "Text after the figure.");
}

#[test]
fn a_caption_may_stand_below_or_have_no_number() {
    let cells =
        [(0, 0, "USE"), (0, 1, "LOAD"), (0, 2, "BASIS"), (1, 0, "Court"), (1, 1, "10"), (1, 2, "net")];
    let below = fill(grid(Page::new(), 700.0, 2, &[]), 700.0, &cells).text(
        REGULAR,
        9.0,
        72.0,
        640.0,
        "Table 4.2: Loads of courts",
    );
    let document = read(&pdf(&[below], &[]));
    assert_eq!(tables(&document)[0].caption.as_deref(), Some("Table 4.2: Loads of courts"));
    let above = fill(grid(Page::new(), 700.0, 2, &[]), 700.0, &cells).text(
        BOLD,
        9.0,
        160.0,
        708.0,
        "Loads of courts (in kN)",
    );
    let document = read(&pdf(&[above], &[]));
    assert_eq!(tables(&document)[0].caption.as_deref(), Some("Loads of courts (in kN)"));
    assert_eq!(document.text.matches("Loads of courts").count(), 1);
}

#[test]
fn two_columns_of_clauses_in_a_box_are_no_table() {
    let clause = "The building shall be designed so that it will not fail within a time that is fit for it.";
    let mut page =
        grid(Page::new(), 700.0, 1, &[]).line(72.0, 680.0, 72.0, 500.0).line(172.0, 680.0, 172.0, 500.0);
    page = page.line(372.0, 680.0, 372.0, 500.0).line(72.0, 500.0, 372.0, 500.0);
    page = page.text(REGULAR, 9.0, 76.0, 686.0, "Limits").text(REGULAR, 9.0, 180.0, 686.0, "Requirement");
    page = page.text(REGULAR, 9.0, 76.0, 660.0, "None.");
    for n in 0..10 {
        page = page.text(REGULAR, 4.4, 180.0, 660.0 - 12.0 * n as f32, &format!("B{n}. {clause}"));
    }
    let document = read(&pdf(&[page], &[]));
    assert!(tables(&document).is_empty(), "{}", document.text);
    assert_eq!(document.text.matches(clause).count(), 10);
}

#[test]
fn tags_make_a_table_where_no_rule_is_drawn() {
    let rows = [["Use", "Load", "Basis"], ["Court", "10", "net"], ["Kitchen", "200", "gross"]];
    let mut page = Page::new().text(REGULAR, 10.0, 72.0, 720.0, "Text before the table.");
    let (root, table) = (FIRST_EXTRA, FIRST_EXTRA + 1);
    let page_number = page_object(0, 2);
    let mut tree = String::new();
    for (row, cells) in rows.iter().enumerate() {
        tree.push_str("<</S/TR/K[");
        for (column, text) in cells.iter().enumerate() {
            let (mcid, x, y) = (row * 3 + column, 72 + 100 * column, 690 - 14 * row);
            tree.push_str(&format!("<</S/TD/Pg {page_number} 0 R/K {mcid}>>"));
            page = page.raw(&format!("/TD <</MCID {mcid}>> BDC BT /F1 9 Tf {x} {y} Td ({text}) Tj ET EMC"));
        }
        tree.push_str("]>>");
    }
    let page = page.text(REGULAR, 10.0, 72.0, 630.0, "Text after the table.");
    let more = [format!("<</Type/StructTreeRoot/K {table} 0 R>>"), format!("<</S/Table/K[{tree}]>>")];
    let file = pdf_with(&[page], &more.map(String::into_bytes), &format!("/StructTreeRoot {root} 0 R"), "");
    let document = read(&file);
    check_invariants(&document);
    let found = tables(&document);
    assert_eq!(found.len(), 1, "{:?}", texts(&document));
    assert_eq!((found[0].rows, found[0].columns, found[0].header_rows), (3, 3, 1));
    assert_eq!(
        (cell(found[0], 0, 2), cell(found[0], 2, 0), cell(found[0], 2, 1)),
        ("Basis", "Kitchen", "200")
    );
    assert_eq!(document.text.matches("Kitchen").count(), 1);
}

#[test]
fn three_rules_make_a_table_of_short_cells_and_none_of_running_text() {
    let ruled =
        |page: Page| [700.0, 680.0, 630.0].iter().fold(page, |page, y| page.line(72.0, *y, 540.0, *y));
    let mut page = ruled(Page::new().text(REGULAR, 10.0, 72.0, 720.0, "Text before the table."));
    for (row, cells) in
        [["Use", "Load", "Basis"], ["Court", "10", "net"], ["Kitchen", "200", "gross"]].iter().enumerate()
    {
        let (font, y) = if row == 0 { (BOLD, 686.0) } else { (REGULAR, 682.0 - 18.0 * row as f32) };
        for (column, text) in cells.iter().enumerate() {
            page = page.text(font, 9.0, 76.0 + 150.0 * column as f32, y, text);
        }
    }
    let document = read(&pdf(&[page], &[]));
    check_invariants(&document);
    let found = tables(&document);
    assert_eq!(found.len(), 1, "{:?}", texts(&document));
    assert_eq!((found[0].rows, found[0].columns, found[0].header_rows), (3, 3, 1));
    assert_eq!((cell(found[0], 1, 0), cell(found[0], 2, 2)), ("Court", "gross"));
    let mut prose = ruled(Page::new()).text(BOLD, 10.0, 72.0, 686.0, "Part one");
    for n in 0..4 {
        let y = 668.0 - 11.0 * n as f32;
        prose = prose.text(REGULAR, 10.0, 72.0, y, "A line of running text in the left one");
        prose = prose.text(REGULAR, 10.0, 320.0, y, "and another of them in the right one");
    }
    assert!(tables(&read(&pdf(&[prose], &[]))).is_empty());
}
