//! What is wrong in the files: all of it at once, each with its place.

use std::fmt;
use std::path::PathBuf;

/// Maximum number of problems told; a file of another kind has one in every line.
const MAX_TOLD: usize = 20;

/// Something wrong in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The file and, where known, the line.
    pub place: String,
    /// What is wrong and what to do.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

/// Why the knowledge of a folder cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the knowledge in '{}' cannot be used: {}", folder.display(), told(problems))]
pub struct KnowledgeError {
    /// The folder.
    pub folder: PathBuf,
    /// All that is wrong.
    pub problems: Vec<Problem>,
}

fn told(problems: &[Problem]) -> String {
    let mut told: Vec<String> = problems.iter().take(MAX_TOLD).map(ToString::to_string).collect();
    let more = problems.len().saturating_sub(MAX_TOLD);
    told.extend((more > 0).then(|| format!("and {more} more")));
    told.join("; ")
}
