//! Small good files of each format, and pieces of its language.

use codecite_core::document::Format;

#[path = "../pdf/writer.rs"]
#[allow(dead_code)]
mod writer;

/// Files that can be read.
pub fn of(format: Format) -> Vec<Vec<u8>> {
    match format {
        Format::Pdf => pdfs(),
        Format::Markdown => vec![MARKDOWN.into()],
        Format::Text => vec![TEXT.into(), utf16(TEXT)],
        Format::Html | Format::Docx => Vec::new(),
    }
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
        Format::Html | Format::Docx => &[],
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
