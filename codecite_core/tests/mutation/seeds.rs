//! Small good files of each format, and pieces of its language.

use codecite_core::document::Format;

#[path = "../pdf/writer.rs"]
#[allow(dead_code)]
pub mod writer;

/// Files that can be read.
pub fn of(format: Format) -> Vec<Vec<u8>> {
    match format {
        Format::Pdf => pdfs(),
        Format::Markdown => vec![MARKDOWN.into()],
        Format::Text => vec![TEXT.into(), utf16(TEXT)],
        Format::Html => vec![HTML.into()],
        Format::Docx => vec![packed(DOCUMENT.as_bytes())],
    }
}

/// The parts of a file that is an archive, for mutations inside it.
pub fn parts(format: Format) -> Vec<Vec<u8>> {
    if format == Format::Docx { vec![DOCUMENT.into()] } else { Vec::new() }
}

/// A DOCX file with that main part. Nothing in it is compressed, so that a mutation of the file reaches the XML.
pub fn packed(document: &[u8]) -> Vec<u8> {
    use std::io::Write as _;

    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let stored = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    let parts = PACKAGE.iter().map(|(name, text)| (*name, text.as_bytes()));
    for (name, bytes) in parts.chain([("word/document.xml", document)]) {
        archive.start_file(name, stored).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// Pieces of the format's language that tend to matter.
pub fn words(format: Format) -> &'static [&'static [u8]] {
    match format {
        Format::Pdf => &[
            b"<<",
            b">>",
            b"[",
            b"]",
            b"(",
            b")",
            b"<",
            b">",
            b"/Kids",
            b"/Parent",
            b"/Length",
            b"/Filter/FlateDecode",
            b" 0 R",
            b"obj",
            b"endobj",
            b"stream\n",
            b"endstream",
            b"xref",
            b"trailer",
            b"startxref",
            b"BT ",
            b"ET ",
            b"q ",
            b"Q ",
            b"/X Do ",
            b"Tj ",
            b"TJ ",
            b"' ",
            b"0 0 0 0 0 0 cm ",
            b"1e38 ",
            b"-1 ",
            b"/W[0 65535 500]",
            b"/Encrypt<<>>",
            b"%PDF-",
            b"\0",
            b"\xff\xfe",
            b"BI ID EI ",
        ],
        Format::Markdown => &[
            b"> ",
            b"* ",
            b"1. ",
            b"    ",
            b"\t",
            b"`",
            b"```\n",
            b"[",
            b"](",
            b")",
            b"![",
            b"**",
            b"_",
            b"~~",
            b"|",
            b"|---|---|\n",
            b"\n\n",
            b"# ",
            b"===\n",
            b"<div>",
            b"</div>",
            b"<table><tr><td>",
            b"<!--",
            b"[^1]",
            b"[^1]: ",
            b": ",
            b"---\n",
            b"{{",
            b"{%",
            b"&#x1F600;",
            b"&amp;",
            b"\\",
            b"\r",
            b"\0",
            b"\xe2\x80\x8b",
            b"\xff",
            b"1004.5 ",
            b"Exception: ",
            b"TABLE 1004.5 ",
        ],
        Format::Text => &[
            b"\x0c",
            b"\r\n",
            b"\n\n",
            b"\t",
            b"     ",
            b"-\n",
            b"1004.5 ",
            b"SECTION 1004\n",
            b"CHAPTER 10\n",
            b"Exceptions:\n",
            b"1. ",
            b"(a) ",
            b"====\n",
            b"\xad",
            b"\xa0",
            b"\0",
            b"\xff\xfe",
            b"\xef\xbb\xbf",
            b"\xe2\x80\x94",
            b"\x93",
            b"\xc3\x28",
        ],
        Format::Html => &[
            b"<div>",
            b"</div>",
            b"<p>",
            b"<table>",
            b"<tr>",
            b"<td colspan=9999 rowspan=9999>",
            b"</table>",
            b"<ol start=9>",
            b"<ul>",
            b"<li>",
            b"<dl><dt>",
            b"<dd>",
            b"<pre>",
            b"<b>",
            b"</b>",
            b"<h1>",
            b"<nav>",
            b"<script>",
            b"<style>",
            b"<!--",
            b"-->",
            b"<br>",
            b"<sup>1</sup>",
            b"&nbsp;",
            b"&#x1F600;",
            b"&#0;",
            b"&bogus;",
            b"<svg>",
            b"<math>",
            b"<template>",
            b"<select>",
            b"<form>",
            b"<frameset>",
            b"<plaintext>",
            b"<meta charset=utf-16>",
            b" hidden",
            b" style=display:none",
            b"<![CDATA[",
            b"\0",
            b"\xff\xfe",
            b"\xc3\x28",
            b"<a name=x>",
            b"<q>",
        ],
        Format::Docx => &[
            b"<w:p>",
            b"</w:p>",
            b"<w:r>",
            b"<w:t>",
            b"</w:t>",
            b"<w:tbl>",
            b"<w:tr>",
            b"<w:tc>",
            b"<w:gridSpan w:val=\"9999999\"/>",
            b"<w:vMerge/>",
            b"<w:ins>",
            b"<w:del>",
            b"<w:delText>",
            b"<w:numPr>",
            b"<w:numId w:val=\"1\"/>",
            b"<w:ilvl w:val=\"9\"/>",
            b"<w:sdt>",
            b"<w:txbxContent>",
            b"<mc:AlternateContent>",
            b"<w:footnoteReference w:id=\"1\"/>",
            b"<!DOCTYPE x>",
            b"<!ENTITY x \"y\">",
            b"&x;",
            b"&#0;",
            b"&amp;",
            b"<![CDATA[",
            b"<?xml version=\"1.0\"?>",
            b"PK\x01\x02",
            b"PK\x03\x04",
            b"PK\x05\x06",
            b"\xff\xff\xff\xff",
            b"\0\0\0\0",
            b"xmlns:w=\"x\"",
            b"<w:br/>",
        ],
    }
}

fn pdfs() -> Vec<Vec<u8>> {
    let prose = writer::Page::new().lines(
        72.0,
        700.0,
        &[
            "1004.5 Occupant load. The number of occupants shall be not less than the",
            "floor area divided by the factor in Table 1004.5, see Sec-",
            "tion 1004.6.",
            "Exceptions:",
            "1. Buildings of one room.",
        ],
    );
    let mut grid = writer::Page::new();
    for step in 0..4u8 {
        let at = f32::from(step) * 40.0;
        grid = grid.line(100.0, 600.0 + at, 220.0, 600.0 + at).line(100.0 + at, 600.0, 100.0 + at, 720.0);
        grid = grid.lines(104.0, 610.0 + at, &["cell"]).lines(144.0, 610.0 + at, &["cell"]);
    }
    let form = writer::stream(
        "/Type/XObject/Subtype/Form/BBox[0 0 612 792]/Matrix[1 0 0 1 10 10]",
        b"0 0 m 9 9 l S",
    );
    let squeezed = writer::stream(
        "/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Filter/FlateDecode",
        &writer::deflate(b"0 0 m 9 9 l S"),
    );
    let more =
        writer::Page::new().lines(72.0, 700.0, &["101.1 Title"]).extra("/Rotate 90/CropBox[10 10 600 780]");
    vec![writer::pdf(&[prose, grid.raw("q /X Do Q"), more], &[form, squeezed])]
}

fn utf16(text: &str) -> Vec<u8> {
    [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

const MARKDOWN: &str = "\
---
title: A code
---
# CHAPTER 10 MEANS OF EGRESS

## SECTION 1004 OCCUPANT LOAD

**1004.5 Occupant load.** The *number* of occupants, see [Section 1004.6](#s), is
~~old~~ <u>new</u> and `code`.[^1]

[^1]: A note.

**Exceptions:**

1. Buildings of one room.
   - a nested item
   > a quotation
2. Others.

TABLE 1004.5 LOADS

| Use | Load |
|-----|-----:|
| A | 7 |
| B | 100 |

BALCONY
: An outside floor.

<table><tr><td>raw</td></tr></table>

Setext
------

    indented code
";

const TEXT: &str = "\
                    CHAPTER 10
                 MEANS OF EGRESS

SECTION 1004 OCCUPANT LOAD

1004.5 Occupant load. The number of occupants shall be not less
   than the floor area divided by the factor, see Sec-
   tion 1004.6.

   Exceptions:
      1. Buildings of one room.
      2. Others.
\u{c}
TABLE 1004.5
Use        Load
A             7
B           100
";

const HTML: &str = "\
<!doctype html><html><head><meta charset='utf-8'><title>A code</title></head><body>
<nav><h1>Title 8</h1><ul><li><a href='#s'>one</a></li></ul></nav>
<h2 id='c10'>CHAPTER 10 MEANS OF EGRESS</h2>
<p><b>1004.5 Occupant load.</b> The <i>num</i>ber of<br>occupants, see&nbsp;<a href='#s'>Section 1004.6</a>, <del>old</del><ins>new</ins>.</p>
<p><b>Exceptions:</b></p><ol start='1'><li>Buildings<ol type='a'><li>of one room</li></ol></li><li>Others.</li></ol>
<table><caption>TABLE 1004.5 LOADS</caption><thead><tr><th>Use</th><th colspan='2'>Load</th></tr></thead>
<tbody><tr><td rowspan='2'>A</td><td>7</td><td>8</td></tr><tr><td>9</td><td>10</td></tr></tbody></table>
<dl><dt>BALCONY</dt><dd>An outside floor.</dd></dl><pre>as it  stands</pre><aside>beside</aside><script>x()</script></body></html>
";

const PACKAGE: [(&str, &str); 4] = [
    (
        "[Content_Types].xml",
        r#"<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>"#,
    ),
    (
        "_rels/.rels",
        r#"<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>"#,
    ),
    ("word/numbering.xml", NUMBERING),
    ("word/styles.xml", STYLES),
];

const DOCUMENT: &str = r#"<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:pPr><w:pStyle w:val="Heading1"/><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>MEANS OF EGRESS</w:t></w:r></w:p><w:p><w:r><w:rPr><w:b/></w:rPr><w:t>1004.5 Occupant load.</w:t></w:r><w:r><w:t xml:space="preserve"> The number </w:t></w:r><w:ins w:id="1" w:author="a"><w:r><w:t>of occupants</w:t></w:r></w:ins><w:del w:id="2" w:author="a"><w:r><w:delText>of persons</w:delText></w:r></w:del></w:p><w:tbl><w:tblGrid><w:gridCol/><w:gridCol/></w:tblGrid><w:tr><w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr><w:p><w:r><w:t>Use</w:t></w:r></w:p></w:tc></w:tr><w:tr><w:tc><w:p><w:r><w:t>A</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>7</w:t></w:r></w:p></w:tc></w:tr></w:tbl></w:body></w:document>"#;

const NUMBERING: &str = r#"<?xml version="1.0"?><w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="10"/><w:numFmt w:val="decimal"/><w:lvlText w:val="CHAPTER %1"/></w:lvl><w:lvl w:ilvl="1"><w:numFmt w:val="lowerRoman"/><w:lvlText w:val="%1.%2"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>"#;

const STYLES: &str = r#"<?xml version="1.0"?><w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/><w:basedOn w:val="Normal"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style></w:styles>"#;
