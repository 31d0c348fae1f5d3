//! The Qdrant server for names, where a benchmark is to measure one: `ERUCA_BENCH_QDRANT_URL` names its gRPC port, and
//! `ERUCA_BENCH_QDRANT_CLUSTER=SHARDS,COPIES` how its collections are shared out.

use eruca_indexer::{IndexTarget, QdrantOptions};
use std::path::Path;
use std::time::Duration;

/// The server, if one is named; each index folder has a collection of its own.
pub fn names_server(index: &Path) -> Option<QdrantOptions> {
    let url = std::env::var("ERUCA_BENCH_QDRANT_URL").ok()?;
    let cluster = std::env::var("ERUCA_BENCH_QDRANT_CLUSTER").unwrap_or_default();
    let (shards, copies) = cluster.split_once(',').unwrap_or_default();
    let name = index.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    Some(QdrantOptions {
        url,
        api_key: None,
        collection: format!("bench-{name}"),
        timeout: Duration::from_secs(60),
        search_timeout: Duration::from_secs(10),
        shard_number: shards.parse().ok(),
        replication_factor: copies.parse().ok(),
    })
}

/// Where a benchmark's build writes names.
pub fn names_target(index: &Path) -> IndexTarget {
    names_server(index).map_or(IndexTarget::Folder, IndexTarget::Qdrant)
}
