//! What stands inside a paragraph: text, signs, fields, citations of notes, tracked changes.

use super::number_format::NumberFormat;
use super::paragraph::{Citation, StoryKind};
use super::properties::RunHead;
use super::symbols::{of_symbol_font, symbol};
use super::walk::{Scope, Walker};
use super::xml::{Element, Space};
use crate::document::FurnitureKind;

/// The state that text is written in.
#[derive(Debug, Default)]
pub(super) struct Ink {
    /// The text of the element that is open.
    buffer: String,
    /// How many deletions are open.
    pub(super) deleted: usize,
    links: usize,
    /// Grows with every piece of text.
    pub(super) written: u64,
    footnotes: i64,
    endnotes: i64,
}

/// The open fields of a flow.
#[derive(Debug, Default)]
pub(super) struct Fields {
    /// True while a field's instruction is read, false in its result.
    open: Vec<bool>,
    /// How many of them are in their instruction.
    in_instruction: usize,
}

impl Fields {
    fn begin(&mut self) {
        self.open.push(true);
        self.in_instruction += 1;
    }

    fn separate(&mut self) {
        if let Some(open @ true) = self.open.last_mut() {
            *open = false;
            self.in_instruction = self.in_instruction.saturating_sub(1);
        }
    }

    fn end(&mut self) {
        self.separate();
        self.open.pop();
    }

    /// Takes every open field to be in its result.
    pub(super) fn leave_instructions(&mut self) {
        if self.in_instruction > 0 {
            self.open.fill(false);
            self.in_instruction = 0;
        }
    }
}

impl Ink {
    /// The line under a link is no emphasis, unless the run itself says so.
    pub(super) fn is_linked(&self, run: &RunHead) -> bool {
        self.links > 0 && run.direct.underlined.is_none()
    }
}

impl Walker<'_> {
    /// Keeps the text of an element that holds text.
    pub(super) fn collect(&mut self, text: &str) {
        if matches!(self.scopes.last(), Some(Scope::Text { .. } | Scope::DeletedText)) {
            self.ink.buffer.push_str(text);
        }
    }

    pub(super) fn start_inline(&mut self, element: &Element<'_>) -> Scope {
        match (element.space, element.name()) {
            (Space::Word, "t") => {
                Scope::Text { keeps_space: element.attribute("space").as_deref() == Some("preserve") }
            }
            (Space::Math, "t") => Scope::Text { keeps_space: true },
            (Space::Word, "delText") => {
                self.ink.deleted += 1;
                Scope::DeletedText
            }
            (Space::Word, "del" | "moveFrom") => {
                self.ink.deleted += 1;
                self.seen.deletions += 1;
                Scope::Deleted
            }
            (Space::Word, "ins" | "moveTo") => {
                self.seen.insertions += 1;
                Scope::Other
            }
            (Space::Word, "hyperlink") => {
                self.ink.links += 1;
                Scope::Link
            }
            (Space::Word, "fldChar") => {
                self.field(element);
                Scope::Other
            }
            (Space::Word, "footnoteReference") => self.cite(StoryKind::Footnote, element),
            (Space::Word, "endnoteReference") => self.cite(StoryKind::Endnote, element),
            (Space::Word, "tab" | "ptab") => self.sign("\t"),
            (Space::Word, "br" | "cr") => self.sign("\n"),
            (Space::Word, "noBreakHyphen") => self.sign("-"),
            (Space::Word, "sym") => {
                let font = element.attribute("font").unwrap_or_default();
                let code = element.attribute("char").and_then(|code| u32::from_str_radix(&code, 16).ok());
                self.sign(code.map_or(' ', |code| symbol(&font, code)).encode_utf8(&mut [0; 4]))
            }
            (Space::Math, "num") => Scope::Numerator,
            _ => Scope::Other,
        }
    }

    pub(super) fn end_inline(&mut self, scope: Scope) {
        match scope {
            Scope::Text { keeps_space } => {
                let text = std::mem::take(&mut self.ink.buffer);
                self.write(if keeps_space { &text } else { text.trim_matches([' ', '\n', '\r', '\t']) });
            }
            Scope::DeletedText => {
                let text = std::mem::take(&mut self.ink.buffer);
                self.write(&text);
                self.ink.deleted = self.ink.deleted.saturating_sub(1);
            }
            Scope::Deleted => self.ink.deleted = self.ink.deleted.saturating_sub(1),
            Scope::Link => self.ink.links = self.ink.links.saturating_sub(1),
            Scope::Numerator => self.put("/"),
            _ => {}
        }
    }

    fn sign(&mut self, sign: &str) -> Scope {
        self.put(sign);
        Scope::Other
    }

    /// Writes text of the file: soft hyphens go, special spaces and hyphens become plain ones.
    fn write(&mut self, text: &str) {
        let look = self.flow.look;
        let mut plain = String::with_capacity(text.len());
        for c in text.chars() {
            match c {
                '\u{ad}' | '\u{feff}' => {}
                '\u{a0}' | '\n' | '\r' | '\t' => plain.push(' '),
                '\u{2011}' => plain.push('-'),
                '\u{f020}'..='\u{f0ff}' if look.symbol => {
                    plain.push(of_symbol_font(c).unwrap_or(char::REPLACEMENT_CHARACTER));
                }
                c if c.is_control() => {}
                c if look.caps => plain.extend(c.to_uppercase()),
                c => plain.push(c),
            }
        }
        self.put(&plain);
    }

    /// Puts text where it belongs: into the text, or beside it.
    fn put(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        self.ink.written += 1;
        self.take_anchor();
        let is_deleted = self.ink.deleted > 0;
        let is_unseen = self.flow.look.hidden || self.flow.fields.in_instruction > 0;
        let look = self.flow.look;
        let content = &mut self.paragraph().content;
        match (is_deleted, is_unseen) {
            (true, _) => content.push_aside(text, FurnitureKind::Deleted),
            (_, true) => content.push_aside(text, FurnitureKind::Around),
            _ => content.push(text, look),
        }
    }

    fn field(&mut self, element: &Element<'_>) {
        let fields = &mut self.flow.fields;
        match element.attribute("fldCharType").as_deref() {
            Some("begin") => fields.begin(),
            Some("separate") => fields.separate(),
            Some("end") => fields.end(),
            _ => {}
        }
    }

    /// A citation of a note: its mark goes into the text in brackets, so that it does not become part of
    /// the word or number before it.
    fn cite(&mut self, kind: StoryKind, element: &Element<'_>) -> Scope {
        if self.ink.deleted > 0 {
            return Scope::Other;
        }
        let brings_own = element
            .attribute("customMarkFollows")
            .is_some_and(|v| !matches!(v.as_str(), "0" | "false" | "off"));
        let id = element.number("id").unwrap_or(-1);
        let mark = (!brings_own).then(|| {
            let (count, format) = match kind {
                StoryKind::Endnote => (&mut self.ink.endnotes, self.context.endnote_format),
                _ => (&mut self.ink.footnotes, self.context.footnote_format),
            };
            *count += 1;
            let format = format.unwrap_or(match kind {
                StoryKind::Endnote => NumberFormat::LowerRoman,
                _ => NumberFormat::Decimal,
            });
            format!("[{}]", format.show(*count))
        });
        if let Some(mark) = &mark {
            self.put(mark);
        }
        self.paragraph().content.citations.push(Citation { kind, id, mark });
        Scope::Other
    }
}
