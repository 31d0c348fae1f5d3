//! The files that a dataset's patterns match.

use super::SourceError;
use super::format::is_rdf_name;
use eruca_documents::DocumentFormat;
use rustc_hash::FxHashSet;
use std::path::{Path, PathBuf};

/// The files that the patterns match, in order and without duplicates. A pattern is a path, a glob, or a folder, which stands for
/// all files in it and its subfolders with names that suggest RDF, in name order. Hidden ones are skipped.
///
/// # Errors
/// When a pattern is malformed or matches nothing, or a folder cannot be listed.
pub fn expand_patterns(patterns: &[PathBuf]) -> Result<Vec<PathBuf>, SourceError> {
    expand(patterns, is_rdf_name)
}

/// The documents that the patterns match, by the same rules; a folder stands for the files in it that can be read as
/// documents.
///
/// # Errors
/// When a pattern is malformed or matches nothing, or a folder cannot be listed.
pub(crate) fn expand_documents(patterns: &[PathBuf]) -> Result<Vec<PathBuf>, SourceError> {
    expand(patterns, |name| DocumentFormat::of(Path::new(name)).is_some())
}

fn expand(patterns: &[PathBuf], is_wanted: fn(&str) -> bool) -> Result<Vec<PathBuf>, SourceError> {
    let mut files: Vec<PathBuf> = Vec::new();
    let mut known = FxHashSet::default();
    for pattern in patterns {
        let found = match pattern {
            file if file.is_file() => vec![file.clone()],
            folder if folder.is_dir() => files_in(folder, is_wanted)?,
            pattern => expand_glob(pattern)?,
        };
        for file in found {
            if known.insert(file.clone()) {
                files.push(file);
            }
        }
    }
    Ok(files)
}

fn files_in(folder: &Path, is_wanted: fn(&str) -> bool) -> Result<Vec<PathBuf>, SourceError> {
    let mut files = Vec::new();
    list(folder, is_wanted, &mut files)?;
    if files.is_empty() {
        return Err(SourceError::Folder(folder.to_owned()));
    }
    Ok(files)
}

fn list(folder: &Path, is_wanted: fn(&str) -> bool, files: &mut Vec<PathBuf>) -> Result<(), SourceError> {
    let failed = |source| SourceError::List { folder: folder.to_owned(), source };
    let entries: std::io::Result<Vec<_>> = std::fs::read_dir(folder).map_err(failed)?.collect();
    let mut entries = entries.map_err(failed)?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        // Links to folders are not followed: they may lead back to a parent folder.
        let is_folder = entry.file_type().map_err(failed)?.is_dir();
        match (name.starts_with('.'), is_folder) {
            (true, _) => {}
            (false, true) => list(&path, is_wanted, files)?,
            (false, false) if path.is_file() && is_wanted(&name) => files.push(path),
            (false, false) => {}
        }
    }
    Ok(())
}

fn expand_glob(pattern: &Path) -> Result<Vec<PathBuf>, SourceError> {
    let text = pattern.to_string_lossy();
    let paths = glob::glob(&text)
        .map_err(|e| SourceError::Pattern { pattern: text.to_string(), reason: e.to_string() })?;
    let files: Vec<PathBuf> = paths.filter_map(Result::ok).filter(|path| path.is_file()).collect();
    if files.is_empty() {
        return Err(SourceError::NoFile(text.into_owned()));
    }
    Ok(files)
}
