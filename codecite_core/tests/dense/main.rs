//! Large files of nothing but small things: whatever a format has many of, it is read or refused within the memory that
//! hostile files may take.

#![allow(missing_docs)]

#[path = "../mutation/memory.rs"]
mod memory;
#[path = "../mutation/seeds.rs"]
#[allow(dead_code)]
mod seeds;
use codecite_core::document::Format;
use codecite_core::error::Error;
use codecite_core::read::read;
use codecite_core::work::{Limits, Unwatched, Work};

/// A backend's stack is 2 MB at least where Postgres lets `max_stack_depth` be anything; half of it is ours.
const STACK: usize = 1 << 20;
const MOST_MEMORY: usize = 300 << 20;
/// Bytes of a file, nearly as many as the limit allows.
const LARGE: usize = 60 << 20;
/// As many as Markdown may have that is nothing but marks.
const SMALL: usize = 1 << 20;

/// A piece of a format again and again, in a frame.
fn filled(size: usize, before: &str, piece: &str, after: &str) -> Vec<u8> {
    [before, &piece.repeat(size / piece.len()), after].concat().into_bytes()
}

/// The text, or the error that ends in a limit.
fn judge(format: Format, name: &str, bytes: Vec<u8>) {
    let work = move || {
        memory::forget_peak();
        let limits = Limits { max_read_ms: 0, ..Limits::default() };
        let outcome = read(&bytes, Some(format), &mut Work::new(&limits, &mut Unwatched));
        let outcome = outcome.map(|(_, document)| document.blocks.len());
        (outcome, memory::peak())
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread");
    let (outcome, peak) = thread.join().expect("no panic");
    println!("{format} {name}: {} MB, {outcome:?}", peak >> 20);
    assert!(peak <= MOST_MEMORY, "{format} of {name}: {} MB", peak >> 20);
    assert!(
        matches!(outcome, Ok(_) | Err(Error::Limit { .. } | Error::Empty)),
        "{format} of {name}: {outcome:?}"
    );
}

/// A file of so many pages in two columns: its size, the length of its text, and the most memory that reading it takes.
fn read_pages(count: usize) -> [usize; 3] {
    let page = |number: usize| {
        let line = |row: usize| format!("Section {number} row {row} has only short words.");
        // Within the part of the page where no line can be a running head.
        let lines: Vec<String> = (0..43).map(line).collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        seeds::writer::Page::new().lines(40.0, 670.0, &lines).lines(330.0, 670.0, &lines)
    };
    let bytes = seeds::writer::pdf(&(1..=count).map(page).collect::<Vec<_>>(), &[]);
    memory::forget_peak();
    let before = memory::peak();
    let limits = Limits { max_read_ms: 0, ..Limits::default() };
    let read = read(&bytes, Some(Format::Pdf), &mut Work::new(&limits, &mut Unwatched));
    let (_, document) = read.expect("a good file");
    assert!(document.text.contains(&format!("Section {count} row 42")));
    [bytes.len(), document.text.len(), memory::peak() - before]
}

/// All pages have to be seen before the first can be laid out: none of them may take much of the memory meanwhile.
#[test]
fn pages_of_a_pdf_wait_in_few_bytes() {
    let (few, many) = (read_pages(100), read_pages(400));
    let [file, text, peak] = [0, 1, 2].map(|at| many[at] - few[at]);
    println!("pdf: 300 pages more: {file} bytes of file, {text} bytes of text, {peak} bytes of memory");
    // Words as such would take twenty times their text.
    assert!(peak < 2 * file + 8 * text, "{peak} bytes for {text} bytes of text");
}

#[test]
fn docx() {
    let frame = "<?xml version=\"1.0\"?><w:document xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\"><w:body>";
    let run = "<w:r><w:t>x</w:t></w:r>";
    let bold = "<w:r><w:rPr><w:b/></w:rPr><w:t>x</w:t></w:r>";
    let deleted = "<w:del><w:r><w:delText>x</w:delText></w:r></w:del>";
    let many = |before: &str, piece: &str, after: &str| {
        let end = format!("{after}</w:body></w:document>");
        seeds::packed(&filled(LARGE, &format!("{frame}{before}"), piece, &end))
    };
    for (name, before, piece, after) in [
        ("paragraphs", "", format!("<w:p>{run}</w:p>"), ""),
        ("bold words", "", format!("<w:p>{bold}</w:p>"), ""),
        ("deleted words", "<w:p>", format!("{run}{deleted}"), "</w:p>"),
        ("cells", "<w:tbl><w:tr>", format!("<w:tc><w:p>{run}</w:p></w:tc>"), "</w:tr></w:tbl>"),
        ("tables", "", format!("<w:tbl><w:tr><w:tc/><w:tc><w:p>{run}</w:p></w:tc></w:tr></w:tbl>"), ""),
        ("notes", "<w:p>", "<w:r><w:footnoteReference w:id=\"1\"/></w:r>".into(), "</w:p>"),
    ] {
        judge(Format::Docx, name, many(before, &piece, after));
    }
}

#[test]
fn html() {
    for (name, piece) in [
        ("paragraphs", "<p>x"),
        ("bold words", "<b>x</b> y "),
        ("links", "<p><a href=#a>x</a>"),
        ("items", "<ul><li>x</ul>"),
        ("deleted words", "a <del>x</del> "),
    ] {
        judge(Format::Html, name, filled(LARGE, "<body>", piece, ""));
    }
    judge(Format::Html, "cells", filled(LARGE, "<table><tr><td>a<td>b<tr>", "<td>x", "</table>"));
}

#[test]
fn markdown() {
    for (name, before, piece) in [
        ("paragraphs", "", "x\n\n"),
        ("bold words", "", "**x** y "),
        ("links", "", "[x](#a) "),
        ("items", "", "- x\n"),
        ("struck words", "", "a ~~x~~ "),
        ("stars", "", "* "),
        ("brackets", "", "[ "),
        ("quotations", "", "> > > x\n\n"),
        ("numbers", "", "1. 2. 3. x\n"),
        ("rows", "|a|b|\n|-|-|\n", "|x|y|\n"),
        ("definitions", "", "x\n: y\n\n"),
        ("notes", "", "x[^1]\n\n[^1]: y\n\n"),
    ] {
        for size in [SMALL, LARGE] {
            judge(Format::Markdown, name, filled(size, before, piece, "\n"));
        }
    }
}

#[test]
fn text() {
    for (name, piece) in
        [("paragraphs", "x\n\n"), ("lines", "x y z\n"), ("pages", "x\u{c}"), ("columns", "x    y    z\n")]
    {
        judge(Format::Text, name, filled(LARGE, "", piece, ""));
    }
}
