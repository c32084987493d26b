//! Roman numerals: page numbers, list items, marks of paragraphs.

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

/// The numeral in small letters; `None` for 0 and from 4000 on, for which there is none.
pub(crate) fn roman(number: u32) -> Option<String> {
    if !(1..4000).contains(&number) {
        return None;
    }
    let mut rest = number;
    let mut out = String::new();
    for (value, digits) in STEPS {
        while rest >= value {
            out.push_str(digits);
            rest -= value;
        }
    }
    Some(out)
}

/// The value of a numeral in either case, written in the usual way: not `iiii`, not `ic`.
pub(crate) fn roman_value(text: &str) -> Option<u32> {
    let lower = text.to_ascii_lowercase();
    let mut rest = lower.as_str();
    let mut value: u32 = 0;
    for (step, digits) in STEPS {
        while let Some(after) = rest.strip_prefix(digits) {
            value = value.saturating_add(step);
            rest = after;
        }
    }
    (rest.is_empty() && roman(value).as_deref() == Some(lower.as_str())).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_numeral_is_read_as_it_is_written() {
        for number in 1..4000 {
            let written = roman(number).unwrap();
            assert_eq!(roman_value(&written), Some(number), "{written}");
            assert_eq!(roman_value(&written.to_uppercase()), Some(number), "{written}");
        }
        assert_eq!(
            [1, 4, 9, 14, 40, 1999].map(|n| roman(n).unwrap()),
            ["i", "iv", "ix", "xiv", "xl", "mcmxcix"]
        );
        assert_eq!([roman(0), roman(4000)], [None, None]);
        for none in ["", "iiii", "ic", "abc", "exit", "vx"] {
            assert_eq!(roman_value(none), None, "{none}");
        }
    }
}
