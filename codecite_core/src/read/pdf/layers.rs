//! Text layers that lie over each other: a page read twice by OCR says everything twice.

use foldhash::HashMap as FastMap;

use super::words::{PageWords, Word};

/// Part of a word that lies under another.
const COVERED: f32 = 0.3;

/// Pairs of words that are compared; a page that needs more is a drawing.
const MAX_PAIRS: usize = 20_000_000;

/// Leaves one of two layers of text. True when the page had two.
pub(super) fn take_second_layer(page: &mut PageWords) -> bool {
    let mut bands: FastMap<i32, Vec<usize>> = FastMap::default();
    let mut first: Vec<&Word> = Vec::new();
    let mut second = 0usize;
    let mut keep = Vec::with_capacity(page.words.len());
    let mut pairs = 0usize;
    for word in &page.words {
        let band = (word.y / 12.0).floor() as i32;
        let near = || (band - 1..=band + 1).filter_map(|band| bands.get(&band));
        pairs += near().map(Vec::len).sum::<usize>();
        if pairs > MAX_PAIRS {
            return false;
        }
        let covered = near().flatten().filter_map(|index| first.get(*index)).any(|under| covers(under, word));
        keep.push(!covered);
        if covered {
            second += 1;
        } else {
            bands.entry(band).or_default().push(first.len());
            first.push(word);
        }
    }
    // Here and there words overlap by design; a layer covers a good part of the page.
    if second * 4 < page.words.len() || second < 20 {
        return false;
    }
    let mut keep = keep.into_iter();
    page.words.retain(|_| keep.next().unwrap_or(true));
    true
}

fn covers(under: &Word, word: &Word) -> bool {
    let size = under.size.max(word.size);
    let overlap = under.x1.min(word.x1) - under.x0.max(word.x0);
    (under.y - word.y).abs() < 0.7 * size && overlap > COVERED * (word.x1 - word.x0).min(under.x1 - under.x0)
}
