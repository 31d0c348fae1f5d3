//! Where gold answers come from, as it is written.

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A source of gold answers, as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GoldArg {
    /// The gold queries are run.
    Run,
    /// The answers that the question file has stored.
    Stored,
    /// A file of result sets of the official client.
    File(PathBuf),
}

impl FromStr for GoldArg {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text {
            "run" => Self::Run,
            "stored" => Self::Stored,
            file => Self::File(file.into()),
        })
    }
}

impl GoldArg {
    /// The file, if it is one.
    pub(super) fn file(&self) -> Option<&Path> {
        if let Self::File(path) = self { Some(path) } else { None }
    }
}
