//! Text as it is shown: cut to a budget, wrapped for a terminal, free of characters that could deceive.

/// The text with control and bidirectional formatting characters taken out; line ends and tabs stay.
pub fn safe(text: &str) -> String {
    let deceives = |c: char| {
        c.is_control() && !matches!(c, '\n' | '\t')
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
    };
    text.chars().filter(|c| !deceives(*c)).collect()
}

/// At most `limit` characters: whole lines, else whole sentences, else whole words; with " …" where something
/// was left out.
pub fn cut(text: &str, limit: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(limit) else { return text.to_owned() };
    let head = text.get(..end).unwrap_or(text);
    let least = head.len() / 3;
    let place = [head.rfind('\n'), head.rfind(". ").map(|at| at + 1), head.rfind(' ')];
    let end = place.into_iter().flatten().find(|at| *at >= least).unwrap_or(head.len());
    format!("{} …", head.get(..end).unwrap_or(head).trim_end())
}

/// The text with lines of at most `width` characters, broken at spaces; longer words stay whole.
pub fn wrap(text: &str, width: usize) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 32);
    for (index, line) in text.lines().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        let mut column = 0;
        for word in line.split_whitespace() {
            let length = word.chars().count();
            if column > 0 && column + 1 + length > width {
                out.push('\n');
                column = 0;
            } else if column > 0 {
                out.push(' ');
                column += 1;
            }
            out.push_str(word);
            column += length;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_fall_between_items() {
        assert_eq!(cut("short", 10), "short");
        assert_eq!(
            cut("First item here.\nSecond item here.\nThird", 35),
            "First item here.\nSecond item here. …"
        );
        assert_eq!(cut("One sentence. Another sentence", 20), "One sentence. …");
    }

    #[test]
    fn wrapping_keeps_lines_and_words() {
        assert_eq!(wrap("aa bb cc\ndd", 5), "aa bb\ncc\ndd");
        assert_eq!(wrap("abcdefgh ij", 4), "abcdefgh\nij");
    }

    #[test]
    fn deceiving_characters_go() {
        assert_eq!(safe("a\u{202e}b\u{7}c\nd\u{200b}"), "abc\nd");
    }
}
