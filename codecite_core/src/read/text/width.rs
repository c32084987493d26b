//! The width at which lines were wrapped.

use super::lines::Line;
use super::paragraph::ends_sentence;
use super::tabular::has_gap;

/// Widths that are looked for.
const NARROWEST: usize = 30;
const WIDEST: usize = 140;
/// Wrapped lines end within so many columns of the width.
const RAGGED: usize = 10;
/// The longest word that is usual at the beginning of a sentence.
const USUAL_WORD: usize = 12;

/// The width at which the lines were wrapped; `None` when each line is a paragraph.
pub(super) fn wrap_width(lines: &[Line<'_>]) -> Option<usize> {
    let mut ends = [0usize; WIDEST + 2 * RAGGED];
    for line in lines.iter().filter(|line| !line.text.is_empty() && !has_gap(line.text)) {
        if let Some(count) = ends.get_mut(line.end) {
            *count += 1;
        }
    }
    let between = |from: usize, to: usize| ends.get(from..to).unwrap_or_default().iter().sum::<usize>();
    // Many lines end just before it, few just after it.
    let edge = |width: &usize| {
        let (inside, outside) =
            (between(width + 1 - RAGGED, width + 1), between(width + 1, width + 1 + RAGGED));
        (inside as i64 - 3 * outside as i64, between(*width, width + 1))
    };
    let width = (NARROWEST..=WIDEST).max_by_key(edge)?;
    // In wrapped text most full lines end in the middle of a sentence.
    let (mut full, mut open) = (0, 0);
    for pair in lines.windows(2) {
        if let [line, next] = pair
            && !next.text.is_empty()
            && is_full(line, next, width)
            && line.end <= width + RAGGED
        {
            full += 1;
            open += usize::from(!ends_sentence(line.text));
        }
    }
    (full > 0 && open * 2 >= full).then_some(width)
}

/// True when the first word of the next line would not have fitted. A long word that begins with a capital may
/// as well be the first of something new: it has to have missed by little.
pub(super) fn is_full(line: &Line<'_>, next: &Line<'_>, width: usize) -> bool {
    let word = next.text.split(char::is_whitespace).next().unwrap_or_default();
    let length = word.chars().count();
    let counted = if word.starts_with(char::is_uppercase) { length.min(USUAL_WORD) } else { length };
    !line.text.is_empty() && line.end + 1 + counted > width
}
