//! Searches an index of names: stages that find candidates, from strict to loose, until there are enough.

use super::collect::Search;
use super::expand::Reach;
use super::names::word_set;
use super::plan::{NameQuery, SearchPlan};
use super::query::Prose;
use super::rank::{self, FoundDocument, RankEvidence, has_words, told_by_spelling};
use super::reader::DocumentReader;
use super::respell::respellings;
use super::rows::StoredRows;
use super::similarity::SearchedText;
use super::words::Words;
use super::{FIELDS, LexicalError, NameHit, Named, ROW};
use crate::health::IntegrityAlarm;
use rustc_hash::FxHashSet;
use serde::de::DeserializeOwned;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use tantivy::collector::{Count, TopDocs};
use tantivy::columnar::Column;
use tantivy::query::{Query, TermQuery};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocAddress, Term};

/// Minimum number of candidates that a stage may add.
pub(super) const MIN_POOL: usize = 150;
/// From this score on, a name is likely to be the right one, so no other ways to split the words are tried.
pub(super) const GOOD_SCORE: f32 = 0.8;
/// The score of an identical name; only [`super::similarity`]'s bonus for function words exceeds it.
pub(super) const SAME_NAME_SCORE: f32 = 1.249;
/// Factor for documents found by splitting the words in another way.
pub(super) const RESPELT_WEIGHT: f32 = 0.95;

/// An index of names, open for searching. Cheap to share; searches can run concurrently.
pub struct NameIndex {
    pub(super) reader: DocumentReader,
    rows: StoredRows,
    /// The row of each document, per segment.
    row_of: Vec<Column<u64>>,
    folder: PathBuf,
    alarm: IntegrityAlarm,
}

impl NameIndex {
    /// Opens the index in `folder`; searches that fail raise the alarm.
    ///
    /// # Errors
    /// When there is none or its files are damaged.
    pub fn open(folder: &Path, alarm: &IntegrityAlarm) -> Result<Self, LexicalError> {
        alarm.guard(panicked_in(folder), || Self::open_in(folder, alarm))
    }

    fn open_in(folder: &Path, alarm: &IntegrityAlarm) -> Result<Self, LexicalError> {
        let (reader, rows) = (DocumentReader::open(folder)?, StoredRows::open(folder)?);
        if rows.len() != reader.documents() {
            return Err(LexicalError::Damaged { folder: folder.to_owned() });
        }
        let segments = reader.searcher.segment_readers().iter();
        let row_of = segments.map(|segment| segment.fast_fields().u64(ROW)).collect::<Result<_, _>>()?;
        Ok(Self { reader, rows, row_of, folder: folder.to_owned(), alarm: alarm.clone() })
    }

    /// Number of documents in the index.
    pub fn len(&self) -> u64 {
        self.rows.len()
    }

    /// Whether a name contains exactly this normalized word.
    pub(crate) fn has_word(&self, word: &str) -> bool {
        self.reader.terms.documents(word) > 0
    }

    /// The payload of the document with this id.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn get<P: DeserializeOwned>(&self, id: &str) -> Result<Option<P>, LexicalError> {
        let query = TermQuery::new(Term::from_field_text(FIELDS.id, id), IndexRecordOption::Basic);
        self.guarded(|| {
            let found = self.reader.searcher.search(&query, &TopDocs::with_limit(1).order_by_score())?;
            let row = found.first().and_then(|(_, address)| self.row(*address));
            row.map(|row| self.payload(row)).transpose()
        })
    }

    /// The documents whose names fit best, best first.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn search<P: DeserializeOwned + Named>(
        &self,
        query: &NameQuery<'_>,
    ) -> Result<Vec<NameHit<P>>, LexicalError> {
        self.guarded(|| {
            let found = self.candidates(query)?;
            let stored: Stored<'_, P> =
                Stored { index: self, spelling: told_by_spelling(query.text), payload: PhantomData };
            let hits = rank::best(&found, query.limit, &stored)?.into_iter();
            hits.map(|hit| Ok(NameHit { record: self.payload(hit.row)?, score: hit.score })).collect()
        })
    }

    /// How many documents have a name with the same words as the query, regardless of its limit.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn namesakes(&self, query: &NameQuery<'_>) -> Result<usize, LexicalError> {
        self.guarded(|| {
            let Some(plan) = SearchPlan::new(&self.reader.terms, self.len(), query) else { return Ok(0) };
            Ok(self.reader.searcher.search(plan.same_words().as_ref(), &Count)?)
        })
    }

    pub(super) fn guarded<T>(
        &self,
        work: impl FnOnce() -> Result<T, LexicalError>,
    ) -> Result<T, LexicalError> {
        self.alarm.guard(panicked_in(&self.folder), work)
    }

    pub(super) fn payload<P: DeserializeOwned>(&self, row: u64) -> Result<P, LexicalError> {
        Ok(serde_json::from_slice(self.rows.get(row)?.payload)?)
    }

    fn candidates(&self, query: &NameQuery<'_>) -> Result<Vec<FoundDocument<'_>>, LexicalError> {
        let Some(mut plan) = SearchPlan::new(&self.reader.terms, self.len(), query) else {
            return Ok(Vec::new());
        };
        let limit = query.limit;
        let mut found = Pool::new(self, MIN_POOL.max(limit * 4), plan.asked());
        found.add(plan.same_words().as_ref(), || 1.0)?;
        let same = found.at_least(SAME_NAME_SCORE);
        if query.lenient && same > limit / 2 {
            found.add_of(&plan, plan.all_words_and_more().as_ref())?;
        }
        if same >= limit {
            return Ok(found.candidates);
        }
        if query.lenient && plan.has_small_words() {
            found.add_of(&plan, plan.all_words_and_small_words().as_ref())?;
        }
        let strict = if plan.all_known() { found.add_of(&plan, plan.all_words().as_ref())? } else { 0 };
        if query.strict {
            return Ok(if strict > 0 { found.candidates } else { Vec::new() });
        }
        if strict > 0 && found.at_least(found.asked.best_without_a_word()) >= limit {
            return Ok(found.candidates);
        }
        if strict == 0 {
            plan.expand(&self.reader.terms, Reach::Far);
            found.ask(plan.asked())?;
        }
        found.add_any_word(&plan, strict == 0, limit)?;
        if query.lenient && (1..limit).contains(&strict) {
            plan.expand(&self.reader.terms, Reach::Near);
            found.add_of(&plan, plan.all_words_alike().as_ref())?;
        }
        if strict > 0 || found.at_least(GOOD_SCORE) > 0 {
            return Ok(found.candidates);
        }
        self.with_respelt(query, &plan.words(), found.candidates)
    }

    /// Adds documents found by splitting the words in another way.
    fn with_respelt<'a>(
        &'a self,
        query: &NameQuery<'_>,
        words: &[&str],
        mut found: Vec<FoundDocument<'a>>,
    ) -> Result<Vec<FoundDocument<'a>>, LexicalError> {
        for text in respellings(&self.reader.terms, words) {
            let respelt = query.for_text(&text);
            let Some(plan) = SearchPlan::new(&self.reader.terms, self.len(), &respelt) else { continue };
            let mut pool = Pool::new(self, query.limit * 4, plan.asked());
            pool.add_of(&plan, plan.all_words().as_ref())?;
            for mut hit in pool.candidates {
                hit.score *= RESPELT_WEIGHT;
                match found.iter_mut().find(|known| known.row == hit.row) {
                    Some(known) if known.score < hit.score => *known = hit,
                    Some(_) => {}
                    None => found.push(hit),
                }
            }
        }
        Ok(found)
    }

    pub(super) fn row(&self, address: DocAddress) -> Option<u64> {
        self.row_of.get(address.segment_ord as usize)?.first(address.doc_id)
    }
}

pub(crate) fn panicked_in(folder: &Path) -> impl FnOnce(String) -> LexicalError {
    |reason| LexicalError::Panicked { folder: folder.to_owned(), reason }
}

/// Ranking data of candidates with payloads of one type.
struct Stored<'a, P> {
    index: &'a NameIndex,
    /// The words of the question whose spelling is significant.
    spelling: Vec<&'a str>,
    payload: PhantomData<P>,
}

impl<P: DeserializeOwned + Named> RankEvidence for Stored<'_, P> {
    fn is_as_written(&self, row: u64) -> Result<bool, LexicalError> {
        if self.spelling.is_empty() {
            return Ok(true);
        }
        let payload: P = self.index.payload(row)?;
        Ok(payload.names().iter().any(|name| has_words(name, &self.spelling)))
    }

    fn documents(&self, name: &str) -> Result<u64, LexicalError> {
        Ok(self.index.reader.searcher.doc_freq(&Term::from_field_text(FIELDS.words, &word_set(name)))?)
    }
}

/// The candidates of a search.
struct Pool<'a> {
    index: &'a NameIndex,
    /// Maximum number added per query.
    size: usize,
    asked: SearchedText,
    rows: FxHashSet<u64>,
    candidates: Vec<FoundDocument<'a>>,
}

impl<'a> Pool<'a> {
    fn new(index: &'a NameIndex, size: usize, asked: SearchedText) -> Self {
        Self { index, size, asked, rows: FxHashSet::default(), candidates: Vec::new() }
    }

    /// Adds the best documents of a query with a word score of at most `most`; returns how many the query found.
    fn add(&mut self, query: &dyn Query, most: impl FnOnce() -> f32) -> Result<usize, LexicalError> {
        let search = Search::new(&self.index.reader, query)?;
        self.take(&search.best(self.size, most)?)
    }

    /// Adds the best documents of a query for the words of a plan.
    fn add_of(&mut self, plan: &SearchPlan<'_>, query: &dyn Query) -> Result<usize, LexicalError> {
        let reader = &self.index.reader;
        self.add(query, || plan.most(reader))
    }

    /// Adds documents with any of the words. If there are many, the words are searched separately, so that an upper bound
    /// of the next document's score is known: `together` first, then each, then in prose, unless `limit` documents
    /// already fit better than any name without one of the words.
    fn add_any_word(
        &mut self,
        plan: &SearchPlan<'_>,
        together: bool,
        limit: usize,
    ) -> Result<(), LexicalError> {
        let search = Search::new(&self.index.reader, plan.any_word(Prose::Too).as_ref())?;
        if !search.has_many() {
            self.take(&search.best(self.size, || f32::INFINITY)?)?;
            return Ok(());
        }
        if together && plan.has_several_words() {
            self.add_of(plan, plan.all_words_alike().as_ref())?;
            if self.at_least(self.asked.best_without_a_word()) >= limit {
                return Ok(());
            }
        }
        self.add_of(plan, plan.any_word(Prose::No).as_ref())?;
        self.add(plan.any_word(Prose::Only).as_ref(), || f32::INFINITY)?;
        Ok(())
    }

    fn take(&mut self, found: &[DocAddress]) -> Result<usize, LexicalError> {
        for address in found {
            if let Some(row) = self.index.row(*address).filter(|row| self.rows.insert(*row)) {
                self.candidates.push(self.scored(row)?);
            }
        }
        Ok(found.len())
    }

    /// Changes the search text and scores the candidates again.
    fn ask(&mut self, asked: SearchedText) -> Result<(), LexicalError> {
        self.asked = asked;
        let rows = std::mem::take(&mut self.candidates).into_iter().map(|known| known.row);
        self.candidates = rows.map(|row| self.scored(row)).collect::<Result<_, _>>()?;
        Ok(())
    }

    fn scored(&self, row: u64) -> Result<FoundDocument<'a>, LexicalError> {
        let stored = self.index.rows.get(row)?;
        Ok(FoundDocument::new(row, stored.uses, stored.names(), &self.asked))
    }

    fn at_least(&self, score: f32) -> usize {
        self.candidates.iter().filter(|hit| hit.score >= score).count()
    }
}
