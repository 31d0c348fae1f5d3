//! Runs checked queries on a tiny graph in worker processes.

use crate::{CheckedQuery, Limits, SparqlEndpoint, WorkerOptions, WorkerStore, proc_status};
use eruca_store::{StoreWriter, WriterOptions};
use oxrdf::{GraphName, Literal, NamedNode, Quad, Term};
use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

/// The environment variable naming the program whose `worker` command runs a worker; if unset, nothing is run.
const PROGRAM: &str = "ERUCA_FUZZ_PROGRAM";
/// Limits of a query.
const LIMITS: Limits = Limits { timeout: Duration::from_millis(100), max_rows: 1_000, max_bytes: 1 << 20 };
const MAX_MEMORY: u64 = 64 << 20;
/// Maximum total memory of a worker in bytes: query, graph and program.
const MAX_WORKER: u64 = 2 * MAX_MEMORY;
/// Tolerated overrun of the timeout on a busy machine.
const PATIENCE: Duration = Duration::from_secs(10);

struct Place {
    runtime: Runtime,
    store: WorkerStore,
}

static PLACE: LazyLock<Option<Place>> = LazyLock::new(|| {
    let program = std::env::var_os(PROGRAM)?;
    let graph = std::env::temp_dir().join(format!("eruca-fuzz-{}", std::process::id()));
    write(&graph).ok()?;
    let options = WorkerOptions {
        program: program.into(),
        arguments: vec!["worker".into()],
        graph,
        max_memory: Some(MAX_MEMORY),
    };
    let runtime = Builder::new_current_thread().enable_all().build().ok()?;
    let store = WorkerStore::open(options).ok()?;
    Some(Place { runtime, store })
});

fn write(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let mut writer = StoreWriter::create(&WriterOptions { folder, work: folder, quads_in_memory: 1_000 })?;
    let node = |name: String| NamedNode::new_unchecked(format!("http://e.x/{name}"));
    for number in 0..40 {
        let (subject, predicate) = (node((number % 9).to_string()), node(format!("p{}", number % 3)));
        let objects = [Term::from(Literal::from(number.to_string())), node((number % 7).to_string()).into()];
        for object in objects {
            writer.add(&Quad::new(subject.clone(), predicate.clone(), object, GraphName::DefaultGraph))?;
        }
    }
    writer.finish().map(drop)
}

/// Runs a checked query.
///
/// # Panics
/// If it exceeds its time or memory limit, or affects more than itself.
pub(super) fn run(query: &CheckedQuery) {
    let Some(Place { runtime, store }) = &*PLACE else { return };
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
    for peak in peaks() {
        assert!(peak < MAX_WORKER, "{peak} bytes: {}", query.text());
    }
}

/// The peak memory of each living worker, in bytes.
fn peaks() -> Vec<u64> {
    let own = std::process::id();
    let children = std::fs::read_to_string(format!("/proc/{own}/task/{own}/children")).unwrap_or_default();
    let peak = |child: &str| proc_status::size(&format!("/proc/{child}/status"), "VmHWM:");
    children.split_whitespace().filter_map(peak).collect()
}
