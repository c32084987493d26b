//! How numbers of lists and notes are written.

use super::symbols::of_symbol_font;

/// Longer roman numbers and letters are no numbers.
const MAX_REPEAT: i64 = 30;

/// A way to write a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NumberFormat {
    Decimal,
    DecimalZero,
    Ordinal,
    UpperRoman,
    LowerRoman,
    UpperLetter,
    LowerLetter,
    CardinalText,
    OrdinalText,
    Dashed,
    Chicago,
    Bullet,
    None,
}

const UNITS: [&str; 20] = [
    "",
    "One",
    "Two",
    "Three",
    "Four",
    "Five",
    "Six",
    "Seven",
    "Eight",
    "Nine",
    "Ten",
    "Eleven",
    "Twelve",
    "Thirteen",
    "Fourteen",
    "Fifteen",
    "Sixteen",
    "Seventeen",
    "Eighteen",
    "Nineteen",
];
const TENS: [&str; 10] =
    ["", "", "Twenty", "Thirty", "Forty", "Fifty", "Sixty", "Seventy", "Eighty", "Ninety"];

impl NumberFormat {
    /// By the name in the file. The formats of other scripts are shown as decimals.
    pub(super) fn named(name: &str) -> Self {
        match name {
            "decimalZero" => NumberFormat::DecimalZero,
            "ordinal" => NumberFormat::Ordinal,
            "upperRoman" => NumberFormat::UpperRoman,
            "lowerRoman" => NumberFormat::LowerRoman,
            "upperLetter" => NumberFormat::UpperLetter,
            "lowerLetter" => NumberFormat::LowerLetter,
            "cardinalText" => NumberFormat::CardinalText,
            "ordinalText" => NumberFormat::OrdinalText,
            "numberInDash" => NumberFormat::Dashed,
            "chicago" => NumberFormat::Chicago,
            "bullet" => NumberFormat::Bullet,
            "none" => NumberFormat::None,
            _ => NumberFormat::Decimal,
        }
    }

    /// The number, written.
    pub(super) fn show(self, number: i64) -> String {
        match self {
            NumberFormat::DecimalZero => format!("{number:02}"),
            NumberFormat::Ordinal => format!("{number}{}", ordinal_end(number)),
            NumberFormat::UpperRoman => roman(number).to_uppercase(),
            NumberFormat::LowerRoman => roman(number),
            NumberFormat::UpperLetter => letter(number).to_uppercase(),
            NumberFormat::LowerLetter => letter(number),
            NumberFormat::CardinalText => cardinal(number),
            NumberFormat::OrdinalText => ordinal(number),
            NumberFormat::Dashed => format!("- {number} -"),
            NumberFormat::Chicago => chicago(number),
            NumberFormat::Bullet | NumberFormat::None => String::new(),
            NumberFormat::Decimal => number.to_string(),
        }
    }
}

fn ordinal_end(number: i64) -> &'static str {
    match (number % 100, number % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    }
}

fn roman(number: i64) -> String {
    u32::try_from(number).ok().and_then(crate::roman::roman).unwrap_or_else(|| number.to_string())
}

/// a to z, then aa, bb and so on.
fn letter(number: i64) -> String {
    let index = (number - 1).rem_euclid(26);
    let times = (number - 1).div_euclid(26) + 1;
    let Ok(index) = u8::try_from(index) else { return number.to_string() };
    match usize::try_from(times) {
        Ok(times) if number > 0 && times as i64 <= MAX_REPEAT => {
            char::from(b'a' + index).to_string().repeat(times)
        }
        _ => number.to_string(),
    }
}

/// *, †, ‡, §, then each twice and so on.
fn chicago(number: i64) -> String {
    let mark = ["*", "†", "‡", "§"].into_iter().nth(usize::try_from((number - 1).rem_euclid(4)).unwrap_or(0));
    let times = usize::try_from((number - 1).div_euclid(4) + 1).unwrap_or(1);
    mark.filter(|_| number > 0 && times as i64 <= MAX_REPEAT)
        .map_or_else(|| number.to_string(), |mark| mark.repeat(times))
}

fn cardinal(number: i64) -> String {
    let word = |list: &'static [&'static str], n: i64| {
        usize::try_from(n).ok().and_then(|n| list.get(n)).copied().unwrap_or_default()
    };
    match number {
        1..=19 => word(&UNITS, number).to_owned(),
        20..=99 if number % 10 == 0 => word(&TENS, number / 10).to_owned(),
        20..=99 => format!("{}-{}", word(&TENS, number / 10), word(&UNITS, number % 10).to_lowercase()),
        _ => number.to_string(),
    }
}

fn ordinal(number: i64) -> String {
    let word = cardinal(number);
    if !(1..=99).contains(&number) {
        return format!("{number}{}", ordinal_end(number));
    }
    const IRREGULAR: [(&str, &str); 8] = [
        ("one", "first"),
        ("two", "second"),
        ("three", "third"),
        ("five", "fifth"),
        ("eight", "eighth"),
        ("nine", "ninth"),
        ("twelve", "twelfth"),
        ("y", "ieth"),
    ];
    let lower = word.to_lowercase();
    let changed = IRREGULAR.iter().find_map(|(end, ordinal)| Some((lower.strip_suffix(end)?, ordinal)));
    let text = changed.map_or_else(|| format!("{lower}th"), |(stem, end)| format!("{stem}{end}"));
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| format!("{}{}", first.to_uppercase(), letters.as_str()))
}

/// The character of a bullet: many are letters of a symbol font, in the private use area.
pub(super) fn bullet(text: &str, is_symbol: bool) -> String {
    let shown = text.chars().filter(|c| !c.is_whitespace()).map(|c| match c {
        '\u{f0a7}' | '\u{f06e}' => '▪',
        '\u{f0d8}' => '➢',
        '\u{f0fc}' => '✓',
        '\u{f071}' | '\u{f06f}' | '\u{f0a8}' => '□',
        c if is_symbol => of_symbol_font(c).unwrap_or('•'),
        '\u{e000}'..='\u{f8ff}' => '•',
        'o' => '◦',
        c => c,
    });
    shown.take(4).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_word_writes_them() {
        use NumberFormat::*;
        let cases = [
            (Decimal, 12, "12"),
            (DecimalZero, 7, "07"),
            (DecimalZero, 12, "12"),
            (Ordinal, 1, "1st"),
            (Ordinal, 12, "12th"),
            (Ordinal, 23, "23rd"),
            (UpperRoman, 1994, "MCMXCIV"),
            (LowerRoman, 4, "iv"),
            (UpperLetter, 26, "Z"),
            (LowerLetter, 27, "aa"),
            (LowerLetter, 54, "bbb"),
            (LowerLetter, 0, "0"),
            (UpperRoman, 0, "0"),
            (CardinalText, 21, "Twenty-one"),
            (OrdinalText, 1, "First"),
            (OrdinalText, 20, "Twentieth"),
            (OrdinalText, 12, "Twelfth"),
            (Chicago, 5, "**"),
            (Dashed, 3, "- 3 -"),
        ];
        for (format, number, shown) in cases {
            assert_eq!(format.show(number), shown, "{format:?} {number}");
        }
    }

    #[test]
    fn a_roman_number_reads_back() {
        let value = |c: char| match c {
            'i' => 1,
            'v' => 5,
            'x' => 10,
            'l' => 50,
            'c' => 100,
            'd' => 500,
            _ => 1000,
        };
        for number in 1..4000 {
            let digits: Vec<i64> = roman(number).chars().map(value).collect();
            let pairs = digits.iter().zip(digits.iter().skip(1).chain([&0]));
            let sum: i64 = pairs.map(|(digit, next)| if digit < next { -digit } else { *digit }).sum();
            assert_eq!(sum, number);
        }
    }
}
