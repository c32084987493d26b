//! `preview`: what an ingest would find, without writing.

use codecite_core::document::Format;
use codecite_core::passage::wrap;
use codecite_core::pipeline::{Parsed, parse};
use codecite_core::report::{Finding, doubts, findings};
use codecite_core::work::Work;
use codecite_core::{Error, Result};
use pgrx::prelude::*;

use crate::errors::or_raise;
use crate::ingest::required;
use crate::profiles;
use crate::settings;
use crate::store::int;
use crate::watch::Watch;

/// The format of that name.
pub fn format_named(name: Option<&str>) -> Result<Option<Format>> {
    let Some(name) = name else { return Ok(None) };
    let found = Format::ALL.into_iter().find(|format| format.as_str() == name.to_lowercase());
    found.map(Some).ok_or_else(|| Error::BadArgument {
        argument: "format",
        reason: format!("there is no format \"{name}\""),
        hint: "Formats: pdf, html, docx, markdown, text. Leave it out to have it decided by content.".into(),
    })
}

/// Reads and structures a document under the limits in force.
pub fn read(content: &[u8], format: Option<&str>, profile: &str) -> Parsed {
    let limits = settings::limits();
    let mut watch = Watch::new();
    let parsed = format_named(format).and_then(|format| {
        let profiles = profiles::usable(profile)?;
        parse(content, format, &profiles, &mut Work::new(&limits, &mut watch))
    });
    // Restored before a pending cancel is served, which does not return.
    drop(watch);
    or_raise(parsed)
}

/// The tree that an ingest would build, one row a section.
#[pg_extern(schema = "codecite", volatile, parallel_restricted, cost = 10000)]
#[allow(clippy::type_complexity)]
fn preview(
    content: Option<&[u8]>,
    profile: default!(Option<&str>, "'auto'"),
    format: default!(Option<&str>, "NULL"),
) -> TableIterator<
    'static,
    (
        name!(ordinal, i32),
        name!(number, Option<String>),
        name!(title, Option<String>),
        name!(parent, Option<i32>),
        name!(depth, i32),
        name!(kind, &'static str),
        name!(page_from, Option<i32>),
        name!(page_to, Option<i32>),
        name!(warning, Option<String>),
        name!(doubt, Option<String>),
    ),
> {
    let parsed = read(required("content", content), format, required("profile", profile));
    let page = |page: u32| i32::try_from(page).ok();
    let mut rows = Vec::new();
    for ((index, section), doubt) in parsed.tree.sections.iter().enumerate().zip(doubts(&parsed)) {
        let pages = parsed.document.pages_of(section.span);
        rows.push((
            int(index),
            section.number.as_ref().map(ToString::to_string),
            section.title.clone(),
            section.parent.map(int),
            i32::from(section.depth),
            section.kind.as_str(),
            pages.and_then(|(first, _)| page(first.page)),
            pages.and_then(|(_, last)| page(last.page)),
            None,
            doubt,
        ));
    }
    // The warnings of the document stand after the tree, in rows of kind "note".
    for warning in parsed.document.warnings.iter().chain(&parsed.tree.warnings) {
        let text = format!("{}: {}", warning.code, warning.message);
        let at = warning.page.and_then(page);
        rows.push((int(rows.len()), None, None, None, 0, "note", at, at, Some(text), None));
    }
    TableIterator::new(rows)
}

/// Characters in a line of a detail: with the other columns it fits into 120.
const DETAIL_WIDTH: usize = 80;

/// What a person checks before a document is stored, in one screen.
#[pg_extern(schema = "codecite", volatile, parallel_restricted, cost = 10000)]
fn inspect(
    content: Option<&[u8]>,
    profile: default!(Option<&str>, "'auto'"),
    format: default!(Option<&str>, "NULL"),
) -> TableIterator<'static, (name!(finding, String), name!(count, Option<i32>), name!(detail, String))> {
    let parsed = read(required("content", content), format, required("profile", profile));
    let limits = settings::limits();
    let mut watch = Watch::new();
    let found = findings(&parsed, &mut Work::new(&limits, &mut watch));
    drop(watch);
    let row = |line: Finding| (line.finding, line.count.map(int), wrap(&line.detail, DETAIL_WIDTH));
    TableIterator::new(or_raise(found).into_iter().map(row).collect::<Vec<_>>())
}
