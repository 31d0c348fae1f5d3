//! Writes an index of names: documents are prepared by several threads and added in order.

use super::build_folder::BuildFolder;
use super::names::{encode_each, word_set};
use super::priors::Priors;
use super::rows::{self, RowWriter};
use super::terms::Terms;
use super::{FIELDS, LexicalError, NameDocument, Named, register_tokenizers, schema};
use serde::Serialize;
use std::path::{Path, PathBuf};
use tantivy::store::Compressor;
use tantivy::{Index, IndexSettings, IndexWriter, TantivyDocument};

/// Memory per thread of the writer, in bytes; a segment is flushed when it is full.
const THREAD_MEMORY_BYTES: usize = 100_000_000;
/// Maximum number of threads; more would create more segments, which every search must visit.
const MAX_THREADS: usize = 4;

/// Writes an index of names into a new folder.
pub struct NameIndexWriter {
    writer: IndexWriter,
    rows: RowWriter,
    folder: PathBuf,
}

/// A document ready to be written, wherever names are kept.
pub struct PreparedDocument {
    /// Unique key.
    pub(super) id: String,
    /// The encoded names, each once.
    pub(super) names: Vec<String>,
    /// Prose about it.
    pub(super) text: Option<String>,
    /// Exact terms for filters.
    pub(super) filters: Vec<String>,
    pub(super) uses: u64,
    /// The query-independent score.
    pub(super) prior: f64,
    /// The record as JSON.
    pub(super) payload: Vec<u8>,
}

impl PreparedDocument {
    /// Tokenizes and serializes a document; needs no writer, so that several threads can do it.
    ///
    /// # Errors
    /// When the payload cannot be serialized.
    pub fn new<P: Serialize + Named>(document: NameDocument<P>) -> Result<Self, LexicalError> {
        let NameDocument { id, filters, record } = document;
        let names = encode_each(record.names());
        let (uses, prior, payload) = (record.uses(), prior(&record), serde_json::to_vec(&record)?);
        let text = record.prose().map(str::to_owned);
        Ok(Self { id, names, text, filters, uses, prior, payload })
    }

    /// Sorts documents written in sequence by prior: a search for a frequent word finds the first ones first.
    pub fn sort(documents: &mut [Self]) {
        documents.sort_by(|a, b| b.prior.total_cmp(&a.prior));
    }
}

impl NameIndexWriter {
    /// Starts an index in `folder`, which is created.
    ///
    /// # Errors
    /// When the folder cannot be written or already holds an index.
    pub fn create(folder: &Path) -> Result<Self, LexicalError> {
        std::fs::create_dir_all(folder).map_err(tantivy::TantivyError::from)?;
        // Tantivy stores nothing: payloads are in the rows.
        let settings = IndexSettings {
            docstore_compression: Compressor::None,
            docstore_compress_dedicated_thread: false,
            ..IndexSettings::default()
        };
        let index = Index::create(BuildFolder::open(folder)?, schema(), settings)?;
        register_tokenizers(&index);
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS);
        let writer = index.writer_with_num_threads(threads, threads * THREAD_MEMORY_BYTES)?;
        let rows = RowWriter::create(folder).map_err(tantivy::TantivyError::from)?;
        Ok(Self { writer, rows, folder: folder.to_owned() })
    }

    /// Adds a document.
    ///
    /// # Errors
    /// When the writer's threads have failed (disk full) or the payload cannot be serialized.
    pub fn add<P: Serialize + Named>(&mut self, document: NameDocument<P>) -> Result<(), LexicalError> {
        self.push(&PreparedDocument::new(document)?)
    }

    /// Adds a prepared document.
    ///
    /// # Errors
    /// When the writer's threads have failed (disk full).
    pub fn push(&mut self, prepared: &PreparedDocument) -> Result<(), LexicalError> {
        let row = rows::encode(&prepared.names, prepared.uses, &prepared.payload);
        let mut document = indexed(prepared);
        document.add_u64(FIELDS.row, self.rows.push(&row).map_err(tantivy::TantivyError::from)?);
        self.writer.add_document(document)?;
        Ok(())
    }

    /// Completes the index and syncs it to disk; returns the number of documents.
    ///
    /// # Errors
    /// When the disk cannot be written.
    pub fn finish(mut self) -> Result<u64, LexicalError> {
        let documents = self.rows.finish().map_err(tantivy::TantivyError::from)?;
        self.writer.commit()?;
        let index = self.writer.index().clone();
        self.writer.wait_merging_threads()?;
        Terms::write(&self.folder, &index)?;
        Priors::write(&self.folder, &index)?;
        Ok(documents)
    }
}

/// What Tantivy indexes of a document.
fn indexed(prepared: &PreparedDocument) -> TantivyDocument {
    let mut document = TantivyDocument::default();
    document.add_text(FIELDS.id, &prepared.id);
    for name in &prepared.names {
        document.add_text(FIELDS.name, name);
        document.add_text(FIELDS.words, word_set(name));
    }
    if let Some(text) = &prepared.text {
        document.add_text(FIELDS.text, text);
    }
    for filter in &prepared.filters {
        document.add_text(FIELDS.filter, filter);
    }
    document.add_f64(FIELDS.prior, prepared.prior);
    document
}

/// A document's query-independent score: slightly higher for popular ones and short names.
fn prior(payload: &impl Named) -> f64 {
    let words = payload.names().first().map_or(1, |name| name.split_whitespace().count());
    1.0 + 0.02 * ((1 + payload.uses()) as f64).log2() - 0.04 * words.min(10) as f64
}
