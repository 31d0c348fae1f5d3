//! Errors of a stored graph.

use std::path::{Path, PathBuf};

/// Why a stored graph cannot be opened or read.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum StoredError {
    /// There is no graph in the folder, or one of its files is missing or cannot be read.
    #[error("the stored graph cannot be read: {}: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's error.
        reason: String,
    },
    /// Bytes differ from those that were written.
    #[error("the stored graph is damaged: {} at byte {at}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Offset of the damaged part.
        at: u64,
    },
}

impl StoredError {
    pub(crate) fn unreadable(path: &Path, reason: impl ToString) -> Self {
        Self::Unreadable { path: path.to_owned(), reason: reason.to_string() }
    }

    pub(crate) fn damaged(path: &Path, at: usize) -> Self {
        Self::Damaged { path: path.to_owned(), at: at as u64 }
    }
}

/// More items of a kind than there are numbers for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "the graph has more than {most} different {what}, which is as many as one index can number; index a part of it, or \
     leave out what nobody asks for (descriptions and names in languages that are not needed)"
)]
pub struct TooMany {
    /// The kind.
    pub what: &'static str,
    /// The maximum number.
    pub most: u32,
}

impl TooMany {
    /// This error, if it is the cause of an I/O error.
    pub fn within(error: &std::io::Error) -> Option<Self> {
        error.get_ref()?.downcast_ref().copied()
    }
}
