//! Writes the index of passages.

use super::stems::{language_of, stems};
use super::{FIELDS, Passage, PassageSource, register_tokenizer, schema};
use crate::lexical::{BuildFolder, LexicalError};
use std::path::Path;
use tantivy::{Index, IndexSettings, IndexWriter, TantivyDocument};

/// Memory of the writer, in bytes; a segment is flushed when it is full.
const MEMORY_BYTES: usize = 64_000_000;

/// Writes passages into a new folder.
pub(super) struct TextWriter {
    writer: IndexWriter,
    passages: u64,
}

impl TextWriter {
    /// Starts an index in `folder`, which is created.
    pub(super) fn create(folder: &Path) -> Result<Self, LexicalError> {
        std::fs::create_dir_all(folder).map_err(tantivy::TantivyError::from)?;
        let index = Index::create(BuildFolder::open(folder)?, schema(), IndexSettings::default())?;
        register_tokenizer(&index);
        Ok(Self { writer: index.writer_with_num_threads(1, MEMORY_BYTES)?, passages: 0 })
    }

    /// Adds a passage.
    pub(super) fn add(&mut self, passage: &Passage) -> Result<(), LexicalError> {
        let mut document = TantivyDocument::default();
        document.add_text(FIELDS.text, &passage.text);
        document.add_text(FIELDS.title, &passage.heading);
        if let PassageSource::Document { title, .. } = &passage.source {
            document.add_text(FIELDS.title, title);
        }
        let language = language_of(passage);
        document.add_text(FIELDS.stems, stems(&passage.text, language));
        document.add_text(FIELDS.stems, stems(&passage.heading, language));
        for thing in &passage.things {
            document.add_text(FIELDS.thing, thing);
        }
        document.add_bytes(FIELDS.passage, &serde_json::to_vec(passage)?);
        self.writer.add_document(document)?;
        self.passages += 1;
        Ok(())
    }

    /// Number of passages so far.
    pub(super) fn passages(&self) -> u64 {
        self.passages
    }

    /// Completes the index and syncs it to disk.
    pub(super) fn finish(mut self) -> Result<(), LexicalError> {
        self.writer.commit()?;
        Ok(self.writer.wait_merging_threads()?)
    }
}
