//! The configured texts, and whether they are still those of an index.

use super::TEXTS_FORMAT;
use super::vectors::TextVectorsStamp;
use crate::origin::{BuiltFrom, SourceFile};
use crate::source::{SourceError, expand_documents};
use eruca_documents::Reader;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::PathBuf;

/// The texts of a dataset, as configured.
#[derive(Debug, Clone)]
pub struct TextSources {
    /// Paths and globs of documents.
    pub files: Vec<PathBuf>,
    /// A file that says which documents are about which things: a line each with the name of a file, a tab, and an IRI or a
    /// name.
    pub mapping: Option<PathBuf>,
    /// Literals of at least so many characters are texts; none if 0.
    pub literals_from: usize,
    /// Reads the documents.
    pub reader: Reader,
    /// Whether passages get vectors, where there is an embedding model.
    pub vectors: bool,
}

impl Default for TextSources {
    fn default() -> Self {
        Self { files: Vec::new(), mapping: None, literals_from: 0, reader: Reader::default(), vectors: true }
    }
}

impl TextSources {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.literals_from == 0
    }
}

/// The texts of an index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextsStamp {
    /// The format of the index of passages.
    pub format: u32,
    /// The documents and the mapping.
    pub files: Vec<SourceFile>,
    /// The configured length of literals.
    pub literals_from: usize,
    /// Documents read.
    pub documents: u64,
    /// Passages indexed.
    pub passages: u64,
    /// Their vectors, if they have any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vectors: Option<TextVectorsStamp>,
    /// Whether vectors were left out because the passages are too many.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub vectors_left_out: bool,
}

impl TextsStamp {
    /// Of the documents that were read, and the mapping.
    pub(super) fn of(
        sources: &TextSources,
        read: &[PathBuf],
        documents: u64,
        passages: u64,
    ) -> io::Result<Self> {
        let files = read.iter().chain(&sources.mapping);
        Ok(Self {
            format: TEXTS_FORMAT,
            files: files.map(|file| SourceFile::of(file)).collect::<io::Result<_>>()?,
            literals_from: sources.literals_from,
            documents,
            passages,
            vectors: None,
            vectors_left_out: false,
        })
    }

    /// How the configured texts differ from those that an index was built from; `None` if they do not. `embeds` says whether
    /// an embedding model is configured.
    pub fn differs(built: Option<&Self>, sources: &TextSources, embeds: bool) -> Option<String> {
        let Some(built) = built else {
            return (!sources.is_empty()).then(|| "it was built without the texts".to_owned());
        };
        if sources.is_empty() {
            return Some("it was built with texts that are no longer configured".to_owned());
        }
        if built.literals_from != sources.literals_from {
            return Some("it was built with another length of literals that are texts".to_owned());
        }
        if let Some(other) = built.other_vectors(sources.vectors).filter(|_| embeds) {
            return Some(other.to_owned());
        }
        BuiltFrom::Files(built.files.clone()).differs_from_files(&files(sources).ok()?)
    }

    fn other_vectors(&self, wanted: bool) -> Option<&'static str> {
        match (&self.vectors, wanted) {
            (Some(_), false) => Some("it was built with vectors of the texts, which are switched off"),
            (None, true) if self.passages > 0 && !self.vectors_left_out => {
                Some("it was built without vectors of the texts")
            }
            _ => None,
        }
    }
}

/// The documents and the mapping.
fn files(sources: &TextSources) -> Result<Vec<PathBuf>, SourceError> {
    let mut files = if sources.files.is_empty() { Vec::new() } else { expand_documents(&sources.files)? };
    files.extend(sources.mapping.clone());
    Ok(files)
}
