//! The PDF reader.

use crate::document::{Document, Format};
use crate::error::{Error, Result};
use crate::work::Work;

/// Reads a PDF.
///
/// # Errors
/// [`Error::Malformed`], [`Error::Encrypted`], [`Error::NeedsOcr`], limits.
pub fn read(_bytes: &[u8], _work: &mut Work<'_>) -> Result<Document> {
    Err(Error::Malformed { format: Format::Pdf, page: None, what: "no reader yet".into() })
}
