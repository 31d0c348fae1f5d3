//! The embedded store: filled from RDF files in this process, or in a store process that forks workers for queries.

use super::StartupError;
use crate::config::{DatasetSettings, Settings};
use eruca_indexer::{GivenFormat, Progress, ReadOptions, SourceError, expand_patterns};
use eruca_sparql::{EmbeddedStore, SparqlEndpoint, StoreError, StoreLoad};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;

/// Quads between the reading and the loading thread.
const QUADS_IN_FLIGHT: usize = 10_000;

/// What a store is to hold, and what its queries may take.
#[derive(Debug, Serialize, Deserialize)]
struct StoreOrder {
    files: Vec<PathBuf>,
    skip_errors: bool,
    wikibase_base: Option<String>,
    format: Option<String>,
    max_memory: Option<u64>,
}

/// Why a store cannot be filled.
#[derive(Debug, thiserror::Error)]
enum LoadError {
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Loads the files into an embedded store.
pub(super) fn embedded(
    settings: &Settings,
    dataset: &DatasetSettings,
    patterns: &[PathBuf],
    progress: &dyn Progress,
) -> Result<Arc<dyn SparqlEndpoint>, StartupError> {
    let files = expand_patterns(patterns)?;
    let bytes = files.iter().filter_map(|file| std::fs::metadata(file).ok()).map(|data| data.len()).sum();
    progress.begin(&format!("loading {} into the embedded store", dataset.id), Some(bytes));
    let order = StoreOrder {
        files,
        skip_errors: settings.index.skip_errors,
        wikibase_base: dataset.vocabulary.base.clone(),
        format: dataset.format.map(|format| format.name().to_owned()),
        max_memory: settings.sparql.max_memory,
    };
    let loaded = match &settings.store_program {
        #[cfg(unix)]
        Some(program) if settings.sparql.worker_processes => in_process(&order, program.clone(), progress),
        _ => on_threads(&order, progress),
    };
    let (store, load) = loaded.map_err(|error| match error {
        LoadError::Source(error) => error.into(),
        LoadError::Store(source) => StartupError::Store { dataset: dataset.id.clone(), source },
    })?;
    progress.end(&format!("{} triples", load.triples));
    Ok(store)
}

type Loaded = Result<(Arc<dyn SparqlEndpoint>, StoreLoad), LoadError>;

fn on_threads(order: &StoreOrder, progress: &dyn Progress) -> Loaded {
    let (store, load) = fill(order, progress)?;
    Ok((Arc::new(store), load))
}

fn fill(order: &StoreOrder, progress: &dyn Progress) -> Result<(EmbeddedStore, StoreLoad), LoadError> {
    let store = EmbeddedStore::in_memory()?.with_max_memory(order.max_memory);
    let (sender, receiver) = sync_channel(QUADS_IN_FLIGHT);
    let (read, loaded) = std::thread::scope(|scope| {
        let reader = scope.spawn(move || -> Result<(), SourceError> {
            let how = ReadOptions {
                skip_errors: order.skip_errors,
                wikibase_base: order.wikibase_base.as_deref(),
                format: order.format.as_deref().and_then(GivenFormat::named),
            };
            for file in &order.files {
                // The receiver only goes away when the store has failed, which is reported below.
                how.quads(file, progress, &mut |quad| drop(sender.send(quad)))?;
            }
            Ok(())
        });
        let loaded = store.load_quads(receiver.into_iter());
        (reader.join(), loaded)
    });
    if let Ok(read) = read {
        read?;
    }
    Ok((store, loaded?))
}

#[cfg(unix)]
mod process {
    use super::{LoadError, Loaded, StoreOrder, fill};
    use eruca_indexer::Progress;
    use eruca_sparql::{StoreError, StoreHost, WorkerOptions, WorkerStore};
    use std::io;
    use std::path::PathBuf;
    use std::sync::{Arc, Mutex, PoisonError};

    /// The command of `eruca` that calls [`store_process`].
    pub const STORE_COMMAND: &str = "store";

    pub(super) fn in_process(order: &StoreOrder, program: PathBuf, progress: &dyn Progress) -> Loaded {
        let failed = |error: serde_json::Error| StoreError::Process {
            action: "receiving what to load",
            reason: error.to_string(),
        };
        let options = WorkerOptions {
            program,
            arguments: vec![STORE_COMMAND.into()],
            order: serde_json::to_vec(order).map_err(failed)?,
            max_memory: order.max_memory,
        };
        let started = WorkerStore::start(options, &mut |bytes| progress.advance(bytes));
        let (store, load) = started.map_err(LoadError::Store)?;
        Ok((Arc::new(store), load))
    }

    /// The life of a store process: loads what its standard input says, then serves queries until that is closed.
    ///
    /// # Errors
    /// When standard input is not the socket of a program that started it as a store process.
    pub fn store_process() -> io::Result<()> {
        let mut host = StoreHost::from_stdin()?;
        let order: StoreOrder = serde_json::from_slice(&host.order()?)?;
        let reports = Reports(Mutex::new(host));
        let filled = fill(&order, &reports);
        let mut host = reports.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        match filled {
            Ok((store, load)) => host.serve(&store, load, order.max_memory),
            Err(error) => host.refuse(&error.to_string()),
        }
    }

    /// Passes on how many bytes were read.
    struct Reports(Mutex<StoreHost>);

    impl Progress for Reports {
        fn begin(&self, _stage: &str, _total: Option<u64>) {}

        fn advance(&self, amount: u64) {
            // Whoever is not there any more needs no report; the next look at the socket ends this process.
            let _sent = self.0.lock().unwrap_or_else(PoisonError::into_inner).read(amount);
        }

        fn end(&self, _note: &str) {}
    }
}

#[cfg(unix)]
use process::in_process;
#[cfg(unix)]
pub use process::{STORE_COMMAND, store_process};
