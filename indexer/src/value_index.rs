//! The value index: short literals found by their text, with the property that holds them. Writer and
//! reader side by side. Uses `lexical`.

use crate::extract::ValueRecord;
use crate::health::Alarm;
use crate::lexical::{
    LexicalError, NameDocument, NameIndex, NameIndexWriter, NameQuery, Named, PreparedDocument,
};
use eruca_language::is_function_word;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Version of the stored format; a change of it makes older indexes unreadable.
pub const VALUE_FORMAT: u32 = 5;

/// A literal value of a property, as stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PropertyValue {
    /// The property's IRI.
    pub property: String,
    /// The lexical form, exactly.
    pub text: String,
    /// The language tag; empty when there is none.
    pub language: String,
    /// The datatype's IRI.
    pub datatype: String,
    /// Triples with this property and value.
    pub count: u32,
    /// The most frequent class of the subjects.
    pub class: Option<String>,
}

impl Named for PropertyValue {
    fn names(&self) -> Vec<&str> {
        vec![&self.text]
    }

    fn uses(&self) -> u64 {
        u64::from(self.count)
    }
}

/// A value found, with the fit of its text.
#[derive(Debug, Clone, PartialEq)]
pub struct ValueHit {
    /// The value and its property.
    pub value: PropertyValue,
    /// The fit: 1 for all words, more for the very same text.
    pub score: f32,
}

/// Writes the value index.
pub struct ValueIndexWriter(NameIndexWriter);

impl ValueIndexWriter {
    /// Starts an index in `folder`.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn create(folder: &Path) -> Result<Self, LexicalError> {
        Ok(Self(NameIndexWriter::create(folder)?))
    }

    /// Makes a value ready to be added; needs no writer, so that threads can share the work.
    ///
    /// # Errors
    /// When it cannot be serialized.
    pub fn prepare(record: ValueRecord) -> Result<PreparedDocument, LexicalError> {
        let ValueRecord { property, text, language, datatype, count, class } = record;
        let value = PropertyValue { property, text, language, datatype, count, class };
        PreparedDocument::new(&NameDocument {
            id: format!("{}\n{}\n{}", value.property, value.text, value.language),
            text: None,
            filters: vec![value.property.clone()],
            payload: value,
        })
    }

    /// Adds a prepared value.
    ///
    /// # Errors
    /// When the index cannot be written.
    pub fn add(&mut self, value: PreparedDocument) -> Result<(), LexicalError> {
        self.0.push(value)
    }

    /// Ends the writing; returns the number of values.
    ///
    /// # Errors
    /// When the index cannot be written.
    pub fn finish(self) -> Result<u64, LexicalError> {
        self.0.finish()
    }
}

/// The value index, open for searching; `None` when it is empty.
pub struct ValueIndex(Option<NameIndex>);

impl ValueIndex {
    /// An index without values, for datasets whose names are looked up elsewhere.
    pub(crate) fn empty() -> Self {
        Self(None)
    }

    /// Opens the index in `folder`; searches that fail raise the alarm.
    ///
    /// # Errors
    /// When there is none or it is damaged.
    pub(crate) fn open(folder: &Path, alarm: &Alarm) -> Result<Self, LexicalError> {
        Ok(Self(Some(NameIndex::open(folder, alarm)?)))
    }

    /// Values in the index.
    pub fn len(&self) -> u64 {
        self.0.as_ref().map_or(0, NameIndex::len)
    }

    /// Whether the name of a value holds this very word, normalized.
    pub fn has_word(&self, word: &str) -> bool {
        self.0.as_ref().is_some_and(|index| index.has_word(word))
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Values whose text fits best, best first; only those of `property` if given.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn search(
        &self,
        text: &str,
        property: Option<&str>,
        limit: usize,
    ) -> Result<Vec<ValueHit>, LexicalError> {
        let query = NameQuery {
            filters: property.map(str::to_owned).into_iter().collect(),
            ignored: &is_function_word,
            ..NameQuery::new(text, limit)
        };
        self.run(&query)
    }

    /// Values that have all words in their text, as they are written, but for those that are `ignored`.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn search_strict(
        &self,
        text: &str,
        limit: usize,
        ignored: &(dyn Fn(&str) -> bool + Sync),
    ) -> Result<Vec<ValueHit>, LexicalError> {
        self.run(&NameQuery { strict: true, ignored, ..NameQuery::new(text, limit) })
    }

    fn run(&self, query: &NameQuery<'_>) -> Result<Vec<ValueHit>, LexicalError> {
        let Some(index) = &self.0 else { return Ok(Vec::new()) };
        let hits = index.search::<PropertyValue>(query)?;
        Ok(hits.into_iter().map(|hit| ValueHit { value: hit.payload, score: hit.score }).collect())
    }
}
