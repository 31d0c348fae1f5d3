//! The command line: arguments, and one file per command.
//!
//! Uses the configuration, start-up, the service, benchmarks, and the HTTP layer for the server, its description and its DTOs.
//! Results go to stdout; progress, steps and messages to stderr.

pub mod ask;
pub mod check;
mod each_line;
pub mod eval;
pub mod examples;
mod files;
mod folders;
mod graph;
pub mod health;
pub mod index;
pub mod init;
mod insight;
pub mod learn;
pub mod mcp;
mod meaning;
pub mod models;
mod other_index;
mod progress;
pub mod rows;
mod run_output;
pub mod search;
pub mod serve;
pub mod shell;
mod stdin;
mod steps;
mod table;
mod talk;
mod test_set;
mod text;
mod trust;

use crate::config::{ConfigError, Settings};
use crate::service::ServiceError;
use crate::service::browse::BrowseError;
use crate::startup::StartupError;
use clap::{Args, Parser, Subcommand};
use eruca_eval::EvalError;
use std::io::Write;
use std::path::PathBuf;

/// Questions in plain language over any RDF graph, answered with SPARQL that has been run.
#[derive(Debug, Parser)]
#[command(name = "eruca", version, propagate_version = true, arg_required_else_help = true)]
#[command(after_help = "Examples:
  eruca serve                                        the demo graph on http://127.0.0.1:8080
  eruca ask \"What is the capital of France?\"         one question to the demo graph
  eruca ask graph.ttl \"Who wrote Emma?\"              one question to your own file
  eruca serve graph.ttl                              the page and the API for your own file
  eruca ask -i                                       a conversation in the terminal
  eruca index graph.ttl                              an index of your own file
  eruca eval --questions q.jsonl --out run           a benchmark with scores and a report
  eruca eval --new                                   questions made from your graph, for you to judge

Settings go into eruca.toml, a file named with --config, or variables like ERUCA__SERVER__PORT.
Every one of them, with its default: config/default.toml in the repository.")]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Answer questions over HTTP
    Serve(serve::ServeArgs),
    /// Answer one question here, or several in a conversation
    Ask(ask::AskArgs),
    /// Serve a chat program or editor on standard input and output (MCP)
    Mcp(mcp::McpArgs),
    /// Find things, classes and properties by name
    Search(search::SearchArgs),
    /// Write a configuration to begin with
    Init(init::InitArgs),
    /// Check whether what is configured works
    Check(check::CheckArgs),
    /// Show whether the service on this machine is alive, or ready
    Health(health::HealthArgs),
    /// Build the index of a dataset, or of RDF files
    Index(index::IndexArgs),
    /// Fetch small embedding models, for searching by meaning
    Models(models::ModelsArgs),
    /// Keep verified questions: pairs of a question and the query that answers it
    Examples(examples::ExamplesArgs),
    /// Accept or reject what readers and models propose for the glossary and for verified questions
    Learn(learn::LearnArgs),
    /// Run a benchmark, score published results, or compare runs
    Eval(Box<eval::EvalArgs>),
    /// Print the OpenAPI description of the HTTP service as YAML
    #[command(after_help = "Examples:\n  eruca openapi > openapi.yaml")]
    Openapi,
    /// Print the script with which a shell completes commands and options
    Completions(shell::CompletionsArgs),
    /// Print a manual page, or write all of them
    Man(shell::ManArgs),
    /// Run queries for the process that started this one
    #[cfg(unix)]
    #[command(name = crate::startup::WORKER_COMMAND, hide = true)]
    Worker,
    /// Read a PDF file for the process that started this one
    #[command(name = crate::startup::PDF_COMMAND, hide = true)]
    ReadPdf,
}

/// Where settings come from.
#[derive(Debug, Args)]
pub struct ConfigArgs {
    /// Configuration file [default: eruca.toml in the working directory, if it exists]
    #[arg(long = "config", value_name = "FILE", env = "ERUCA_CONFIG")]
    pub file: Option<PathBuf>,
}

/// The outcome of a command that succeeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// There is a result.
    Done,
    /// There is none: no trustworthy answer, or nothing found.
    Nothing,
}

impl Ending {
    /// The exit code of the program; 1 is for errors, 2 for wrong arguments.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Nothing => 3,
        }
    }
}

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CliError {
    /// The dataset named with `--dataset` is not configured.
    #[error("there is no dataset '{asked}'; configured: {}", known.join(", "))]
    UnknownDataset {
        /// What was asked for.
        asked: String,
        /// The ids that exist.
        known: Vec<String>,
    },
    /// Several datasets are configured and none was named.
    #[error("several datasets are configured; name one with --dataset: {}", known.join(", "))]
    WhichDataset {
        /// The ids that exist.
        known: Vec<String>,
    },
    /// The address to listen on is not available.
    #[error("cannot listen on {address}: {reason}; choose another one with --host and --port")]
    Listen {
        /// Host and port.
        address: String,
        /// The system's error.
        reason: std::io::Error,
    },
    /// Neither a configured dataset nor a file.
    #[error(
        "there is no dataset and no RDF file '{asked}'; configured: {}. A graph comes before the question or name",
        known.join(", ")
    )]
    NoGraph {
        /// What was asked for.
        asked: String,
        /// The ids of the configured datasets.
        known: Vec<String>,
    },
    /// A graph without an explicit name would overwrite the index of another graph.
    #[error(
        "'{}' contains the index of another graph: {holds}. Give this graph an id with --dataset, or a folder with --out; --dataset '{dataset}' replaces the other index",
        folder.display()
    )]
    OtherIndex {
        /// The folder.
        folder: PathBuf,
        /// What its index was built from.
        holds: String,
        /// The name that is derived for both graphs.
        dataset: String,
    },
    /// The folder has no index.
    #[error("there is no index in '{}' that this version can read; eruca index builds one", folder.display())]
    NoIndex {
        /// The folder.
        folder: PathBuf,
    },
    /// Standard input cannot be kept as a file.
    #[error("standard input cannot be read into a file in '{}': {reason}", folder.display())]
    StandardInput {
        /// The folder.
        folder: PathBuf,
        /// The system's error.
        reason: std::io::Error,
    },
    /// Nothing can be looked up.
    #[error(transparent)]
    Browse(#[from] BrowseError),
    /// Arguments that cannot be combined.
    #[error("{0}; --help shows how")]
    Arguments(&'static str),
    /// What is named does not exist.
    #[error("{0}")]
    Selection(String),
    /// A file cannot be written.
    #[error("cannot write '{}': {reason}", path.display())]
    Unwritten {
        /// The file.
        path: PathBuf,
        /// The system's error.
        reason: std::io::Error,
    },
    /// Words cannot mean what is given.
    #[error("{0}")]
    Meaning(String),
    /// A configuration already exists.
    #[error("'{}' is there already and stays as it is; --stdout prints the new configuration instead", file.display())]
    Configured {
        /// The file.
        file: PathBuf,
    },
    /// A configuration cannot be written.
    #[error("cannot write '{}': {reason}; --stdout prints the configuration instead", file.display())]
    Init {
        /// The file.
        file: PathBuf,
        /// The system's error.
        reason: std::io::Error,
    },
    /// Parts of the configuration would not work.
    #[error("{failed} of {checked} parts would not work; the lines that begin with 'fails' say why")]
    Unfit {
        /// Parts that would not work.
        failed: usize,
        /// Parts that were checked.
        checked: usize,
    },
    /// No service answers at the expected address.
    #[error(
        "no service answers at {url}: {reason}; `eruca serve` starts one, --port names the port of one that runs"
    )]
    NoService {
        /// The URL of the request.
        url: String,
        /// The reason.
        reason: String,
    },
    /// The service reports a problem.
    #[error("the service at {url} is not well: {reason}; its log says more")]
    Unwell {
        /// The URL of the request.
        url: String,
        /// The response.
        reason: String,
    },
    /// Some questions of standard input have no answer.
    #[error("{failed} of {asked} questions have no answer")]
    Unanswered {
        /// Questions that were asked.
        asked: usize,
        /// Questions without an answer.
        failed: usize,
    },
    /// A folder cannot be written.
    #[error("cannot write into '{}': {reason}", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The system's error.
        reason: std::io::Error,
    },
    /// The query log cannot be opened.
    #[error(transparent)]
    QueryLog(#[from] crate::http::QueryLogError),
    /// The certificate or its key cannot be used.
    #[error(transparent)]
    Tls(#[from] crate::http::TlsError),
    /// The limit on open files is too low for the process.
    #[error(transparent)]
    OpenFiles(#[from] crate::http::OpenFilesError),
    /// An argument cannot be used.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// An index or endpoint cannot be opened, or an index cannot be built.
    #[error(transparent)]
    Startup(#[from] StartupError),
    /// The question cannot be answered.
    #[error(transparent)]
    Service(#[from] ServiceError),
    /// A model cannot be fetched.
    #[error(transparent)]
    Hub(#[from] eruca_indexer::embedding::hub::HubError),
    /// Verified questions are not as they should be.
    #[error(transparent)]
    Examples(#[from] examples::ExamplesError),
    /// A proposal cannot be decided or made.
    #[error(transparent)]
    Learn(#[from] learn::LearnCommandError),
    /// A test set cannot be used, or too few answers are right.
    #[error(transparent)]
    TestSet(#[from] test_set::TestSetCommandError),
    /// A benchmark cannot be run or read.
    #[error(transparent)]
    Eval(#[from] EvalError),
    /// The client on standard input and output does not speak the protocol.
    #[error(transparent)]
    Mcp(#[from] crate::mcp::StdioError),
    /// Stdout or stderr cannot be written, or the server failed.
    #[error(transparent)]
    Output(#[from] std::io::Error),
}

/// Prints the OpenAPI description.
///
/// # Errors
/// When `out` cannot be written.
pub fn openapi(out: &mut dyn Write) -> Result<(), CliError> {
    out.write_all(crate::http::yaml()?.as_bytes())?;
    Ok(())
}

fn unknown_dataset(settings: &Settings, asked: &str) -> CliError {
    CliError::UnknownDataset { asked: asked.to_owned(), known: ids(settings) }
}

fn ids(settings: &Settings) -> Vec<String> {
    settings.datasets.iter().map(|dataset| dataset.id.clone()).collect()
}
