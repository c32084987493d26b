//! Packages as different producers write them, and what is none.

use codecite_core::document::Format;
use codecite_core::error::Error;
use codecite_core::sniff::sniff;
use codecite_core::work::Limits;

use super::writer::{Docx, STRICT, archive, plain};
use super::{read, read_with, texts};

const MACROS: &str = "application/vnd.ms-word.document.macroEnabled.main+xml";
const TEMPLATE: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml";

#[test]
fn the_main_part_may_have_any_name() {
    for (name, kind) in [("word/document2.xml", MACROS), ("doc.xml", TEMPLATE), ("a/b/c.xml", MACROS)] {
        let docx = Docx::new(&plain("text")).main(name, kind).styles("");
        assert_eq!(sniff(&docx.bytes(), None), Ok(Format::Docx), "{name}");
        assert_eq!(texts(&read(&docx)), ["text"], "{name}");
    }
}

#[test]
fn strict_documents_are_read() {
    assert_eq!(texts(&read(&Docx::new(&plain("text")).space(STRICT))), ["text"]);
}

#[test]
fn a_package_without_relationships_is_read_by_its_content_types() {
    let mut entries = Docx::new(&plain("text")).entries();
    entries.retain(|(name, _)| name != "_rels/.rels");
    assert_eq!(texts(&read_with(&archive(&entries), &Limits::default()).unwrap()), ["text"]);
}

#[test]
fn names_of_parts_have_no_case() {
    let mut entries = Docx::new(&plain("text")).entries();
    for (name, _) in &mut entries {
        if name == "word/document.xml" {
            *name = "Word/Document.XML".into();
        }
    }
    assert_eq!(texts(&read_with(&archive(&entries), &Limits::default()).unwrap()), ["text"]);
}

#[test]
fn utf_16_is_read() {
    for (mark, encode) in
        [(true, u16::to_le_bytes as fn(u16) -> [u8; 2]), (true, u16::to_be_bytes), (false, u16::to_le_bytes)]
    {
        let docx = Docx::new(&plain("Größe ≤ 5 🔥"));
        let mut entries = docx.entries();
        for (name, bytes) in &mut entries {
            if name == "word/document.xml" {
                let text = docx.document().replace("UTF-8", "UTF-16");
                let text = if mark { format!("\u{feff}{text}") } else { text };
                *bytes = text.encode_utf16().flat_map(encode).collect();
            }
        }
        assert_eq!(texts(&read_with(&archive(&entries), &Limits::default()).unwrap()), ["Größe ≤ 5 🔥"]);
    }
}

#[test]
fn bytes_that_are_no_text_are_named() {
    let mut entries = Docx::new(&plain("text")).entries();
    entries[2].1.extend([0xff, 0xfe, 0xff]);
    let error = read_with(&archive(&entries), &Limits::default()).unwrap_err();
    assert!(matches!(error, Error::BadEncoding { encoding: "UTF-8", .. }), "{error:?}");
}

#[test]
fn the_title_comes_from_the_properties() {
    let core = "<cp xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><dc:creator>x</dc:creator><dc:title> City\n Code </dc:title></cp>";
    let docx = Docx::new(&plain("text")).part("core-properties", "properties", core);
    assert_eq!(read(&docx).title.as_deref(), Some("City Code"));
    let blank = Docx::new(&plain("text")).part("core-properties", "properties", "<title> </title>");
    assert_eq!(read(&blank).title, None);
}

#[test]
fn other_archives_are_named() {
    let types = |kind: &str| format!("<Types><Override PartName=\"/x.xml\" ContentType=\"{kind}\"/></Types>");
    let cases = [
        ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml", "an Excel workbook"),
        (
            "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml",
            "a PowerPoint presentation",
        ),
        ("application/json", "a zip archive that is no DOCX"),
    ];
    for (kind, looks_like) in cases {
        let bytes = archive(&[("[Content_Types].xml".to_owned(), types(kind).into_bytes())]);
        assert_eq!(sniff(&bytes, None), Err(Error::UnknownFormat { looks_like: Some(looks_like) }));
    }
}

#[test]
fn a_document_without_text_is_empty_and_without_main_part_damaged() {
    assert!(read(&Docx::new("")).blocks.is_empty());
    let mut entries = Docx::new("").entries();
    entries.truncate(1);
    assert_eq!(read_with(&archive(&entries), &Limits::default()).unwrap_err().code(), "malformed");
}
