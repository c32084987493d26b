//! Tracked changes are read as accepted, and what they took away stands beside the text.

use codecite_core::document::{BlockKind, FurnitureKind};

use super::writer::{Docx, cell, paragraph, plain, row, run, table, with};
use super::{beside, read, texts};

fn inserted(inner: &str) -> String {
    format!("<w:ins w:id=\"1\" w:author=\"a\">{inner}</w:ins>")
}

fn deleted(text: &str) -> String {
    format!(
        "<w:del w:id=\"1\" w:author=\"a\"><w:r><w:delText xml:space=\"preserve\">{text}</w:delText></w:r></w:del>"
    )
}

const MARK_DELETED: &str = "<w:rPr><w:del w:id=\"1\" w:author=\"a\"/></w:rPr>";

#[test]
fn insertions_stay_and_deletions_go() {
    let body = paragraph(
        &[run("cladding on "), inserted(&run("an ")), deleted("any "), run("exterior wall")].concat(),
    );
    let document = read(&Docx::new(&body));
    assert_eq!(texts(&document), ["cladding on an exterior wall"]);
    assert_eq!(beside(&document, FurnitureKind::Deleted), [("any", Some(15))]);
    let warnings: Vec<_> =
        document.warnings.iter().map(|w| (w.code, w.message.contains("1 insertions"))).collect();
    assert_eq!(warnings, [("tracked_changes", true)]);
}

#[test]
fn offsets_hold_where_space_and_labels_move_the_text() {
    let body =
        plain("first") + &paragraph(&[run("  "), deleted("x"), run("abc"), deleted("y"), run("  ")].concat());
    let document = read(&Docx::new(&body));
    assert_eq!(texts(&document), ["first", "abc"]);
    assert_eq!(beside(&document, FurnitureKind::Deleted), [("x", Some(6)), ("y", Some(9))]);
}

#[test]
fn moves_are_read_where_they_went() {
    let from = format!("<w:moveFrom w:id=\"1\">{}</w:moveFrom>", run("moved"));
    let to = format!("<w:moveTo w:id=\"1\">{}</w:moveTo>", run("moved"));
    let document = read(&Docx::new(&(paragraph(&(run("a ") + &from)) + &paragraph(&(run("b ") + &to)))));
    assert_eq!(texts(&document), ["a", "b moved"]);
    assert_eq!(beside(&document, FurnitureKind::Deleted), [("moved", Some(1))]);
}

#[test]
fn a_deleted_paragraph_mark_joins_paragraphs() {
    let body = [
        with(MARK_DELETED, &run("The door is ")),
        with(MARK_DELETED, &deleted("gone")),
        with("<w:outlineLvl w:val=\"0\"/>", &run("open")),
        with("<w:rPr><w:moveFrom w:id=\"1\"/></w:rPr>", &run("d) thoroughfare.")),
        plain("(See Note.)"),
    ];
    let document = read(&Docx::new(&body.concat()));
    assert_eq!(texts(&document), ["The door is open", "d) thoroughfare. (See Note.)"]);
    // The mark that is left says what the paragraph is.
    assert_eq!(document.blocks[0].kind, BlockKind::Heading { level: 1 });
    assert_eq!(beside(&document, FurnitureKind::Deleted), [("gone", Some(12))]);
}

#[test]
fn a_deleted_mark_before_a_table_or_at_the_end_joins_nothing() {
    let rows = table(&[row("", &[cell("", &with(MARK_DELETED, &run("x"))), cell("", &plain("y"))])]);
    let body = with(MARK_DELETED, &run("a")) + &rows + &with(MARK_DELETED, &run("z"));
    assert_eq!(texts(&read(&Docx::new(&body))), ["a", "| x | y |\n|---|---|", "z"]);
}

#[test]
fn deleted_rows_and_cells_go() {
    let text = |s: &str| cell("", &plain(s));
    let body = table(&[
        row("", &[text("a"), cell("<w:cellDel w:id=\"1\"/>", &plain("old")), text("b")]),
        row("<w:del w:id=\"1\"/>", &[cell("", &paragraph(&deleted("gone"))), text("too")]),
        row("<w:ins w:id=\"1\"/>", &[text("c"), text("d")]),
    ]);
    let document = read(&Docx::new(&body));
    assert_eq!(texts(&document), ["| a | b |\n|---|---|\n| c | d |"]);
    let gone: Vec<&str> =
        beside(&document, FurnitureKind::Deleted).into_iter().map(|(text, _)| text).collect();
    assert_eq!(gone, ["old", "gone", "too"]);
}

#[test]
fn what_the_properties_were_before_does_not_count() {
    let before = "<w:pPrChange w:id=\"1\"><w:pPr><w:outlineLvl w:val=\"0\"/></w:pPr></w:pPrChange>";
    let was_bold = "<w:rPr><w:rPrChange w:id=\"1\"><w:rPr><w:b/></w:rPr></w:rPrChange></w:rPr>";
    let body = with(before, &format!("<w:r>{was_bold}<w:t>x</w:t></w:r>"));
    let document = read(&Docx::new(&body));
    assert_eq!(document.blocks[0].kind, BlockKind::Paragraph);
    assert!(document.blocks[0].runs.is_empty());
    assert!(document.warnings.is_empty());
}

#[test]
fn a_note_that_is_cited_in_a_deletion_is_not_counted() {
    let notes = format!(
        "<w:footnote w:id=\"1\">{}</w:footnote><w:footnote w:id=\"2\">{}</w:footnote>",
        plain("old"),
        plain("new")
    );
    let body = paragraph(
        "<w:del w:id=\"1\"><w:r><w:footnoteReference w:id=\"1\"/></w:r></w:del><w:r><w:t>x</w:t><w:footnoteReference w:id=\"2\"/></w:r>",
    );
    let document = read(&Docx::new(&body).part("footnotes", "footnotes", &notes));
    assert_eq!(texts(&document), ["x[1]", "[1] new"]);
    assert_eq!(beside(&document, FurnitureKind::Around), [("old", None)]);
}
