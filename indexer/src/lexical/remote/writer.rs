//! Writes the names of a part into a collection: documents as they come, then their words.

use super::part::Part;
use super::points;
use super::upload::NamesUpload;
use super::word_files::{self, WordFiles};
use crate::lexical::LexicalError;
use crate::lexical::writer::PreparedDocument;
use qdrant_client::qdrant::PointStruct;
use rustc_hash::FxHashMap;
use std::path::Path;

/// Points sent in one call.
const BATCH: usize = 512;
/// Bytes of records after which a call is full.
const BATCH_BYTES: usize = 2 << 20;

/// Writes the names of a part.
pub(crate) struct RemoteNamesWriter<'a> {
    upload: &'a NamesUpload,
    part: Part,
    /// The file for the words, if they are not to be sent.
    words_to: Option<&'a Path>,
    batch: Vec<PointStruct>,
    bytes: usize,
    /// The number of documents of each word.
    words: FxHashMap<String, u64>,
    documents: u64,
}

impl<'a> RemoteNamesWriter<'a> {
    /// Starts a part of a collection.
    pub(crate) fn new(upload: &'a NamesUpload, part: Part, words_to: Option<&'a Path>) -> Self {
        let (batch, words) = (Vec::new(), FxHashMap::default());
        Self { upload, part, words_to, batch, bytes: 0, words, documents: 0 }
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
        let words = std::mem::take(&mut self.words);
        if let Some(path) = self.words_to {
            word_files::write(path, &words)?;
        } else {
            words.iter().try_for_each(|(word, documents)| self.send_word(word, *documents))?;
        }
        self.upload.send(std::mem::take(&mut self.batch))?;
        self.upload.finish()?;
        Ok(self.documents)
    }

    /// Sends the words of a part from the files of several shares, and waits until they are stored.
    ///
    /// # Errors
    /// When a file cannot be read, or the server has refused words.
    pub(crate) fn send_words(
        upload: &'a NamesUpload,
        part: Part,
        shares: &[WordFiles],
    ) -> Result<(), LexicalError> {
        let mut writer = Self::new(upload, part, None);
        WordFiles::merge(shares, part, &mut |word, documents| writer.send_word(word, documents))?;
        writer.finish().map(drop)
    }

    fn send_word(&mut self, word: &str, documents: u64) -> Result<(), LexicalError> {
        self.send(points::word(self.part, word, documents), word.len())
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
