//! Options of what makes a database, loads it and writes it out.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::date;

/// `codecite init`
#[derive(Debug, Args)]
pub struct InitArgs {
    /// Model to use: hash, which needs no files, or the name of a folder below codecite.model_dir [default: as it is]
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,
    /// Role that may search; repeat for several
    #[arg(long, value_name = "ROLE")]
    pub grant_read: Vec<String>,
    /// Role that may also ingest and drop; repeat for several
    #[arg(long, value_name = "ROLE")]
    pub grant_write: Vec<String>,
}

/// `codecite export`
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// Corpus
    pub corpus: String,
    /// Only this document, by its key
    #[arg(long, value_name = "KEY")]
    pub document: Option<String>,
    /// Markdown, or JSONL: one section a line with everything known of it [default: markdown, jsonl with --json]
    #[arg(long, value_enum)]
    pub format: Option<ExportFormat>,
    /// File to write instead of standard output; it must not be there yet
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Superseded editions, too
    #[arg(long)]
    pub all_editions: bool,
}

/// What an export looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// The text with headings
    Markdown,
    /// One JSON object a line
    Jsonl,
}

/// `codecite fetch-oac`
#[derive(Debug, Args)]
pub struct FetchArgs {
    /// Agency, division, chapter or rule, such as 4101:1, 4101:1-10 or 4101:1-10-04
    pub part: String,
    /// Folder to write to; made if it is missing
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Another server, on this machine only: for tests
    #[arg(long, value_name = "URL", hide = true)]
    pub base_url: Option<String>,
}

/// `codecite ingest`
#[derive(Debug, Args)]
pub struct IngestArgs {
    /// Files, patterns such as 'codes/*.pdf', or folders that are searched for documents (hidden files and README files are passed over)
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    #[command(flatten)]
    #[allow(missing_docs, reason = "documented at the type")]
    pub options: IngestOptions,
    /// Files that are ingested at once, each on a core of the server
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=32))]
    pub jobs: u16,
    /// Show the sections that would be stored, and store nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Show the sections and store them
    #[arg(long, conflicts_with = "dry_run")]
    pub show_tree: bool,
}

/// What is said of the documents of an ingest.
#[derive(Debug, Clone, Default, Args)]
pub struct IngestOptions {
    /// Corpus to load into; made if it is new
    #[arg(long, value_name = "NAME")]
    pub corpus: String,
    /// Title of the corpus, as citations begin
    #[arg(long, value_name = "TITLE")]
    pub corpus_title: Option<String>,
    /// Where the corpus is law
    #[arg(long, value_name = "PLACE")]
    pub jurisdiction: Option<String>,
    /// base, amendment, or a rank as a number such as 200
    #[arg(long, default_value = "base")]
    pub layer: String,
    /// Grammar that numbers are read with; auto chooses
    #[arg(long, default_value = "auto")]
    pub profile: String,
    /// Key under which a later file is another edition of the same document [default: the file name's stem]
    #[arg(long, value_name = "KEY")]
    pub document: Option<String>,
    /// Title of the document
    #[arg(long)]
    pub title: Option<String>,
    /// Edition, such as 2022
    #[arg(long)]
    pub edition: Option<String>,
    /// Days in force, both included: 2022-11-07 or 2022-11-07..2025-12-31
    #[arg(long, value_name = "DATES", value_parser = date::range)]
    pub effective: Option<String>,
    /// Replace the same edition of the same document
    #[arg(long)]
    pub replace: bool,
    /// Leave the embeddings for later (CALL codecite.embed_pending())
    #[arg(long)]
    pub no_embed: bool,
}
