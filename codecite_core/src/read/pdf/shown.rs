//! What the operator `TJ` shows, read without the objects of a library: pages set with kerning have an array of dozens of
//! short strings and numbers for each line.

/// An item of the array.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Shown<'c> {
    Text(&'c [u8]),
    Step(f64),
}

/// A longer array is no line of text, and its items would take many times its bytes.
const MAX_BYTES: usize = 1 << 16;
/// Digits that a number may have here; a `f64` holds them exactly.
const MAX_DIGITS: usize = 15;
const POWERS: [f64; MAX_DIGITS + 1] =
    [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

/// The items of an array, from the bytes between its brackets. `None` when there is anything but numbers and strings that
/// stand as they are: escapes, digits in base 16, comments.
pub(super) fn plain_items(data: &[u8]) -> Option<Vec<Shown<'_>>> {
    if data.len() > MAX_BYTES {
        return None;
    }
    let mut out = Vec::with_capacity(data.len() / 8 + 1);
    let mut rest = data;
    while let [first, tail @ ..] = rest {
        match first {
            b' ' | b'\t' | b'\n' | b'\r' => rest = tail,
            b'(' => {
                let end = tail.iter().position(|b| matches!(b, b')' | b'(' | b'\\' | b'\n' | b'\r'))?;
                let (text, after) = tail.split_at_checked(end)?;
                rest = after.strip_prefix(b")")?;
                out.push(Shown::Text(text));
            }
            _ => {
                let (value, after) = number(rest)?;
                rest = after;
                out.push(Shown::Step(value));
            }
        }
    }
    Some(out)
}

fn number(data: &[u8]) -> Option<(f64, &[u8])> {
    let (negative, digits) = match data {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, data),
    };
    let (mantissa, whole, rest) = digits_of(0, digits);
    let (value, count, rest) = match rest {
        [b'.', rest @ ..] => {
            let (mantissa, count, rest) = digits_of(mantissa, rest);
            let value = mantissa as f64 / POWERS.get(count)?;
            (if negative { -value } else { value }, whole + count, rest)
        }
        // Without a point there is no negative zero.
        _ if negative => (mantissa.wrapping_neg() as f64, whole, rest),
        _ => (mantissa as f64, whole, rest),
    };
    let ends = matches!(rest.first(), None | Some(b' ' | b'\t' | b'\n' | b'\r' | b'('));
    (ends && (1..=MAX_DIGITS).contains(&count)).then_some((value, rest))
}

/// Goes on with a number: its digits so far, how many there were here, what follows.
fn digits_of(mut mantissa: i64, data: &[u8]) -> (i64, usize, &[u8]) {
    let mut count = 0;
    let mut rest = data;
    while let [digit @ b'0'..=b'9', tail @ ..] = rest {
        mantissa = mantissa.wrapping_mul(10).wrapping_add(i64::from(digit - b'0'));
        count += 1;
        rest = tail;
    }
    (mantissa, count, rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hayro_syntax::content::TypedIter;
    use hayro_syntax::content::ops::TypedInstruction;
    use hayro_syntax::object::Object;
    use proptest::prelude::*;

    /// The items as the library reads them.
    fn by_library(data: &str) -> Option<Vec<(Vec<u8>, u64)>> {
        let content = format!("[{data}] TJ");
        let mut operators = TypedIter::new(content.as_bytes());
        let Some(TypedInstruction::ShowTexts(array)) = operators.next() else { return None };
        let items = array.0.iter::<Object<'_>>().map(|object| match object {
            Object::String(text) => (text.as_bytes().to_vec(), 0),
            Object::Number(number) => (Vec::new(), number.as_f64().to_bits()),
            _ => (Vec::new(), 1),
        });
        Some(items.collect())
    }

    fn here(data: &str) -> Option<Vec<(Vec<u8>, u64)>> {
        let items = plain_items(data.as_bytes())?;
        let items = items.into_iter().map(|item| match item {
            Shown::Text(text) => (text.to_vec(), 0),
            Shown::Step(value) => (Vec::new(), value.to_bits()),
        });
        Some(items.collect())
    }

    #[test]
    fn plain_arrays_are_read_and_others_left() {
        let data = "(Wi) 3 (dth) -20.25(x)+.5\n-0 -0. 5.";
        assert_eq!(here(data).map(|items| items.len()), Some(9));
        assert_eq!(here(data), by_library(data));
        for other in [
            r"(a\(b)", "(a(b))", "<41>", "(a", "--5", "1-2", ".", "-", "1.2.3", "5 0 R", "/N", "% x",
            "(a\nb)",
        ] {
            assert_eq!(here(other), None, "{other}");
        }
        assert_eq!(here(&"1 ".repeat(MAX_BYTES)), None);
    }

    proptest! {
        #[test]
        fn what_is_read_here_is_what_the_library_reads(data in "([ ]|[(][a-z ]{0,3}[)]|[-+]?[0-9]{0,4}[.]?[0-9]{0,4}|[-(<>R\\\\]){0,8}") {
            if let Some(items) = here(&data) {
                prop_assert_eq!(Some(items), by_library(&data));
            }
        }
    }
}
