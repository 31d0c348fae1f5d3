//! The schema index in a Qdrant server: one point per class or property, with a sparse vector of its words
//! and a dense one of its meaning. Writer and reader are in this file; what any collection needs is in `collection` and `requests`.
//!
//! A build fills a new collection, whose name is in the manifest. So the folder and its collection change in
//! one step, when the folder is published; the alias follows, for services that have the previous version open and for
//! other programs.
//!
//! It returns the same first hits as the index in the folder: Qdrant finds candidates, and `lexical::dictionary`
//! parses the question and ranks them as an index of names does; with up to 100,000 documents, the server compares every
//! vector. While the server fails, `names` searches the names in memory. Tests: `parity`, `tests`.

mod names;
mod passages;
mod sparse;
#[cfg(test)]
mod tests;

use super::{LegHit, SchemaDocument, SchemaIndex, SchemaIndexError, SchemaKind};
use crate::lexical::AskedName;
use crate::qdrant::{NewCollection, PAUSE, Pause, QdrantOptions, QdrantServer, Requests, is_missing};
use async_trait::async_trait;
use names::DocumentNames;
pub(crate) use passages::{Among, NewPassages, QdrantPassages};
use qdrant_client::Payload;
use qdrant_client::qdrant::vectors_config::Config;
use qdrant_client::qdrant::{
    Condition, CreateCollectionBuilder, CreateFieldIndexCollectionBuilder, Distance, FieldType, Filter,
    GetCollectionInfoResponse, Modifier, NamedVectors, PayloadIncludeSelector, PointStruct,
    QueryPointsBuilder, ScoredPoint, SearchParamsBuilder, SparseVectorParamsBuilder,
    SparseVectorsConfigBuilder, Value, Vector, VectorInput, VectorParamsBuilder, VectorsConfigBuilder,
};
use sparse::TermWeights;
use std::path::Path;
use uuid::Uuid;

const DENSE: &str = "dense";
const WORDS: &str = "bm25";
const IRI: &str = "iri";
const KIND: &str = "kind";
const NAMES: &str = "names";
const TEXT: &str = "text";
const USAGE: &str = "usage";

/// Number of points sent in one call: about 2 MB with vectors of 1,536 dimensions.
const UPSERT_BATCH: usize = 256;
/// Number of additional hits requested: the server breaks ties at the limit arbitrarily, while here they are broken
/// by IRI.
const TIE_MARGIN: usize = 16;
/// Up to this number of documents, the server compares every vector, like the index in the folder; beyond that, its own vector
/// index finds most of the nearest in less time.
const EXACT_DOCUMENTS: usize = 100_000;
/// Minimum number of candidates found by words that are fetched and ranked here.
const MIN_POOL: usize = 60;

/// The schema index in a Qdrant server.
pub struct QdrantSchemaIndex {
    requests: Requests,
    has_vectors: bool,
    /// Handles misspelt words and ranking, which the server cannot do.
    names: DocumentNames,
}

impl QdrantSchemaIndex {
    /// Writes the index into a new collection. `vectors` are the documents' embeddings in the same order;
    /// `folder` is the index folder, with the list of collections that were started.
    ///
    /// # Errors
    /// When the server refuses it; the previous index then stays in use.
    pub async fn write(
        options: &QdrantOptions,
        folder: &Path,
        documents: &[SchemaDocument],
        vectors: Option<&[Vec<f32>]>,
    ) -> Result<NewCollection, SchemaIndexError> {
        let server = QdrantServer::connect(options)?;
        if let Some(count) = vectors.map(<[_]>::len).filter(|count| *count != documents.len()) {
            let reason = format!("{count} vectors were given for {} documents", documents.len());
            return Err(server.error(&reason).into());
        }
        let new = NewCollection::start(server, options, options.collection.clone(), folder).await?;
        if let Err(error) = fill(&new, documents, vectors).await {
            new.discard().await;
            return Err(error);
        }
        Ok(new)
    }

    /// Opens the index of `documents` in a collection, or if that is gone, in the one that the alias points to.
    ///
    /// # Errors
    /// When the server does not answer or has neither.
    pub async fn open(
        options: &QdrantOptions,
        collection: &str,
        documents: &[SchemaDocument],
    ) -> Result<Self, SchemaIndexError> {
        let server = QdrantServer::connect(options)?;
        for name in [collection, &options.collection] {
            match server.collection(name).await {
                Ok(info) => {
                    if name != collection {
                        tracing::warn!(
                            collection,
                            alias = name,
                            "the index's own collection is gone; the alias may point to one of another graph"
                        );
                    }
                    return Ok(Self {
                        requests: Requests {
                            server,
                            collection: name.to_owned(),
                            alias: Some(options.collection.clone()),
                            tries: options.hasty(),
                            pause: Pause::of(PAUSE),
                            meanwhile: "names alone are searched",
                        },
                        has_vectors: has_dense_vector(info),
                        names: DocumentNames::of(documents),
                    });
                }
                Err(error) if is_missing(&error) => {}
                Err(error) => return Err(server.failed(&error).into()),
            }
        }
        Err(server.error(&format!("it has no collection '{collection}'; run `eruca index`")).into())
    }

    /// Points found by words, with their uses; the server finds candidates, which are ranked here.
    async fn candidates(
        &self,
        kind: SchemaKind,
        asked: &AskedName,
        weights: TermWeights,
        limit: usize,
    ) -> Result<Vec<(LegHit, u64)>, SchemaIndexError> {
        let (terms, values): (Vec<u32>, Vec<f32>) = weights.into_iter().unzip();
        let vector = VectorInput::new_sparse(terms, values);
        let pool = MIN_POOL.max(limit.saturating_mul(4));
        let leg = Leg { name: WORDS, fields: &[IRI, NAMES, TEXT, USAGE] };
        let points = self.nearest(kind, leg, vector, pool).await?;
        Ok(points.iter().filter_map(|point| candidate(point, asked)).collect())
    }

    /// The nearest points of a leg.
    async fn nearest(
        &self,
        kind: SchemaKind,
        leg: Leg<'_>,
        vector: VectorInput,
        limit: usize,
    ) -> Result<Vec<ScoredPoint>, SchemaIndexError> {
        let fields: Vec<String> = leg.fields.iter().map(|field| (*field).to_owned()).collect();
        let request = QueryPointsBuilder::new(&self.requests.collection)
            .query(vector)
            .using(leg.name)
            .params(SearchParamsBuilder::default().exact(self.names.len() <= EXACT_DOCUMENTS))
            .filter(Filter::must([Condition::matches(KIND, kind.as_str().to_owned())]))
            .limit(limit.saturating_add(TIE_MARGIN) as u64)
            .with_payload(PayloadIncludeSelector::new(fields));
        Ok(self.requests.send(request).await?)
    }
}

/// A vector of the points, and the payload fields requested with it.
struct Leg<'a> {
    name: &'a str,
    fields: &'a [&'a str],
}

#[async_trait]
impl SchemaIndex for QdrantSchemaIndex {
    async fn lexical(
        &self,
        kind: SchemaKind,
        text: &str,
        limit: usize,
    ) -> Result<Vec<LegHit>, SchemaIndexError> {
        let asked = self.names.ask(kind, text);
        let weights = sparse::query_weights(text, &asked.similar);
        if weights.is_empty() || limit == 0 {
            return Ok(Vec::new());
        }
        let mut hits = match self.candidates(kind, &asked, weights, limit).await {
            Ok(hits) => hits,
            Err(error) => {
                tracing::debug!(%error, "classes and properties are found by their names alone");
                self.names.search(kind, &asked)
            }
        };
        // Rounded to two decimals, so that uses break near ties, as in an index of names.
        let rounded = |hit: &LegHit| (hit.score * 100.0).round() as i64;
        hits.sort_by(|(a, more_a), (b, more_b)| {
            rounded(b).cmp(&rounded(a)).then(more_b.cmp(more_a)).then_with(|| a.iri.cmp(&b.iri))
        });
        Ok(hits.into_iter().take(limit).map(|(hit, _)| hit).collect())
    }

    async fn dense(
        &self,
        kind: SchemaKind,
        vector: &[f32],
        limit: usize,
    ) -> Result<Vec<LegHit>, SchemaIndexError> {
        if !self.has_vectors || vector.is_empty() || limit == 0 {
            return Ok(Vec::new());
        }
        let leg = Leg { name: DENSE, fields: &[IRI] };
        let points = self.nearest(kind, leg, VectorInput::new_dense(vector), limit).await?;
        let mut hits: Vec<LegHit> = points.iter().filter_map(hit).collect();
        hits.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.iri.cmp(&b.iri)));
        hits.truncate(limit);
        Ok(hits)
    }

    fn has_vectors(&self) -> bool {
        self.has_vectors
    }

    async fn check(&self) -> Result<(), SchemaIndexError> {
        Ok(self.requests.check().await?)
    }
}

fn hit(point: &ScoredPoint) -> Option<LegHit> {
    let iri = point.payload.get(IRI).and_then(Value::as_str)?;
    Some(LegHit { iri: iri.to_owned(), score: point.score })
}

/// A point found by words, with its fit and its uses.
fn candidate(point: &ScoredPoint, asked: &AskedName) -> Option<(LegHit, u64)> {
    let iri = point.payload.get(IRI).and_then(Value::as_str)?;
    let names = point.payload.get(NAMES).and_then(Value::as_list).unwrap_or_default();
    let prose = point.payload.get(TEXT).and_then(Value::as_str).map_or("", String::as_str);
    let score = asked.fit(names.iter().filter_map(|name| name.as_str().map(String::as_str)), prose)?;
    let usage = point.payload.get(USAGE).and_then(Value::as_integer).unwrap_or_default();
    Some((LegHit { iri: iri.to_owned(), score }, u64::try_from(usage).unwrap_or_default()))
}

fn has_dense_vector(info: GetCollectionInfoResponse) -> bool {
    let params = info.result.and_then(|info| info.config).and_then(|config| config.params);
    match params.and_then(|params| params.vectors_config).and_then(|vectors| vectors.config) {
        Some(Config::ParamsMap(named)) => named.map.contains_key(DENSE),
        Some(Config::Params(_)) | None => false,
    }
}

/// Dense vectors of a length, compared by their cosine.
fn dense_vectors(dimension: usize) -> VectorsConfigBuilder {
    let mut dense = VectorsConfigBuilder::default();
    dense.add_named_vector_params(DENSE, VectorParamsBuilder::new(dimension as u64, Distance::Cosine));
    dense
}

async fn fill(
    new: &NewCollection,
    documents: &[SchemaDocument],
    vectors: Option<&[Vec<f32>]>,
) -> Result<(), SchemaIndexError> {
    let mut words = SparseVectorsConfigBuilder::default();
    words.add_named_vector_params(WORDS, SparseVectorParamsBuilder::default().modifier(Modifier::Idf));
    let content = CreateCollectionBuilder::new(new.name()).sparse_vectors_config(words);
    new.create(match vectors.and_then(<[_]>::first) {
        Some(vector) => content.vectors_config(dense_vectors(vector.len())),
        None => content,
    })
    .await?;
    new.index_field(CreateFieldIndexCollectionBuilder::new(new.name(), KIND, FieldType::Keyword)).await?;
    let weights = sparse::document_weights(documents);
    let numbered: Vec<_> = documents.iter().zip(&weights).enumerate().collect();
    for batch in numbered.chunks(UPSERT_BATCH) {
        let vector = |at: usize| vectors.and_then(|vectors| vectors.get(at));
        let points =
            batch.iter().filter_map(|(at, (document, weights))| point(document, weights, vector(*at)));
        new.add(points.collect()).await?;
    }
    Ok(())
}

/// The point of a document; `None` if it has neither words nor a vector and so could not be found.
fn point(document: &SchemaDocument, weights: &TermWeights, vector: Option<&Vec<f32>>) -> Option<PointStruct> {
    let mut vectors = NamedVectors::default();
    if !weights.is_empty() {
        let (terms, values): (Vec<u32>, Vec<f32>) =
            weights.iter().map(|(term, weight)| (*term, *weight)).unzip();
        vectors = vectors.add_vector(WORDS, Vector::new_sparse(terms, values));
    }
    if let Some(vector) = vector {
        vectors = vectors.add_vector(DENSE, Vector::new_dense(vector.as_slice()));
    }
    let kind = document.kind.as_str();
    let id = Uuid::new_v5(&Uuid::NAMESPACE_URL, format!("{kind} {}", document.iri).as_bytes());
    let mut payload = Payload::with_capacity(5);
    payload.insert(IRI, document.iri.as_str());
    payload.insert(KIND, kind);
    payload.insert(NAMES, document.names.clone());
    payload.insert(TEXT, document.text.as_str());
    payload.insert(USAGE, i64::try_from(document.usage).unwrap_or(i64::MAX));
    (!vectors.vectors.is_empty()).then(|| PointStruct::new(id.to_string(), vectors, payload))
}
