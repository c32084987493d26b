//! What parsing Markdown may cost. The parser makes a tree of the whole text before it says anything, so the tree is counted
//! before it is made: from above, by the bytes that can begin something.

/// A node of the parser's tree, in a list that doubles when it is full.
const NODE_BYTES: u64 = 2 * 48;

/// What a byte may do: bit 0 begins something wherever it stands, bit 1 at the beginning of a line, each inside the one
/// before; bit 2 is blank there, bit 3 ends a line.
fn class(byte: u8) -> u8 {
    match byte {
        b'*' | b'_' | b'~' | b'[' | b']' | b'!' | b'<' | b'&' | b'\\' | b'`' | b'|' | b'\r' => 1,
        b'\n' => 1 | 8,
        b'-' | b'+' | b'>' | b'#' | b'=' | b':' | b'.' | b')' | b'0'..=b'9' => 2,
        b' ' | b'\t' => 2 | 4,
        _ => 0,
    }
}

/// Bytes of memory that the tree of a text takes at most.
pub(super) fn tree_bytes(text: &str) -> u64 {
    let mut starts = 0u64;
    let mut is_leading = true;
    for byte in text.bytes() {
        let class = class(byte);
        is_leading = class & 8 != 0 || (is_leading && class & 3 != 0);
        starts += u64::from(class & 1 != 0 || (is_leading && class & 4 == 0));
    }
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
