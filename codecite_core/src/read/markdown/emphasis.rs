//! Open emphasis.

use crate::document::Style;

/// Emphasis by its marks and by tags: how often each is open.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Emphasis {
    pub bold: u32,
    pub italic: u32,
    pub underlined: u32,
    pub struck: u32,
}

impl Emphasis {
    /// The style where this emphasis and `other` are open.
    pub fn and(self, other: Emphasis) -> Style {
        Style {
            bold: self.bold + other.bold > 0,
            italic: self.italic + other.italic > 0,
            underlined: self.underlined + other.underlined > 0,
            struck: self.struck + other.struck > 0,
        }
    }

    /// How often the emphasis of an HTML element is open.
    pub fn count(&mut self, element: &str) -> Option<&mut u32> {
        Some(match element {
            "b" | "strong" => &mut self.bold,
            "i" | "em" => &mut self.italic,
            "u" | "ins" => &mut self.underlined,
            "s" | "del" | "strike" => &mut self.struck,
            _ => return None,
        })
    }
}
