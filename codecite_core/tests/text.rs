//! The reader of plain text, on texts that the tests write themselves and on a real one where it is present.
#![allow(missing_docs)]

mod support;

use std::path::PathBuf;

use codecite_core::document::{BlockKind, Document, Format, FurnitureKind};
use codecite_core::error::{Error, Result};
use codecite_core::read::read as read_any;
use codecite_core::work::{Limits, Unwatched, Work};
use proptest::prelude::*;
use support::{StopAfter, block, check_invariants, texts};

fn read_with(bytes: &[u8], limits: &Limits) -> Result<Document> {
    support::read_with(codecite_core::read::text::read, bytes, limits)
}

fn read(text: &str) -> Document {
    read_with(text.as_bytes(), &Limits::default()).unwrap()
}

fn blocks(text: &str) -> Vec<String> {
    let document = read(text);
    texts(&document).into_iter().map(str::to_owned).collect()
}

const WRAPPED: &str = "\
CHAPTER 10
MEANS OF EGRESS

101.1 Title. These regulations shall be known as the code of the city, and are
cited as such wherever they are referred to in other laws of the city and of the
state.
101.2 Scope. The provisions of this code apply to the construction, alteration,
moving and use of every building. Where a building is altered see Section
104.2 or 105 and
Table 1A, as far as they apply.
   The second paragraph of a section begins further right, and the lines after
its first do not.
   (a)   Doors that are wider than the corridor which they lead to shall not be
counted twice.
   (b)   Gates.
      (1)   Gates of steel that are not part of a fence are exempt from all of the
provisions of this chapter.
   2.   An item with a number that is long enough for its line, as in Section
101. Another sentence.
Exception: Doors of a single dwelling unit that is not more than two stories in
height.
";

#[test]
fn wrapped_lines_are_joined_and_breaks_that_are_meant_are_kept() {
    let document = read(WRAPPED);
    assert_eq!(
        texts(&document),
        [
            "CHAPTER 10",
            "MEANS OF EGRESS",
            "101.1 Title. These regulations shall be known as the code of the city, and are cited as such wherever they \
         are referred to in other laws of the city and of the state.",
            "101.2 Scope. The provisions of this code apply to the construction, alteration, moving and use of every \
         building. Where a building is altered see Section 104.2 or 105 and Table 1A, as far as they apply.",
            "The second paragraph of a section begins further right, and the lines after its first do not.",
            "(a) Doors that are wider than the corridor which they lead to shall not be counted twice.",
            "(b) Gates.",
            "(1) Gates of steel that are not part of a fence are exempt from all of the provisions of this chapter.",
            "2. An item with a number that is long enough for its line, as in Section 101. Another sentence.",
            "Exception: Doors of a single dwelling unit that is not more than two stories in height.",
        ]
    );
    assert_eq!(block(&document, "(a)").kind, BlockKind::ListItem { depth: 1 });
    assert_eq!(block(&document, "(1)").kind, BlockKind::ListItem { depth: 2 });
    assert_eq!(block(&document, "101.1").kind, BlockKind::Paragraph);
}

#[test]
fn lines_that_are_not_wrapped_stay_apart() {
    let long = "Every building shall have two doors that open outwards. ".repeat(4);
    let text = format!("SECTION 101\n{long}\nA short one.\n{long}\nDoors\nGates\n");
    assert_eq!(blocks(&text), ["SECTION 101", long.trim(), "A short one.", long.trim(), "Doors", "Gates"]);
}

#[test]
fn hanging_indents_belong_to_their_paragraph() {
    let text = "\
(a) Each door in a wall that separates two tenants shall close by
    itself and be of a kind that was approved by the official for
    that purpose.
(b) Each gate in a fence shall be at least as wide as the way that
    leads to it.

104.2    Width. The width of a stair is measured between its walls,
         not between its rails, and is nowhere less than the width
         required.
";
    assert_eq!(
        blocks(text),
        [
            "(a) Each door in a wall that separates two tenants shall close by itself and be of a kind that was approved by \
         the official for that purpose.",
            "(b) Each gate in a fence shall be at least as wide as the way that leads to it.",
            "104.2 Width. The width of a stair is measured between its walls, not between its rails, and is nowhere less \
         than the width required.",
        ]
    );
}

#[test]
fn hyphens_at_line_ends_go_where_the_document_says_so() {
    let text = "\
The occupant load of a building is the number of people for whom the means of
egress is designed, and an occu-
pant is each of them. A self-closing door is a door, and so is one that is self-
closing. The distance is 44-
inch at most, and a non-
sensical one is none.

The occupant load counts.
";
    let joined = blocks(text).join("\n");
    for part in ["an occupant is", "one that is self-closing", "44-inch"] {
        assert!(joined.contains(part), "{part}: {joined}");
    }
}

#[test]
fn centred_capitals_are_marked() {
    let text = format!(
        "{:^72}\n{:^72}\n\n{}\n{}\n",
        "CHAPTER 2",
        "DEFINITIONS",
        "Words that are not defined here have the meaning that they have in usual",
        "speech, unless the context shows that something else is meant by them."
    );
    let document = read(&text);
    assert_eq!(document.blocks.iter().map(|b| b.layout.centred).collect::<Vec<_>>(), [true, true, false]);
    assert_eq!(texts(&document)[..2], ["CHAPTER 2", "DEFINITIONS"]);
}

#[test]
fn underlines_are_furniture_and_what_they_underline_is_a_heading() {
    let document =
        read("Scope\n=====\n\n101 Title\n---------\nText.\n\n* * * * *\n\n________________\nmore\n");
    assert_eq!(texts(&document), ["Scope", "101 Title", "Text.", "more"]);
    assert_eq!(document.blocks[0].kind, BlockKind::Heading { level: 1 });
    assert_eq!(document.blocks[1].kind, BlockKind::Heading { level: 2 });
    assert_eq!(document.blocks[2].kind, BlockKind::Paragraph);
    let rules: Vec<&str> = document.furniture.iter().map(|f| f.text.as_str()).collect();
    assert_eq!(rules, ["=====", "---------", "* * * * *", "________________"]);
    assert!(document.furniture.iter().all(|f| f.kind == FurnitureKind::Around));
}

#[test]
fn form_feeds_are_pages() {
    let document = read(
        "101 One.\n\u{c}102 A section that goes on at the top of the next page and is\n\u{c}not ended before it.\n",
    );
    assert_eq!(document.page_count, 3);
    let pages: Vec<(usize, u32)> = document.pages.iter().map(|mark| (mark.offset, mark.page)).collect();
    let third = document.text.find("not ended").unwrap();
    assert_eq!(pages, [(0, 1), (9, 2), (third, 3)]);
    assert_eq!(document.blocks.len(), 2);
    assert!(read("no pages").pages.is_empty());
}

#[test]
fn tables_in_fixed_pitch_keep_their_columns() {
    let text = "\
101.1 Fees. The fees for permits are those of the following table, which is a
part of this section.

Class          Fee      Unit
Assembly       $ 100    each
Storage,       $  50    each
low hazard
Dwelling       $  25    each

101.2   Other fees. Other fees are set by the council, and the council sets them
once a year.

+----+----+
| a  | b  |
+----+----+

$5,000 for  $6,000 for  each
each part   each part   plus
";
    let document = read(text);
    let table = block(&document, "Class");
    assert_eq!(table.kind, BlockKind::Preformatted);
    assert!(document.slice(table.span).contains("\nStorage,       $  50    each\nlow hazard\nDwelling"));
    assert_eq!(block(&document, "101.2 Other fees. Other").kind, BlockKind::Paragraph);
    assert_eq!(block(&document, "+----+").kind, BlockKind::Preformatted);
    assert_eq!(block(&document, "$5,000 for  $6,000").kind, BlockKind::Preformatted);
    assert_eq!(document.blocks.len(), 5);
}

#[test]
fn no_rule_of_markdown_applies() {
    let text =
        "    101.1 Title.\n\n7. seven\n\n3. three\n\n* see *\n\n# of units\n\n\\* a \\_ b & c\n\n<b>\n";
    assert_eq!(
        blocks(text),
        ["101.1 Title.", "7. seven", "3. three", "* see *", "# of units", "\\* a \\_ b & c", "<b>"]
    );
}

#[test]
fn addresses_of_images_are_furniture() {
    let document = read(
        "[https://example.org/media/0123456789abcdef0123456789abcdef/0123456789/\na.png]101.1 Title. Text\n\n[https://example.org/a.png]\n\n[https://example.org] stays\n",
    );
    assert_eq!(texts(&document), ["101.1 Title. Text", "[https://example.org] stays"]);
    assert_eq!(document.furniture.len(), 2);
    assert!(document.furniture[0].text.ends_with("0123456789/a.png]"));
}

#[test]
fn encodings() {
    let (format, document) = read_any(
        &"SECTION 1 \u{a7}".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>(),
        None,
        &mut Work::new(&Limits::default(), &mut Unwatched),
    )
    .unwrap();
    assert_eq!((format, document.text.as_str()), (Format::Text, "SECTION 1 §"));
    let mixed = ["§ 1 “Doors” are wide. ".as_bytes(), b"caf\xe9 \x95"].concat();
    let document = read_with(&mixed, &Limits::default()).unwrap();
    assert_eq!(document.text, "§ 1 “Doors” are wide. café •");
    assert_eq!(document.warnings.len(), 1);
    assert_eq!(document.warnings[0].code, "bad_bytes");
    assert!(document.warnings[0].message.starts_with("2 bytes"));
}

#[test]
fn limits_hold() {
    let few = Limits { max_blocks: 10, ..Limits::default() };
    let error = read_with("x.\n\n".repeat(2_000).as_bytes(), &few).unwrap_err();
    assert!(matches!(error, Error::Limit { name: "max_blocks", limit: 10, .. }), "{error:?}");
    let small = Limits { max_memory_bytes: 1 << 20, ..Limits::default() };
    let error = read_with("x.\n".repeat(200_000).as_bytes(), &small).unwrap_err();
    assert!(matches!(error, Error::Limit { name: "max_memory_bytes", .. }), "{error:?}");
}

#[test]
fn the_work_can_be_cancelled_at_each_stage() {
    let text = "A line of words that ends in a hyphen-\nated word.\n\n".repeat(20_000);
    let limits = Limits::default();
    for ticks in [1, 5, 40, 80] {
        let result =
            codecite_core::read::text::read(text.as_bytes(), &mut Work::new(&limits, &mut StopAfter(ticks)));
        assert_eq!(result, Err(Error::Cancelled), "{ticks}");
    }
    let mut progress = StopAfter(u32::MAX);
    assert!(codecite_core::read::text::read(text.as_bytes(), &mut Work::new(&limits, &mut progress)).is_ok());
}

#[test]
fn long_texts_of_one_kind_end_well() {
    for text in [
        "\n",
        " ",
        "a",
        "a   b\n",
        "\u{c}",
        "-\n",
        "a-\n",
        "(",
        "1.",
        "\t",
        "=\n",
        "Section\n",
        "x\u{c}\n",
        "|\n",
    ] {
        let _ = read_with(text.repeat(200_000).as_bytes(), &Limits::default());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Everything printed is in the text or beside it, in order; hyphens at line ends may go.
    #[test]
    fn no_character_is_lost(lines in prop::collection::vec("[ ]{0,6}[a-zA-Z0-9.,:;()§\\-=\\t ]{0,70}[a-z.]?", 0..30)) {
        let text = lines.join("\n");
        let document = read(&text);
        let printed = |text: &str| text.chars().filter(|c| !c.is_whitespace() && *c != '-').collect::<String>();
        let rules: usize = document.furniture.iter().map(|f| printed(&f.text).len()).sum();
        let found = printed(&document.text);
        prop_assert_eq!(found.len() + rules, printed(&text).len());
        if rules == 0 {
            prop_assert_eq!(found, printed(&text));
        }
    }

    #[test]
    fn bytes_of_any_kind_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        let _ = read_with(&bytes, &Limits::default());
    }
}

#[test]
fn san_francisco() {
    let default = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    let folder = std::env::var_os("CODECITE_SHARED").map_or_else(default, PathBuf::from);
    let path = folder.join("corpora/san_francisco/san_francisco-ca-1.txt");
    let Ok(bytes) = std::fs::read(&path) else {
        println!("SKIPPED: no {} (set CODECITE_SHARED to the folder that holds corpora/)", path.display());
        return;
    };
    let limits = Limits::default();
    let (format, document) = read_any(&bytes, None, &mut Work::new(&limits, &mut Unwatched)).unwrap();
    check_invariants(&document);
    assert_eq!(format, Format::Text);
    assert_eq!(document.warnings.iter().map(|w| w.code).collect::<Vec<_>>(), ["bad_bytes"]);
    // Links had broken the lines at the numbers that they stood on.
    let prose = document.blocks.iter().filter(|b| b.kind == BlockKind::Paragraph);
    let texts: Vec<&str> = prose.map(|b| document.slice(b.span)).collect();
    let sections = texts.iter().filter(|text| text.starts_with("SECTION ")).count();
    let broken =
        texts.iter().filter(|text| text.ends_with(" Section") || text.ends_with(" Sections")).count();
    assert!(document.text.matches("\nAB-").count() >= 70);
    let lower = texts.iter().filter(|text| text.starts_with(char::is_lowercase)).count();
    println!(
        "{} blocks, {sections} sections, {broken} end in \"Section\", {lower} in lower case",
        texts.len()
    );
    assert!(sections > 100);
    assert_eq!(broken, 0);
    assert!(lower * 100 < texts.len());
}
