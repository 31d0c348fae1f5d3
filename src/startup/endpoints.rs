//! Endpoints from settings: the embedded store, loaded from files, or a remote URL.

use super::StartupError;
use crate::config::{Credentials, DatasetSettings, EndpointSettings, Settings};
use eruca_indexer::{Progress, SourceError, expand_patterns, read_quads};
use eruca_sparql::{EmbeddedStore, RemoteEndpoint, RemoteOptions, SparqlEndpoint};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;

/// Quads between the reading and the loading thread.
const QUADS_IN_FLIGHT: usize = 10_000;

/// Loads the files into a store in memory.
pub(super) fn embedded(
    settings: &Settings,
    dataset: &DatasetSettings,
    patterns: &[PathBuf],
    progress: &dyn Progress,
) -> Result<Arc<dyn SparqlEndpoint>, StartupError> {
    let failed = |source| StartupError::Store { dataset: dataset.id.clone(), source };
    let store = EmbeddedStore::in_memory().map_err(failed)?.with_max_memory(settings.sparql.max_memory);
    let files = expand_patterns(patterns)?;
    let bytes = files.iter().filter_map(|file| std::fs::metadata(file).ok()).map(|data| data.len()).sum();
    progress.begin(&format!("loading {} into the embedded store", dataset.id), Some(bytes));
    let (sender, receiver) = sync_channel(QUADS_IN_FLIGHT);
    let (read, loaded) = std::thread::scope(|scope| {
        let reader = scope.spawn(move || -> Result<(), SourceError> {
            for file in &files {
                // The receiver only goes away when the store has failed, which is reported below.
                read_quads(file, settings.index.skip_errors, progress, &mut |quad| drop(sender.send(quad)))?;
            }
            Ok(())
        });
        let loaded = store.load_quads(receiver.into_iter());
        (reader.join(), loaded)
    });
    if let Ok(read) = read {
        read?;
    }
    let load = loaded.map_err(failed)?;
    progress.end(&format!("{} triples", load.triples));
    Ok(Arc::new(store))
}

/// Prepares a remote endpoint; nothing is sent yet.
pub(super) fn remote(
    client: &reqwest::Client,
    dataset: &DatasetSettings,
    settings: &EndpointSettings,
) -> Result<Arc<dyn SparqlEndpoint>, StartupError> {
    let EndpointSettings { url, credentials, headers, default_graphs } = settings.clone();
    let credentials = match credentials {
        Credentials::None => eruca_sparql::Credentials::None,
        Credentials::Basic { user, password } => eruca_sparql::Credentials::Basic { user, password },
        Credentials::Bearer(token) => eruca_sparql::Credentials::Bearer(token),
    };
    let options = RemoteOptions { credentials, headers, default_graphs, ..RemoteOptions::new(url) };
    let failed = |source| StartupError::Endpoint { dataset: dataset.id.clone(), source };
    Ok(Arc::new(RemoteEndpoint::new(client.clone(), options).map_err(failed)?))
}
