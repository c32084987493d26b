//! Streaming decoders for the filters that `flate2` does not know; only their output's length is used.

use std::collections::VecDeque;
use std::io::{Read, Result};

/// Bytes of a reader, one by one, with an end.
struct Bytes<R> {
    inner: R,
    buffer: Vec<u8>,
    at: usize,
}

impl<R: Read> Bytes<R> {
    fn new(inner: R) -> Self {
        Bytes { inner, buffer: Vec::new(), at: 0 }
    }

    fn next(&mut self) -> Result<Option<u8>> {
        if self.at >= self.buffer.len() {
            self.buffer.resize(4096, 0);
            let read = self.inner.read(&mut self.buffer)?;
            self.buffer.truncate(read);
            self.at = 0;
        }
        let byte = self.buffer.get(self.at).copied();
        self.at += 1;
        Ok(byte)
    }
}

/// Hands out queued bytes.
fn drain(queue: &mut VecDeque<u8>, out: &mut [u8]) -> usize {
    let mut written = 0;
    for slot in out.iter_mut() {
        let Some(byte) = queue.pop_front() else { break };
        *slot = byte;
        written += 1;
    }
    written
}

/// Fills `queue` with `more` until there is something for `out`.
fn pump(
    queue: &mut VecDeque<u8>,
    out: &mut [u8],
    mut more: impl FnMut(&mut VecDeque<u8>) -> Result<bool>,
) -> Result<usize> {
    while queue.len() < out.len() {
        if !more(queue)? {
            break;
        }
    }
    Ok(drain(queue, out))
}

/// RunLengthDecode.
pub(super) struct RunLength<R> {
    bytes: Bytes<R>,
    queue: VecDeque<u8>,
}

impl<R: Read> RunLength<R> {
    pub fn new(inner: R) -> Self {
        RunLength { bytes: Bytes::new(inner), queue: VecDeque::new() }
    }
}

impl<R: Read> Read for RunLength<R> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        let bytes = &mut self.bytes;
        pump(&mut self.queue, out, |queue| {
            match bytes.next()? {
                None | Some(128) => return Ok(false),
                Some(length @ 0..=127) => {
                    for _ in 0..=length {
                        let Some(byte) = bytes.next()? else {
                            return Ok(false);
                        };
                        queue.push_back(byte);
                    }
                }
                Some(length) => {
                    let Some(byte) = bytes.next()? else {
                        return Ok(false);
                    };
                    queue.extend(std::iter::repeat_n(byte, 257 - usize::from(length)));
                }
            }
            Ok(true)
        })
    }
}

/// ASCIIHexDecode.
pub(super) struct AsciiHex<R> {
    bytes: Bytes<R>,
    queue: VecDeque<u8>,
}

impl<R: Read> AsciiHex<R> {
    pub fn new(inner: R) -> Self {
        AsciiHex { bytes: Bytes::new(inner), queue: VecDeque::new() }
    }

    fn digit(bytes: &mut Bytes<R>) -> Result<Option<u8>> {
        loop {
            match bytes.next()? {
                None | Some(b'>') => return Ok(None),
                Some(byte) => {
                    if let Some(value) = char::from(byte).to_digit(16) {
                        return Ok(Some(value as u8));
                    }
                }
            }
        }
    }
}

impl<R: Read> Read for AsciiHex<R> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        let bytes = &mut self.bytes;
        pump(&mut self.queue, out, |queue| {
            let Some(high) = Self::digit(bytes)? else {
                return Ok(false);
            };
            let low = Self::digit(bytes)?;
            queue.push_back(high << 4 | low.unwrap_or(0));
            Ok(low.is_some())
        })
    }
}

/// ASCII85Decode.
pub(super) struct Ascii85<R> {
    bytes: Bytes<R>,
    queue: VecDeque<u8>,
}

impl<R: Read> Ascii85<R> {
    pub fn new(inner: R) -> Self {
        Ascii85 { bytes: Bytes::new(inner), queue: VecDeque::new() }
    }
}

impl<R: Read> Read for Ascii85<R> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        let bytes = &mut self.bytes;
        pump(&mut self.queue, out, |queue| {
            let (mut value, mut digits) = (0u32, 0usize);
            while digits < 5 {
                match bytes.next()? {
                    None | Some(b'~') => break,
                    Some(b'z') if digits == 0 => {
                        queue.extend([0; 4]);
                        return Ok(true);
                    }
                    Some(byte @ b'!'..=b'u') => {
                        value = value.wrapping_mul(85).wrapping_add(u32::from(byte - b'!'));
                        digits += 1;
                    }
                    Some(_) => {}
                }
            }
            for _ in digits..5 {
                value = value.wrapping_mul(85).wrapping_add(84);
            }
            queue.extend(value.to_be_bytes().iter().take(digits.saturating_sub(1)));
            Ok(digits == 5)
        })
    }
}

/// LZWDecode.
pub(super) struct Lzw<R> {
    bytes: Bytes<R>,
    queue: VecDeque<u8>,
    early: bool,
    bits: u32,
    held: u32,
    /// Prefix and last byte of each code from 258 on.
    table: Vec<(u16, u8)>,
    previous: Option<u16>,
}

impl<R: Read> Lzw<R> {
    pub fn new(inner: R, early: bool) -> Self {
        let bytes = Bytes::new(inner);
        Lzw { bytes, queue: VecDeque::new(), early, bits: 0, held: 0, table: Vec::new(), previous: None }
    }

    fn code(&mut self) -> Result<Option<u16>> {
        let next = 258 + self.table.len() + usize::from(self.early);
        let width = match next {
            0..512 => 9,
            512..1024 => 10,
            1024..2048 => 11,
            _ => 12,
        };
        while self.held < width {
            let Some(byte) = self.bytes.next()? else {
                return Ok(None);
            };
            self.bits = self.bits << 8 | u32::from(byte);
            self.held += 8;
        }
        self.held -= width;
        let code = self.bits >> self.held & ((1 << width) - 1);
        Ok(Some(code as u16))
    }

    /// The bytes of a code, last first.
    fn expand(&self, mut code: u16) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        while code >= 258 {
            let (prefix, byte) = *self.table.get(usize::from(code) - 258)?;
            out.push(byte);
            // Prefixes are older than what they begin, so this ends.
            if prefix >= code {
                return None;
            }
            code = prefix;
        }
        out.push(u8::try_from(code).ok()?);
        Some(out)
    }

    fn more(&mut self) -> Result<bool> {
        let code = match self.code()? {
            None | Some(257) => return Ok(false),
            Some(256) => {
                self.table.clear();
                self.previous = None;
                return Ok(true);
            }
            Some(code) => code,
        };
        let known = self.expand(code);
        if let Some(previous) = self.previous
            && self.table.len() < 4096 - 258
        {
            let first =
                known.clone().or_else(|| self.expand(previous)).and_then(|bytes| bytes.last().copied());
            let Some(first) = first else { return Ok(false) };
            self.table.push((previous, first));
        }
        let Some(bytes) = known.or_else(|| self.expand(code)) else {
            return Ok(false);
        };
        self.queue.extend(bytes.iter().rev());
        self.previous = Some(code);
        Ok(true)
    }
}

impl<R: Read> Read for Lzw<R> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        while self.queue.len() < out.len() {
            if !self.more()? {
                break;
            }
        }
        Ok(drain(&mut self.queue, out))
    }
}
