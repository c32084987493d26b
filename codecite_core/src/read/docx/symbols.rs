//! Characters of the symbol fonts, which keep them at the places of letters or in the private use area.

/// The Symbol font from 0x20 on.
const SYMBOL_LOW: &str =
    " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼";
/// The Symbol font from 0xA0 on.
const SYMBOL_HIGH: &str = "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\u{f8ff}〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭";
/// The letters of Wingdings that documents use.
const WINGDINGS: &[(u32, char)] = &[
    (0x4a, '☺'),
    (0x6c, '●'),
    (0x6e, '■'),
    (0x6f, '□'),
    (0x71, '❑'),
    (0x76, '❖'),
    (0x9f, '•'),
    (0xa7, '▪'),
    (0xa8, '◻'),
    (0xd8, '➢'),
    (0xdf, '←'),
    (0xe0, '→'),
    (0xe1, '↑'),
    (0xe2, '↓'),
    (0xfb, '✗'),
    (0xfc, '✓'),
    (0xfd, '☒'),
    (0xfe, '☑'),
];

/// The place in a symbol font that a character stands for.
fn place(c: char) -> u32 {
    match u32::from(c) {
        code @ 0xf000..=0xf0ff => code - 0xf000,
        code => code,
    }
}

/// The character that the Symbol font shows for `c`.
pub(super) fn of_symbol_font(c: char) -> Option<char> {
    let index = |from: u32| usize::try_from(place(c).checked_sub(from)?).ok();
    match place(c) {
        0x20..=0x7e => SYMBOL_LOW.chars().nth(index(0x20)?),
        0xa0..=0xfe => SYMBOL_HIGH.chars().nth(index(0xa0)?),
        _ => None,
    }
}

/// What a `sym` element shows; the replacement character for a sign that only its font knows.
pub(super) fn symbol(font: &str, code: u32) -> char {
    let Some(c) = char::from_u32(code) else { return char::REPLACEMENT_CHARACTER };
    let known = if font.eq_ignore_ascii_case("symbol") {
        of_symbol_font(c)
    } else if font.to_ascii_lowercase().starts_with("wingdings") {
        WINGDINGS.iter().find(|(at, _)| *at == place(c)).map(|(_, sign)| *sign)
    } else {
        (!('\u{e000}'..='\u{f8ff}').contains(&c) && !c.is_control()).then_some(c)
    };
    known.unwrap_or(char::REPLACEMENT_CHARACTER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_complete() {
        assert_eq!(SYMBOL_LOW.chars().count(), 0x7f - 0x20);
        assert_eq!(SYMBOL_HIGH.chars().count(), 0xff - 0xa0);
    }

    #[test]
    fn signs_of_the_symbol_fonts() {
        assert_eq!(symbol("Symbol", 0xf0b3), '≥');
        assert_eq!(symbol("Symbol", 0x6d), 'μ');
        assert_eq!(symbol("Wingdings", 0xf0fe), '☑');
        assert_eq!(symbol("Arial", 0x2264), '≤');
        assert_eq!(symbol("Unknown", 0xf0b3), char::REPLACEMENT_CHARACTER);
    }
}
