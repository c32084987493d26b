//! What a stream would cost is counted, in constant memory, before a library inflates it.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::Read;

use flate2::bufread::ZlibDecoder as BufferedZlib;
use flate2::read::{DeflateDecoder, ZlibDecoder};
use hayro_syntax::object::Stream;
use hayro_syntax::{Filter, object::ObjectIdentifier};

use super::inflate::{Ascii85, AsciiHex, Lzw, RunLength};
use crate::document::Format;
use crate::error::{Error, Result};
use crate::work::{Stage, Work, check};

/// Filters on one stream; real files have one or two.
const MAX_FILTERS: usize = 4;
/// Bytes counted between two looks at the clock.
const STRIDE: usize = 1 << 20;

/// Admits each stream once, against the budget of decoded bytes.
#[derive(Debug, Default)]
pub(super) struct Guard {
    admitted: HashSet<ObjectIdentifier>,
}

impl Guard {
    /// The decoded bytes of a stream, booked like those that [`admit`](Self::admit) lets through; `None` when it
    /// cannot be decoded.
    pub fn decode<'a>(&mut self, stream: &Stream<'a>, work: &mut Work<'_>) -> Result<Option<Cow<'a, [u8]>>> {
        let plain = matches!(stream.filters().as_slice(), [Filter::FlateDecode])
            && !["DecodeParms", "DP", "F"].iter().any(|key| stream.dict().contains_key(key));
        // The common case is counted while it is decoded; damage is left to the library, which repairs.
        if plain && let Some(data) = inflate(&stream.raw_data(), work)? {
            let id = stream.dict().obj_id();
            if id.is_none_or(|id| self.admitted.insert(id)) {
                work.charge_decoded(data.len() as u64)?;
            }
            return Ok(Some(Cow::Owned(data)));
        }
        self.admit(stream, work)?;
        Ok(stream.decoded_data().ok())
    }

    /// Books what decoding the stream will need. An image is no text: it is refused.
    pub fn admit(&mut self, stream: &Stream<'_>, work: &mut Work<'_>) -> Result<()> {
        let id = stream.dict().obj_id();
        if id.is_some_and(|id| !self.admitted.insert(id)) {
            return Ok(());
        }
        let filters = stream.filters();
        if filters.len() > MAX_FILTERS {
            return Err(malformed("a stream has too long a chain of filters"));
        }
        let raw = stream.raw_data();
        let early = stream
            .dict()
            .get::<hayro_syntax::object::Dict<'_>>("DecodeParms")
            .and_then(|parms| parms.get::<i32>("EarlyChange"))
            .unwrap_or(1);
        let kinds: Vec<Kind> = filters.iter().map(|filter| Kind::of(*filter)).collect();
        let size = decoded_size(&raw, &kinds, early != 0, work)?;
        work.charge_decoded(size)
    }
}

/// Inflates within the limit; `None` when the data are damaged.
fn inflate(raw: &[u8], work: &mut Work<'_>) -> Result<Option<Vec<u8>>> {
    let limit = work.limits().max_decoded_bytes;
    // Bytes in memory need no buffer of the decoder's own.
    let mut reader = BufferedZlib::new(raw);
    let mut out = Vec::with_capacity(raw.len().saturating_mul(4).min(STRIDE));
    loop {
        let before = out.len();
        match reader.by_ref().take(STRIDE as u64).read_to_end(&mut out) {
            Err(_) => return Ok(None),
            Ok(0) => return Ok(Some(out)),
            Ok(_) => check("max_decoded_bytes", out.len() as u64, limit)?,
        }
        if out.len() - before == STRIDE {
            work.tick(Stage::Read, 0, 0)?;
        }
    }
}

fn malformed(what: &str) -> Error {
    Error::Malformed { format: Format::Pdf, page: None, what: what.into() }
}

/// The filters, as far as their output size matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Flate,
    Lzw,
    RunLength,
    Hex,
    Base85,
    /// Images and unknown filters: never decoded by this reader.
    Opaque,
    /// Leaves the bytes as they are.
    Plain,
}

impl Kind {
    fn of(filter: Filter) -> Kind {
        match filter {
            Filter::FlateDecode => Kind::Flate,
            Filter::LzwDecode => Kind::Lzw,
            Filter::RunLengthDecode => Kind::RunLength,
            Filter::AsciiHexDecode => Kind::Hex,
            Filter::Ascii85Decode => Kind::Base85,
            Filter::Crypt => Kind::Plain,
            _ => Kind::Opaque,
        }
    }

    /// By the name as it stands in the file.
    pub fn named(name: &[u8]) -> Kind {
        match name {
            b"FlateDecode" | b"Fl" => Kind::Flate,
            b"LZWDecode" | b"LZW" => Kind::Lzw,
            b"RunLengthDecode" | b"RL" => Kind::RunLength,
            b"ASCIIHexDecode" | b"AHx" => Kind::Hex,
            b"ASCII85Decode" | b"A85" => Kind::Base85,
            b"Crypt" => Kind::Plain,
            _ => Kind::Opaque,
        }
    }
}

/// How many bytes the chain yields at its largest stage; stops with an error beyond the limit.
pub(super) fn decoded_size(raw: &[u8], kinds: &[Kind], early: bool, work: &mut Work<'_>) -> Result<u64> {
    if kinds.contains(&Kind::Opaque) {
        return Ok(0);
    }
    let mut largest = raw.len() as u64;
    for depth in 1..=kinds.len() {
        let chain = kinds.get(..depth).unwrap_or_default();
        largest = largest.max(count(open(raw, chain, early, false), work)?);
        // A stream whose zlib header is broken may still inflate as raw deflate.
        if chain.first() == Some(&Kind::Flate) && raw.len() > 2 {
            let headless = chain.len() == 1 && ZlibDecoder::new(raw).read(&mut [0; 64]).is_err();
            if headless {
                largest = largest.max(count(open(raw, chain, early, true), work)?);
            }
        }
    }
    Ok(largest)
}

fn open<'a>(raw: &'a [u8], kinds: &[Kind], early: bool, headless: bool) -> Box<dyn Read + 'a> {
    let mut reader: Box<dyn Read + 'a> = Box::new(raw);
    for kind in kinds {
        reader = match kind {
            Kind::Flate if headless => Box::new(DeflateDecoder::new(reader)),
            Kind::Flate => Box::new(ZlibDecoder::new(reader)),
            Kind::Lzw => Box::new(Lzw::new(reader, early)),
            Kind::RunLength => Box::new(RunLength::new(reader)),
            Kind::Hex => Box::new(AsciiHex::new(reader)),
            Kind::Base85 => Box::new(Ascii85::new(reader)),
            Kind::Opaque | Kind::Plain => reader,
        };
    }
    reader
}

fn count(mut reader: Box<dyn Read + '_>, work: &mut Work<'_>) -> Result<u64> {
    let limit = work.limits().max_decoded_bytes;
    let mut buffer = vec![0u8; 16 << 10];
    let (mut total, mut ticked) = (0u64, 0usize);
    // A damaged stream ends where the damage begins; what came before counts.
    while let Ok(read) = reader.read(&mut buffer) {
        if read == 0 {
            break;
        }
        total += read as u64;
        check("max_decoded_bytes", total, limit)?;
        ticked += read;
        if ticked > STRIDE {
            ticked = 0;
            work.tick(Stage::Read, 0, 0)?;
        }
    }
    Ok(total)
}

/// Checks the streams that the library decodes by itself while it opens a file: cross-reference and object
/// streams. They are found in the raw bytes, since nothing is parsed yet.
pub(super) fn scan_raw(bytes: &[u8], work: &mut Work<'_>) -> Result<()> {
    let (mut at, mut total) = (0usize, 0u64);
    while let Some(found) = bytes.get(at..).and_then(|rest| find(rest, b"stream")) {
        let start = at + found;
        at = start + 6;
        if bytes.get(..start).is_some_and(|before| before.ends_with(b"end")) {
            continue;
        }
        let head = dictionary_before(bytes, start);
        let Some(kinds) = internal_stream(head) else {
            continue;
        };
        if kinds.len() > MAX_FILTERS {
            return Err(malformed("a stream has too long a chain of filters"));
        }
        let data = bytes.get(at..).unwrap_or_default();
        let data = data
            .strip_prefix(b"\r\n")
            .or(data.strip_prefix(b"\n"))
            .or(data.strip_prefix(b"\r"))
            .unwrap_or(data);
        let end = find(data, b"endstream").unwrap_or(data.len());
        let data = data.get(..end).unwrap_or_default();
        total = total.saturating_add(decoded_size(data, &kinds, true, work)?);
        check("max_decoded_bytes", total, work.limits().max_decoded_bytes)?;
        at += end;
    }
    Ok(())
}

/// The bytes from the last `obj` before a `stream` keyword.
fn dictionary_before(bytes: &[u8], start: usize) -> &[u8] {
    let window = bytes.get(start.saturating_sub(16 << 10)..start).unwrap_or_default();
    let begin = (0..window.len()).rev().find(|&i| window.get(i..).is_some_and(|w| w.starts_with(b"obj")));
    window.get(begin.unwrap_or(0)..).unwrap_or_default()
}

/// The filters of a stream that may be a cross-reference or object stream; `None` for what surely is not.
fn internal_stream(head: &[u8]) -> Option<Vec<Kind>> {
    let escaped = head.contains(&b'#');
    let has = |key: &[u8]| find(head, key).is_some();
    let w_key =
        head.windows(3).any(|w| w.starts_with(b"/W") && !w.get(2).is_some_and(u8::is_ascii_alphabetic));
    if !(escaped || has(b"/First") || has(b"/Index") || w_key) {
        return None;
    }
    let mut kinds = Vec::new();
    for name in head.split(|b| *b == b'/').skip(1) {
        let end = name.iter().position(|b| !(b.is_ascii_alphanumeric() || *b == b'#')).unwrap_or(name.len());
        let name = unescape(name.get(..end).unwrap_or_default());
        let kind = Kind::named(&name);
        if !matches!(kind, Kind::Opaque | Kind::Plain) {
            kinds.push(kind);
        }
    }
    Some(kinds)
}

fn unescape(name: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(name.len());
    let mut rest = name;
    while let Some((first, tail)) = rest.split_first() {
        let code = tail
            .get(..2)
            .and_then(|hex| std::str::from_utf8(hex).ok())
            .and_then(|h| u8::from_str_radix(h, 16).ok());
        match code {
            Some(byte) if *first == b'#' => {
                out.push(byte);
                rest = tail.get(2..).unwrap_or_default();
            }
            _ => {
                out.push(*first);
                rest = tail;
            }
        }
    }
    out
}

/// Position of `needle`; a byte scan that skips by the first byte.
pub(super) fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    let (first, _) = needle.split_first()?;
    let mut at = 0;
    while let Some(skip) = haystack.get(at..)?.iter().position(|b| b == first) {
        at += skip;
        if haystack.get(at..).is_some_and(|rest| rest.starts_with(needle)) {
            return Some(at);
        }
        at += 1;
    }
    None
}

/// Refuses objects that are nested deeper than any real file's. Strings and streams are skipped.
pub(super) fn check_nesting(bytes: &[u8], max: u64) -> Result<()> {
    let mut scanner = Nesting::default();
    let mut rest = bytes;
    while let Some(at) = rest.iter().position(|byte| begins_token(*byte)) {
        rest = rest.get(at..).unwrap_or_default();
        let taken = rest.first().map_or(1, |byte| scanner.step(*byte, rest));
        rest = rest.get(taken..).unwrap_or_default();
        check("max_nesting", scanner.depth, max)?;
    }
    Ok(())
}

/// False for what no nesting hangs on: numbers and white space, most of a page.
fn begins_token(byte: u8) -> bool {
    matches!(byte, b'(' | b'%' | b'<' | b'>' | b'[' | b']' | b'/' | b'a'..=b'z' | b'A'..=b'Z')
}

#[derive(Debug, Default)]
struct Nesting {
    depth: u64,
}

impl Nesting {
    /// Takes one token's first byte; returns how many bytes to go on.
    fn step(&mut self, byte: u8, rest: &[u8]) -> usize {
        match byte {
            b'(' => skip_string(rest),
            b'%' => rest.iter().position(|b| matches!(b, b'\n' | b'\r')).unwrap_or(rest.len()),
            b'<' if rest.get(1) == Some(&b'<') => {
                self.depth += 1;
                2
            }
            b'>' if rest.get(1) == Some(&b'>') => {
                self.depth = self.depth.saturating_sub(1);
                2
            }
            b'[' => {
                self.depth += 1;
                1
            }
            b']' => {
                self.depth = self.depth.saturating_sub(1);
                1
            }
            b'/' => 1 + word(rest.get(1..).unwrap_or_default()),
            b if b.is_ascii_alphabetic() => {
                let len = word(rest).max(1);
                match rest.get(..len).unwrap_or_default() {
                    b"true" | b"false" | b"null" | b"R" => {}
                    b"stream" => {
                        self.depth = 0;
                        return find(rest, b"endstream").map_or(rest.len(), |end| end + 9);
                    }
                    // No object holds a keyword: whatever was open is not an object.
                    _ => self.depth = 0,
                }
                len
            }
            _ => 1,
        }
    }
}

fn word(rest: &[u8]) -> usize {
    let ends = |byte: &u8| {
        byte.is_ascii_whitespace()
            || matches!(byte, b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%' | 0)
    };
    rest.iter().position(ends).unwrap_or(rest.len())
}

/// Bytes of a literal string; one that never ends is one byte, as no parser will take it either.
fn skip_string(rest: &[u8]) -> usize {
    let (mut depth, mut at) = (0u32, 0usize);
    while let Some(byte) = rest.get(at) {
        match byte {
            b'\\' => at += 1,
            b'(' => depth += 1,
            b')' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
        at += 1;
    }
    rest.len().max(1)
}
