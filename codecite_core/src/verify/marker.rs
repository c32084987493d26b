//! Marks of list items at the start of a line: `1.`, `(a)`, `iv)`, `•`.

/// How long the mark at the start of a line is; `None` where there is none.
pub(super) fn at_start(line: &str) -> Option<usize> {
    let rest = line.strip_prefix('(').unwrap_or(line);
    let is_open = rest.len() < line.len();
    let name: &str = rest.split(|c: char| !c.is_ascii_alphanumeric()).next()?;
    if name.is_empty() {
        let bullet = line.chars().next().filter(|c| "-+•·▪◦–—".contains(*c))?;
        return is_blank(line.get(bullet.len_utf8()..)?).then_some(bullet.len_utf8());
    }
    let after = rest.get(name.len()..)?;
    let close = after.chars().next().filter(|c| *c == ')' || *c == '.' && !is_open)?;
    let is_name = name.len() <= 2 && name.bytes().all(|byte| byte.is_ascii_digit())
        || name.len() == 1
        || is_open && name.len() == 2 && name.bytes().all(|byte| byte.is_ascii_lowercase())
        || name.len() <= 5 && name.bytes().all(|byte| b"ivxIVX".contains(&byte));
    let length = line.len() - after.len() + close.len_utf8();
    (is_name && is_blank(line.get(length..)?)).then_some(length)
}

fn is_blank(rest: &str) -> bool {
    rest.starts_with(char::is_whitespace)
}

/// True when a line after this text may begin an item: a sentence that was wrapped before a number may not.
pub(super) fn may_begin(before: &str) -> bool {
    let line = before.trim_end_matches([' ', '\t', '>', '\n', '\r', '*', '"', '”', '’', '_', '|']);
    let breaks = before.get(line.len()..).unwrap_or_default().matches('\n').count();
    line.is_empty()
        || breaks > 1
        || line.ends_with(['.', ':', ';', ')', ',', '—', '?', '!', '…'])
        || line.ends_with(" and")
        || line.ends_with(" or")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_told_from_words() {
        for (line, length) in [("1. A", 2), ("(a) A", 3), ("iv) A", 3), ("• A", 3), ("- A", 1), ("12) A", 3)]
        {
            assert_eq!(at_start(line), Some(length), "{line}");
        }
        for line in ["1.5 m", "and", "-5 °C", "100. The", "", "(see) x", "a"] {
            assert_eq!(at_start(line), None, "{line}");
        }
    }
}
