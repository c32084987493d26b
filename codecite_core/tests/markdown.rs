//! The Markdown reader, on texts that the tests write themselves and on real ones where they are present.
#![allow(missing_docs)]

mod support;

use std::path::PathBuf;

use codecite_core::document::{BlockKind, Document, Format, FurnitureKind, Table};
use codecite_core::error::{Error, Result};
use codecite_core::sniff::sniff;
use codecite_core::work::Limits;
use proptest::prelude::*;
use support::{block, furniture, texts};

fn read_with(bytes: &[u8], limits: &Limits) -> Result<Document> {
    let document = support::read_with(codecite_core::read::markdown::read, bytes, limits);
    if let Ok(document) = &document {
        check_invariants(document);
    }
    document
}

fn read(text: &str) -> Document {
    read_with(text.as_bytes(), &Limits::default()).unwrap()
}

fn blocks(text: &str) -> Vec<String> {
    let document = read(text);
    texts(&document).into_iter().map(str::to_owned).collect()
}

fn tables(document: &Document) -> Vec<&Table> {
    document
        .blocks
        .iter()
        .filter_map(|block| match &block.kind {
            BlockKind::Table(table) => Some(table.as_ref()),
            _ => None,
        })
        .collect()
}

fn check_invariants(document: &Document) {
    support::check_invariants(document);
    assert!(document.furniture.iter().all(|f| f.offset.is_some()));
}

#[test]
fn front_matter_is_recorded_and_gives_the_title() {
    let document = read("---\ntitle: \"My Code\"\nlayout: {{ x }}\n---\n\ntext\n");
    assert_eq!(document.title.as_deref(), Some("My Code"));
    assert_eq!(texts(&document), ["text"]);
    assert_eq!(furniture(&document, FurnitureKind::Around), ["title: \"My Code\"\nlayout: {{ x }}"]);
    let document = read("\u{feff}+++\ntitle = 'My Code'\n+++\ntext\n");
    assert_eq!((document.title.as_deref(), texts(&document)), (Some("My Code"), vec!["text"]));
}

#[test]
fn footnotes_are_blocks_with_their_marks() {
    let document = read(
        "Doors[^1] and gates[^b].\n\n[^1]: A note\n    that wraps.\n\n    Its second part.\n\n[^b]: Another.\n\nafter\n",
    );
    assert_eq!(
        texts(&document),
        ["Doors[1] and gates[b].", "[1] A note that wraps.", "Its second part.", "[b] Another.", "after"]
    );
    for (index, is_note) in [false, true, true, true, false].into_iter().enumerate() {
        assert_eq!(document.blocks[index].kind == BlockKind::Footnote, is_note, "{index}");
    }
}

#[test]
fn definitions_follow_their_terms() {
    let document =
        read("Door\n: A way through a wall.\n\n    More of it.\n\nGate\n: A way through a fence.\n");
    assert_eq!(
        texts(&document),
        ["Door", "A way through a wall.", "More of it.", "Gate", "A way through a fence."]
    );
    assert_eq!(
        document.blocks.iter().map(|b| b.layout.indent).collect::<Vec<_>>(),
        [0.0, 1.0, 1.0, 0.0, 1.0]
    );
}

#[test]
fn headings_of_both_kinds_and_their_names() {
    let document = read("Setext\nin two lines\n===\n\n## Closed ##\n\n### Named {#s-101}\n\n#No heading\n");
    assert_eq!(texts(&document), ["Setext in two lines", "Closed", "Named", "#No heading"]);
    assert_eq!(document.blocks[0].kind, BlockKind::Heading { level: 1 });
    assert_eq!(document.blocks[2].anchor.as_deref(), Some("s-101"));
    assert_eq!(document.blocks[3].kind, BlockKind::Paragraph);
}

#[test]
fn tags_in_a_line_act_and_do_not_show() {
    let document = read(
        "<a id=\"s1\"></a>**101.1 Title.** one<br>two <u>new</u> <del>old</del> <!-- no --> ft<sup>2</sup> 5<sup>1</sup>/<sub>2</sub> \
         <span class=x>in</span>side ![a plan](p.png)<img alt=\"a view\" src=v.png>\n\nnext <b>open\n\nplain\n",
    );
    assert_eq!(texts(&document), ["101.1 Title. one\ntwo new old ft² 5 1/2 inside", "next open", "plain"]);
    assert_eq!(document.blocks[0].anchor.as_deref(), Some("s1"));
    let styles: Vec<(&str, bool, bool, bool)> = document.blocks[0]
        .runs
        .iter()
        .map(|run| (document.slice(run.span), run.style.bold, run.style.underlined, run.style.struck))
        .collect();
    assert_eq!(
        styles,
        [("101.1 Title.", true, false, false), ("new", false, true, false), ("old", false, false, true)]
    );
    assert!(document.blocks[2].runs.is_empty());
    assert_eq!(furniture(&document, FurnitureKind::Around), ["a plan", "a view"]);
}

#[test]
fn html_blocks_are_read_as_html() {
    let document = read(
        "before\n\n<div class=\"note\"><p>in <b>html</b></p>\n<ul><li>item</li></ul></div>\n\n<table>\n<caption>Table 1</caption>\n\n\
         <tr><th>A</th><th>B</th></tr>\n\n<tr><td colspan=2>1&nbsp;&amp; 2</td></tr>\n</table>\n\n<div>\n\n**Markdown** inside\n\n</div>\n\
         <script>var x;</script>\n\n<nav>up</nav>\n\nafter\n",
    );
    assert_eq!(
        texts(&document),
        [
            "before",
            "in html",
            "• item",
            "Table 1",
            "| A | B |\n|---|---|\n| 1 & 2 |  |",
            "Markdown inside",
            "after"
        ]
    );
    assert!(
        document.blocks[1].runs[0].style.bold && document.slice(document.blocks[1].runs[0].span) == "html"
    );
    assert_eq!(tables(&document)[0].cells[2].column_span, 2);
    assert_eq!(furniture(&document, FurnitureKind::Around), ["up"]);
    let up = document.furniture.iter().find(|f| f.text == "up").unwrap();
    assert!(document.text[..up.offset.unwrap()].ends_with("inside"));
}

#[test]
fn template_tags_are_beside_the_text_and_titles_of_blocks_are_in_it() {
    let document = read(
        "{% include nav.html %}\n\nSee [the list]( {{ '/list' | relative_url }}) now{% fn 1 %}, [here](http://x.org){: .wide}.\n{: .lead}\n\n\
         {% details Advisory 404.2 Doors. %}\nDoors are wide.\n{% enddetails %}\n\n{% figure Figure 302 %}\n\
         <img src=\"{{ '/a.png' }}\" alt=\"A plan\" />\n{% figcaption %}\n<strong>Clear floor</strong>\n{% endfigcaption %}\n{% endfigure %}\n\n\
         {% footnotes %}\n {% fnbody 1 %}\n A note.\n {% endfnbody %}\n{% endfootnotes %}\n\n{% if page.x == 1 %}\nshown\n{% endif %}\n",
    );
    assert_eq!(
        texts(&document),
        [
            "See the list now[1], here.",
            "Advisory 404.2 Doors.",
            "Doors are wide.",
            "Figure 302",
            "Clear floor",
            "[1] A note.",
            "shown"
        ]
    );
    let beside = furniture(&document, FurnitureKind::Around);
    for tag in [
        "{% include nav.html %}",
        "{{ '/list' | relative_url }}",
        "{% fn %}",
        "{: .wide}",
        "{: .lead}",
        "{% details %}",
        "{% enddetails %}",
        "{{ '/a.png' }}",
        "A plan",
        "{% if page.x == 1 %}",
    ] {
        assert!(beside.contains(&tag), "{tag}: {beside:?}");
    }
}

#[test]
fn lists_wrap_nest_and_keep_their_marks() {
    let text = "3) three\nlazy\n4) four\n   * in\n     wrapped\n\n     second paragraph\n   * - deep\n\n1. (a) both\n";
    let document = read(text);
    assert_eq!(
        texts(&document),
        ["3) three lazy", "4) four", "* in wrapped", "second paragraph", "* - deep", "1. (a) both"]
    );
    assert_eq!(block(&document, "* - deep").kind, BlockKind::ListItem { depth: 3 });
    assert_eq!(block(&document, "second").layout.indent, 2.0);
}

#[test]
fn enumerated_lines_of_a_paragraph_are_blocks() {
    let document = read(
        "This part applies to –\n(1) Doors;\n(2) Gates; or<br>\n(*3*) Ways that\n(a) of them is part of.\n",
    );
    assert_eq!(
        texts(&document),
        ["This part applies to –", "(1) Doors;", "(2) Gates; or", "(3) Ways that (a) of them is part of."]
    );
}

#[test]
fn breaks_escapes_entities_and_white_space() {
    assert_eq!(blocks("one  \ntwo\\\nthree\n"), ["one\ntwo\nthree"]);
    assert_eq!(blocks("\\*not\\* 2 \\< 3 &sect;&nbsp;1 &lt;b&gt; a   b\n"), ["*not* 2 < 3 § 1 <b> a b"]);
    assert_eq!(
        blocks("```\n  code  *x*\n\n    y\n```\n\n    indented\n"),
        ["  code  *x*\n\n    y", "indented"]
    );
    assert_eq!(blocks("> quoted\nlazy\n> > deeper\n\n* * *\n"), ["quoted lazy", "deeper"]);
}

#[test]
fn tables_keep_struck_words_apart() {
    let document = read("| A | B |\n|---|---|\n| 30 ~~inches~~ | **x**<br>y |\n\n1. | C |\n   |---|\n");
    assert_eq!(
        tables(&document)[0].cells.iter().map(|c| c.text.as_str()).collect::<Vec<_>>(),
        ["A", "B", "30", "x y"]
    );
    assert_eq!(furniture(&document, FurnitureKind::Struck), ["inches"]);
    assert_eq!(texts(&document)[1..], ["1.", "| C |\n|---|"]);
}

#[test]
fn deep_and_long_sources_end_well() {
    let nested = [("> ", "x"), ("- ", "x"), ("1. ", "x"), ("*a **b ", ""), ("~~a ", "")];
    for (part, end) in nested {
        match read_with(format!("{}{end}", part.repeat(100_000)).as_bytes(), &Limits::default()) {
            Ok(_) | Err(Error::Limit { name: "max_nesting", .. }) => {}
            Err(error) => panic!("{part}: {error:?}"),
        }
    }
    for part in [
        "[a](",
        "[",
        "![",
        "`",
        "<b>",
        "<div>\n\n",
        "<table>\n",
        "{{",
        "{%",
        "{% a %}{% enda %}",
        "{% raw %}",
        "&",
        "\\",
        "|a",
        "[^1]: x\n\n",
        "[^1]",
        "# a\n",
        "a\n: b\n\n",
        "<!--",
        "<a id=x>",
        "(1) a;\n",
        "***",
        "\n<p>x\n",
    ] {
        let _ = read_with(part.repeat(50_000).as_bytes(), &Limits::default());
    }
}

#[test]
fn bad_bytes_are_an_error() {
    assert_eq!(read_with(b"# A\n\xff", &Limits::default()).unwrap_err().code(), "bad_encoding");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn markup_of_any_kind_never_panics(
        parts in prop::collection::vec(
            prop::sample::select(vec![
                "# ", "## ", "\n", "\n\n", "- ", "1. ", "> ", "    ", "*", "**", "_", "~~", "`", "```\n", "[", "](", ")", "![", "|", "|--|\n",
                "x", "word ", "<b>", "</b>", "<br>", "<table>\n", "</table>\n", "<td>", "<div>\n", "</div>", "{{ x }}", "{% a B %}", "{% enda %}",
                "{: .c}", "[^1]", "[^1]: ", ": ", "\\", "&amp;", "---\n", "===\n", "<sup>1</sup>", "/", "(1) ", "§", "é", "<img alt=x>", "<!-- ", "-->",
            ]),
            0..50,
        )
    ) {
        read(&parts.concat());
    }

    /// Words between marks that pair are all there, in order.
    #[test]
    fn words_are_kept_in_order(
        parts in prop::collection::vec(
            ("[a-z]{1,6}", prop::sample::select(vec!["", "**", "*", "~~", "<i>", "`", "> ", "- ", "# ", "| ", "{{x}}"])),
            1..20,
        )
    ) {
        let mut source = String::new();
        let mut words = Vec::new();
        for (word, mark) in &parts {
            let (open, close) = match *mark {
                "> " | "- " | "# " => (*mark, ""),
                "| " => ("| a |\n|---|\n| ", " |"),
                "<i>" => ("<i>", "</i>"),
                other => (other, other),
            };
            if *mark == "| " {
                words.push("a".to_owned());
            }
            source.push_str(&format!("{open}{word}{close}\n\n"));
            words.push(word.clone());
        }
        let document = read(&source);
        let found: Vec<String> = document
            .text
            .split(|c: char| !c.is_ascii_lowercase())
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect();
        prop_assert_eq!(found, words, "{}", source);
    }
}

/// The Markdown files of the samples and, where they are present, real ones.
#[test]
fn real_files() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    let shared = std::env::var_os("CODECITE_SHARED").map_or_else(|| root.join("../shared"), PathBuf::from);
    let mut files: Vec<PathBuf> = Vec::new();
    for folder in [root.join("samples"), shared.join("corpora/us_doj_ada")] {
        let Ok(entries) = std::fs::read_dir(&folder) else {
            println!(
                "SKIPPED: no {} (set CODECITE_SHARED to the folder that holds corpora/)",
                folder.display()
            );
            continue;
        };
        files
            .extend(entries.flatten().map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "md")));
    }
    assert!(files.len() >= 4);
    for file in files {
        let bytes = std::fs::read(&file).unwrap();
        assert_eq!(sniff(&bytes, None), Ok(Format::Markdown), "{}", file.display());
        let document = read_with(&bytes, &Limits::default()).unwrap();
        for mark in ["{%", "{{", "{:", "<br", "<td", "</", "&sect;", "&nbsp;"] {
            assert!(!document.text.contains(mark), "{mark} in {}", file.display());
        }
    }
}
