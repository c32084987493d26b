//! Words and lines in few bytes. Much of the layout can only be decided when all pages have been read, and a long code has
//! millions of words: they wait packed, and are words again for one page at a time.

use compact_str::CompactString;

use super::guard::find;
use super::hints::TaggedCell;
use super::lines::Line;
use super::words::Word;
use crate::document::Style;

/// Bytes of a packed word.
const USUAL_BYTES: usize = 20;

// What the first byte of a word says.
const SPACED: u8 = 1;
const ARTIFACT: u8 = 1 << 1;
/// It stands on the same line in the same size as the word before.
const SAME_PLACE: u8 = 1 << 2;
/// It is drawn on the baseline of its line.
const ON_LINE: u8 = 1 << 3;
/// It looks like the word before and is a part of the same.
const SAME_KIND: u8 = 1 << 4;

/// Words in their order.
#[derive(Debug, Default)]
pub(super) struct PackedWords(Box<[u8]>);

impl PackedWords {
    pub fn of(words: &[Word]) -> PackedWords {
        let mut packer = Packer::for_words(words.len());
        words.iter().for_each(|word| packer.word(word));
        PackedWords(packer.finish())
    }

    pub fn unpack(&self) -> Vec<Word> {
        let mut unpacker = Unpacker::new(&self.0);
        std::iter::from_fn(|| unpacker.word()).collect()
    }

    /// Looks at the bytes, of which some are numbers: true may be wrong.
    pub fn may_hold(&self, wide: char) -> bool {
        find(&self.0, wide.encode_utf8(&mut [0; 4]).as_bytes()).is_some()
    }

    /// The bytes that it takes.
    pub fn len(&self) -> usize {
        self.0.len()
    }
}

/// Lines in their order, each with its words.
#[derive(Debug, Default)]
pub(super) struct PackedLines(Box<[u8]>);

impl PackedLines {
    pub fn of(lines: &[Line]) -> PackedLines {
        let mut packer = Packer::for_words(lines.iter().map(|line| line.words.len() + 1).sum());
        lines.iter().for_each(|line| packer.line(line));
        PackedLines(packer.finish())
    }

    pub fn unpack(&self) -> Vec<Line> {
        let mut unpacker = Unpacker::new(&self.0);
        std::iter::from_fn(|| unpacker.line()).collect()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The bytes that it takes.
    pub fn len(&self) -> usize {
        self.0.len()
    }
}

/// What a word has in common with its neighbours.
#[derive(Clone, Copy, Default, PartialEq)]
struct Common {
    y: f32,
    size: f32,
    style: Style,
    heading: u8,
    cell: Option<TaggedCell>,
}

#[derive(Default)]
struct Packer {
    bytes: Vec<u8>,
    last: Common,
}

impl Packer {
    /// With room for so many words of usual length.
    fn for_words(count: usize) -> Packer {
        Packer { bytes: Vec::with_capacity(count * USUAL_BYTES), ..Packer::default() }
    }

    fn word(&mut self, word: &Word) {
        let common =
            Common { y: word.y, size: word.size, style: word.style, heading: word.heading, cell: word.cell };
        let last = std::mem::replace(&mut self.last, common);
        let same_place = last.y.to_bits() == word.y.to_bits() && last.size.to_bits() == word.size.to_bits();
        let same_kind = (last.style, last.heading, last.cell) == (word.style, word.heading, word.cell);
        let on_line = word.base.to_bits() == word.y.to_bits();
        let flag = |set: bool, flag: u8| if set { flag } else { 0 };
        self.bytes.push(
            flag(word.spaced, SPACED)
                | flag(word.artifact, ARTIFACT)
                | flag(same_place, SAME_PLACE)
                | flag(on_line, ON_LINE)
                | flag(same_kind, SAME_KIND),
        );
        self.floats(&[word.x0, word.x1]);
        if !same_place {
            self.floats(&[word.y, word.size]);
        }
        if !on_line {
            self.floats(&[word.base]);
        }
        if !same_kind {
            self.kind(&common);
        }
        self.number(word.text.len() as u64);
        self.bytes.extend_from_slice(word.text.as_bytes());
    }

    fn kind(&mut self, common: &Common) {
        let Style { bold, italic, underlined, struck } = common.style;
        let bits = [bold, italic, underlined, struck, common.cell.is_some()];
        self.bytes.push(bits.iter().rev().fold(0, |sum, bit| sum << 1 | u8::from(*bit)));
        self.bytes.push(common.heading);
        if let Some(cell) = common.cell {
            [cell.table, cell.row, cell.column].iter().for_each(|part| self.number(u64::from(*part)));
        }
    }

    fn line(&mut self, line: &Line) {
        self.number(u64::from(line.page));
        self.floats(&[line.x0, line.x1, line.y, line.size, line.left, line.right]);
        self.number(line.words.len() as u64);
        line.words.iter().for_each(|word| self.word(word));
    }

    fn floats(&mut self, values: &[f32]) {
        values.iter().for_each(|value| self.bytes.extend_from_slice(&value.to_le_bytes()));
    }

    /// A copy that is as large as it has to be: what grew would leave a hole behind when it shrinks.
    fn finish(self) -> Box<[u8]> {
        self.bytes.as_slice().into()
    }

    /// Seven bits a byte, the lowest first; the highest bit says that more follow.
    fn number(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }
}

/// Reads what [`Packer`] wrote; `None` at the end.
struct Unpacker<'p> {
    rest: &'p [u8],
    last: Common,
}

impl<'p> Unpacker<'p> {
    fn new(rest: &'p [u8]) -> Self {
        Unpacker { rest, last: Common::default() }
    }

    fn word(&mut self) -> Option<Word> {
        let flags = self.byte()?;
        let is = |flag: u8| flags & flag != 0;
        let (x0, x1) = (self.float()?, self.float()?);
        if !is(SAME_PLACE) {
            (self.last.y, self.last.size) = (self.float()?, self.float()?);
        }
        let base = if is(ON_LINE) { self.last.y } else { self.float()? };
        if !is(SAME_KIND) {
            self.kind()?;
        }
        let len = usize::try_from(self.number()?).ok()?;
        let text = CompactString::from_utf8(self.take(len)?).ok()?;
        let Common { y, size, style, heading, cell } = self.last;
        let (spaced, artifact) = (is(SPACED), is(ARTIFACT));
        Some(Word { text, x0, x1, y, base, size, style, spaced, artifact, heading, cell })
    }

    fn kind(&mut self) -> Option<()> {
        let bits = self.byte()?;
        let is = |at: u8| bits >> at & 1 == 1;
        self.last.style = Style { bold: is(0), italic: is(1), underlined: is(2), struck: is(3) };
        self.last.heading = self.byte()?;
        let mut part = || u32::try_from(self.number()?).ok();
        let cell =
            if is(4) { Some(TaggedCell { table: part()?, row: part()?, column: part()? }) } else { None };
        self.last.cell = cell;
        Some(())
    }

    fn line(&mut self) -> Option<Line> {
        let page = u32::try_from(self.number()?).ok()?;
        let mut place = [0.0; 6];
        for value in &mut place {
            *value = self.float()?;
        }
        let count = usize::try_from(self.number()?).ok()?;
        let mut words = Vec::with_capacity(count.min(self.rest.len()));
        for _ in 0..count {
            words.push(self.word()?);
        }
        Some(Line::placed(page, words, place))
    }

    fn take(&mut self, len: usize) -> Option<&'p [u8]> {
        let (taken, rest) = self.rest.split_at_checked(len)?;
        self.rest = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1)?.first().copied()
    }

    fn float(&mut self) -> Option<f32> {
        self.take(4)?.try_into().ok().map(f32::from_le_bytes)
    }

    fn number(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    prop_compose! {
        // Values come from small sets, so that neighbours often have something in common.
        fn word()(
            text in "[a-zä€]{0,200}",
            x in prop::array::uniform2(-10.0f32..1000.0),
            place in prop::array::uniform3(prop::sample::select(vec![0.0f32, -0.0, 9.5, 700.25])),
            bits in prop::array::uniform6(any::<bool>()),
            heading in 0u8..3,
            cell in prop::option::of((0u32..3, 0u32..2, prop::sample::select(vec![0, u32::MAX]))),
        ) -> Word {
            let [bold, italic, underlined, struck, spaced, artifact] = bits;
            Word {
                text: text.into(),
                x0: x[0],
                x1: x[1],
                y: place[0],
                base: place[1],
                size: place[2],
                style: Style { bold, italic, underlined, struck },
                spaced,
                artifact,
                heading,
                cell: cell.map(|(table, row, column)| TaggedCell { table, row, column }),
            }
        }
    }

    proptest! {
        #[test]
        fn words_come_back_as_they_were(words in prop::collection::vec(word(), 0..40)) {
            prop_assert_eq!(&PackedWords::of(&words).unpack(), &words);
        }

        #[test]
        fn lines_come_back_as_they_were(lines in prop::collection::vec(prop::collection::vec(word(), 0..9), 0..9)) {
            let lines: Vec<Line> = lines.into_iter().zip(1u32..).map(|(words, page)| Line::new(page * 1000, words)).collect();
            let back = PackedLines::of(&lines).unpack();
            prop_assert_eq!(format!("{back:?}"), format!("{lines:?}"));
        }
    }
}
