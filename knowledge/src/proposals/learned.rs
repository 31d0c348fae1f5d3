//! What is accepted is written into the owner's files: a new entry at the end of a file, with all else as it was. A file is written
//! only if it then reads as before with that entry.

use crate::Learned;
use crate::questions::{self, EditError, VerifiedQuestion};
use crate::written;
use std::io;
use std::path::{Path, PathBuf};

/// The file of the glossary and of notes, and that of verified questions.
pub const GLOSSARY_FILE: &str = "learned.toml";
const QUESTIONS_FILE: &str = "learned.toml";

/// Why something accepted was not written.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// The file cannot be read or written.
    #[error("'{}' cannot be changed: {source}; the service must be able to write into the folder", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The file would not read as before with the new entry.
    #[error("'{}' has an error, so that nothing can be added to it; correct it first (`eruca check` says where)", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
    },
    /// A file of questions cannot be changed.
    #[error(transparent)]
    Question(#[from] EditError),
}

/// Writes an entry, given with its text in TOML and a comment, into the files of a folder of knowledge; gives the file.
///
/// # Errors
/// When the file cannot be written, or has errors.
pub fn learn(
    knowledge: &Path,
    questions: &Path,
    learned: &Learned,
    (comment, block): (&str, &str),
) -> Result<PathBuf, LearnError> {
    match learned {
        Learned::Question(question) => {
            let question: &VerifiedQuestion = question;
            Ok(questions::add(questions, QUESTIONS_FILE, std::slice::from_ref(question))?)
        }
        Learned::Glossary(_) | Learned::Note(_) => append(&knowledge.join(GLOSSARY_FILE), comment, block),
    }
}

fn append(file: &Path, comment: &str, block: &str) -> Result<PathBuf, LearnError> {
    let failed = |source| LearnError::File { file: file.to_owned(), source };
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let before = match crate::files::text_of(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        text => text.map_err(failed)?,
    };
    let gap = if before.trim().is_empty() { "" } else { "\n\n" };
    let after = format!("{}{gap}{comment}{}\n", before.trim_end(), block.trim_end());
    let counts = |text: &str| {
        let file: written::File = toml::from_str(text).ok()?;
        Some(file.glossary.len() + file.notes.len())
    };
    let grows = counts(&before).is_some_and(|count| counts(&after) == Some(count + 1));
    if !grows || after.len() as u64 > crate::files::MAX_BYTES {
        return Err(LearnError::Unreadable { file: file.to_owned() });
    }
    let part = file.with_extension("toml.part");
    std::fs::write(&part, after).and_then(|()| std::fs::rename(&part, file)).map_err(failed)?;
    Ok(file.to_owned())
}
