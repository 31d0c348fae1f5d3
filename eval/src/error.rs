//! Errors when running a benchmark or reading its files.

use std::path::{Path, PathBuf};

/// An error when running a benchmark or reading its files.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EvalError {
    /// A file cannot be read.
    #[error("cannot read '{path}': {reason}")]
    Read {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        reason: std::io::Error,
    },
    /// A file or folder of the results cannot be written.
    #[error("cannot write '{path}': {reason}")]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// The operating system's error.
        reason: std::io::Error,
    },
    /// A file has an invalid format.
    #[error("'{path}'{}: {message}", line.map(|line| format!(", line {line}")).unwrap_or_default())]
    Format {
        /// The file.
        path: PathBuf,
        /// The line, from 1, if known.
        line: Option<usize>,
        /// What is wrong and what was expected.
        message: String,
    },
    /// The selection of questions is invalid.
    #[error("{0}")]
    Selection(String),
}

impl EvalError {
    pub(super) fn write(path: &Path, reason: std::io::Error) -> Self {
        Self::Write { path: path.to_owned(), reason }
    }

    pub(super) fn format(path: &Path, line: Option<usize>, message: impl Into<String>) -> Self {
        Self::Format { path: path.to_owned(), line, message: message.into() }
    }
}

/// The text of a file.
pub(super) fn read(path: &Path) -> Result<String, EvalError> {
    std::fs::read_to_string(path).map_err(|reason| EvalError::Read { path: path.to_owned(), reason })
}
