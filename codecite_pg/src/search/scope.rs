//! Which documents and chunks a search may see: corpora, layer, date, chapter, kinds.

use std::collections::HashMap;

use codecite_core::chunk::ChunkKind;
use codecite_core::number::Number;
use codecite_core::{Error, Result};
use pgrx::datum::Date;
use pgrx::prelude::*;

use crate::errors::{or_raise, spi};

/// One document in view.
pub struct ScopedDocument {
    pub id: i64,
    pub chunk_count: u32,
    pub term_count: i64,
    /// One byte for each chunk; only read when kinds are asked for.
    kinds: Vec<u8>,
    /// The chunk ordinals of the chapter asked for, when one is.
    ranges: Option<Vec<(u32, u32)>>,
}

/// What the caller asked to search in.
pub struct Filters<'a> {
    pub corpora: Option<Vec<String>>,
    pub layer: Option<&'a str>,
    pub as_of: Option<Date>,
    pub chapter: Option<&'a str>,
    pub kinds: Option<Vec<String>>,
}

/// The documents in view with what is known about them.
pub struct View {
    pub documents: Vec<ScopedDocument>,
    /// Why there are none, when there are none.
    pub why_empty: Option<String>,
    kinds: Option<Vec<u8>>,
    by_id: HashMap<i64, usize>,
}

impl View {
    /// Looks the documents up. A filter that names what does not exist is an error that lists what does.
    pub fn of(filters: &Filters<'_>) -> View {
        if let Some(names) = &filters.corpora {
            or_raise(check_corpora(names));
        }
        if let Some(layer) = filters.layer {
            or_raise(check_layer(layer, filters));
        }
        let kinds = filters.kinds.as_ref().map(|names| or_raise(kind_bytes(names)));
        let mut documents = select_documents(filters, kinds.is_some());
        if let Some(chapter) = filters.chapter {
            let ranges = or_raise(chapter_ranges(chapter, &documents));
            for document in &mut documents {
                document.ranges = Some(ranges.get(&document.id).cloned().unwrap_or_default());
            }
        }
        let by_id = documents.iter().enumerate().map(|(index, document)| (document.id, index)).collect();
        let why_empty = documents.is_empty().then(|| why_empty(filters));
        View { documents, why_empty, kinds, by_id }
    }

    /// The index of a document in this view.
    pub fn index_of(&self, document_id: i64) -> Option<usize> {
        self.by_id.get(&document_id).copied()
    }

    /// True when the filters on chapter and kind let a chunk through.
    pub fn admits(&self, document: usize, chunk: u32) -> bool {
        let Some(document) = self.documents.get(document) else { return false };
        let in_range = match &document.ranges {
            Some(ranges) => ranges.iter().any(|(from, to)| (*from..=*to).contains(&chunk)),
            None => true,
        };
        let of_kind = match &self.kinds {
            Some(kinds) => document.kinds.get(chunk as usize).is_some_and(|kind| kinds.contains(kind)),
            None => true,
        };
        in_range && of_kind
    }

    /// The same for a chunk by its address.
    pub fn admits_chunk(&self, (document, chunk): super::ChunkRef) -> bool {
        let chunk = u32::try_from(chunk).unwrap_or(u32::MAX);
        self.index_of(document).is_some_and(|index| self.admits(index, chunk))
    }

    /// True when chunks of a document may be filtered out.
    pub fn is_filtered(&self) -> bool {
        self.kinds.is_some() || self.documents.iter().any(|document| document.ranges.is_some())
    }

    /// Chunks that the filters let through.
    pub fn admitted_chunks(&self) -> u64 {
        if !self.is_filtered() {
            return self.documents.iter().map(|document| u64::from(document.chunk_count)).sum();
        }
        let count = |index: usize, document: &ScopedDocument| {
            (0..document.chunk_count).filter(|chunk| self.admits(index, *chunk)).count() as u64
        };
        self.documents.iter().enumerate().map(|(index, document)| count(index, document)).sum()
    }

    /// The ids of the documents.
    pub fn ids(&self) -> Vec<i64> {
        self.documents.iter().map(|document| document.id).collect()
    }
}

fn why_empty(filters: &Filters<'_>) -> String {
    const SELECT: &str = "SELECT codecite.nothing_in_force($1, $2, $3)";
    let args = [filters.corpora.clone().into(), filters.layer.into(), filters.as_of.into()];
    let other_time =
        Spi::connect(|client| spi(spi(client.select(SELECT, None, &args)).first().get::<String>(1)));
    other_time.unwrap_or_else(|| "nothing is indexed in these corpora".into())
}

fn check_corpora(names: &[String]) -> Result<()> {
    const SELECT: &str = "SELECT name FROM codecite.corpus ORDER BY name";
    let known: Vec<String> = Spi::connect(|client| {
        spi(client.select(SELECT, None, &[])).filter_map(|row| spi(row.get::<String>(1))).collect()
    });
    match names.iter().find(|name| !known.contains(name)) {
        None => Ok(()),
        Some(name) => Err(Error::BadArgument {
            argument: "corpora",
            reason: format!("there is no corpus \"{name}\""),
            hint: format!("Corpora: {}.", listed(&known)),
        }),
    }
}

fn check_layer(layer: &str, filters: &Filters<'_>) -> Result<()> {
    const SELECT: &str = "SELECT layer FROM codecite.documents_in_force($1) GROUP BY layer ORDER BY pg_catalog.min(layer_rank)";
    let known: Vec<String> = Spi::connect(|client| {
        let rows = spi(client.select(SELECT, None, &[filters.corpora.clone().into()]));
        rows.filter_map(|row| spi(row.get::<String>(1))).collect()
    });
    // Where nothing is indexed there is nothing to compare with.
    if known.is_empty() || known.iter().any(|name| name == layer) {
        return Ok(());
    }
    Err(Error::BadArgument {
        argument: "layer",
        reason: format!("there is no layer \"{layer}\" in these corpora"),
        hint: format!("Layers: {}.", listed(&known)),
    })
}

/// Names for a hint, or that there are none.
pub fn listed(names: &[String]) -> String {
    if names.is_empty() { "none yet".into() } else { names.join(", ") }
}

fn kind_bytes(names: &[String]) -> Result<Vec<u8>> {
    let byte = |name: &String| {
        let at =
            ChunkKind::parse(name).and_then(|kind| ChunkKind::ALL.iter().position(|other| *other == kind));
        at.and_then(|at| u8::try_from(at).ok()).ok_or_else(|| Error::BadArgument {
            argument: "kinds",
            reason: format!("there is no kind \"{name}\""),
            hint: "Kinds: body, exception, table, definition.".into(),
        })
    };
    names.iter().map(byte).collect()
}

fn select_documents(filters: &Filters<'_>, with_kinds: bool) -> Vec<ScopedDocument> {
    const SELECT: &str = "
        SELECT id, chunk_count, term_count, CASE WHEN $4 THEN chunk_kinds END
        FROM codecite.documents_in_force($1, $2, $3) ORDER BY id";
    Spi::connect(|client| {
        let args =
            [filters.corpora.clone().into(), filters.layer.into(), filters.as_of.into(), with_kinds.into()];
        let rows = spi(client.select(SELECT, None, &args));
        rows.filter_map(|row| {
            Some(ScopedDocument {
                id: spi(row.get(1))?,
                chunk_count: u32::try_from(spi(row.get::<i32>(2))?).unwrap_or(0),
                term_count: spi(row.get(3))?,
                kinds: spi(row.get::<Vec<u8>>(4)).unwrap_or_default(),
                ranges: None,
            })
        })
        .collect()
    })
}

/// The chunk ranges of the chapter (or article, section, appendix) in each document. `'1'` is chapter 1 where
/// there is one, never 10 to 19.
fn chapter_ranges(chapter: &str, documents: &[ScopedDocument]) -> Result<HashMap<i64, Vec<(u32, u32)>>> {
    const SELECT: &str = "
        SELECT s.document_id, pg_catalog.min(c.ordinal), pg_catalog.max(c.ordinal)
        FROM codecite.section s
        JOIN codecite.chunk c ON c.document_id = s.document_id AND c.section BETWEEN s.ordinal AND s.last
        WHERE s.number_key = ANY ($1) AND s.document_id = ANY ($2)
        GROUP BY s.document_id, s.ordinal";
    let bare = Number::parse(chapter);
    let mut keys: Vec<String> = bare.iter().map(Number::key).collect();
    for label in ["Chapter", "Article", "Appendix", "Part"] {
        keys.extend(Number::labelled(label, chapter.trim()).map(|number| number.key()));
    }
    let ids: Vec<i64> = documents.iter().map(|document| document.id).collect();
    let mut ranges: HashMap<i64, Vec<(u32, u32)>> = HashMap::new();
    Spi::connect(|client| {
        for row in spi(client.select(SELECT, None, &[keys.into(), ids.clone().into()])) {
            let at = |column: usize| u32::try_from(spi(row.get::<i32>(column)).unwrap_or(0)).unwrap_or(0);
            if let Some(document) = spi(row.get::<i64>(1)) {
                ranges.entry(document).or_default().push((at(2), at(3)));
            }
        }
    });
    if ranges.is_empty() {
        let known = known_chapters(&ids);
        return Err(Error::BadArgument {
            argument: "chapter",
            reason: format!("there is no chapter \"{}\" in these corpora", chapter.trim()),
            hint: format!("Chapters: {}.", listed(&known)),
        });
    }
    Ok(ranges)
}

fn known_chapters(ids: &[i64]) -> Vec<String> {
    const SELECT: &str = "
        SELECT number FROM codecite.section
        WHERE document_id = ANY ($1) AND kind IN ('chapter', 'article', 'appendix', 'part') AND number IS NOT NULL
        GROUP BY number ORDER BY pg_catalog.min(number_key) LIMIT 60";
    Spi::connect(|client| {
        let rows = spi(client.select(SELECT, None, &[ids.to_vec().into()]));
        rows.filter_map(|row| spi(row.get::<String>(1))).collect()
    })
}
