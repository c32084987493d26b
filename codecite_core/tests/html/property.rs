//! No character of a page is lost or doubled, whatever elements it stands in.

use codecite_core::document::BlockKind;
use codecite_core::work::Limits;
use proptest::prelude::*;

use super::{read, read_with};

/// Elements that neither add marks nor are left out.
const TAGS: [&str; 30] = [
    "p",
    "div",
    "span",
    "b",
    "i",
    "u",
    "em",
    "section",
    "article",
    "blockquote",
    "h1",
    "h3",
    "dl",
    "dt",
    "dd",
    "pre",
    "table",
    "tr",
    "td",
    "th",
    "caption",
    "thead",
    "tbody",
    "nav",
    "aside",
    "header",
    "footer",
    "figure",
    "a",
    "main",
];

#[derive(Debug, Clone)]
enum Part {
    Open(usize),
    Close(usize),
    Text(String),
}

fn part() -> impl Strategy<Value = Part> {
    prop_oneof![
        (0..TAGS.len()).prop_map(Part::Open),
        (0..TAGS.len()).prop_map(Part::Close),
        "[a-zé§ \\n]{1,12}".prop_map(Part::Text),
    ]
}

fn letters<'a>(texts: impl IntoIterator<Item = &'a str>) -> Vec<char> {
    let mut out: Vec<char> =
        texts.into_iter().flat_map(str::chars).filter(|c| c.is_alphabetic() || *c == '§').collect();
    out.sort_unstable();
    out
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_character_is_in_the_text_or_beside_it(parts in prop::collection::vec(part(), 0..40)) {
        let mut page = String::from("<body>");
        let mut source = Vec::new();
        for part in &parts {
            match part {
                Part::Open(tag) => page.push_str(&format!("<{}>", TAGS[*tag])),
                Part::Close(tag) => page.push_str(&format!("</{}>", TAGS[*tag])),
                Part::Text(text) => {
                    page.push_str(text);
                    source.push(text.as_str());
                }
            }
        }
        let document = read(&page);
        let beside = document.furniture.iter().map(|f| f.text.as_str());
        let found = letters(beside.chain([document.text.as_str()]));
        prop_assert_eq!(found, letters(source), "{}", page);
    }

    #[test]
    fn markup_of_any_kind_never_panics(
        parts in prop::collection::vec(
            prop::sample::select(vec![
                "<p>", "<table>", "<tr>", "<td rowspan=2>", "<th colspan=3>", "</table>", "<li>", "<ol>", "<ul>", "</ol>",
                "<b>", "</b>", "<sup>", "</sup>", "1", "/", "<svg>", "<math>", "<template>", "</template>", "<select>",
                "<option>", "<br>", "<h1>", "</h1>", "<pre>", "\n", " ", "x", "&nbsp;", "<hr>", "<tfoot>", "<caption>",
                "<a id=q>", "<form>", "<!-- -->", "<title>", "</title>", "<body>", "</body>", "<frameset>", "<p hidden>",
                "<script>", "</script>", "<q>", "<s>", "</s>", "<nav>", "</nav>", "<img alt=y>", "<dd>", "<textarea>",
            ]),
            0..60,
        )
    ) {
        read(&parts.concat());
    }

    #[test]
    fn bytes_of_any_kind_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        let _ = read_with(&bytes, &Limits::default());
    }
}

#[test]
fn a_table_text_is_the_text_of_its_cells() {
    let document = read("<table><tr><th>A<th>B<tr><td>1|2<td>x<br>y</table>");
    let BlockKind::Table(table) = &document.blocks[0].kind else { panic!("no table") };
    assert_eq!(document.text, table.to_markdown());
}
