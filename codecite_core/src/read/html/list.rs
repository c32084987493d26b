//! The markers of list items, as a browser prints them.

use super::class::style_of;
use super::tree::Element;

/// An open list.
#[derive(Debug, Clone, Copy)]
pub(super) struct List {
    /// How the items are counted; nothing for a list without markers.
    kind: Option<Kind>,
    next: i64,
    step: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Bullet,
    Decimal,
    Letter { upper: bool },
    Roman { upper: bool },
}

impl List {
    /// A list that begins; `items` counts its own items, for one that counts down.
    pub fn new(element: &Element, ordered: bool, items: impl FnOnce() -> usize) -> List {
        let kind = match element.attr("type").map(str::trim) {
            Some("a") => Kind::Letter { upper: false },
            Some("A") => Kind::Letter { upper: true },
            Some("i") => Kind::Roman { upper: false },
            Some("I") => Kind::Roman { upper: true },
            Some("1") => Kind::Decimal,
            _ if ordered => Kind::Decimal,
            _ => Kind::Bullet,
        };
        let kind = match style_of(element, "list-style-type").or_else(|| style_of(element, "list-style")) {
            Some(style) => style.split_ascii_whitespace().find_map(css_kind).unwrap_or(Some(kind)),
            None => Some(kind),
        };
        let step = if element.attr("reversed").is_some() { -1 } else { 1 };
        let start = element.attr("start").and_then(number);
        let next = start.unwrap_or_else(|| if step < 0 { i64::try_from(items()).unwrap_or(1) } else { 1 });
        List { kind, next, step }
    }

    /// The marker of the next item; nothing for a list without markers.
    pub fn marker(&mut self, item: &Element) -> Option<String> {
        if let Some(value) = item.attr("value").and_then(number) {
            self.next = value;
        }
        let number = self.next;
        self.next = self.next.saturating_add(self.step);
        Some(match self.kind? {
            Kind::Bullet => "•".to_owned(),
            Kind::Letter { upper } => letters(number, upper).unwrap_or_else(|| format!("{number}.")),
            Kind::Roman { upper } => roman(number, upper).unwrap_or_else(|| format!("{number}.")),
            Kind::Decimal => format!("{number}."),
        })
    }
}

fn number(value: &str) -> Option<i64> {
    value.trim().parse::<i32>().ok().map(i64::from)
}

/// `Some(None)` for no marker.
fn css_kind(style: &str) -> Option<Option<Kind>> {
    Some(Some(match style {
        "none" => return Some(None),
        "disc" | "circle" | "square" => Kind::Bullet,
        "decimal" | "decimal-leading-zero" => Kind::Decimal,
        "lower-alpha" | "lower-latin" => Kind::Letter { upper: false },
        "upper-alpha" | "upper-latin" => Kind::Letter { upper: true },
        "lower-roman" => Kind::Roman { upper: false },
        "upper-roman" => Kind::Roman { upper: true },
        _ => return None,
    }))
}

fn cased(text: String, upper: bool) -> String {
    if upper { text.to_ascii_uppercase() } else { text }
}

/// a., …, z., aa., …
fn letters(number: i64, upper: bool) -> Option<String> {
    let mut rest = u32::try_from(number).ok().filter(|n| *n > 0)?;
    let mut out = Vec::new();
    while rest > 0 {
        rest -= 1;
        out.push(char::from_digit(rest % 26 + 10, 36)?);
        rest /= 26;
    }
    Some(cased(out.iter().rev().collect::<String>() + ".", upper))
}

fn roman(number: i64, upper: bool) -> Option<String> {
    let numeral = u32::try_from(number).ok().and_then(crate::roman::roman)?;
    Some(cased(numeral + ".", upper))
}
