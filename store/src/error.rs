//! What can be wrong with a stored graph.

use std::path::{Path, PathBuf};

/// Why a stored graph cannot be opened or read.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum StoredError {
    /// There is none in the folder, or one of its files is missing or cannot be read.
    #[error("the stored graph cannot be read: {}: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's words.
        reason: String,
    },
    /// Bytes are not those that were written.
    #[error("the stored graph is damaged: {} at byte {at}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where in the file the part begins that is damaged.
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

/// More of a kind than there are numbers for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "the graph has more than {most} different {what}, which is as many as one index can number; index a part of it, or \
     leave out what nobody asks for (descriptions and names in languages that are not needed)"
)]
pub struct TooMany {
    /// Of what.
    pub what: &'static str,
    /// How many there may be.
    pub most: u32,
}

impl TooMany {
    /// The error in which it comes, if this is one.
    pub fn within(error: &std::io::Error) -> Option<Self> {
        error.get_ref()?.downcast_ref().copied()
    }
}
