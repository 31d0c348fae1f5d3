//! Documents that have names, searched by name: the one engine under entities, values and schema terms.
//!
//! A search runs in two stages. Tantivy finds candidates (exact names, all words, any word; misspelt words
//! and prefixes are expanded from the term dictionary), then [`similarity`] orders them by how much of the
//! question's words and of the document's best name meet. Popularity breaks ties.

mod expand;
mod query;
mod similarity;

pub use similarity::{edit_distance, name_fit};

pub use query::NameQuery;

use crate::text::{LabelTokenizer, name_key};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::Path;
use tantivy::collector::TopDocs;
use tantivy::directory::MmapDirectory;
use tantivy::query::Query;
use tantivy::schema::{
    FAST, Field, IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing, TextOptions, Value,
};
use tantivy::{DocAddress, Index, IndexReader, IndexWriter, ReloadPolicy, Searcher, TantivyDocument, Term};

const TOKENIZER: &str = "eruca_label";
/// Memory of the writer, bytes; segments are flushed when it is full.
const WRITER_MEMORY_BYTES: usize = 120_000_000;
/// Candidates that are fetched and reordered, at least.
const MIN_POOL: usize = 60;

/// What the search must know of a stored payload to order it.
pub trait Named {
    /// The names; the best one decides the score.
    fn names(&self) -> Vec<&str>;
    /// Uses, for breaking ties.
    fn uses(&self) -> u64;
}

/// A document to be found by its names.
#[derive(Debug, Clone)]
pub struct NameDocument<P> {
    /// Unique key: an IRI, or property and value.
    pub id: String,
    /// Prose about it, searched with low weight.
    pub text: Option<String>,
    /// Exact terms for filters.
    pub filters: Vec<String>,
    /// What is given back, with its names.
    pub payload: P,
}

/// A document found.
#[derive(Debug, Clone, PartialEq)]
pub struct NameHit<P> {
    /// The stored payload.
    pub payload: P,
    /// How well the names fit: 1 for the same words, more for the very same name, 0 for nothing.
    pub score: f32,
}

/// Why an index of names cannot be written or searched.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LexicalError {
    /// Tantivy failed: disk full, corrupt file, …
    #[error("{0}")]
    Engine(#[from] tantivy::TantivyError),
    /// The folder cannot be opened.
    #[error("{0}")]
    Folder(#[from] tantivy::directory::error::OpenDirectoryError),
    /// A stored payload is not what this version writes.
    #[error("a stored document cannot be read ({0}); build the index again")]
    Payload(#[from] serde_json::Error),
}

/// The fields of every index of names.
#[derive(Debug, Clone, Copy)]
struct Fields {
    id: Field,
    name: Field,
    key: Field,
    text: Field,
    filter: Field,
    prior: Field,
    payload: Field,
}

fn schema() -> (Schema, Fields) {
    let mut builder = Schema::builder();
    // No length normalization: a resource with names in fifty languages is not less of a match. The order
    // among equals comes from `prior`, the fine order from `similarity`.
    let indexing = TextFieldIndexing::default()
        .set_tokenizer(TOKENIZER)
        .set_index_option(IndexRecordOption::Basic)
        .set_fieldnorms(false);
    let tokenized = TextOptions::default().set_indexing_options(indexing);
    let fields = Fields {
        id: builder.add_text_field("id", STRING),
        name: builder.add_text_field("name", tokenized.clone()),
        key: builder.add_text_field("key", STRING),
        text: builder.add_text_field("text", tokenized),
        filter: builder.add_text_field("filter", STRING),
        prior: builder.add_f64_field("prior", FAST),
        payload: builder.add_bytes_field("payload", STORED),
    };
    (builder.build(), fields)
}

/// Writes an index of names into a new folder.
pub struct NameIndexWriter {
    writer: IndexWriter,
    fields: Fields,
    documents: u64,
}

impl NameIndexWriter {
    /// Starts an index in `folder`, which is created.
    ///
    /// # Errors
    /// When the folder cannot be written or already holds an index.
    pub fn create(folder: &Path) -> Result<Self, LexicalError> {
        std::fs::create_dir_all(folder).map_err(tantivy::TantivyError::from)?;
        let (schema, fields) = schema();
        let index = Index::create(MmapDirectory::open(folder)?, schema, tantivy::IndexSettings::default())?;
        index.tokenizers().register(TOKENIZER, LabelTokenizer::default());
        Ok(Self { writer: index.writer(WRITER_MEMORY_BYTES)?, fields, documents: 0 })
    }

    /// Adds a document.
    ///
    /// # Errors
    /// When the writer's threads have failed (disk full) or the payload cannot be serialized.
    pub fn add<P: Serialize + Named>(&mut self, document: &NameDocument<P>) -> Result<(), LexicalError> {
        let mut stored = TantivyDocument::default();
        stored.add_text(self.fields.id, &document.id);
        for name in document.payload.names() {
            stored.add_text(self.fields.name, name);
            stored.add_text(self.fields.key, name_key(name));
        }
        if let Some(text) = &document.text {
            stored.add_text(self.fields.text, text);
        }
        for filter in &document.filters {
            stored.add_text(self.fields.filter, filter);
        }
        stored.add_f64(self.fields.prior, prior(&document.payload));
        stored.add_bytes(self.fields.payload, &serde_json::to_vec(&document.payload)?);
        self.writer.add_document(stored)?;
        self.documents += 1;
        Ok(())
    }

    /// Makes everything durable and ends the writing; returns the number of documents.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn finish(mut self) -> Result<u64, LexicalError> {
        self.writer.commit()?;
        self.writer.wait_merging_threads()?;
        Ok(self.documents)
    }
}

/// A document's rank before any question: popular ones and short names first, by a little.
fn prior(payload: &impl Named) -> f64 {
    let words = payload.names().iter().map(|name| name.split_whitespace().count()).min().unwrap_or(1);
    1.0 + 0.02 * ((1 + payload.uses()) as f64).log2() - 0.02 * words.min(10) as f64
}

/// An index of names, open for searching. Cheap to share; searches run in parallel.
pub struct NameIndex {
    reader: IndexReader,
    fields: Fields,
}

impl NameIndex {
    /// Opens the index in `folder`.
    ///
    /// # Errors
    /// When there is none or its files are damaged.
    pub fn open(folder: &Path) -> Result<Self, LexicalError> {
        let index = Index::open(MmapDirectory::open(folder)?)?;
        index.tokenizers().register(TOKENIZER, LabelTokenizer::default());
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
        let (_, fields) = schema();
        Ok(Self { reader, fields })
    }

    /// Documents in the index.
    pub fn len(&self) -> u64 {
        self.reader.searcher().num_docs()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The payload of the document with this id.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn get<P: DeserializeOwned>(&self, id: &str) -> Result<Option<P>, LexicalError> {
        let searcher = self.reader.searcher();
        let term = Term::from_field_text(self.fields.id, id);
        let query = tantivy::query::TermQuery::new(term, IndexRecordOption::Basic);
        let found = searcher.search(&query, &TopDocs::with_limit(1).order_by_score())?;
        found.first().map(|(_, address)| self.payload(&searcher, *address)).transpose()
    }

    /// The documents whose names fit best, best first.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn search<P: DeserializeOwned + Named>(
        &self,
        query: &NameQuery<'_>,
    ) -> Result<Vec<NameHit<P>>, LexicalError> {
        let searcher = self.reader.searcher();
        let Some(plan) = query::plan(&searcher, self.fields, query)? else { return Ok(Vec::new()) };
        let pool = MIN_POOL.max(query.limit * 4);
        let mut addresses: Vec<DocAddress> = Vec::new();
        for stage in &plan.stages {
            for address in self.top(&searcher, stage.as_ref(), pool)? {
                if !addresses.contains(&address) {
                    addresses.push(address);
                }
            }
        }
        let mut hits = Vec::with_capacity(addresses.len());
        for address in addresses {
            let payload: P = self.payload(&searcher, address)?;
            let best = payload
                .names()
                .into_iter()
                .map(|name| similarity::score(&plan.tokens, &plan.key, name))
                .fold(0.0, f32::max);
            // Found by its prose alone: behind everything found by name.
            let score = if best > 0.0 { best } else { 0.05 };
            hits.push(NameHit { payload, score });
        }
        hits.sort_by(order);
        hits.truncate(query.limit);
        Ok(hits)
    }

    fn top(
        &self,
        searcher: &Searcher,
        query: &dyn Query,
        limit: usize,
    ) -> Result<Vec<DocAddress>, LexicalError> {
        let collector = TopDocs::with_limit(limit).tweak_score(move |segment: &tantivy::SegmentReader| {
            let prior = segment.fast_fields().f64("prior").ok();
            move |doc: tantivy::DocId, score: tantivy::Score| {
                let prior = prior.as_ref().and_then(|column| column.first(doc)).unwrap_or(1.0);
                f64::from(score) * prior
            }
        });
        Ok(searcher.search(query, &collector)?.into_iter().map(|(_, address)| address).collect())
    }

    fn payload<P: DeserializeOwned>(
        &self,
        searcher: &Searcher,
        address: DocAddress,
    ) -> Result<P, LexicalError> {
        let document: TantivyDocument = searcher.doc(address)?;
        let bytes =
            document.get_first(self.fields.payload).and_then(|value| value.as_bytes()).unwrap_or_default();
        Ok(serde_json::from_slice(bytes)?)
    }
}

/// Best score first (to a hundredth, so that popularity decides between near equals), then more uses.
fn order<P: Named>(a: &NameHit<P>, b: &NameHit<P>) -> std::cmp::Ordering {
    let rounded = |score: f32| (score * 100.0).round() as i64;
    rounded(b.score).cmp(&rounded(a.score)).then(b.payload.uses().cmp(&a.payload.uses()))
}
