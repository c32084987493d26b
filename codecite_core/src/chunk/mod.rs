//! Sections into chunks, the units of search: bodies, exceptions, tables and definitions.

mod units;

use std::borrow::Cow;

use units::units;

use crate::document::{BlockKind, Document, Span};
use crate::error::Result;
use crate::profile::SectionKind;
use crate::structure::{PartKind, Section, SectionTree};
use crate::work::{Stage, Work};

/// Tokens that a model adds to every text.
const SPECIAL_TOKENS: usize = 2;
/// A chunk may always take one in so many tokens of the window, however long the titles above it are.
const LEAST_SHARE: usize = 4;

/// What a chunk is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ChunkKind {
    /// Text of a section.
    Body,
    /// One exception.
    Exception,
    /// A table, or some rows of it.
    Table,
    /// One defined term.
    Definition,
}

impl ChunkKind {
    /// All of them.
    pub const ALL: [ChunkKind; 4] =
        [ChunkKind::Body, ChunkKind::Exception, ChunkKind::Table, ChunkKind::Definition];

    /// The name used in SQL.
    pub fn as_str(self) -> &'static str {
        match self {
            ChunkKind::Body => "body",
            ChunkKind::Exception => "exception",
            ChunkKind::Table => "table",
            ChunkKind::Definition => "definition",
        }
    }

    /// The kind of that name.
    pub fn parse(name: &str) -> Option<ChunkKind> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

/// One chunk. It points into the document's text and copies nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// Index of its section in the tree. A table's chunks belong to the table when that has a number, else
    /// to the section it stands in.
    pub section: usize,
    /// What it is.
    pub kind: ChunkKind,
    /// The address inside the section, for an exception or a term.
    pub locator: Option<String>,
    /// Where it stands.
    pub span: Span,
    /// For the rows of a table that was cut: its caption and heading rows, which are read with them.
    pub header: Option<Span>,
}

impl Chunk {
    /// Its text, with the heading rows of its table before rows that were cut off from them.
    pub fn text<'d>(&self, document: &'d Document) -> Cow<'d, str> {
        let own = document.slice(self.span);
        match self.header {
            Some(header) => Cow::Owned(format!("{}\n{own}", document.slice(header).trim_end())),
            None => Cow::Borrowed(own),
        }
    }
}

/// How many tokens a text has for the embedding model, or an estimate that is not lower.
pub type CountTokens<'a> = &'a dyn Fn(&str) -> usize;

/// An estimate without a model: every word begins one token and takes one more for each six letters, every
/// mark is one.
pub fn estimate_tokens(text: &str) -> usize {
    let mut tokens = 0;
    let mut letters = 0;
    for c in text.chars() {
        if c.is_alphanumeric() {
            tokens += usize::from(letters % 6 == 0);
            letters += 1;
        } else {
            letters = 0;
            tokens += usize::from(!c.is_whitespace());
        }
    }
    tokens
}

/// Cuts all sections into chunks of at most `window` tokens with their breadcrumb: between blocks, list items, rows of
/// tables and sentences. Only a sentence or row that alone is longer is cut, between its clauses or words.
///
/// # Errors
/// Cancellation and the time limit.
pub fn chunks(
    document: &Document,
    tree: &SectionTree,
    window: usize,
    count: CountTokens<'_>,
    work: &mut Work<'_>,
) -> Result<Vec<Chunk>> {
    let mut cutter = Cutter { document, tree, window, count, chunks: Vec::new() };
    for index in 0..tree.sections.len() {
        work.tick(Stage::Chunk, index as u64, tree.sections.len() as u64)?;
        cutter.section(index);
    }
    Ok(cutter.chunks)
}

/// The titles above and of a section, the highest first: `Chapter 10 Means of Egress › 1004 Occupant Load`.
pub fn breadcrumb(tree: &SectionTree, index: usize) -> String {
    let mut names = Vec::new();
    let mut next = Some(index);
    while let Some(section) = next.and_then(|i| tree.sections.get(i)) {
        let name = [section.number.as_ref().map(ToString::to_string), section.title.clone()];
        names.push(name.into_iter().flatten().collect::<Vec<_>>().join(" "));
        next = section.parent;
    }
    names.reverse();
    names.retain(|name| !name.is_empty());
    names.join(" › ")
}

struct Cutter<'a> {
    document: &'a Document,
    tree: &'a SectionTree,
    window: usize,
    count: CountTokens<'a>,
    chunks: Vec<Chunk>,
}

/// A stretch of a section's own text that makes chunks of one kind.
struct Stretch<'a> {
    kind: ChunkKind,
    locator: Option<&'a str>,
    section: usize,
    span: Span,
}

impl Cutter<'_> {
    /// A section's heading begins its first chunk, so a container without more text is found by its title.
    fn section(&mut self, index: usize) {
        let Some(section) = self.tree.sections.get(index).filter(|section| section.nested.is_none()) else {
            return;
        };
        for stretch in self.stretches(index, section) {
            self.stretch(&stretch);
        }
    }

    /// Exceptions, definitions, tables and other floats in order, and the body between them.
    fn stretches<'t>(&self, index: usize, section: &'t Section) -> Vec<Stretch<'t>> {
        let mut inner: Vec<Stretch<'t>> = Vec::new();
        for part in &section.parts {
            let kind = match part.kind {
                PartKind::Exception => ChunkKind::Exception,
                PartKind::Definition => ChunkKind::Definition,
            };
            inner.push(Stretch { kind, locator: Some(&part.locator), section: index, span: part.span });
        }
        let after = self.tree.sections.iter().enumerate().skip(index + 1);
        for (at, float) in after.take_while(|(_, s)| s.nested == Some(index)) {
            let owner = if float.number.is_some() { at } else { index };
            let kind = if float.kind == SectionKind::Table { ChunkKind::Table } else { ChunkKind::Body };
            inner.push(Stretch { kind, locator: None, section: owner, span: float.span });
        }
        inner.sort_by_key(|stretch| stretch.span.start);
        let mut all = Vec::new();
        let mut at = section.span.start;
        for stretch in inner {
            // A table inside a definition or exception stays part of it.
            if stretch.span.start < at {
                continue;
            }
            self.push_body(&mut all, index, Span::new(at, stretch.span.start));
            at = stretch.span.end;
            all.push(stretch);
        }
        self.push_body(&mut all, index, Span::new(at, section.span.end));
        all
    }

    fn push_body<'t>(&self, all: &mut Vec<Stretch<'t>>, index: usize, span: Span) {
        let text = self.document.slice(span);
        let lead = text.len() - text.trim_start().len();
        let span = Span::new(span.start + lead, span.start + text.trim_end().len());
        if !span.is_empty() {
            all.push(Stretch { kind: ChunkKind::Body, locator: None, section: index, span });
        }
    }

    /// One chunk if it fits, else as many as it takes.
    fn stretch(&mut self, stretch: &Stretch<'_>) {
        let titles = (self.count)(&breadcrumb(self.tree, stretch.section)) + SPECIAL_TOKENS;
        let room = self.window.saturating_sub(titles).max(self.window / LEAST_SHARE).max(1);
        if (self.count)(self.document.slice(stretch.span)) <= room {
            self.push(stretch, None);
            return;
        }
        let header =
            self.header(stretch).filter(|header| (self.count)(self.document.slice(*header)) <= room / 2);
        let header_tokens = header.map_or(0, |header| (self.count)(self.document.slice(header)));
        let room_of = |start: usize| match header {
            Some(header) if start >= header.end => room - header_tokens,
            _ => room,
        };
        let (mut start, mut end, mut used) = (stretch.span.start, stretch.span.start, 0);
        for unit in units(self.document, stretch.span, room - header_tokens, self.count) {
            let tokens = (self.count)(self.document.slice(unit));
            if used > 0 && used + tokens > room_of(start) {
                self.push(&Stretch { span: Span::new(start, end), ..*stretch }, header);
                (start, used) = (unit.start, 0);
            }
            (used, end) = (used + tokens, unit.end);
        }
        self.push(&Stretch { span: Span::new(start, end), ..*stretch }, header);
    }

    /// The caption and heading rows of a table.
    fn header(&self, stretch: &Stretch<'_>) -> Option<Span> {
        if stretch.kind != ChunkKind::Table {
            return None;
        }
        let blocks = &self.document.blocks;
        let from = blocks.partition_point(|block| block.span.end <= stretch.span.start);
        let inside = blocks.iter().skip(from).take_while(|block| block.span.start < stretch.span.end);
        let (block, table) = inside.into_iter().find_map(|block| match &block.kind {
            BlockKind::Table(table) => Some((block, table)),
            _ => None,
        })?;
        let text = self.document.slice(block.span);
        let rows = text.match_indices('\n').nth(table.header_rows.checked_sub(1)?);
        let mut end = block.span.start + rows.map_or(text.len(), |(at, _)| at + 1);
        // Markdown's rule under the heading.
        let next = text.get(end - block.span.start..).and_then(|rest| rest.split_inclusive('\n').next());
        let is_rule = |line: &&str| line.contains('-') && line.trim().chars().all(|c| "|-: ".contains(c));
        end += next.filter(is_rule).map_or(0, str::len);
        Some(Span::new(stretch.span.start, end)).filter(|header| header.end < stretch.span.end)
    }

    fn push(&mut self, stretch: &Stretch<'_>, header: Option<Span>) {
        let text = self.document.slice(stretch.span);
        let lead = text.len() - text.trim_start().len();
        let span = Span::new(stretch.span.start + lead, stretch.span.start + text.trim_end().len());
        let locator = stretch.locator.map(str::to_owned);
        let header = header.filter(|header| header.end <= span.start);
        if !span.is_empty() {
            self.chunks.push(Chunk { section: stretch.section, kind: stretch.kind, locator, span, header });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Profile;
    use crate::read::markdown;
    use crate::structure::build;
    use crate::work::{Limits, Unwatched};

    fn chunks_of(source: &str, window: usize) -> (Document, SectionTree, Vec<Chunk>) {
        let limits = Limits::default();
        let mut watcher = Unwatched;
        let mut work = Work::new(&limits, &mut watcher);
        let document = markdown::read(source.as_bytes(), &mut work).unwrap();
        let tree = build(&document, &Profile::builtin("ibc").unwrap(), &mut work).unwrap();
        let chunks = chunks(&document, &tree, window, &estimate_tokens, &mut work).unwrap();
        (document, tree, chunks)
    }

    const CODE: &str = "\
# CHAPTER 10 EGRESS

## SECTION 1004 LOAD

### 1004.5 Factors.

Use the table.

Table 1004.5 Factors

| Use | Factor |
|---|---|
| Office | 12 |

After the table.

**Exception:** Not in barns.
";

    #[test]
    fn kinds_stand_in_order_and_containers_are_found_by_title() {
        let (document, tree, chunks) = chunks_of(CODE, 256);
        let seen: Vec<(&str, &str, String)> = chunks
            .iter()
            .map(|c| {
                let number = tree.sections[c.section].number.as_ref().unwrap().to_string();
                (c.kind.as_str(), document.slice(c.span).lines().next().unwrap(), number)
            })
            .collect();
        assert_eq!(
            seen,
            [
                ("body", "CHAPTER 10 EGRESS", "Chapter 10".into()),
                ("body", "SECTION 1004 LOAD", "1004".into()),
                ("body", "1004.5 Factors.", "1004.5".into()),
                ("table", "Table 1004.5 Factors", "Table 1004.5".into()),
                ("body", "After the table.", "1004.5".into()),
                ("exception", "Exception: Not in barns.", "1004.5".into()),
            ]
        );
        assert_eq!(breadcrumb(&tree, 2), "Chapter 10 EGRESS › 1004 LOAD › 1004.5 Factors");
    }

    #[test]
    fn long_text_is_cut_between_sentences() {
        let sentence = "The width of each of the doors shall be forty units at the least. ";
        let (document, _, chunks) = chunks_of(&format!("### 1004.5 Doors.\n\n{}", sentence.repeat(40)), 120);
        assert!(chunks.len() > 3);
        for chunk in &chunks {
            let text = document.slice(chunk.span);
            assert!(text.ends_with('.'), "{text}");
            assert!(estimate_tokens(text) <= 120);
        }
    }

    #[test]
    fn a_sentence_that_is_too_long_is_cut_between_clauses() {
        let clause = "the width of each of the doors in the building, ";
        let (document, tree, chunks) =
            chunks_of(&format!("### 1004.5 Doors.\n\n{}end.", clause.repeat(60)), 120);
        assert!(chunks.len() > 3);
        for chunk in &chunks {
            let text = format!("{}\n{}", breadcrumb(&tree, chunk.section), document.slice(chunk.span));
            assert!(estimate_tokens(&text) <= 120, "{text}");
            assert!(document.slice(chunk.span).ends_with([',', '.']), "{text}");
        }
    }

    #[test]
    fn rows_of_a_long_table_are_read_with_its_heading() {
        let row = "| Business use of the whole building | 150 gross |\n";
        let table = format!("Table 1004.5 Factors\n\n| Use | Factor |\n|---|---|\n{}", row.repeat(30));
        let (document, _, chunks) = chunks_of(&format!("### 1004.5 Doors.\n\nText.\n\n{table}"), 120);
        let tables: Vec<&Chunk> = chunks.iter().filter(|chunk| chunk.kind == ChunkKind::Table).collect();
        assert!(tables.len() > 3);
        assert_eq!(tables[0].header, None);
        for chunk in &tables {
            let text = chunk.text(&document);
            assert!(text.starts_with("Table 1004.5 Factors\n"), "{text}");
            assert!(text.contains("| Use | Factor |") && text.ends_with("| 150 gross |"), "{text}");
            assert!(estimate_tokens(&text) <= 120, "{text}");
        }
    }

    #[test]
    fn chunks_of_a_document_hold_all_of_its_words() {
        let (document, _, chunks) = chunks_of(CODE, 40);
        let mut covered = vec![false; document.text.len()];
        for chunk in &chunks {
            covered[chunk.span.range()].fill(true);
        }
        let missing: String = document
            .text
            .char_indices()
            .filter(|(at, c)| !covered[*at] && !c.is_whitespace())
            .map(|(_, c)| c)
            .collect();
        assert_eq!(missing, "");
    }
}
