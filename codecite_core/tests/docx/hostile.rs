//! Damaged and hostile files: each ends in text or in a clean error, on a small stack, within bounds.

use std::io::{Cursor, Write};

use codecite_core::document::BlockKind;
use codecite_core::error::Error;
use codecite_core::work::{Limits, Progress, Stage, Work};
use proptest::prelude::*;
use zip::CompressionMethod;
use zip::write::{SimpleFileOptions, ZipWriter};

use super::writer::{Docx, archive, cell, paragraph, plain, row, run, table, with};
use super::{read, read_with, table_of, texts};

fn error(bytes: &[u8]) -> Error {
    read_with(bytes, &Limits::default()).unwrap_err()
}

/// The entries of a document with this as its main part.
fn with_main(xml: &str) -> Vec<u8> {
    let mut entries = Docx::new("").entries();
    entries[2].1 = xml.as_bytes().to_vec();
    archive(&entries)
}

/// Changes bytes of the central directory's record of an entry, at an offset in the record.
fn patch(bytes: &mut [u8], name: &str, at: usize, value: &[u8]) {
    let starts: Vec<usize> =
        (0..bytes.len() - 4).filter(|i| bytes[*i..].starts_with(b"PK\x01\x02")).collect();
    let start = starts.into_iter().find(|i| bytes[i + 46..].starts_with(name.as_bytes())).unwrap();
    bytes[start + at..start + at + value.len()].copy_from_slice(value);
}

const METHOD: usize = 10;
const FLAGS: usize = 8;
const SIZE: usize = 24;
const PLACE: usize = 42;

#[test]
fn a_bomb_is_refused_before_it_is_unpacked() {
    let bomb = with_main(&" ".repeat(100 << 20));
    assert!(bomb.len() < 1 << 20);
    assert_eq!(error(&bomb).code(), "malformed");
    // Below the ratio it is the limit that counts, before anything is allocated.
    let limits = Limits { max_decoded_bytes: 1 << 20, ..Limits::default() };
    let large = Docx::new(&plain(&"word ".repeat(400_000))).bytes();
    let error = read_with(&large, &limits).unwrap_err();
    assert!(matches!(error, Error::Limit { name: "max_decoded_bytes", .. }), "{error:?}");
}

#[test]
fn parts_that_are_not_needed_are_not_unpacked() {
    let mut entries = Docx::new(&plain("text")).entries();
    entries.push(("word/media/image1.png".into(), vec![0; 50 << 20]));
    entries.push(("word/webSettings.xml".into(), vec![b'<'; 50 << 20]));
    let limits = Limits { max_decoded_bytes: 1 << 16, ..Limits::default() };
    assert_eq!(texts(&read_with(&archive(&entries), &limits).unwrap()), ["text"]);
}

#[test]
fn sizes_that_lie_are_found() {
    let honest = Docx::new(&plain("text")).bytes();
    let size = u32::try_from(Docx::new(&plain("text")).document().len()).unwrap();
    for lie in [0, size - 1, size + 1, 4 << 20] {
        let mut bytes = honest.clone();
        patch(&mut bytes, "word/document.xml", SIZE, &u32::to_le_bytes(lie));
        assert_eq!(error(&bytes).code(), "malformed", "{lie}");
    }
    let mut bytes = honest.clone();
    patch(&mut bytes, "word/document.xml", SIZE, &u32::to_le_bytes(u32::MAX - 1));
    assert!(matches!(error(&bytes).code(), "malformed" | "limit"));
    // The checksum.
    let mut bytes = honest;
    patch(&mut bytes, "word/document.xml", 16, &[0; 4]);
    assert_eq!(error(&bytes).code(), "malformed");
}

#[test]
fn parts_that_overlap_are_refused() {
    let mut bytes = Docx::new(&plain("text")).styles("").bytes();
    // The place of the first part.
    patch(&mut bytes, "word/styles0.xml", PLACE, &[0; 4]);
    assert_eq!(error(&bytes).code(), "malformed");
}

#[test]
fn two_parts_of_one_name_are_refused() {
    let mut entries = Docx::new(&plain("text")).entries();
    entries.push(("word/DOCUMENT.xml".into(), b"<x/>".to_vec()));
    assert_eq!(error(&archive(&entries)).code(), "malformed");
}

#[test]
fn encrypted_parts_are_named() {
    let mut bytes = Docx::new(&plain("text")).bytes();
    patch(&mut bytes, "word/document.xml", FLAGS, &[1, 0]);
    assert_eq!(error(&bytes), Error::Encrypted);
}

#[test]
fn other_ways_to_pack_are_refused() {
    let mut bytes = Docx::new(&plain("text")).bytes();
    patch(&mut bytes, "word/document.xml", METHOD, &[12, 0]);
    assert_eq!(error(&bytes).code(), "malformed");
}

#[test]
fn stored_parts_are_read() {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (name, bytes) in Docx::new(&plain("text")).entries() {
        writer.start_file(name.as_str(), options).unwrap();
        writer.write_all(&bytes).unwrap();
    }
    let bytes = writer.finish().unwrap().into_inner();
    assert_eq!(texts(&read_with(&bytes, &Limits::default()).unwrap()), ["text"]);
}

#[test]
fn a_million_entries_are_a_limit() {
    // By hand, with a directory that names one stored part a million times.
    let mut bytes = b"PK\x03\x04\x14\0".to_vec();
    bytes.resize(26, 0);
    bytes.extend(b"\x07\0\0\0-------");
    let start = u32::try_from(bytes.len()).unwrap();
    let mut record = b"PK\x01\x02\x14\0\x14\0".to_vec();
    record.resize(46, 0);
    record[28] = 7;
    for number in 0..1_000_000 {
        bytes.extend(&record);
        bytes.extend(format!("{number:07}").bytes());
    }
    let size = u32::try_from(bytes.len()).unwrap() - start;
    // Whatever number of entries the end of the directory promises.
    for count in [[0xff, 0xff], [1, 0], [0, 0]] {
        let mut file = bytes.clone();
        file.extend(b"PK\x05\x06\0\0\0\0");
        file.extend(count.iter().chain(&count));
        file.extend(size.to_le_bytes().iter().chain(&start.to_le_bytes()));
        file.extend([0, 0]);
        let error = error(&file);
        assert!(matches!(error, Error::Limit { name: "max_zip_entries", value: 10_001, .. }), "{error:?}");
    }
    let entries: Vec<(String, Vec<u8>)> = (0..100).map(|i| (format!("{i}"), Vec::new())).collect();
    let limits = Limits { max_zip_entries: 99, ..Limits::default() };
    let error = read_with(&archive(&entries), &limits).unwrap_err();
    assert_eq!(error, Error::Limit { name: "max_zip_entries", value: 100, limit: 99 });
}

#[test]
fn names_lead_nowhere() {
    let mut entries = Docx::new(&plain("text")).entries();
    for (_, bytes) in &mut entries {
        let text = String::from_utf8(bytes.clone()).unwrap();
        *bytes = text
            .replace("Target=\"word/document.xml\"", "Target=\"../../../../word/document.xml\"")
            .into_bytes();
    }
    entries.push(("../../etc/passwd".into(), b"x".to_vec()));
    entries.push(("/absolute".into(), b"x".to_vec()));
    entries.push(("a\\..\\b".into(), b"x".to_vec()));
    assert_eq!(texts(&read_with(&archive(&entries), &Limits::default()).unwrap()), ["text"]);
}

#[test]
fn no_entity_is_expanded() {
    let laughs = "<!DOCTYPE w [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;&a;\">]><w>&b;</w>";
    assert_eq!(error(&with_main(laughs)).code(), "malformed");
    let external = "<!DOCTYPE w SYSTEM \"file:///etc/passwd\"><w/>";
    assert_eq!(error(&with_main(external)).code(), "malformed");
    assert_eq!(error(&Docx::new(&plain("&undefined;")).bytes()).code(), "malformed");
}

#[test]
fn damaged_xml_is_an_error() {
    for xml in ["", "<w:document", "<a><b></a></b>", "<a>", "no xml", "<a/><", "</a>"] {
        let result = read_with(&with_main(xml), &Limits::default());
        assert!(result.is_err() || result.is_ok_and(|document| document.blocks.is_empty()), "{xml}");
    }
    assert_eq!(error(&with_main("<a><b></a></b>")).code(), "malformed");
    assert_eq!(error(&with_main("<a><b>")).code(), "malformed");
}

#[test]
fn depth_is_a_limit_and_no_danger_below_it() {
    let nest =
        |open: &str, close: &str, n: usize| format!("{}{}{}", open.repeat(n), plain("deep"), close.repeat(n));
    let deep = nest("<w:sdt><w:sdtContent>", "</w:sdtContent></w:sdt>", 50_000);
    let error = read_with(&Docx::new(&deep).bytes(), &Limits::default()).unwrap_err();
    assert!(matches!(error, Error::Limit { name: "max_element_depth", limit: 512, .. }), "{error:?}");
    let limits = Limits { max_element_depth: 1_000_000, ..Limits::default() };
    for (open, close) in [
        ("<w:sdt><w:sdtContent>", "</w:sdtContent></w:sdt>"),
        ("<w:tbl><w:tr><w:tc>", "</w:tc></w:tr></w:tbl>"),
        ("<w:p><w:r><w:pict><w:txbxContent>", "</w:txbxContent></w:pict></w:r></w:p>"),
        ("<mc:AlternateContent><mc:Choice>", "</mc:Choice></mc:AlternateContent>"),
        ("<w:del><w:ins>", "</w:ins></w:del>"),
        ("<w:p>", "</w:p>"),
    ] {
        let document = read_with(&Docx::new(&nest(open, close, 10_000)).bytes(), &limits).unwrap();
        let text =
            document.text.clone() + &document.furniture.iter().map(|f| f.text.as_str()).collect::<String>();
        assert!(text.contains("deep"), "{open}");
    }
}

#[test]
fn deep_properties_and_styles_are_clean() {
    let deep = format!("<w:pPr>{}{}</w:pPr>", "<w:rPr>".repeat(100_000), "</w:rPr>".repeat(100_000));
    let error = read_with(&Docx::new(&format!("<w:p>{deep}</w:p>")).bytes(), &Limits::default()).unwrap_err();
    assert!(matches!(error, Error::Limit { name: "max_element_depth", .. }), "{error:?}");
    let styles: String = (0..20_000)
        .map(|i| format!("<w:style w:styleId=\"s{i}\"><w:basedOn w:val=\"s{}\"/></w:style>", i + 1))
        .collect();
    let body: String = (0..2_000).map(|_| with("<w:pStyle w:val=\"s0\"/>", &run("x"))).collect();
    assert_eq!(read(&Docx::new(&body).styles(&styles)).blocks.len(), 2_000);
}

#[test]
fn spans_do_not_blow_up_the_grid() {
    let wide = cell("<w:gridSpan w:val=\"2000000000\"/>", &plain("x"));
    let one = table(&[row("", &[wide.clone(), cell("", &plain("y"))])]);
    let document = read(&Docx::new(&one));
    assert!(matches!(&document.blocks[0].kind, BlockKind::Table(table) if table.columns <= 2_000));
    let rows: Vec<String> = (0..20_000).map(|_| row("", &[wide.clone(), wide.clone()])).collect();
    let error = read_with(&Docx::new(&table(&rows)).bytes(), &Limits::default()).unwrap_err();
    assert!(matches!(error, Error::Limit { name: "max_memory_bytes", .. }), "{error:?}");
    let negative = cell("<w:gridSpan w:val=\"-5\"/>", &plain("x"));
    let document =
        read(&Docx::new(&table(&[row("<w:gridBefore w:val=\"-9\"/>", &[negative.clone(), negative])])));
    assert_eq!(table_of(&document.blocks[0]).columns, 2);
}

#[test]
fn many_small_things_are_booked() {
    let limits = Limits { max_memory_bytes: 16 << 20, ..Limits::default() };
    let cells = "<w:tc/>".repeat(300_000);
    let paragraphs = format!("<w:tc>{}</w:tc>", plain("x").repeat(100_000));
    let rows = "<w:tr/>".repeat(500_000);
    for inner in [format!("<w:tr>{cells}</w:tr>"), format!("<w:tr>{paragraphs}</w:tr>"), rows] {
        let bytes = Docx::new(&format!("<w:tbl>{inner}</w:tbl>")).bytes();
        let error = read_with(&bytes, &limits).unwrap_err();
        assert!(matches!(error, Error::Limit { name: "max_memory_bytes", .. }), "{error:?}");
    }
    let limits = Limits { max_blocks: 100, ..Limits::default() };
    let error = read_with(&Docx::new(&plain("x").repeat(101)).bytes(), &limits).unwrap_err();
    assert!(matches!(error, Error::Limit { name: "max_blocks", .. }), "{error:?}");
}

#[test]
fn a_note_that_is_cited_often_is_printed_once() {
    let notes = format!("<w:footnote w:id=\"1\">{}</w:footnote>", plain(&"long ".repeat(20_000)));
    let cite = paragraph("<w:r><w:footnoteReference w:id=\"1\"/></w:r>");
    let document = read(&Docx::new(&cite.repeat(2_000)).part("footnotes", "footnotes", &notes));
    assert!(document.text.len() < 200_000);
}

struct StopAfter(u32);

impl Progress for StopAfter {
    fn tick(&mut self, _: Stage, _: u64, _: u64) -> bool {
        self.0 = self.0.saturating_sub(1);
        self.0 > 0
    }
}

#[test]
fn reading_can_be_cancelled() {
    let bytes = Docx::new(&plain("text").repeat(20_000)).bytes();
    for after in [1, 3, 10] {
        let limits = Limits::default();
        let mut progress = StopAfter(after);
        let result = codecite_core::read::docx::read(&bytes, &mut Work::new(&limits, &mut progress));
        assert_eq!(result, Err(Error::Cancelled));
    }
}

/// A valid file in which every part of the reader has something to do.
fn rich() -> Docx {
    let number = "<w:pStyle w:val=\"H\"/><w:numPr><w:ilvl w:val=\"1\"/><w:numId w:val=\"1\"/></w:numPr>";
    let inner = "<w:ins w:id=\"1\"><w:r><w:t>new</w:t></w:r></w:ins><w:del w:id=\"2\"><w:r><w:delText>old</w:delText></w:r></w:del>\
        <w:r><w:fldChar w:fldCharType=\"begin\"/><w:instrText>REF</w:instrText><w:fldChar w:fldCharType=\"separate\"/>\
        <w:t>3.1</w:t><w:fldChar w:fldCharType=\"end\"/><w:footnoteReference w:id=\"2\"/></w:r>";
    let merged = |v: &str| cell(&format!("<w:vMerge w:val=\"{v}\"/><w:gridSpan w:val=\"2\"/>"), &plain("ä"));
    let body = with(number, inner)
        + &table(&[
            row("<w:tblHeader/>", &[merged("restart"), cell("", &plain("b"))]),
            row("<w:del w:id=\"3\"/>", &[merged("continue"), cell("<w:cellDel/>", &plain("c"))]),
            row("", &[merged("continue"), cell("", &table(&[row("", &[cell("", &plain("d"))])]))]),
        ])
        + &with("<w:rPr><w:del w:id=\"4\"/></w:rPr>", &run("joined "))
        + &plain("end &amp; &#x20AC;");
    let level = |i: usize| {
        format!(
            "<w:lvl w:ilvl=\"{i}\"><w:start w:val=\"1\"/><w:numFmt w:val=\"lowerRoman\"/><w:lvlText w:val=\"%1.%2\"/></w:lvl>"
        )
    };
    Docx::new(&body)
        .styles("<w:style w:type=\"paragraph\" w:styleId=\"H\"><w:name w:val=\"heading 1\"/><w:rPr><w:strike/></w:rPr></w:style>")
        .numbering(&format!(
            "<w:abstractNum w:abstractNumId=\"0\">{}{}</w:abstractNum><w:num w:numId=\"1\"><w:abstractNumId w:val=\"0\"/></w:num>",
            level(0),
            level(1)
        ))
        .part("footnotes", "footnotes", &format!("<w:footnote w:id=\"2\">{}</w:footnote>", plain("note")))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Bytes of the archive are changed, put in or taken out.
    #[test]
    fn changed_bytes_of_the_archive_never_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0u8..3), 1..8)
    ) {
        let mut bytes = rich().bytes();
        change(&mut bytes, &changes);
        let _ = read_with(&bytes, &Limits::default());
    }

    /// Bytes of a part are changed, and the archive around it is in order.
    #[test]
    fn changed_bytes_of_a_part_never_panic(
        part in 0usize..7,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0u8..3), 1..4)
    ) {
        let mut entries = rich().entries();
        change(&mut entries[part].1, &changes);
        let _ = read_with(&archive(&entries), &Limits::default());
    }

    /// Whole tags of the main part are taken out, doubled or exchanged.
    #[test]
    fn shuffled_elements_never_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0u8..3), 1..12)
    ) {
        let docx = rich();
        let xml = docx.document();
        let mut tags: Vec<&str> = xml.split_inclusive('>').collect();
        for (one, other, what) in &changes {
            let (one, other) = (one.index(tags.len()), other.index(tags.len()));
            match what {
                0 => tags.swap(one, other),
                1 => drop(tags.remove(one)),
                _ => tags.insert(one, tags[other]),
            }
        }
        let mut entries = docx.entries();
        entries[2].1 = tags.concat().into_bytes();
        let _ = read_with(&archive(&entries), &Limits::default());
    }
}

fn change(bytes: &mut Vec<u8>, changes: &[(prop::sample::Index, u8, u8)]) {
    for (at, value, what) in changes {
        let at = at.index(bytes.len());
        match what {
            0 => bytes[at] = *value,
            1 => bytes.insert(at, *value),
            _ => drop(bytes.remove(at)),
        }
    }
}
