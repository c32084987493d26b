//! Readers: bytes of one format into a [`Document`].

pub mod docx;
pub(crate) mod encoding;
mod flow;
pub(crate) mod fold;
pub mod html;
mod hyphen;
pub mod markdown;
mod marker;
pub mod pdf;
mod struck;
pub mod text;

use crate::document::{Document, Format};
use crate::error::{Error, Result};
use crate::sniff::sniff;
use crate::work::{Work, check};

/// Reads a document of any format.
///
/// # Errors
/// What [`sniff`] and the reader of the format return; [`Error::Empty`] when there is no text.
pub fn read(bytes: &[u8], declared: Option<Format>, work: &mut Work<'_>) -> Result<(Format, Document)> {
    check("max_input_bytes", bytes.len() as u64, work.limits().max_input_bytes)?;
    let format = sniff(bytes, declared)?;
    let document = match format {
        Format::Pdf => pdf::read(bytes, work)?,
        Format::Markdown => markdown::read(bytes, work)?,
        Format::Text => text::read(bytes, work)?,
        Format::Html => html::read(bytes, work)?,
        Format::Docx => docx::read(bytes, work)?,
    };
    let document = struck::take_struck(document);
    if document.blocks.is_empty() {
        return Err(Error::Empty);
    }
    Ok((format, document))
}
