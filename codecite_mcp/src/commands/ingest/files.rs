//! Which files an ingest takes.

use std::path::{Path, PathBuf};

use super::unreadable;
use crate::fault::Fault;

/// What is picked up in folders. A file that is named is always tried.
pub const EXTENSIONS: [&str; 9] = ["pdf", "html", "htm", "xhtml", "docx", "md", "markdown", "txt", "text"];
/// Files about a folder, not law: passed over unless they are named.
const ABOUT: [&str; 3] = ["readme", "license", "changelog"];
/// The documents below the paths, in order, and what could not be read.
pub fn collect(paths: &[PathBuf]) -> (Vec<PathBuf>, Vec<(PathBuf, Fault)>) {
    let mut files = Vec::new();
    let mut bad = Vec::new();
    for path in paths {
        if path.is_dir() {
            walk(path, &mut files, &mut bad);
        } else {
            files.extend(matching(path));
        }
    }
    let mut seen = std::collections::HashSet::new();
    files.retain(|file| seen.insert(file.clone()));
    (files, bad)
}

/// The files that a pattern stands for; a name that is no pattern, or fits nothing, stands for itself.
fn matching(path: &Path) -> Vec<PathBuf> {
    let pattern = path.to_str().filter(|text| !path.exists() && text.contains(['*', '?', '[']));
    let found: Vec<PathBuf> = pattern
        .and_then(|pattern| glob::glob(pattern).ok())
        .map_or_else(Vec::new, |paths| paths.filter_map(Result::ok).filter(|path| path.is_file()).collect());
    if found.is_empty() { vec![path.to_owned()] } else { found }
}

/// Links to folders are not followed: they may lead in circles.
fn walk(folder: &Path, files: &mut Vec<PathBuf>, bad: &mut Vec<(PathBuf, Fault)>) {
    let mut entries: Vec<PathBuf> = match std::fs::read_dir(folder) {
        Ok(entries) => entries.filter_map(|entry| Some(entry.ok()?.path())).collect(),
        Err(error) => {
            bad.push((folder.to_owned(), unreadable(folder, &error)));
            return;
        }
    };
    entries.sort();
    for path in entries {
        let is_hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if is_hidden {
            continue;
        }
        if path.is_dir() {
            if !path.is_symlink() {
                walk(&path, files, bad);
            }
        } else if is_document(&path) {
            files.push(path);
        }
    }
}

fn is_document(path: &Path) -> bool {
    let lower = |part: Option<&std::ffi::OsStr>| {
        part.map(|part| part.to_string_lossy().to_lowercase()).unwrap_or_default()
    };
    EXTENSIONS.contains(&lower(path.extension()).as_str())
        && !ABOUT.contains(&lower(path.file_stem()).as_str())
}
