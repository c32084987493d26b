//! What the elements around a place mean for the text there.

use super::table::Part;
use super::tree::NodeId;
use crate::document::{BlockKind, Layout, Style};
use crate::read::flow::Opening;

/// What an element hands down to what is in it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Context {
    pub style: Style,
    /// White space stands as it is.
    pub raw: bool,
    pub kind: Kind,
    /// Steps to the right: lists, definitions, quotations.
    pub indent: u16,
    /// Lists around it.
    pub depth: u8,
    pub centred: bool,
    /// Inside an article or a section.
    pub in_section: bool,
    pub in_form: bool,
    pub grid: Grid,
    pub part: Part,
    /// What is in it stands around the document.
    pub around: bool,
    /// Inside navigation, where the title of the document may stand above its contents.
    pub in_contents: bool,
}

/// What kind of block text opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Flow,
    Heading(u8),
    Footnote,
    Preformatted,
}

/// Where in a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Grid {
    Outside,
    /// In a table that is a list, between its cells.
    Marks,
    /// In a table, between its cells.
    Rows,
    /// In a cell or a caption, with all that is in it.
    Cell,
}

/// What is to be done at the end of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Leave {
    Nothing,
    Block,
    List,
    Item,
    Around,
    Heading,
    Preformatted,
    Table,
    Target,
    Quotation,
    Link,
}

/// An element that is being read.
#[derive(Debug)]
pub(super) struct Frame {
    pub next: NodeId,
    pub context: Context,
    pub leave: Leave,
}

impl Context {
    /// Outside every element.
    pub fn outermost() -> Self {
        Context {
            style: Style::default(),
            raw: false,
            kind: Kind::Flow,
            indent: 0,
            depth: 0,
            centred: false,
            in_section: false,
            in_form: false,
            grid: Grid::Outside,
            part: Part::Body,
            around: false,
            in_contents: false,
        }
    }

    /// The block that text opens here.
    pub fn opening(self) -> Opening {
        let kind = match self.kind {
            Kind::Flow => BlockKind::Paragraph,
            Kind::Heading(level) => BlockKind::Heading { level },
            Kind::Footnote => BlockKind::Footnote,
            Kind::Preformatted => BlockKind::Preformatted,
        };
        let layout = Layout { size: 0.0, indent: f32::from(self.indent), centred: self.centred };
        Opening { kind, layout, depth: self.depth }
    }
}
