//! The same law from every format: the sample codes as HTML, DOCX and PDF (`samples/build` makes them) have the
//! sections, exceptions, tables, definitions and texts of the Markdown that they were made from.
#![allow(missing_docs)]

use std::path::PathBuf;

use codecite_core::pipeline::{Parsed, parse};
use codecite_core::profile::{Profile, SectionKind, builtin_names};
use codecite_core::structure::{PartKind, Section};
use codecite_core::work::{Limits, Unwatched, Work};

const MODEL: &str = "model-building-code.md";
/// Differences that a failing test prints.
const SHOWN: usize = 40;

/// A section as it has to be whatever the format.
struct Law {
    number: String,
    title: String,
    kind: SectionKind,
    parent: String,
    /// For a table: the section in whose text it stands.
    owner: String,
    /// Locator and text of each.
    exceptions: Vec<(String, String)>,
    definitions: Vec<(String, String)>,
    table: Option<Grid>,
    text: String,
}

/// A table: header rows, then place and text of every cell.
type Grid = (usize, Vec<(usize, usize, String)>);

fn sample(name: &str) -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../samples").join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Reads and structures on a small stack, as a server's backend may have, with the profiles that are chosen among.
fn parsed(bytes: Vec<u8>) -> Parsed {
    let run = move || {
        let profiles: Vec<Profile> =
            builtin_names().iter().map(|name| Profile::builtin(name).unwrap()).collect();
        let limits = Limits::default();
        parse(&bytes, None, &profiles, &mut Work::new(&limits, &mut Unwatched)).unwrap()
    };
    std::thread::Builder::new().stack_size(1 << 20).spawn(run).unwrap().join().expect("the reader panicked")
}

/// What every format is allowed to set in its own way: white space, which is folded, and the bullet of a list
/// without numbers, which Markdown writes as a hyphen.
fn normal(text: &str) -> String {
    let lines = text.lines().map(|line| match line.trim_start().strip_prefix("• ") {
        Some(item) => format!("- {item}"),
        None => line.to_owned(),
    });
    let words: Vec<String> =
        lines.flat_map(|l| l.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).collect();
    words.join(" ")
}

fn laws(parsed: &Parsed) -> Vec<Law> {
    parsed.tree.sections.iter().map(|section| law(parsed, section)).collect()
}

fn law(parsed: &Parsed, section: &Section) -> Law {
    let number = |index: Option<usize>| {
        let number = index.and_then(|index| parsed.tree.sections[index].number.as_ref());
        number.map(ToString::to_string).unwrap_or_default()
    };
    let parts = |kind: PartKind| {
        let parts = section.parts.iter().filter(|part| part.kind == kind);
        parts.map(|part| (part.locator.clone(), normal(parsed.document.slice(part.span)))).collect()
    };
    let table = section.table.as_ref().map(|table| {
        let cells = table.cells.iter().map(|cell| (cell.row, cell.column, normal(&cell.text)));
        (table.header_rows, cells.collect())
    });
    Law {
        number: section.number.as_ref().map(ToString::to_string).unwrap_or_default(),
        title: section.title.as_deref().map(normal).unwrap_or_default(),
        kind: section.kind,
        parent: number(section.parent),
        owner: number(section.nested),
        exceptions: parts(PartKind::Exception),
        definitions: parts(PartKind::Definition),
        table,
        text: normal(parsed.document.slice(section.span)),
    }
}

/// Everything in which the law read from a format is another one.
fn differences(expected: &[Law], got: &[Law]) -> Vec<String> {
    let mut out = Vec::new();
    let numbers = |laws: &[Law]| laws.iter().map(|law| law.number.clone()).collect::<Vec<_>>();
    let (one, two) = (numbers(expected), numbers(got));
    if one != two {
        let missing: Vec<&String> = one.iter().filter(|number| !two.contains(number)).collect();
        let new: Vec<&String> = two.iter().filter(|number| !one.contains(number)).collect();
        let first = one.iter().zip(&two).find(|(a, b)| a != b);
        out.push(format!("sections: missing {missing:?}, new {new:?}, first out of place {first:?}"));
    }
    for (index, law) in expected.iter().enumerate() {
        // A number may stand more than once, as amending documents have it.
        let times = expected[..index].iter().filter(|before| before.number == law.number).count();
        let mut same = got.iter().filter(|other| other.number == law.number);
        let Some(other) = same.nth(times) else { continue };
        let mut say = |what: &str, a: &dyn std::fmt::Debug, b: &dyn std::fmt::Debug| {
            out.push(format!("{} {what}:\n    {a:?}\n    {b:?}", law.number));
        };
        if law.title != other.title {
            say("title", &law.title, &other.title);
        }
        if law.kind != other.kind {
            say("kind", &law.kind, &other.kind);
        }
        if law.parent != other.parent {
            say("parent", &law.parent, &other.parent);
        }
        if law.owner != other.owner {
            say("owner", &law.owner, &other.owner);
        }
        if law.exceptions != other.exceptions {
            say("exceptions", &law.exceptions, &other.exceptions);
        }
        if law.definitions != other.definitions {
            say("definitions", &law.definitions, &other.definitions);
        }
        if law.table != other.table {
            say("cells", &law.table, &other.table);
        }
        // A book has its table of contents in front, which is no law but part of the front matter.
        let is_same = law.text == other.text || law.number.is_empty() && other.text.starts_with(&law.text);
        if !is_same {
            let at = law.text.bytes().zip(other.text.bytes()).take_while(|(a, b)| a == b).count();
            let around = |text: &str| {
                let from =
                    (0..=at.saturating_sub(40).min(text.len())).rev().find(|i| text.is_char_boundary(*i));
                text[from.unwrap_or(0)..].chars().take(120).collect::<String>()
            };
            say("text", &around(&law.text), &around(&other.text));
        }
    }
    out
}

fn same_law(markdown: &str, other: &str) {
    let expected = laws(&parsed(sample(markdown)));
    let got = laws(&parsed(sample(other)));
    let found = differences(&expected, &got);
    let shown = found.iter().take(SHOWN).cloned().collect::<Vec<_>>().join("\n");
    assert!(found.is_empty(), "{other}: {} differences\n{shown}", found.len());
}

/// What is compared with is itself right, as far as lines can tell.
#[test]
fn the_markdown_is_read_in_full() {
    let source = String::from_utf8(sample(MODEL)).unwrap();
    let laws = laws(&parsed(sample(MODEL)));
    let lines = |is: &dyn Fn(&str) -> bool| source.lines().filter(|line| is(line)).count();
    let sections = laws.iter().filter(|law| law.table.is_none() && !law.number.is_empty()).count();
    assert_eq!(sections, lines(&|line| line.starts_with('#')));
    assert_eq!(
        laws.iter().filter(|law| law.table.is_some()).count(),
        lines(&|line| line.starts_with("**Table"))
    );
    let rows: usize = laws.iter().filter_map(|law| law.table.as_ref()).map(|(header, _)| header).sum();
    assert_eq!(rows, lines(&|line| line.starts_with("|---")));
    let exceptions: usize = laws.iter().map(|law| law.exceptions.len()).sum();
    let listed = source
        .split("**Exceptions:**\n\n")
        .skip(1)
        .flat_map(|rest| rest.lines().take_while(|line| line.starts_with(|c: char| c.is_ascii_digit())));
    assert_eq!(exceptions, listed.count() + lines(&|line| line.starts_with("**Exception:**")));
    let definitions: usize = laws.iter().map(|law| law.definitions.len()).sum();
    let terms = lines(&|line| line.starts_with("**") && line.contains(".** "));
    assert_eq!(definitions, terms);
    assert!(sections > 300 && exceptions > 100 && definitions > 40, "the sample has shrunk");
}

#[test]
fn html_is_the_same_law() {
    same_law(MODEL, "model-building-code.html");
}

#[test]
fn docx_is_the_same_law() {
    same_law(MODEL, "model-building-code.docx");
}

#[test]
fn pdf_is_the_same_law() {
    same_law(MODEL, "model-building-code.pdf");
}

#[test]
fn pdf_in_two_columns_is_the_same_law() {
    same_law(MODEL, "model-building-code-two-column.pdf");
}

#[test]
fn amendments_in_html_are_the_same_law() {
    same_law("state-amendments.md", "state-amendments.html");
}

#[test]
fn amendments_in_docx_are_the_same_law() {
    same_law("city-amendments.md", "city-amendments.docx");
}

#[test]
fn an_outline_in_docx_is_the_same_law() {
    same_law("design-standard.md", "design-standard.docx");
}
