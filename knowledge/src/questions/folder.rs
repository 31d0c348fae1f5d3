//! The folder of verified questions: its TOML files within bounds. What is wrong is told with its file and line, all at once; what
//! is right is used nevertheless.

use super::file::{Wrong, parse};
use super::{Entry, Questions, question_key};
use rustc_hash::FxHashSet;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Files of a folder.
const MAX_FILES: usize = 1_000;
/// Bytes of a file.
const MAX_FILE_BYTES: u64 = 8 << 20;
/// Questions in all.
const MAX_QUESTIONS: usize = 20_000;
/// Problems that are told.
const MAX_PROBLEMS: usize = 100;

/// Something wrong in the files of a folder.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{}: {what}", file.display(), line.map(|line| format!(" line {line}")).unwrap_or_default())]
pub struct Problem {
    /// The file or folder.
    pub file: PathBuf,
    /// The line, if it is known.
    pub line: Option<usize>,
    /// What is wrong, and what to do.
    pub what: String,
}

/// The files of a folder with their times and sizes: whether something has changed.
pub(super) type Stamp = Vec<(PathBuf, Option<SystemTime>, u64)>;

/// Reads all questions of a folder; none if there is no folder.
#[must_use]
pub fn read_questions(folder: &Path) -> (Questions, Vec<Problem>) {
    let (mut entries, mut problems) = (Vec::new(), Vec::new());
    let (mut known, mut names) = (FxHashSet::default(), FxHashSet::default());
    let files = files(folder).unwrap_or_else(|error| {
        problems.push(problem(folder, None, format!("the folder cannot be read: {error}")));
        Vec::new()
    });
    if files.len() > MAX_FILES {
        let what = format!(
            "the folder has more than {MAX_FILES} files; the others are not read; put several questions into one"
        );
        problems.push(problem(folder, None, what));
    }
    for file in files.into_iter().take(MAX_FILES) {
        let text = match read(&file) {
            Ok(text) => text,
            Err(error) => {
                problems.push(problem(&file, None, format!("the file cannot be read: {error}")));
                continue;
            }
        };
        let (found, wrong) = parse(&text);
        problems.extend(wrong.into_iter().map(|Wrong { line, what }| problem(&file, line, what)));
        for (number, question) in found {
            if question.aside.is_none() && !known.insert(question_key(&question.question)) {
                let what = format!(
                    "the question '{}' is verified twice; the first one counts; remove the other",
                    question.question
                );
                problems.push(problem(&file, None, what));
            }
            if let Some(name) = question.name.as_ref().filter(|_| question.aside.is_none())
                && !names.insert(name.clone())
            {
                let what =
                    format!("two questions have the name '{name}'; the first one has it; rename the other");
                problems.push(problem(&file, None, what));
            }
            entries.push(Entry { question, file: file.clone(), number });
        }
    }
    if entries.len() > MAX_QUESTIONS {
        entries.truncate(MAX_QUESTIONS);
        let what = format!("there are more than {MAX_QUESTIONS} questions; the others are not used");
        problems.push(problem(folder, None, what));
    }
    problems.truncate(MAX_PROBLEMS);
    (Questions::new(entries), problems)
}

fn problem(file: &Path, line: Option<usize>, what: String) -> Problem {
    Problem { file: file.to_owned(), line, what }
}

/// The TOML files of a folder by name; none if there is no folder.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let listed = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        listed => listed?,
    };
    let mut files = Vec::new();
    for entry in listed {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "toml") && path.is_file() {
            files.push(path);
        }
    }
    files.sort_unstable();
    Ok(files)
}

/// The text of a file that is not too large.
pub(super) fn read(file: &Path) -> io::Result<String> {
    let mut text = String::new();
    File::open(file)?.take(MAX_FILE_BYTES + 1).read_to_string(&mut text)?;
    if text.len() as u64 > MAX_FILE_BYTES {
        return Err(io::Error::other(format!("it is larger than {} MB; split it", MAX_FILE_BYTES >> 20)));
    }
    Ok(text)
}

/// The present state of a folder.
pub(super) fn stamp(folder: &Path) -> Stamp {
    let of = |file: PathBuf| {
        let known = std::fs::metadata(&file).ok();
        let time = known.as_ref().and_then(|known| known.modified().ok());
        (file, time, known.map_or(0, |known| known.len()))
    };
    files(folder).unwrap_or_default().into_iter().take(MAX_FILES).map(of).collect()
}
