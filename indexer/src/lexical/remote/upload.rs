//! Sends points to a new collection while a build goes on: a few calls at a time, so that neither the build's memory nor the
//! server is flooded, and each again for a while when a node has gone.

use super::bridge::Bridge;
use super::part::Part;
use crate::qdrant::{NewCollection, QdrantFailure, QdrantOptions, QdrantServer, may_pass};
use qdrant_client::qdrant::{
    CreateCollectionBuilder, CreateFieldIndexCollectionBuilder, FieldType, IntegerIndexParamsBuilder,
    OptimizersConfigDiffBuilder, PointStruct, SparseIndexConfigBuilder, SparseVectorParamsBuilder,
    SparseVectorsConfigBuilder, UpsertPointsBuilder, WalConfigDiffBuilder,
};
use std::collections::VecDeque;
use std::path::Path;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use uuid::Uuid;

/// Calls under way at the same time.
const UNDER_WAY: usize = 4;
/// How long a call is made again before the build fails: a node that is restarted has come back by then.
const PATIENCE: Duration = Duration::from_secs(120);
/// The first pause before a call is made again; each is twice as long as the one before, up to the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// Size of a file of a shard's log of changes: the server's 32 MB are much for many small shards.
const WAL_MB: u64 = 8;
/// Kilobytes of a segment from which on the server keeps it in mapped files.
const MAPPED_FROM_KB: u64 = 10_000;

/// A new collection for names, to which a build sends its points.
pub(crate) struct NamesUpload {
    bridge: Bridge,
    server: Arc<QdrantServer>,
    collection: String,
    under_way: Mutex<VecDeque<Receiver<Result<(), QdrantFailure>>>>,
}

impl NamesUpload {
    /// Creates the collection. `folder` is the index folder, with the list of collections that were started.
    ///
    /// # Errors
    /// When the server refuses it.
    pub(crate) async fn start(
        options: &QdrantOptions,
        folder: &Path,
    ) -> Result<(Self, NewCollection), QdrantFailure> {
        let server = QdrantServer::connect(options)?;
        let new = NewCollection::start(server, options, options.names_alias(), folder).await?;
        if let Err(error) = create(&new).await {
            new.discard().await;
            return Err(error);
        }
        Self::to(options, new)
    }

    /// Takes part in an upload to the collection of a build that several jobs share; creates it if it is not there.
    ///
    /// # Errors
    /// When the server refuses it.
    pub(crate) async fn join(
        options: &QdrantOptions,
        folder: &Path,
        build: Uuid,
    ) -> Result<(Self, NewCollection), QdrantFailure> {
        let server = QdrantServer::connect(options)?;
        let new = NewCollection::shared(server, options, options.names_alias(), folder, build)?;
        if let Err(error) = create(&new).await
            && !new.is_there().await?
        {
            return Err(error);
        }
        index_keys(&new).await?;
        Self::to(options, new)
    }

    fn to(options: &QdrantOptions, new: NewCollection) -> Result<(Self, NewCollection), QdrantFailure> {
        // A client of its own: connections belong to the runtime that has made them.
        let server = QdrantServer::connect(options)?;
        let bridge =
            Bridge::start().map_err(|error| server.error(&format!("no thread for its calls: {error}")))?;
        let under_way = Mutex::new(VecDeque::with_capacity(UNDER_WAY));
        let collection = new.name().to_owned();
        Ok((Self { bridge, server: Arc::new(server), collection, under_way }, new))
    }

    /// Sends points; waits while too many calls are under way.
    ///
    /// # Errors
    /// When the server has refused points, these or others sent before.
    pub(super) fn send(&self, points: Vec<PointStruct>) -> Result<(), QdrantFailure> {
        let mut under_way = self.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        while under_way.len() >= UNDER_WAY {
            self.wait_for(under_way.pop_front())?;
        }
        let request = UpsertPointsBuilder::new(&self.collection, points).wait(true);
        let server = Arc::clone(&self.server);
        under_way.push_back(self.bridge.begin(async move { stored(&server, request).await }));
        Ok(())
    }

    /// Waits until everything that was sent is stored.
    ///
    /// # Errors
    /// When the server has refused points.
    pub(super) fn finish(&self) -> Result<(), QdrantFailure> {
        let mut under_way = self.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some(call) = under_way.pop_front() {
            self.wait_for(Some(call))?;
        }
        Ok(())
    }

    fn wait_for(&self, call: Option<Receiver<Result<(), QdrantFailure>>>) -> Result<(), QdrantFailure> {
        let stopped = || self.server.error("a call has ended without a result");
        call.map_or(Ok(()), |call| call.recv().unwrap_or_else(|_| Err(stopped())))
    }
}

/// Stores points, again for a while if the server cannot. Storing them twice changes nothing.
async fn stored(server: &QdrantServer, request: UpsertPointsBuilder) -> Result<(), QdrantFailure> {
    let (begun, mut pause) = (Instant::now(), FIRST_PAUSE);
    loop {
        let error = match server.client.upsert_points(request.clone()).await {
            Ok(_) => return Ok(()),
            Err(error) => error,
        };
        let failed = server.failed(&error);
        if !may_pass(&error) || begun.elapsed() > PATIENCE {
            return Err(failed);
        }
        tracing::warn!(error = %failed, pause = ?pause, "points are sent again");
        tokio::time::sleep(pause).await;
        pause = LONGEST_PAUSE.min(pause * 2);
    }
}

/// Vectors and payload are on disk, so that the memory of a node does not grow with the names.
async fn create(new: &NewCollection) -> Result<(), QdrantFailure> {
    let mut vectors = SparseVectorsConfigBuilder::default();
    for vector in [Part::Entities, Part::Values].into_iter().flat_map(|part| [part.name(), part.words()]) {
        let index = SparseIndexConfigBuilder::default().on_disk(true);
        vectors.add_named_vector_params(vector, SparseVectorParamsBuilder::default().index(index));
    }
    let content = CreateCollectionBuilder::new(new.name())
        .sparse_vectors_config(vectors)
        .on_disk_payload(true)
        .wal_config(WalConfigDiffBuilder::default().wal_capacity_mb(WAL_MB))
        .optimizers_config(OptimizersConfigDiffBuilder::default().memmap_threshold(MAPPED_FROM_KB));
    new.create(content).await?;
    index_keys(new).await
}

/// Indexing a field again changes nothing.
async fn index_keys(new: &NewCollection) -> Result<(), QdrantFailure> {
    let exact = IntegerIndexParamsBuilder::new(true, false).on_disk(true);
    let field = CreateFieldIndexCollectionBuilder::new(new.name(), super::points::KEYS, FieldType::Integer);
    new.index_field(field.field_index_params(exact)).await
}
