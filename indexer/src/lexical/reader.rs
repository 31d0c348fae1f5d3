//! The files of an index that find documents, open together: Tantivy's postings, the words, the priors. Also the statistics
//! for BM25, with one look-up per word instead of one per segment.

use super::priors::Priors;
use super::read_folder::ReadFolder;
use super::terms::Terms;
use super::words::Words;
use super::{FIELDS, LexicalError, register_tokenizers};
use std::path::Path;
use tantivy::query::Bm25StatisticsProvider;
use tantivy::schema::Field;
use tantivy::{Index, IndexReader, ReloadPolicy, Searcher, Term};

/// The parts of an index that find documents.
pub(super) struct DocumentReader {
    pub(super) searcher: Searcher,
    pub(super) terms: Terms,
    pub(super) priors: Priors,
    /// Number of words in all names.
    name_words: u64,
}

impl DocumentReader {
    /// Opens the index in `folder`.
    pub(super) fn open(folder: &Path) -> Result<Self, LexicalError> {
        let index = Index::open(ReadFolder::open(folder)?)?;
        register_tokenizers(&index);
        let reader: IndexReader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
        let searcher = reader.searcher();
        let (terms, priors) = (Terms::open(folder)?, Priors::open(folder, &searcher)?);
        let name_words = searcher.total_num_tokens(FIELDS.name)?;
        Ok(Self { searcher, terms, priors, name_words })
    }

    /// Number of documents in the index.
    pub(super) fn documents(&self) -> u64 {
        self.searcher.num_docs()
    }

    /// Average number of words in the names of a document.
    pub(super) fn words_per_document(&self) -> f32 {
        self.name_words as f32 / self.documents() as f32
    }
}

impl Bm25StatisticsProvider for DocumentReader {
    fn total_num_tokens(&self, field: Field) -> tantivy::Result<u64> {
        if field == FIELDS.name { Ok(self.name_words) } else { self.searcher.total_num_tokens(field) }
    }

    fn total_num_docs(&self) -> tantivy::Result<u64> {
        Ok(self.documents())
    }

    fn doc_freq(&self, term: &Term) -> tantivy::Result<u64> {
        match term.value().as_str().filter(|_| term.field() == FIELDS.name) {
            Some(word) => Ok(self.terms.documents(word)),
            None => self.searcher.doc_freq(term),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexical::sample::write;

    #[test]
    fn statistics_are_those_of_the_segments() {
        let folder = tempfile::tempdir().unwrap();
        let things = ["two words", "two more words", "Straße"].map(|name| (name.to_owned(), 0));
        write(folder.path(), &things, Some("prose of two"));
        let reader = DocumentReader::open(folder.path()).unwrap();
        assert_eq!(reader.documents(), 3);
        for field in [FIELDS.name, FIELDS.text] {
            let tokens = reader.searcher.total_num_tokens(field).unwrap();
            assert_eq!(reader.total_num_tokens(field).unwrap(), tokens);
            for word in ["two", "more", "straße", "strasse", "prose", "unknown"] {
                let term = Term::from_field_text(field, word);
                let documents = reader.searcher.doc_freq(&term).unwrap();
                assert_eq!(reader.doc_freq(&term).unwrap(), documents, "{word}");
            }
        }
    }
}
