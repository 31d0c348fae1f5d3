//! Queries in files of their own, with the question in comments at their beginning, as SIB's and Wikidata's examples have them:
//! `# Who leads Sales?`, `#title: Cats`, `#+ summary: Proteins of human`.

use super::file::MAX_QUERY_BYTES;
use super::folder::read;
use std::io;
use std::path::{Path, PathBuf};

/// Why a file gives no question.
#[derive(Debug, thiserror::Error)]
pub enum QueryFileError {
    /// It cannot be read.
    #[error("'{}' cannot be read: {source}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// There is no comment before the query.
    #[error("'{}' has no question; write it above the query, in a line that begins with #", file.display())]
    NoQuestion {
        /// The file.
        file: PathBuf,
    },
    /// There is nothing but comments, or too much.
    #[error("'{}' must hold a query of 1 to {MAX_QUERY_BYTES} bytes below its question", file.display())]
    NoQuery {
        /// The file.
        file: PathBuf,
    },
}

/// The keys whose value is the question, in grlc's and Wikidata's comments.
const KEYS: [&str; 3] = ["title:", "summary:", "question:"];

/// The question and the query of a file.
///
/// # Errors
/// When it cannot be read, or has no question or no query.
pub fn read_query_file(file: &Path) -> Result<(String, String), QueryFileError> {
    let text = read(file).map_err(|source| QueryFileError::Unreadable { file: file.to_owned(), source })?;
    let text = text.trim_start_matches('\u{feff}');
    let comments = text.lines().map(str::trim).take_while(|line| line.is_empty() || line.starts_with('#'));
    let comments: Vec<&str> = comments
        .map(|line| line.trim_start_matches(['#', '+']).trim())
        .filter(|line| !line.is_empty())
        .collect();
    let named = comments.iter().find_map(|line| value(line));
    let question = named.or_else(|| comments.first().copied());
    let question = question.ok_or_else(|| QueryFileError::NoQuestion { file: file.to_owned() })?;
    let query: Vec<&str> =
        text.lines().skip_while(|line| line.trim().is_empty() || line.trim().starts_with('#')).collect();
    let query = query.join("\n").trim().to_owned();
    if query.is_empty() || query.len() > MAX_QUERY_BYTES {
        return Err(QueryFileError::NoQuery { file: file.to_owned() });
    }
    Ok((question.trim_matches('"').to_owned(), query))
}

/// The text behind one of the keys.
fn value(line: &str) -> Option<&str> {
    let key =
        KEYS.iter().find(|key| line.get(..key.len()).is_some_and(|start| start.eq_ignore_ascii_case(key)))?;
    line.get(key.len()..).map(str::trim).filter(|value| !value.is_empty())
}
