//! The Markdown reader (pulldown-cmark): CommonMark with tables, footnotes, definition lists, strikethrough
//! and front matter. Plain text is read as the Markdown it is.

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, MetadataBlockKind, Options, Parser, Tag, TagEnd};

use crate::document::{BlockKind, Cell, Document, DocumentBuilder, Layout, Style, Table};
use crate::error::Result;
use crate::read::encoding::decode_strict;
use crate::work::{Stage, Work, check};

/// Blocks between two reports of progress.
const TICK_BLOCKS: usize = 256;

/// Reads Markdown.
///
/// # Errors
/// [`Error::BadEncoding`](crate::Error::BadEncoding), and limits on blocks, nesting and time.
pub fn read(bytes: &[u8], work: &mut Work<'_>) -> Result<Document> {
    let source = decode_strict(bytes)?;
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_DEFINITION_LIST
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    let mut reader = Reader { source: &source, ..Reader::default() };
    for (event, range) in Parser::new_ext(&source, options).into_offset_iter() {
        reader.event(event, range.start, work)?;
    }
    reader.flush();
    Ok(reader.builder.finish())
}

#[derive(Default)]
struct Reader<'a> {
    source: &'a str,
    builder: DocumentBuilder,
    /// The block being collected.
    pieces: Vec<(String, Style)>,
    kind: Option<BlockKind>,
    bold: u32,
    italic: u32,
    struck: u32,
    lists: Vec<Option<u64>>,
    /// The marker that the next text of a list item begins with.
    marker: Option<String>,
    /// Open definitions of terms: they are set deeper than their terms.
    definitions: usize,
    nesting: u64,
    table: Option<OpenTable>,
    front_matter: bool,
    last_tick: usize,
}

#[derive(Default)]
struct OpenTable {
    table: Table,
    row: usize,
    column: usize,
    cell: String,
}

impl Reader<'_> {
    fn event(&mut self, event: Event<'_>, at: usize, work: &mut Work<'_>) -> Result<()> {
        match event {
            Event::Start(tag) => {
                self.nesting += 1;
                check("max_nesting", self.nesting, work.limits().max_nesting)?;
                self.start(tag, at);
            }
            Event::End(tag) => {
                self.nesting = self.nesting.saturating_sub(1);
                self.end(tag);
                check("max_blocks", self.builder.len() as u64, work.limits().max_blocks)?;
                if self.builder.len() >= self.last_tick + TICK_BLOCKS {
                    self.last_tick = self.builder.len();
                    work.tick(Stage::Read, at as u64, self.source.len() as u64)?;
                }
            }
            Event::Text(text) if self.front_matter => self.read_title(&text),
            Event::Text(text) | Event::Code(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.text(&text);
            }
            Event::SoftBreak => self.text(" "),
            Event::HardBreak => self.text("\n"),
            Event::Html(html) => self.text(&without_tags(&html)),
            Event::InlineHtml(html) if html.to_ascii_lowercase().starts_with("<br") => self.text("\n"),
            Event::FootnoteReference(name) => self.text(&format!("[{name}]")),
            Event::InlineHtml(_) | Event::Rule | Event::TaskListMarker(_) => {}
        }
        Ok(())
    }

    fn start(&mut self, tag: Tag<'_>, at: usize) {
        match tag {
            Tag::Heading { level, .. } => self.open(BlockKind::Heading { level: level_of(level) }),
            Tag::Paragraph | Tag::DefinitionListTitle => self.open_flow(),
            Tag::DefinitionListDefinition => {
                self.open(BlockKind::Paragraph);
                self.definitions += 1;
            }
            Tag::CodeBlock(CodeBlockKind::Fenced(_) | CodeBlockKind::Indented) => {
                self.open(BlockKind::Preformatted)
            }
            Tag::HtmlBlock => self.open(BlockKind::Paragraph),
            Tag::FootnoteDefinition(name) => {
                self.open(BlockKind::Footnote);
                self.text(&format!("[{name}] "));
            }
            Tag::List(start) => {
                self.flush();
                self.lists.push(start);
            }
            Tag::Item => {
                self.flush();
                self.marker = Some(self.marker_at(at));
                self.open_flow();
            }
            Tag::Table(_) => {
                self.flush();
                self.table = Some(OpenTable::default());
            }
            Tag::TableRow | Tag::TableHead => {
                if let Some(open) = &mut self.table {
                    open.column = 0;
                }
            }
            Tag::Strong => self.bold += 1,
            Tag::Emphasis => self.italic += 1,
            Tag::Strikethrough => self.struck += 1,
            Tag::MetadataBlock(MetadataBlockKind::YamlStyle) => self.front_matter = true,
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_)
            | TagEnd::Paragraph
            | TagEnd::CodeBlock
            | TagEnd::HtmlBlock
            | TagEnd::FootnoteDefinition
            | TagEnd::DefinitionListTitle => self.flush(),
            TagEnd::DefinitionListDefinition => {
                self.flush();
                self.definitions = self.definitions.saturating_sub(1);
            }
            TagEnd::Item => {
                self.flush();
                self.marker = None;
            }
            TagEnd::List(_) => {
                self.flush();
                self.lists.pop();
            }
            TagEnd::TableCell => {
                if let Some(open) = &mut self.table {
                    open.finish_cell();
                }
            }
            TagEnd::TableHead | TagEnd::TableRow => {
                if let Some(open) = &mut self.table {
                    open.row += 1;
                    open.table.header_rows += usize::from(tag == TagEnd::TableHead);
                }
            }
            TagEnd::Table => {
                if let Some(mut open) = self.table.take() {
                    open.table.rows = open.row;
                    self.builder.table(open.table, Layout::default());
                }
            }
            TagEnd::Strong => self.bold = self.bold.saturating_sub(1),
            TagEnd::Emphasis => self.italic = self.italic.saturating_sub(1),
            TagEnd::Strikethrough => self.struck = self.struck.saturating_sub(1),
            TagEnd::MetadataBlock(_) => self.front_matter = false,
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if let Some(open) = &mut self.table {
            open.cell.push_str(text);
            return;
        }
        if self.kind.is_none() {
            self.open_flow();
        }
        if let Some(marker) = self.marker.take() {
            self.pieces.push((marker, Style::default()));
        }
        let style = Style {
            bold: self.bold > 0,
            italic: self.italic > 0,
            struck: self.struck > 0,
            underlined: false,
        };
        self.pieces.push((text.to_owned(), style));
    }

    /// A paragraph: of a list item when one is open, else of the text.
    fn open_flow(&mut self) {
        let depth = u8::try_from(self.lists.len()).unwrap_or(u8::MAX);
        let in_item = depth > 0 && self.marker.is_some();
        self.open(if in_item { BlockKind::ListItem { depth } } else { BlockKind::Paragraph });
    }

    fn open(&mut self, kind: BlockKind) {
        self.flush();
        self.kind = Some(kind);
    }

    fn flush(&mut self) {
        let kind = self.kind.take().unwrap_or(BlockKind::Paragraph);
        let mut pieces = std::mem::take(&mut self.pieces);
        trim(&mut pieces);
        let pieces: Vec<(&str, Style)> = pieces.iter().map(|(text, style)| (text.as_str(), *style)).collect();
        let layout = Layout { indent: (self.lists.len() + self.definitions) as f32, ..Layout::default() };
        self.builder.block(kind, &pieces, layout, None);
    }

    /// The marker as the source prints it, with one space after it.
    fn marker_at(&self, at: usize) -> String {
        let line = self.source.get(at..).unwrap_or_default().trim_start();
        let end = line.find(char::is_whitespace).unwrap_or(line.len());
        format!("{} ", line.get(..end).unwrap_or_default())
    }

    /// `title: …` in the front matter; the rest of it is not text of the document.
    fn read_title(&mut self, yaml: &str) {
        let title = yaml.lines().find_map(|line| line.strip_prefix("title:"));
        if let Some(title) = title.map(|t| t.trim().trim_matches(['"', '\''])).filter(|t| !t.is_empty()) {
            self.builder.document_mut().title = Some(title.to_owned());
        }
    }
}

impl OpenTable {
    fn finish_cell(&mut self) {
        let text = std::mem::take(&mut self.cell);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let cell = Cell { row: self.row, column: self.column, row_span: 1, column_span: 1, text };
        self.table.cells.push(cell);
        self.column += 1;
        self.table.columns = self.table.columns.max(self.column);
    }
}

fn level_of(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}

/// Removes white space at both ends of a block.
fn trim(pieces: &mut Vec<(String, Style)>) {
    while let Some((text, _)) = pieces.last_mut() {
        text.truncate(text.trim_end().len());
        if !text.is_empty() {
            break;
        }
        pieces.pop();
    }
    let blank = pieces.iter().take_while(|(text, _)| text.trim().is_empty()).count();
    pieces.drain(..blank);
    if let Some((text, _)) = pieces.first_mut() {
        *text = text.trim_start().to_owned();
    }
}

/// The text of an HTML fragment inside Markdown: tags and comments out, nothing else touched.
fn without_tags(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(open) = rest.find('<') {
        let (before, tag) = rest.split_at(open);
        out.push_str(before);
        let close = if tag.starts_with("<!--") {
            tag.find("-->").map(|i| i + 3)
        } else {
            tag.find('>').map(|i| i + 1)
        };
        rest = close.and_then(|end| tag.get(end..)).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work::{Limits, Unwatched};

    fn read_str(source: &str) -> Document {
        let limits = Limits::default();
        let mut watcher = Unwatched;
        read(source.as_bytes(), &mut Work::new(&limits, &mut watcher)).unwrap()
    }

    fn texts(document: &Document) -> Vec<&str> {
        document.blocks.iter().map(|block| document.slice(block.span)).collect()
    }

    #[test]
    fn headings_paragraphs_and_emphasis() {
        let document = read_str("# CHAPTER 1\n\nSetext\n---\n\n**101.1 Title.** Body\nwraps here.\n");
        assert_eq!(texts(&document), ["CHAPTER 1", "Setext", "101.1 Title. Body wraps here."]);
        assert_eq!(document.blocks[1].kind, BlockKind::Heading { level: 2 });
        assert_eq!(document.slice(document.blocks[2].bold_lead(&document.text)), "101.1 Title.");
    }

    #[test]
    fn lists_keep_their_printed_markers_and_nesting() {
        let document = read_str("1. one\n   wrapped\n2. two\n   - inner\n\n   more of two\n\nafter\n");
        assert_eq!(texts(&document), ["1. one wrapped", "2. two", "- inner", "more of two", "after"]);
        assert_eq!(document.blocks[2].kind, BlockKind::ListItem { depth: 2 });
        assert_eq!(document.blocks[3].kind, BlockKind::Paragraph);
        assert!(document.blocks[3].layout.indent > document.blocks[4].layout.indent);
    }

    #[test]
    fn tables_are_cells_and_text_in_place() {
        let document = read_str("before\n\n| A | B |\n|---|---|\n| 1 | x \\| y |\n\nafter\n");
        assert_eq!(document.blocks.len(), 3);
        let BlockKind::Table(table) = &document.blocks[1].kind else { panic!("no table") };
        assert_eq!((table.rows, table.columns, table.header_rows), (2, 2, 1));
        assert_eq!(table.cells[3].text, "x | y");
        assert_eq!(document.slice(document.blocks[1].span), "| A | B |\n|---|---|\n| 1 | x \\| y |");
    }

    #[test]
    fn front_matter_html_and_fences() {
        let document = read_str(
            "---\ntitle: \"My Code\"\nlayout: x\n---\n\n<div><p>in html</p></div>\n\n```\ncode\n```\n",
        );
        assert_eq!(document.title.as_deref(), Some("My Code"));
        assert_eq!(texts(&document), ["in html", "code"]);
    }

    #[test]
    fn blocks_and_separators_cover_the_text() {
        let document = read_str("# A\n\npara\n\n- x\n- y\n\n| h |\n|--|\n| c |\n");
        let mut end = 0;
        for block in &document.blocks {
            assert!(document.text[end..block.span.start].chars().all(|c| c == '\n'));
            end = block.span.end;
        }
        assert_eq!(end, document.text.len());
    }

    #[test]
    fn deep_nesting_is_a_limit() {
        let limits = Limits::default();
        let mut watcher = Unwatched;
        let source = format!("{} x", ">".repeat(5000));
        let error = read(source.as_bytes(), &mut Work::new(&limits, &mut watcher)).unwrap_err();
        assert_eq!(error.code(), "limit");
    }
}
