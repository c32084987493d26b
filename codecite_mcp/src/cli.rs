//! The command line.

mod eval;
mod load;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::date;

pub use eval::{EvalArgs, EvalMode, Split};
pub use load::{ExportArgs, ExportFormat, FetchArgs, IngestArgs, IngestOptions, InitArgs};

const AFTER: &str = "Connection: --database-url, else CODECITE_DATABASE_URL, else PGHOST, PGPORT, PGUSER, PGPASSWORD, PGDATABASE, \
else the local server's socket.

Exit codes: 0 done, 1 an error, 2 wrong usage, 3 the corpora do not cover what was asked, 4 a mean of `eval` broke its limit.";

/// Building codes in Postgres: ingest, search and cite them; serve them to agents over MCP.
#[derive(Debug, Parser)]
#[command(name = "codecite", version, after_help = AFTER, max_term_width = 110, propagate_version = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    #[command(flatten)]
    /// Options of every command.
    pub global: Global,
}

/// Options of every command.
#[derive(Debug, Args)]
pub struct Global {
    /// Database, such as postgresql://user:password@host:5432/name
    #[arg(long, global = true, value_name = "URL", env = "CODECITE_DATABASE_URL", hide_env_values = true)]
    pub database_url: Option<String>,
    /// Print JSON for programs
    #[arg(long, global = true)]
    pub json: bool,
    /// Longest that a look-up may run, in seconds; 0 for no limit
    #[arg(long, global = true, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u32).range(0..=86_400))]
    pub timeout: u32,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check the connection and the installation
    Doctor,
    /// Make a database ready: the database itself, the extensions, a model; what is there already stays
    Init(InitArgs),
    /// Load documents (PDF, HTML, DOCX, Markdown, text) into a corpus
    Ingest(Box<IngestArgs>),
    /// Ask a question
    Search(SearchArgs),
    /// Print a section, table or chapter by its number
    Section(SectionArgs),
    /// Print what stands around a section: parent, siblings, parts, references both ways
    Context(SectionArgs),
    /// Print the definitions of a term
    Define(DefineArgs),
    /// Print which references a text makes, and whether each is indexed
    Resolve(ResolveArgs),
    /// Check the citations and quotations of a drafted answer (`-` reads it from standard input).
    Verify(ResolveArgs),
    /// Print what changed from one corpus to another, or between two editions of one
    Compare(CompareArgs),
    /// Print what the amending documents do, operation by operation
    Amendments(AmendmentsArgs),
    /// List the corpora and their documents
    Corpora(CorporaArgs),
    /// Print the outline of a corpus: chapters, parts, appendices and their main sections
    Chapters(ChaptersArgs),
    /// Write a corpus out, as Markdown or as one JSON object a section
    Export(ExportArgs),
    /// Save chapters of the Ohio Administrative Code from codes.ohio.gov as files to ingest
    FetchOac(FetchArgs),
    /// Delete a corpus, or a document of it, with everything made from it
    Drop(DropArgs),
    /// List, add, choose or remove embedding models
    #[command(subcommand)]
    Model(ModelCommand),
    /// Embed the chunks that wait for it
    Embed(EmbedArgs),
    /// Measure the answers to questions whose answers are known
    Eval(Box<EvalArgs>),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Serve agents over MCP, read-only: one on standard input and output, or many over HTTP
    Serve(ServeArgs),
}

/// `codecite embed`
#[derive(Debug, Args)]
pub struct EmbedArgs {
    /// Model to embed with [default: the one in use]
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,
    /// Sessions of the database that share the work: as many as it has cores to spare
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = jobs)]
    pub jobs: usize,
    /// Let an endpoint in the form of OpenAI's compute the vectors, such as http://127.0.0.1:11434/v1, with the very same model
    #[arg(long, value_name = "URL", conflicts_with = "jobs")]
    pub endpoint: Option<String>,
    /// The model's name there [default: that of --model]
    #[arg(long, value_name = "NAME", requires = "endpoint")]
    pub endpoint_model: Option<String>,
    /// Send the texts of your corpora to another machine
    #[arg(long, requires = "endpoint")]
    pub allow_remote: bool,
}

fn jobs(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(jobs @ 1..=64) => Ok(jobs),
        _ => Err("a number from 1 to 64".into()),
    }
}

/// `codecite search`
#[derive(Debug, Args)]
pub struct SearchArgs {
    /// The question, or a number such as 1004.5
    #[arg(required = true, num_args = 1.., value_name = "QUERY")]
    pub query: Vec<String>,
    /// Corpus to look in; repeat for several [default: all]
    #[arg(long, value_name = "NAME")]
    pub corpus: Vec<String>,
    /// How many sections
    #[arg(short, long, default_value_t = 5, value_parser = clap::value_parser!(i32).range(1..=200))]
    pub k: i32,
    /// How to search
    #[arg(long, value_enum, default_value_t = Mode::Hybrid)]
    pub mode: Mode,
    /// Only this layer: base, amendment, or a rank
    #[arg(long)]
    pub layer: Option<String>,
    /// Only this chapter, such as 10
    #[arg(long)]
    pub chapter: Option<String>,
    /// Only these kinds, separated by commas
    #[arg(long, value_enum, value_delimiter = ',')]
    pub kinds: Vec<Kind>,
    /// The law in force on this day
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = date::day)]
    pub as_of: Option<String>,
}

/// `codecite section` and `codecite context`
#[derive(Debug, Args)]
pub struct SectionArgs {
    /// Number, such as 1004.5, "1004.5, Exception 2", "Table 1004.5" or "Chapter 10"
    pub number: String,
    /// Corpus to look in [default: all]
    #[arg(long, value_name = "NAME")]
    pub corpus: Option<String>,
    /// Only this layer: base, amendment, or a rank
    #[arg(long)]
    pub layer: Option<String>,
    /// The law in force on this day
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = date::day)]
    pub as_of: Option<String>,
}

/// `codecite define`
#[derive(Debug, Args)]
pub struct DefineArgs {
    /// The term, in any case, singular or plural
    #[arg(required = true, num_args = 1.., value_name = "TERM")]
    pub term: Vec<String>,
    /// Corpus to look in [default: all]
    #[arg(long, value_name = "NAME")]
    pub corpus: Option<String>,
    /// Only this layer: base, amendment, or a rank
    #[arg(long)]
    pub layer: Option<String>,
    /// The law in force on this day
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = date::day)]
    pub as_of: Option<String>,
}

/// `codecite resolve`
#[derive(Debug, Args)]
pub struct ResolveArgs {
    /// The text, such as "see Section 1004.5, Exception 1"
    #[arg(required = true, num_args = 1.., value_name = "TEXT")]
    pub text: Vec<String>,
    /// Corpus to look in [default: all]
    #[arg(long, value_name = "NAME")]
    pub corpus: Option<String>,
    /// The law in force on this day
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = date::day)]
    pub as_of: Option<String>,
}

/// `codecite compare`
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// Corpus to compare from
    #[arg(value_name = "A")]
    pub corpus_a: String,
    /// Corpus to compare to; the same for two editions
    #[arg(value_name = "B")]
    pub corpus_b: String,
    /// Only this chapter, such as 10
    #[arg(long)]
    pub chapter: Option<String>,
    /// Edition of A [default: the one in force]
    #[arg(long, value_name = "EDITION")]
    pub edition_a: Option<String>,
    /// Edition of B [default: the one in force]
    #[arg(long, value_name = "EDITION")]
    pub edition_b: Option<String>,
}

/// `codecite amendments`
#[derive(Debug, Args)]
pub struct AmendmentsArgs {
    /// Corpus [default: all]
    pub corpus: Option<String>,
    /// Only what is done to this section, such as 1004.5
    #[arg(long)]
    pub number: Option<String>,
    /// The law in force on this day
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = date::day)]
    pub as_of: Option<String>,
}

/// `codecite corpora`
#[derive(Debug, Args)]
pub struct CorporaArgs {
    /// Only this one [default: all]
    pub corpus: Option<String>,
}

/// `codecite chapters`
#[derive(Debug, Args)]
pub struct ChaptersArgs {
    /// Corpus
    pub corpus: String,
}

/// `codecite drop`
#[derive(Debug, Args)]
pub struct DropArgs {
    /// Corpus
    pub corpus: String,
    /// Only this document, by its key; all its editions, unless --edition names one
    #[arg(long, value_name = "KEY")]
    pub document: Option<String>,
    /// Only in this layer: base, amendment, or a rank
    #[arg(long, requires = "document")]
    pub layer: Option<String>,
    /// Only this edition
    #[arg(long, requires = "document")]
    pub edition: Option<String>,
    /// Do it; without this, only what would go is shown
    #[arg(long)]
    pub yes: bool,
}

/// `codecite model`
#[derive(Debug, Subcommand)]
pub enum ModelCommand {
    /// List the registered models
    List,
    /// Register the model in the folder of that name below codecite.model_dir
    Add(ModelArgs),
    /// Make a registered model the one in use
    Use(ModelArgs),
    /// Remove a model with its vectors
    Drop(ModelArgs),
}

/// `codecite model add`, `use` and `drop`
#[derive(Debug, Args)]
pub struct ModelArgs {
    /// Name of the model
    pub name: String,
}

/// `codecite serve`
#[derive(Debug, Args)]
pub struct ServeArgs {
    /// How clients connect
    #[arg(long, value_enum, default_value_t = Transport::Stdio)]
    pub transport: Transport,
    /// HTTP: address to listen on; any but loopback needs a token
    #[arg(long, value_name = "HOST", default_value = "127.0.0.1")]
    pub host: String,
    /// HTTP: port to listen on; 0 for any
    #[arg(long, default_value_t = 8765)]
    pub port: u16,
    /// HTTP: file with the bearer token that clients must send [default: CODECITE_HTTP_TOKEN]
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,
    /// HTTP: name that clients may use for this server, besides the address listened on; repeat for several
    #[arg(long, value_name = "HOST")]
    pub allow_host: Vec<String>,
    /// HTTP: web origin whose pages may connect, such as https://example.com:443; repeat for several [default: none]
    #[arg(long, value_name = "ORIGIN")]
    pub allow_origin: Vec<String>,
}

/// How MCP clients connect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Transport {
    /// One client, on standard input and output
    Stdio,
    /// Streamable HTTP, at /mcp
    Http,
}

/// `codecite completions`
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// How to search.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Mode {
    /// By words and by meaning
    Hybrid,
    /// By words
    Lexical,
    /// By meaning
    Vector,
    /// By both, and the first sections read again: slower
    Rerank,
}

/// Kinds of chunk.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Kind {
    /// Running text
    Body,
    /// Exceptions
    Exception,
    /// Tables
    Table,
    /// Definitions
    Definition,
}

impl Mode {
    /// The name in SQL.
    pub fn as_str(self) -> &'static str {
        match self {
            Mode::Hybrid => "hybrid",
            Mode::Rerank => "rerank",
            Mode::Lexical => "lexical",
            Mode::Vector => "vector",
        }
    }
}

impl Kind {
    /// The name in SQL.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Body => "body",
            Kind::Exception => "exception",
            Kind::Table => "table",
            Kind::Definition => "definition",
        }
    }
}
