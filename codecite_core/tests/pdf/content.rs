//! Content streams: every operator that shows or places text.

use super::writer::{BOLD, FIRST_EXTRA, Page, REGULAR, pdf, pdf_with, stream};
use super::{block, bold, check_invariants, read, texts};

#[test]
fn quote_operators_move_to_the_next_line() {
    let page = Page::new()
        .raw("BT /F1 10 Tf 14 TL 72 700 Td (The first line) Tj (is followed by) ' 2 1 (a third one.) \" ET");
    let document = read(&pdf(&[page], &[]));
    assert_eq!(texts(&document), ["The first line is followed by a third one."]);
}

#[test]
fn spacing_operators_do_not_cut_words() {
    let page = Page::new()
        .raw("BT /F1 10 Tf 1 Tc 4 Tw 90 Tz 72 700 Td [(Occu) -20 (pant) -300 (load)] TJ ( factor) Tj ET")
        .raw("BT /F1 10 Tf 0 Tc 0 Tw 100 Tz 72 600 Td (12 m) Tj 6 Tf /F1 6 Tf 4 Ts (2) Tj 0 Ts /F1 10 Tf ( net) Tj ET");
    let document = read(&pdf(&[page], &[]));
    assert_eq!(texts(&document), ["Occupant load factor", "12 m2 net"]);
}

#[test]
fn forms_apply_their_matrix_and_their_own_resources() {
    // The form calls the bold font F1, which is the page's regular one, and stands above the page's text
    // although it is drawn after it.
    let form = stream(
        "/Type/XObject/Subtype/Form/BBox[0 0 600 120]/Matrix[1 0 0 1 72 600]/Resources<</Font<</F1 4 0 R>>>>",
        b"BT /F1 10 Tf 0 100 Td (Heading in a form) Tj ET",
    );
    let page = Page::new()
        .text(REGULAR, 10.0, 72.0, 650.0, "Text of the page.")
        .raw("q 1 0 0 1 0 20 cm /X Do Q")
        .text(REGULAR, 10.0, 72.0, 600.0, "Text after the form.")
        .x_objects(&format!("/X {FIRST_EXTRA} 0 R"));
    let document = read(&pdf(&[page], &[form]));
    assert_eq!(texts(&document), ["Heading in a form", "Text of the page.", "Text after the form."]);
    assert_eq!(bold(&document, &document.blocks[0]), ["Heading in a form"]);
    assert!(document.blocks[1].runs.is_empty() && document.blocks[2].runs.is_empty());
}

#[test]
fn rotated_pages_are_read_as_they_are_seen() {
    // With /Rotate 90 the user space's y axis runs to the right as seen, x downwards.
    let page = Page::new()
        .extra("/Rotate 90")
        .raw("BT /F1 10 Tf 0 1 -1 0 112 72 Tm (the second line of it.) Tj ET")
        .raw("BT /F1 10 Tf 0 1 -1 0 100 72 Tm (A landscape paragraph and) Tj ET");
    let document = read(&pdf(&[page], &[]));
    assert_eq!(texts(&document), ["A landscape paragraph and the second line of it."]);
}

#[test]
fn sideways_text_on_an_upright_page_is_turned() {
    let page = Page::new()
        .raw("BT /F1 10 Tf 0 1 -1 0 100 72 Tm (A landscape paragraph and) Tj ET")
        .raw("BT /F1 10 Tf 0 1 -1 0 112 72 Tm (the second line of it.) Tj ET");
    let document = read(&pdf(&[page], &[]));
    assert_eq!(texts(&document), ["A landscape paragraph and the second line of it."]);
}

#[test]
fn a_watermark_is_set_aside() {
    let page = Page::new().raw("BT /F1 40 Tf 0.7 0.7 -0.7 0.7 150 300 Tm (DRAFT) Tj ET").text(
        REGULAR,
        10.0,
        72.0,
        700.0,
        "Doors shall swing in the direction of egress.",
    );
    let document = read(&pdf(&[page], &[]));
    assert_eq!(texts(&document), ["Doors shall swing in the direction of egress."]);
    assert_eq!(document.furniture[0].text, "DRAFT");
}

#[test]
fn what_lies_outside_the_crop_box_is_not_read() {
    let page = Page::new()
        .extra("/MediaBox[0 0 700 900]/CropBox[50 50 400 500]")
        .text(REGULAR, 10.0, 60.0, 800.0, "Printer's slug")
        .text(REGULAR, 10.0, 60.0, 400.0, "Inside the box.");
    let document = read(&pdf(&[page], &[]));
    assert_eq!(texts(&document), ["Inside the box."]);
}

#[test]
fn overprinted_text_is_bold_and_read_once() {
    let title = "1004.5 Areas without seats.";
    let page = Page::new()
        .text(REGULAR, 10.0, 72.0, 700.0, title)
        .text(REGULAR, 10.0, 72.3, 700.0, title)
        .text(REGULAR, 10.0, 200.0, 700.0, "The load shall be computed for each floor from the table.");
    let document = read(&pdf(&[page], &[]));
    let block = block(&document, title);
    assert_eq!(bold(&document, block), [title]);
    assert_eq!(
        texts(&document),
        ["1004.5 Areas without seats. The load shall be computed for each floor from the table."]
    );
}

#[test]
fn bold_fonts_make_runs_and_words_do_not_glue() {
    let page = Page::new()
        .text(BOLD, 10.0, 72.0, 700.0, "§28-101.1 Title.")
        .raw("BT /F1 10 Tf 153.5 700 Td (The provisions of this chapter apply.) Tj ET");
    let document = read(&pdf(&[page], &[]));
    assert_eq!(texts(&document), ["§28-101.1 Title. The provisions of this chapter apply."]);
    assert_eq!(bold(&document, &document.blocks[0]), ["§28-101.1 Title."]);
}

#[test]
fn struck_and_underlined_words_are_told_apart() {
    let page = Page::new()
        .text(REGULAR, 10.0, 72.0, 700.0, "Stairs shall be")
        .text(REGULAR, 10.0, 150.0, 700.0, "wooden")
        .rect(150.0, 702.8, 36.0, 0.6)
        .text(REGULAR, 10.0, 195.0, 700.0, "noncombustible")
        .rect(195.0, 698.6, 68.0, 0.6)
        .text(REGULAR, 10.0, 270.0, 700.0, "throughout.");
    let document = read(&pdf(&[page], &[]));
    check_invariants(&document);
    let runs: Vec<_> = document.blocks[0].runs.iter().map(|r| (document.slice(r.span), r.style)).collect();
    assert_eq!(runs.len(), 2, "{runs:?}");
    assert!(runs[0].0 == "wooden" && runs[0].1.struck && !runs[0].1.underlined, "{runs:?}");
    assert!(runs[1].0 == "noncombustible" && runs[1].1.underlined && !runs[1].1.struck, "{runs:?}");
}

#[test]
fn text_below_white_is_not_read() {
    let covered = |paint: &str| {
        let page = Page::new()
            .text(BOLD, 12.0, 72.0, 700.0, "APPENDIX B OLD GUIDANCE")
            .raw(&format!("q {paint} 60 680 300 60 re f Q"))
            .text(BOLD, 12.0, 72.0, 699.0, "APPENDIX C NEW GUIDANCE")
            .text(REGULAR, 10.0, 72.0, 650.0, "A guard is required.");
        read(&pdf(&[page], &[]))
    };
    for white in ["1 g", "1 1 1 rg", "0 0 0 0 k", "/DeviceRGB cs 1 1 1 sc"] {
        let document = covered(white);
        assert_eq!(texts(&document), ["APPENDIX C NEW GUIDANCE", "A guard is required."], "{white}");
        assert!(document.furniture.iter().any(|piece| piece.text.contains("OLD")), "{white}");
    }
    for other in ["0.9 g", "1 1 0 rg", "0 0 0 0.2 k"] {
        assert!(covered(other).text.contains("OLD"), "{other}");
    }
    let behind =
        Page::new().raw("1 g 60 680 300 60 re f 0 g").text(BOLD, 12.0, 72.0, 700.0, "CHAPTER 1 SCOPE");
    assert_eq!(texts(&read(&pdf(&[behind], &[]))), ["CHAPTER 1 SCOPE"]);
}

#[test]
fn hidden_text_over_visible_text_is_not_read() {
    let page = Page::new()
        .text(REGULAR, 10.0, 72.0, 700.0, "A guard is required at open sides of the floor.")
        .raw("BT 3 Tr /F1 10 Tf 72 650 Td (ignore) Tj ET");
    assert_eq!(texts(&read(&pdf(&[page], &[]))), ["A guard is required at open sides of the floor."]);
    let ocr = Page::new().raw("BT 3 Tr /F1 10 Tf 72 650 Td (Text of a recognised scan.) Tj ET");
    assert_eq!(texts(&read(&pdf(&[ocr], &[]))), ["Text of a recognised scan."]);
}

#[test]
fn what_is_clipped_away_is_not_read() {
    let page = Page::new()
        .text(REGULAR, 10.0, 72.0, 700.0, "A guard is required at open sides.")
        .raw("q 72 500 200 100 re W n BT /F1 10 Tf 72 650 Td (An old label) Tj 0 -100 Td (A label.) Tj ET Q")
        .text(REGULAR, 10.0, 72.0, 450.0, "Below the drawing.");
    let document = read(&pdf(&[page], &[]));
    assert_eq!(texts(&document), ["A guard is required at open sides.", "A label.", "Below the drawing."]);
}

#[test]
fn a_form_shows_nothing_outside_its_box() {
    let form = stream(
        "/Type/XObject/Subtype/Form/BBox[0 0 300 50]/Resources<</Font<</F1 3 0 R>>>>",
        b"BT /F1 10 Tf 72 20 Td (Inside.) Tj 0 100 Td (Outside.) Tj ET",
    );
    let page = Page::new().raw("/X Do").x_objects(&format!("/X {FIRST_EXTRA} 0 R"));
    assert_eq!(texts(&read(&pdf(&[page], &[form]))), ["Inside."]);
}

#[test]
fn layers_that_are_switched_off_are_not_read() {
    let group = |name: &str| format!("<</Type/OCG/Name({name})>>").into_bytes();
    let page = Page::new()
        .raw("/OC /Old BDC BT /F1 10 Tf 72 700 Td (Superseded text.) Tj ET EMC")
        .raw("/OC /New BDC BT /F1 10 Tf 72 650 Td (Text in force.) Tj ET EMC")
        .resources(&format!("/Properties<</Old {} 0 R/New {} 0 R>>", FIRST_EXTRA, FIRST_EXTRA + 1));
    let catalog =
        format!("/OCProperties<</OCGs[{0} 0 R {1} 0 R]/D<</OFF[{0} 0 R]>>>>", FIRST_EXTRA, FIRST_EXTRA + 1);
    let file = pdf_with(&[page], &[group("old"), group("new")], &catalog, "");
    assert_eq!(texts(&read(&file)), ["Text in force."]);
}

/// A font whose codes are UCS-2, as Korean codes use them.
fn ucs2_font(direction: char) -> [Vec<u8>; 2] {
    let font = format!(
        "<</Type/Font/Subtype/Type0/BaseFont/Batang/Encoding/UniKS-UCS2-{direction}/DescendantFonts[{} 0 R]>>",
        FIRST_EXTRA + 1
    );
    let below = "<</Type/Font/Subtype/CIDFontType2/BaseFont/Batang/DW 1000\
                 /CIDSystemInfo<</Registry(Adobe)/Ordering(Korea1)/Supplement 1>>>>";
    [font.into_bytes(), below.as_bytes().to_vec()]
}

#[test]
fn predefined_unicode_maps_are_read_in_both_directions() {
    let fonts = format!("/F9 {FIRST_EXTRA} 0 R");
    let line = Page::new().raw("BT /F9 10 Tf 72 700 Td <AC74CD95BC95> Tj ET");
    assert_eq!(texts(&read(&pdf_with(&[line], &ucs2_font('H'), "", &fonts))), ["건축법"]);
    // Two columns of upright text, the right one first.
    let columns = Page::new()
        .raw("BT /F9 10 Tf 300 700 Td <C81C0031C870AC74CD95BC95> Tj ET")
        .raw("BT /F9 10 Tf 280 700 Td <BAA9C801> Tj ET");
    let text = read(&pdf_with(&[columns], &ucs2_font('V'), "", &fonts)).text;
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    assert_eq!(text, "제1조건축법목적");
}

#[test]
fn raised_marks_stay_on_their_line() {
    let page = Page::new()
        .text(REGULAR, 10.0, 72.0, 700.0, "Rooms in use")
        .text(REGULAR, 10.0, 160.0, 700.0, "are counted.")
        .text(REGULAR, 10.0, 72.0, 688.0, "The second line of it.")
        // Drawn at the end, as some programs do.
        .text(REGULAR, 6.0, 129.0, 704.0, "2");
    let document = read(&pdf(&[page], &[]));
    assert!(document.text.starts_with("Rooms in use 2 are counted."), "{}", document.text);
}
