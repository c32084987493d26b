//! Whether text has markup of Markdown in it.

use crate::read::fold::any;

/// A text has markup when it begins with a heading, or has markup once in so many lines: the odd star or hash mark
/// is none.
const LINES_PER_MARK: usize = 2_000;
/// Lines that are looked at.
const MAX_LINES: usize = 200_000;
/// How long emphasis, a link or a tag may be, and how many marks of a line are tried.
const MAX_INLINE: usize = 1_000;
const MAX_TRIES: usize = 1_000;

/// True when there is a heading, emphasis, a link, a table, a fence, front matter, a quotation or a tag.
pub(super) fn is_markdown(bytes: &[u8]) -> bool {
    let marks: [&[u8]; 3] = [b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"];
    let bytes = marks.iter().find_map(|mark| bytes.strip_prefix(*mark)).unwrap_or(bytes);
    // UTF-16 keeps every mark, with zeros between.
    let narrow: Vec<u8>;
    let bytes = if bytes.get(..64).unwrap_or(bytes).contains(&0) {
        narrow = bytes.iter().copied().filter(|byte| *byte != 0).collect();
        &narrow
    } else {
        bytes
    };
    let first = bytes.trim_ascii_start().split(|byte| *byte == b'\n').next().unwrap_or_default();
    if is_front_matter(bytes) || first.first() == Some(&b'#') && is_heading(first) {
        return true;
    }
    let (mut lines, mut marks) = (0, 0);
    for line in bytes.split(|byte| matches!(byte, b'\n' | b'\r')).take(MAX_LINES) {
        lines += 1;
        marks += usize::from(is_marked(line));
    }
    marks * LINES_PER_MARK >= lines && marks > 0
}

fn is_front_matter(bytes: &[u8]) -> bool {
    let mut lines = bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end);
    let fence = lines.next().unwrap_or_default();
    if fence != b"---" && fence != b"+++" {
        return false;
    }
    let between: Vec<&[u8]> = lines.take(200).take_while(|line| *line != fence).collect();
    let sets = |line: &&[u8]| line.contains(if fence == b"---" { &b':' } else { &b'=' });
    between.first().is_some_and(sets)
}

fn is_marked(line: &[u8]) -> bool {
    let text = line.trim_ascii_start();
    let indent = line.len() - text.len();
    match text.first() {
        None => false,
        Some(b'#') => indent < 4 && is_heading(text),
        Some(b'`' | b'~') if text.starts_with(b"```") || text.starts_with(b"~~~") => true,
        Some(b'>') => indent < 4 && text.get(1).is_none_or(|next| matches!(next, b' ' | b'>')),
        Some(b'|' | b':' | b'-') if is_table_rule(text) => true,
        Some(b'[') if is_definition(text) => true,
        Some(_) => has_inline(text),
    }
}

fn is_heading(text: &[u8]) -> bool {
    let level = text.iter().take_while(|byte| **byte == b'#').count();
    level <= 6 && text.get(level).is_some_and(|next| matches!(next, b' ' | b'\t'))
}

/// `|---|:--:|`
fn is_table_rule(text: &[u8]) -> bool {
    let text = text.trim_ascii_end();
    text.iter().all(|byte| matches!(byte, b'|' | b':' | b'-' | b' '))
        && text.contains(&b'|')
        && text.windows(2).any(|pair| pair == b"--")
}

/// `[^1]: a note`, `[name]: https://…`
fn is_definition(text: &[u8]) -> bool {
    let end = text.iter().position(|byte| *byte == b']').unwrap_or(text.len());
    end > 1 && text.get(end + 1) == Some(&b':') || has_inline(text)
}

/// Emphasis, links, code, tags and template tags within a line.
fn has_inline(text: &[u8]) -> bool {
    // Bit by bit, without branches: most lines have none.
    let is_mark = |byte: &u8| {
        (*byte == b'*')
            | (*byte == b'_')
            | (*byte == b']')
            | (*byte == b'[')
            | (*byte == b'`')
            | (*byte == b'{')
            | (*byte == b'<')
            | (*byte == b'~')
    };
    if !any(text, is_mark) {
        return false;
    }
    let mut at = 0;
    let mut tried = 0;
    while let Some(skip) = text.get(at..).and_then(|rest| rest.iter().position(is_mark)) {
        at += skip;
        let Some(byte) = text.get(at).filter(|_| tried < MAX_TRIES) else { break };
        let rest = text.get(at + 1..).unwrap_or_default();
        let rest = rest.get(..MAX_INLINE).unwrap_or(rest);
        tried += 1;
        let found = match byte {
            b'*' | b'_' => {
                let before = at.checked_sub(1).and_then(|at| text.get(at));
                is_emphasis(*byte, before, rest)
            }
            b']' => rest.first() == Some(&b'(') && rest.contains(&b')'),
            b'[' => rest.first() == Some(&b'^') && rest.contains(&b']'),
            b'`' => rest.first().is_some_and(|next| *next != b'`') && rest.contains(&b'`'),
            b'{' => {
                matches!(rest.first(), Some(b'%' | b'{')) && (contains(rest, b"%}") || contains(rest, b"}}"))
            }
            b'<' => is_tag(rest),
            b'~' => {
                rest.first() == Some(&b'~')
                    && rest.get(1).is_some_and(u8::is_ascii_alphanumeric)
                    && contains(rest.get(1..).unwrap_or_default(), b"~~")
            }
            _ => false,
        };
        if found {
            return true;
        }
        // A stretch of marks is looked at once.
        at += 1 + rest.iter().take_while(|next| *next == byte).count();
    }
    false
}

/// `*word*`, `**a few words**`, `_word_`, not `5 * 6 * 7` or `a_name_like_this`.
fn is_emphasis(mark: u8, before: Option<&u8>, rest: &[u8]) -> bool {
    let run = 1 + rest.iter().take_while(|byte| **byte == mark).count();
    let inside = rest.get(run - 1..).unwrap_or_default();
    let opens = before.is_none_or(|byte| !byte.is_ascii_alphanumeric() && *byte != mark)
        && inside.first().is_some_and(|first| !first.is_ascii_whitespace())
        && run <= 3;
    let closing = inside.iter().position(|byte| *byte == mark);
    opens
        && closing.is_some_and(|end| {
            let last = end.checked_sub(1).and_then(|last| inside.get(last));
            let after = inside.get(end..).unwrap_or_default();
            let closes = after.iter().take_while(|byte| **byte == mark).count();
            let next = after.get(closes);
            closes >= run
                && last.is_some_and(|last| !last.is_ascii_whitespace())
                && inside.get(..end).unwrap_or_default().iter().any(u8::is_ascii_alphanumeric)
                && (mark == b'*' || next.is_none_or(|next| !next.is_ascii_alphanumeric()))
        })
}

/// Elements that are written in Markdown where it has no markup of its own.
fn is_tag(rest: &[u8]) -> bool {
    const NAMES: [&[u8]; 24] = [
        b"br", b"sup", b"sub", b"b", b"i", b"u", b"em", b"strong", b"s", b"del", b"ins", b"table", b"tr",
        b"td", b"th", b"div", b"p", b"span", b"a", b"img", b"h1", b"h2", b"h3", b"ul",
    ];
    let rest = rest.strip_prefix(b"/").unwrap_or(rest);
    let end = rest.iter().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(rest.len());
    let name = rest.get(..end).unwrap_or_default().to_ascii_lowercase();
    let after = rest.get(end);
    after.is_some_and(|after| matches!(after, b'>' | b' ' | b'/'))
        && NAMES.contains(&name.as_slice())
        && rest.contains(&b'>')
}

fn contains(haystack: &[u8], needle: &[u8]) -> bool {
    haystack.windows(needle.len()).any(|window| window == needle)
}

#[cfg(test)]
mod tests {
    use super::is_markdown;

    #[test]
    fn markup_of_any_kind() {
        for text in [
            "# CHAPTER 1\n",
            "Text\n\n## SECTION 101",
            "**101.1 Title.** Text",
            "see *note* here",
            "an _emphasis_",
            "[link](https://example.org)",
            "| a | b |\n|---|---|\n| 1 | 2 |\n",
            "a | b\n--|--\n1 | 2\n",
            "```\ncode\n```\n",
            "---\ntitle: x\n---\ntext\n",
            "+++\ntitle = \"x\"\n+++\ntext\n",
            "> quoted",
            "> > > deep",
            "text[^1]\n\n[^1]: note",
            "one<br>two",
            "~~old~~ new",
            "{% include x %}",
            "use `code`",
            "\u{feff}# Title",
        ] {
            assert!(is_markdown(text.as_bytes()), "{text}");
        }
        let wide: Vec<u8> = "\u{feff}# Title\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert!(is_markdown(&wide));
    }

    #[test]
    fn plain_text_has_none() {
        for text in [
            "CHAPTER 1\nSCOPE\n=====\n\n101.1 Title. These rules\nare rules.\n",
            "    (a) Doors\n    (b) Gates\n",
            "1. one\n2. two\n- three\n* four\n",
            "area = 5 * 6 * 7",
            "* see the note",
            "fees** apply\n**waived in part",
            "a_name_like_this and snake_case",
            "#1 priority",
            "a < b > c, <none>",
            "[https://example.org/x.png] Notice",
            "x [ ← ] y",
            "-----\n| a |\n-----\n",
            "Section 101.1[a] (b)",
            "____________ Signature ____________",
        ] {
            assert!(!is_markdown(text.as_bytes()), "{text}");
        }
        let titled = format!("# Title\n\n{}", "Words of a long text.\n".repeat(5_000));
        assert!(is_markdown(titled.as_bytes()));
        // One hash mark at the beginning of a line of a long text is no heading.
        let long = format!("{}# of units\n", "Words of a long text.\n".repeat(5_000));
        assert!(!is_markdown(long.as_bytes()));
    }

    #[test]
    fn long_lines_of_marks_are_looked_at_once() {
        for mark in ["*", "_", "`", "[", "]", "<", "{", "{%", "*a ", "_a ", "~~a", "](", "`a"] {
            is_markdown(mark.repeat(100_000).as_bytes());
        }
    }
}
