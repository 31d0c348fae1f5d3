//! Why a benchmark cannot be run or read.

use std::path::{Path, PathBuf};

/// Why a benchmark cannot be run or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EvalError {
    /// A file cannot be read.
    #[error("cannot read '{path}': {reason}")]
    Read {
        /// The file.
        path: PathBuf,
        /// The operating system's words.
        reason: std::io::Error,
    },
    /// A file or folder of the results cannot be written.
    #[error("cannot write '{path}': {reason}")]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// The operating system's words.
        reason: std::io::Error,
    },
    /// A file is not what it should be.
    #[error("'{path}'{}: {message}", line.map(|line| format!(", line {line}")).unwrap_or_default())]
    Format {
        /// The file.
        path: PathBuf,
        /// The line, from 1, where one can be named.
        line: Option<usize>,
        /// What is wrong and what is expected.
        message: String,
    },
    /// The choice of questions cannot be met.
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
