//! Which files a dataset's patterns name.

use super::SourceError;
use std::path::{Path, PathBuf};

/// The files that the patterns name, in order, each once. A pattern is a path or a glob.
///
/// # Errors
/// When a pattern is malformed or matches nothing.
pub fn expand_patterns(patterns: &[PathBuf]) -> Result<Vec<PathBuf>, SourceError> {
    let mut files: Vec<PathBuf> = Vec::new();
    for pattern in patterns {
        let found = if pattern.is_file() { vec![pattern.clone()] } else { expand_glob(pattern)? };
        for file in found {
            if !files.contains(&file) {
                files.push(file);
            }
        }
    }
    Ok(files)
}

fn expand_glob(pattern: &Path) -> Result<Vec<PathBuf>, SourceError> {
    if pattern.is_dir() {
        return Err(SourceError::Folder(pattern.to_owned()));
    }
    let text = pattern.to_string_lossy();
    let paths = glob::glob(&text)
        .map_err(|e| SourceError::Pattern { pattern: text.to_string(), reason: e.to_string() })?;
    let files: Vec<PathBuf> = paths.filter_map(Result::ok).filter(|path| path.is_file()).collect();
    if files.is_empty() {
        return Err(SourceError::NoFile(text.into_owned()));
    }
    Ok(files)
}
