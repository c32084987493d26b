//! Emphasis and alignment of an element.

use super::class::{properties, style_of};
use super::tree::Element;
use crate::document::Style;

/// The style of the text in an element that stands in text of the style `outer`.
pub(super) fn style_in(element: &Element, outer: Style) -> Style {
    let mut style = outer;
    match element.html_name() {
        Some("b" | "strong") => style.bold = true,
        Some("i" | "em") => style.italic = true,
        Some("u" | "ins") => style.underlined = true,
        Some("s" | "del" | "strike") => style.struck = true,
        _ => {}
    }
    for (name, value) in properties(element) {
        match name.to_ascii_lowercase().as_str() {
            "font-weight" => style.bold = is_bold(value, style.bold),
            "font-style" => style.italic = matches!(value, "italic" | "oblique"),
            "text-decoration" | "text-decoration-line" => {
                let words = || value.split_ascii_whitespace();
                // A decoration reaches through everything inside; "none" takes off the element's own only.
                style.underlined = outer.underlined || words().any(|word| word == "underline");
                style.struck = outer.struck || words().any(|word| word == "line-through");
            }
            _ => {}
        }
    }
    style
}

fn is_bold(value: &str, inherited: bool) -> bool {
    match value {
        "bold" | "bolder" => true,
        "normal" | "lighter" => false,
        _ => value.parse::<u32>().map_or(inherited, |weight| weight >= 600),
    }
}

/// Whether the text in an element is centred; `None` when it does not say.
pub(super) fn centred(element: &Element) -> Option<bool> {
    if element.html_name() == Some("center") {
        return Some(true);
    }
    let align = style_of(element, "text-align").or_else(|| element.attr("align"))?;
    Some(align.eq_ignore_ascii_case("center") || align.eq_ignore_ascii_case("middle"))
}
