//! Writes the names of a part into a collection: documents as they come, then their words.

use super::part::Part;
use super::points;
use super::upload::NamesUpload;
use crate::lexical::LexicalError;
use crate::lexical::writer::PreparedDocument;
use qdrant_client::qdrant::PointStruct;
use rustc_hash::FxHashMap;

/// Points sent in one call.
const BATCH: usize = 512;
/// Bytes of records after which a call is full.
const BATCH_BYTES: usize = 2 << 20;

/// Writes the names of a part.
pub(crate) struct RemoteNamesWriter<'a> {
    upload: &'a NamesUpload,
    part: Part,
    batch: Vec<PointStruct>,
    bytes: usize,
    /// The number of documents of each word.
    words: FxHashMap<String, u64>,
    documents: u64,
}

impl<'a> RemoteNamesWriter<'a> {
    /// Starts a part of a collection.
    pub(crate) fn new(upload: &'a NamesUpload, part: Part) -> Self {
        Self { upload, part, batch: Vec::new(), bytes: 0, words: FxHashMap::default(), documents: 0 }
    }

    /// Adds a document.
    ///
    /// # Errors
    /// When the server has refused documents.
    pub(crate) fn push(&mut self, document: &PreparedDocument) -> Result<(), LexicalError> {
        for word in points::words(document) {
            match self.words.get_mut(word) {
                Some(documents) => *documents += 1,
                None => drop(self.words.insert(word.to_owned(), 1)),
            }
        }
        self.documents += 1;
        self.send(points::document(self.part, document), document.payload.len())
    }

    /// Completes the part, and waits until it is stored; returns the number of documents.
    ///
    /// # Errors
    /// When the server has refused documents.
    pub(crate) fn finish(mut self) -> Result<u64, LexicalError> {
        for (word, documents) in std::mem::take(&mut self.words) {
            self.send(points::word(self.part, &word, documents), word.len())?;
        }
        self.upload.send(std::mem::take(&mut self.batch))?;
        self.upload.finish()?;
        Ok(self.documents)
    }

    fn send(&mut self, point: PointStruct, bytes: usize) -> Result<(), LexicalError> {
        self.batch.push(point);
        self.bytes += bytes;
        if self.batch.len() >= BATCH || self.bytes >= BATCH_BYTES {
            self.bytes = 0;
            self.upload.send(std::mem::take(&mut self.batch))?;
        }
        Ok(())
    }
}
