//! Lines into blocks: paragraphs, headings, lists, columns, pages.

use codecite_core::document::BlockKind;

use super::writer::{BOLD, FIRST_EXTRA, Page, REGULAR, page_object, pdf, pdf_with};
use super::{block, bold, check_invariants, read, texts};

const FULL: &str =
    "This sentence is long enough to reach the right hand edge of the text column on this page, or nearly";

#[test]
fn sections_articles_exceptions_and_items_are_blocks_of_their_own() {
    let page = Page::new()
        .text(BOLD, 10.0, 241.0, 700.0, "ARTICLE 302")
        .text(BOLD, 10.0, 184.0, 688.0, "MAINTENANCE OF EXTERIOR WALLS")
        .text(BOLD, 10.0, 72.0, 676.0, "§28-302.1 General.")
        .text(
            REGULAR,
            10.0,
            165.0,
            676.0,
            "Exterior walls shall be kept in a safe condition, as set forth in section 28-",
        )
        .lines(
            72.0,
            664.0,
            &[
                "302.2 and in the rules of the department, by the owner of the building and by the other",
                "persons named.",
            ],
        )
        .text(BOLD, 10.0, 84.0, 640.0, "Exception:")
        .text(REGULAR, 10.0, 140.0, 640.0, "Walls of one-story garages.")
        .text(BOLD, 10.0, 72.0, 628.0, "§28-302.2 Inspection.")
        .text(REGULAR, 10.0, 180.0, 628.0, "The following are inspected:")
        .lines(86.0, 616.0, &["1. Parapets;", "2. Cornices; and", "3. Balconies."])
        .lines(100.0, 580.0, &["(a) with railings;", "(b) without."]);
    let document = read(&pdf(&[page], &[]));
    check_invariants(&document);
    let starts: Vec<&str> = texts(&document).iter().map(|t| t.get(..11).unwrap_or(t)).collect();
    assert_eq!(texts(&document).len(), 10, "{starts:?}");
    let section = block(&document, "§28-302.1");
    assert_eq!(bold(&document, section), ["§28-302.1 General."]);
    assert!(
        document.slice(section.span).contains("section 28-302.2 and in"),
        "{:?}",
        document.slice(section.span)
    );
    assert!(block(&document, "ARTICLE 302").layout.centred);
    assert!(block(&document, "MAINTENANCE").layout.centred);
    assert_eq!(block(&document, "Exception:").kind, BlockKind::Paragraph);
    assert_eq!(block(&document, "2. Cornices").kind, BlockKind::ListItem { depth: 1 });
    assert_eq!(block(&document, "(b) without").kind, BlockKind::ListItem { depth: 2 });
    assert!(block(&document, "(b) without").layout.indent > block(&document, "2. Cornices").layout.indent);
}

#[test]
fn a_number_at_a_wrapped_line_start_opens_nothing() {
    let page = Page::new().lines(
        72.0,
        700.0,
        &[
            "The means of egress shall be sized for the occupant load that is determined by Section",
            "1004.5 And the tables in this chapter, where the floor area is not less than the area in",
            "12. The remainder shall be divided among the exits in the order in which they are listed",
            "below.",
        ],
    );
    assert_eq!(texts(&read(&pdf(&[page], &[]))).len(), 1);
}

#[test]
fn hyphens_go_or_stay_by_the_documents_own_words() {
    let page = Page::new().lines(
        72.0,
        700.0,
        &[
            "Each compartment shall be enclosed and the one-hour wall is required around each compart-",
            "ment and the other requirement is that a fire-resistance rating be provided, a one-",
            "hour rating at least, in accordance with 28-",
            "303.2 of the code and with the well-known con-",
            "struction documents that the construction permit names and a fire and resistance test here.",
        ],
    );
    let text = read(&pdf(&[page], &[])).text;
    assert!(text.contains("each compartment and"), "{text}");
    assert!(text.contains("a one-hour rating"), "{text}");
    assert!(text.contains("with 28-303.2 of"), "{text}");
    assert!(text.contains("well-known construction documents"), "{text}");
}

#[test]
fn running_heads_go_and_a_title_that_equals_one_stays() {
    let pages: Vec<Page> = (1..=6)
        .map(|n| {
            let page = Page::new()
                .text(REGULAR, 9.0, 250.0, 760.0, "Means of Egress")
                .text(REGULAR, 9.0, 290.0, 40.0, &format!("10-{n}"))
                .lines(72.0, 500.0, &[&format!("Paragraph number {n} of the chapter speaks of exits.")]);
            if n == 1 { page.text(BOLD, 16.0, 230.0, 600.0, "Means of Egress") } else { page }
        })
        .collect();
    let document = read(&pdf(&pages, &[]));
    check_invariants(&document);
    assert_eq!(texts(&document).iter().filter(|t| t.contains("Means of Egress")).count(), 1);
    assert_eq!(bold(&document, &document.blocks[0]), ["Means of Egress"]);
    assert_eq!(document.furniture.iter().filter(|f| f.text == "Means of Egress").count(), 6);
    let labels: Vec<_> =
        document.pages.iter().map(|p| (p.page, p.label.clone().unwrap_or_default())).collect();
    assert_eq!(labels[2], (3, "10-3".to_string()));
    assert_eq!(labels.len(), 6);
}

#[test]
fn an_exception_that_recurs_at_one_place_is_no_running_head() {
    let pages: Vec<Page> = (1..=6)
        .map(|n| {
            Page::new().text(BOLD, 10.0, 72.0, 750.0, "Exceptions:").lines(
                72.0,
                700.0,
                &[&format!("{n}. Number {n} is not required to comply.")],
            )
        })
        .collect();
    let document = read(&pdf(&pages, &[]));
    assert_eq!(texts(&document).iter().filter(|t| **t == "Exceptions:").count(), 6);
}

#[test]
fn two_columns_are_read_one_after_the_other() {
    let left: Vec<String> = (1..=12).map(|n| format!("left column line {n:02} with more words")).collect();
    let right: Vec<String> = (1..=12).map(|n| format!("right column line {n:02} with more words")).collect();
    let mut page =
        Page::new().text(BOLD, 14.0, 72.0, 730.0, "A heading over both columns of this page of the code");
    for (index, (l, r)) in left.iter().zip(&right).enumerate() {
        let y = 700.0 - 12.0 * index as f32;
        page = page.text(REGULAR, 10.0, 72.0, y, l).text(REGULAR, 10.0, 320.0, y - 1.0, r);
    }
    let document = read(&pdf(&[page], &[]));
    let at =
        |needle: &str| document.text.find(needle).unwrap_or_else(|| panic!("{needle}: {}", document.text));
    assert!(at("A heading over both") < at("left column line 01"));
    for n in 1..12 {
        assert!(at(&format!("left column line {n:02}")) < at(&format!("left column line {:02}", n + 1)));
    }
    assert!(at("left column line 12") < at("right column line 01"));
}

#[test]
fn hanging_numbers_are_no_column() {
    let mut page = Page::new();
    for n in 1..=8 {
        let y = 700.0 - 30.0 * n as f32;
        page = page.text(REGULAR, 10.0, 72.0, y, &format!("2.{n}")).text(REGULAR, 10.0, 120.0, y, FULL);
    }
    let document = read(&pdf(&[page], &[]));
    assert_eq!(texts(&document).len(), 8);
    assert!(document.text.starts_with("2.1 This sentence"), "{}", document.text);
}

#[test]
fn a_paragraph_goes_on_over_the_page_and_the_page_begins_inside_it() {
    let first = Page::new().lines(72.0, 120.0, &[FULL, FULL]);
    let second =
        Page::new().lines(72.0, 700.0, &["and it goes on here until it ends.", "Then another one follows."]);
    let document = read(&pdf(&[first, second], &[]));
    check_invariants(&document);
    let expected = format!("{FULL} {FULL} and it goes on here until it ends.");
    assert_eq!(texts(&document), [expected.as_str(), "Then another one follows."]);
    let mark = &document.pages[1];
    assert_eq!(mark.page, 2);
    assert!(document.text[mark.offset..].starts_with("and it goes on"));
    assert_eq!(document.page_at(mark.offset - 2).unwrap().page, 1);
}

#[test]
fn a_footnote_does_not_cut_the_paragraph_that_runs_past_it() {
    let first = Page::new().lines(72.0, 200.0, &[FULL, FULL]).text(REGULAR, 5.0, 72.0, 104.0, "1").text(
        REGULAR,
        8.0,
        76.0,
        100.0,
        "See the reference standard.",
    );
    let second = Page::new().lines(72.0, 700.0, &["and it goes on here until it ends."]);
    let document = read(&pdf(&[first, second], &[]));
    check_invariants(&document);
    assert_eq!(texts(&document).len(), 2);
    assert!(texts(&document)[0].ends_with("until it ends."));
    assert_eq!(document.blocks[1].kind, BlockKind::Footnote);
    assert_eq!(texts(&document)[1], "1 See the reference standard.");
}

/// Two columns: the left one ends as given, the right one begins as given.
fn columns(left_end: &str, right_start: &str) -> Page {
    let mut page = Page::new();
    for n in 1..=11 {
        let y = 700.0 - 12.0 * n as f32;
        page = page.text(REGULAR, 10.0, 72.0, y, &format!("the left column's line {n:02} is a full line"));
        page = page.text(REGULAR, 10.0, 320.0, y - 12.0, &format!("right column line {n:02} is a full line"));
    }
    page.text(REGULAR, 10.0, 72.0, 556.0, left_end).text(REGULAR, 10.0, 320.0, 700.0 - 12.0, right_start)
}

#[test]
fn a_hyphen_at_the_end_of_a_column_or_a_page_goes() {
    let page = columns("so every guard must be a safe construc-", "tion, of which the other one says");
    let text = read(&pdf(&[page], &[])).text;
    assert!(text.contains("a safe construction, of which"), "{text}");
    let one = Page::new().lines(
        72.0,
        120.0,
        &[FULL, "and so it goes on until the page is at its end: all of the construc-"],
    );
    let two = Page::new().lines(72.0, 700.0, &["tion is described here.", FULL]);
    let document = read(&pdf(&[one, two], &[]));
    check_invariants(&document);
    assert!(document.text.contains("all of the construction is described"), "{}", document.text);
}

#[test]
fn tagged_headings_and_bookmarks_are_headings() {
    let page = Page::new()
        .raw("/P <</MCID 0>> BDC BT /F2 12 Tf 72 700 Td (General provisions) Tj ET EMC")
        .raw("/P <</MCID 1>> BDC BT /F1 10 Tf 72 680 Td (Text of the first part.) Tj ET EMC")
        .raw("/H2 BMC BT /F2 12 Tf 72 640 Td (Stairs) Tj ET EMC")
        .text(REGULAR, 10.0, 72.0, 620.0, "Text of the second part.")
        .text(BOLD, 12.0, 72.0, 580.0, "Handrails")
        .text(REGULAR, 10.0, 72.0, 560.0, "Text of the third part. Stairs");
    let (root, element, outline, item) = (FIRST_EXTRA, FIRST_EXTRA + 1, FIRST_EXTRA + 2, FIRST_EXTRA + 3);
    let page_number = page_object(0, 4);
    let more = [
        format!("<</Type/StructTreeRoot/RoleMap<</Kopf/H1>>/K {element} 0 R>>"),
        format!("<</S/Kopf/Pg {page_number} 0 R/K 0>>"),
        format!("<</First {item} 0 R/Last {item} 0 R>>"),
        format!("<</Title(Handrails)/Dest[{page_number} 0 R/Fit]/Next {item} 0 R>>"),
    ];
    let more = more.map(String::into_bytes);
    let file = pdf_with(&[page], &more, &format!("/StructTreeRoot {root} 0 R/Outlines {outline} 0 R"), "");
    let document = read(&file);
    check_invariants(&document);
    let headings: Vec<(&str, u8)> = document
        .blocks
        .iter()
        .filter_map(|b| match b.kind {
            BlockKind::Heading { level } => Some((document.slice(b.span), level)),
            _ => None,
        })
        .collect();
    assert_eq!(headings, [("General provisions", 1), ("Stairs", 2), ("Handrails", 1)]);
}

#[test]
fn page_labels_of_the_file_stand_in_where_none_is_printed() {
    let page = |n: u32| Page::new().lines(72.0, 500.0, &[&format!("Page number {n} in words of its own.")]);
    let pages: Vec<Page> = (1..=5).map(page).collect();
    let catalog = "/PageLabels<</Nums[0<</S/r>> 2<</S/D/P(10-)/St 7>>]>>";
    let document = read(&pdf_with(&pages, &[], catalog, ""));
    let labels: Vec<&str> = document.pages.iter().filter_map(|mark| mark.label.as_deref()).collect();
    assert_eq!(labels, ["i", "ii", "10-7", "10-8", "10-9"]);
}

#[test]
fn the_number_at_the_end_of_a_contents_line_is_no_page_number() {
    let pages: Vec<Page> = (1..=6)
        .map(|n| {
            let page = Page::new().text(REGULAR, 9.0, 300.0, 30.0, &n.to_string());
            let line = format!("Chapter {} of things that stand in code {n}", ["one", "two", "six"][n % 3]);
            page.text(REGULAR, 9.0, 72.0, 52.0, &line).text(
                REGULAR,
                9.0,
                500.0,
                52.0,
                &(40 + n * n).to_string(),
            )
        })
        .collect();
    let document = read(&pdf(&pages, &[]));
    for n in 1..=6usize {
        assert!(document.text.contains(&(40 + n * n).to_string()), "{n}: {}", document.text);
    }
    assert_eq!(document.furniture.len(), 6);
}

#[test]
fn a_rule_over_both_columns_parts_what_stands_above_from_what_stands_below() {
    let mut page = Page::new().line(72.0, 560.0, 540.0, 560.0);
    for n in 1..=8 {
        let y = 690.0 - 14.0 * n as f32;
        for (x, side) in [(72.0, "left"), (320.0, "right")] {
            page = page.text(REGULAR, 10.0, x, y, &format!("upper {side} line {n} has some words"));
            page = page.text(REGULAR, 10.0, x, y - 150.0, &format!("lower {side} line {n} has some words"));
        }
    }
    let text = read(&pdf(&[page], &[])).text;
    let order = [
        "upper left line 8",
        "upper right line 1",
        "upper right line 8",
        "lower left line 1",
        "lower right line 1",
    ]
    .map(|t| text.find(t).unwrap_or_else(|| panic!("{t}: {text}")));
    assert!(order.is_sorted(), "{text}");
}

#[test]
fn a_figure_between_two_columns_of_one_paragraph_does_not_cut_it() {
    let mut page = Page::new();
    for n in 1..=11 {
        let y = 700.0 - 12.0 * n as f32;
        page = page.text(REGULAR, 10.0, 72.0, y, &format!("the left column's line {n:02} is a full line"));
        page =
            page.text(REGULAR, 10.0, 320.0, y - 150.0, &format!("right column line {n:02} is a full line"));
    }
    let page = page
        .text(BOLD, 9.0, 324.0, 680.0, "Figure 3 Guards")
        .raw("320 600 180 74 re S")
        .text(REGULAR, 8.0, 340.0, 640.0, "900mm");
    let document = read(&pdf(&[page], &[]));
    check_invariants(&document);
    let joined = "line 11 is a full line right column line 01";
    assert!(document.text.contains(joined), "{}", document.text);
    assert!(document.text.contains("Figure 3 Guards") && document.text.contains("900mm"));
}
