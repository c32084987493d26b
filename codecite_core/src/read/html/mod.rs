//! The HTML reader: html5ever's tree, and one walk over it.
//!
//! What a browser shows as the page's own text is the document's text; navigation, forms, asides and hidden
//! elements are furniture. Links are not kept: the text of a reference says where it leads, and the ids that
//! links lead to are the blocks' anchors.

mod class;
mod context;
mod list;
mod parse;
pub(super) mod raised;
mod style;
mod table;
mod tags;
mod tree;
mod walk;

use tree::{DOCUMENT, NODE_BYTES, NodeId, Tree};
use walk::Walker;

use crate::document::Document;
use crate::error::Result;
use crate::read::encoding::decode_html;
use crate::read::fold::push_folded;
use crate::work::Work;

/// How far into the file it is looked whether it is XHTML.
const XHTML_WINDOW: usize = 1024;

/// Reads HTML.
///
/// # Errors
/// [`Error::BadEncoding`](crate::Error::BadEncoding) for bytes that are no text, and limits on depth, memory,
/// blocks and time.
pub fn read(bytes: &[u8], work: &mut Work<'_>) -> Result<Document> {
    let source = decode_html(bytes, work)?;
    let mut document = read_text(&source.text, work)?;
    document.warnings.extend(source.warnings);
    Ok(document)
}

/// Reads HTML that is text already: a whole document, or a piece of one.
///
/// # Errors
/// Limits on depth, memory, blocks and time.
pub(super) fn read_text(source: &str, work: &mut Work<'_>) -> Result<Document> {
    let tree = parse::parse(source, is_xhtml(source), work)?;
    let mut document = Walker::new(&tree).read(DOCUMENT, work)?;
    document.title = title(&tree);
    work.release_memory(tree.len() as u64 * NODE_BYTES);
    Ok(document)
}

fn is_xhtml(source: &str) -> bool {
    let head = source.get(..source.floor_char_boundary(XHTML_WINDOW)).unwrap_or_default();
    head.trim_start().starts_with("<?xml") || head.contains("//DTD XHTML")
}

fn title(tree: &Tree) -> Option<String> {
    let count = NodeId::try_from(tree.len()).unwrap_or(NodeId::MAX);
    let is_title = |id: &NodeId| tree.element(*id).and_then(|element| element.html_name()) == Some("title");
    let title = (0..count).find(is_title)?;
    let mut out = String::new();
    tree.children(title).filter_map(|id| tree.text(id)).for_each(|text| push_folded(&mut out, text));
    out.truncate(out.trim_end().len());
    (!out.is_empty()).then_some(out)
}
