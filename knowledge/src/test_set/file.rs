//! The file of a test set: bounded, and changed a line at a time under a lock. What a person wrote by hand stays as it is, also where
//! it cannot be read; that is told with its line.

use super::{Judged, TestQuestion};
use crate::Problem;
use crate::questions::{MAX_QUERY_BYTES, MAX_QUESTION_CHARS, question_key};
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

/// The name of the file.
pub const TESTS_FILE: &str = "tests.jsonl";
/// Questions of a test set.
pub const MAX_TESTS: usize = 2_000;
/// Bytes of a file.
const MAX_BYTES: usize = 8 << 20;
/// Longest id, name, feature and date, in characters.
const MAX_TEXT_CHARS: usize = 200;
const MAX_FEATURES: usize = 20;
/// Problems that are told.
const MAX_PROBLEMS: usize = 50;

/// Why a test set cannot be read or changed.
#[derive(Debug, thiserror::Error)]
pub enum TestSetError {
    /// The file cannot be read or written.
    #[error("the test set '{}' cannot be used: {source}; this account must be able to write there", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// There are as many as a file holds.
    #[error("the test set '{}' holds {MAX_TESTS} questions, or as many as its size allows; remove some lines", file.display())]
    Full {
        /// The file.
        file: PathBuf,
    },
    /// The question is out of bounds.
    #[error("the question is not kept: {reason}")]
    Wrong {
        /// What is wrong, and what to do.
        reason: String,
    },
}

/// The questions of a folder's test set, and what is wrong in the file; none if there is no file.
///
/// # Errors
/// When the file cannot be read, or is too large.
pub fn read(folder: &Path) -> Result<(Vec<TestQuestion>, Vec<Problem>), TestSetError> {
    let file = folder.join(TESTS_FILE);
    let text = text_of(&file).map_err(|source| TestSetError::File { file, source })?;
    let (mut found, mut problems): (Vec<TestQuestion>, Vec<Problem>) = (Vec::new(), Vec::new());
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let known = |one: &TestQuestion| found.iter().any(|other| other.id == one.id);
        let read = checked(line).and_then(|one| match (known(&one), found.len() < MAX_TESTS) {
            (true, _) => Err("its id is that of a line above; ids must be unique".to_owned()),
            (false, false) => Err(format!("there are more than {MAX_TESTS} questions; remove some")),
            (false, true) => Ok(one),
        });
        match read {
            Ok(one) => found.push(one),
            Err(message) if problems.len() < MAX_PROBLEMS => {
                problems.push(Problem { place: format!("{TESTS_FILE} line {}", number + 1), message });
            }
            Err(_) => {}
        }
    }
    Ok((found, problems))
}

/// Writes a question in the place of the one with its id, or at the end.
///
/// # Errors
/// When it is out of bounds, there are too many, or the file cannot be written.
pub fn put(folder: &Path, question: &TestQuestion) -> Result<(), TestSetError> {
    let file = folder.join(TESTS_FILE);
    let failed = |source| TestSetError::File { file: file.clone(), source };
    question.check().map_err(|reason| TestSetError::Wrong { reason })?;
    let line = serde_json::to_string(question).map_err(|error| failed(error.into()))?;
    std::fs::create_dir_all(folder).map_err(failed)?;
    let _lock = locked(&file).map_err(failed)?;
    let before = text_of(&file).map_err(failed)?;
    let mut lines: Vec<&str> = before.lines().filter(|line| !line.trim().is_empty()).collect();
    let is_it = |line: &&str| checked(line).is_ok_and(|known| known.id == question.id);
    match lines.iter().position(is_it).and_then(|at| lines.get_mut(at)) {
        Some(known) => *known = &line,
        None => lines.push(&line),
    }
    let after = lines.join("\n") + "\n";
    if lines.len() > MAX_TESTS || after.len() > MAX_BYTES {
        return Err(TestSetError::Full { file });
    }
    let part = file.with_extension("part");
    File::create(&part)
        .and_then(|mut written| written.write_all(after.as_bytes()).and_then(|()| written.sync_all()))
        .and_then(|()| std::fs::rename(&part, &file))
        .map_err(failed)
}

/// Waits until no other process changes the file.
fn locked(file: &Path) -> io::Result<File> {
    let lock = OpenOptions::new().create(true).append(true).open(file.with_extension("lock"))?;
    lock.lock()?;
    Ok(lock)
}

fn text_of(file: &Path) -> io::Result<String> {
    let mut text = String::new();
    match File::open(file) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(text),
        opened => opened?.take(MAX_BYTES as u64 + 1).read_to_string(&mut text)?,
    };
    match text.len() > MAX_BYTES {
        true => Err(io::Error::other(format!("it is larger than {} MB", MAX_BYTES >> 20))),
        false => Ok(text),
    }
}

fn checked(line: &str) -> Result<TestQuestion, String> {
    let one: TestQuestion = serde_json::from_str(line).map_err(|error| {
        format!("{error}; a line has id, question and judged, and may have lang, sparql, features, by, date, confidence and wrong")
    })?;
    one.check().map(|()| one)
}

impl TestQuestion {
    /// Checks what can be checked without a graph.
    ///
    /// # Errors
    /// What is wrong and what to do, as a part of a sentence.
    pub fn check(&self) -> Result<(), String> {
        let Self { id, question, lang, sparql, features, judged, by, date, confidence, wrong } = self;
        if question_key(question).is_empty() || question.chars().count() > MAX_QUESTION_CHARS {
            return Err(format!("the question must have words, and at most {MAX_QUESTION_CHARS} characters"));
        }
        let queries = [sparql, wrong];
        if queries.into_iter().flatten().any(|query| query.trim().is_empty() || query.len() > MAX_QUERY_BYTES)
        {
            return Err(format!("a query must have between 1 and {MAX_QUERY_BYTES} bytes"));
        }
        if *judged == Judged::Right && sparql.is_none() {
            return Err("what is judged right needs 'sparql', the query that was right".to_owned());
        }
        let texts = [Some(id), lang.as_ref(), Some(by), Some(date), confidence.as_ref()];
        let mut texts = texts.into_iter().flatten().chain(features);
        if id.is_empty()
            || features.len() > MAX_FEATURES
            || texts.any(|text| text.chars().count() > MAX_TEXT_CHARS)
        {
            return Err(format!(
                "it needs an id; ids, names and features have at most {MAX_TEXT_CHARS} characters, and there are at most {MAX_FEATURES} features"
            ));
        }
        Ok(())
    }
}
