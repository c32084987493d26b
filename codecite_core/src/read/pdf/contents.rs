//! A page's content streams as bytes.

use hayro_syntax::object::{Array, Object, Stream};
use hayro_syntax::page::Page;

use super::guard::Guard;
use crate::error::Result;
use crate::work::{Work, check};

/// The content of a page, its parts joined.
pub(super) fn contents(page: &Page<'_>, guard: &mut Guard, work: &mut Work<'_>) -> Result<Vec<u8>> {
    if let Some(stream) = page.raw().get::<Stream<'_>>("Contents") {
        return Ok(guard.decode(&stream, work)?.unwrap_or_default().into_owned());
    }
    let parts = page.raw().get::<Array<'_>>("Contents");
    let limit = work.limits().max_decoded_bytes;
    let mut out = Vec::new();
    for stream in parts.iter().flat_map(|array| array.iter::<Object<'_>>()).filter_map(Object::into_stream) {
        let part = guard.decode(&stream, work)?.unwrap_or_default();
        // The same stream may be listed many times.
        check("max_decoded_bytes", (out.len() + part.len()) as u64, limit)?;
        out.extend_from_slice(&part);
        out.push(b' ');
    }
    Ok(out)
}
