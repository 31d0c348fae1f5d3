//! Reports that a text exceeds a limit, before a parser reads it.

use std::io::{Error, ErrorKind};

/// An exceeded limit and its position. Readers placed before a parser fail with it; the parser passes it on as
/// the source of its input error.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{told}")]
pub struct Excess {
    /// Line in the text as read, from 1.
    pub line: u64,
    /// Column, from 1; 0 if only the line is known.
    pub column: u64,
    told: String,
}

impl Excess {
    /// An error at this position; `told` says what exceeds which limit.
    pub fn at((line, column): (u64, u64), told: impl Into<String>) -> Self {
        Self { line, column, told: told.into() }
    }

    /// The exceeded limit reported by an I/O error, if any.
    pub fn of(error: &Error) -> Option<&Self> {
        let source = error.get_ref()?;
        // A parser may have wrapped its input error in one of its own.
        source.downcast_ref::<Self>().or_else(|| Self::of(source.downcast_ref::<Error>()?))
    }
}

impl From<Excess> for Error {
    fn from(excess: Excess) -> Self {
        Self::new(ErrorKind::InvalidData, excess)
    }
}
