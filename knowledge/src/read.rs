//! From the files of a folder to what they say; every mistake is told, with its place.

use crate::checked::Checked;
use crate::questions::{VerifiedQuestion, parse_one};
use crate::{Board, GlossaryEntry, Knowledge, KnowledgeError, Note, Problem, files, written};
use eruca_sparql::Prefixes;
use serde::de::DeserializeOwned;
use std::fmt;
use std::path::Path;
use toml::{Spanned, Value};

pub(crate) use crate::checked::{MAX_NOTE_CHARS, MAX_VALUE_CHARS, MAX_WORD_CHARS, checked_phrase};

/// Maximum number of entries of the glossary, of notes, of hidden terms, and of boards.
const MAX_ENTRIES: usize = 5_000;
const MAX_NOTES: usize = 1_000;
const MAX_HIDDEN: usize = 10_000;
const MAX_BOARDS: usize = 200;

/// The place of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The name of the file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} line {}", self.file, self.line)
    }
}

impl Knowledge {
    /// Reads the files of a folder, merged. A folder that does not exist has none. The prefixes are those that prefixed
    /// names may use.
    ///
    /// # Errors
    /// All that is wrong in the files.
    pub fn read(folder: &Path, prefixes: &Prefixes) -> Result<Self, KnowledgeError> {
        let mut problems = Vec::new();
        let texts = files::texts(folder, &mut problems);
        let stamp = files::stamp(&texts, &problems);
        let mut reader = Reader { prefixes, known: Self::default(), problems };
        texts.iter().for_each(|(file, text)| reader.file(file, text));
        reader.bound(folder);
        match reader.problems.is_empty() {
            true => Ok(Self { folder: Some(folder.to_owned()), stamp, ..reader.known }),
            false => Err(KnowledgeError { folder: folder.to_owned(), problems: reader.problems }),
        }
    }
}

/// One entry of the owner's files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Learned {
    /// An entry of the glossary.
    Glossary(Box<GlossaryEntry>),
    /// A note.
    Note(Note),
    /// A verified question.
    Question(Box<VerifiedQuestion>),
}

impl Learned {
    /// Reads the only entry of a text in TOML.
    ///
    /// # Errors
    /// What is wrong and what to do, as a part of a sentence.
    pub fn read(text: &str, prefixes: &Prefixes) -> Result<Self, String> {
        if text.len() as u64 > files::MAX_BYTES {
            return Err(format!("must have at most {} bytes", files::MAX_BYTES));
        }
        if text.lines().any(|line| line.trim_start().starts_with("[[questions]]")) {
            return parse_one(text).map(|question| Self::Question(Box::new(question)));
        }
        let read: written::File = toml::from_str(text).map_err(|error| error.message().to_owned())?;
        let (checked, origin) = (Checked { prefixes }, Origin { file: String::new(), line: 1 });
        let typed = |error: toml::de::Error| error.message().to_owned();
        match (read.glossary.as_slice(), read.notes.as_slice(), read.hidden) {
            ([entry], [], None) => {
                let entry = entry.get_ref().clone().try_into().map_err(typed)?;
                Ok(Self::Glossary(Box::new(checked.glossary(entry, origin)?)))
            }
            ([], [note], None) => {
                let note = note.get_ref().clone().try_into().map_err(typed)?;
                Ok(Self::Note(checked.note(note, origin)?))
            }
            _ => Err("must be exactly one entry of [[glossary]], [[notes]] or [[questions]]".to_owned()),
        }
    }
}

struct Reader<'a> {
    prefixes: &'a Prefixes,
    known: Knowledge,
    problems: Vec<Problem>,
}

impl Reader<'_> {
    fn file(&mut self, file: &str, text: &str) {
        let read: written::File = match toml::from_str(text) {
            Ok(read) => read,
            Err(error) => {
                let place = error
                    .span()
                    .map_or_else(|| file.to_owned(), |span| origin(file, text, span.start).to_string());
                return self.problems.push(Problem { place, message: error.message().to_owned() });
            }
        };
        let at = |entry: &Spanned<Value>| origin(file, text, entry.span().start);
        for entry in read.glossary {
            let origin = at(&entry);
            self.entry(entry, origin, |checked, entry, known, origin| {
                known.glossary.push(checked.glossary(entry, origin)?);
                Ok(())
            });
        }
        for note in read.notes {
            let origin = at(&note);
            self.entry(note, origin, |checked, note, known, origin| {
                known.notes.push(checked.note(note, origin)?);
                Ok(())
            });
        }
        for board in read.boards {
            let origin = at(&board);
            self.entry(board, origin, |_, board, known, origin| {
                known.boards.push(Board::read(board, origin, &known.boards)?);
                Ok(())
            });
        }
        if let Some(hidden) = read.hidden {
            let origin = at(&hidden);
            self.entry(hidden, origin, |checked, hidden, known, _| checked.hide(hidden, &mut known.hidden));
        }
    }

    fn entry<T: DeserializeOwned>(
        &mut self,
        entry: Spanned<Value>,
        origin: Origin,
        take: impl FnOnce(Checked<'_>, T, &mut Knowledge, Origin) -> Result<(), String>,
    ) {
        let place = origin.to_string();
        let read = entry.into_inner().try_into().map_err(|error| error.message().to_owned());
        let checked = Checked { prefixes: self.prefixes };
        let taken = read.and_then(|entry: T| take(checked, entry, &mut self.known, origin));
        self.problems.extend(taken.err().map(|message| Problem { place, message }));
    }

    fn bound(&mut self, folder: &Path) {
        let counts = [
            ("entries of the glossary", self.known.glossary.len(), MAX_ENTRIES),
            ("notes", self.known.notes.len(), MAX_NOTES),
            ("hidden terms", self.known.hidden.count(), MAX_HIDDEN),
            ("boards", self.known.boards.len(), MAX_BOARDS),
        ];
        for (what, count, most) in counts.into_iter().filter(|(_, count, most)| count > most) {
            let message = format!("has {count} {what}; at most {most} are read");
            self.problems.push(Problem { place: folder.display().to_string(), message });
        }
    }
}

fn origin(file: &str, text: &str, start: usize) -> Origin {
    let breaks = text.bytes().take(start).filter(|byte| *byte == b'\n').count();
    Origin { file: file.to_owned(), line: breaks + 1 }
}
