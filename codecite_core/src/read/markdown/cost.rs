//! What parsing Markdown may cost. The parser makes a tree of the whole text before it says anything, so the tree is counted
//! before it is made: from above, by the bytes that can begin something.

/// A node of the parser's tree, in a list that doubles when it is full.
const NODE_BYTES: u64 = 2 * 48;

/// Bytes that end a text and begin something else, wherever they stand.
const ANYWHERE: &[u8] = b"*_~[]!<&\\`|\n\r";
/// Bytes that begin blocks at the beginning of a line, each inside the one before.
const LEADING: &[u8] = b"-+>#=:.)0123456789 \t";

/// Bytes of memory that the tree of a text takes at most.
pub(super) fn tree_bytes(text: &str) -> u64 {
    let mut starts = 0u64;
    let mut is_leading = true;
    for byte in text.bytes() {
        let is_special = ANYWHERE.contains(&byte);
        is_leading = byte == b'\n' || is_leading && (is_special || LEADING.contains(&byte));
        let is_blank = byte == b' ' || byte == b'\t';
        starts += u64::from(is_special || is_leading && !is_blank);
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
    }
}
