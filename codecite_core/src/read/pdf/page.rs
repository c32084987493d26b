//! A page that waits until all the others have been read.

use super::blocks::Flow;
use super::floats::Float;
use super::geometry::Rule;
use super::packed::{PackedLines, PackedWords};
use super::words::PageWords;

/// A page with its words packed.
#[derive(Debug)]
pub(super) struct Page {
    /// All but the words.
    rest: PageWords,
    words: PackedWords,
    pub floats: Vec<Float>,
}

impl Page {
    /// Packs a page; its floats have been taken off it.
    pub fn of(mut page: PageWords, floats: Vec<Float>) -> Page {
        let words = PackedWords::of(&std::mem::take(&mut page.words));
        // From here on only columns look at rules.
        page.rules.retain(|rule| rule.is_horizontal());
        page.rules.shrink_to_fit();
        Page { rest: page, words, floats }
    }

    pub fn number(&self) -> u32 {
        self.rest.number
    }

    pub fn height(&self) -> f32 {
        self.rest.height
    }

    /// The bytes that it takes.
    pub fn weight(&self) -> u64 {
        let floats: u64 = self.floats.iter().map(Float::weight).sum();
        let rules = self.rest.rules.capacity() * size_of::<Rule>();
        (size_of::<Page>() + self.words.len() + rules) as u64 + floats
    }

    /// False when a character that is not ASCII is surely in no word.
    pub fn may_hold(&self, wide: char) -> bool {
        self.words.may_hold(wide)
    }

    /// Shows the page with its words.
    pub fn look<R>(&mut self, at: impl FnOnce(&PageWords) -> R) -> R {
        self.rest.words = self.words.unpack();
        let seen = at(&self.rest);
        self.rest.words = Vec::new();
        seen
    }

    /// The same, and packs what has become of the words.
    pub fn change<R>(&mut self, by: impl FnOnce(&mut PageWords) -> R) -> R {
        self.rest.words = self.words.unpack();
        // The place that the old words had is as large as the new ones need.
        self.words = PackedWords::default();
        let done = by(&mut self.rest);
        self.words = PackedWords::of(&std::mem::take(&mut self.rest.words));
        done
    }

    /// The page as it was, and its floats.
    pub fn into_parts(mut self) -> (PageWords, Vec<Float>) {
        self.rest.words = self.words.unpack();
        (self.rest, self.floats)
    }
}

/// A piece of a page in reading order that waits.
#[derive(Debug)]
enum Piece {
    /// Lines that follow each other.
    Lines(PackedLines),
    Other(Flow),
}

/// The reading order of a page, with its lines packed.
#[derive(Debug, Default)]
pub(super) struct PageFlow(Vec<Piece>);

impl PageFlow {
    pub fn of(flow: Vec<Flow>) -> PageFlow {
        let mut out = Vec::new();
        let mut lines = Vec::new();
        for piece in flow {
            match piece {
                Flow::Line(line) => lines.push(line),
                other => {
                    if !lines.is_empty() {
                        out.push(Piece::Lines(PackedLines::of(&std::mem::take(&mut lines))));
                    }
                    out.push(Piece::Other(other));
                }
            }
        }
        if !lines.is_empty() {
            out.push(Piece::Lines(PackedLines::of(&lines)));
        }
        out.shrink_to_fit();
        PageFlow(out)
    }

    pub fn unpack(self) -> impl Iterator<Item = Flow> {
        self.0.into_iter().flat_map(|piece| match piece {
            Piece::Lines(lines) => lines.unpack().into_iter().map(Flow::Line).collect(),
            Piece::Other(other) => vec![other],
        })
    }
}
