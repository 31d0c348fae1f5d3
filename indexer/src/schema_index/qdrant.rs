//! The schema index in a Qdrant server: one point per class or property, with a sparse vector of its words
//! and a dense one of its meaning. Writer and reader are in this file.
//!
//! A build fills a new collection, whose name is in the manifest. So the folder and its collection change in
//! one step, when the folder is published; the alias follows, for services that have the previous version open and for
//! other programs.
//!
//! It returns the same first hits as the index in the folder: Qdrant finds candidates, and `lexical::dictionary`
//! parses the question and ranks them as an index of names does; with up to 100,000 documents, the server compares every
//! vector. While the server fails, `names` searches the names in memory. Tests: `parity`, `tests`.

mod ledger;
mod names;
mod server;
mod sparse;
#[cfg(test)]
mod tests;

use super::{LegHit, SchemaDocument, SchemaIndex, SchemaIndexError, SchemaKind};
use crate::lexical::AskedName;
use async_trait::async_trait;
use ledger::Ledger;
use names::{Cause, DocumentNames, Pause};
use qdrant_client::qdrant::vectors_config::Config;
use qdrant_client::qdrant::{
    Condition, CreateAliasBuilder, CreateCollectionBuilder, CreateFieldIndexCollectionBuilder, Distance,
    FieldType, Filter, GetCollectionInfoResponse, Modifier, NamedVectors, PayloadIncludeSelector,
    PointStruct, QueryPoints, QueryPointsBuilder, ScoredPoint, SearchParamsBuilder,
    SparseVectorParamsBuilder, SparseVectorsConfigBuilder, UpsertPointsBuilder, Value, Vector, VectorInput,
    VectorParamsBuilder, VectorsConfigBuilder,
};
use qdrant_client::{Payload, QdrantError};
use secrecy::SecretString;
use server::QdrantServer;
use sparse::TermWeights;
use std::path::Path;
use std::time::Duration;
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
/// Time in which no requests are sent to a server that has failed.
const PAUSE: Duration = Duration::from_secs(5);
/// Minimum number of candidates found by words that are fetched and ranked here.
const MIN_POOL: usize = 60;

/// The location of the collection.
#[derive(Debug, Clone)]
pub struct QdrantOptions {
    /// Address of the server's gRPC port.
    pub url: String,
    /// Key or token, if the server requires one.
    pub api_key: Option<SecretString>,
    /// The alias of the index. The collection behind it gets a new name with every build.
    pub collection: String,
    /// Timeout for connecting, and for a call.
    pub timeout: Duration,
    /// Timeout of a search: a search by names alone is better than a late answer.
    pub search_timeout: Duration,
    /// Number of shards of a new collection; `None` leaves it to the server.
    pub shard_number: Option<u32>,
    /// Number of copies of each shard; `None` leaves it to the server.
    pub replication_factor: Option<u32>,
}

/// The schema index in a Qdrant server.
pub struct QdrantSchemaIndex {
    server: QdrantServer,
    collection: String,
    /// Used when the collection is gone because a later build has replaced it.
    alias: String,
    has_vectors: bool,
    /// Handles misspelt words and ranking, which the server cannot do.
    names: DocumentNames,
    search_timeout: Duration,
    pause: Pause,
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
            return Err(
                server.error(&format!("{count} vectors were given for {} documents", documents.len()))
            );
        }
        let name = format!("{}-{}", options.collection, Uuid::new_v4().simple());
        let new = NewCollection { server, options: options.clone(), name, ledger: Ledger::of(folder) };
        new.live().await?;
        new.ledger.add(&new.name).map_err(|error| new.server.error(&error.to_string()))?;
        if let Err(error) = new.fill(documents, vectors).await {
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
            match server.client.collection_info(name).await {
                Ok(info) => {
                    if name != collection {
                        tracing::warn!(
                            collection,
                            alias = name,
                            "the index's own collection is gone; the alias may point to one of another graph"
                        );
                    }
                    return Ok(Self {
                        server,
                        collection: name.to_owned(),
                        alias: options.collection.clone(),
                        has_vectors: has_dense_vector(info),
                        names: DocumentNames::of(documents),
                        search_timeout: options.search_timeout,
                        pause: Pause::of(PAUSE),
                    });
                }
                Err(error) if server::is_missing(&error) => {}
                Err(error) => return Err(server.failed(&error)),
            }
        }
        Err(server.error(&format!("it has no collection '{collection}'; run `eruca index`")))
    }

    async fn query(&self, request: QueryPointsBuilder) -> Result<Vec<ScoredPoint>, SchemaIndexError> {
        if self.pause.is_on() {
            return Err(self.server.error("it did not answer a moment ago"));
        }
        let answer = match tokio::time::timeout(self.search_timeout, self.answer(request.into())).await {
            Ok(answer) => answer.map_err(|error| (self.server.failed(&error), Cause::Failure)),
            Err(_) => Err((self.server.late(self.search_timeout), Cause::Lateness)),
        };
        answer.map_err(|(error, cause)| {
            self.pause.begin(cause);
            let seconds = self.pause.length.as_secs();
            tracing::warn!(%error, "names alone are searched; the server is asked again after {seconds} s");
            error
        })
    }

    /// Queries the folder's own collection, or the one of the alias if that is gone.
    async fn answer(&self, request: QueryPoints) -> Result<Vec<ScoredPoint>, QdrantError> {
        let answer = match self.server.client.query(request.clone()).await {
            Err(error) if server::is_missing(&error) && self.collection != self.alias => {
                let by_alias = QueryPoints { collection_name: self.alias.clone(), ..request };
                self.server.client.query(by_alias).await
            }
            answer => answer,
        };
        Ok(answer?.result)
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
        let request = QueryPointsBuilder::new(&self.collection)
            .query(vector)
            .using(leg.name)
            .params(SearchParamsBuilder::default().exact(self.names.len() <= EXACT_DOCUMENTS))
            .filter(Filter::must([Condition::matches(KIND, kind.as_str().to_owned())]))
            .limit(limit.saturating_add(TIE_MARGIN) as u64)
            .with_payload(PayloadIncludeSelector::new(fields));
        self.query(request).await
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
        let mut answer = self.server.client.collection_info(&self.collection).await;
        if answer.as_ref().is_err_and(server::is_missing) {
            answer = self.server.client.collection_info(&self.alias).await;
        }
        answer.map_err(|error| self.server.failed(&error))?;
        self.pause.end_of_failure();
        Ok(())
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

/// A collection that has been written but is not in use yet.
pub struct NewCollection {
    server: QdrantServer,
    options: QdrantOptions,
    name: String,
    ledger: Ledger,
}

impl NewCollection {
    /// Its name, for the manifest.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The collection that the alias points to.
    async fn live(&self) -> Result<Option<String>, SchemaIndexError> {
        let known = self.server.client.list_aliases().await.map_err(|error| self.server.failed(&error))?;
        let found = known.aliases.into_iter().find(|alias| alias.alias_name == self.options.collection);
        Ok(found.map(|alias| alias.collection_name))
    }

    async fn fill(
        &self,
        documents: &[SchemaDocument],
        vectors: Option<&[Vec<f32>]>,
    ) -> Result<(), SchemaIndexError> {
        self.create(vectors.and_then(<[_]>::first).map(Vec::len)).await?;
        let weights = sparse::document_weights(documents);
        let numbered: Vec<_> = documents.iter().zip(&weights).enumerate().collect();
        for batch in numbered.chunks(UPSERT_BATCH) {
            let vector = |at: usize| vectors.and_then(|vectors| vectors.get(at));
            let points: Vec<PointStruct> = batch
                .iter()
                .filter_map(|(at, (document, weights))| point(document, weights, vector(*at)))
                .collect();
            let request = UpsertPointsBuilder::new(&self.name, points).wait(true);
            self.server.client.upsert_points(request).await.map_err(|error| self.server.failed(&error))?;
        }
        Ok(())
    }

    async fn create(&self, dimension: Option<usize>) -> Result<(), SchemaIndexError> {
        let mut words = SparseVectorsConfigBuilder::default();
        words.add_named_vector_params(WORDS, SparseVectorParamsBuilder::default().modifier(Modifier::Idf));
        let mut request = CreateCollectionBuilder::new(&self.name).sparse_vectors_config(words);
        if let Some(dimension) = dimension {
            let mut dense = VectorsConfigBuilder::default();
            dense
                .add_named_vector_params(DENSE, VectorParamsBuilder::new(dimension as u64, Distance::Cosine));
            request = request.vectors_config(dense);
        }
        if let Some(shards) = self.options.shard_number {
            request = request.shard_number(shards);
        }
        if let Some(copies) = self.options.replication_factor {
            request = request.replication_factor(copies);
        }
        self.server.client.create_collection(request).await.map_err(|error| self.server.failed(&error))?;
        let filter = CreateFieldIndexCollectionBuilder::new(&self.name, KIND, FieldType::Keyword).wait(true);
        self.server.client.create_field_index(filter).await.map_err(|error| self.server.failed(&error))?;
        Ok(())
    }

    /// Points the alias to the new collection and deletes those of earlier builds, once the folder that names
    /// it is published. A failure wastes space on the server, and other programs see the previous index; it is logged.
    pub async fn publish(self) {
        let before = self.live().await.ok().flatten();
        // A single action: the server replaces an alias in one step, but would not undo a deletion of the alias
        // if the creation after it failed.
        let switch = CreateAliasBuilder::new(&self.name, &self.options.collection);
        if let Err(error) = self.server.client.create_alias(switch).await {
            let error = self.server.failed(&error);
            // The switch may have succeeded, and only its confirmation been lost.
            if self.live().await.ok().flatten().as_deref() != Some(&self.name) {
                tracing::warn!(alias = self.options.collection, %error, "the alias could not be switched");
                return;
            }
        }
        let others = self.ledger.others(&self.name);
        for former in before.into_iter().filter(|before| *before != self.name && !others.contains(before)) {
            self.delete_former(&former).await;
        }
        for former in others {
            self.delete_former(&former).await;
        }
        self.ledger.keep_only(&self.name);
    }

    /// Deletes the new collection again.
    pub async fn discard(&self) {
        self.delete(&self.name).await;
    }

    /// Deletes the collection that was in use before, unless it was not created by Eruca.
    async fn delete_former(&self, name: &str) {
        let suffix = name.strip_prefix(&self.options.collection).and_then(|rest| rest.strip_prefix('-'));
        if suffix.is_some_and(|suffix| Uuid::try_parse(suffix).is_ok()) {
            self.delete(name).await;
        } else {
            tracing::warn!(
                collection = name,
                "the alias pointed to a collection of another origin, which is kept"
            );
        }
    }

    /// Deletes a collection that is not in use. A failure only wastes space on the server, so it is logged.
    async fn delete(&self, name: &str) {
        if let Err(error) = self.server.client.delete_collection(name).await
            && !server::is_missing(&error)
        {
            let error = self.server.failed(&error);
            tracing::warn!(collection = name, %error, "an unused collection could not be deleted");
        }
    }
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
