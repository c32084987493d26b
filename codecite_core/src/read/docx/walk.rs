//! Walks through a part in document order and makes paragraphs and tables of it. Which elements are open is
//! kept on a stack of its own, so that the depth of the file does not decide the depth of the program.

use super::Context;
use super::inline::{Fields, Ink};
use super::numbering::Counters;
use super::paragraph::{Item, Open, Paragraph, ParagraphKind, StoryKind};
use super::properties::{RunHead, read_paragraph, read_run};
use super::rows::OpenTable;
use super::styles::Look;
use super::xml::{Element, Space, Token, Xml};
use crate::error::Result;
use crate::work::Work;

/// Bookmarks that a word processor sets for itself and that lead nowhere.
const OWN_BOOKMARKS: [&str; 4] = ["_GoBack", "_Hlk", "OLE_LINK", "_MON_"];

/// What has to be done when an element ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Scope {
    Other,
    Paragraph,
    Run,
    Text {
        keeps_space: bool,
    },
    DeletedText,
    Deleted,
    Link,
    Table,
    Row,
    Cell,
    Box,
    Story(StoryKind, i64),
    /// Several forms of one content, of which one is read.
    Alternatives {
        is_read: bool,
    },
    Alternative {
        written_before: u64,
    },
    Numerator,
}

/// Paragraphs one after the other: the document's body, a cell, a text box, a note.
#[derive(Debug, Default)]
pub(super) struct Flow {
    pub(super) items: Vec<Item>,
    pub(super) paragraph: Option<Open>,
    /// A paragraph whose mark was deleted, to be joined with the next.
    carried: Option<Open>,
    /// How the open run looks.
    pub(super) look: Look,
    pub(super) fields: Fields,
    /// A table in it is read as paragraphs.
    pub(super) is_flat: bool,
}

/// What was seen of tracked changes, and what could not be read.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Seen {
    pub(super) insertions: usize,
    pub(super) deletions: usize,
    pub(super) joined: usize,
    pub(super) unread: usize,
}

/// The walk through one part.
pub(super) struct Walker<'c> {
    pub(super) context: &'c Context,
    counters: Counters,
    /// Text boxes are counted apart from the text around them.
    box_counters: Counters,
    boxes: usize,
    pub(super) scopes: Vec<Scope>,
    pub(super) flow: Flow,
    /// The flows around the present one.
    outer: Vec<Flow>,
    pub(super) tables: Vec<OpenTable>,
    pub(super) ink: Ink,
    pub(super) anchor: Option<String>,
    /// Memory booked for what is kept.
    booked: u64,
    pub(super) seen: Seen,
}

/// Takes what a part holds, piece by piece.
pub(super) type Receiver<'r> = dyn FnMut(Item, &mut Work<'_>) -> Result<()> + 'r;

impl<'c> Walker<'c> {
    /// In a flat part tables are read as paragraphs.
    pub(super) fn new(context: &'c Context, is_flat: bool) -> Self {
        Walker {
            context,
            counters: Counters::default(),
            box_counters: Counters::default(),
            boxes: 0,
            scopes: Vec::new(),
            flow: Flow { is_flat, ..Flow::default() },
            outer: Vec::new(),
            tables: Vec::new(),
            ink: Ink::default(),
            anchor: None,
            booked: 0,
            seen: Seen::default(),
        }
    }

    /// Reads a part to its end.
    pub(super) fn run(&mut self, xml: &mut Xml<'_, '_, '_>, receiver: &mut Receiver<'_>) -> Result<()> {
        while let Some(token) = xml.step()? {
            match token {
                Token::Start(element) => {
                    let scope = self.start(&element, xml)?;
                    self.scopes.extend(scope);
                }
                Token::Text(text) => self.collect(&text),
                Token::End => {
                    if let Some(scope) = self.scopes.pop() {
                        self.end(scope, xml.work)?;
                    }
                }
            }
            if self.outer.is_empty() {
                self.hand_over(xml.work, receiver)?;
            }
        }
        self.finish_flow(xml.work)?;
        self.hand_over(xml.work, receiver)
    }

    fn hand_over(&mut self, work: &mut Work<'_>, receiver: &mut Receiver<'_>) -> Result<()> {
        if self.flow.items.is_empty() {
            return Ok(());
        }
        for item in std::mem::take(&mut self.flow.items) {
            receiver(item, work)?;
        }
        if self.tables.is_empty() {
            work.release_memory(std::mem::take(&mut self.booked));
        }
        Ok(())
    }

    /// Acts on the start of an element. `None` when it has been read to its end.
    fn start(&mut self, element: &Element<'_>, xml: &mut Xml<'_, '_, '_>) -> Result<Option<Scope>> {
        let scope = match (element.space, element.name()) {
            (Space::Word, "p") => {
                self.finish_paragraph(xml.work)?;
                self.paragraph();
                Scope::Paragraph
            }
            (Space::Word, "pPr") => {
                let head = read_paragraph(xml)?;
                self.paragraph().head = head;
                return Ok(None);
            }
            (Space::Word | Space::Math, "r") => {
                self.set_look(&RunHead::default());
                Scope::Run
            }
            (Space::Word, "rPr") => {
                let head = read_run(xml)?;
                if self.scopes.last() == Some(&Scope::Run) {
                    self.set_look(&head);
                }
                return Ok(None);
            }
            (Space::Word, "tbl" | "tblPr" | "tblGrid" | "tblPrEx" | "tr" | "trPr" | "tc" | "tcPr") => {
                return self.start_of_table(element.name(), xml);
            }
            (Space::Word, "txbxContent") => {
                self.enter(self.flow.is_flat);
                self.boxes += 1;
                Scope::Box
            }
            (Space::Word, "footnote" | "endnote" | "comment") => return self.start_story(element, xml),
            (Space::Word, "bookmarkStart") => {
                self.bookmark(element);
                Scope::Other
            }
            (Space::Compatibility, "AlternateContent") => Scope::Alternatives { is_read: false },
            (Space::Compatibility, "Choice" | "Fallback") => {
                if self.scopes.last() == Some(&Scope::Alternatives { is_read: true }) {
                    xml.skip()?;
                    return Ok(None);
                }
                Scope::Alternative { written_before: self.ink.written }
            }
            // Embedded files, diagrams, charts and objects of other programs.
            (Space::Word, "altChunk" | "subDoc") | (Space::Other, "relIds" | "chart" | "OLEObject") => {
                self.seen.unread += 1;
                Scope::Other
            }
            (
                Space::Word,
                "sectPr" | "sdtPr" | "sdtEndPr" | "customXmlPr" | "smartTagPr" | "rubyPr" | "rt"
                | "instrText" | "delInstrText",
            ) => {
                xml.skip()?;
                return Ok(None);
            }
            _ => self.start_inline(element),
        };
        Ok(Some(scope))
    }

    /// Acts on the end of an element.
    fn end(&mut self, scope: Scope, work: &mut Work<'_>) -> Result<()> {
        match scope {
            Scope::Paragraph => self.finish_paragraph(work)?,
            Scope::Table => self.end_table(work)?,
            Scope::Row => self.end_row(work)?,
            Scope::Cell => self.end_cell(work)?,
            Scope::Box => {
                let items = self.leave(work)?;
                self.boxes = self.boxes.saturating_sub(1);
                self.paragraph().boxes.extend(items);
            }
            Scope::Story(kind, id) => {
                let paragraphs = self.leave(work)?.into_iter().filter_map(Item::into_paragraph).collect();
                self.flow.items.push(Item::Story { kind, id, paragraphs });
            }
            Scope::Alternative { written_before } => {
                let is_written = self.ink.written > written_before;
                if let Some(Scope::Alternatives { is_read }) = self.scopes.last_mut() {
                    *is_read |= is_written;
                }
            }
            _ => self.end_inline(scope),
        }
        Ok(())
    }

    /// The open paragraph; text outside every paragraph opens one.
    pub(super) fn paragraph(&mut self) -> &mut Open {
        self.flow.paragraph.get_or_insert_default()
    }

    fn set_look(&mut self, run: &RunHead) {
        let context = self.context;
        let look = context.styles.look(&self.paragraph().head, run);
        self.flow.look = Look { underlined: look.underlined && !self.ink.is_linked(run), ..look };
    }

    /// Begins a flow inside the present one.
    pub(super) fn enter(&mut self, is_flat: bool) {
        let flow = Flow { is_flat, ..Flow::default() };
        self.outer.push(std::mem::replace(&mut self.flow, flow));
    }

    /// Ends the present flow and returns what it holds.
    pub(super) fn leave(&mut self, work: &mut Work<'_>) -> Result<Vec<Item>> {
        self.finish_flow(work)?;
        let flow = std::mem::replace(&mut self.flow, self.outer.pop().unwrap_or_default());
        Ok(flow.items)
    }

    pub(super) fn finish_flow(&mut self, work: &mut Work<'_>) -> Result<()> {
        self.finish_paragraph(work)?;
        self.finish_carried(work)
    }

    fn finish_paragraph(&mut self, work: &mut Work<'_>) -> Result<()> {
        let Some(mut open) = self.flow.paragraph.take() else { return Ok(()) };
        // A field whose instruction does not end here would swallow the rest of the document.
        self.flow.fields.leave_instructions();
        if let Some(before) = self.flow.carried.take() {
            open.join(before);
        }
        if open.head.mark_deleted {
            self.seen.joined += 1;
            self.flow.carried = Some(open);
            return Ok(());
        }
        self.keep(open, work)
    }

    /// A deleted paragraph mark with nothing behind it to join.
    fn finish_carried(&mut self, work: &mut Work<'_>) -> Result<()> {
        match self.flow.carried.take() {
            Some(open) => self.keep(open, work),
            None => Ok(()),
        }
    }

    /// Works out what a paragraph is and puts it into the flow.
    fn keep(&mut self, open: Open, work: &mut Work<'_>) -> Result<()> {
        let Open { head, mut content, boxes } = open;
        let styles = &self.context.styles;
        let properties = styles.paragraph(&head);
        if content.is_void() && boxes.is_empty() && properties.number_id.is_none() {
            return Ok(());
        }
        let counters = if self.boxes > 0 { &mut self.box_counters } else { &mut self.counters };
        let label = match self.ink.deleted {
            0 => self.context.numbering.label(&head, &properties, styles, counters),
            _ => None,
        };
        let mut mark = head.mark.clone();
        if let Some(label) = &label {
            let mut run = label.run.clone();
            run.inherit(&mark.direct);
            mark.direct = run;
        }
        let is_blank_bullet = label.as_ref().is_some_and(|label| label.is_bullet) && content.is_blank();
        let look = styles.look(&head, &mark);
        content.finish(label.as_ref().filter(|_| !is_blank_bullet), look);
        content.kind = match (properties.outline, &label) {
            (Some(level @ 0..=8), _) => ParagraphKind::Heading(level + 1),
            (_, Some(label)) => ParagraphKind::Item(label.depth),
            _ => ParagraphKind::Plain,
        };
        let left = properties.indent.or(label.and_then(|label| label.indent)).unwrap_or(0);
        let first = left.saturating_add(properties.first_line.unwrap_or(0).min(0)).clamp(0, 100_000);
        content.layout.indent = first as f32 / 20.0;
        content.layout.size = content.main_size();
        content.layout.centred = properties.centred.unwrap_or(false);
        if !content.is_void() {
            content.shrink();
            self.book(content.weight(), work)?;
            self.flow.items.push(Item::Paragraph(content));
        }
        self.flow.items.extend(boxes);
        Ok(())
    }

    pub(super) fn book(&mut self, bytes: u64, work: &mut Work<'_>) -> Result<()> {
        self.booked = self.booked.saturating_add(bytes);
        work.charge_memory(bytes)
    }

    fn bookmark(&mut self, element: &Element<'_>) {
        let Some(name) = element.attribute("name").filter(|name| !name.is_empty()) else { return };
        if OWN_BOOKMARKS.iter().any(|own| name.starts_with(own)) {
            return;
        }
        let anchor = match &mut self.flow.paragraph {
            Some(open) => &mut open.content.anchor,
            None => &mut self.anchor,
        };
        // A name that a person gave is better than one for a table of contents.
        if anchor.as_ref().is_none_or(|old| old.starts_with('_') && !name.starts_with('_')) {
            *anchor = Some(name);
        }
    }

    fn start_story(&mut self, element: &Element<'_>, xml: &mut Xml<'_, '_, '_>) -> Result<Option<Scope>> {
        let kind = match element.name() {
            "footnote" => StoryKind::Footnote,
            "endnote" => StoryKind::Endnote,
            _ => StoryKind::Comment,
        };
        let is_separator = element.attribute("type").is_some_and(|kind| kind != "normal");
        // Inside a note or the document's body these elements are something else.
        if is_separator || !self.outer.is_empty() || !self.flow.is_flat {
            xml.skip()?;
            return Ok(None);
        }
        self.finish_flow(xml.work)?;
        self.enter(true);
        Ok(Some(Scope::Story(kind, element.number("id").unwrap_or(-1))))
    }

    /// The bookmark that stands before the open paragraph becomes its anchor.
    pub(super) fn take_anchor(&mut self) {
        let anchor = self.anchor.take();
        let content = &mut self.paragraph().content;
        content.anchor = content.anchor.take().or(anchor);
    }
}

impl Item {
    pub(super) fn into_paragraph(self) -> Option<Paragraph> {
        match self {
            Item::Paragraph(paragraph) => Some(paragraph),
            Item::Table(_) | Item::Story { .. } => None,
        }
    }
}
