//! One error type for everything that can go wrong with a document, a profile or a query.
//!
//! Document text is never part of an error: messages name places, limits and settings only.

use crate::document::Format;

/// What went wrong. Each variant has a stable [`code`](Error::code) that clients may match on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There are no bytes, or no text in them.
    #[error("the document is empty")]
    Empty,
    /// The bytes are no format that can be read.
    #[error("the content is not a document that can be read{}", .looks_like.map(|s| format!(": it looks like {s}")).unwrap_or_default())]
    UnknownFormat {
        /// What the bytes look like, if that is known ("a PNG image").
        looks_like: Option<&'static str>,
    },
    /// The format is known, and there is no reader for it yet.
    #[error("{format} files are not read yet")]
    NoReader {
        /// The format.
        format: Format,
    },
    /// The bytes are readable, but not what the caller said they are.
    #[error("the content is {found}, not {declared}")]
    FormatMismatch {
        /// What the caller said.
        declared: Format,
        /// What the bytes are.
        found: Format,
    },
    /// The format is known, the file is damaged.
    #[error("the {format} file is damaged{}: {what}", .page.map(|p| format!(" on page {p}")).unwrap_or_default())]
    Malformed {
        /// The format it was read as.
        format: Format,
        /// The physical page, counted from 1, where known.
        page: Option<u32>,
        /// What is wrong, without document text.
        what: String,
    },
    /// Text that is in no encoding that is understood.
    #[error("the text is not valid {encoding} (at byte {offset})")]
    BadEncoding {
        /// The encoding that was expected.
        encoding: &'static str,
        /// Where the first bad byte stands.
        offset: usize,
    },
    /// The file is encrypted and needs a password.
    #[error("the file is encrypted with a password")]
    Encrypted,
    /// No page has a text layer.
    #[error("none of the {pages} pages has a text layer")]
    NeedsOcr {
        /// How many pages the file has.
        pages: u32,
    },
    /// A limit was passed.
    #[error("the document exceeds {name}: {value} > {limit}")]
    Limit {
        /// The name of the limit; the setting is `codecite.<name>`.
        name: &'static str,
        /// What the document needs (or at least needs).
        value: u64,
        /// What is allowed.
        limit: u64,
    },
    /// An allocation failed.
    #[error("out of memory while reading the document")]
    OutOfMemory,
    /// The caller asked to stop.
    #[error("canceled")]
    Cancelled,
    /// No such profile.
    #[error("there is no profile \"{name}\"")]
    UnknownProfile {
        /// What was asked for.
        name: String,
        /// What exists.
        known: Vec<String>,
    },
    /// A profile definition that cannot be used.
    #[error("profile \"{name}\" cannot be used: {reason}")]
    BadProfile {
        /// Its name.
        name: String,
        /// Why.
        reason: String,
    },
    /// A value of an argument that has no meaning.
    #[error("{argument} is not valid: {reason}")]
    BadArgument {
        /// The argument's name in SQL.
        argument: &'static str,
        /// What is wrong with it.
        reason: String,
        /// What would be right.
        hint: String,
    },
    /// A model folder that cannot be used.
    #[error("the model manifest cannot be used: {reason}")]
    BadManifest {
        /// Why.
        reason: String,
    },
    /// Stored bytes that cannot be decoded (an index row from a newer version, or damage).
    #[error("a stored {what} cannot be decoded")]
    Corrupt {
        /// What kind of row.
        what: &'static str,
    },
}

impl Error {
    /// A stable name of the kind of error.
    pub fn code(&self) -> &'static str {
        match self {
            Error::Empty => "empty",
            Error::UnknownFormat { .. } => "unknown_format",
            Error::NoReader { .. } => "no_reader",
            Error::FormatMismatch { .. } => "format_mismatch",
            Error::Malformed { .. } => "malformed",
            Error::BadEncoding { .. } => "bad_encoding",
            Error::Encrypted => "encrypted",
            Error::NeedsOcr { .. } => "needs_ocr",
            Error::Limit { .. } => "limit",
            Error::OutOfMemory => "out_of_memory",
            Error::Cancelled => "cancelled",
            Error::UnknownProfile { .. } => "unknown_profile",
            Error::BadProfile { .. } => "bad_profile",
            Error::BadArgument { .. } => "bad_argument",
            Error::BadManifest { .. } => "bad_manifest",
            Error::Corrupt { .. } => "corrupt",
        }
    }

    /// What the reader of the message can do about it.
    pub fn hint(&self) -> String {
        match self {
            Error::Empty => "Pass the bytes of a PDF, HTML, DOCX, Markdown or text file.".into(),
            Error::UnknownFormat { .. } => {
                "Readable are PDF, HTML, DOCX, Markdown and plain text. Convert the file to one of them."
                    .into()
            }
            Error::NoReader { .. } => {
                "Readable are PDF, HTML, DOCX, Markdown and plain text. Convert the file to one of them."
                    .into()
            }
            Error::FormatMismatch { found, .. } => {
                format!("Leave out the format argument, or pass format => '{found}'.")
            }
            Error::Malformed { .. } => {
                "Open the file in a viewer and save it again (for a PDF: print to PDF), or fetch it anew."
                    .into()
            }
            Error::BadEncoding { .. } => "Convert the file to UTF-8 (for example with iconv).".into(),
            Error::Encrypted => "Save a copy without a password, and ingest that.".into(),
            Error::NeedsOcr { .. } => {
                "The file is a scan. Run OCR on it (for example ocrmypdf), then ingest the result.".into()
            }
            Error::Limit { name, .. } => {
                format!("Raise codecite.{name} if the document is meant to be this large.")
            }
            Error::OutOfMemory => "Split the document, or run it where more memory is free.".into(),
            Error::Cancelled => String::new(),
            Error::UnknownProfile { known, .. } => format!("Known profiles: {}.", known.join(", ")),
            Error::BadProfile { .. } => "docs/PROFILES.md describes the definition.".into(),
            Error::BadArgument { hint, .. } => hint.clone(),
            Error::BadManifest { .. } => "docs/OPERATIONS.md describes the manifest.".into(),
            Error::Corrupt { .. } => "Ingest the document again with replace => true.".into(),
        }
    }
}

/// The result of everything in this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;
