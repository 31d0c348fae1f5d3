//! Indexes of records found by name: the common form of the entity index and the value index. Writer and reader
//! are in one file, so that the stored format is defined once. Uses `lexical`.

use crate::health::IntegrityAlarm;
use crate::hidden::Hides;
use crate::lexical::{
    LexicalError, NameDocument, NameHit, NameIndex, NameIndexWriter, NameQuery, Named, PreparedDocument,
};
use eruca_language::is_function_word;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::marker::PhantomData;
use std::path::Path;

/// A record stored in an index.
pub trait Record: Named + Serialize + DeserializeOwned {
    /// Whether a search that finds few records with all words also returns those with some of them.
    const LENIENT: bool;

    /// The record with its key and its filter terms.
    fn document(self) -> NameDocument<Self>;

    /// The record without what is hidden of it; `None` if it is hidden itself.
    fn seen(self, hides: &Hides) -> Option<Self>;
}

/// Writes an index of records.
pub struct RecordIndexWriter<T> {
    names: NameIndexWriter,
    records: PhantomData<fn(T)>,
}

impl<T: Record> RecordIndexWriter<T> {
    /// Starts an index in `folder`.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn create(folder: &Path) -> Result<Self, LexicalError> {
        Ok(Self { names: NameIndexWriter::create(folder)?, records: PhantomData })
    }

    /// Prepares a record for adding; needs no writer, so that several threads can do it.
    ///
    /// # Errors
    /// When it cannot be serialized.
    pub fn prepare(record: T) -> Result<PreparedDocument, LexicalError> {
        PreparedDocument::new(&record.document())
    }

    /// Adds a prepared record.
    ///
    /// # Errors
    /// When the index cannot be written.
    pub fn add(&mut self, record: PreparedDocument) -> Result<(), LexicalError> {
        self.names.push(record)
    }

    /// Completes the index; returns the number of records.
    ///
    /// # Errors
    /// When the index cannot be written.
    pub fn finish(self) -> Result<u64, LexicalError> {
        self.names.finish()
    }
}

/// An index of records, open for searching.
pub struct RecordIndex<T> {
    /// `None` when there are no records.
    pub(crate) names: Option<NameIndex>,
    pub(crate) hides: Option<Hides>,
    records: PhantomData<fn() -> T>,
}

impl<T: Record> RecordIndex<T> {
    /// An index without records, for datasets whose names are looked up elsewhere.
    pub(crate) fn empty() -> Self {
        Self { names: None, hides: None, records: PhantomData }
    }

    /// Opens the index in `folder`; searches that fail raise the alarm.
    ///
    /// # Errors
    /// When there is none or it is damaged.
    pub(crate) fn open(folder: &Path, alarm: &IntegrityAlarm) -> Result<Self, LexicalError> {
        Ok(Self { names: Some(NameIndex::open(folder, alarm)?), hides: None, records: PhantomData })
    }

    /// Number of records in the index.
    pub fn len(&self) -> u64 {
        self.names.as_ref().map_or(0, NameIndex::len)
    }

    /// Whether there are no records.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the name of a record contains exactly this normalized word.
    pub fn has_word(&self, word: &str) -> bool {
        self.names.as_ref().is_some_and(|index| index.has_word(word))
    }

    /// The records whose names fit best, best first; only those with the filter if given: instances of a class, values of a
    /// property. If more than half of the hits would have the same name, longer names take most of the places.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn search(
        &self,
        text: &str,
        filter: Option<&str>,
        limit: usize,
    ) -> Result<Vec<NameHit<T>>, LexicalError> {
        self.run(&NameQuery { lenient: T::LENIENT, ..filtered(text, filter, limit) })
    }

    /// Records whose names contain all words as written, except those that are `ignored`.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn search_strict(
        &self,
        text: &str,
        limit: usize,
        ignored: &(dyn Fn(&str) -> bool + Sync),
    ) -> Result<Vec<NameHit<T>>, LexicalError> {
        self.run(&NameQuery { strict: true, ignored, ..NameQuery::new(text, limit) })
    }

    fn run(&self, query: &NameQuery<'_>) -> Result<Vec<NameHit<T>>, LexicalError> {
        let Some(index) = &self.names else { return Ok(Vec::new()) };
        let hits = index.search(query)?.into_iter();
        Ok(hits
            .filter_map(|NameHit { record, score }| Some(NameHit { record: self.seen(record)?, score }))
            .collect())
    }

    /// The records with a name or a word of a name that begins with the text, for suggestions during typing: matches at the start of
    /// a name first, then by prominence.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn complete(&self, text: &str, limit: usize) -> Result<Vec<T>, LexicalError> {
        self.all(|index| index.complete(text, limit))
    }

    /// What is found in the index, without what is hidden of it.
    pub(crate) fn all(
        &self,
        found: impl FnOnce(&NameIndex) -> Result<Vec<T>, LexicalError>,
    ) -> Result<Vec<T>, LexicalError> {
        let found = self.names.as_ref().map_or_else(|| Ok(Vec::new()), found)?;
        Ok(found.into_iter().filter_map(|record| self.seen(record)).collect())
    }

    /// The record without what is hidden of it; `None` if it is hidden itself.
    pub(crate) fn seen(&self, record: T) -> Option<T> {
        match &self.hides {
            Some(hides) => record.seen(hides),
            None => Some(record),
        }
    }
}

/// A search for some words among the records with a filter term.
pub(crate) fn filtered<'a>(text: &'a str, filter: Option<&str>, limit: usize) -> NameQuery<'a> {
    NameQuery {
        filters: filter.map(str::to_owned).into_iter().collect(),
        ignored: &is_function_word,
        ..NameQuery::new(text, limit)
    }
}
