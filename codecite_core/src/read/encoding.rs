//! Bytes into text: byte-order marks, declared and guessed encodings.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

use crate::document::Warning;
use crate::error::{Error, Result};
use crate::read::fold::any;
use crate::work::Work;

/// How far into the file a declaration of the encoding is looked for.
const DECLARATION_WINDOW: usize = 4096;
/// One byte in so many may be no UTF-8 before the bytes are no text.
const BAD_SHARE: usize = 8;

/// Text, and what was doubtful about it.
#[derive(Debug)]
pub(super) struct Decoded<'b> {
    pub text: Cow<'b, str>,
    pub warnings: Vec<Warning>,
}

/// Decodes a Markdown file: a byte-order mark decides and is dropped; without one it is UTF-8.
///
/// # Errors
/// [`Error::BadEncoding`] with the place of the first bad byte.
pub(super) fn decode_strict(bytes: &[u8]) -> Result<Cow<'_, str>> {
    Ok(clean(match bytes {
        [0xff, 0xfe, rest @ ..] => Cow::Owned(utf16(rest, 2, UTF_16LE)?),
        [0xfe, 0xff, rest @ ..] => Cow::Owned(utf16(rest, 2, UTF_16BE)?),
        [0xef, 0xbb, 0xbf, rest @ ..] => Cow::Borrowed(utf8(rest, 3)?),
        _ => Cow::Borrowed(utf8(bytes, 0)?),
    }))
}

/// Decodes a text file: a byte-order mark decides; without one it is UTF-16 if every other byte is zero, else
/// UTF-8. Bytes that are not UTF-8 are read as windows-1252, with a warning.
///
/// # Errors
/// [`Error::BadEncoding`] when too many bytes are bad, and the limit on decoded bytes.
pub(super) fn decode_lenient<'b>(bytes: &'b [u8], work: &mut Work<'_>) -> Result<Decoded<'b>> {
    work.charge_decoded(bytes.len() as u64)?;
    if let Some(encoding) = utf16_without_mark(bytes) {
        return Ok(Decoded { text: clean(Cow::Owned(utf16(bytes, 0, encoding)?)), warnings: Vec::new() });
    }
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Ok(Decoded { text: decode_strict(bytes)?, warnings: Vec::new() });
    }
    let decoded = utf8_or_1252(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes))?;
    Ok(Decoded { text: clean(decoded.text), warnings: decoded.warnings })
}

/// Decodes an HTML file: a byte-order mark decides, then what the file declares, then UTF-8. Bytes that are not
/// UTF-8 are read as windows-1252, with a warning.
///
/// # Errors
/// As [`decode_lenient`].
pub(super) fn decode_html<'b>(bytes: &'b [u8], work: &mut Work<'_>) -> Result<Decoded<'b>> {
    let marked = Encoding::for_bom(bytes).is_some() || utf16_without_mark(bytes).is_some();
    let declared = declared_encoding(bytes).filter(|encoding| *encoding != UTF_8 && !marked);
    let Some(encoding) = declared else {
        return decode_lenient(bytes, work);
    };
    // Text that is UTF-8 beyond doubt was saved in it, whatever an older line says.
    let has_wide = !bytes.is_ascii();
    if has_wide && std::str::from_utf8(bytes).is_ok() {
        let message = format!("The page declares {} and is UTF-8; it was read as UTF-8.", encoding.name());
        let warning = Warning { code: "charset_mismatch", page: None, message };
        return Ok(Decoded { warnings: vec![warning], ..decode_lenient(bytes, work)? });
    }
    work.charge_decoded(bytes.len() as u64)?;
    let (text, _) = encoding.decode_without_bom_handling(bytes);
    Ok(Decoded { text: clean(text), warnings: Vec::new() })
}

/// The encoding in `<meta charset=…>`, `content="…; charset=…"` or the XML declaration.
fn declared_encoding(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = bytes.get(..DECLARATION_WINDOW).unwrap_or(bytes).to_ascii_lowercase();
    let mut rest: &[u8] = &head;
    if head.starts_with(b"<?xml") {
        let declaration = head.split(|byte| *byte == b'>').next().unwrap_or_default();
        if let Some(encoding) = label_after(declaration, b"encoding") {
            return Some(encoding);
        }
    }
    while let Some(at) = find(rest, b"<meta") {
        rest = rest.get(at + 5..).unwrap_or_default();
        let tag = rest.split(|byte| *byte == b'>').next().unwrap_or_default();
        if let Some(encoding) = label_after(tag, b"charset") {
            // A page whose declaration can be read byte by byte is not in UTF-16.
            return Some(if encoding == UTF_16LE || encoding == UTF_16BE { UTF_8 } else { encoding });
        }
    }
    None
}

fn label_after(text: &[u8], name: &[u8]) -> Option<&'static Encoding> {
    let after = text.get(find(text, name)? + name.len()..)?.trim_ascii_start().strip_prefix(b"=")?;
    let after = after.trim_ascii_start();
    let after = after.strip_prefix(b"\"").or_else(|| after.strip_prefix(b"'")).unwrap_or(after);
    let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b';' | b'/' | b'?');
    Encoding::for_label(after.split(ends).next()?)
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window == needle)
}

/// UTF-16 without a mark: Latin text has a zero in nearly every pair of bytes, always on the same side.
pub(crate) fn utf16_without_mark(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = bytes.get(..1024).unwrap_or(bytes);
    if head.len() < 4 || bytes.len() % 2 == 1 {
        return None;
    }
    let zeros = |side: usize| head.iter().skip(side).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    let half = head.len() / 2;
    if odd * 10 >= half * 7 && even == 0 {
        Some(UTF_16LE)
    } else if even * 10 >= half * 7 && odd == 0 {
        Some(UTF_16BE)
    } else {
        None
    }
}

/// Keeps what is UTF-8, and reads each other byte as windows-1252.
fn utf8_or_1252(bytes: &[u8]) -> Result<Decoded<'_>> {
    let first_bad = match std::str::from_utf8(bytes) {
        Ok(text) => return Ok(Decoded { text: Cow::Borrowed(text), warnings: Vec::new() }),
        Err(error) => error.valid_up_to(),
    };
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 8);
    let mut bad = 0;
    let is_utf8 = bytes.utf8_chunks().any(|chunk| !chunk.valid().is_ascii());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        bad += chunk.invalid().len();
        // A lone C2 in UTF-8 is a no-break space of which the other half was lost.
        if is_utf8 && chunk.invalid() == b"\xc2" {
            text.push('\u{a0}');
        } else {
            text.push_str(&WINDOWS_1252.decode_without_bom_handling(chunk.invalid()).0);
        }
    }
    if bad * BAD_SHARE > bytes.len() {
        return Err(Error::BadEncoding { encoding: "UTF-8", offset: first_bad });
    }
    let message =
        format!("{bad} bytes are not UTF-8 (the first at byte {first_bad}); they were read as windows-1252.");
    Ok(Decoded { text: Cow::Owned(text), warnings: vec![Warning { code: "bad_bytes", page: None, message }] })
}

/// Line ends become `\n`; NUL and other control characters that no text needs are dropped.
fn clean(text: Cow<'_, str>) -> Cow<'_, str> {
    let is_noise = |c: char| c.is_control() && !matches!(c, '\n' | '\t' | '\u{c}') || c == '\u{feff}';
    let is_control = |b: &u8| (*b < b' ') & (*b != b'\n') & (*b != b'\t') & (*b != b'\x0c') | (*b == 0x7f);
    // The noise that is not ASCII begins with these pairs of bytes.
    let pairs = text.as_bytes().iter().zip(text.as_bytes().iter().skip(1));
    let is_wide = |a: u8, b: u8| (a == 0xc2 && b < 0xa0) | (a == 0xef && b == 0xbb);
    if !any(text.as_bytes(), is_control) && !pairs.fold(false, |any, (a, b)| any | is_wide(*a, *b)) {
        return text;
    }
    if !text.contains(is_noise) {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let mut after_return = false;
    for c in text.chars() {
        match c {
            '\n' if after_return => {}
            '\r' => out.push('\n'),
            // The C1 control "next line" is one.
            '\u{85}' => out.push('\n'),
            _ if is_noise(c) => {}
            _ => out.push(c),
        }
        after_return = c == '\r';
    }
    Cow::Owned(out)
}

fn utf8(bytes: &[u8], before: usize) -> Result<&str> {
    std::str::from_utf8(bytes)
        .map_err(|e| Error::BadEncoding { encoding: "UTF-8", offset: before + e.valid_up_to() })
}

fn utf16(bytes: &[u8], before: usize, encoding: &'static Encoding) -> Result<String> {
    let join = if encoding == UTF_16LE { u16::from_le_bytes } else { u16::from_be_bytes };
    let units = bytes.chunks_exact(2).filter_map(|pair| pair.try_into().ok()).map(join);
    let mut out = String::with_capacity(bytes.len() / 2);
    for (index, unit) in char::decode_utf16(units).enumerate() {
        let bad = Error::BadEncoding { encoding: "UTF-16", offset: before + index * 2 };
        out.push(unit.map_err(|_| bad)?);
    }
    if bytes.len() % 2 == 1 {
        return Err(Error::BadEncoding { encoding: "UTF-16", offset: before + bytes.len() - 1 });
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work::{Limits, Unwatched};

    fn lenient(bytes: &[u8]) -> Result<(String, Vec<Warning>)> {
        let limits = Limits::default();
        let decoded = decode_lenient(bytes, &mut Work::new(&limits, &mut Unwatched))?;
        Ok((decoded.text.into_owned(), decoded.warnings))
    }

    fn html(bytes: &[u8]) -> String {
        let limits = Limits::default();
        decode_html(bytes, &mut Work::new(&limits, &mut Unwatched)).unwrap().text.into_owned()
    }

    #[test]
    fn marks_decide_and_are_dropped() {
        for bytes in [&b"\xef\xbb\xbfab"[..], b"\xff\xfea\0b\0", b"\xfe\xff\0a\0b"] {
            assert_eq!(decode_strict(bytes).unwrap(), "ab");
            assert_eq!(lenient(bytes).unwrap().0, "ab");
            assert_eq!(html(bytes), "ab");
        }
    }

    #[test]
    fn line_ends_and_controls() {
        assert_eq!(decode_strict(b"a\r\nb\rc\x07d\x00").unwrap(), "a\nb\ncd");
    }

    #[test]
    fn bad_bytes_name_their_place() {
        assert_eq!(decode_strict(b"ab\xff"), Err(Error::BadEncoding { encoding: "UTF-8", offset: 2 }));
        assert_eq!(decode_strict(b"\xff\xfea"), Err(Error::BadEncoding { encoding: "UTF-16", offset: 2 }));
    }

    #[test]
    fn utf16_is_seen_without_a_mark() {
        assert_eq!(lenient(b"S\0e\0c\0t\0i\0o\0n\0").unwrap().0, "Section");
        assert_eq!(lenient(b"\0S\0e\0c\0t\0i\0o\0n").unwrap().0, "Section");
    }

    #[test]
    fn single_bad_bytes_are_windows_1252_and_the_rest_stays_utf8() {
        let (text, warnings) = lenient(
            "§ 101 “Width” of a café, "
                .repeat(4)
                .as_bytes()
                .iter()
                .copied()
                .chain(*b"caf\xe9 \x93x\x94")
                .collect::<Vec<u8>>()
                .as_slice(),
        )
        .unwrap();
        assert!(text.starts_with("§ 101 “Width” of a café"));
        assert!(text.ends_with("café “x”"));
        assert_eq!(warnings.len(), 1);
        assert_eq!(warnings[0].code, "bad_bytes");
        assert!(warnings[0].message.starts_with("3 bytes"));
    }

    #[test]
    fn half_a_no_break_space_is_a_space_in_utf8_and_a_letter_elsewhere() {
        let halved = ["§ 1 a".as_bytes(), b"\xc2b and so on"].concat();
        assert_eq!(lenient(&halved).unwrap().0, "§ 1 a\u{a0}b and so on");
        assert_eq!(lenient(b"\xc2ge d'or, and so on").unwrap().0, "Âge d'or, and so on");
    }

    #[test]
    fn bytes_that_are_no_text_are_refused() {
        let noise: Vec<u8> = (0u32..4000).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        assert_eq!(lenient(&noise).unwrap_err().code(), "bad_encoding");
    }

    #[test]
    fn pages_say_their_encoding() {
        assert_eq!(html(b"<meta charset=\"iso-8859-1\"><p>caf\xe9"), "<meta charset=\"iso-8859-1\"><p>café");
        let windows_1251 = b"<meta http-equiv=Content-Type content=\"text/html; charset=windows-1251\">\xcf";
        assert!(html(windows_1251).ends_with('П'));
        assert!(html(b"<?xml version='1.0' encoding='ISO-8859-2'?><html>\xb3").ends_with('ł'));
        assert!(html(b"<p>caf\xe9 and so on").contains("café"));
        assert!(html("<meta charset=latin1><p>café".as_bytes()).contains("café"));
    }
}
