//! The Markdown reader.

use crate::document::Document;
use crate::error::Result;
use crate::work::Work;

/// Reads Markdown.
///
/// # Errors
/// limits, encoding.
pub fn read(_bytes: &[u8], _work: &mut Work<'_>) -> Result<Document> {
    Ok(Document::default())
}
