//! From the tree to blocks: one walk, with a stack of its own.

use super::class::{Class, is_hidden};
use super::context::{Context, Frame, Grid, Kind, Leave};
use super::list::List;
use super::raised::{Raised, raised};
use super::style::{centred, style_in};
use super::table::{OpenTable, Part, Purpose, Target, is_first_cell, purpose, row_mark};
use super::tree::{Data, Element, NONE, NodeId, Tree};
use crate::document::{Block, BlockKind, Document, FurnitureKind, Layout};
use crate::error::Result;
use crate::read::flow::{Flow, ItemMarker};
use crate::read::fold::{is_blank, push_folded, push_raw};
use crate::read::text::read_text as read_plain;
use crate::work::{Stage, Work};

/// Nodes between two reports of progress.
const TICK_NODES: usize = 4_096;

/// The walk.
pub(super) struct Walker<'t> {
    tree: &'t Tree,
    flow: Flow,
    stack: Vec<Frame>,
    lists: Vec<List>,
    table: Option<OpenTable>,
    /// Row groups so far, to tell them apart.
    groups: usize,
    /// Text that stands around the document, and struck words of a cell.
    beside: String,
    struck: String,
}

impl<'t> Walker<'t> {
    pub fn new(tree: &'t Tree) -> Self {
        Walker {
            tree,
            flow: Flow::default(),
            stack: Vec::new(),
            lists: Vec::new(),
            table: None,
            groups: 0,
            beside: String::new(),
            struck: String::new(),
        }
    }

    /// Reads all below `root`.
    ///
    /// # Errors
    /// Limits on blocks, memory and time.
    pub fn read(mut self, root: NodeId, work: &mut Work<'_>) -> Result<Document> {
        let context = Context::outermost();
        let next = self.tree.first_child(root);
        self.stack.push(Frame { next, context, leave: Leave::Block });
        let mut nodes = 0;
        while let Some(frame) = self.stack.last_mut() {
            let (id, context) = (frame.next, frame.context);
            if id == NONE {
                let leave = frame.leave;
                self.stack.pop();
                self.leave(leave, context, work)?;
                continue;
            }
            frame.next = self.tree.next_sibling(id);
            match self.tree.data(id) {
                Data::Text(text) => self.text(text, context),
                Data::Element(element) => self.enter(id, element, context),
                Data::Document | Data::Other => {}
            }
            nodes += 1;
            if nodes % TICK_NODES == 0 {
                self.flow.book(work)?;
                let total = self.tree.len() as u64;
                work.tick(Stage::Read, total.saturating_add(nodes as u64).min(2 * total) / 2, total)?;
            }
        }
        self.flow.book(work)?;
        Ok(self.flow.finish())
    }

    fn enter(&mut self, id: NodeId, element: &Element, context: Context) {
        let class = Class::of(element, context.in_section);
        if class == Class::Nothing {
            return;
        }
        let is_label = context.in_form && element.html_name() == Some("label");
        let is_around = matches!(class, Class::Around { .. }) || is_label || is_hidden(element);
        if !context.around {
            let name = (element.html_name() == Some("a")).then(|| element.attr("name")).flatten();
            if let Some(id) = element.attr("id").or(name).filter(|_| !is_around) {
                self.anchor(id, class, context);
            }
        }
        // A heading that was never closed ends where other text begins.
        let heading_ends =
            matches!(context.kind, Kind::Heading(_)) && self.flow.is_open() && class.ends_heading();
        if class.separates() {
            self.separate(class, context);
        }
        let mut inner = context;
        if heading_ends {
            inner.kind = Kind::Flow;
        }
        // Contents pages are set as navigation, and the title above them is the document's.
        if context.around && context.in_contents && class == Class::Heading(1) && !is_hidden(element) {
            (inner.around, inner.in_contents) = (false, false);
        }
        if is_around && !context.around {
            inner.around = true;
            inner.in_contents = element.html_name() == Some("nav") && !is_hidden(element);
            self.descend(id, inner, Leave::Around);
            return;
        }
        inner.style = style_in(element, context.style);
        inner.centred = centred(element).unwrap_or(context.centred);
        inner.in_form |= element.html_name() == Some("form");
        let mut leave = self.open(id, element, class, &mut inner);
        let is_plain = leave == Some(Leave::Nothing) && !inner.around && self.table.is_none();
        if let Some(href) = element.attr("href").filter(|_| is_plain && element.html_name() == Some("a")) {
            self.flow.begin_link(href);
            leave = Some(Leave::Link);
        }
        if let Some(leave) = leave {
            self.descend(id, inner, leave);
        }
    }

    /// What an element of a class changes; `None` when there is nothing to be read in it.
    fn open(&mut self, id: NodeId, element: &Element, class: Class, inner: &mut Context) -> Option<Leave> {
        match class {
            Class::Break => {
                self.line_break(*inner);
                return None;
            }
            Class::Image => {
                self.image(element, *inner);
                return None;
            }
            Class::Rule | Class::Nothing => return None,
            Class::Raised => match raised(self.tree, id, self.last(*inner)) {
                Raised::Marks(marks) => {
                    self.text(&marks, *inner);
                    return None;
                }
                Raised::Apart => self.space(*inner),
                Raised::Plain => {}
            },
            Class::Quotation => {
                self.text("“", *inner);
                return Some(Leave::Quotation);
            }
            Class::Heading(level) => {
                inner.kind = Kind::Heading(level);
                return Some(Leave::Heading);
            }
            Class::Definition | Class::Quote => inner.indent += 1,
            Class::Preformatted => {
                (inner.raw, inner.kind) = (true, Kind::Preformatted);
                return Some(Leave::Preformatted);
            }
            Class::List { ordered } => {
                let tree = self.tree;
                let items = || tree.children(id).filter(|child| is_item(tree, *child)).count();
                self.lists.push(List::new(element, ordered, items));
                inner.indent += 1;
                inner.depth = inner.depth.saturating_add(1);
                return Some(Leave::List);
            }
            Class::Item if !inner.around => {
                let marker = match self.lists.last_mut().filter(|_| inner.depth > 0) {
                    Some(list) => list.marker(element),
                    None => Some("•".to_owned()),
                };
                self.flow.begin_item(ItemMarker { text: marker.unwrap_or_default(), generated: true });
                return Some(Leave::Item);
            }
            Class::Table => return Some(self.open_table(id, inner)),
            Class::RowGroup if inner.grid == Grid::Rows => {
                self.groups += 1;
                inner.part = match element.html_name() {
                    Some("thead") => Part::Head,
                    Some("tfoot") => Part::Foot,
                    _ => Part::Body,
                };
            }
            Class::Row if inner.grid == Grid::Rows => {
                if let Some(table) = &mut self.table {
                    table.begin_row(inner.part, self.groups);
                }
            }
            Class::Row if inner.grid == Grid::Marks => {
                inner.indent += 1;
                inner.depth = inner.depth.saturating_add(1);
                let text = row_mark(self.tree, id).unwrap_or_default();
                self.flow.begin_item(ItemMarker { text, generated: false });
                return Some(Leave::Item);
            }
            Class::Cell if inner.grid == Grid::Marks => {
                if is_first_cell(self.tree, id) {
                    return None;
                }
                inner.grid = Grid::Outside;
            }
            Class::Cell | Class::Caption if inner.grid == Grid::Rows => {
                let target = if class == Class::Caption { Target::Caption } else { Target::cell(element) };
                if let Some(table) = &mut self.table {
                    table.begin(target);
                }
                inner.grid = Grid::Cell;
                return Some(Leave::Target);
            }
            _ => {}
        }
        if matches!(element.html_name(), Some("article" | "section" | "main")) {
            inner.in_section = true;
        }
        if is_notes(element) && inner.kind == Kind::Flow {
            inner.kind = Kind::Footnote;
        }
        Some(if class.separates() { Leave::Block } else { Leave::Nothing })
    }

    fn open_table(&mut self, id: NodeId, inner: &mut Context) -> Leave {
        inner.centred = false;
        if inner.around || inner.grid != Grid::Outside {
            return Leave::Block;
        }
        match purpose(self.tree, id) {
            Purpose::Data => {}
            Purpose::Layout => return Leave::Block,
            Purpose::List => {
                inner.grid = Grid::Marks;
                return Leave::Block;
            }
        }
        let markers = self.flow.take_markers("");
        self.flow.paragraph(markers.trim(), Layout { indent: f32::from(inner.indent), ..Layout::default() });
        self.table = Some(OpenTable::default());
        inner.grid = Grid::Rows;
        Leave::Table
    }

    fn descend(&mut self, id: NodeId, context: Context, leave: Leave) {
        self.stack.push(Frame { next: self.tree.first_child(id), context, leave });
    }

    fn leave(&mut self, leave: Leave, context: Context, work: &mut Work<'_>) -> Result<()> {
        match leave {
            Leave::Nothing => {}
            Leave::Link => self.flow.end_link(),
            Leave::Block => self.separate(Class::Block, context),
            Leave::Preformatted => self.close_preformatted(context, work)?,
            Leave::Heading => self.separate(Class::Heading(1), context),
            Leave::Quotation => self.text("”", context),
            Leave::List => {
                self.separate(Class::Block, context);
                self.lists.pop();
            }
            Leave::Item => {
                self.separate(Class::Block, context);
                self.flow.end_item();
            }
            Leave::Around => {
                let text = std::mem::take(&mut self.beside);
                if !text.trim().is_empty() {
                    self.flow.furniture(FurnitureKind::Around, text.trim().to_owned());
                }
            }
            Leave::Target => {
                if let Some(table) = &mut self.table {
                    table.end_target();
                }
                push_folded(&mut self.struck, " ");
            }
            Leave::Table => self.close_table(context, work)?,
        }
        Ok(())
    }

    /// Old pages hold whole laws in preformatted text: those are read as the plain text that they are.
    fn close_preformatted(&mut self, context: Context, work: &mut Work<'_>) -> Result<()> {
        let is_open = !context.around && self.table.is_none();
        if let Some(text) = is_open.then(|| self.flow.take_preformatted()).flatten() {
            let document = read_plain(&text, work)?;
            let is_prose = |block: &&Block| block.kind != BlockKind::Preformatted;
            let prose: usize = document.blocks.iter().filter(is_prose).map(|block| block.span.len()).sum();
            if prose * 2 > document.text.len() && document.blocks.len() > 1 {
                self.flow.append(document, f32::from(context.indent));
                return Ok(());
            }
            self.flow.text(&text, context.style, true, || context.opening());
        }
        self.separate(Class::Block, context);
        Ok(())
    }

    fn close_table(&mut self, context: Context, work: &mut Work<'_>) -> Result<()> {
        let Some(table) = self.table.take() else { return Ok(()) };
        let finished = table.finish(work)?;
        let struck = std::mem::take(&mut self.struck);
        if !struck.trim().is_empty() {
            self.flow.furniture(FurnitureKind::Struck, struck.trim().to_owned());
        }
        let layout = Layout { indent: f32::from(context.indent), ..Layout::default() };
        if let Some(caption) = &finished.caption {
            self.flow.paragraph(caption, layout);
        }
        if let Some(table) = finished.table {
            self.flow.table(table, layout);
        }
        for note in &finished.notes {
            self.flow.paragraph(note, layout);
        }
        Ok(())
    }

    fn anchor(&mut self, id: &str, class: Class, context: Context) {
        // What is in a cell has no block of its own.
        if matches!(context.grid, Grid::Rows | Grid::Cell) {
            return;
        }
        // The id of a block that begins is not that of the open block before it.
        if class.separates() && self.flow.is_open() {
            self.separate(class, context);
        }
        self.flow.anchor(id);
    }

    /// Text before and after this place does not run on.
    fn separate(&mut self, class: Class, context: Context) {
        if context.around {
            if !self.beside.is_empty() && !self.beside.ends_with('\n') {
                self.beside.push('\n');
            }
        } else if let Some(table) = &mut self.table {
            push_folded(&mut table.text, " ");
        } else if matches!(context.kind, Kind::Heading(_)) && class == Class::Block {
            // A heading is one block, however it is laid out.
            self.flow.space();
        } else {
            self.flow.end_block();
        }
    }

    fn text(&mut self, text: &str, context: Context) {
        if context.around {
            push_folded(&mut self.beside, text);
        } else if let Some(table) = &mut self.table {
            if is_blank(text) {
                push_folded(&mut table.text, text);
                return;
            }
            if context.style.struck {
                push_folded(&mut self.struck, text);
                return;
            }
            push_folded(&mut table.text, &self.flow.take_markers(text.trim_start()));
            push_folded(&mut table.text, text);
        } else {
            self.flow.text(text, context.style, context.raw, || context.opening());
        }
    }

    fn line_break(&mut self, context: Context) {
        if context.around {
            self.separate(Class::Block, context);
        } else if let Some(table) = &mut self.table {
            push_folded(&mut table.text, " ");
        } else {
            self.flow.line_break(context.raw);
        }
    }

    fn space(&mut self, context: Context) {
        self.text(" ", context);
    }

    /// The last character before this place.
    fn last(&self, context: Context) -> Option<[char; 2]> {
        let text = match &self.table {
            _ if context.around => &self.beside,
            Some(table) => &table.text,
            None => self.flow.open_text(),
        };
        let mut end = text.chars().rev();
        let last = end.next()?;
        Some([end.next().unwrap_or(' '), last])
    }

    /// What an image shows in words is not the document's text.
    fn image(&mut self, element: &Element, context: Context) {
        let Some(alternative) = element.attr("alt").filter(|alt| !is_blank(alt)) else { return };
        let mut text = String::new();
        push_raw(&mut text, alternative);
        if context.around {
            push_folded(&mut self.beside, &format!(" {text} "));
        } else {
            self.flow.furniture(FurnitureKind::Around, text);
        }
    }
}

fn is_item(tree: &Tree, id: NodeId) -> bool {
    tree.element(id).and_then(Element::html_name) == Some("li")
}

/// True for notes by their role, or for a list of them by the class that Markdown writers give it.
fn is_notes(element: &Element) -> bool {
    let class = element.attr("class").unwrap_or_default();
    matches!(element.attr("role").map(str::trim), Some("doc-footnote" | "doc-endnote" | "doc-endnotes"))
        || class.split_ascii_whitespace().any(|class| class == "footnotes" || class == "footnote-definition")
}
