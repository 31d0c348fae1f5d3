//! What a text has too much of, told before a parser reads it.

use std::io::{Error, ErrorKind};

/// A bound that a text does not keep, and where. Readers in front of parsers fail with it; it passes through the parsers as
/// the source of their input's error.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{told}")]
pub struct Excess {
    /// Line, from 1, in the text as it is read.
    pub line: u64,
    /// Column, from 1; 0 if only the line is known.
    pub column: u64,
    told: String,
}

impl Excess {
    /// What is too much and which bound it breaks, in words.
    pub fn at((line, column): (u64, u64), told: impl Into<String>) -> Self {
        Self { line, column, told: told.into() }
    }

    /// The bound that an error of reading tells of, if it does.
    pub fn of(error: &Error) -> Option<&Self> {
        let source = error.get_ref()?;
        // A parser may have put the error of its input into one of its own.
        source.downcast_ref::<Self>().or_else(|| Self::of(source.downcast_ref::<Error>()?))
    }
}

impl From<Excess> for Error {
    fn from(excess: Excess) -> Self {
        Self::new(ErrorKind::InvalidData, excess)
    }
}
