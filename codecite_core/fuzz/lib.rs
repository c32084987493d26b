//! What every target does with its bytes.

#[path = "../tests/mutation/seeds.rs"]
#[allow(dead_code)]
mod seeds;

use codecite_core::document::Format;
use codecite_core::error::Error;
use codecite_core::read::read;
use codecite_core::work::{Limits, Unwatched, Work};

/// Reads the bytes as that format. Text or a clean error are both fine; running out of time is not.
pub fn judge(format: Format, bytes: &[u8]) {
    let limits = Limits { max_read_ms: 10_000, ..Limits::default() };
    let outcome = read(bytes, Some(format), &mut Work::new(&limits, &mut Unwatched));
    match outcome {
        Ok((_, document)) => {
            for block in &document.blocks {
                assert!(document.text.get(block.span.range()).is_some(), "a block outside the text");
            }
        }
        Err(error) => {
            assert!(!matches!(error, Error::Limit { name: "max_read_ms", .. } | Error::OutOfMemory), "{error}");
        }
    }
}

/// Reads an archive as it is. Anything else is taken to be the main part of one: in a whole file, checksums would stop nearly
/// every change before a reader sees it.
pub fn judge_archive(bytes: &[u8]) {
    if bytes.starts_with(b"PK") {
        judge(Format::Docx, bytes);
    } else {
        judge(Format::Docx, &seeds::packed(bytes));
    }
}
