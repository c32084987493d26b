//! Sections into chunks, the units of search: bodies, exceptions, tables and definitions.

use crate::document::{Block, BlockKind, Document, Span};
use crate::error::Result;
use crate::profile::SectionKind;
use crate::structure::{PartKind, Section, SectionTree};
use crate::work::{Stage, Work};

/// Tokens that the titles above a chunk may take of the model's window.
const BREADCRUMB_TOKENS: usize = 48;

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

/// Cuts all sections into chunks of at most `window` tokens with their breadcrumb. A single sentence or
/// table row that is longer stays whole.
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
    let room = window.saturating_sub(BREADCRUMB_TOKENS).max(32);
    let mut cutter = Cutter { document, tree, room, count, chunks: Vec::new() };
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
    room: usize,
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

    /// One chunk if it fits, else as many as it takes, cut between blocks, rows or sentences.
    fn stretch(&mut self, stretch: &Stretch<'_>) {
        if (self.count)(self.document.slice(stretch.span)) <= self.room {
            self.push(stretch);
            return;
        }
        let mut start = stretch.span.start;
        let mut end = start;
        let mut used = 0;
        for unit in self.units(stretch) {
            let tokens = (self.count)(self.document.slice(unit));
            if used > 0 && used + tokens > self.room {
                self.push(&Stretch { span: Span::new(start, end), ..*stretch });
                start = unit.start;
                used = 0;
            }
            used += tokens;
            end = unit.end;
        }
        self.push(&Stretch { span: Span::new(start, end), ..*stretch });
    }

    /// The pieces that are not cut: blocks that fit, sentences of those that do not, rows of tables.
    fn units(&self, stretch: &Stretch<'_>) -> Vec<Span> {
        let blocks = &self.document.blocks;
        let from = blocks.partition_point(|block| block.span.end <= stretch.span.start);
        let inside = blocks.iter().skip(from).take_while(|block| block.span.start < stretch.span.end);
        let mut units = Vec::new();
        for block in inside {
            let span =
                Span::new(block.span.start.max(stretch.span.start), block.span.end.min(stretch.span.end));
            if (self.count)(self.document.slice(span)) <= self.room {
                units.push(span);
            } else {
                self.cut_block(block, span, &mut units);
            }
        }
        units
    }

    fn cut_block(&self, block: &Block, span: Span, units: &mut Vec<Span>) {
        let text = self.document.slice(span);
        let mut start = 0;
        let is_table = matches!(block.kind, BlockKind::Table(_));
        for (at, c) in text.char_indices() {
            let end = at + c.len_utf8();
            let ends_here = if is_table { c == '\n' } else { is_sentence_end(text, at, c) };
            if ends_here {
                units.push(Span::new(span.start + start, span.start + end));
                start = end;
            }
        }
        if start < text.len() {
            units.push(Span::new(span.start + start, span.end));
        }
    }

    fn push(&mut self, stretch: &Stretch<'_>) {
        let text = self.document.slice(stretch.span);
        let span = Span::new(stretch.span.start, stretch.span.start + text.trim_end().len());
        let locator = stretch.locator.map(str::to_owned);
        self.chunks.push(Chunk { section: stretch.section, kind: stretch.kind, locator, span });
    }
}

/// A full stop, semicolon or line end after which something new begins. "Sec. 5" and "1004. 5" do not count.
fn is_sentence_end(text: &str, at: usize, c: char) -> bool {
    let after = text.get(at + c.len_utf8()..).unwrap_or_default();
    match c {
        '\n' => true,
        '.' | ';' | '?' | '!' => {
            let begins = after.starts_with(' ')
                && after.trim_start().starts_with(|n: char| n.is_uppercase() || n == '(' || n == '“');
            let word = last_word(text.get(..at).unwrap_or_default());
            begins
                && word.chars().count() > 2
                && !matches!(word.to_lowercase().as_str(), "sec" | "secs" | "fig" | "art" | "nos")
        }
        _ => false,
    }
}

/// The word at the end of a text, of which no more than the last few letters matter.
fn last_word(text: &str) -> &str {
    const LETTERS: usize = 12;
    let from = text.char_indices().rev().nth(LETTERS).map_or(0, |(at, _)| at);
    text.get(from..).unwrap_or_default().rsplit(char::is_whitespace).next().unwrap_or_default()
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
