//! `preview`: what an ingest would find, without writing.

use codecite_core::document::Format;
use codecite_core::pipeline::{Parsed, parse};
use codecite_core::profile::{Profile, builtin_names};
use codecite_core::work::Work;
use codecite_core::{Error, Result};
use pgrx::prelude::*;

use crate::errors::{or_raise, spi};
use crate::settings;
use crate::store::int;
use crate::watch::Watch;

/// The profiles to try: one by name, or all for `auto`. The user's own come first.
pub fn profiles(name: &str) -> Result<Vec<Profile>> {
    let own = own_profiles(name)?;
    if name != "auto" {
        return match own.into_iter().next() {
            Some(profile) => Ok(vec![profile]),
            None => Ok(vec![Profile::builtin(name).map_err(with_own_names)?]),
        };
    }
    let builtin = builtin_names().iter().map(|name| Profile::builtin(name)).collect::<Result<Vec<_>>>()?;
    Ok(own.into_iter().chain(builtin).collect())
}

fn own_profiles(name: &str) -> Result<Vec<Profile>> {
    const SELECT: &str = "SELECT definition::text FROM codecite.profile WHERE name = $1 OR $1 = 'auto' ORDER BY name";
    let definitions: Vec<String> = Spi::connect(|client| {
        let rows = spi(client.select(SELECT, None, &[name.into()]));
        rows.filter_map(|row| spi(row.get::<String>(1))).collect()
    });
    let compiled = definitions.iter().map(|json| Profile::from_json(json));
    if name != "auto" {
        return compiled.collect();
    }
    // One bad definition must not keep everybody from ingesting.
    let usable = compiled.filter_map(|profile| match profile {
        Ok(profile) => Some(profile),
        Err(error) => {
            warning!("{error}");
            None
        }
    });
    Ok(usable.collect())
}

fn with_own_names(error: Error) -> Error {
    let Error::UnknownProfile { name, mut known } = error else { return error };
    let own: Vec<String> = Spi::connect(|client| {
        let rows = spi(client.select("SELECT name FROM codecite.profile ORDER BY name", None, &[]));
        rows.filter_map(|row| spi(row.get::<String>(1))).collect()
    });
    known.extend(own);
    known.push("auto".into());
    Error::UnknownProfile { name, known }
}

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
        let profiles = profiles(profile)?;
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
    content: &[u8],
    profile: default!(&str, "'auto'"),
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
    ),
> {
    let parsed = read(content, format, profile);
    let page = |page: u32| i32::try_from(page).ok();
    let mut rows = Vec::new();
    for (index, section) in parsed.tree.sections.iter().enumerate() {
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
        ));
    }
    // Warnings have no section of their own: they stand after the tree, in rows of kind "note".
    for warning in parsed.document.warnings.iter().chain(&parsed.tree.warnings) {
        let text = format!("{}: {}", warning.code, warning.message);
        let at = warning.page.and_then(page);
        rows.push((int(rows.len()), None, None, None, 0, "note", at, at, Some(text)));
    }
    TableIterator::new(rows)
}
