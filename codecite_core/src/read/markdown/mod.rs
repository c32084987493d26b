//! The Markdown reader (pulldown-cmark): CommonMark with tables, footnotes, definition lists, strikethrough and
//! front matter, and what people write into it: HTML, and the tags of Jekyll's templates.

mod cells;
mod cost;
mod emphasis;
mod front_matter;
mod inline;
mod source;

use cells::OpenTable;
use emphasis::Emphasis;
use inline::InlineTag;
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use source::{Source, cut_tags};

use crate::document::{BlockKind, Document, FurnitureKind, Layout, Style};
use crate::error::Result;
use crate::read::encoding::decode_strict;
use crate::read::flow::{Flow, ItemMarker, Opening};
use crate::read::fold::push_folded;
use crate::read::html::raised::{Raised, raised_text};
use crate::read::html::read_text;
use crate::read::marker::{Marker, marker};
use crate::work::{Stage, Work, check};

/// Events between two reports of progress.
const TICK_EVENTS: usize = 2_048;

/// Reads Markdown.
///
/// # Errors
/// [`Error::BadEncoding`](crate::Error::BadEncoding), and limits on blocks, nesting, memory and time.
pub fn read(bytes: &[u8], work: &mut Work<'_>) -> Result<Document> {
    let text = decode_strict(bytes)?;
    work.charge_decoded(text.len() as u64)?;
    let source = Source::new(&text);
    work.charge_memory(2 * text.len() as u64 + cost::tree_bytes(&source.text))?;
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_DEFINITION_LIST
        | Options::ENABLE_HEADING_ATTRIBUTES
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
        | Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS;
    let mut reader = Reader::new(&source);
    for (count, (event, range)) in Parser::new_ext(&source.text, options).into_offset_iter().enumerate() {
        reader.event(event, range.start, range.end, work)?;
        if count % TICK_EVENTS == 0 {
            reader.flow.book(work)?;
            work.tick(Stage::Read, range.start as u64, source.text.len() as u64)?;
        }
    }
    reader.flow.book(work)?;
    let mut document = reader.flow.finish();
    document.title = reader.title;
    Ok(document)
}

struct Reader<'s> {
    source: &'s Source<'s>,
    flow: Flow,
    title: Option<String>,
    marks: Emphasis,
    /// Emphasis by HTML tags, which ends with the block at the latest.
    tags: Emphasis,
    lists: u16,
    /// Quotations, definitions and footnotes around the text.
    indent: u16,
    kind: BlockKind,
    in_footnote: bool,
    /// What is collected instead of text of the document.
    html: Option<String>,
    front_matter: Option<String>,
    image: Option<String>,
    images: u32,
    raised: bool,
    table: Option<OpenTable>,
    nesting: u64,
}

impl<'s> Reader<'s> {
    fn new(source: &'s Source<'s>) -> Self {
        Reader {
            source,
            flow: Flow::with_capacity(source.text.len()),
            title: None,
            marks: Emphasis::default(),
            tags: Emphasis::default(),
            lists: 0,
            indent: 0,
            kind: BlockKind::Paragraph,
            in_footnote: false,
            html: None,
            front_matter: None,
            image: None,
            images: 0,
            raised: false,
            table: None,
            nesting: 0,
        }
    }

    fn event(&mut self, event: Event<'_>, from: usize, to: usize, work: &mut Work<'_>) -> Result<()> {
        match event {
            Event::Start(tag) => {
                self.nesting += 1;
                check("max_nesting", self.nesting, work.limits().max_nesting)?;
                self.start(tag, from);
            }
            Event::End(tag) => {
                self.nesting = self.nesting.saturating_sub(1);
                self.end(tag, work)?;
            }
            Event::Text(text) | Event::Code(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.text(&text, to);
            }
            Event::SoftBreak => self.soft_break(to),
            Event::HardBreak => self.line_break(),
            Event::Html(html) => match &mut self.html {
                Some(block) => block.push_str(&html),
                None => self.inline_html(&html),
            },
            Event::InlineHtml(html) => self.inline_html(&html),
            Event::FootnoteReference(name) => self.text(&format!("[{name}]"), to),
            Event::Rule => self.flow.end_block(),
            Event::TaskListMarker(_) => {}
        }
        Ok(())
    }

    fn start(&mut self, tag: Tag<'_>, at: usize) {
        match tag {
            Tag::Heading { level, id, .. } => {
                self.begin(BlockKind::Heading { level: level_of(level) });
                if let Some(id) = id {
                    self.flow.anchor(&id);
                }
            }
            Tag::Paragraph | Tag::DefinitionListTitle => self.begin(BlockKind::Paragraph),
            Tag::BlockQuote(_) => {
                self.begin(BlockKind::Paragraph);
                self.indent += 1;
            }
            Tag::DefinitionListDefinition => {
                self.begin(BlockKind::Paragraph);
                self.indent += 1;
            }
            Tag::CodeBlock(_) => self.begin(BlockKind::Preformatted),
            Tag::HtmlBlock => {
                self.begin(BlockKind::Paragraph);
                self.html = Some(String::new());
            }
            Tag::FootnoteDefinition(name) => {
                self.begin(BlockKind::Paragraph);
                self.in_footnote = true;
                self.flow.begin_item(ItemMarker { text: format!("[{name}]"), generated: false });
            }
            Tag::List(_) => {
                self.begin(BlockKind::Paragraph);
                self.lists += 1;
            }
            Tag::Item => {
                self.begin(BlockKind::Paragraph);
                self.flow.begin_item(ItemMarker { text: self.marker_at(at), generated: false });
            }
            Tag::Table(_) => {
                self.begin(BlockKind::Paragraph);
                let markers = self.flow.take_markers("");
                self.flow.paragraph(markers.trim(), self.layout());
                self.table = Some(OpenTable::default());
            }
            Tag::TableRow | Tag::TableHead => {
                if let Some(open) = &mut self.table {
                    open.column = 0;
                }
            }
            Tag::Strong => self.marks.bold += 1,
            Tag::Emphasis => self.marks.italic += 1,
            Tag::Strikethrough => self.marks.struck += 1,
            Tag::Link { dest_url, title, .. } => {
                self.cut_tags_of(&[&dest_url, &title]);
                if self.table.is_none() {
                    self.flow.begin_link(&dest_url);
                }
            }
            Tag::Image { dest_url, title, .. } => {
                self.cut_tags_of(&[&dest_url, &title]);
                self.images += 1;
                self.image.get_or_insert_default();
            }
            Tag::MetadataBlock(_) => self.front_matter = Some(String::new()),
            Tag::DefinitionList | Tag::TableCell | Tag::Superscript | Tag::Subscript => {}
        }
    }

    fn end(&mut self, tag: TagEnd, work: &mut Work<'_>) -> Result<()> {
        match tag {
            TagEnd::Heading(_) | TagEnd::Paragraph | TagEnd::CodeBlock | TagEnd::DefinitionListTitle => {
                self.finish()
            }
            TagEnd::BlockQuote(_) | TagEnd::DefinitionListDefinition => {
                self.finish();
                self.indent = self.indent.saturating_sub(1);
            }
            TagEnd::HtmlBlock => self.html_block(work)?,
            TagEnd::FootnoteDefinition => {
                self.finish();
                self.flow.end_item();
                self.in_footnote = false;
            }
            TagEnd::Item => {
                self.finish();
                self.flow.end_item();
            }
            TagEnd::List(_) => {
                self.finish();
                self.lists = self.lists.saturating_sub(1);
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
                    self.flow.table(open.table, self.layout());
                }
            }
            TagEnd::Strong => self.marks.bold = self.marks.bold.saturating_sub(1),
            TagEnd::Emphasis => self.marks.italic = self.marks.italic.saturating_sub(1),
            TagEnd::Strikethrough => self.marks.struck = self.marks.struck.saturating_sub(1),
            TagEnd::Image => {
                self.images = self.images.saturating_sub(1);
                if let Some(alternative) =
                    self.image.take_if(|_| self.images == 0).filter(|alt| !alt.trim().is_empty())
                {
                    self.flow.furniture(FurnitureKind::Around, alternative.trim().to_owned());
                }
            }
            TagEnd::MetadataBlock(_) => {
                if let Some(matter) = self.front_matter.take() {
                    self.title = front_matter::title(&matter);
                    self.flow.furniture(FurnitureKind::Around, matter.trim_end().to_owned());
                }
            }
            TagEnd::Link => self.flow.end_link(),
            TagEnd::DefinitionList | TagEnd::Superscript | TagEnd::Subscript => {}
        }
        Ok(())
    }

    /// Text of the document, or of what stands in its way. `to` is where it ends in the source.
    fn text(&mut self, text: &str, to: usize) {
        if let Some(matter) = &mut self.front_matter {
            matter.push_str(text);
            return;
        }
        let source = self.source;
        for (plain, tag) in cut_tags(text, source) {
            if let Some(image) = &mut self.image {
                image.push_str(plain);
            } else if self.raised {
                self.raised_text(plain, to);
            } else {
                self.plain(plain);
            }
            if let Some(tag) = tag {
                self.flow.furniture(FurnitureKind::Around, tag.to_owned());
            }
        }
    }

    fn plain(&mut self, text: &str) {
        let style = self.style();
        if let Some(open) = &mut self.table {
            if !style.struck {
                push_folded(&mut open.cell, text);
            } else if !text.trim().is_empty() {
                // Struck words of a cell are kept out of it here, see `read::struck`.
                self.flow.furniture(FurnitureKind::Struck, text.trim().to_owned());
            }
            return;
        }
        let (kind, layout) = (self.kind.clone(), self.layout());
        let kind = if self.in_footnote && kind == BlockKind::Paragraph { BlockKind::Footnote } else { kind };
        let depth = u8::try_from(self.lists).unwrap_or(u8::MAX);
        let raw = kind == BlockKind::Preformatted;
        self.flow.text(text, style, raw, || Opening { kind, layout, depth });
    }

    fn raised_text(&mut self, text: &str, to: usize) {
        let before = match &self.table {
            Some(open) => last_two(&open.cell),
            None => last_two(self.flow.open_text()),
        };
        let after = self.source.text.get(to..).unwrap_or_default();
        let after = after.strip_prefix("</sup>").unwrap_or_default();
        match raised_text(text, before, after.get(..1).unwrap_or(after)) {
            Raised::Marks(marks) => self.plain(&marks),
            Raised::Apart => {
                self.plain(" ");
                self.plain(text);
            }
            Raised::Plain => self.plain(text),
        }
    }

    fn style(&self) -> Style {
        self.marks.and(self.tags)
    }

    fn layout(&self) -> Layout {
        Layout { indent: f32::from(self.lists) + f32::from(self.indent), ..Layout::default() }
    }

    fn begin(&mut self, kind: BlockKind) {
        self.finish();
        self.kind = kind;
    }

    fn finish(&mut self) {
        self.flow.end_block();
        self.kind = BlockKind::Paragraph;
        self.tags = Emphasis::default();
        self.raised = false;
    }

    /// The end of a line in a paragraph: a space, or the end of an item that Markdown has no list for: "(a)".
    fn soft_break(&mut self, to: usize) {
        let rest = self.source.text.get(to..).unwrap_or_default();
        let line = rest.lines().next().unwrap_or_default();
        let is_item = line.trim_start_matches(['*', '_', ' ']).starts_with('(') && {
            let head: String = line.chars().filter(|c| !matches!(c, '*' | '_')).take(12).collect();
            marker(head.trim_start()) == Marker::List
        };
        if is_item && self.image.is_none() && self.table.is_none() && ends_item(self.flow.open_text()) {
            self.flow.end_block();
        } else {
            self.text(" ", to);
        }
    }

    fn line_break(&mut self) {
        match (&mut self.image, &mut self.table) {
            (Some(image), _) => image.push(' '),
            (None, Some(open)) => push_folded(&mut open.cell, " "),
            (None, None) => self.flow.line_break(self.kind == BlockKind::Preformatted),
        }
    }

    /// A tag within a paragraph.
    fn inline_html(&mut self, html: &str) {
        self.cut_tags_of(&[html]);
        let Some(tag) = InlineTag::parse(html) else { return };
        if let Some(id) = tag.id.filter(|_| self.table.is_none()) {
            self.flow.anchor(id);
        }
        let count = match tag.name.as_str() {
            "br" => return self.line_break(),
            "img" => {
                let alternative = tag.alternative.map(str::trim).filter(|alt| !alt.is_empty());
                return alternative.into_iter().for_each(|alt| {
                    self.flow.furniture(FurnitureKind::Around, alt.to_owned());
                });
            }
            "sup" => {
                self.raised = !tag.closes;
                return;
            }
            _ => self.tags.count(&tag.name),
        };
        if let Some(count) = count {
            *count = if tag.closes { count.saturating_sub(1) } else { *count + 1 };
        }
    }

    /// HTML between paragraphs is read as HTML is.
    fn html_block(&mut self, work: &mut Work<'_>) -> Result<()> {
        let Some(html) = self.html.take() else { return Ok(()) };
        let mut plain = String::with_capacity(html.len());
        let source = self.source;
        for (text, tag) in cut_tags(&html, source) {
            plain.push_str(text);
            if let Some(tag) = tag {
                self.flow.furniture(FurnitureKind::Around, tag.to_owned());
            }
        }
        let document = read_text(&plain, work)?;
        self.flow.append(document, self.layout().indent);
        // `<a id="…"></a>` on a line of its own is the name of what follows.
        if let Some(id) =
            InlineTag::parse(plain.trim_start()).and_then(|tag| tag.id).filter(|_| plain.len() < 200)
        {
            self.flow.anchor(id);
        }
        Ok(())
    }

    /// Template tags in what is not text: in addresses and in the attributes of tags.
    fn cut_tags_of(&mut self, parts: &[&str]) {
        let source = self.source;
        for tag in parts.iter().flat_map(|part| cut_tags(part, source)).filter_map(|(_, tag)| tag) {
            self.flow.furniture(FurnitureKind::Around, tag.to_owned());
        }
    }

    /// The marker as the source prints it.
    fn marker_at(&self, at: usize) -> String {
        let line = self.source.text.get(at..).unwrap_or_default().trim_start();
        let end = line.find(char::is_whitespace).unwrap_or(line.len());
        line.get(..end).unwrap_or_default().to_owned()
    }
}

/// True when an enumerated part ends here: with a stop, or with the word before the last part.
fn ends_item(text: &str) -> bool {
    let text = text.trim_end();
    text.ends_with(['.', ';', ':', ',', '–', '—']) || text.ends_with(" or") || text.ends_with(" and")
}

fn last_two(text: &str) -> Option<[char; 2]> {
    let mut end = text.chars().rev();
    let last = end.next()?;
    Some([end.next().unwrap_or(' '), last])
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

#[cfg(test)]
mod tests;
