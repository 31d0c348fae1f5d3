//! The schema index: classes and properties found by meaning and by words.
//!
//! An index has two retrievers ("legs"), BM25-like word search and dense vectors; [`SchemaSearch`] queries both and fuses the
//! ranks in this crate (Qdrant's own fusion is not deterministic). Details of hits come from the
//! dataset card.
//!
//! An index returns IRIs and scores, so that both backends yield the same details. Ties are broken by IRI.

mod fusion;
mod legs;
mod local;
mod nothing;
mod qdrant;

pub use fusion::{RankedList, fuse};
pub use legs::LegRanks;
pub use local::{LocalSchemaIndex, SCHEMA_FORMAT};
pub(crate) use nothing::NoSchemaIndex;
pub use qdrant::QdrantSchemaIndex;
pub(crate) use qdrant::{Among, NewPassages, QdrantPassages};

use crate::card::{ClassCard, DatasetCard, PropertyCard};
use crate::embedding::{Embedder, EmbeddingError, Purpose};
use crate::hidden::Hides;
use crate::lexical::{LexicalError, name_fit};
use crate::qdrant::QdrantFailure;
use async_trait::async_trait;
use eruca_language::text::{humanize, searched_part};
use eruca_sparql::local_name;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Number of hits requested from each leg before fusion.
const LEG_LIMIT: usize = 50;

/// Class or property.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SchemaKind {
    /// A class.
    Class,
    /// A property.
    Property,
}

impl SchemaKind {
    /// The word used in stored filters.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Class => "class",
            Self::Property => "property",
        }
    }
}

/// A class or property as a document of the schema index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaDocument {
    /// The IRI.
    pub iri: String,
    /// Class or property.
    pub kind: SchemaKind,
    /// Labels and the readable local name.
    pub names: Vec<String>,
    /// The comment and the names of what it connects.
    pub text: String,
    /// Number of instances or triples.
    pub usage: u64,
}

impl SchemaDocument {
    /// The text to embed: name first, then what distinguishes it from similar ones.
    pub fn embedding_text(&self) -> String {
        let name = self.names.first().map_or("", String::as_str);
        if self.text.is_empty() { name.to_owned() } else { format!("{name}. {}", self.text) }
    }
}

/// The documents of a dataset, classes first, each in the card's order.
pub fn documents(card: &DatasetCard) -> Vec<SchemaDocument> {
    let classes = card.classes.iter().map(class_document);
    let properties = card.properties.iter().map(|property| property_document(card, property));
    classes.chain(properties).collect()
}

fn class_document(class: &ClassCard) -> SchemaDocument {
    SchemaDocument {
        iri: class.iri.clone(),
        kind: SchemaKind::Class,
        names: names(&class.iri, class.labels.iter().map(|label| label.text.clone())),
        text: class.comment.clone().unwrap_or_default(),
        usage: class.instances_with_subclasses,
    }
}

fn property_document(card: &DatasetCard, property: &PropertyCard) -> SchemaDocument {
    let mut text = property.comment.clone().unwrap_or_default();
    let domain = property.domains().first().map(|(class, _)| card.schema_label(class));
    let range = property.ranges().first().map(|(class, _)| card.schema_label(class));
    for (word, name) in [("of", domain), ("to", range)] {
        if let Some(name) = name {
            text.push_str(&format!(" {word} {name}"));
        }
    }
    SchemaDocument {
        iri: property.iri.clone(),
        kind: SchemaKind::Property,
        names: names(&property.iri, property.labels.iter().map(|label| label.text.clone())),
        text: text.trim().to_owned(),
        usage: property.usage,
    }
}

fn names(iri: &str, labels: impl Iterator<Item = String>) -> Vec<String> {
    let mut names: Vec<String> = labels.collect();
    let local = humanize(local_name(iri));
    if !names.contains(&local) {
        names.push(local);
    }
    names
}

/// A hit of one leg.
#[derive(Debug, Clone, PartialEq)]
pub struct LegHit {
    /// The IRI of the class or property.
    pub iri: String,
    /// The leg's own score; comparable only within one leg.
    pub score: f32,
}

/// Why the schema index cannot be searched.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SchemaIndexError {
    /// The lexical index failed.
    #[error("the schema index cannot be read: {0}")]
    Lexical(#[from] LexicalError),
    /// A file of the vectors is missing or damaged.
    #[error("the vectors of the schema index cannot be read: {0}; build the index again")]
    Vectors(String),
    /// The Qdrant server failed.
    #[error(transparent)]
    Qdrant(#[from] QdrantFailure),
    /// The embedding model failed.
    #[error(transparent)]
    Embedding(#[from] EmbeddingError),
}

/// A searchable schema index with two legs.
#[async_trait]
pub trait SchemaIndex: Send + Sync {
    /// Word search, best first.
    ///
    /// # Errors
    /// When the index cannot be read.
    async fn lexical(
        &self,
        kind: SchemaKind,
        text: &str,
        limit: usize,
    ) -> Result<Vec<LegHit>, SchemaIndexError>;

    /// Nearest vectors, best first; empty if the index contains none.
    ///
    /// # Errors
    /// When the index cannot be read.
    async fn dense(
        &self,
        kind: SchemaKind,
        vector: &[f32],
        limit: usize,
    ) -> Result<Vec<LegHit>, SchemaIndexError>;

    /// Whether the index contains vectors.
    fn has_vectors(&self) -> bool;

    /// Whether both legs of the index can be searched.
    ///
    /// # Errors
    /// When it is on a server that fails.
    async fn check(&self) -> Result<(), SchemaIndexError> {
        Ok(())
    }
}

/// A class or property found.
#[derive(Debug, Clone, PartialEq)]
pub struct SchemaHit {
    /// The IRI.
    pub iri: String,
    /// The fused score (reciprocal ranks); only the order is meaningful.
    pub score: f32,
    /// How well the text matches its best name, whichever leg found it: 1 if all words match, more for an
    /// identical name, 0 if it was found by meaning or prose alone.
    pub fit: f32,
}

/// Hybrid search over a schema index.
pub struct SchemaSearch {
    index: Box<dyn SchemaIndex>,
    embedder: Option<Arc<dyn Embedder>>,
    names: FxHashMap<String, Vec<String>>,
    hides: Option<Hides>,
}

impl SchemaSearch {
    /// Searches `index`, using vectors if it contains any and there is an embedder. The names of
    /// classes and properties are taken from the card.
    pub fn new(index: Box<dyn SchemaIndex>, embedder: Option<Arc<dyn Embedder>>, card: &DatasetCard) -> Self {
        let embedder = embedder.filter(|_| index.has_vectors());
        let names = documents(card).into_iter().map(|document| (document.iri, document.names)).collect();
        Self { index, embedder, names, hides: None }
    }

    /// Finds no hidden class or property from now on.
    pub(crate) fn hide(&mut self, hides: Hides) {
        self.hides = Some(hides);
    }

    /// The legs in use: `bm25` or `bm25+dense (MODEL)`.
    pub fn describe(&self) -> String {
        self.embedder.as_ref().map_or_else(|| "bm25".to_owned(), |e| format!("bm25+dense ({})", e.model()))
    }

    /// Whether both legs of the index can be searched; see [`SchemaIndex::check`].
    ///
    /// # Errors
    /// When it is on a server that fails.
    pub async fn check(&self) -> Result<(), SchemaIndexError> {
        self.index.check().await
    }

    /// Classes or properties that fit the text, best first. If the dense leg fails, it is skipped and the error logged:
    /// the words alone still find most hits.
    ///
    /// # Errors
    /// When the lexical leg fails.
    pub async fn search(
        &self,
        kind: SchemaKind,
        text: &str,
        limit: usize,
    ) -> Result<Vec<SchemaHit>, SchemaIndexError> {
        let text = searched_part(text);
        let (lexical, dense) =
            tokio::join!(self.index.lexical(kind, text, LEG_LIMIT), self.dense(kind, text));
        let mut lists = vec![ranked(lexical?)];
        match dense {
            Ok(hits) => lists.extend(hits.map(ranked)),
            Err(error) => tracing::warn!(%error, "dense search failed; words alone are used"),
        }
        Ok(self.hits(text, &lists, limit))
    }

    fn hits(&self, text: &str, lists: &[RankedList], limit: usize) -> Vec<SchemaHit> {
        let seen = |(iri, _): &(String, f32)| self.hides.as_ref().is_none_or(|hides| !hides(iri));
        let fused = fuse(lists).into_iter().filter(seen).take(limit);
        fused.map(|(iri, score)| SchemaHit { fit: self.fit(text, &iri), iri, score }).collect()
    }

    fn fit(&self, text: &str, iri: &str) -> f32 {
        let names = self.names.get(iri).map_or(&[][..], Vec::as_slice);
        name_fit(text, names.iter().map(String::as_str))
    }

    async fn dense(&self, kind: SchemaKind, text: &str) -> Result<Option<Vec<LegHit>>, SchemaIndexError> {
        let Some(embedder) = &self.embedder else { return Ok(None) };
        let vectors = embedder.embed(vec![text.to_owned()], Purpose::Query).await?;
        let Some(vector) = vectors.first() else { return Ok(None) };
        Ok(Some(self.index.dense(kind, vector, LEG_LIMIT).await?))
    }
}

fn ranked(hits: Vec<LegHit>) -> RankedList {
    hits.into_iter().map(|hit| hit.iri).collect()
}
