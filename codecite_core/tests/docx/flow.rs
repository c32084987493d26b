//! The order of the document, and what stands inside paragraphs.

use codecite_core::document::{BlockKind, FurnitureKind};
use proptest::prelude::*;

use super::writer::{Docx, cell, paragraph, plain, row, run, styled, table, with};
use super::{beside, read, texts, texts_of};

#[test]
fn paragraphs_and_tables_stand_in_their_order() {
    let one = table(&[row("", &[cell("", &plain("a")), cell("", &plain("b"))])]);
    let body = format!("{}{one}{}{one}", plain("before"), plain("between"));
    assert_eq!(texts_of(&body), ["before", "| a | b |\n|---|---|", "between", "| a | b |\n|---|---|"]);
}

#[test]
fn runs_are_joined_as_they_stand() {
    let inner = [run("the "), styled("<w:b/>", "fire"), run("-resistance "), run("rating")].concat();
    assert_eq!(texts_of(&paragraph(&inner)), ["the fire-resistance rating"]);
    // Space at the ends of a text counts only where the file says so.
    let inner = "<w:r><w:t> a &amp; </w:t></w:r><w:r><w:t>b &#x3C; c</w:t></w:r>";
    assert_eq!(texts_of(&paragraph(inner)), ["a &b < c"]);
}

#[test]
fn wrappers_around_runs_and_blocks_are_transparent() {
    let control = |inner: &str| {
        format!(
            "<w:sdt><w:sdtPr><w:alias w:val=\"x\"/></w:sdtPr><w:sdtContent>{inner}</w:sdtContent></w:sdt>"
        )
    };
    let link = format!("<w:hyperlink w:anchor=\"x\">{}</w:hyperlink>", run("Section 5"));
    let tag = format!("<w:smartTag w:element=\"date\"><w:smartTagPr/>{}</w:smartTag>", run(" of 2024"));
    let simple = format!("<w:fldSimple w:instr=\" REF x \">{}</w:fldSimple>", run(" applies"));
    let body = control(&paragraph(&format!("{}{link}{tag}{simple}", control(&run("See ")))));
    assert_eq!(texts_of(&body), ["See Section 5 of 2024 applies"]);
    let rows = control(&row("", &[control(&cell("", &plain("x"))), cell("", &plain("y"))]));
    assert_eq!(texts_of(&table(&[rows])), ["| x | y |\n|---|---|"]);
}

fn field(kind: &str) -> String {
    format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>")
}

fn instruction(text: &str) -> String {
    format!("<w:r><w:instrText>{text}</w:instrText></w:r>")
}

#[test]
fn of_a_field_the_result_is_read() {
    let inner = [
        run("see "),
        field("begin"),
        instruction(" REF a "),
        field("begin"),
        instruction("PAGE"),
        field("separate"),
        run("7"),
        field("end"),
        field("separate"),
        run("Section 3.2"),
        field("end"),
        run("."),
    ];
    let document = read(&Docx::new(&paragraph(&inner.concat())));
    assert_eq!(texts(&document), ["see Section 3.2."]);
    assert_eq!(beside(&document, FurnitureKind::Around), [("7", Some(4))]);
}

#[test]
fn a_field_that_never_ends_does_not_swallow_the_rest() {
    let body = paragraph(&[run("a"), field("begin"), instruction("X")].concat()) + &plain("b");
    assert_eq!(texts_of(&body), ["a", "b"]);
}

#[test]
fn lines_of_a_table_of_contents_are_no_headings() {
    let styles = "<w:style w:type=\"paragraph\" w:styleId=\"TOC1\"><w:name w:val=\"toc 1\"/></w:style>";
    let line =
        with("<w:pStyle w:val=\"TOC1\"/>", &format!("{}<w:r><w:tab/></w:r>{}", run("1 Scope"), run("4")));
    let document = read(&Docx::new(&line).styles(styles));
    assert_eq!(texts(&document), ["1 Scope\t4"]);
    assert_eq!(document.blocks[0].kind, BlockKind::Paragraph);
}

#[test]
fn signs_become_characters() {
    let inner = "<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t>\
        <w:softHyphen/><w:t>e\u{ad}f\u{a0}g\u{2011}h</w:t><w:cr/><w:lastRenderedPageBreak/>\
        <w:sym w:font=\"Symbol\" w:char=\"F0B3\"/><w:t>5</w:t><w:br w:type=\"page\"/><w:t>i</w:t></w:r>";
    assert_eq!(texts_of(&paragraph(inner)), ["a\tb\nc-def g-h\n≥5\ni"]);
}

#[test]
fn letters_of_the_symbol_font_are_what_it_shows() {
    let font = "<w:rFonts w:ascii=\"Symbol\" w:hAnsi=\"Symbol\"/>";
    assert_eq!(texts_of(&paragraph(&styled(font, "\u{f0b1}"))), ["±"]);
}

fn box_of(inner: &str) -> String {
    let content = format!("<w:txbxContent>{inner}</w:txbxContent>");
    format!(
        "<w:r><mc:AlternateContent><mc:Choice Requires=\"wps\"><w:drawing><wps:txbx>{content}</wps:txbx></w:drawing>\
         </mc:Choice><mc:Fallback><w:pict><v:textbox>{content}</v:textbox></w:pict></mc:Fallback>\
         </mc:AlternateContent></w:r>"
    )
}

#[test]
fn a_text_box_is_read_once_where_it_is_anchored() {
    let boxed =
        box_of(&(plain("in the box") + &table(&[row("", &[cell("", &plain("c")), cell("", "<w:p/>")])])));
    let body = paragraph(&format!("{}{boxed}{}", run("around "), run("it"))) + &plain("after");
    assert_eq!(texts_of(&body), ["around it", "in the box", "| c |  |\n|---|---|", "after"]);
    let in_cell =
        table(&[row("", &[cell("", &paragraph(&(run("a") + &box_of(&plain("b"))))), cell("", "<w:p/>")])]);
    assert_eq!(texts_of(&in_cell), ["| a b |  |\n|---|---|"]);
}

#[test]
fn a_fallback_is_read_where_the_choice_says_nothing() {
    let inner = format!(
        "<mc:AlternateContent><mc:Choice Requires=\"x\"><w:r/></mc:Choice><mc:Fallback>{}</mc:Fallback></mc:AlternateContent>",
        run("text")
    );
    assert_eq!(texts_of(&paragraph(&inner)), ["text"]);
}

#[test]
fn equations_keep_their_fraction_bar() {
    let math = "<m:oMath><m:r><m:t>q=</m:t></m:r><m:f><m:num><m:r><m:t>W</m:t></m:r></m:num>\
        <m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath>";
    assert_eq!(texts_of(&paragraph(math)), ["q=W/2"]);
}

#[test]
fn notes_follow_the_paragraph_that_cites_them() {
    let note = |id: i32, text: &str| {
        format!("<w:footnote w:id=\"{id}\"><w:p><w:r><w:footnoteRef/></w:r>{}</w:p></w:footnote>", run(text))
    };
    let notes = format!(
        "<w:footnote w:type=\"separator\" w:id=\"-1\">{}</w:footnote>{}{}{}",
        plain("never"),
        note(2, " Second."),
        note(3, " First."),
        note(4, " Not cited.")
    );
    let ends = format!("<w:endnote w:id=\"2\">{}</w:endnote>", plain("At the end."));
    let cite = |id: i32| format!("<w:r><w:footnoteReference w:id=\"{id}\"/></w:r>");
    let body = paragraph(&(run("Width") + &cite(3) + &run(" and depth")))
        + &{
            let cells = [cell("", &paragraph(&(run("x") + &cite(2)))), cell("", &plain("y"))];
            table(&[row("", &cells)])
        }
        + &paragraph(&(run("End") + "<w:r><w:endnoteReference w:id=\"2\"/></w:r>" + &cite(3)));
    let docx = Docx::new(&body).part("footnotes", "footnotes", &notes).part("endnotes", "endnotes", &ends);
    let document = read(&docx);
    let expected = [
        "Width[1] and depth",
        "[1] First.",
        "| x[2] | y |\n|---|---|",
        "[2] Second.",
        "End[i][3]",
        "[i] At the end.",
    ];
    assert_eq!(texts(&document), expected);
    assert!(document.blocks.iter().filter(|b| b.kind == BlockKind::Footnote).count() == 3);
    assert_eq!(beside(&document, FurnitureKind::Around), [("Not cited.", None)]);
}

#[test]
fn headers_footers_and_comments_stand_beside_the_text() {
    let comment = format!("<w:comment w:id=\"1\" w:author=\"x\">{}</w:comment>", plain("Is this right?"));
    let docx = Docx::new(&plain("text"))
        .part("header", "hdr", &plain("My Code"))
        .part("header", "hdr", &plain("My Code"))
        .part("footer", "ftr", &table(&[row("", &[cell("", &plain("Page")), cell("", &plain("1"))])]))
        .part("comments", "comments", &comment);
    let document = read(&docx);
    assert_eq!(texts(&document), ["text"]);
    assert_eq!(beside(&document, FurnitureKind::Page), [("My Code", None), ("Page 1", None)]);
    assert_eq!(beside(&document, FurnitureKind::Around), [("Is this right?", None)]);
}

#[test]
fn hidden_text_stands_beside_the_text() {
    let document = read(&Docx::new(&paragraph(&(run("seen") + &styled("<w:vanish/>", " unseen")))));
    assert_eq!(texts(&document), ["seen"]);
    assert_eq!(beside(&document, FurnitureKind::Around), [("unseen", Some(4))]);
}

#[test]
fn bookmarks_are_anchors() {
    let mark =
        |name: &str| format!("<w:bookmarkStart w:id=\"1\" w:name=\"{name}\"/><w:bookmarkEnd w:id=\"1\"/>");
    let body = [
        paragraph(&(mark("_Toc12") + &mark("scope") + &mark("other") + &run("a"))),
        paragraph(&(mark("_Ref5") + &run("b"))),
        paragraph(&(mark("_GoBack") + &run("c"))),
        mark("between") + &plain("d"),
        mark("grid") + &table(&[row("", &[cell("", &plain("x")), cell("", &plain("y"))])]),
    ];
    let document = read(&Docx::new(&body.concat()));
    let anchors: Vec<_> = document.blocks.iter().map(|block| block.anchor.as_deref()).collect();
    assert_eq!(anchors, [Some("scope"), Some("_Ref5"), None, Some("between"), Some("grid")]);
}

#[test]
fn what_is_embedded_in_another_format_is_told() {
    let document = read(&Docx::new(&(plain("text") + "<w:altChunk r:id=\"r9\"/>")));
    assert_eq!(document.warnings.iter().map(|w| w.code).collect::<Vec<_>>(), ["unread_part"]);
    let chart = "<w:r><w:drawing><c:chart xmlns:c=\"http://schemas.openxmlformats.org/drawingml/2006/chart\"/></w:drawing></w:r>";
    let document = read(&Docx::new(&paragraph(&(run("text") + chart))));
    assert!(document.warnings[0].message.starts_with("1 parts"), "{:?}", document.warnings);
}

#[test]
fn text_outside_its_place_is_not_lost() {
    assert_eq!(texts_of(&(run("bare run") + &plain("b"))), ["bare run", "b"]);
    assert_eq!(texts_of("<w:p><w:r><w:t>a</w:t></w:r><w:p><w:r><w:t>b</w:t></w:r></w:p></w:p>"), ["a", "b"]);
    assert_eq!(texts_of(&format!("<w:tr>{}</w:tr>", cell("", &plain("stray")))), ["stray"]);
    let nested_cell = cell("", &format!("{}{}", plain("a"), cell("", &plain("b"))));
    assert_eq!(
        texts_of(&table(&[row("", &[nested_cell, cell("", &plain("c"))])])),
        ["| a b | c |\n|---|---|"]
    );
}

/// A piece of a document of any kind around others.
#[derive(Debug, Clone)]
enum Node {
    Word,
    Paragraph(Vec<Node>),
    Table(Vec<Vec<Node>>),
    Boxed(Vec<Node>),
    Wrapped(usize, Vec<Node>),
}

fn node() -> impl Strategy<Value = Node> {
    let leaf = Just(Node::Word);
    leaf.prop_recursive(5, 40, 4, |inner| {
        let some = prop::collection::vec(inner, 0..4);
        prop_oneof![
            some.clone().prop_map(Node::Paragraph),
            prop::collection::vec(some.clone(), 1..4).prop_map(Node::Table),
            some.clone().prop_map(Node::Boxed),
            (0usize..8, some).prop_map(|(kind, nodes)| Node::Wrapped(kind, nodes)),
        ]
    })
}

/// Writes nodes as XML; every word is another one.
fn xml_of(nodes: &[Node], words: &mut usize) -> String {
    let mut out = String::new();
    for node in nodes {
        out += &match node {
            Node::Word => {
                *words += 1;
                run(&format!("w{words}w "))
            }
            Node::Paragraph(inner) => paragraph(&xml_of(inner, words)),
            Node::Table(rows) => {
                let rows: Vec<String> =
                    rows.iter().map(|r| row("", &[cell("", &xml_of(r, words)), cell("", "")])).collect();
                table(&rows)
            }
            Node::Boxed(inner) => box_of(&xml_of(inner, words)),
            Node::Wrapped(kind, inner) => {
                let inner = xml_of(inner, words);
                match kind {
                    0 => format!("<w:sdt><w:sdtContent>{inner}</w:sdtContent></w:sdt>"),
                    1 => format!("<w:hyperlink>{inner}</w:hyperlink>"),
                    2 => format!("<w:ins>{inner}</w:ins>"),
                    3 => format!("<w:del>{inner}</w:del>"),
                    4 => format!("{}{inner}{}", field("begin"), field("end")),
                    5 => format!("{}{}{inner}", field("begin"), field("separate")),
                    6 => with("<w:rPr><w:del/></w:rPr>", &inner),
                    _ => row("<w:del/>", &[cell("", &inner)]),
                }
            }
        };
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// However things are nested, each word is read once: in the text or beside it.
    #[test]
    fn no_word_is_lost_or_doubled(nodes in prop::collection::vec(node(), 1..8)) {
        let mut words = 0;
        let document = read(&Docx::new(&xml_of(&nodes, &mut words)));
        let beside: String = document.furniture.iter().map(|piece| format!(" {} ", piece.text)).collect();
        let all = format!("{} {beside}", document.text);
        for word in 1..=words {
            prop_assert_eq!(all.matches(&format!("w{word}w")).count(), 1, "w{}w in {}", word, all);
        }
    }
}
