//! Changes of the files: an entry is added, removed, or gets what running it gave. All other lines stay as people wrote them. A
//! change is written only if the new text reads as the old one with exactly that change.

use super::file::{outcome_lines, parse, string};
use super::folder::read;
use super::{Entry, Outcome, VerifiedQuestion};
use std::io;
use std::path::{Path, PathBuf};

/// The header of an entry.
const HEADER: &str = "[[questions]]";

/// Why a file was not changed.
#[derive(Debug, thiserror::Error)]
pub enum EditError {
    /// It cannot be read or written.
    #[error("'{}' cannot be changed: {source}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// It is written in another way than this program can change.
    #[error(
        "'{}' cannot be changed safely; it is not written as [[questions]] entries, has an error, or was changed meanwhile; edit it by hand",
        file.display()
    )]
    ByHand {
        /// The file.
        file: PathBuf,
    },
}

/// Adds questions to a file of the folder, which is made if it does not exist.
///
/// # Errors
/// When the file cannot be read or written, or has errors.
pub fn add(folder: &Path, name: &str, questions: &[VerifiedQuestion]) -> Result<PathBuf, EditError> {
    let file = folder.join(name);
    let failed = |source| EditError::File { file: file.clone(), source };
    std::fs::create_dir_all(folder).map_err(failed)?;
    let before = match read(&file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        text => text.map_err(failed)?,
    };
    let mut after = before.trim_end().to_owned();
    for question in questions {
        let gap = if after.is_empty() { "" } else { "\n\n" };
        after = format!("{after}{gap}{}", question.to_toml().trim_end());
    }
    after.push('\n');
    let expected = list(&before).map(|mut all| {
        all.extend_from_slice(questions);
        all
    });
    written(&file, &after, expected)?;
    Ok(file)
}

/// Removes an entry from its file.
///
/// # Errors
/// When the file cannot be read or written, or has another form than it had.
pub fn remove(entry: &Entry) -> Result<(), EditError> {
    changed(entry, |text, (from, to)| {
        let after = format!("{}{}", text.get(..from)?, text.get(to..)?);
        let mut expected = list(text)?;
        (entry.number < expected.len()).then(|| expected.remove(entry.number))?;
        Some((after, expected))
    })
}

/// Writes into an entry what running its query gave, and why it is set aside, if it is.
///
/// # Errors
/// When the file cannot be read or written, or has another form than it had.
pub fn record(entry: &Entry, outcome: Option<&Outcome>, aside: Option<&str>) -> Result<(), EditError> {
    changed(entry, |text, (from, to)| {
        let [rows, digest] = outcome_lines(outcome);
        let keys = [("aside", aside.map(string)), rows, digest];
        let block = with_keys(text.get(from..to)?, &keys);
        let after = format!("{}{block}{}", text.get(..from)?, text.get(to..)?);
        let mut expected = list(text)?;
        let now = expected.get_mut(entry.number)?;
        (now.outcome, now.aside) = (outcome.cloned(), aside.map(str::to_owned));
        Some((after, expected))
    })
}

/// Changes the text of an entry's file.
fn changed(
    entry: &Entry,
    change: impl FnOnce(&str, (usize, usize)) -> Option<(String, Vec<VerifiedQuestion>)>,
) -> Result<(), EditError> {
    let file = &entry.file;
    let text = read(file).map_err(|source| EditError::File { file: file.clone(), source })?;
    let by_hand = || EditError::ByHand { file: file.clone() };
    let known = list(&text).ok_or_else(by_hand)?;
    let span = spans(&text).get(entry.number).copied();
    let is_same = known.get(entry.number).is_some_and(|now| now.question == entry.question.question);
    let span = span.filter(|_| is_same).ok_or_else(by_hand)?;
    let (after, expected) = change(&text, span).ok_or_else(by_hand)?;
    written(file, &after, Some(expected))
}

/// The entries of a text; `None` if one of them is wrong, so that numbers would not fit.
fn list(text: &str) -> Option<Vec<VerifiedQuestion>> {
    let (found, wrong) = parse(text);
    wrong.is_empty().then(|| found.into_iter().map(|(_, question)| question).collect())
}

/// The byte spans of the entries, each from its header to the next.
fn spans(text: &str) -> Vec<(usize, usize)> {
    let (mut starts, mut at) = (Vec::new(), 0);
    for line in text.split_inclusive('\n') {
        if line.trim_start().starts_with(HEADER) {
            starts.push(at);
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().copied().zip(ends).collect()
}

/// An entry with these keys, each on a line behind the header; a key without a value is removed.
fn with_keys(block: &str, keys: &[(&str, Option<String>)]) -> String {
    let has_key = |line: &&str| {
        let key = line.split_once('=').map(|(key, _)| key.trim());
        !keys.iter().any(|(name, _)| key == Some(*name))
    };
    let mut lines = block.split_inclusive('\n').filter(has_key);
    let mut text = lines.next().unwrap_or_default().to_owned();
    for (name, value) in keys {
        if let Some(value) = value {
            text.push_str(&format!("{name} = {value}\n"));
        }
    }
    text.extend(lines);
    text
}

/// Writes a file at once, if its new text reads as expected.
fn written(file: &Path, text: &str, expected: Option<Vec<VerifiedQuestion>>) -> Result<(), EditError> {
    if expected.is_none() || list(text) != expected {
        return Err(EditError::ByHand { file: file.to_owned() });
    }
    let part = file.with_extension("toml.part");
    let done = std::fs::write(&part, text).and_then(|()| std::fs::rename(&part, file));
    done.map_err(|source| EditError::File { file: file.to_owned(), source })
}
