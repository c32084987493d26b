//! Properties of paragraphs and runs, as styles and direct formatting state them.

use super::xml::{Element, Space, Xml};
use crate::error::Result;

/// What a run's properties say; `None` where they say nothing.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct RunProperties {
    pub(super) bold: Option<bool>,
    pub(super) italic: Option<bool>,
    pub(super) caps: Option<bool>,
    pub(super) struck: Option<bool>,
    pub(super) double_struck: Option<bool>,
    pub(super) hidden: Option<bool>,
    pub(super) underlined: Option<bool>,
    /// In half-points.
    pub(super) size: Option<u16>,
    /// The font is Symbol, whose letters are other characters.
    pub(super) symbol: Option<bool>,
}

/// What a paragraph's properties say; `None` where they say nothing.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct ParagraphProperties {
    /// 0-8 for a heading of level 1-9, 9 for body text.
    pub(super) outline: Option<u8>,
    pub(super) number_id: Option<i64>,
    pub(super) number_level: Option<u8>,
    pub(super) centred: Option<bool>,
    /// Left indent in twentieths of a point.
    pub(super) indent: Option<i64>,
    pub(super) first_line: Option<i64>,
}

/// Everything that a `pPr` element says.
#[derive(Debug, Clone, Default)]
pub(super) struct ParagraphHead {
    pub(super) style: Option<String>,
    pub(super) direct: ParagraphProperties,
    /// The formatting of the paragraph mark, which its automatic number shares.
    pub(super) mark: RunHead,
    /// The mark was deleted or moved away: the paragraph goes on in the next one.
    pub(super) mark_deleted: bool,
}

/// Everything that an `rPr` element says.
#[derive(Debug, Clone, Default)]
pub(super) struct RunHead {
    pub(super) style: Option<String>,
    pub(super) direct: RunProperties,
    /// A tracked change took it away.
    pub(super) deleted: bool,
}

impl RunProperties {
    /// Takes over what `above` says where this says nothing.
    pub(super) fn inherit(&mut self, above: &RunProperties) {
        self.bold = self.bold.or(above.bold);
        self.italic = self.italic.or(above.italic);
        self.caps = self.caps.or(above.caps);
        self.struck = self.struck.or(above.struck);
        self.double_struck = self.double_struck.or(above.double_struck);
        self.hidden = self.hidden.or(above.hidden);
        self.underlined = self.underlined.or(above.underlined);
        self.size = self.size.or(above.size);
        self.symbol = self.symbol.or(above.symbol);
    }

    fn read(&mut self, element: &Element<'_>) {
        match element.name() {
            "b" => self.bold = Some(element.is_on()),
            "i" => self.italic = Some(element.is_on()),
            "caps" => self.caps = Some(element.is_on()),
            "strike" => self.struck = Some(element.is_on()),
            "dstrike" => self.double_struck = Some(element.is_on()),
            "vanish" => self.hidden = Some(element.is_on()),
            "u" => self.underlined = Some(element.val().is_none_or(|line| line != "none")),
            "sz" => self.size = element.number("val").and_then(|size| u16::try_from(size).ok()),
            "rFonts" => {
                let font = element.attribute("ascii").or_else(|| element.attribute("hAnsi"));
                self.symbol = font.map(|font| font.eq_ignore_ascii_case("symbol")).or(self.symbol);
            }
            _ => {}
        }
    }
}

impl ParagraphProperties {
    /// Takes over what `above` says where this says nothing.
    pub(super) fn inherit(&mut self, above: &ParagraphProperties) {
        self.outline = self.outline.or(above.outline);
        self.number_id = self.number_id.or(above.number_id);
        self.number_level = self.number_level.or(above.number_level);
        self.centred = self.centred.or(above.centred);
        self.indent = self.indent.or(above.indent);
        self.first_line = self.first_line.or(above.first_line);
    }

    fn read(&mut self, element: &Element<'_>) {
        let small = |name: &str| element.number(name).and_then(|n| u8::try_from(n).ok());
        match element.name() {
            "outlineLvl" => self.outline = small("val"),
            "numId" => self.number_id = element.number("val"),
            "ilvl" => self.number_level = small("val"),
            "jc" => self.centred = Some(element.val().as_deref() == Some("center")),
            "ind" => {
                self.indent = element.number("left").or_else(|| element.number("start")).or(self.indent);
                let hanging = element.number("hanging").map(|n| n.saturating_neg());
                self.first_line = element.number("firstLine").or(hanging).or(self.first_line);
            }
            _ => {}
        }
    }
}

/// Reads a `pPr` element that has just started, to its end.
pub(super) fn read_paragraph(xml: &mut Xml<'_, '_, '_>) -> Result<ParagraphHead> {
    let mut head = ParagraphHead::default();
    let depth = xml.depth();
    while let Some(element) = xml.next_inside(depth)? {
        match (element.space, element.name()) {
            (Space::Word, "pStyle") => head.style = element.val(),
            (Space::Word, "rPr") => {
                head.mark = read_run(xml)?;
                head.mark_deleted = head.mark.deleted;
            }
            // What the properties were before a tracked change; the properties of the page.
            (_, "pPrChange" | "numberingChange" | "sectPr") => xml.skip()?,
            (Space::Word, _) => head.direct.read(&element),
            _ => {}
        }
    }
    Ok(head)
}

/// Reads an `rPr` element that has just started, to its end.
pub(super) fn read_run(xml: &mut Xml<'_, '_, '_>) -> Result<RunHead> {
    let mut head = RunHead::default();
    let depth = xml.depth();
    while let Some(element) = xml.next_inside(depth)? {
        match (element.space, element.name()) {
            (Space::Word, "rStyle") => head.style = element.val(),
            (Space::Word, "del" | "moveFrom") => head.deleted = true,
            (_, "rPrChange") => xml.skip()?,
            (Space::Word, _) => head.direct.read(&element),
            _ => {}
        }
    }
    Ok(head)
}
