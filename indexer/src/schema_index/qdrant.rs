//! The schema index in a Qdrant server: one point per class or property, with a sparse vector of its words
//! and a dense one of its meaning. Writer and reader side by side.
//!
//! A build fills a new collection and then points the alias to it, so searches see the old index or the new
//! one, never a half-written one.

mod server;
mod sparse;
#[cfg(test)]
mod stand_in;
#[cfg(test)]
mod stand_in_collection;
#[cfg(test)]
mod stand_in_services;
#[cfg(test)]
mod tests;

use super::{LegHit, SchemaDocument, SchemaIndex, SchemaIndexError, SchemaKind};
use async_trait::async_trait;
use qdrant_client::Payload;
use qdrant_client::qdrant::vectors_config::Config;
use qdrant_client::qdrant::{
    Condition, CreateAliasBuilder, CreateCollectionBuilder, CreateFieldIndexCollectionBuilder, Distance,
    FieldType, Filter, GetCollectionInfoResponse, Modifier, NamedVectors, PayloadIncludeSelector,
    PointStruct, QueryPointsBuilder, ScoredPoint, SparseVectorParamsBuilder, SparseVectorsConfigBuilder,
    UpsertPointsBuilder, Value, Vector, VectorInput, VectorParamsBuilder, VectorsConfigBuilder,
};
use secrecy::SecretString;
use server::Server;
use sparse::TermWeights;
use std::time::Duration;
use uuid::Uuid;

const DENSE: &str = "dense";
const WORDS: &str = "bm25";
const IRI: &str = "iri";
const KIND: &str = "kind";

/// Points sent in one call: some 2 MB with vectors of 1,536 dimensions.
const UPSERT_BATCH: usize = 256;
/// The server breaks ties at the limit as it likes. So many hits more are asked for, to break them by IRI
/// here.
const TIE_MARGIN: usize = 16;

/// Where the collection is.
#[derive(Debug, Clone)]
pub struct QdrantOptions {
    /// Address of the server's gRPC port.
    pub url: String,
    /// Key or token, if the server wants one.
    pub api_key: Option<SecretString>,
    /// The alias under which the index is found. The collection behind it gets a new name with every build.
    pub collection: String,
    /// Longest wait for a connection, and for the answer to one call.
    pub timeout: Duration,
    /// Shards of a new collection; `None` leaves it to the server.
    pub shard_number: Option<u32>,
    /// Copies of each shard; `None` leaves it to the server.
    pub replication_factor: Option<u32>,
}

/// The schema index in a Qdrant server.
pub struct QdrantSchemaIndex {
    server: Server,
    alias: String,
    has_vectors: bool,
}

impl QdrantSchemaIndex {
    /// Writes the index into a new collection, points the alias to it and deletes the collection that was
    /// there before. `vectors` are the documents' embeddings in the same order.
    ///
    /// # Errors
    /// When the server does not take it; the index that was there before stays in use.
    pub async fn write(
        options: &QdrantOptions,
        documents: &[SchemaDocument],
        vectors: Option<&[Vec<f32>]>,
    ) -> Result<(), SchemaIndexError> {
        let server = Server::connect(options)?;
        if let Some(count) = vectors.map(<[_]>::len).filter(|count| *count != documents.len()) {
            return Err(
                server.error(&format!("{count} vectors were given for {} documents", documents.len()))
            );
        }
        let name = format!("{}-{}", options.collection, Uuid::new_v4().simple());
        let rebuild = Rebuild { server, options, name };
        let before = rebuild.live().await?;
        if let Err(error) = rebuild.fill(documents, vectors).await {
            rebuild.delete(&rebuild.name).await;
            return Err(error);
        }
        rebuild.publish(before).await
    }

    /// Opens the index behind the alias.
    ///
    /// # Errors
    /// When the server does not answer or knows no such alias.
    pub async fn open(options: &QdrantOptions) -> Result<Self, SchemaIndexError> {
        let server = Server::connect(options)?;
        let info = match server.client.collection_info(&options.collection).await {
            Ok(info) => info,
            Err(error) if server::is_missing(&error) => {
                let reason = format!("it has no collection '{}'; run `eruca index`", options.collection);
                return Err(server.error(&reason));
            }
            Err(error) => return Err(server.failed(&error)),
        };
        Ok(Self { server, alias: options.collection.clone(), has_vectors: has_dense_vector(info) })
    }

    async fn nearest(
        &self,
        kind: SchemaKind,
        leg: &str,
        vector: VectorInput,
        limit: usize,
    ) -> Result<Vec<LegHit>, SchemaIndexError> {
        let request = QueryPointsBuilder::new(&self.alias)
            .query(vector)
            .using(leg)
            .filter(Filter::must([Condition::matches(KIND, kind.as_str().to_owned())]))
            .limit(limit.saturating_add(TIE_MARGIN) as u64)
            .with_payload(PayloadIncludeSelector::new(vec![IRI.to_owned()]));
        let answer = self.server.client.query(request).await.map_err(|error| self.server.failed(&error))?;
        let mut hits: Vec<LegHit> = answer.result.iter().filter_map(hit).collect();
        hits.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.iri.cmp(&b.iri)));
        hits.truncate(limit);
        Ok(hits)
    }
}

#[async_trait]
impl SchemaIndex for QdrantSchemaIndex {
    async fn lexical(
        &self,
        kind: SchemaKind,
        text: &str,
        limit: usize,
    ) -> Result<Vec<LegHit>, SchemaIndexError> {
        let weights = sparse::query_weights(text);
        if weights.is_empty() || limit == 0 {
            return Ok(Vec::new());
        }
        let (terms, values): (Vec<u32>, Vec<f32>) = weights.into_iter().unzip();
        self.nearest(kind, WORDS, VectorInput::new_sparse(terms, values), limit).await
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
        self.nearest(kind, DENSE, VectorInput::new_dense(vector), limit).await
    }

    fn has_vectors(&self) -> bool {
        self.has_vectors
    }
}

fn hit(point: &ScoredPoint) -> Option<LegHit> {
    let iri = point.payload.get(IRI).and_then(Value::as_str)?;
    Some(LegHit { iri: iri.to_owned(), score: point.score })
}

fn has_dense_vector(info: GetCollectionInfoResponse) -> bool {
    let params = info.result.and_then(|info| info.config).and_then(|config| config.params);
    match params.and_then(|params| params.vectors_config).and_then(|vectors| vectors.config) {
        Some(Config::ParamsMap(named)) => named.map.contains_key(DENSE),
        Some(Config::Params(_)) | None => false,
    }
}

/// A build in progress: a new collection beside the one in use.
struct Rebuild<'a> {
    server: Server,
    options: &'a QdrantOptions,
    /// Of the new collection.
    name: String,
}

impl Rebuild<'_> {
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
        let numbers: Vec<usize> = (0..documents.len()).collect();
        for batch in numbers.chunks(UPSERT_BATCH) {
            let vector = |at: usize| vectors.and_then(|vectors| vectors.get(at));
            let points: Vec<PointStruct> =
                batch.iter().filter_map(|at| point(&documents[*at], &weights[*at], vector(*at))).collect();
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

    /// Points the alias to the new collection. One action does it: the server overwrites an alias in one
    /// step, whereas it would not undo a deletion of the alias when the creation after it fails.
    async fn publish(&self, before: Option<String>) -> Result<(), SchemaIndexError> {
        let switch = CreateAliasBuilder::new(&self.name, &self.options.collection);
        if let Err(error) = self.server.client.create_alias(switch).await {
            // The switch may have been made and only its confirmation lost. When nobody can tell, a
            // collection too many is left behind rather than an alias that points to nothing.
            let live = self.live().await.map_err(|_| self.server.failed(&error))?;
            if live.as_deref() != Some(&self.name) {
                self.delete(&self.name).await;
                return Err(self.server.failed(&error));
            }
        }
        if let Some(before) = before {
            self.delete_former(&before).await;
        }
        Ok(())
    }

    /// Deletes the collection that was in use before, unless someone else made it: its data are not ours.
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

    /// Deletes a collection that is not in use. A failure costs only space on the server, so it is logged.
    async fn delete(&self, name: &str) {
        if let Err(error) = self.server.client.delete_collection(name).await {
            let error = self.server.failed(&error);
            tracing::warn!(collection = name, %error, "an unused collection could not be deleted");
        }
    }
}

/// The point of a document; `None` when it has neither words nor a vector and so could not be found.
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
    payload.insert("names", document.names.clone());
    payload.insert("text", document.text.as_str());
    payload.insert("usage", i64::try_from(document.usage).unwrap_or(i64::MAX));
    (!vectors.vectors.is_empty()).then(|| PointStruct::new(id.to_string(), vectors, payload))
}
