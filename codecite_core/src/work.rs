//! Limits, progress and cancellation: the frame in which every long piece of work runs.

use std::time::{Duration, Instant};

use crate::error::{Error, Result};

/// What a document may cost. Each field is a setting `codecite.<field>` of the extension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the file.
    pub max_input_bytes: u64,
    /// Bytes after decompression, over the whole document.
    pub max_decoded_bytes: u64,
    /// Bytes that a reader may hold in structures whose size the file decides.
    pub max_memory_bytes: u64,
    /// Pages of a paged document.
    pub max_pages: u64,
    /// Blocks (paragraphs, list items, tables, headings).
    pub max_blocks: u64,
    /// Depth of nested elements, objects or lists.
    pub max_nesting: u64,
    /// Depth of nested elements of markup (HTML, the XML of a DOCX).
    pub max_element_depth: u64,
    /// Entries of the ZIP archive that a DOCX is.
    pub max_zip_entries: u64,
    /// Wall-clock time for reading one document, in milliseconds; 0 for no limit.
    pub max_read_ms: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            max_input_bytes: 64 << 20,
            max_decoded_bytes: 256 << 20,
            max_memory_bytes: 256 << 20,
            max_pages: 10_000,
            max_blocks: 2_000_000,
            max_nesting: 64,
            max_element_depth: 512,
            max_zip_entries: 10_000,
            max_read_ms: 300_000,
        }
    }
}

/// The stages of an ingest, as progress is reported in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Reading bytes into blocks; counted in pages or bytes.
    Read,
    /// Blocks into sections; counted in blocks.
    Structure,
    /// Sections into chunks and postings; counted in sections.
    Chunk,
    /// Writing rows; counted in rows.
    Store,
    /// Computing embeddings; counted in chunks.
    Embed,
}

impl Stage {
    /// The word that stands in `codecite: <word> 12/34`.
    pub fn as_str(self) -> &'static str {
        match self {
            Stage::Read => "read",
            Stage::Structure => "structure",
            Stage::Chunk => "chunk",
            Stage::Store => "store",
            Stage::Embed => "embed",
        }
    }
}

/// Who is told how far the work is, and who may stop it.
pub trait Progress {
    /// Called every few milliseconds of work. `done` of `total` units of the stage are finished.
    /// Returns `false` when the work has to stop.
    fn tick(&mut self, stage: Stage, done: u64, total: u64) -> bool;
}

/// A [`Progress`] that never stops the work.
#[derive(Debug, Default)]
pub struct Unwatched;

impl Progress for Unwatched {
    fn tick(&mut self, _: Stage, _: u64, _: u64) -> bool {
        true
    }
}

/// One piece of work under limits: what readers and builders take as their first argument.
pub struct Work<'a> {
    limits: &'a Limits,
    progress: &'a mut dyn Progress,
    started: Instant,
    memory: u64,
    decoded: u64,
}

impl<'a> Work<'a> {
    /// Starts the clock.
    pub fn new(limits: &'a Limits, progress: &'a mut dyn Progress) -> Self {
        Work { limits, progress, started: Instant::now(), memory: 0, decoded: 0 }
    }

    /// The limits in force.
    pub fn limits(&self) -> &'a Limits {
        self.limits
    }

    /// Reports progress; fails when the caller cancelled or the time is over.
    ///
    /// # Errors
    /// [`Error::Cancelled`], [`Error::Limit`] for `max_read_ms`.
    pub fn tick(&mut self, stage: Stage, done: u64, total: u64) -> Result<()> {
        if !self.progress.tick(stage, done, total) {
            return Err(Error::Cancelled);
        }
        let limit = self.limits.max_read_ms;
        let spent = self.started.elapsed();
        if limit > 0 && spent > Duration::from_millis(limit) {
            let value = u64::try_from(spent.as_millis()).unwrap_or(u64::MAX);
            return Err(Error::Limit { name: "max_read_ms", value, limit });
        }
        Ok(())
    }

    /// Books `bytes` of memory whose size the document decides, before they are allocated.
    ///
    /// # Errors
    /// [`Error::Limit`] for `max_memory_bytes`.
    pub fn charge_memory(&mut self, bytes: u64) -> Result<()> {
        self.memory = self.memory.saturating_add(bytes);
        check("max_memory_bytes", self.memory, self.limits.max_memory_bytes)
    }

    /// Gives back what [`charge_memory`](Self::charge_memory) booked.
    pub fn release_memory(&mut self, bytes: u64) {
        self.memory = self.memory.saturating_sub(bytes);
    }

    /// Books `bytes` of decompressed data; these are never given back.
    ///
    /// # Errors
    /// [`Error::Limit`] for `max_decoded_bytes`.
    pub fn charge_decoded(&mut self, bytes: u64) -> Result<()> {
        self.decoded = self.decoded.saturating_add(bytes);
        check("max_decoded_bytes", self.decoded, self.limits.max_decoded_bytes)
    }
}

/// Fails when `value` is over `limit`.
///
/// # Errors
/// [`Error::Limit`] with the limit's name.
pub fn check(name: &'static str, value: u64, limit: u64) -> Result<()> {
    if value > limit { Err(Error::Limit { name, value, limit }) } else { Ok(()) }
}
