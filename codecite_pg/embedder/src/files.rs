//! Files of a model folder: opened without hanging, hashed once.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Opens a regular file.
///
/// A FIFO would block until somebody writes to it, beyond every timeout; without blocking it opens at once, and is
/// then refused for what it is.
pub(crate) fn open_regular(path: &Path) -> io::Result<File> {
    let file = File::options().read(true).custom_flags(libc::O_NONBLOCK).open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    Ok(file)
}

/// Reads a regular file of at most `limit` bytes.
pub(crate) fn read_whole(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let file = open_regular(path)?;
    let mut bytes = Vec::new();
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(io::Error::other(format!("it has more than {limit} bytes")));
    }
    Ok(bytes)
}

/// What identifies the content of a file that was hashed before. The change time cannot be set back by a program, so
/// an edit that keeps size and modification time is seen too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Stamp {
    device: u64,
    inode: u64,
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Stamp {
    fn of(file: &File) -> io::Result<Stamp> {
        let meta = file.metadata()?;
        Ok(Stamp {
            device: meta.dev(),
            inode: meta.ino(),
            size: meta.size(),
            modified: (meta.mtime(), meta.mtime_nsec()),
            changed: (meta.ctime(), meta.ctime_nsec()),
        })
    }
}

/// A file's digest, and what the file looked like when it was computed.
///
/// Hashing a model takes longer than loading it. A process that is given what another one has computed
/// ([`remember`]) hashes a file only when it does not look the same any more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hashed {
    stamp: Stamp,
    sha256: String,
}

/// Digests that this process knows. Models are few, so the list stays short.
static HASHED: Mutex<Vec<Hashed>> = Mutex::new(Vec::new());

/// Takes over digests that another process has computed. Whoever passes them answers for them.
pub fn remember(files: Vec<Hashed>) {
    let mut known = HASHED.lock().unwrap_or_else(PoisonError::into_inner);
    for file in files {
        if !known.contains(&file) {
            known.push(file);
        }
    }
}

/// What this process knows of a file as it is now.
pub(crate) fn hashed(path: &Path) -> Option<Hashed> {
    let stamp = Stamp::of(&open_regular(path).ok()?).ok()?;
    let known = HASHED.lock().unwrap_or_else(PoisonError::into_inner);
    known.iter().find(|file| file.stamp == stamp).cloned()
}

/// The SHA-256 of a regular file in lower-case hexadecimal digits; read only where it is not known.
pub(crate) fn sha256_of_file(path: &Path) -> io::Result<String> {
    let mut file = open_regular(path)?;
    let stamp = Stamp::of(&file)?;
    let known = HASHED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(file) = known.iter().find(|file| file.stamp == stamp) {
        return Ok(file.sha256.clone());
    }
    drop(known);

    let mut hasher = Sha256::new();
    let mut buffer = vec![0_u8; 256 << 10];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => break,
            Ok(n) => hasher.update(buffer.get(..n).unwrap_or_default()),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    let digest = hex(&hasher.finalize());
    // A file that changed while it was read is not remembered.
    if Stamp::of(&file)? == stamp {
        remember(vec![Hashed { stamp, sha256: digest.clone() }]);
    }
    Ok(digest)
}

/// The SHA-256 of bytes, as [`sha256_of_file`] writes it.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().flat_map(|b| [b >> 4, b & 15]).filter_map(|n| char::from_digit(u32::from(n), 16)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_the_known_ones() {
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    #[test]
    fn what_is_no_file_is_refused() {
        let folder = std::env::temp_dir();
        assert!(open_regular(&folder).is_err());
        assert!(open_regular(Path::new("/dev/zero")).is_err());
        assert!(open_regular(&folder.join("codecite-no-such-file")).is_err());
    }

    #[test]
    fn a_changed_file_is_hashed_again() {
        let path = std::env::temp_dir().join(format!("codecite-hash-{}", std::process::id()));
        std::fs::write(&path, "abc").unwrap();
        assert_eq!(sha256_of_file(&path).unwrap(), sha256(b"abc"));
        assert_eq!(sha256_of_file(&path).unwrap(), sha256(b"abc"));
        std::fs::write(&path, "abd").unwrap();
        assert_eq!(sha256_of_file(&path).unwrap(), sha256(b"abd"));
        assert!(read_whole(&path, 2).is_err());
        assert_eq!(read_whole(&path, 3).unwrap(), b"abd");
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_digest_is_taken_over_for_the_very_same_file_only() {
        let path = std::env::temp_dir().join(format!("codecite-known-{}", std::process::id()));
        std::fs::write(&path, "one").unwrap();
        let stamp = Stamp::of(&open_regular(&path).unwrap()).unwrap();
        let known = Hashed { stamp, sha256: "of another process".into() };
        let json = serde_json::to_string(&[&known]).unwrap();
        remember(serde_json::from_str(&json).unwrap());
        assert_eq!(hashed(&path), Some(known));
        assert_eq!(sha256_of_file(&path).unwrap(), "of another process");
        // The same size and, set back, the same modification time: the change time tells.
        let modified = std::fs::metadata(&path).unwrap().modified().unwrap();
        std::fs::write(&path, "two").unwrap();
        File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
        assert_eq!(hashed(&path), None);
        assert_eq!(sha256_of_file(&path).unwrap(), sha256(b"two"));
        std::fs::remove_file(&path).unwrap();
    }
}
