//! One error type for everything between a path and a vector.

use std::path::PathBuf;

/// Why a runtime, a model or a text could not be used. No variant carries document text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EmbedError {
    /// The runtime library is not there, is no regular file, or cannot be loaded.
    #[error("ONNX Runtime cannot be loaded from {}: {reason}", .path.display())]
    RuntimeMissing {
        /// The path that was set.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The library ends before its own tables say it does.
    #[error("the ONNX Runtime library {} is cut off: {size} of {expected} bytes", .path.display())]
    RuntimeTruncated {
        /// The library.
        path: PathBuf,
        /// How many bytes it has.
        size: u64,
        /// How many it needs.
        expected: u64,
    },
    /// The library is older than the interface that is used.
    #[error("ONNX Runtime {found} is too old, 1.{minimum} or newer is needed")]
    RuntimeTooOld {
        /// The version that the library reports.
        found: String,
        /// The lowest minor version that works.
        minimum: u32,
    },
    /// This process has loaded another library before.
    #[error("this connection has already loaded ONNX Runtime from {}", .loaded.display())]
    RuntimeFixed {
        /// What is loaded.
        loaded: PathBuf,
    },
    /// ONNX Runtime did not start; it cannot be started a second time in one process.
    #[error("ONNX Runtime did not start: {reason}")]
    EnvironmentFailed {
        /// Why.
        reason: String,
    },
    /// The model folder, or a file in it, is not there or cannot be read.
    #[error("the model cannot be read: {}: {reason}", .path.display())]
    ModelMissing {
        /// The folder or file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The folder has no manifest.
    #[error("the model folder {} has no codecite.json", .folder.display())]
    ManifestMissing {
        /// The folder.
        folder: PathBuf,
        /// A manifest for it, where the folder says enough; otherwise what it lacks.
        draft: Result<String, String>,
    },
    /// A file is not the one that the manifest describes.
    #[error("the model file {file} is not the one that codecite.json describes (its SHA-256 differs)")]
    ModelFileChanged {
        /// The file's name.
        file: String,
    },
    /// The manifest cannot be used.
    #[error("the model manifest cannot be used: {reason}")]
    BadManifest {
        /// Why.
        reason: String,
    },
    /// The network's vectors are not as long as the manifest says.
    #[error("the model's vectors have {found} dimensions, codecite.json says {expected}")]
    WrongDimension {
        /// What the manifest says.
        expected: usize,
        /// What the network gives.
        found: usize,
    },
    /// The tokenizer cannot be read, or failed.
    #[error("the tokenizer failed: {0}")]
    Tokenizer(String),
    /// The network cannot be built, or failed.
    #[error("the model failed in ONNX Runtime: {0}")]
    Session(String),
    /// Loading started threads, which must not happen in a process that forks or handles signals itself.
    #[error("loading the model started {started} threads")]
    Threads {
        /// How many.
        started: usize,
    },
    /// The caller asked to stop.
    #[error("canceled")]
    Stopped,
    /// A fault in this program or in a library; caught before it could do harm.
    #[error("internal error while embedding: {0}")]
    Internal(String),
}

impl EmbedError {
    /// A stable name of the kind of error.
    pub fn code(&self) -> &'static str {
        match self {
            EmbedError::RuntimeMissing { .. } => "runtime_missing",
            EmbedError::RuntimeTruncated { .. } => "runtime_truncated",
            EmbedError::RuntimeTooOld { .. } => "runtime_too_old",
            EmbedError::RuntimeFixed { .. } => "runtime_fixed",
            EmbedError::EnvironmentFailed { .. } => "environment_failed",
            EmbedError::ModelMissing { .. } => "model_missing",
            EmbedError::ManifestMissing { .. } => "manifest_missing",
            EmbedError::ModelFileChanged { .. } => "model_file_changed",
            EmbedError::BadManifest { .. } => "bad_manifest",
            EmbedError::WrongDimension { .. } => "wrong_dimension",
            EmbedError::Tokenizer(_) => "tokenizer",
            EmbedError::Session(_) => "session",
            EmbedError::Threads { .. } => "threads",
            EmbedError::Stopped => "stopped",
            EmbedError::Internal(_) => "internal",
        }
    }

    /// What the reader of the message can do about it.
    pub fn hint(&self) -> String {
        match self {
            EmbedError::RuntimeMissing { .. } => {
                "Set codecite.onnxruntime_library to the file libonnxruntime.so (1.17 to 1.28), readable by the server.".into()
            }
            EmbedError::RuntimeTruncated { .. } => {
                "Fetch the library again, and install it under a new name: never copy over a library in use.".into()
            }
            EmbedError::RuntimeTooOld { .. } => "Install ONNX Runtime 1.28.".into(),
            EmbedError::RuntimeFixed { .. } | EmbedError::EnvironmentFailed { .. } => {
                "Reconnect: a process can start ONNX Runtime once only.".into()
            }
            EmbedError::ModelMissing { .. } => {
                "Check codecite.model_dir, and that the server may read the folder and its files.".into()
            }
            EmbedError::ManifestMissing { draft: Ok(draft), .. } => {
                format!("Check this draft against the model's card and save it as codecite.json: {draft}")
            }
            EmbedError::ManifestMissing { draft: Err(lacks), .. } => {
                format!("Write one; docs/OPERATIONS.md describes it. It cannot be drafted: {lacks}")
            }
            EmbedError::ModelFileChanged { file } => format!(
                "Fetch the model again; if the change is meant, put the output of sha256sum {file} into codecite.json."
            ),
            EmbedError::BadManifest { .. } => "docs/OPERATIONS.md describes the manifest.".into(),
            EmbedError::WrongDimension { found, .. } => {
                format!("Set dimension to {found} in codecite.json if this is the model that is meant.")
            }
            EmbedError::Tokenizer(_) => "tokenizer.json must be one that the tokenizers library 0.23 can read.".into(),
            EmbedError::Session(_) => {
                "Check that the model reads input_ids and attention_mask and gives one vector per token.".into()
            }
            EmbedError::Threads { .. } => "Use a CPU build of ONNX Runtime without extra execution providers.".into(),
            EmbedError::Stopped => String::new(),
            EmbedError::Internal(_) => "Reconnect, and report this with the message.".into(),
        }
    }
}

impl From<codecite_core::Error> for EmbedError {
    fn from(error: codecite_core::Error) -> Self {
        match error {
            codecite_core::Error::BadManifest { reason } => EmbedError::BadManifest { reason },
            other => EmbedError::Internal(other.to_string()),
        }
    }
}

/// A library's message as one short line, so that it can stand in ours.
pub(crate) fn brief(message: impl std::fmt::Display) -> String {
    const LONGEST: usize = 300;
    let mut line = message
        .to_string()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    line.retain(|c| !c.is_control());
    if line.len() > LONGEST {
        line.truncate(line.floor_char_boundary(LONGEST));
        line.push('…');
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_become_one_short_line() {
        assert_eq!(brief("a\n  b\tc"), "a b c");
        assert!(brief("ä".repeat(1000)).len() < 310);
    }

    #[test]
    fn a_core_error_keeps_its_reason() {
        let error = EmbedError::from(codecite_core::Error::BadManifest { reason: "why".into() });
        assert_eq!(
            (error.code(), error.to_string().contains("why")),
            ("bad_manifest", true)
        );
    }
}
