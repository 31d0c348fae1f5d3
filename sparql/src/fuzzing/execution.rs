//! Running what passes the check, on a tiny graph in worker processes.

use crate::{CheckedQuery, Limits, SparqlEndpoint, WorkerOptions, WorkerStore, proc_status};
use std::sync::LazyLock;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

/// The variable that names the program whose command `store` is a store process; without it nothing is run.
const PROGRAM: &str = "ERUCA_FUZZ_PROGRAM";
/// Time, rows and bytes for one query.
const LIMITS: Limits = Limits { timeout: Duration::from_millis(100), max_rows: 1_000, max_bytes: 1 << 20 };
const MAX_MEMORY: u64 = 64 << 20;
/// Bytes of memory for a worker in all: the query's, the graph's, the program's.
const MAX_WORKER: u64 = 2 * MAX_MEMORY;
/// How far a busy machine may overrun the timeout.
const PATIENCE: Duration = Duration::from_secs(10);

struct Place {
    runtime: Runtime,
    store: WorkerStore,
    process: Option<u32>,
}

static PLACE: LazyLock<Option<Place>> = LazyLock::new(|| {
    let program = std::env::var_os(PROGRAM)?;
    let graph = std::env::temp_dir().join(format!("eruca-fuzz-{}.nt", std::process::id()));
    let triple = |i: usize| {
        format!("<http://e.x/{}> <http://e.x/p{}> \"{i}\", <http://e.x/{}> .\n", i % 9, i % 3, i % 7)
    };
    let triples: String = (0..40).map(triple).collect();
    std::fs::write(graph.with_extension("ttl"), triples).ok()?;
    let order = format!(
        "{{\"files\":[{:?}],\"skip_errors\":false,\"max_memory\":{MAX_MEMORY}}}",
        graph.with_extension("ttl")
    );
    let options = WorkerOptions {
        program: program.into(),
        arguments: vec!["store".into()],
        order: order.into_bytes(),
        max_memory: Some(MAX_MEMORY),
    };
    let runtime = Builder::new_current_thread().enable_all().build().ok()?;
    let (store, _) = WorkerStore::start(options, &mut |_| {}).ok()?;
    let process = store.process_id();
    Some(Place { runtime, store, process })
});

/// Runs a checked query.
///
/// # Panics
/// When it outlives its time or its memory, or costs more than itself.
pub(super) fn run(query: &CheckedQuery) {
    let Some(Place { runtime, store, process }) = &*PLACE else { return };
    let outcome =
        runtime.block_on(async { tokio::time::timeout(PATIENCE, store.query(query, LIMITS)).await });
    match outcome {
        Err(_) => unreachable!("no end: {}", query.text()),
        Ok(Ok(answer)) => assert!(answer.row_count() <= LIMITS.max_rows),
        Ok(Err(error)) => {
            let known = matches!(error.kind(), "timeout" | "too_large" | "rejected");
            assert!(known, "{error}: {}", query.text());
        }
    }
    assert_eq!(store.process_id(), *process, "the store process has ended: {}", query.text());
    for peak in peaks(*process) {
        assert!(peak < MAX_WORKER, "{peak} bytes: {}", query.text());
    }
}

/// The most memory that each living worker has had, in bytes.
fn peaks(store: Option<u32>) -> Vec<u64> {
    let Some(store) = store else { return Vec::new() };
    let children =
        std::fs::read_to_string(format!("/proc/{store}/task/{store}/children")).unwrap_or_default();
    let peak = |child: &str| proc_status::size(&format!("/proc/{child}/status"), "VmHWM:");
    children.split_whitespace().filter_map(peak).collect()
}
