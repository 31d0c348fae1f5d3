//! The files of a folder: bounded in number and size before they are read.

use crate::Problem;
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

/// Maximum number of files of a folder.
const MAX_FILES: usize = 200;
/// Maximum size of a file in bytes.
pub(crate) const MAX_BYTES: u64 = 1 << 20;
/// How the names of the files end.
const ENDING: &str = "toml";

/// The texts of the files directly in a folder, by name, in the order of their names. No folder has no files.
pub(crate) fn texts(folder: &Path, problems: &mut Vec<Problem>) -> Vec<(String, String)> {
    let mut problem = |place: String, message: String| problems.push(Problem { place, message });
    let paths = match listed(folder) {
        Ok(paths) => paths,
        Err(message) => {
            problem(folder.display().to_string(), message);
            return Vec::new();
        }
    };
    if paths.len() > MAX_FILES {
        let message = format!("has {} files of knowledge; at most {MAX_FILES} are read", paths.len());
        problem(folder.display().to_string(), message);
    }
    let mut found = Vec::new();
    for path in paths.into_iter().take(MAX_FILES) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        match text(&path) {
            Ok(text) => found.push((name, text)),
            Err(message) => problem(name, message),
        }
    }
    found
}

/// Identifies the content of the files of a folder.
pub(crate) fn stamp_of(folder: &Path) -> u64 {
    let mut problems = Vec::new();
    let found = texts(folder, &mut problems);
    stamp(&found, &problems)
}

/// Identifies the texts of files and what is wrong with them.
pub(crate) fn stamp(texts: &[(String, String)], problems: &[Problem]) -> u64 {
    let mut hasher = DefaultHasher::new();
    texts.hash(&mut hasher);
    problems.iter().for_each(|problem| (&problem.place, &problem.message).hash(&mut hasher));
    hasher.finish()
}

fn listed(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(format!("cannot be read: {error}")),
    };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let of_knowledge =
        |path: &PathBuf| path.extension().is_some_and(|ending| ending == ENDING) && path.is_file();
    let mut paths: Vec<PathBuf> = paths.filter(of_knowledge).collect();
    paths.sort();
    Ok(paths)
}

fn text(path: &Path) -> Result<String, String> {
    text_of(path).map_err(|error| match error.kind() {
        ErrorKind::FileTooLarge => format!("is larger than {MAX_BYTES} bytes; divide it into several files"),
        ErrorKind::InvalidData => "is not UTF-8; save it in this encoding".to_owned(),
        _ => format!("cannot be read: {error}"),
    })
}

/// The text of a file that is not too large.
pub(crate) fn text_of(path: &Path) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(ErrorKind::FileTooLarge.into());
    }
    String::from_utf8(bytes).map_err(|_| ErrorKind::InvalidData.into())
}
