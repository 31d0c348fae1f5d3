//! The embedded triple store: a graph stored in the files of an index, or held in memory.
//!
//! Uses `results` for limits and answers. Evaluation is synchronous and runs on dedicated threads, at most as many as there
//! are permits.

use crate::results::{Answer, Collector, Results, Solutions, deadline, row_bytes, triple_bytes};
use crate::{CheckedQuery, Limits, QueryError, SparqlEndpoint, StoreError};
use async_trait::async_trait;
use eruca_store::StoredGraph;
use oxigraph::sparql::SparqlEvaluator;
use oxigraph::store::Store;
use oxrdf::{Dataset, GraphName, Quad};
use spareval::{CancellationToken, QueryEvaluationError, QueryEvaluator, QueryResults, QuerySolutionIter};
use spargebra::{Query, SparqlParser};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

mod interrupt;
mod joins;
mod memory;
mod paths;
mod running;

use running::RunningEvaluations;

/// Grace period after the deadline in which the evaluation may still finish before the caller gets a timeout.
const GRACE: Duration = Duration::from_millis(200);

/// Stack size of an evaluation thread: the evaluator recurses over the query, using up to 20 kB per operator in debug
/// builds, and a stack overflow would abort the process. Only touched pages use memory.
pub(crate) const STACK: usize = 64 << 20;

/// An evaluation that runs this long past its deadline gives its permit back, so that stuck evaluations cannot hold all
/// permits; [`SparqlEndpoint::overrun`] reports it.
const OVERRUN: Duration = Duration::from_secs(5);

/// How often a query waiting for a permit checks for overrunning evaluations.
const LOOK_FOR_OVERRUN: Duration = Duration::from_secs(1);

/// Number of overrunning evaluations at which new queries are rejected.
const MAX_OVERRUN: usize = 8;

/// The outcome of a load.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StoreLoad {
    /// Triples added to the store.
    pub triples: u64,
    /// Triples that were already in the store.
    pub skipped: u64,
}

/// An in-process triple store: either a read-only stored graph, or an in-memory one that can be loaded.
///
/// Queries without FROM see the union of the default graph and all named graphs, each triple once. For the in-memory store,
/// loading copies the triples of named graphs into the default graph, because Oxigraph's own union default graph yields
/// a triple once per graph; [`Self::with_union_default_graph`] turns this off.
pub struct EmbeddedStore {
    held: Held,
    union_default_graph: bool,
    permits: Arc<Semaphore>,
    max_memory: Option<u64>,
    running: Arc<RunningEvaluations>,
    /// [`OVERRUN`], except in tests.
    patience: Duration,
}

/// Where the triples are stored.
#[derive(Clone)]
enum Held {
    InMemory(Store),
    Stored(Arc<StoredGraph>),
    /// The triples of a working graph, in the default graph alone.
    Kept(Arc<Dataset>),
}

impl EmbeddedStore {
    /// Opens the graph that an index has written to `folder`. Nothing is loaded.
    ///
    /// # Errors
    /// [`StoreError::Open`] if the graph is missing or damaged.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        let graph = StoredGraph::open(folder).map_err(|error| StoreError::Open {
            location: folder.display().to_string(),
            reason: error.to_string(),
        })?;
        Ok(Self::over(Held::Stored(Arc::new(graph))))
    }

    /// Creates an empty in-memory store.
    ///
    /// # Errors
    /// [`StoreError::Open`] when the storage cannot be set up.
    pub fn in_memory() -> Result<Self, StoreError> {
        let location = || "in memory".to_owned();
        let store =
            Store::new().map_err(|e| StoreError::Open { location: location(), reason: e.to_string() })?;
        Ok(Self::over(Held::InMemory(store)))
    }

    /// A store of these triples, which do not change.
    pub(crate) fn of_triples(triples: Arc<Dataset>) -> Self {
        Self::over(Held::Kept(triples))
    }

    fn over(held: Held) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            held,
            union_default_graph: true,
            permits: Arc::new(Semaphore::new(cores)),
            max_memory: None,
            running: Arc::default(),
            patience: OVERRUN,
        }
    }

    /// Whether triples loaded into named graphs from now on are also visible without GRAPH (default: yes).
    #[must_use]
    pub fn with_union_default_graph(mut self, union: bool) -> Self {
        self.union_default_graph = union;
        self
    }

    /// Sets how many queries may run at once; the default is the number of cores.
    #[must_use]
    pub fn with_concurrency(mut self, queries: usize) -> Self {
        self.permits = Arc::new(Semaphore::new(queries.max(1)));
        self
    }

    /// Sets how many bytes the process may grow during a query before the query is cancelled; unlimited by default. Works only
    /// where the process size can be read (Linux).
    #[must_use]
    pub fn with_max_memory(mut self, bytes: Option<u64>) -> Self {
        self.max_memory = bytes;
        self
    }

    /// Adds quads atomically: all or none.
    ///
    /// # Errors
    /// [`StoreError::Storage`] when writing fails, as it always does for a stored graph; the store is then unchanged.
    pub fn load_quads(&self, quads: impl Iterator<Item = Quad>) -> Result<StoreLoad, StoreError> {
        let Held::InMemory(store) = &self.held else {
            let reason = "a graph of an index or of a question does not change".to_owned();
            return Err(StoreError::Storage { action: "loading statements", reason });
        };
        let before = self.len()?;
        let mut given = 0_u64;
        let union = self.union_default_graph;
        let statements = quads.inspect(|_| given += 1).flat_map(|quad| {
            let named = union && quad.graph_name != GraphName::DefaultGraph;
            let copy = named.then(|| Quad { graph_name: GraphName::DefaultGraph, ..quad.clone() });
            std::iter::once(quad).chain(copy)
        });
        let mut loader = store.bulk_loader();
        let loaded = loader.load_quads(statements);
        // Without the commit, the loaded quads are silently dropped.
        loaded.and_then(|()| loader.commit()).map_err(|e| storage("loading statements", &e))?;
        let triples = self.len()?.saturating_sub(before) as u64;
        Ok(StoreLoad { triples, skipped: given.saturating_sub(triples) })
    }

    /// The number of triples visible to queries: distinct triples with the union default graph, otherwise counted once per
    /// graph. Counts on every call.
    ///
    /// # Errors
    /// [`StoreError::Storage`] when reading fails.
    pub fn len(&self) -> Result<usize, StoreError> {
        let all = match &self.held {
            Held::Stored(graph) => return Ok(usize::try_from(graph.triples()).unwrap_or(usize::MAX)),
            Held::Kept(triples) => return Ok(triples.len()),
            Held::InMemory(store) if self.union_default_graph => {
                let default = Some(oxrdf::GraphNameRef::DefaultGraph);
                let quads = store.quads_for_pattern(None, None, None, default);
                quads.map(|quad| quad.map(|_| 1)).sum()
            }
            Held::InMemory(store) => store.len(),
        };
        all.map_err(|e| storage("counting triples", &e))
    }

    /// Whether the store has no triples.
    ///
    /// # Errors
    /// [`StoreError::Storage`] when reading fails.
    pub fn is_empty(&self) -> Result<bool, StoreError> {
        self.len().map(|triples| triples == 0)
    }

    /// Evaluates a query on the current thread, without a deadline: for processes that can be killed. The thread needs a stack
    /// of [`STACK`] bytes.
    #[cfg(unix)]
    pub(crate) fn evaluate_text(&self, query: &str, limits: Limits) -> Result<EvaluationOutcome, QueryError> {
        let parsed = SparqlParser::new().parse_query(query);
        let query = parsed.map_err(|error| QueryError::Rejected { message: error.to_string() })?;
        let evaluated = evaluate(&self.held, query, limits, CancellationToken::new(), Arc::default());
        evaluated.map_err(|error| failure(error, limits))
    }

    /// Waits for a permit until `deadline`, meanwhile reclaiming the permits of overrunning evaluations.
    async fn permit(&self, deadline: tokio::time::Instant) -> Result<OwnedSemaphorePermit, Waited> {
        loop {
            let (overrun, _) = self.running.release_overrun(self.patience);
            if overrun >= MAX_OVERRUN {
                let message = format!("{overrun} queries go on long after their deadlines; try again later");
                return Err(Waited::Failed(QueryError::Unavailable { message }));
            }
            let until = deadline.min(tokio::time::Instant::now() + LOOK_FOR_OVERRUN);
            match tokio::time::timeout_at(until, Arc::clone(&self.permits).acquire_owned()).await {
                Ok(permit) => return permit.map_err(|error| Waited::Failed(unavailable(&error))),
                Err(_) if until < deadline => {}
                Err(_) => return Err(Waited::TooLong),
            }
        }
    }

    /// Evaluates a parsed query on a thread of its own, within `limits`.
    pub(crate) async fn evaluate(&self, algebra: Query, limits: Limits) -> Result<Answer, QueryError> {
        let start = Instant::now();
        let deadline = deadline(start, limits.timeout);
        let timed_out = || QueryError::Timeout { after: limits.timeout };
        let permit = self.permit(deadline).await.map_err(|waited| match waited {
            Waited::TooLong => timed_out(),
            Waited::Failed(error) => error,
        })?;
        let ticket = self.running.enter(deadline.into_std(), permit);
        let token = CancellationToken::new();
        let flag = Arc::new(AtomicBool::new(false));
        let (running, evaluation) = (Arc::clone(&self.running), ticket.number());
        let guard = CancelOnDrop { token: token.clone(), flag: Arc::clone(&flag), running, evaluation };
        let watch = memory::Watch::start(self.max_memory);
        let held = self.held.clone();
        let mut evaluation = on_thread(move || {
            // Held by the thread, so that an evaluation past its deadline still counts.
            let _ticket = ticket;
            evaluate(&held, algebra, limits, token, flag)
        })?;
        let ended = tokio::select! {
            ended = tokio::time::timeout_at(deadline, &mut evaluation) => ended,
            () = watch.exceeded() => {
                drop(guard);
                let message = "it needs more memory than a query may take".to_owned();
                return Err(QueryError::TooLarge { message });
            }
        };
        let finished = match ended {
            Ok(finished) => finished,
            Err(_) => {
                drop(guard);
                let finished = tokio::time::timeout(GRACE, evaluation).await;
                // The thread may have been unwound while it was cancelled.
                Ok(finished.map_err(|_| timed_out())?.map_err(|_| timed_out())?)
            }
        };
        let evaluated = finished.map_err(|_| unavailable(&"the evaluation broke off"))?;
        let (results, incomplete) = evaluated.map_err(|error| failure(error, limits))?;
        Ok(Answer { results, incomplete, elapsed: start.elapsed() })
    }
}

/// Why a query got no permit.
enum Waited {
    TooLong,
    Failed(QueryError),
}

fn storage(action: &'static str, error: &oxigraph::store::StorageError) -> StoreError {
    StoreError::Storage { action, reason: error.to_string() }
}

/// Cancels the evaluation when the caller's future completes or is dropped.
struct CancelOnDrop {
    token: CancellationToken,
    flag: Arc<AtomicBool>,
    running: Arc<RunningEvaluations>,
    evaluation: u64,
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.token.cancel();
        self.flag.store(true, Ordering::Relaxed);
        self.running.forsake(self.evaluation);
    }
}

#[async_trait]
impl SparqlEndpoint for EmbeddedStore {
    async fn query(&self, query: &CheckedQuery, limits: Limits) -> Result<Answer, QueryError> {
        self.evaluate(query.algebra().clone(), limits).await
    }

    fn is_own(&self) -> bool {
        true
    }

    fn name(&self) -> &str {
        "embedded store"
    }

    fn overrun(&self) -> Option<Duration> {
        self.running.release_overrun(self.patience).1
    }
}

fn failure(error: QueryEvaluationError, limits: Limits) -> QueryError {
    match error {
        QueryEvaluationError::Cancelled => QueryError::Timeout { after: limits.timeout },
        QueryEvaluationError::Dataset(error) => {
            unavailable(&format!("{error}; build the index again: eruca index"))
        }
        other => QueryError::Rejected { message: other.to_string() },
    }
}

fn unavailable(error: &impl ToString) -> QueryError {
    QueryError::Unavailable { message: error.to_string() }
}

/// Runs `work` on a new thread with a large stack. The thread is detached, and its result is dropped if the caller is gone.
fn on_thread<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<oneshot::Receiver<T>, QueryError> {
    let (sender, receiver) = oneshot::channel();
    let thread = std::thread::Builder::new().name("sparql".to_owned()).stack_size(STACK);
    // Sending fails only if the caller is gone.
    let spawned = thread.spawn(move || drop(sender.send(work())));
    spawned.map_err(|e| unavailable(&format!("cannot start a thread for the query: {e}")))?;
    Ok(receiver)
}

pub(crate) type EvaluationOutcome = (Results, Option<crate::Incomplete>);

fn evaluate(
    held: &Held,
    mut query: Query,
    limits: Limits,
    token: CancellationToken,
    flag: Arc<AtomicBool>,
) -> Result<EvaluationOutcome, QueryEvaluationError> {
    paths::known_ends_first(&mut query);
    interrupt::guard_products(&mut query);
    match held {
        Held::InMemory(store) => {
            let evaluator = SparqlEvaluator::new()
                .with_cancellation_token(token)
                .with_custom_function(interrupt::guard_name(), interrupt::guard(flag));
            collect(evaluator.for_query(query).on_store(store).execute()?, limits)
        }
        Held::Kept(triples) => {
            let evaluator = QueryEvaluator::new()
                .with_cancellation_token(token)
                .with_custom_function(interrupt::guard_name(), interrupt::guard(flag));
            collect(evaluator.prepare(&query).execute(triples.as_ref())?, limits)
        }
        Held::Stored(graph) => {
            joins::fewest_rows_first(&mut query, graph.as_ref());
            let evaluator = QueryEvaluator::new()
                .with_cancellation_token(token)
                .with_custom_function(interrupt::guard_name(), interrupt::guard(flag));
            let outcome = collect(evaluator.prepare(&query).execute(graph.view())?, limits)?;
            match graph.damage() {
                Some(damage) => Err(QueryEvaluationError::Dataset(Box::new(damage.clone()))),
                None => Ok(outcome),
            }
        }
    }
}

fn collect(results: QueryResults<'_>, limits: Limits) -> Result<EvaluationOutcome, QueryEvaluationError> {
    match results {
        QueryResults::Boolean(value) => Ok((Results::Boolean(value), None)),
        QueryResults::Solutions(solutions) => collect_rows(solutions, limits),
        QueryResults::Graph(triples) => {
            let mut kept = Collector::new(limits);
            for triple in triples {
                let triple = triple?;
                let bytes = triple_bytes(&triple);
                if !kept.push(triple, bytes) {
                    break;
                }
            }
            Ok((Results::Graph(kept.items), kept.incomplete))
        }
    }
}

fn collect_rows(
    solutions: QuerySolutionIter<'_>,
    limits: Limits,
) -> Result<EvaluationOutcome, QueryEvaluationError> {
    let variables = solutions.variables().iter().map(|v| v.as_str().to_owned()).collect();
    let mut kept = Collector::new(limits);
    for solution in solutions {
        let row = solution?.values().to_vec();
        let bytes = row_bytes(&row);
        if !kept.push(row, bytes) {
            break;
        }
    }
    Ok((Results::Solutions(Solutions { variables, rows: kept.items }), kept.incomplete))
}

#[cfg(test)]
mod tests;
