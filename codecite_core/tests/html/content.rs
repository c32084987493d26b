//! Blocks, lists, emphasis, white space, and what stands around the text.

use codecite_core::document::{BlockKind, FurnitureKind};

use super::{block, blocks, furniture, read, read_with, texts};
use codecite_core::work::Limits;

#[test]
fn inline_tags_neither_glue_nor_split_words() {
    let page = "<p>Door<b>way</b>s <i>and</i><b> gates</b>\n<a href=x>open</a>, <span>wide</span>.</p>";
    assert_eq!(blocks(page), ["Doorways and gates open, wide."]);
    assert_eq!(blocks("<p><b>1001.1</b> <span>to</span></p>"), ["1001.1 to"]);
    assert_eq!(blocks("<p>long<wbr>word and lo\u{ad}ng&shy;er&#8203;one</p>"), ["longword and longerone"]);
}

#[test]
fn block_tags_separate_always() {
    let page =
        "<div>one<div>two</div>three<section>four</section><blockquote>five</blockquote>six</div>seven";
    assert_eq!(blocks(page), ["one", "two", "three", "four", "five", "six", "seven"]);
    assert_eq!(blocks("a<p>b<p>c<hr>d"), ["a", "b", "c", "d"]);
    assert_eq!(blocks("<span style='display: block'>a</span><span>b</span>"), ["a", "b"]);
}

#[test]
fn loose_text_is_kept_wherever_it_stands() {
    let page = "<article>a<dl><dt>b</dt><dd>c</dd></dl><figure>d<figcaption>e</figcaption></figure>\
                <details><summary>f</summary>g</details><center>h</center><address>i</address>\
                <fieldset><legend>j</legend>k</fieldset><unknown>l</unknown></article>";
    assert_eq!(blocks(page), ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"]);
}

#[test]
fn white_space_folds_as_in_a_browser() {
    assert_eq!(blocks("<p>\n  a\t b\n\nc &nbsp; d&emsp;e  </p>"), ["a b c d e"]);
    assert_eq!(blocks("<p>a<br>b <br/> c</p>"), ["a\nb\nc"]);
    assert_eq!(blocks("<p>a<br><br>b</p>"), ["a", "b"]);
    assert_eq!(blocks("<pre>\na  b\n   c&nbsp;d<br>e\n</pre>"), ["a  b\n   c d\ne"]);
    assert_eq!(blocks("<pre>   indented\n  less</pre>"), ["   indented\n  less"]);
}

#[test]
fn a_law_in_preformatted_text_is_read_as_plain_text() {
    let section = "101.1 Scope. The provisions of this code apply to the construction, alteration and\nuse of every \
                   building and structure in the city, and to everything that is\nattached to it.\n\n";
    let document = read(&format!("<pre id=law>{}</pre><p>after</p>", section.repeat(10)));
    assert_eq!(document.blocks.len(), 11);
    assert!(texts(&document)[9].ends_with("attached to it."));
    assert!(texts(&document)[9].contains("alteration and use of"));
    assert_eq!(document.blocks[0].anchor.as_deref(), Some("law"));
    let drawing = "   +-----+      +-----+\n   |  a  |      |  b  |\n".repeat(20);
    assert_eq!(read(&format!("<pre>{drawing}</pre>")).blocks[0].kind, BlockKind::Preformatted);
}

#[test]
fn entities_are_characters() {
    assert_eq!(
        blocks("<p>&sect; 1 &amp; &lt;2&gt; &#8220;x&#x201D; &frac12; &nosuch; &not AT&T</p>"),
        ["§ 1 & <2> “x” ½ &nosuch; ¬ AT&T"]
    );
}

#[test]
fn headings_have_their_level() {
    let document = read(
        "<h1>A</h1><h6>B</h6><h7>C</h7><div role=heading aria-level=3>D</div><div role=heading>E</div>\
         <h2><span>F</span><br><div>G</div></h2><h3>H<p>text</p>",
    );
    let levels: Vec<_> = document.blocks.iter().map(|b| (document.slice(b.span), b.kind.clone())).collect();
    let heading = |level| BlockKind::Heading { level };
    assert_eq!(
        levels,
        [
            ("A", heading(1)),
            ("B", heading(6)),
            ("C", heading(7)),
            ("D", heading(3)),
            ("E", heading(2)),
            ("F\nG", heading(2)),
            ("H", heading(3)),
            ("text", BlockKind::Paragraph),
        ]
    );
}

#[test]
fn nested_lists_come_once_and_are_marked_as_printed() {
    let document = read(
        "<ol><li>one<ul><li>in<ol type=a><li>deep</li></ol></li></ul>more of one</li><li value=5>five</li>\
         <li><p>six</p><p>still six</p></li></ol>",
    );
    assert_eq!(
        texts(&document),
        ["1. one", "• in", "a. deep", "more of one", "5. five", "6. six", "still six"]
    );
    assert_eq!(block(&document, "a. deep").kind, BlockKind::ListItem { depth: 3 });
    assert_eq!(block(&document, "more of one").kind, BlockKind::Paragraph);
    assert_eq!(block(&document, "still six").layout.indent, 1.0);
}

#[test]
fn lists_count_as_they_say() {
    let items = |list: &str, n: usize| {
        blocks(&format!("{list}{}", "<li>x</li>".repeat(n))).join(" ").replace(" x", "")
    };
    assert_eq!(items("<ol start=9>", 3), "9. 10. 11.");
    assert_eq!(items("<ol reversed>", 3), "3. 2. 1.");
    assert_eq!(items("<ol type=i start=3>", 2), "iii. iv.");
    assert_eq!(items("<ol type=I start=49>", 1), "XLIX.");
    assert_eq!(items("<ol type=A start=26>", 2), "Z. AA.");
    assert_eq!(items("<ol style='list-style-type:lower-alpha'>", 2), "a. b.");
    assert_eq!(items("<ul style='list-style: none'>", 2), "x");
    assert_eq!(items("<ul type=square>", 1), "•");
    assert_eq!(items("<ol start=0 type=a>", 1), "0.");
}

#[test]
fn an_item_with_its_own_number_gets_no_other() {
    assert_eq!(
        blocks("<ul><li>(a) one<li><b>2.</b> two<li>101.2 Scope.<li>• three<li>(1.1) four</ul>"),
        ["(a) one", "2. two", "101.2 Scope.", "• three", "(1.1) four"]
    );
    assert_eq!(
        blocks("<ol><li>(a) one<li>1.5 inches<li>Exception: three</ol>"),
        ["(a) one", "2. 1.5 inches", "3. Exception: three"]
    );
}

#[test]
fn the_marker_of_an_item_that_begins_with_a_list_is_not_lost() {
    let page = "<ol><li><ol type=A><li>first<li>second</ol><li>two<li></li><li>four</ol>";
    assert_eq!(blocks(page), ["1. A. first", "B. second", "2. two", "4. four"]);
}

#[test]
fn emphasis_by_tag_and_by_style() {
    let document = read(
        "<p><b>bold</b><strong>er</strong> <em>it</em> <u>new</u> <ins>er</ins> <s>old</s> <strike>a</strike> \
         <del>b</del> <span style='FONT-WEIGHT:700'>c</span> <span style='text-decoration: underline line-through'>d\
         </span> <b>e<span style='font-weight:normal'>f</span></b> <i style='font-style:normal'>g</i></p>",
    );
    let runs: Vec<String> = document.blocks[0]
        .runs
        .iter()
        .map(|run| {
            let style = run.style;
            let marks =
                [(style.bold, 'b'), (style.italic, 'i'), (style.underlined, 'u'), (style.struck, 's')];
            let marks: String = marks.iter().filter(|(on, _)| *on).map(|(_, c)| *c).collect();
            format!("{}:{marks}", document.slice(run.span).trim())
        })
        .collect();
    assert_eq!(runs, ["bolder:b", "it:i", "new:u", "er:u", "old:s", "a:s", "b:s", "c:b", "d:us", "e:b"]);
}

#[test]
fn raised_figures_do_not_change_numbers() {
    assert_eq!(
        blocks("<p>10<sup>6</sup> and ft<sup>2</sup> and 5<sup>1</sup>/<sub>2</sub> inches</p>"),
        ["10⁶ and ft² and 5 1/2 inches"]
    );
    assert_eq!(
        blocks("<p>the 4<sup>th</sup> floor, load factor<sup>a, b</sup>, x<sup>n</sup>, CO<sub>2</sub></p>"),
        ["the 4th floor, load factor a, b, xn, CO2"]
    );
    assert_eq!(blocks("<p>as shown.<sup><a href='#f1'>1</a></sup></p>"), ["as shown.¹"]);
}

#[test]
fn what_stands_around_the_text_is_furniture() {
    let document = read(
        "<body><header><h1>Site</h1></header><nav><ul><li>Home<li>Codes</ul></nav><p>Law <span hidden>not</span>\
         <span style='display:none'>nor</span><i aria-hidden=true>icon</i> goes on.</p><aside>Ad</aside>\
         <form><label>Search</label><input value=x><button>Go</button><select><option>A</select></form>\
         <noscript>Turn it on</noscript><template>T</template><script>var code = 1;</script><style>p {}</style>\
         <div role=navigation>Up</div><svg><text>label</text></svg><p>More law.</p><footer>Foot</footer>",
    );
    assert_eq!(texts(&document), ["Law goes on.", "More law."]);
    assert_eq!(
        furniture(&document, FurnitureKind::Around),
        [
            "Site",
            "Home\nCodes",
            "not",
            "nor",
            "icon",
            "Ad",
            "Search",
            "Go",
            "A",
            "Turn it on",
            "T",
            "Up",
            "label",
            "Foot"
        ]
    );
    let inside = document.furniture.iter().find(|f| f.text == "not").unwrap();
    assert_eq!(inside.offset, Some(4));
}

#[test]
fn the_head_of_a_section_is_part_of_it() {
    assert_eq!(
        blocks("<main><article><header><h2>101 Scope</h2></header><p>x</p></article></main>"),
        ["101 Scope", "x"]
    );
}

#[test]
fn anchors_name_the_block_that_follows() {
    let document = read(
        "<h2 id=s1>A</h2><a name='s2'></a><p>B</p><p><a id=s3></a>C</p><div id=s4><p>D<a id=mid>x</a></p><p>E</p></div>\
         <nav id=n>n</nav><p>F</p><ul><li id=s5>G</li></ul><table id=s6><tr><th>H<th>I<tr><td id=c>J<td>K</table>",
    );
    let anchors: Vec<_> = document.blocks.iter().map(|b| b.anchor.as_deref()).collect();
    assert_eq!(anchors, [Some("s1"), Some("s2"), Some("s3"), Some("s4"), None, None, Some("s5"), Some("s6")]);
}

#[test]
fn titles_notes_images_and_quotations() {
    let document = read(
        "<title> My \n Code </title><p>See <q>it</q>.<img src=x alt='A plan'></p>\
         <section class=footnotes role=doc-endnotes><ol><li>A note. <a role=doc-backlink>↩</a></ol></section>",
    );
    assert_eq!(document.title.as_deref(), Some("My Code"));
    assert_eq!(texts(&document), ["See “it”.", "1. A note."]);
    assert_eq!(document.blocks[1].kind, BlockKind::Footnote);
    assert_eq!(furniture(&document, FurnitureKind::Around), ["A plan", "↩"]);
}

#[test]
fn centred_text_is_marked() {
    let document = read("<center>A</center><p align=center>B</p><p style='text-align: center'>C</p><p>D</p>");
    assert_eq!(
        document.blocks.iter().map(|b| b.layout.centred).collect::<Vec<_>>(),
        [true, true, true, false]
    );
}

#[test]
fn xhtml_ends_its_empty_elements() {
    let page = "<?xml version=\"1.0\" encoding=\"utf-8\"?><!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Strict//EN\" \"x\">\
                <html><head><title/><script src=\"x.js\"/></head><body><p><b/>plain<br/>text</p><a id=\"x\"/><i/><p>more</p></body></html>";
    let document = read(page);
    assert_eq!(texts(&document), ["plain\ntext", "more"]);
    assert!(document.blocks.iter().all(|b| b.runs.is_empty()));
}

#[test]
fn pages_in_other_encodings() {
    let page = b"<meta charset=windows-1252><p>\x93caf\xe9\x94</p>";
    assert_eq!(texts(&read_with(page, &Limits::default()).unwrap()), ["“café”"]);
    let undeclared = read_with(b"<p>caf\xe9</p>", &Limits::default()).unwrap();
    assert_eq!(texts(&undeclared), ["café"]);
    assert_eq!(undeclared.warnings.iter().map(|w| w.code).collect::<Vec<_>>(), ["bad_bytes"]);
    let wide: Vec<u8> = "\u{feff}<p>§ 1</p>".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(texts(&read_with(&wide, &Limits::default()).unwrap()), ["§ 1"]);
}

#[test]
fn bad_nesting_is_mended_as_browsers_do() {
    assert_eq!(blocks("<p><b>a<p>b</b>c</p><i>d<div>e</i>f</div>"), ["a", "bc", "d", "ef"]);
    assert_eq!(blocks("<table>stray<tr><td>in</table>after").first().map(String::as_str), Some("stray"));
}
