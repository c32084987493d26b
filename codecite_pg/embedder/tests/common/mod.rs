//! Where the runtime and the model of the tests are.

use std::io::Write;
use std::path::{Path, PathBuf};

/// The runtime library and the model folder: from `CODECITE_ONNXRUNTIME` and `CODECITE_MODEL_DIR`, otherwise from the
/// repository's `.codecite/`. `None`, and a line that says so, where there is nothing to test with.
pub fn files(test: &str) -> Option<(PathBuf, PathBuf)> {
    let local = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.codecite");
    let runtime = std::env::var_os("CODECITE_ONNXRUNTIME")
        .map(PathBuf::from)
        .or_else(|| library_below(&local.join("onnxruntime")));
    let model = std::env::var_os("CODECITE_MODEL_DIR")
        .map(PathBuf::from)
        .unwrap_or_else(|| local.join("models/all-MiniLM-L6-v2"));
    match runtime {
        Some(runtime) if runtime.is_file() && model.is_dir() => Some((runtime, model)),
        _ => {
            // Written past the harness, which hides what a passing test prints.
            let _ = writeln!(
                std::io::stderr(),
                "SKIPPED {test}: CODECITE_ONNXRUNTIME (libonnxruntime.so) or CODECITE_MODEL_DIR (a model) is not set"
            );
            None
        }
    }
}

/// The library in the folder of the latest version.
fn library_below(folder: &Path) -> Option<PathBuf> {
    let mut versions: Vec<PathBuf> =
        std::fs::read_dir(folder).ok()?.filter_map(|entry| entry.ok().map(|e| e.path())).collect();
    versions.sort();
    versions.pop()?.join("libonnxruntime.so").canonicalize().ok()
}
