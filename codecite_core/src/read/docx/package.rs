//! The package: a ZIP archive of parts that are joined by relationships. Names of parts are only ever looked
//! up; nothing is unpacked that is not asked for, and every byte that is unpacked is counted.

use std::collections::HashMap;
use std::io::Read;

use flate2::read::DeflateDecoder;
use rawzip::{CompressionMethod, ZipArchive, ZipArchiveEntryWayfinder, ZipSliceArchive};

use super::damaged;
use super::xml::{Xml, decode};
use crate::error::{Error, Result};
use crate::work::{Stage, Work, check};

/// Bytes read between two reports of progress.
const CHUNK: usize = 64 << 10;
/// Word's own files reach a ratio of 60; deflate cannot pass 1032.
const MAX_RATIO: u64 = 200;
/// Below this size a part may be inflated at any ratio.
const SMALL_PART: u64 = 8 << 20;
/// What is booked for an entry of the directory besides its name.
const ENTRY_BYTES: u64 = 192;

/// An opened package.
pub(super) struct Package<'b> {
    archive: ZipSliceArchive<&'b [u8]>,
    /// By name in lower case without a leading slash: names of parts have no case.
    entries: HashMap<String, Entry>,
}

#[derive(Clone, Copy)]
struct Entry {
    place: ZipArchiveEntryWayfinder,
    method: CompressionMethod,
    encrypted: bool,
    packed: u64,
    size: u64,
}

/// A relationship from one part to another.
pub(super) struct Relation {
    /// The last word of its type: transitional and strict files differ only before it.
    pub(super) kind: String,
    /// The name of the part that it leads to.
    pub(super) target: String,
}

impl<'b> Package<'b> {
    /// Reads the directory.
    pub(super) fn open(bytes: &'b [u8], work: &mut Work<'_>) -> Result<Self> {
        let broken = |_| damaged("its ZIP directory cannot be read");
        let archive = ZipArchive::from_slice(bytes).map_err(broken)?;
        let mut entries = HashMap::new();
        let mut ranges: Vec<(u64, u64)> = Vec::new();
        let mut count = 0u64;
        for record in archive.entries() {
            let record = record.map_err(broken)?;
            count += 1;
            check("max_zip_entries", count, work.limits().max_zip_entries)?;
            let name = record.file_path();
            let name = String::from_utf8_lossy(name.as_bytes()).to_ascii_lowercase();
            work.charge_memory(ENTRY_BYTES + name.len() as u64)?;
            let place = record.wayfinder();
            let stored = archive.get_entry(place).map_err(broken)?;
            ranges.push((record.local_header_offset(), stored.compressed_data_range().1));
            let entry = Entry {
                place,
                method: record.compression_method(),
                encrypted: record.flags().is_encrypted() || record.flags().has_strong_encryption(),
                packed: record.compressed_size_hint(),
                size: record.uncompressed_size_hint(),
            };
            if entries.insert(name.trim_start_matches('/').to_owned(), entry).is_some() {
                return Err(damaged("two of its parts have the same name"));
            }
        }
        work.tick(Stage::Read, 0, bytes.len() as u64)?;
        ranges.sort_unstable();
        if ranges.windows(2).any(|pair| matches!(pair, [(_, end), (start, _)] if start < end)) {
            return Err(damaged("its parts overlap"));
        }
        Ok(Package { archive, entries })
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.entries.contains_key(&name.to_ascii_lowercase())
    }

    /// The text of a part; `None` when there is none of that name.
    pub(super) fn part(&self, name: &str, work: &mut Work<'_>) -> Result<Option<String>> {
        let Some(entry) = self.entries.get(&name.to_ascii_lowercase()) else { return Ok(None) };
        decode(self.unpack(*entry, work)?).map(Some)
    }

    fn unpack(&self, entry: Entry, work: &mut Work<'_>) -> Result<Vec<u8>> {
        if entry.encrypted {
            return Err(Error::Encrypted);
        }
        if entry.size > SMALL_PART && entry.size / MAX_RATIO > entry.packed {
            return Err(damaged("a part is packed to an absurd degree"));
        }
        let stored = self.archive.get_entry(entry.place).map_err(|_| damaged("a part is cut off"))?;
        match entry.method {
            CompressionMethod::STORE => collect(stored.verifying_reader(stored.data()), entry.size, work),
            CompressionMethod::DEFLATE => {
                let plain = DeflateDecoder::new(stored.data());
                collect(stored.verifying_reader(plain), entry.size, work)
            }
            _ => Err(damaged("a part is packed in a way that is not read")),
        }
    }

    /// The relationships of a part; of the package itself for an empty name.
    pub(super) fn relations(&self, part: &str, work: &mut Work<'_>) -> Result<Vec<Relation>> {
        let (folder, file) = part.rsplit_once('/').unwrap_or(("", part));
        let name = join(folder, &format!("_rels/{file}.rels"));
        let mut found = Vec::new();
        let Some(source) = self.part(&name, work)? else { return Ok(found) };
        let mut xml = Xml::new(&source, work);
        while let Some(element) = xml.next_inside(0)? {
            if element.name() != "Relationship"
                || element.attribute("TargetMode").is_some_and(|mode| mode == "External")
            {
                continue;
            }
            let (Some(kind), Some(target)) = (element.attribute("Type"), element.attribute("Target")) else {
                continue;
            };
            let kind = kind.rsplit('/').next().unwrap_or_default().to_owned();
            let target = match target.strip_prefix('/') {
                Some(absolute) => join("", absolute),
                None => join(folder, &target),
            };
            xml.work.charge_memory(ENTRY_BYTES + (kind.len() + target.len()) as u64)?;
            found.push(Relation { kind, target });
        }
        Ok(found)
    }

    /// The name of the main part: as the package's relationships say, else as its content types say.
    pub(super) fn main_part(&self, work: &mut Work<'_>) -> Result<(String, Vec<Relation>)> {
        let relations = self.relations("", work)?;
        let main = relations.iter().find(|r| r.kind == "officeDocument" && self.has(&r.target));
        let types = self.part("[Content_Types].xml", work)?;
        if let Some(main) = main {
            return Ok((main.target.clone(), relations));
        }
        let mut xml = Xml::new(types.as_deref().unwrap_or("<none/>"), work);
        while let Some(element) = xml.next_inside(0)? {
            if element.name() != "Override" || !element.attribute("ContentType").is_some_and(|t| is_main(&t))
            {
                continue;
            }
            if let Some(name) = element.attribute("PartName") {
                return Ok((join("", &name), relations));
            }
        }
        Err(damaged("it has no main document part"))
    }
}

/// The content types of Word's main parts: documents and templates, with macros or without.
fn is_main(content_type: &str) -> bool {
    content_type.ends_with(".main+xml")
        && (content_type.contains("wordprocessingml.") || content_type.contains("ms-word."))
}

/// Reads a part to its end. Its directory entry says how long it is; a part that is longer or shorter,
/// or whose checksum is wrong, is damaged.
fn collect(mut reader: impl Read, size: u64, work: &mut Work<'_>) -> Result<Vec<u8>> {
    work.charge_decoded(size)?;
    work.charge_memory(size)?;
    let mut bytes = Vec::new();
    let room = usize::try_from(size).map_err(|_| Error::OutOfMemory)?;
    bytes.try_reserve_exact(room).map_err(|_| Error::OutOfMemory)?;
    let mut chunk = vec![0; CHUNK];
    loop {
        let count = reader.read(&mut chunk).map_err(|_| damaged("a part is not what the directory says"))?;
        bytes.extend_from_slice(chunk.get(..count).unwrap_or_default());
        if bytes.len() as u64 > size {
            return Err(damaged("a part is longer than the directory says"));
        }
        if count == 0 {
            return Ok(bytes);
        }
        work.tick(Stage::Read, bytes.len() as u64, size)?;
    }
}

/// A name relative to a folder, with `.` and `..` resolved; one that leads out of the package stays in it.
fn join(folder: &str, name: &str) -> String {
    let mut steps: Vec<&str> = Vec::new();
    for step in folder.split('/').chain(name.split('/')) {
        match step {
            "" | "." => {}
            ".." => {
                steps.pop();
            }
            _ => steps.push(step),
        }
    }
    steps.join("/")
}

/// What the content types of a ZIP archive say that it is, at a bounded cost.
pub(super) fn content_types(bytes: &[u8]) -> Option<String> {
    const MAX_ENTRIES: usize = 10_000;
    const MAX_TYPES: u64 = 1 << 20;
    let archive = ZipArchive::from_slice(bytes).ok()?;
    let mut records = archive.entries().take(MAX_ENTRIES).flatten();
    let record = records.find(|record| record.file_path().as_bytes() == b"[Content_Types].xml")?;
    let stored = archive.get_entry(record.wayfinder()).ok()?;
    let mut types = Vec::new();
    match record.compression_method() {
        CompressionMethod::STORE => stored.data().take(MAX_TYPES).read_to_end(&mut types).ok()?,
        _ => DeflateDecoder::new(stored.data()).take(MAX_TYPES).read_to_end(&mut types).ok()?,
    };
    decode(types).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_inside_the_package() {
        assert_eq!(join("word", "styles.xml"), "word/styles.xml");
        assert_eq!(join("word", "../docProps/core.xml"), "docProps/core.xml");
        assert_eq!(join("word", "../../../etc/passwd"), "etc/passwd");
    }

    #[test]
    fn main_parts_are_known_by_their_type() {
        let of = |kind: &str| is_main(&format!("application/vnd.{kind}"));
        assert!(of("openxmlformats-officedocument.wordprocessingml.document.main+xml"));
        assert!(of("ms-word.document.macroEnabled.main+xml"));
        assert!(of("ms-word.template.macroEnabledTemplate.main+xml"));
        assert!(!of("openxmlformats-officedocument.spreadsheetml.sheet.main+xml"));
        assert!(!of("openxmlformats-officedocument.wordprocessingml.styles+xml"));
    }
}
