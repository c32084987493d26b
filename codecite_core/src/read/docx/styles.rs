//! Styles: what a paragraph or run looks like once inheritance, defaults and toggles are worked out.

use std::collections::HashMap;

use super::properties::{
    ParagraphHead, ParagraphProperties, RunHead, RunProperties, read_paragraph, read_run,
};
use super::xml::{Element, Space, Xml};
use crate::error::Result;

/// Styles may be based on each other in a circle; a chain is followed so far.
const MAX_CHAIN: usize = 64;
/// What is booked for a style.
const STYLE_BYTES: u64 = 384;

/// One style as the file states it.
#[derive(Debug, Clone, Default)]
struct Style {
    name: String,
    based_on: Option<String>,
    paragraph: ParagraphProperties,
    run: RunProperties,
}

/// The styles of a document.
#[derive(Debug, Default)]
pub(super) struct Styles {
    styles: HashMap<String, Style>,
    default_paragraph: Option<String>,
    document_run: RunProperties,
    document_paragraph: ParagraphProperties,
}

/// How a run is set in the end.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Look {
    pub(super) bold: bool,
    pub(super) italic: bool,
    pub(super) underlined: bool,
    pub(super) struck: bool,
    pub(super) caps: bool,
    pub(super) hidden: bool,
    pub(super) symbol: bool,
    /// In half-points.
    pub(super) size: u16,
}

impl Styles {
    /// Reads the part that holds the styles.
    pub(super) fn read(xml: &mut Xml<'_, '_, '_>) -> Result<Self> {
        let mut styles = Styles::default();
        while let Some(element) = xml.next_inside(0)? {
            match (element.space, element.name()) {
                (Space::Word, "style") => styles.read_style(&element, xml)?,
                (Space::Word, "rPrDefault") => styles.document_run = read_defaults(xml)?.1,
                (Space::Word, "pPrDefault") => styles.document_paragraph = read_defaults(xml)?.0.direct,
                _ => {}
            }
        }
        Ok(styles)
    }

    fn read_style(&mut self, element: &Element<'_>, xml: &mut Xml<'_, '_, '_>) -> Result<()> {
        let id = element.attribute("styleId").unwrap_or_default();
        let is_paragraph = element.attribute("type").is_none_or(|kind| kind == "paragraph");
        let is_default = matches!(element.attribute("default").as_deref(), Some("1" | "true" | "on"));
        let mut style = Style::default();
        let depth = xml.depth();
        while let Some(inner) = xml.next_inside(depth)? {
            match (inner.space, inner.name()) {
                (Space::Word, "name") => style.name = inner.val().unwrap_or_default().to_lowercase(),
                (Space::Word, "basedOn") => style.based_on = inner.val(),
                (Space::Word, "pPr") => style.paragraph = read_paragraph(xml)?.direct,
                (Space::Word, "rPr") => style.run = read_run(xml)?.direct,
                // The parts of a table style.
                (Space::Word, "tblStylePr" | "tblPr" | "trPr" | "tcPr") => xml.skip()?,
                _ => {}
            }
        }
        xml.work.charge_memory(STYLE_BYTES + (id.len() + style.name.len()) as u64)?;
        if is_default && is_paragraph {
            self.default_paragraph = Some(id.clone());
        }
        self.styles.insert(id, style);
        Ok(())
    }

    /// The style and those it is based on, from the nearest on.
    fn chain<'s>(&'s self, id: Option<&'s str>) -> impl Iterator<Item = (&'s str, &'s Style)> {
        let first = id.and_then(|id| self.styles.get_key_value(id));
        let above = |(_, style): &(&'s String, &'s Style)| {
            style.based_on.as_ref().and_then(|id| self.styles.get_key_value(id))
        };
        std::iter::successors(first, above).take(MAX_CHAIN).map(|(id, style)| (id.as_str(), style))
    }

    /// The style of a paragraph that names none, or one that does not exist.
    fn paragraph_style<'s>(&'s self, head: &'s ParagraphHead) -> Option<&'s str> {
        head.style.as_deref().filter(|id| self.styles.contains_key(*id)).or(self.default_paragraph.as_deref())
    }

    /// The styles of a paragraph, from its own to the one that all are based on.
    pub(super) fn names<'s>(&'s self, head: &'s ParagraphHead) -> impl Iterator<Item = &'s str> {
        self.chain(self.paragraph_style(head)).map(|(id, _)| id)
    }

    /// The number that a numbering style leads to.
    pub(super) fn number_of(&self, style: &str) -> Option<i64> {
        self.chain(Some(style)).find_map(|(_, style)| style.paragraph.number_id)
    }

    /// What holds for a paragraph.
    pub(super) fn paragraph(&self, head: &ParagraphHead) -> ParagraphProperties {
        let mut properties = head.direct.clone();
        for (_, style) in self.chain(self.paragraph_style(head)) {
            properties.inherit(&style.paragraph);
            // Not every producer states the level of the built-in headings, whose names no language changes.
            properties.outline = properties.outline.or_else(|| level_of_name(&style.name));
        }
        properties.inherit(&self.document_paragraph);
        properties
    }

    /// How a run looks in a paragraph.
    pub(super) fn look(&self, paragraph: &ParagraphHead, run: &RunHead) -> Look {
        let mut from_paragraph = RunProperties::default();
        for (_, style) in self.chain(self.paragraph_style(paragraph)) {
            from_paragraph.inherit(&style.run);
        }
        let mut from_character = RunProperties::default();
        let mut is_link = false;
        for (_, style) in self.chain(run.style.as_deref()) {
            from_character.inherit(&style.run);
            is_link |= matches!(style.name.as_str(), "hyperlink" | "followedhyperlink");
        }
        let defaults = &self.document_run;
        // A toggle that is set in the paragraph's and in the character's style is off again.
        let toggle = |of: fn(&RunProperties) -> Option<bool>| {
            of(&run.direct).unwrap_or_else(|| {
                let (paragraph, character) = (of(&from_paragraph), of(&from_character));
                of(defaults) == Some(true) && paragraph.is_none() && character.is_none()
                    || paragraph.unwrap_or(false) != character.unwrap_or(false)
            })
        };
        // The line under a link is no emphasis.
        let underlined = run.direct.underlined.or(from_character.underlined.filter(|_| !is_link));
        Look {
            bold: toggle(|p| p.bold),
            italic: toggle(|p| p.italic),
            caps: toggle(|p| p.caps),
            struck: toggle(|p| p.struck) || toggle(|p| p.double_struck),
            hidden: toggle(|p| p.hidden),
            underlined: underlined.or(from_paragraph.underlined).or(defaults.underlined).unwrap_or(false),
            symbol: run.direct.symbol.or(from_character.symbol).or(from_paragraph.symbol).unwrap_or(false),
            size: run
                .direct
                .size
                .or(from_character.size)
                .or(from_paragraph.size)
                .or(defaults.size)
                .unwrap_or(0),
        }
    }
}

/// The properties inside `rPrDefault` or `pPrDefault`.
fn read_defaults(xml: &mut Xml<'_, '_, '_>) -> Result<(ParagraphHead, RunProperties)> {
    let (mut paragraph, mut run) = (ParagraphHead::default(), RunProperties::default());
    let depth = xml.depth();
    while let Some(element) = xml.next_inside(depth)? {
        match (element.space, element.name()) {
            (Space::Word, "pPr") => paragraph = read_paragraph(xml)?,
            (Space::Word, "rPr") => run = read_run(xml)?.direct,
            _ => {}
        }
    }
    Ok((paragraph, run))
}

fn level_of_name(name: &str) -> Option<u8> {
    let level: u8 = name.strip_prefix("heading ")?.parse().ok()?;
    (1..=9).contains(&level).then(|| level - 1)
}
