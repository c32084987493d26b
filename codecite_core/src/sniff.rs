//! Decides by content what a file is; a name never decides.

mod html;
mod markdown;

use crate::document::Format;
use crate::error::{Error, Result};
use crate::read::docx;
use crate::read::encoding::utf16_without_mark;
use crate::read::fold::count;

/// How far into the file a signature is looked for. PDF readers accept a header in the first kilobyte.
const WINDOW: usize = 1024;

/// Files that people mix up with documents, by their first bytes.
const FOREIGN: &[(&[u8], &str)] = &[
    (b"\x89PNG\r\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"II*\0", "a TIFF image"),
    (b"MM\0*", "a TIFF image"),
    (b"\xd0\xcf\x11\xe0", "an old or password-protected Office file (save it as DOCX, without a password)"),
    (b"{\\rtf", "an RTF file (save it as DOCX)"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf", "a 7-zip archive"),
    (b"Rar!", "a RAR archive"),
    (b"\x7fELF", "a program"),
];

/// The format of the bytes. Text in which there is markup of Markdown is Markdown, any other is plain text: the
/// rules of Markdown would change its indents, its stars and its numbers.
///
/// # Errors
/// [`Error::Empty`], [`Error::UnknownFormat`], [`Error::FormatMismatch`].
pub fn sniff(bytes: &[u8], declared: Option<Format>) -> Result<Format> {
    if bytes.is_empty() {
        return Err(Error::Empty);
    }
    let found = by_content(bytes)?;
    match declared {
        None => Ok(found),
        Some(declared) if declared == found => Ok(found),
        // Markdown and text cannot be told apart for certain, and HTML may be read as the text it is.
        Some(declared @ (Format::Markdown | Format::Text))
            if matches!(found, Format::Markdown | Format::Text | Format::Html) =>
        {
            Ok(declared)
        }
        Some(declared) => Err(Error::FormatMismatch { declared, found }),
    }
}

fn by_content(bytes: &[u8]) -> Result<Format> {
    let head = bytes.get(..WINDOW).unwrap_or(bytes);
    if head.windows(5).any(|w| w == b"%PDF-") {
        return Ok(Format::Pdf);
    }
    if let Some((_, name)) = FOREIGN.iter().find(|(magic, _)| head.starts_with(magic)) {
        return Err(Error::UnknownFormat { looks_like: Some(name) });
    }
    if head.starts_with(b"PK\x03\x04") {
        return zip_format(bytes);
    }
    let is_utf16 =
        head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") || utf16_without_mark(bytes).is_some();
    if !is_utf16 && !looks_like_text(bytes) {
        return Err(Error::UnknownFormat { looks_like: Some("binary data") });
    }
    if html::is_html(head) {
        return Ok(Format::Html);
    }
    Ok(if markdown::is_markdown(bytes) { Format::Markdown } else { Format::Text })
}

fn zip_format(bytes: &[u8]) -> Result<Format> {
    match docx::sniff(bytes) {
        Ok(true) => Ok(Format::Docx),
        Ok(false) => Err(Error::UnknownFormat { looks_like: Some("a zip archive that is no DOCX") }),
        Err(other) => Err(Error::UnknownFormat { looks_like: Some(other) }),
    }
}

/// Text has no NUL and hardly any control characters. A damaged file may have a few: the whole is looked at only for
/// its share of them.
fn looks_like_text(bytes: &[u8]) -> bool {
    let head = bytes.get(..WINDOW).unwrap_or(bytes);
    // Below the space, but for tab to return and escape.
    let is_control = |b: &u8| (*b < b' ') & (b.wrapping_sub(b'\t') > 4) & (*b != 0x1b) | (*b == 0x7f);
    let few = |part: &[u8]| count(part, is_control) * 50 <= part.len();
    !head.contains(&0) && few(head) && few(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_decides() {
        assert_eq!(sniff(b"%PDF-1.7\n", None), Ok(Format::Pdf));
        assert_eq!(sniff(b"\xef\xbb\xbf  <!DOCTYPE html><p>x", None), Ok(Format::Html));
        assert_eq!(sniff(b"# Title\n", None), Ok(Format::Markdown));
        assert_eq!(sniff(b"# Title\n", Some(Format::Text)), Ok(Format::Text));
        assert_eq!(sniff(b"SECTION 101\n  1. Doors.\n", None), Ok(Format::Text));
        assert_eq!(sniff(b"S\0E\0C\0T\0I\0O\0N\0 \0A\0", None), Ok(Format::Text));
    }

    #[test]
    fn what_is_no_document_is_named() {
        assert_eq!(sniff(b"", None), Err(Error::Empty));
        assert_eq!(
            sniff(b"\x89PNG\r\n\x1a\n", None),
            Err(Error::UnknownFormat { looks_like: Some("a PNG image") })
        );
        assert!(matches!(sniff(&[0u8, 1, 2, 3, 200], None), Err(Error::UnknownFormat { .. })));
        // Random bytes, even those that begin as text does.
        let mut state = 1u64;
        let mut noise: Vec<u8> = b"# CHAPTER 1 ".repeat(100);
        noise.extend((0..1 << 20).map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 56) as u8
        }));
        assert!(matches!(sniff(&noise, None), Err(Error::UnknownFormat { .. })));
    }

    #[test]
    fn a_wrong_declaration_is_an_error() {
        let mismatch = Error::FormatMismatch { declared: Format::Docx, found: Format::Pdf };
        assert_eq!(sniff(b"%PDF-1.4", Some(Format::Docx)), Err(mismatch));
    }
}
