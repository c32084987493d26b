//! Numbers with a unit: what prose says of a section without quoting it.

use std::sync::LazyLock;

use regex::Regex;

use crate::document::Span;

/// Values of one dimension that differ by no more than this part of them are the same, written in other units.
const TOLERANCE: f64 = 0.006;

/// A number with its unit, as printed.
#[derive(Debug, Clone, PartialEq)]
pub struct Value {
    /// Where it stands.
    pub span: Span,
    /// As printed: `44 inches`.
    pub text: String,
    pub(super) number: f64,
    pub(super) unit: &'static str,
    pub(super) factor: f64,
}

/// Spellings of units, with a dimension and the size in it.
const UNITS: &[(&str, &str, f64)] = &[
    ("square inches", "area", 6.4516e-4),
    ("square inch", "area", 6.4516e-4),
    ("square feet", "area", 0.092_903),
    ("square foot", "area", 0.092_903),
    ("square metres", "area", 1.0),
    ("square meters", "area", 1.0),
    ("sq. ft.", "area", 0.092_903),
    ("sq. ft", "area", 0.092_903),
    ("sq ft", "area", 0.092_903),
    ("ft²", "area", 0.092_903),
    ("sf", "area", 0.092_903),
    ("mm²", "area", 1e-6),
    ("m²", "area", 1.0),
    ("m2", "area", 1.0),
    ("cubic feet", "volume", 1.0),
    ("cubic foot", "volume", 1.0),
    ("inches", "length", 25.4),
    ("inch", "length", 25.4),
    ("in.", "length", 25.4),
    ("feet", "length", 304.8),
    ("foot", "length", 304.8),
    ("ft.", "length", 304.8),
    ("ft", "length", 304.8),
    ("millimetres", "length", 1.0),
    ("millimeters", "length", 1.0),
    ("mm", "length", 1.0),
    ("centimetres", "length", 10.0),
    ("centimeters", "length", 10.0),
    ("cm", "length", 10.0),
    ("metres", "length", 1000.0),
    ("meters", "length", 1000.0),
    ("metre", "length", 1000.0),
    ("meter", "length", 1000.0),
    ("m", "length", 1000.0),
    ("hours", "time", 60.0),
    ("hour", "time", 60.0),
    ("hrs", "time", 60.0),
    ("hr", "time", 60.0),
    ("minutes", "time", 1.0),
    ("minute", "time", 1.0),
    ("min.", "time", 1.0),
    ("min", "time", 1.0),
    ("seconds", "time", 1.0 / 60.0),
    ("second", "time", 1.0 / 60.0),
    ("days", "days", 1.0),
    ("day", "days", 1.0),
    ("years", "years", 1.0),
    ("year", "years", 1.0),
    ("percent", "percent", 1.0),
    ("per cent", "percent", 1.0),
    ("%", "percent", 1.0),
    ("degrees", "degrees", 1.0),
    ("°", "degrees", 1.0),
    ("occupants", "persons", 1.0),
    ("occupant", "persons", 1.0),
    ("persons", "persons", 1.0),
    ("person", "persons", 1.0),
    ("people", "persons", 1.0),
    ("stories", "stories", 1.0),
    ("story", "stories", 1.0),
    ("storeys", "stories", 1.0),
    ("pounds", "pounds", 1.0),
    ("pound", "pounds", 1.0),
    ("lbs", "pounds", 1.0),
    ("lb", "pounds", 1.0),
    ("psf", "psf", 1.0),
    ("psi", "psi", 1.0),
    ("kPa", "kPa", 1.0),
    ("kWh", "kWh", 1.0),
    ("kW", "kW", 1.0),
    ("lux", "lux", 1.0),
    ("dB", "dB", 1.0),
    ("litres", "litres", 1.0),
    ("liters", "litres", 1.0),
    ("gallons", "gallons", 1.0),
    ("\"", "length", 25.4),
    ("″", "length", 25.4),
    ("′", "length", 304.8),
];
/// Numbers that are written as words.
const WORDS: [&str; 13] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
];

static VALUE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    // The longest first: "mm" is not "m".
    let mut units: Vec<&str> = UNITS.iter().map(|(unit, _, _)| *unit).collect();
    units.sort_by_key(|unit| std::cmp::Reverse(unit.len()));
    let units: Vec<String> = units.into_iter().map(regex::escape).collect();
    Regex::new(&format!(
        r"(?P<number>(?-u:\b)(?:[0-9]{{1,3}}(?:,[0-9]{{3}})+|[0-9]+)(?:\.[0-9]+)?(?:[ -][0-9]{{1,2}}/[0-9]{{1,2}})?|(?-u:\b)(?i:{}))(?:\s?-\s?|\s*)(?P<unit>(?:{}))",
        WORDS.join("|"),
        units.join("|")
    ))
    .ok()
});
static NUMBER: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?").ok());

/// All of a text, in order.
pub(super) fn values(text: &str) -> Vec<Value> {
    let found = VALUE.as_ref().map(|pattern| pattern.captures_iter(text));
    let of = |captures: regex::Captures<'_>| {
        let (whole, number, unit) =
            (captures.get(0)?, captures.name("number")?, captures.name("unit")?.as_str());
        let before = text.get(..whole.start())?;
        let after = text.get(whole.end()..)?;
        // "in 12 months" is not 12 m; 1004.5 m is not 5 m.
        let ends = !unit.ends_with(char::is_alphanumeric) || !after.starts_with(char::is_alphanumeric);
        let begins = !before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '/' | '§'));
        let (_, dimension, factor) = UNITS.iter().find(|(name, _, _)| *name == unit)?;
        let number = parsed(number.as_str())?;
        let span = Span::new(whole.start(), whole.end());
        (begins && ends).then(|| Value {
            span,
            text: whole.as_str().split_whitespace().collect::<Vec<_>>().join(" "),
            number,
            unit: dimension,
            factor: *factor,
        })
    };
    found.into_iter().flatten().filter_map(of).collect()
}

fn parsed(text: &str) -> Option<f64> {
    if let Some(number) = WORDS.iter().position(|word| text.eq_ignore_ascii_case(word)) {
        return Some(number as f64);
    }
    let text = text.replace(',', "");
    let Some((whole, fraction)) = text.split_once([' ', '-']) else { return text.parse().ok() };
    let (above, below) = fraction.split_once('/')?;
    let (whole, above, below): (f64, f64, f64) =
        (whole.parse().ok()?, above.parse().ok()?, below.parse().ok()?);
    (below > 0.0).then(|| whole + above / below)
}

/// What a text says in numbers.
pub(super) struct Values {
    with_unit: Vec<Value>,
    bare: Vec<f64>,
}

impl Values {
    pub fn of(text: &str) -> Values {
        let bare = NUMBER.as_ref().map(|pattern| pattern.find_iter(text));
        let bare = bare.into_iter().flatten().filter_map(|m| parsed(m.as_str())).collect();
        Values { with_unit: values(text), bare }
    }

    /// True when the value stands here: in this unit or another of its dimension, or without a unit as in a table.
    pub fn has(&self, value: &Value) -> bool {
        let size = value.number * value.factor;
        let same = |other: &Value| {
            let other_size = other.number * other.factor;
            other.unit == value.unit
                && (size - other_size).abs() <= TOLERANCE * size.abs().min(other_size.abs())
        };
        let has_unit = |number: f64| self.with_unit.iter().any(|other| other.number == number);
        self.with_unit.iter().any(same) || self.bare.contains(&value.number) && !has_unit(value.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        values(text).into_iter().map(|value| value.text).collect()
    }

    #[test]
    fn values_are_found() {
        assert_eq!(
            texts("at least 44 inches, a 2-hour wall, 1,500 square feet, 5½ or 30% in 12 months"),
            ["44 inches", "2-hour", "1,500 square feet", "30%"]
        );
        assert_eq!(texts("Table 3-2 hours; §5 hours; two hours"), ["two hours"]);
    }

    #[test]
    fn the_same_value_in_other_words() {
        let text = Values::of("One hour; 36 inches (914 mm) and | 150 gross |; 0.5 percent");
        let has = |value: &str| text.has(&values(value)[0]);
        for there in ["1 hour", "60 minutes", "3 feet", "914 mm", "0.914 m", "150 square feet", "0.5%"] {
            assert!(has(there), "{there}");
        }
        for not in ["2 hours", "37 inches", "151 square feet", "36 feet", "5 percent"] {
            assert!(!has(not), "{not}");
        }
    }
}
