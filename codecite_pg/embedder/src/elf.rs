//! Whether a shared library is whole.
//!
//! The dynamic loader maps a library without looking at its size. The pages behind the end of a truncated file are
//! mapped all the same, and the first touch of one is SIGBUS, which takes a whole Postgres cluster down.

/// What the headers of a library say about it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// No shared library that this machine can load.
    Foreign(&'static str),
    /// The file has to have at least this many bytes.
    Needs(u64),
}

const HEADER: usize = 64;
const SECTION: usize = 64;
const SEGMENT: usize = 56;
const SECTION_WITHOUT_BYTES: u32 = 8;

/// Reads the headers through `read(offset, buffer)`, which returns `false` where the file is too short or unreadable.
pub(crate) fn shape(mut read: impl FnMut(u64, &mut [u8]) -> bool) -> Shape {
    if !cfg!(target_os = "linux") {
        return Shape::Needs(0);
    }
    let mut header = [0_u8; HEADER];
    if !read(0, &mut header) || !header.starts_with(b"\x7fELF") {
        return Shape::Foreign("it is no shared library");
    }
    // Class 2 is 64 bits, data 1 is little-endian: all that ONNX Runtime is built for.
    if header.get(4) != Some(&2) || header.get(5) != Some(&1) {
        return Shape::Foreign("it is not built for 64 bits, little-endian");
    }
    let machine = match std::env::consts::ARCH {
        "x86_64" => Some(62),
        "aarch64" => Some(183),
        _ => None,
    };
    if machine.is_some_and(|m| m != number(&header, 18, 2)) {
        return Shape::Foreign("it is built for another processor");
    }
    let segments =
        Table { at: number(&header, 32, 8), entry: number(&header, 54, 2), count: number(&header, 56, 2) };
    let sections =
        Table { at: number(&header, 40, 8), entry: number(&header, 58, 2), count: number(&header, 60, 2) };
    let mut end = segments.end().max(sections.end());

    let mut segment = [0_u8; SEGMENT];
    for at in segments.entries(SEGMENT) {
        if !read(at, &mut segment) {
            break;
        }
        end = end.max(number(&segment, 8, 8).saturating_add(number(&segment, 32, 8)));
    }
    let mut section = [0_u8; SECTION];
    for at in sections.entries(SECTION) {
        if !read(at, &mut section) {
            break;
        }
        if number(&section, 4, 4) != u64::from(SECTION_WITHOUT_BYTES) {
            end = end.max(number(&section, 24, 8).saturating_add(number(&section, 32, 8)));
        }
    }
    Shape::Needs(end)
}

struct Table {
    at: u64,
    entry: u64,
    count: u64,
}

impl Table {
    fn end(&self) -> u64 {
        self.at.saturating_add(self.entry.saturating_mul(self.count))
    }

    /// Where the entries stand; none when they are smaller than what is read of each.
    fn entries(&self, size: usize) -> impl Iterator<Item = u64> + use<> {
        let (at, entry) = (self.at, self.entry);
        let count = if entry >= size as u64 { self.count } else { 0 };
        (0..count).map(move |i| at.saturating_add(entry.saturating_mul(i)))
    }
}

/// A little-endian number of `size` bytes.
fn number(bytes: &[u8], at: usize, size: usize) -> u64 {
    let field = bytes.get(at..at + size).unwrap_or_default();
    field.iter().rev().fold(0, |n, b| (n << 8) | u64::from(*b))
}

#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
mod tests {
    use super::*;

    fn shape_of(bytes: &[u8]) -> Shape {
        shape(|at, buffer| {
            let at = usize::try_from(at).unwrap();
            bytes.get(at..at.saturating_add(buffer.len())).is_some_and(|b| {
                buffer.copy_from_slice(b);
                true
            })
        })
    }

    #[test]
    fn a_whole_program_needs_no_more_than_it_has() {
        let program = std::fs::read("/proc/self/exe").unwrap();
        let Shape::Needs(bytes) = shape_of(&program) else { panic!("the test itself is a program") };
        assert!(bytes <= program.len() as u64 && bytes > program.len() as u64 / 2);
    }

    #[test]
    fn a_cut_program_needs_more_than_it_has() {
        let program = std::fs::read("/proc/self/exe").unwrap();
        for part in [1, 2, 10, 99] {
            let cut = &program[..program.len() * part / 100];
            assert!(matches!(shape_of(cut), Shape::Needs(n) if n > cut.len() as u64), "{part} %");
        }
    }

    #[test]
    fn other_files_are_foreign() {
        assert!(matches!(shape_of(b""), Shape::Foreign(_)));
        assert!(matches!(shape_of(&[0; 100]), Shape::Foreign(_)));
        assert!(matches!(shape_of(b"\x7fELF"), Shape::Foreign(_)));
        let mut arm = std::fs::read("/proc/self/exe").unwrap();
        arm[18] = 183;
        assert_eq!(shape_of(&arm), Shape::Foreign("it is built for another processor"));
    }

    #[test]
    fn absurd_tables_do_not_overflow() {
        let mut header = std::fs::read("/proc/self/exe").unwrap()[..64].to_vec();
        header[32..64].fill(0xff);
        assert_eq!(shape_of(&header), Shape::Needs(u64::MAX));
    }
}
