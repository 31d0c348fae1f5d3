//! The embedded store: the graph of an index, queried in worker processes or on threads of this one.

use crate::config::Settings;
use eruca_sparql::{EmbeddedStore, SparqlEndpoint, StoreError};
use std::path::Path;
use std::sync::Arc;

/// The `eruca` command that runs a worker.
#[cfg(unix)]
pub const WORKER_COMMAND: &str = "worker";

/// Opens the graph in this folder.
pub(super) fn embedded(settings: &Settings, graph: &Path) -> Result<Arc<dyn SparqlEndpoint>, StoreError> {
    let max_memory = settings.sparql.max_memory;
    #[cfg(unix)]
    if let (Some(program), true) = (&settings.store_program, settings.sparql.worker_processes) {
        let options = eruca_sparql::WorkerOptions {
            program: program.clone(),
            arguments: vec![WORKER_COMMAND.into()],
            graph: graph.to_owned(),
            max_memory,
        };
        return Ok(Arc::new(eruca_sparql::WorkerStore::open(options)?));
    }
    Ok(Arc::new(EmbeddedStore::open(graph)?.with_max_memory(max_memory)))
}
