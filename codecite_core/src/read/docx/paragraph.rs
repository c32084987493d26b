//! Paragraphs while they are read, and what has been made of them.

use super::numbering::Label;
use super::properties::ParagraphHead;
use super::styles::Look;
use crate::document::{FurnitureKind, Layout, Style};

/// A stretch of a paragraph's text that looks the same, up to `end`.
#[derive(Debug, Clone, Copy)]
struct Piece {
    end: usize,
    look: Look,
}

/// Text that stood at `at` and is not part of the text.
#[derive(Debug, Clone)]
pub(super) struct Aside {
    pub(super) at: usize,
    pub(super) kind: FurnitureKind,
    pub(super) text: String,
}

/// Which collection a note or comment belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum StoryKind {
    Footnote,
    Endnote,
    Comment,
}

/// A citation of a note.
#[derive(Debug, Clone)]
pub(super) struct Citation {
    pub(super) kind: StoryKind,
    pub(super) id: i64,
    /// The mark in front of the note's text; `None` where the note brings its own.
    pub(super) mark: Option<String>,
}

/// What a paragraph is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum ParagraphKind {
    #[default]
    Plain,
    Heading(u8),
    Item(u8),
}

/// The content of a paragraph.
#[derive(Debug, Clone, Default)]
pub(super) struct Paragraph {
    pub(super) text: String,
    pieces: Vec<Piece>,
    pub(super) asides: Vec<Aside>,
    pub(super) citations: Vec<Citation>,
    pub(super) anchor: Option<String>,
    pub(super) kind: ParagraphKind,
    pub(super) layout: Layout,
}

/// Something in the flow of the document.
#[derive(Debug)]
pub(super) enum Item {
    Paragraph(Paragraph),
    Table(super::table::RawTable),
    Story { kind: StoryKind, id: i64, paragraphs: Vec<Paragraph> },
}

/// A paragraph that is being read.
#[derive(Debug, Default)]
pub(super) struct Open {
    pub(super) head: ParagraphHead,
    pub(super) content: Paragraph,
    /// The content of text boxes that are anchored in it.
    pub(super) boxes: Vec<Item>,
}

impl Look {
    pub(super) fn style(self) -> Style {
        Style { bold: self.bold, italic: self.italic, underlined: self.underlined, struck: self.struck }
    }
}

impl Open {
    /// Puts what stood before a deleted paragraph mark in front. A sentence that ended there stays apart from
    /// the next; half a word does not.
    pub(super) fn join(&mut self, mut before: Open) {
        let is_apart = !self.content.text.starts_with(char::is_whitespace) && !self.content.text.is_empty();
        if is_apart && before.content.text.ends_with(['.', ',', ';', ':', ')']) {
            before.content.push(" ", Look::default());
        }
        before.content.append(std::mem::take(&mut self.content));
        self.content = before.content;
        before.boxes.append(&mut self.boxes);
        self.boxes = before.boxes;
    }
}

impl Paragraph {
    /// Adds text at the end.
    pub(super) fn push(&mut self, text: &str, look: Look) {
        self.text.push_str(text);
        self.close_piece(look);
    }

    fn close_piece(&mut self, look: Look) {
        let end = self.text.len();
        match self.pieces.last_mut() {
            Some(last) if last.look == look => last.end = end,
            _ => self.pieces.push(Piece { end, look }),
        }
    }

    /// Records text that stands here and is not part of the text.
    pub(super) fn push_aside(&mut self, text: &str, kind: FurnitureKind) {
        let at = self.text.len();
        match self.asides.last_mut() {
            Some(last) if last.at == at && last.kind == kind => last.text.push_str(text),
            _ => self.asides.push(Aside { at, kind, text: text.to_owned() }),
        }
    }

    /// Adds another paragraph's content at the end.
    pub(super) fn append(&mut self, other: Paragraph) {
        let offset = self.text.len();
        self.text.push_str(&other.text);
        self.pieces.extend(other.pieces.into_iter().map(|piece| Piece { end: piece.end + offset, ..piece }));
        self.asides.extend(other.asides.into_iter().map(|aside| Aside { at: aside.at + offset, ..aside }));
        self.citations.extend(other.citations);
        self.anchor = self.anchor.take().or(other.anchor);
    }

    pub(super) fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// True when nothing at all would be lost without it.
    pub(super) fn is_void(&self) -> bool {
        self.is_blank() && self.asides.is_empty() && self.citations.is_empty() && self.anchor.is_none()
    }

    /// True when most of its characters have a property; a raised figure or a mark does not spoil it.
    pub(super) fn is_mostly(&self, of: fn(&Look) -> bool) -> bool {
        let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).count();
        let with: usize = self.pieces().filter(|(_, look)| of(look)).map(|(text, _)| letters(text)).sum();
        with > 0 && with * 4 >= letters(&self.text) * 3
    }

    /// The text in stretches of one look.
    pub(super) fn pieces(&self) -> impl Iterator<Item = (&str, Look)> {
        let mut start = 0;
        self.pieces.iter().map(move |piece| {
            let text = self.text.get(start..piece.end).unwrap_or_default();
            start = piece.end;
            (text, piece.look)
        })
    }

    /// True when all of its words have a property.
    pub(super) fn is_all(&self, of: fn(&Look) -> bool) -> bool {
        !self.is_blank() && self.pieces().all(|(text, look)| of(&look) || text.trim().is_empty())
    }

    /// Removes white space at both ends and puts the label in front.
    pub(super) fn finish(&mut self, label: Option<&Label>, mut look: Look) {
        let blank = self.text.len() - self.text.trim_start().len();
        let label = label.map_or("", |label| label.text.as_str());
        if self.is_all(|look| look.struck) {
            look.struck = true;
        }
        self.text.truncate(self.text.trim_end().len());
        if blank >= self.text.len() {
            self.text.clear();
            self.pieces.clear();
        } else {
            self.text.drain(..blank);
        }
        let label = if self.text.is_empty() { label.trim_end() } else { label };
        let end = self.text.len() + label.len();
        self.text.insert_str(0, label);
        let moved = |at: usize| (at.saturating_sub(blank) + label.len()).min(end);
        for piece in &mut self.pieces {
            piece.end = moved(piece.end);
        }
        for aside in &mut self.asides {
            aside.at = moved(aside.at);
        }
        if !label.is_empty() {
            self.pieces.insert(0, Piece { end: label.len(), look });
        }
    }

    /// The font size of most of its text, in points.
    pub(super) fn main_size(&self) -> f32 {
        let mut lengths: Vec<(u16, usize)> = Vec::new();
        for (text, look) in self.pieces() {
            let is_full = lengths.len() >= 16;
            match lengths.iter_mut().find(|(size, _)| *size == look.size) {
                Some((_, length)) => *length += text.len(),
                // More sizes than this are no help.
                None if !is_full => lengths.push((look.size, text.len())),
                None => {}
            }
        }
        let most = lengths.iter().max_by_key(|(_, length)| *length);
        most.map_or(0.0, |(size, _)| f32::from(*size) / 2.0)
    }

    /// Gives back the room that it grew by.
    pub(super) fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.pieces.shrink_to_fit();
        self.asides.shrink_to_fit();
        self.citations.shrink_to_fit();
    }

    /// What is booked for keeping it; lists of paragraphs have room for as many again.
    pub(super) fn weight(&self) -> u64 {
        let fixed = 2 * size_of::<Item>() + self.pieces.capacity() * size_of::<Piece>();
        let asides: usize = self.asides.iter().map(|aside| aside.text.capacity()).sum();
        let lists =
            self.asides.capacity() * size_of::<Aside>() + self.citations.capacity() * size_of::<Citation>();
        // The allocator's part in the text and the list of pieces.
        (fixed + self.text.capacity() + asides + lists + 32) as u64
    }
}
