//! Indexes of records found by name: the common form of the entity index and the value index. Writer and reader
//! are in one file, so that the stored format is defined once. The names are in a folder or in a server. Uses `lexical`.

use crate::health::IntegrityAlarm;
use crate::hidden::Hides;
use crate::lexical::{
    LexicalError, NameDocument, NameHit, NameIndex, NameIndexWriter, NameQuery, Named, NamesUpload,
    OpenNames, Part, PreparedDocument, RemoteNames, RemoteNamesWriter,
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

    /// Which part of an index the records are.
    const PART: Part;

    /// The record with its key and its filter terms.
    fn document(self) -> NameDocument<Self>;

    /// The record without what is hidden of it; `None` if it is hidden itself.
    fn seen(self, hides: &Hides) -> Option<Self>;
}

/// Where records are written to.
#[derive(Clone, Copy)]
pub(crate) enum RecordTarget<'a> {
    /// A folder.
    Folder(&'a Path),
    /// A new collection in a Qdrant server; the words of names go to a file instead, if one is named.
    Server(&'a NamesUpload, Option<&'a Path>),
}

/// Writes an index of records.
pub struct RecordIndexWriter<'a, T> {
    names: NamesWriter<'a>,
    records: PhantomData<fn(T)>,
}

enum NamesWriter<'a> {
    Folder(Box<NameIndexWriter>),
    Server(RemoteNamesWriter<'a>),
}

impl<'a, T: Record> RecordIndexWriter<'a, T> {
    /// Starts an index.
    ///
    /// # Errors
    /// When its folder cannot be written.
    pub(crate) fn create(target: RecordTarget<'a>) -> Result<Self, LexicalError> {
        let names = match target {
            RecordTarget::Folder(folder) => NamesWriter::Folder(Box::new(NameIndexWriter::create(folder)?)),
            RecordTarget::Server(upload, words) => {
                NamesWriter::Server(RemoteNamesWriter::new(upload, T::PART, words))
            }
        };
        Ok(Self { names, records: PhantomData })
    }

    /// Prepares a record for adding; needs no writer, so that several threads can do it.
    ///
    /// # Errors
    /// When it cannot be serialized.
    pub fn prepare(record: T) -> Result<PreparedDocument, LexicalError> {
        PreparedDocument::new(record.document())
    }

    /// Adds a prepared record.
    ///
    /// # Errors
    /// When the index cannot be written.
    pub fn add(&mut self, record: PreparedDocument) -> Result<(), LexicalError> {
        match &mut self.names {
            NamesWriter::Folder(names) => names.push(&record),
            NamesWriter::Server(names) => names.push(&record),
        }
    }

    /// Completes the index; returns the number of records.
    ///
    /// # Errors
    /// When the index cannot be written.
    pub fn finish(self) -> Result<u64, LexicalError> {
        match self.names {
            NamesWriter::Folder(names) => names.finish(),
            NamesWriter::Server(names) => names.finish(),
        }
    }
}

/// An index of records, open for searching.
pub struct RecordIndex<T> {
    names: Names,
    pub(crate) hides: Option<Hides>,
    records: PhantomData<fn() -> T>,
}

/// Where the names of records are.
enum Names {
    /// Nowhere: there are no records.
    None,
    Folder(NameIndex),
    Server(RemoteNames),
}

impl<T: Record> RecordIndex<T> {
    /// An index without records, for datasets whose names are looked up elsewhere.
    pub(crate) fn empty() -> Self {
        Self::of(Names::None)
    }

    /// Opens the index in `folder`; searches that fail raise the alarm.
    ///
    /// # Errors
    /// When there is none or it is damaged.
    pub(crate) fn open(folder: &Path, alarm: &IntegrityAlarm) -> Result<Self, LexicalError> {
        Ok(Self::of(Names::Folder(NameIndex::open(folder, alarm)?)))
    }

    /// The index of so many records in a Qdrant server.
    pub(crate) fn in_server(server: &OpenNames, records: u64) -> Self {
        Self::of(Names::Server(server.part(T::PART, records)))
    }

    fn of(names: Names) -> Self {
        Self { names, hides: None, records: PhantomData }
    }

    /// Number of records in the index.
    pub fn len(&self) -> u64 {
        match &self.names {
            Names::None => 0,
            Names::Folder(names) => names.len(),
            Names::Server(names) => names.len(),
        }
    }

    /// Whether there are no records.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the name of a record contains exactly this normalized word.
    pub fn has_word(&self, word: &str) -> bool {
        match &self.names {
            Names::None => false,
            Names::Folder(names) => names.has_word(word),
            Names::Server(names) => names.has_word(word),
        }
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
        let hits = match &self.names {
            Names::None => Vec::new(),
            Names::Folder(names) => names.search(query)?,
            Names::Server(names) => names.search(query)?,
        };
        let seen = |NameHit { record, score }| Some(NameHit { record: self.seen(record)?, score });
        Ok(hits.into_iter().filter_map(seen).collect())
    }

    /// The records with a name or a word of a name that begins with the text, for suggestions during typing: matches at the start of
    /// a name first, then by prominence.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn complete(&self, text: &str, limit: usize) -> Result<Vec<T>, LexicalError> {
        Ok(self.all_seen(match &self.names {
            Names::None => Vec::new(),
            Names::Folder(names) => names.complete(text, limit)?,
            Names::Server(names) => names.complete(text, limit)?,
        }))
    }

    /// The most prominent records with a filter term.
    pub(crate) fn best_with(&self, filter: &str, limit: usize) -> Result<Vec<T>, LexicalError> {
        Ok(self.all_seen(match &self.names {
            Names::None => Vec::new(),
            Names::Folder(names) => names.best_with(filter, limit)?,
            Names::Server(names) => names.best_with(filter, limit)?,
        }))
    }

    /// The record with this id.
    pub(crate) fn with_id(&self, id: &str) -> Result<Option<T>, LexicalError> {
        let found: Option<T> = match &self.names {
            Names::None => None,
            Names::Folder(names) => names.get(id)?,
            Names::Server(names) => names.get(id)?,
        };
        Ok(found.and_then(|record| self.seen(record)))
    }

    /// How many records have a name with the same words as the query, regardless of its limit.
    pub(crate) fn same_names(&self, query: &NameQuery<'_>) -> Result<usize, LexicalError> {
        match &self.names {
            Names::None => Ok(0),
            Names::Folder(names) => names.namesakes(query),
            Names::Server(names) => names.namesakes(query),
        }
    }

    fn all_seen(&self, found: Vec<T>) -> Vec<T> {
        found.into_iter().filter_map(|record| self.seen(record)).collect()
    }

    /// The record without what is hidden of it; `None` if it is hidden itself.
    fn seen(&self, record: T) -> Option<T> {
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
