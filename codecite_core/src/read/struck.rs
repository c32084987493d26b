//! A struck word is not law: whatever the format, struck text leaves the flow and is kept beside it.

use crate::document::{Block, BlockKind, Document, Furniture, FurnitureKind, Span};

/// Moves struck text out of the document's text into its furniture, with the place where it stood.
/// A space that would stand twice around the gap goes with it; a block of which nothing is left goes whole.
/// Tables are left alone: their readers keep struck words out of the cells.
pub fn take_struck(mut document: Document) -> Document {
    let mut cuts: Vec<Span> = Vec::new();
    let mut is_first = true;
    for block in &document.blocks {
        match cuts_of(block, &document.text) {
            Cuts::Parts(parts) => {
                is_first = false;
                cuts.extend(parts);
            }
            // With the separator after it as long as nothing is kept, later with the one before it.
            Cuts::Whole if is_first => {
                cuts.push(Span::new(block.span.start, (block.span.end + 1).min(document.text.len())));
            }
            Cuts::Whole => cuts.push(Span::new(block.span.start.saturating_sub(1), block.span.end)),
        }
    }
    if cuts.is_empty() {
        return document;
    }
    let moved = Moved::new(&cuts);
    let pieces: Vec<Furniture> = cuts
        .iter()
        .map(|cut| Furniture {
            kind: FurnitureKind::Struck,
            page: document.page_at(first_word(*cut, &document.text)).map(|mark| mark.page),
            offset: Some(moved.place(cut.start)),
            text: document.slice(*cut).trim().to_owned(),
        })
        .collect();
    for piece in &mut document.furniture {
        piece.offset = piece.offset.map(|offset| moved.place(offset));
    }
    document.furniture.extend(pieces);
    document.text = moved.kept(&document.text);
    for link in &mut document.links {
        link.span = moved.span(link.span);
    }
    document.links.retain(|link| !link.span.is_empty());
    for mark in &mut document.pages {
        mark.offset = moved.place(mark.offset);
    }
    for block in &mut document.blocks {
        block.span = moved.span(block.span);
        block.runs.retain(|run| !run.style.struck || matches!(block.kind, BlockKind::Table(_)));
        for run in &mut block.runs {
            run.span = moved.span(run.span);
        }
        block.runs.retain(|run| !run.span.is_empty());
    }
    document.blocks.retain(|block| !block.span.is_empty());
    document
}

fn first_word(span: Span, text: &str) -> usize {
    let text = span.of(text);
    span.start + text.len() - text.trim_start().len()
}

/// What has to go from one block.
enum Cuts {
    /// All of it.
    Whole,
    /// These, in order.
    Parts(Vec<Span>),
}

fn cuts_of(block: &Block, text: &str) -> Cuts {
    let mut cuts: Vec<Span> = Vec::new();
    if matches!(block.kind, BlockKind::Table(_)) {
        return Cuts::Parts(cuts);
    }
    for span in block.runs.iter().filter(|run| run.style.struck).map(|run| run.span) {
        match cuts.last_mut() {
            // Struck runs with nothing but space between them are one piece.
            Some(last) if Span::new(last.end, span.start).of(text).trim().is_empty() => last.end = span.end,
            _ => cuts.push(span),
        }
    }
    for cut in &mut cuts {
        let before = Span::new(block.span.start, cut.start).of(text);
        let after = Span::new(cut.end, block.span.end).of(text);
        let space_before = before.len() - before.trim_end().len();
        let space_after = after.len() - after.trim_start().len();
        match (space_before == before.len(), space_after == after.len()) {
            (true, true) => return Cuts::Whole,
            (true, false) => (cut.start, cut.end) = (block.span.start, cut.end + space_after),
            (false, true) => (cut.start, cut.end) = (cut.start - space_before, block.span.end),
            (false, false) if space_before > 0 => cut.end += space_after,
            (false, false) => {}
        }
    }
    Cuts::Parts(cuts)
}

/// Where things stand after spans have been cut out.
struct Moved<'c> {
    cuts: &'c [Span],
    /// Bytes cut before each cut.
    before: Vec<usize>,
}

impl<'c> Moved<'c> {
    fn new(cuts: &'c [Span]) -> Self {
        let mut sum = 0;
        let mut before = Vec::with_capacity(cuts.len());
        for cut in cuts {
            before.push(sum);
            sum += cut.len();
        }
        Moved { cuts, before }
    }

    /// The new place of an offset; one inside a cut stands where the cut was.
    fn place(&self, offset: usize) -> usize {
        let at = self.cuts.partition_point(|cut| cut.start < offset);
        let Some(last) = at.checked_sub(1) else { return offset };
        match (self.cuts.get(last), self.before.get(last)) {
            (Some(cut), Some(before)) => offset - before - cut.len().min(offset - cut.start),
            _ => offset,
        }
    }

    fn span(&self, span: Span) -> Span {
        Span::new(self.place(span.start), self.place(span.end))
    }

    fn kept(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut from = 0;
        for cut in self.cuts {
            out.push_str(Span::new(from, cut.start).of(text));
            from = cut.end;
        }
        out.push_str(text.get(from..).unwrap_or_default());
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{DocumentBuilder, Layout, Style};
    use proptest::prelude::*;

    const STRUCK: Style = Style { struck: true, bold: false, italic: false, underlined: false };
    const BOLD: Style = Style { struck: false, bold: true, italic: false, underlined: false };
    const PLAIN: Style = Style { struck: false, bold: false, italic: false, underlined: false };

    fn document(blocks: &[Vec<(String, Style)>]) -> Document {
        let mut builder = DocumentBuilder::new();
        for (index, pieces) in blocks.iter().enumerate() {
            builder.page(u32::try_from(index).unwrap() + 1, None);
            let pieces: Vec<(&str, Style)> =
                pieces.iter().map(|(text, style)| (text.as_str(), *style)).collect();
            builder.block(BlockKind::Paragraph, &pieces, Layout::default(), None);
        }
        builder.finish()
    }

    fn words(pieces: &[(&str, Style)]) -> Vec<(String, Style)> {
        pieces.iter().map(|(text, style)| ((*text).to_owned(), *style)).collect()
    }

    #[test]
    fn struck_words_stand_beside_the_text() {
        let taken = take_struck(document(&[
            words(&[
                ("101.1 Width.", BOLD),
                (" Doors are ", PLAIN),
                ("30 inches", STRUCK),
                (" 32 inches wide.", PLAIN),
            ]),
            words(&[("A whole paragraph", STRUCK)]),
            words(&[("Gone ", STRUCK), ("at the start and ", PLAIN), ("at the end", STRUCK)]),
        ]));
        assert_eq!(taken.text, "101.1 Width. Doors are 32 inches wide.\nat the start and");
        assert_eq!(taken.blocks.len(), 2);
        assert_eq!(taken.slice(taken.blocks[0].bold_lead(&taken.text)), "101.1 Width.");
        assert_eq!(taken.slice(taken.blocks[1].span), "at the start and");
        let struck: Vec<(&str, Option<u32>, Option<usize>)> =
            taken.furniture.iter().map(|f| (f.text.as_str(), f.page, f.offset)).collect();
        let expected =
            [("30 inches", 1, 23), ("A whole paragraph", 2, 38), ("Gone", 3, 39), ("at the end", 3, 55)];
        assert_eq!(struck, expected.map(|(text, page, offset)| (text, Some(page), Some(offset))));
        assert_eq!(taken.page_at(40).map(|mark| mark.page), Some(3));
    }

    #[test]
    fn a_struck_first_block_leaves_no_empty_line() {
        let taken = take_struck(document(&[words(&[("Old", STRUCK)]), words(&[("New", PLAIN)])]));
        assert_eq!(taken.text, "New");
        assert_eq!(taken.blocks[0].span, Span::new(0, 3));
    }

    proptest! {
        /// No letter is lost, none is doubled, and blocks still tile the text.
        #[test]
        fn every_letter_is_in_the_text_or_beside_it(
            blocks in prop::collection::vec(prop::collection::vec(("[a-c ]{1,6}", 0u8..3), 1..5), 0..5)
        ) {
            let style = |n: u8| match n { 0 => PLAIN, 1 => BOLD, _ => STRUCK };
            let blocks: Vec<Vec<(String, Style)>> =
                blocks.into_iter().map(|b| b.into_iter().map(|(text, n)| (text, style(n))).collect()).collect();
            let before = document(&blocks);
            let letters = |text: &str| text.chars().filter(|c| c.is_alphabetic()).count();
            let after = take_struck(before.clone());
            let beside: usize = after.furniture.iter().map(|f| letters(&f.text)).sum();
            prop_assert_eq!(letters(&after.text) + beside, letters(&before.text));
            let mut end = 0;
            for block in &after.blocks {
                prop_assert!(block.span.start == end || block.span.start == end + 1);
                prop_assert!(after.text.get(block.span.range()).is_some());
                prop_assert!(block.runs.iter().all(|run| block.span.contains(run.span) && !run.style.struck));
                end = block.span.end;
            }
            prop_assert_eq!(end, after.text.len());
        }
    }
}
