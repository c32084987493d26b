//! White space as browsers fold it.

/// How many bytes are so. Sums of single bytes are what compilers make wide instructions of.
pub(crate) fn count(bytes: &[u8], is: impl Fn(&u8) -> bool) -> usize {
    let of = |part: &[u8]| usize::from(part.iter().fold(0u8, |sum, byte| sum + u8::from(is(byte))));
    bytes.chunks(usize::from(u8::MAX)).map(of).sum()
}

/// True when a byte is so; all of them are looked at, many at a time.
pub(crate) fn any(bytes: &[u8], is: impl Fn(&u8) -> bool) -> bool {
    bytes.iter().fold(false, |any, byte| any | is(byte))
}

/// Appends text, with each stretch of white space as one space and none at the beginning of a line.
pub(super) fn push_folded(out: &mut String, text: &str) {
    let mut rest = text;
    while !rest.is_empty() {
        let after_blank = matches!(out.as_bytes().last(), None | Some(b' ' | b'\n'));
        let words = words_as_they_are(rest.as_bytes(), after_blank);
        let (words, after) = rest.split_at(words);
        out.push_str(words);
        let mut chars = after.chars();
        if let Some(c) = chars.next() {
            if !c.is_whitespace() {
                out.extend(Some(c).filter(|c| is_printed(*c)));
            } else if !matches!(out.as_bytes().last(), None | Some(b' ' | b'\n')) {
                out.push(' ');
            }
        }
        rest = chars.as_str();
    }
}

/// Bytes looked at together.
const WIDE: usize = 16;

/// How much of a text is printed as it is: ASCII, with one space between words.
fn words_as_they_are(text: &[u8], after_blank: bool) -> usize {
    let is_plain = |byte: u8| (b' '..=b'~').contains(&byte);
    if after_blank && text.first() == Some(&b' ') {
        return 0;
    }
    let followers = text.get(1..).unwrap_or_default();
    let ends = |(part, next): &(&[u8], &[u8])| {
        let pairs = part.iter().zip(*next);
        pairs.fold(false, |ends, (a, b)| ends | !is_plain(*a) | ((*a == b' ') & (*b == b' ')))
    };
    let wide =
        text.chunks_exact(WIDE).zip(followers.chunks_exact(WIDE)).take_while(|pair| !ends(pair)).count()
            * WIDE;
    let mut blank = wide > 0 && text.get(wide - 1) == Some(&b' ');
    let ends = |byte: &u8| {
        let after_blank = std::mem::replace(&mut blank, *byte == b' ');
        !is_plain(*byte) || (blank && after_blank)
    };
    let rest = text.get(wide..).unwrap_or_default();
    wide + rest.iter().position(ends).unwrap_or(rest.len())
}

/// Appends preformatted text as it stands.
pub(super) fn push_raw(out: &mut String, text: &str) {
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            out.push('\n');
        }
        if line.contains('\u{a0}') {
            push_word(out, &line.replace('\u{a0}', " "));
        } else {
            push_word(out, line);
        }
    }
}

/// Appends what is printed of a word: soft hyphens, joiners without width and controls are not.
fn push_word(out: &mut String, word: &str) {
    if word.is_ascii() && !word.bytes().any(|byte| byte.is_ascii_control() && byte != b'\t') {
        out.push_str(word);
    } else {
        out.extend(word.chars().filter(|c| is_printed(*c)));
    }
}

/// False for what leaves no mark on the page.
pub(super) fn is_printed(c: char) -> bool {
    c == '\t' || !c.is_control() && !matches!(c, '\u{ad}' | '\u{200b}' | '\u{2060}' | '\u{feff}')
}

/// Begins a new line, without space at the end of the one before.
pub(super) fn push_line_break(out: &mut String) {
    out.truncate(out.trim_end_matches(' ').len());
    if !out.is_empty() {
        out.push('\n');
    }
}

/// True when nothing of it would be printed.
pub(super) fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || !is_printed(c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The same, one character at a time.
    fn folded(before: &str, text: &str) -> String {
        let mut out = before.to_owned();
        for c in text.chars() {
            let open = !out.is_empty() && !out.ends_with([' ', '\n']);
            match c.is_whitespace() {
                true if open => out.push(' '),
                true => {}
                false => out.extend(Some(c).filter(|c| is_printed(*c))),
            }
        }
        out
    }

    proptest! {
        #[test]
        fn many_bytes_fold_as_one_does(
            before in "(|a|a |a\n)",
            text in prop::collection::vec("( |  |[ -~]{1,40}|\t|\n|\u{a0}|\u{ad}|é|\x07)", 0..9),
        ) {
            let text = text.concat();
            let mut out = before.clone();
            push_folded(&mut out, &text);
            prop_assert_eq!(out, folded(&before, &text));
        }
    }
}
