//! The vectors of passages in a Qdrant server: a point for each, with the number of the passage as its id and the things that
//! it is about. Writer and reader are in this file.
//!
//! The numbers mean the passages of one build, so that no other collection is searched when this build's is gone.

use super::{DENSE, TIE_MARGIN, dense_vectors};
use crate::qdrant::{
    NewCollection, PAUSE, Pause, QdrantFailure, QdrantOptions, QdrantServer, Requests, is_missing,
};
use crate::schema_index::SchemaIndexError;
use qdrant_client::Payload;
use qdrant_client::qdrant::point_id::PointIdOptions;
use qdrant_client::qdrant::{
    Condition, CreateCollectionBuilder, CreateFieldIndexCollectionBuilder, FieldType, Filter, NamedVectors,
    PointStruct, QueryPointsBuilder, ScoredPoint, SearchParamsBuilder, Vector,
};
use std::path::Path;

/// The things of a passage.
const THINGS: &str = "things";
/// Up to this number of passages, the server compares every vector; beyond that, its own vector index finds most of the
/// nearest in less time.
const EXACT_PASSAGES: u64 = 100_000;
/// Passages that a filter names one by one; those of more are filtered by their things.
const MAX_IDS: usize = 1_000;

/// A collection of vectors being filled.
pub(crate) struct NewPassages(NewCollection);

impl NewPassages {
    /// Creates a collection for vectors of a length.
    pub(crate) async fn start(
        options: &QdrantOptions,
        folder: &Path,
        dimension: usize,
    ) -> Result<Self, SchemaIndexError> {
        let server = QdrantServer::connect(options)?;
        let new = NewCollection::start(server, options, options.texts_alias(), folder).await?;
        if let Err(error) = Self::create(&new, dimension).await {
            new.discard().await;
            return Err(error.into());
        }
        Ok(Self(new))
    }

    async fn create(new: &NewCollection, dimension: usize) -> Result<(), QdrantFailure> {
        let content = CreateCollectionBuilder::new(new.name()).vectors_config(dense_vectors(dimension));
        new.create(content).await?;
        new.index_field(CreateFieldIndexCollectionBuilder::new(new.name(), THINGS, FieldType::Keyword)).await
    }

    /// Adds passages with their numbers, things and vectors.
    pub(crate) async fn add<'a>(
        &self,
        passages: impl Iterator<Item = ((u32, &'a [String]), Vec<f32>)> + Send,
    ) -> Result<(), SchemaIndexError> {
        let points = passages.map(|((number, things), vector)| {
            let vectors = NamedVectors::default().add_vector(DENSE, Vector::new_dense(vector));
            let mut payload = Payload::with_capacity(1);
            payload.insert(THINGS, things.to_vec());
            PointStruct::new(u64::from(number), vectors, payload)
        });
        Ok(self.0.add(points.collect()).await?)
    }

    /// Deletes the collection again.
    pub(crate) async fn discard(&self) {
        self.0.discard().await;
    }

    /// The collection, which is not in use yet.
    pub(crate) fn finish(self) -> NewCollection {
        self.0
    }
}

/// Vectors of passages in a Qdrant server.
pub(crate) struct QdrantPassages {
    requests: Requests,
    passages: u64,
}

impl QdrantPassages {
    /// Opens the vectors of so many passages in a collection.
    pub(crate) async fn open(
        options: &QdrantOptions,
        collection: &str,
        passages: u64,
    ) -> Result<Self, SchemaIndexError> {
        let server = QdrantServer::connect(options)?;
        if let Err(error) = server.collection(collection).await {
            let missing = || server.error(&format!("it has no collection '{collection}'; run `eruca index`"));
            return Err(if is_missing(&error) { missing() } else { server.failed(&error) }.into());
        }
        let requests = Requests {
            server,
            collection: collection.to_owned(),
            alias: None,
            tries: options.hasty(),
            pause: Pause::of(PAUSE),
            meanwhile: "the words of texts alone are searched",
        };
        Ok(Self { requests, passages })
    }

    /// The nearest passages with their similarity, all or those among some.
    ///
    /// # Errors
    /// When the server fails or is late.
    pub(crate) async fn nearest(
        &self,
        vector: &[f32],
        among: Option<Among<'_>>,
        limit: usize,
    ) -> Result<Vec<(u32, f32)>, SchemaIndexError> {
        let mut request = QueryPointsBuilder::new(&self.requests.collection)
            .query(vector.to_vec())
            .using(DENSE)
            .params(SearchParamsBuilder::default().exact(self.passages <= EXACT_PASSAGES))
            .limit(limit.saturating_add(TIE_MARGIN) as u64);
        if let Some(among) = among {
            request = request.filter(filter(among));
        }
        let points = self.requests.send(request).await?;
        Ok(points.iter().filter_map(near).collect())
    }

    /// Whether the server answers and has the collection.
    ///
    /// # Errors
    /// When it does not.
    pub(crate) async fn check(&self) -> Result<(), SchemaIndexError> {
        Ok(self.requests.check().await?)
    }
}

/// Some passages.
#[derive(Clone, Copy)]
pub(crate) struct Among<'a> {
    /// Their numbers.
    pub(crate) numbers: &'a [u32],
    /// The things by which most of them are found.
    pub(crate) things: &'a [String],
}

/// Names each passage by its number, or if they are many, the things that they are linked to.
fn filter(among: Among<'_>) -> Filter {
    let condition = if among.numbers.len() <= MAX_IDS || among.things.is_empty() {
        Condition::has_id(among.numbers.iter().take(MAX_IDS).map(|number| u64::from(*number)))
    } else {
        Condition::matches(THINGS, among.things.to_vec())
    };
    Filter::must([condition])
}

fn near(point: &ScoredPoint) -> Option<(u32, f32)> {
    match point.id.as_ref()?.point_id_options.as_ref()? {
        PointIdOptions::Num(number) => Some((u32::try_from(*number).ok()?, point.score)),
        PointIdOptions::Uuid(_) => None,
    }
}
