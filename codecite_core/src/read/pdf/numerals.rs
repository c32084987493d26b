//! Page numbers that are letters.

/// Letters beyond this are no page numbers.
const MAX: u32 = 3_999;

/// a to z, then aa to zz, and so on.
pub(super) fn letters(number: u32) -> String {
    let Some(index) = number.checked_sub(1).filter(|index| *index < MAX) else {
        return String::new();
    };
    let letter = char::from(b'a' + u8::try_from(index % 26).unwrap_or(0));
    std::iter::repeat_n(letter, index as usize / 26 + 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_count() {
        assert_eq!([1, 26, 27, 53].map(letters), ["a", "z", "aa", "aaa"]);
    }
}
