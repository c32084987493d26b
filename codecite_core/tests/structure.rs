//! What holds for the tree, the chunks and the numbers of any code, over generated ones.

use codecite_core::chunk::{Chunk, breadcrumb, chunks, estimate_tokens};
use codecite_core::document::{BlockKind, Document, DocumentBuilder, Layout, Style};
use codecite_core::number::Number;
use codecite_core::profile::Profile;
use codecite_core::structure::{SectionTree, build};
use codecite_core::work::{Limits, Unwatched, Work};
use proptest::prelude::*;

const WORDS: [&str; 12] = [
    "door", "width", "exit", "shall", "building", "feet", "wall", "with", "required", "load", "stair",
    "occupant",
];

/// A generated section: its number and its sentences.
#[derive(Debug, Clone)]
struct Made {
    number: String,
    sentences: Vec<String>,
}

fn sentence() -> impl Strategy<Value = String> {
    proptest::collection::vec(0..WORDS.len(), 3..20).prop_map(|picks| {
        let words: Vec<&str> = picks.into_iter().filter_map(|pick| WORDS.get(pick).copied()).collect();
        format!("The {}.", words.join(" "))
    })
}

fn code() -> impl Strategy<Value = Vec<Made>> {
    proptest::collection::vec(proptest::collection::vec(sentence(), 1..12), 2..12).prop_map(|sections| {
        let number = |index: usize| format!("{}.{}", 1003 + index / 4, index % 4 + 1);
        let made = |(index, sentences)| Made { number: number(index), sentences };
        sections.into_iter().enumerate().map(made).collect()
    })
}

/// The code as a document: bold run-in headings, one paragraph a section, `extra` as a paragraph after the section.
fn document(code: &[Made], extra: Option<(usize, &str)>) -> Document {
    let (plain, bold) = (Style::default(), Style { bold: true, ..Style::default() });
    let mut builder = DocumentBuilder::new();
    for (index, made) in code.iter().enumerate() {
        let heading = format!("{} Title of it.", made.number);
        let text = format!(" {}", made.sentences.join(" "));
        let runs = [(heading.as_str(), bold), (text.as_str(), plain)];
        builder.block(BlockKind::Paragraph, &runs, Layout::default(), None);
        if let Some((_, line)) = extra.filter(|(after, _)| *after == index) {
            builder.block(BlockKind::Paragraph, &[(line, plain)], Layout::default(), None);
        }
    }
    builder.finish()
}

fn tree_of(document: &Document) -> SectionTree {
    let limits = Limits::default();
    let mut watcher = Unwatched;
    let mut work = Work::new(&limits, &mut watcher);
    build(document, &Profile::builtin("ibc").unwrap(), &mut work).unwrap()
}

fn chunks_of(document: &Document, tree: &SectionTree, window: usize) -> Vec<Chunk> {
    let limits = Limits::default();
    let mut watcher = Unwatched;
    chunks(document, tree, window, &estimate_tokens, &mut Work::new(&limits, &mut watcher)).unwrap()
}

/// Number, title and text of every section.
fn sections(document: &Document, tree: &SectionTree) -> Vec<(String, Option<String>, String)> {
    let row = |section: &codecite_core::structure::Section| {
        let number = section.number.as_ref().map(ToString::to_string).unwrap_or_default();
        (number, section.title.clone(), document.slice(section.span).trim_end().to_owned())
    };
    tree.sections.iter().map(row).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn every_byte_belongs_to_exactly_one_section(code in code()) {
        let document = document(&code, None);
        let tree = tree_of(&document);
        prop_assert_eq!(tree.sections.len(), code.len());
        let mut end = 0;
        for section in tree.sections.iter().filter(|section| section.nested.is_none()) {
            prop_assert_eq!(section.span.start, end);
            end = section.span.end;
        }
        prop_assert_eq!(end, document.text.len());
    }

    #[test]
    fn chunks_hold_whole_sentences_and_fit_the_window(code in code(), window in 60_usize..200) {
        let document = document(&code, None);
        let tree = tree_of(&document);
        let made = chunks_of(&document, &tree, window);
        for chunk in &made {
            let text = document.slice(chunk.span);
            prop_assert!(text.ends_with('.'), "{}", text);
            prop_assert!(text.starts_with("The ") || text.starts_with(|c: char| c.is_ascii_digit()), "{}", text);
            let embedded = format!("{}\n{text}", breadcrumb(&tree, chunk.section));
            prop_assert!(estimate_tokens(&embedded) <= window, "{}", embedded);
        }
        let held: usize = made.iter().map(|chunk| document.slice(chunk.span).split_whitespace().count()).sum();
        prop_assert_eq!(held, document.text.split_whitespace().count());
    }

    #[test]
    fn a_false_heading_changes_its_own_section_at_most(code in code(), after in 0_usize..12, which in 0_usize..5) {
        let after = after % code.len();
        let lines = [
            "1009.9 shall apply where doors are wide.",
            "Section 1001.1 applies to stairs, and doors are wide.",
            "1099.7, 1003.1 and 1004.2 apply to doors.",
            "Article 5 applies to providers of doors.",
            "Table 1004.5 shall be used for doors.",
        ];
        let plain = document(&code, None);
        let changed = document(&code, Some((after, lines[which])));
        let (expected, got) = (sections(&plain, &tree_of(&plain)), sections(&changed, &tree_of(&changed)));
        prop_assert_eq!(expected.len(), got.len());
        for (index, (expected, got)) in expected.iter().zip(&got).enumerate() {
            prop_assert!(index == after || expected == got, "{:?} became {:?}", expected, got);
            prop_assert_eq!(&expected.0, &got.0);
        }
    }

    #[test]
    fn numbers_have_one_order(
        a in "[A-Z]{0,2}[0-9]{1,4}([.-][0-9]{1,3}){0,3}(\\([a-z]\\))?",
        b in "[A-Z]{0,2}[0-9]{1,4}([.-][0-9]{1,3}){0,3}(\\([a-z]\\))?",
        c in "[A-Z]{0,2}[0-9]{1,4}([.-][0-9]{1,3}){0,3}(\\([a-z]\\))?",
    ) {
        let key = |text: &str| Number::parse(text).map(|number| number.key());
        let mut keys = [key(&a), key(&b), key(&c)];
        keys.sort();
        prop_assert!(keys[0] <= keys[1] && keys[1] <= keys[2] && keys[0] <= keys[2]);
        // Equal keys are the same number but for zeros and case.
        let folded = |text: &str| {
            let number = Number::parse(text).unwrap();
            number.components().iter().map(|(letters, value)| format!("{letters}{value}")).collect::<Vec<_>>()
        };
        if key(&a) == key(&b) {
            prop_assert_eq!(folded(&a), folded(&b));
        }
        for text in [&a, &b, &c] {
            let number = Number::parse(text).unwrap();
            prop_assert_eq!(Number::parse(&number.to_string()).unwrap(), number);
        }
    }
}

#[test]
fn a_chapter_without_text_is_found_by_its_title() {
    let bold = Style { bold: true, ..Style::default() };
    let mut builder = DocumentBuilder::new();
    for line in ["CHAPTER 10 MEANS OF EGRESS", "SECTION 1001 GENERAL", "1001.1 Scope. The chapter applies."] {
        builder.block(BlockKind::Paragraph, &[(line, bold)], Layout::default(), None);
    }
    let document = builder.finish();
    let tree = tree_of(&document);
    let texts: Vec<&str> =
        chunks_of(&document, &tree, 200).iter().map(|chunk| document.slice(chunk.span)).collect();
    assert_eq!(texts[0], "CHAPTER 10 MEANS OF EGRESS");
    assert_eq!(texts.len(), 3);
}
