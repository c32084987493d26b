//! XML as a stream of elements and text: no tree, no DTD, no entity of the file's own, bounded in depth.

use std::borrow::Cow;

use quick_xml::NsReader;
use quick_xml::events::{BytesStart, Event};
use quick_xml::name::ResolveResult;

use super::damaged;
use crate::error::{Error, Result};
use crate::work::{Stage, Work, check};

/// Events between two reports of progress.
const TICK_EVENTS: u64 = 4096;

/// The vocabularies that are told apart; prefixes differ from file to file, and strict files have
/// other names for the same vocabulary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Space {
    /// WordprocessingML, transitional or strict.
    Word,
    /// Markup compatibility: alternatives of one content.
    Compatibility,
    /// Equations.
    Math,
    /// Any other.
    Other,
}

/// The start of an element.
pub(super) struct Element<'x> {
    pub(super) space: Space,
    start: BytesStart<'x>,
}

/// One step through the file.
pub(super) enum Token<'x> {
    Start(Element<'x>),
    End,
    Text(Cow<'x, str>),
}

impl Element<'_> {
    /// The name without its prefix.
    pub(super) fn name(&self) -> &str {
        self.start.local_name().into_inner()
    }

    /// An attribute by its name without prefix.
    pub(super) fn attribute(&self, name: &str) -> Option<String> {
        self.start.attributes().with_checks(false).flatten().find_map(|attribute| {
            (attribute.key.local_name().into_inner() == name)
                .then(|| attribute.normalized_value(quick_xml::XmlVersion::Explicit1_0).ok())
                .flatten()
                .map(Cow::into_owned)
        })
    }

    /// The attribute `val`, in which most elements keep what they say.
    pub(super) fn val(&self) -> Option<String> {
        self.attribute("val")
    }

    pub(super) fn number(&self, name: &str) -> Option<i64> {
        // Some producers write measures with a fraction.
        let value = self.attribute(name)?;
        value.trim().parse().ok().or_else(|| value.trim().split('.').next()?.parse().ok())
    }

    /// What an on-off element says: its presence is `true` unless it says otherwise.
    pub(super) fn is_on(&self) -> bool {
        !matches!(self.val().as_deref(), Some("0" | "false" | "off"))
    }
}

/// A stream over one part of the package.
pub(super) struct Xml<'x, 'w, 'l> {
    reader: NsReader<&'x [u8]>,
    pub(super) work: &'w mut Work<'l>,
    depth: u64,
    events: u64,
    size: u64,
}

impl<'x, 'w, 'l> Xml<'x, 'w, 'l> {
    pub(super) fn new(source: &'x str, work: &'w mut Work<'l>) -> Self {
        let mut reader = NsReader::from_str(source);
        reader.config_mut().expand_empty_elements = true;
        Xml { reader, work, depth: 0, events: 0, size: source.len() as u64 }
    }

    /// How many elements are open.
    pub(super) fn depth(&self) -> u64 {
        self.depth
    }

    /// The next step; `None` at the end of the file.
    pub(super) fn step(&mut self) -> Result<Option<Token<'x>>> {
        loop {
            self.events += 1;
            if self.events.is_multiple_of(TICK_EVENTS) {
                let position = self.reader.buffer_position();
                self.work.tick(Stage::Read, position, self.size)?;
            }
            let (space, event) =
                self.reader.read_resolved_event().map_err(|_| damaged("a part is not well-formed XML"))?;
            let space = space_of(&space);
            match event {
                Event::Start(start) => {
                    self.depth += 1;
                    check("max_element_depth", self.depth, self.work.limits().max_element_depth)?;
                    return Ok(Some(Token::Start(Element { space, start })));
                }
                Event::End(_) => {
                    self.depth = self.depth.saturating_sub(1);
                    return Ok(Some(Token::End));
                }
                Event::Text(text) => return Ok(Some(Token::Text(text.xml10_content()))),
                Event::CData(text) => return Ok(Some(Token::Text(text.xml10_content()))),
                Event::GeneralRef(reference) => {
                    let name: &str = &reference;
                    let character = reference.resolve_char_ref().ok().flatten().or(match name {
                        "lt" => Some('<'),
                        "gt" => Some('>'),
                        "amp" => Some('&'),
                        "quot" => Some('"'),
                        "apos" => Some('\''),
                        _ => None,
                    });
                    let character = character.ok_or_else(|| damaged("an XML entity has no meaning"))?;
                    return Ok(Some(Token::Text(Cow::Owned(character.to_string()))));
                }
                Event::DocType(_) => return Err(damaged("a part has a document type definition")),
                Event::Eof if self.depth > 0 => return Err(damaged("a part ends too early")),
                Event::Eof => return Ok(None),
                Event::Empty(_) | Event::Decl(_) | Event::PI(_) | Event::Comment(_) => {}
            }
        }
    }

    /// The next element that starts inside the element that was open at `depth`, at any depth below it;
    /// `None` once that element has ended.
    pub(super) fn next_inside(&mut self, depth: u64) -> Result<Option<Element<'x>>> {
        while self.depth >= depth {
            match self.step()? {
                Some(Token::Start(element)) => return Ok(Some(element)),
                Some(Token::End | Token::Text(_)) => {}
                None => break,
            }
        }
        Ok(None)
    }

    /// Reads to the end of the element that was started last.
    pub(super) fn skip(&mut self) -> Result<()> {
        let depth = self.depth;
        while self.depth >= depth {
            if self.step()?.is_none() {
                break;
            }
        }
        Ok(())
    }
}

fn space_of(namespace: &ResolveResult<'_>) -> Space {
    let ResolveResult::Bound(namespace) = namespace else { return Space::Other };
    match namespace.0 {
        "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
        | "http://purl.oclc.org/ooxml/wordprocessingml/main" => Space::Word,
        "http://schemas.openxmlformats.org/markup-compatibility/2006" => Space::Compatibility,
        "http://schemas.openxmlformats.org/officeDocument/2006/math"
        | "http://purl.oclc.org/ooxml/officeDocument/math" => Space::Math,
        _ => Space::Other,
    }
}

/// The text of a part: UTF-8 or UTF-16, as XML allows without further knowledge.
pub(super) fn decode(bytes: Vec<u8>) -> Result<String> {
    let join = match bytes.as_slice() {
        [0xff, 0xfe, ..] | [b'<', 0, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] | [0, b'<', ..] => u16::from_be_bytes,
        _ => return utf8(bytes),
    };
    let units = bytes.chunks(2).map(|pair| <[u8; 2]>::try_from(pair).map(join));
    let mut out = String::with_capacity(bytes.len() / 2);
    let units: Vec<u16> = units
        .collect::<std::result::Result<_, _>>()
        .map_err(|_| Error::BadEncoding { encoding: "UTF-16", offset: bytes.len() })?;
    drop(bytes);
    for (index, unit) in char::decode_utf16(units).enumerate() {
        let bad = Error::BadEncoding { encoding: "UTF-16", offset: index * 2 };
        out.push(unit.map_err(|_| bad)?);
    }
    Ok(out.trim_start_matches('\u{feff}').to_owned())
}

fn utf8(mut bytes: Vec<u8>) -> Result<String> {
    if bytes.starts_with(b"\xef\xbb\xbf") {
        bytes.drain(..3);
    }
    String::from_utf8(bytes)
        .map_err(|e| Error::BadEncoding { encoding: "UTF-8", offset: e.utf8_error().valid_up_to() })
}
