//! Decides by content what a file is; a name never decides.

mod html;

use crate::document::Format;
use crate::error::{Error, Result};
use crate::read::docx;

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

/// The format of the bytes. Text without a better sign is Markdown, of which plain text is a special case,
/// unless `declared` says text.
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
    let has_utf16_bom = head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff");
    if !has_utf16_bom && !looks_like_text(head) {
        return Err(Error::UnknownFormat { looks_like: Some("binary data") });
    }
    if html::is_html(head) {
        return Ok(Format::Html);
    }
    Ok(Format::Markdown)
}

fn zip_format(bytes: &[u8]) -> Result<Format> {
    match docx::sniff(bytes) {
        Ok(true) => Ok(Format::Docx),
        Ok(false) => Err(Error::UnknownFormat { looks_like: Some("a zip archive that is no DOCX") }),
        Err(other) => Err(Error::UnknownFormat { looks_like: Some(other) }),
    }
}

/// Text has no NUL and hardly any control characters.
fn looks_like_text(head: &[u8]) -> bool {
    let controls =
        head.iter().filter(|b| matches!(b, 0x01..=0x08 | 0x0e..=0x1a | 0x1c..=0x1f | 0x7f)).count();
    !head.contains(&0) && controls * 50 <= head.len()
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
    }

    #[test]
    fn what_is_no_document_is_named() {
        assert_eq!(sniff(b"", None), Err(Error::Empty));
        assert_eq!(
            sniff(b"\x89PNG\r\n\x1a\n", None),
            Err(Error::UnknownFormat { looks_like: Some("a PNG image") })
        );
        assert!(matches!(sniff(&[0u8, 1, 2, 3, 200], None), Err(Error::UnknownFormat { .. })));
    }

    #[test]
    fn a_wrong_declaration_is_an_error() {
        let mismatch = Error::FormatMismatch { declared: Format::Docx, found: Format::Pdf };
        assert_eq!(sniff(b"%PDF-1.4", Some(Format::Docx)), Err(mismatch));
    }
}
