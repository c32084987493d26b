//! Postings: for each term of a document, the chunks that hold it and how often, packed.
//!
//! Layout of one packed list: the count of entries, then for each entry the step from the last chunk
//! ordinal, the frequency in the chunk's text, a byte with the frequencies in its title (high half) and in the
//! titles above (low half), and the chunk's length in terms. All but that byte are LEB128 numbers.

use std::collections::BTreeMap;

use foldhash::{HashMap, HashMapExt};

use crate::chunk::Chunk;
use crate::document::Document;
use crate::error::{Error, Result};
use crate::structure::SectionTree;
use crate::vocabulary::Vocabulary;
use crate::work::{Stage, Work};

/// One chunk that holds a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Entry {
    /// The chunk's ordinal in its document.
    pub chunk: u32,
    /// How often the term stands in the chunk's text.
    pub body: u32,
    /// How often in the title (or locator) of its section, at most 15.
    pub title: u8,
    /// How often in the titles above, at most 15.
    pub above: u8,
    /// Terms in the chunk's text.
    pub length: u32,
}

/// All postings of one document.
#[derive(Debug, Default)]
pub struct Index {
    /// Term to packed list, in term order.
    pub postings: BTreeMap<String, Vec<u8>>,
    /// Terms in all chunks together.
    pub total_length: u64,
}

/// Indexes the chunks of a document.
///
/// # Errors
/// Cancellation and limits.
pub fn index(
    document: &Document,
    tree: &SectionTree,
    chunks: &[Chunk],
    work: &mut Work<'_>,
) -> Result<Index> {
    let vocabulary = Vocabulary::default();
    let mut lists = Lists { terms: HashMap::new(), entries: Vec::new() };
    let titles: Vec<Vec<usize>> =
        tree.sections.iter().map(|section| lists.ids(title_terms(&vocabulary, section))).collect();
    let mut total_length = 0;
    for (ordinal, chunk) in chunks.iter().enumerate() {
        if ordinal % 64 == 0 {
            work.tick(Stage::Chunk, ordinal as u64, chunks.len() as u64)?;
        }
        let terms = vocabulary.terms(&chunk.text(document));
        let entry = Entry {
            chunk: u32::try_from(ordinal).unwrap_or(u32::MAX),
            length: u32::try_from(terms.len()).unwrap_or(u32::MAX),
            ..Entry::default()
        };
        total_length += terms.len() as u64;
        work.charge_memory(terms.len() as u64 * 32)?;
        for term in terms {
            let term = lists.id(term);
            lists.count(term, entry, |entry| entry.body += 1);
        }
        let locator = chunk.locator.as_deref().map(|text| vocabulary.terms(text)).unwrap_or_default();
        let locator = lists.ids(locator);
        for term in titles.get(chunk.section).into_iter().flatten().chain(&locator) {
            lists.count(*term, entry, |entry| entry.title = (entry.title + 1).min(15));
        }
        let mut above = tree.sections.get(chunk.section).and_then(|section| section.parent);
        while let Some(index) = above {
            for term in titles.get(index).into_iter().flatten() {
                lists.count(*term, entry, |entry| entry.above = (entry.above + 1).min(15));
            }
            above = tree.sections.get(index).and_then(|section| section.parent);
        }
    }
    Ok(Index { postings: lists.packed(), total_length })
}

/// The lists that are being made. A term is looked up once where it stands; a title's terms count for many chunks.
struct Lists {
    terms: HashMap<String, usize>,
    entries: Vec<Vec<Entry>>,
}

impl Lists {
    /// Which list is the term's.
    fn id(&mut self, term: String) -> usize {
        let next = self.entries.len();
        let id = *self.terms.entry(term).or_insert(next);
        if id == next {
            self.entries.push(Vec::new());
        }
        id
    }

    fn ids(&mut self, terms: Vec<String>) -> Vec<usize> {
        terms.into_iter().map(|term| self.id(term)).collect()
    }

    /// Counts in the entry of the current chunk, which is `new` where the list has none.
    fn count(&mut self, id: usize, new: Entry, count: impl FnOnce(&mut Entry)) {
        let Some(list) = self.entries.get_mut(id) else { return };
        if list.last().is_none_or(|last| last.chunk != new.chunk) {
            list.push(new);
        }
        if let Some(entry) = list.last_mut() {
            count(entry);
        }
    }

    /// The lists as they are stored. A title without a chunk has left some empty.
    fn packed(self) -> BTreeMap<String, Vec<u8>> {
        let list = |id: usize| self.entries.get(id).filter(|entries| !entries.is_empty());
        self.terms.into_iter().filter_map(|(term, id)| Some((term, encode(list(id)?)))).collect()
    }
}

fn title_terms(vocabulary: &Vocabulary, section: &crate::structure::Section) -> Vec<String> {
    let mut terms = vocabulary.terms(section.title.as_deref().unwrap_or_default());
    if let Some(number) = &section.number {
        terms.push(format!("#{}", number.body().to_lowercase()));
    }
    terms
}

fn encode(entries: &[Entry]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(1 + entries.len() * 5);
    put(&mut bytes, entries.len() as u64);
    let mut last = 0;
    for entry in entries {
        put(&mut bytes, u64::from(entry.chunk - last));
        put(&mut bytes, u64::from(entry.body));
        bytes.push(entry.title << 4 | entry.above & 0x0f);
        put(&mut bytes, u64::from(entry.length));
        last = entry.chunk;
    }
    bytes
}

fn put(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push((value & 0x7f) as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// The entries of a packed list; the iterator ends early at damaged bytes, after an error.
///
/// # Errors
/// [`Error::Corrupt`] when the count cannot be read.
pub fn decode(bytes: &[u8]) -> Result<(u64, impl Iterator<Item = Result<Entry>> + '_)> {
    let mut reader = Reader { bytes };
    let count = reader.number().ok_or(Error::Corrupt { what: "posting" })?;
    let mut chunk = 0u32;
    let entries = (0..count).map_while(move |_| reader.entry(&mut chunk).transpose());
    Ok((count, entries))
}

struct Reader<'a> {
    bytes: &'a [u8],
}

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(*first)
    }

    fn number(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..63).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    fn small(&mut self) -> Option<u32> {
        self.number().and_then(|value| u32::try_from(value).ok())
    }

    /// `Ok(None)` after the end, an error once when the bytes stop in the middle.
    fn entry(&mut self, chunk: &mut u32) -> Result<Option<Entry>> {
        if self.bytes.is_empty() {
            return Ok(None);
        }
        let entry = (|| {
            let chunk = chunk.checked_add(self.small()?)?;
            let body = self.small()?;
            let both = self.byte()?;
            Some(Entry { chunk, body, title: both >> 4, above: both & 0x0f, length: self.small()? })
        })();
        match entry {
            Some(entry) => {
                *chunk = entry.chunk;
                Ok(Some(entry))
            }
            None => {
                self.bytes = &[];
                Err(Error::Corrupt { what: "posting" })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::{chunks, estimate_tokens};
    use crate::profile::Profile;
    use crate::read::markdown;
    use crate::structure::build;
    use crate::work::{Limits, Unwatched};
    use proptest::prelude::*;

    fn index_of(source: &str, window: usize) -> (Document, SectionTree, Vec<Chunk>, Index) {
        let (limits, mut watcher) = (Limits::default(), Unwatched);
        let mut work = Work::new(&limits, &mut watcher);
        let document = markdown::read(source.as_bytes(), &mut work).unwrap();
        let tree = build(&document, &Profile::builtin("ibc").unwrap(), &mut work).unwrap();
        let chunks = chunks(&document, &tree, window, &estimate_tokens, &mut work).unwrap();
        let index = index(&document, &tree, &chunks, &mut work).unwrap();
        (document, tree, chunks, index)
    }

    #[test]
    fn entries_count_the_text_the_title_and_the_titles_above() {
        let source = "# CHAPTER 10 DOORS\n\n## SECTION 1004 DOORS AND GATES\n\n### 1004.5 Gates.\n\nA gate, a gate and a door.\n";
        let (_, _, chunks, index) = index_of(source, 256);
        let entries = |term: &str| -> Vec<(u32, u32, u8, u8)> {
            let (_, entries) = decode(index.postings.get(term).unwrap()).unwrap();
            entries.map(|entry| entry.unwrap()).map(|e| (e.chunk, e.body, e.title, e.above)).collect()
        };
        assert_eq!(chunks.len(), 3);
        assert_eq!(entries("gate"), [(1, 1, 1, 0), (2, 3, 1, 1)]);
        assert_eq!(entries("door"), [(0, 1, 1, 0), (1, 1, 1, 1), (2, 1, 0, 2)]);
        assert_eq!(entries("#1004.5"), [(2, 1, 1, 0)]);
    }

    #[test]
    fn a_title_without_a_chunk_has_no_list() {
        let (document, tree, chunks, index) =
            index_of("### 1004.5 Gates.\n\nText.\n\n### 1004.6 Doors.\n\nMore.\n", 256);
        assert!(index.postings.contains_key("door"));
        let limits = Limits::default();
        let first =
            super::index(&document, &tree, &chunks[..1], &mut Work::new(&limits, &mut Unwatched)).unwrap();
        assert!(first.postings.contains_key("gate") && !first.postings.contains_key("door"));
    }

    proptest! {
        #[test]
        fn packing_and_unpacking_is_the_identity(steps in prop::collection::vec((1u32..100_000, 0u32..5000, 0u8..16, 0u8..16, 0u32..100_000), 0..50)) {
            let mut chunk = 0;
            let entries: Vec<Entry> = steps.into_iter().map(|(step, body, title, above, length)| {
                chunk += step;
                Entry { chunk, body, title, above, length }
            }).collect();
            let bytes = encode(&entries);
            let (count, decoded) = decode(&bytes).unwrap();
            prop_assert_eq!(count as usize, entries.len());
            prop_assert_eq!(decoded.collect::<Result<Vec<_>>>().unwrap(), entries);
        }

        #[test]
        fn damaged_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            if let Ok((_, entries)) = decode(&bytes) {
                prop_assert!(entries.take(1000).count() <= 200);
            }
        }
    }
}
