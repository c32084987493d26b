//! Styles: headings in any language, and emphasis with inheritance and toggles.

use codecite_core::document::{BlockKind, Document};

use super::writer::{Docx, paragraph, run, styled, with};
use super::{read, texts};

const STYLES: &str = "\
    <w:docDefaults><w:rPrDefault><w:rPr><w:sz w:val=\"22\"/></w:rPr></w:rPrDefault></w:docDefaults>\
    <w:style w:type=\"paragraph\" w:default=\"1\" w:styleId=\"Standard\"><w:name w:val=\"Normal\"/></w:style>\
    <w:style w:type=\"paragraph\" w:styleId=\"berschrift2\"><w:name w:val=\"heading 2\"/><w:basedOn w:val=\"Standard\"/>\
      <w:pPr><w:outlineLvl w:val=\"1\"/></w:pPr><w:rPr><w:b/><w:sz w:val=\"32\"/></w:rPr></w:style>\
    <w:style w:type=\"paragraph\" w:customStyle=\"1\" w:styleId=\"Artikel\"><w:name w:val=\"Artikel\"/>\
      <w:basedOn w:val=\"berschrift2\"/><w:pPr><w:jc w:val=\"center\"/></w:pPr></w:style>\
    <w:style w:type=\"paragraph\" w:styleId=\"Rumpf\"><w:name w:val=\"Body\"/><w:basedOn w:val=\"berschrift2\"/>\
      <w:pPr><w:outlineLvl w:val=\"9\"/></w:pPr><w:rPr><w:b w:val=\"0\"/></w:rPr></w:style>\
    <w:style w:type=\"paragraph\" w:styleId=\"Titre3\"><w:name w:val=\"Heading 3\"/></w:style>\
    <w:style w:type=\"paragraph\" w:styleId=\"RingA\"><w:name w:val=\"A\"/><w:basedOn w:val=\"RingB\"/></w:style>\
    <w:style w:type=\"paragraph\" w:styleId=\"RingB\"><w:name w:val=\"B\"/><w:basedOn w:val=\"RingA\"/></w:style>\
    <w:style w:type=\"character\" w:styleId=\"Strong\"><w:name w:val=\"Strong\"/><w:rPr><w:b/></w:rPr></w:style>\
    <w:style w:type=\"character\" w:styleId=\"Strict\"><w:name w:val=\"x\"/><w:basedOn w:val=\"Strong\"/><w:rPr><w:i/></w:rPr></w:style>\
    <w:style w:type=\"character\" w:styleId=\"Lien\"><w:name w:val=\"Hyperlink\"/><w:rPr><w:u w:val=\"single\"/></w:rPr></w:style>\
    <w:style w:type=\"character\" w:styleId=\"Gone\"><w:name w:val=\"Gone\"/><w:rPr><w:dstrike/></w:rPr></w:style>\
    <w:style w:type=\"character\" w:styleId=\"Big\"><w:name w:val=\"Big\"/><w:rPr><w:caps/></w:rPr></w:style>";

fn document(body: &str) -> Document {
    read(&Docx::new(body).styles(STYLES))
}

fn styled_as(style: &str) -> String {
    with(&format!("<w:pStyle w:val=\"{style}\"/>"), &run("text"))
}

/// The emphasis of the only block: its letters and the text.
fn emphasis(body: &str) -> Vec<(String, String)> {
    let document = document(body);
    let block = &document.blocks[0];
    let letters = |style: codecite_core::document::Style| {
        let all = [(style.bold, 'b'), (style.italic, 'i'), (style.underlined, 'u'), (style.struck, 's')];
        all.iter().filter(|(on, _)| *on).map(|(_, letter)| *letter).collect::<String>()
    };
    block.runs.iter().map(|r| (letters(r.style), document.slice(r.span).to_owned())).collect()
}

#[test]
fn the_level_of_a_heading_is_inherited() {
    let cases = [
        ("berschrift2", BlockKind::Heading { level: 2 }),
        ("Artikel", BlockKind::Heading { level: 2 }),
        ("Titre3", BlockKind::Heading { level: 3 }),
        ("Rumpf", BlockKind::Paragraph),
        ("Standard", BlockKind::Paragraph),
        ("RingA", BlockKind::Paragraph),
        ("Undefined", BlockKind::Paragraph),
    ];
    for (style, kind) in cases {
        assert_eq!(document(&styled_as(style)).blocks[0].kind, kind, "{style}");
    }
    let direct = with("<w:outlineLvl w:val=\"0\"/>", &run("text"));
    assert_eq!(document(&direct).blocks[0].kind, BlockKind::Heading { level: 1 });
}

#[test]
fn size_and_alignment_are_inherited() {
    let document = document(&(styled_as("Artikel") + &styled_as("Standard")));
    let layouts: Vec<_> = document.blocks.iter().map(|b| (b.layout.size, b.layout.centred)).collect();
    assert_eq!(layouts, [(16.0, true), (11.0, false)]);
    let indented = with("<w:ind w:left=\"720\" w:hanging=\"360\"/>", &run("x"));
    assert_eq!(read(&Docx::new(&indented)).blocks[0].layout.indent, 18.0);
}

#[test]
fn emphasis_comes_from_every_level() {
    let one = |properties: &str| emphasis(&paragraph(&styled(properties, "x")));
    let is = |letters: &str| vec![(letters.to_owned(), "x".to_owned())];
    assert_eq!(one("<w:b/>"), is("b"));
    assert_eq!(one("<w:b w:val=\"false\"/>"), []);
    assert_eq!(one("<w:rStyle w:val=\"Strict\"/>"), is("bi"));
    assert_eq!(one("<w:rStyle w:val=\"Strict\"/><w:b w:val=\"0\"/><w:u w:val=\"double\"/>"), is("iu"));
    assert_eq!(one("<w:rStyle w:val=\"Gone\"/>"), is("s"));
    assert_eq!(one("<w:strike/>"), is("s"));
    assert_eq!(one("<w:u w:val=\"none\"/>"), []);
}

#[test]
fn a_toggle_in_both_styles_is_off_again() {
    let body = with("<w:pStyle w:val=\"berschrift2\"/>", &styled("<w:rStyle w:val=\"Strong\"/>", "x"));
    assert_eq!(emphasis(&body), []);
    let body = with("<w:pStyle w:val=\"berschrift2\"/>", &styled("<w:rStyle w:val=\"Strict\"/><w:b/>", "x"));
    assert_eq!(emphasis(&body), [("bi".to_owned(), "x".to_owned())]);
}

#[test]
fn the_line_under_a_link_is_no_emphasis() {
    let body = paragraph(&format!(
        "{}<w:hyperlink w:anchor=\"a\">{}</w:hyperlink>{}",
        styled("<w:rStyle w:val=\"Lien\"/>", "a"),
        styled("<w:rStyle w:val=\"Lien\"/>", "b"),
        styled("<w:u w:val=\"single\"/>", "new")
    ));
    assert_eq!(emphasis(&body), [("u".to_owned(), "new".to_owned())]);
}

#[test]
fn capitals_are_shown() {
    let body = paragraph(&(styled("<w:rStyle w:val=\"Big\"/>", "straße ") + &run("low")));
    assert_eq!(texts(&document(&body)), ["STRASSE low"]);
}

#[test]
fn struck_words_of_a_paragraph_are_marked() {
    let document = document(&paragraph(&(run("Doors ") + &styled("<w:strike/>", "30") + &run(" 32 inches"))));
    assert_eq!(texts(&document), ["Doors 30 32 inches"]);
    let struck: Vec<_> = document.blocks[0].runs.iter().filter(|r| r.style.struck).collect();
    assert_eq!(struck.iter().map(|r| document.slice(r.span)).collect::<Vec<_>>(), ["30"]);
}
