//! What parsing Markdown may cost. The parser makes a tree of the whole text before it says anything, so the tree is counted
//! before it is made: from above, by the bytes that can begin something.

use crate::read::fold::count;

/// A node of the parser's tree, in a list that doubles when it is full.
const NODE_BYTES: u64 = 2 * 48;

/// What begins something wherever it stands. Bit by bit, without branches: this looks at every byte.
fn begins(byte: u8) -> bool {
    (byte == b'*')
        | (byte == b'_')
        | (byte == b'~')
        | (byte == b'[')
        | (byte == b']')
        | (byte == b'!')
        | (byte == b'<')
        | (byte == b'&')
        | (byte == b'\\')
        | (byte == b'`')
        | (byte == b'|')
        | (byte == b'\r')
        | (byte == b'\n')
}

/// What begins something at the beginning of a line, each inside the one before.
fn leads(byte: u8) -> bool {
    matches!(byte, b'-' | b'+' | b'>' | b'#' | b'=' | b':' | b'.' | b')' | b'0'..=b'9')
}

/// Bytes of memory that the tree of a text takes at most.
pub(super) fn tree_bytes(text: &str) -> u64 {
    let anywhere = count(text.as_bytes(), |byte| begins(*byte));
    let leading = text.split('\n').map(|line| {
        let goes_on = |byte: &&u8| begins(**byte) || leads(**byte) || matches!(byte, b' ' | b'\t');
        line.as_bytes().iter().take_while(goes_on).filter(|byte| leads(**byte)).count()
    });
    let starts = (anywhere + leading.sum::<usize>()) as u64;
    // What begins there, and the text after it.
    2 * (starts + 1) * NODE_BYTES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_costs_little_and_marks_cost_much() {
        let of = |text: &str| tree_bytes(&text.repeat(1000)) / (text.len() * 1000) as u64;
        assert!(
            of("A sentence of some length, as codes have them: nothing but words, and at its end a stop.\n")
                < 3
        );
        assert!(of("> - ") >= 96);
        assert!(of("x\n\n") >= 96);
        assert!(of("*") >= 192);
        // Each byte of the two lists, and none besides.
        let one = |byte: u8| tree_bytes(&format!("word {}", char::from(byte))) > tree_bytes("word x");
        let begins: Vec<u8> = (b' '..b'\x7f').filter(|byte| one(*byte)).collect();
        assert_eq!(String::from_utf8(begins).unwrap(), "!&*<[\\]_`|~");
    }
}
