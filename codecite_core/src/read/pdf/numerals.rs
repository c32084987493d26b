//! Page numbers that are not written in Arabic digits.

/// Numerals longer than this are no page numbers.
const MAX: u32 = 3_999;

/// The Roman numeral, in small letters.
pub(super) fn roman(mut number: u32) -> String {
    const STEPS: [(u32, &str); 13] = [
        (1000, "m"),
        (900, "cm"),
        (500, "d"),
        (400, "cd"),
        (100, "c"),
        (90, "xc"),
        (50, "l"),
        (40, "xl"),
        (10, "x"),
        (9, "ix"),
        (5, "v"),
        (4, "iv"),
        (1, "i"),
    ];
    let mut out = String::new();
    if number > MAX {
        return out;
    }
    for (value, numeral) in STEPS {
        while number >= value {
            out.push_str(numeral);
            number -= value;
        }
    }
    out
}

/// a to z, then aa to zz, and so on.
pub(super) fn letters(number: u32) -> String {
    let Some(index) = number.checked_sub(1).filter(|index| *index < MAX) else {
        return String::new();
    };
    let letter = char::from(b'a' + u8::try_from(index % 26).unwrap_or(0));
    std::iter::repeat_n(letter, index as usize / 26 + 1).collect()
}

/// The value of a Roman numeral in small letters; `None` for what is none.
pub(super) fn roman_value(text: &str) -> Option<i64> {
    let mut total = 0;
    let mut last = 0;
    for c in text.to_ascii_lowercase().chars().rev() {
        let value = match c {
            'i' => 1,
            'v' => 5,
            'x' => 10,
            'l' => 50,
            'c' => 100,
            _ => return None,
        };
        total += if value < last { -value } else { value };
        last = last.max(value);
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numerals_count() {
        assert_eq!([1, 4, 9, 14, 40, 1999].map(roman), ["i", "iv", "ix", "xiv", "xl", "mcmxcix"]);
        assert_eq!([1, 26, 27, 53].map(letters), ["a", "z", "aa", "aaa"]);
        assert_eq!(roman_value("xliv"), Some(44));
        assert_eq!(roman_value("exit"), None);
    }
}
