//! Bytes into text: byte-order marks, UTF-8 and UTF-16.

use std::borrow::Cow;

use crate::error::{Error, Result};

/// Decodes the bytes of a text file. A byte-order mark decides and is dropped; without one it is UTF-8.
/// Line ends become `\n`; NUL and other control characters that no text needs are dropped.
///
/// # Errors
/// [`Error::BadEncoding`] with the place of the first bad byte.
pub fn decode(bytes: &[u8]) -> Result<Cow<'_, str>> {
    let text = match bytes {
        [0xff, 0xfe, rest @ ..] => Cow::Owned(utf16(rest, u16::from_le_bytes)?),
        [0xfe, 0xff, rest @ ..] => Cow::Owned(utf16(rest, u16::from_be_bytes)?),
        [0xef, 0xbb, 0xbf, rest @ ..] => Cow::Borrowed(utf8(rest, 3)?),
        _ => Cow::Borrowed(utf8(bytes, 0)?),
    };
    let is_noise = |c: char| c.is_control() && !matches!(c, '\n' | '\t' | '\u{c}') || c == '\u{feff}';
    if text.contains(is_noise) {
        let clean = text.replace("\r\n", "\n").replace('\r', "\n").replace(is_noise, "");
        return Ok(Cow::Owned(clean));
    }
    Ok(text)
}

fn utf8(bytes: &[u8], before: usize) -> Result<&str> {
    std::str::from_utf8(bytes)
        .map_err(|e| Error::BadEncoding { encoding: "UTF-8", offset: before + e.valid_up_to() })
}

fn utf16(bytes: &[u8], join: fn([u8; 2]) -> u16) -> Result<String> {
    let units = bytes.chunks_exact(2).filter_map(|pair| pair.try_into().ok()).map(join);
    let mut out = String::with_capacity(bytes.len() / 2);
    for (index, unit) in char::decode_utf16(units).enumerate() {
        let bad = Error::BadEncoding { encoding: "UTF-16", offset: 2 + index * 2 };
        out.push(unit.map_err(|_| bad)?);
    }
    if bytes.len() % 2 == 1 {
        return Err(Error::BadEncoding { encoding: "UTF-16", offset: bytes.len() + 1 });
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_decide_and_are_dropped() {
        assert_eq!(decode(b"\xef\xbb\xbfab").unwrap(), "ab");
        assert_eq!(decode(b"\xff\xfea\0b\0").unwrap(), "ab");
        assert_eq!(decode(b"\xfe\xff\0a\0b").unwrap(), "ab");
    }

    #[test]
    fn line_ends_and_controls() {
        assert_eq!(decode(b"a\r\nb\rc\x07d\x00").unwrap(), "a\nb\ncd");
    }

    #[test]
    fn bad_bytes_name_their_place() {
        assert_eq!(decode(b"ab\xff"), Err(Error::BadEncoding { encoding: "UTF-8", offset: 2 }));
        assert_eq!(decode(b"\xff\xfea"), Err(Error::BadEncoding { encoding: "UTF-16", offset: 2 }));
    }
}
