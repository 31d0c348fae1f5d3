//! Errors of reading RDF, with their position.

use eruca_sparql::{Excess, one_line};
use oxrdfio::RdfParseError;
use std::path::{Path, PathBuf};

/// Maximum number of characters kept of a parser's message.
const MAX_REASON_CHARS: usize = 200;

/// Why RDF could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// A pattern is not a valid glob.
    #[error("'{pattern}' is not a valid file pattern: {reason}")]
    Pattern {
        /// The pattern as given.
        pattern: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A pattern matches no file.
    #[error(
        "no file matches '{0}'; give the path of an RDF file (.ttl .nt .nq .trig .rdf .owl .jsonld, also .gz .bz2 .zst)"
    )]
    NoFile(String),
    /// A folder contains no file whose name suggests RDF.
    #[error(
        "the folder '{0}' contains no file ending in .ttl .nt .nq .trig .rdf .owl .jsonld .n3 (or these with .gz .bz2 .zst); name others by a pattern, for example '{0}/*.xml'"
    )]
    Folder(PathBuf),
    /// A folder cannot be listed.
    #[error("cannot list the folder '{folder}': {source}")]
    List {
        /// The folder.
        folder: PathBuf,
        /// The operating system's error.
        source: std::io::Error,
    },
    /// Neither the file's name nor its content reveals the format.
    #[error(
        "cannot tell the RDF format of '{0}', neither from its name nor from its content; use one of .ttl .nt .nq .trig .rdf .owl .xml .jsonld .json .n3, with .gz, .bz2 or .zst behind it if compressed, or name it with --format"
    )]
    UnknownFormat(PathBuf),
    /// The file is not RDF, whatever its name says.
    #[error("'{path}' is {what}, not RDF: {remedy}")]
    NotRdf {
        /// The file.
        path: PathBuf,
        /// What it is.
        what: &'static str,
        /// How to convert it into RDF.
        remedy: String,
    },
    /// The file is in an unknown encoding.
    #[error(
        "'{path}' is in the encoding '{encoding}', which is not known; convert it: iconv -f {encoding} -t UTF-8 '{path}' > new.rdf, \
         and take encoding=\"…\" out of the first line of what comes"
    )]
    Encoding {
        /// The file.
        path: PathBuf,
        /// The name of the encoding, as declared in the file.
        encoding: String,
    },
    /// The configured base of a Wikibase is not an IRI.
    #[error(
        "'{0}' is not the address of a Wikibase; give its base address, such as https://wikibase.example.org/"
    )]
    WikibaseBase(String),
    /// The file cannot be read.
    #[error("cannot read '{path}': {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        source: std::io::Error,
    },
    /// The file cannot be decompressed, or is incomplete.
    #[error("cannot decompress '{path}': {source}; is it whole, and is it {compression}, as its {told_by}?")]
    Compressed {
        /// The file.
        path: PathBuf,
        /// How it is compressed.
        compression: &'static str,
        /// What indicates that: "name says", or "first bytes say".
        told_by: &'static str,
        /// The decoder's error.
        source: std::io::Error,
    },
    /// A JSON-LD file refers to a context that is not available.
    #[error(
        "'{path}' needs the JSON-LD context '{context}': {reason}; save it beside the file and write its file name into \"@context\", or write its content there"
    )]
    Context {
        /// The file.
        path: PathBuf,
        /// The URL of the context.
        context: String,
        /// Why it is not available.
        reason: String,
    },
    /// The file is not valid RDF.
    #[error("{}: {reason}; fix the line, or leave such statements out with --skip-errors ([index] skip_errors)", place(path, *line, *column))]
    Syntax {
        /// The file.
        path: PathBuf,
        /// Line, from 1, in the decompressed text; 0 if the parser does not report it.
        line: u64,
        /// Column, from 1; 0 if only the line is known.
        column: u64,
        /// What is wrong.
        reason: String,
    },
    /// The file exceeds a limit, so that reading it would take too many resources.
    #[error("{}: {reason}; a file that has more is not read, also with --skip-errors", place(path, *line, *column))]
    TooMuch {
        /// The file.
        path: PathBuf,
        /// Line, from 1, in the decompressed text.
        line: u64,
        /// Column, from 1; 0 if only the line is known.
        column: u64,
        /// What it has too much of, and the limit.
        reason: String,
    },
}

impl SourceError {
    /// An error in the file, with its position.
    pub(super) fn at(path: &Path, (line, column): (u64, u64), reason: impl Into<String>) -> Self {
        Self::Syntax { path: path.to_owned(), line, column, reason: reason.into() }
    }

    /// The exceeded limit, if that is the cause of a read error.
    pub(super) fn too_much(path: &Path, error: &std::io::Error) -> Option<Self> {
        let excess = Excess::of(error)?;
        let (line, column) = (excess.line, excess.column);
        Some(Self::TooMuch { path: path.to_owned(), line, column, reason: excess.to_string() })
    }

    /// The line of an error, if known.
    pub(super) fn line(&self) -> Option<u64> {
        match self {
            Self::Syntax { line, .. } => Some(*line).filter(|line| *line > 0),
            _ => None,
        }
    }

    /// A parser's error, with the position separated from its message.
    pub(super) fn syntax(path: &Path, error: &RdfParseError) -> Self {
        let position = match error {
            RdfParseError::Syntax(error) => error.location(),
            RdfParseError::Io(_) => None,
        };
        Self::Syntax {
            path: path.to_owned(),
            line: position.as_ref().map_or(0, |p| p.start.line + 1),
            column: position.as_ref().map_or(0, |p| p.start.column + 1),
            reason: reason_of(error),
        }
    }

    /// Advice for bytes that are not UTF-8, which parsers report in these words.
    pub(super) fn of_encoding(&self) -> Option<String> {
        let Self::Syntax { path, reason, .. } = self else { return None };
        let path = path.display();
        reason.to_lowercase().contains("invalid utf-8").then(|| {
            format!("it is not in UTF-8, perhaps in Latin-1; convert it: iconv -f WINDOWS-1252 -t UTF-8 '{path}' > FILE")
        })
    }

    /// The same error with a hint after its reason.
    pub(super) fn with_hint(self, hint: &str) -> Self {
        match self {
            Self::Syntax { path, line, column, reason } => {
                Self::Syntax { path, line, column, reason: format!("{reason} ({hint})") }
            }
            other => other,
        }
    }
}

/// The message of a parser without the position, which is shown before it.
pub(super) fn reason_of(error: &RdfParseError) -> String {
    let reason = match error {
        RdfParseError::Syntax(error) => error.to_string(),
        RdfParseError::Io(error) => error.to_string(),
    };
    let reason = reason
        .split_once(": ")
        .filter(|(head, _)| head.contains(" at ") || head.starts_with("Parser error "))
        .map_or(reason.as_str(), |(_, tail)| tail);
    // Some parsers quote the input that they failed on, which may be the whole file.
    one_line(reason, MAX_REASON_CHARS)
}

/// A file with line and column, as far as known.
pub(super) fn place(path: &Path, line: u64, column: u64) -> String {
    match (line, column) {
        (0, _) => path.display().to_string(),
        (line, 0) => format!("{}:{line}", path.display()),
        (line, column) => format!("{}:{line}:{column}", path.display()),
    }
}
