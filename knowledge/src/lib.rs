//! What the owner of a graph knows of it, read from a folder of files beside the configuration.
//!
//! ```text
//! knowledge/DATASET/*.toml ─► Knowledge ─► glossary · notes · hidden terms · boards · verified questions
//!                    ▲ accepted
//! corrections ─► proposals
//! ```
//! Files are made for git: one topic each, readable, checked as a whole before any of them is used. Uses the packs of
//! languages and the check of queries; knows nothing of indexes and models.

#![warn(clippy::indexing_slicing, clippy::string_slice)]

mod boards;
mod checked;
mod error;
mod files;
mod glossary;
mod hidden;
mod pattern;
pub mod proposals;
pub mod questions;
mod read;
pub mod test_set;
mod written;

pub use boards::{Board, MAX_BOARD_QUESTIONS};
pub use error::{KnowledgeError, Problem};
pub use glossary::{GlossaryEntry, MAX_PHRASE_WORDS, Meaning, TermKind};
pub use hidden::Hidden;
pub use pattern::{Pattern, THIS, VALUE};
pub use read::{Learned, Origin};

use std::path::{Path, PathBuf};

/// What the owner of a graph knows of it.
#[derive(Debug, Clone, Default)]
pub struct Knowledge {
    /// The words of the house, in the order of the files.
    pub glossary: Vec<GlossaryEntry>,
    /// Sentences about the graph, its classes and its properties.
    pub notes: Vec<Note>,
    /// What must not be seen.
    pub hidden: Hidden,
    /// Pages with several verified questions.
    pub boards: Vec<Board>,
    folder: Option<PathBuf>,
    stamp: u64,
}

/// A sentence about a graph, a class or a property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The sentence: one line.
    pub text: String,
    /// The IRI of the class or property; `None` for the graph.
    pub about: Option<String>,
    /// Where it is written.
    pub origin: Origin,
}

impl Knowledge {
    /// The folder that it was read from, if there is one.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.glossary.is_empty() && self.notes.is_empty() && self.hidden.is_empty() && self.boards.is_empty()
    }

    /// Identifies the content of the files when they were read.
    pub fn stamp(&self) -> u64 {
        self.stamp
    }

    /// Identifies the present content of the files, if it is other than what was read.
    pub fn changed(&self) -> Option<u64> {
        let now = files::stamp_of(self.folder.as_deref()?);
        (now != self.stamp).then_some(now)
    }

    /// The unit of a property's numbers.
    pub fn unit_of(&self, iri: &str) -> Option<&str> {
        self.glossary.iter().find_map(|entry| match &entry.meaning {
            Meaning::Unit { property, unit } if property == iri => Some(unit.as_str()),
            _ => None,
        })
    }

    /// The notes about a class or property, or about the graph.
    pub fn notes_about<'a>(&'a self, about: Option<&'a str>) -> impl Iterator<Item = &'a str> {
        let same = move |note: &&Note| note.about.as_deref() == about;
        self.notes.iter().filter(same).map(|note| note.text.as_str())
    }
}

#[cfg(test)]
mod tests;
