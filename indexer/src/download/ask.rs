//! One request to the endpoint: waits while it is down or limits requests, and reports queries that it refuses.

use super::DownloadOptions;
use eruca_sparql::outgoing::Backoff;
use eruca_sparql::{
    Answer, CheckedQuery, Incomplete, Limits, Prefixes, QueryError, QueryPolicy, Results, SparqlEndpoint,
    Term, check,
};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::time::sleep;

/// Longest pause unless the endpoint asks for a longer one.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// Failures of a query after which a trivial query determines whether the endpoint or the query is the cause.
const SUSPICIOUS_FAILURES: u32 = 3;
/// Maximum size of a page in bytes.
const MAX_BYTES: usize = 256 << 20;
/// Maximum length of a query in bytes; queries of the download list many properties.
const MAX_QUERY_BYTES: usize = 200_000;
const IS_THERE: &str = "ASK { ?s ?p ?o }";

pub(super) type Row = Vec<Option<Term>>;

/// The outcome of a request.
pub(super) enum RequestOutcome {
    /// All rows, or as many as the server returns of any result; in the requested order.
    Rows(Vec<Row>),
    /// The endpoint does not answer this query completely: it is too slow or its result too large.
    Refused(String),
}

/// Sends queries to the endpoint.
pub(super) struct Asker<'a> {
    endpoint: &'a dyn SparqlEndpoint,
    limits: Limits,
    patience: Duration,
    first_pause: Duration,
    /// Whether it has ever answered: if not, there is no point in waiting for it.
    answered: AtomicBool,
}

impl<'a> Asker<'a> {
    pub(super) fn new(endpoint: &'a dyn SparqlEndpoint, options: &DownloadOptions<'_>) -> Self {
        Self {
            endpoint,
            limits: Limits { timeout: options.timeout, max_rows: usize::MAX, max_bytes: MAX_BYTES },
            patience: options.patience,
            first_pause: options.first_pause,
            answered: AtomicBool::new(false),
        }
    }

    pub(super) fn name(&self) -> &str {
        self.endpoint.name()
    }

    /// The rows of a SELECT.
    ///
    /// # Errors
    /// When the endpoint is down or busy for longer than the configured patience.
    pub(super) async fn rows(&self, text: &str) -> Result<RequestOutcome, QueryError> {
        let policy = QueryPolicy { max_length: MAX_QUERY_BYTES, ..QueryPolicy::default() };
        // The query may contain IRIs of the graph that are invalid in SPARQL.
        let query = match check(text, &Prefixes::default(), &policy) {
            Ok(query) => query,
            Err(error) => return Ok(RequestOutcome::Refused(error.to_string())),
        };
        let (mut waited, mut failures) = (Duration::ZERO, 0);
        loop {
            let error = match self.endpoint.query(&query, self.limits).await {
                Ok(answer) => {
                    self.answered.store(true, Ordering::Relaxed);
                    return Ok(reply(answer));
                }
                Err(error) if !error.is_transient() => return Ok(RequestOutcome::Refused(error.to_string())),
                Err(error) => error,
            };
            failures += 1;
            if failures >= SUSPICIOUS_FAILURES && self.fails_because_of(&error).await {
                return Ok(RequestOutcome::Refused(error.to_string()));
            }
            let pause = self.pause(&error, failures);
            if waited + pause > self.patience || self.is_hopeless(&error) {
                return Err(error);
            }
            tracing::warn!(endpoint = self.name(), %error, seconds = pause.as_secs(), "waiting");
            sleep(pause).await;
            waited += pause;
        }
    }

    /// An endpoint that has never answered is more likely a mistake than a temporary failure.
    fn is_hopeless(&self, error: &QueryError) -> bool {
        matches!(error, QueryError::Unavailable { .. }) && !self.answered.load(Ordering::Relaxed)
    }

    /// Whether the query causes the error: gateways report slow queries with the same messages as an engine that is down.
    async fn fails_because_of(&self, error: &QueryError) -> bool {
        if !matches!(error, QueryError::Unavailable { .. }) {
            return false;
        }
        match check(IS_THERE, &Prefixes::default(), &QueryPolicy::default()) {
            Ok(query) => self.is_there(&query).await,
            Err(_) => false,
        }
    }

    async fn is_there(&self, query: &CheckedQuery) -> bool {
        self.endpoint.query(query, self.limits).await.is_ok()
    }

    fn pause(&self, error: &QueryError, failures: u32) -> Duration {
        match error {
            QueryError::RateLimited { retry_after: Some(asked), .. } => *asked,
            _ => Backoff { first: self.first_pause, longest: LONGEST_PAUSE }.whole(failures - 1),
        }
    }
}

fn reply(answer: Answer) -> RequestOutcome {
    let rows = match answer.results {
        Results::Solutions(solutions) => solutions.rows,
        Results::Boolean(_) | Results::Graph(_) => {
            return RequestOutcome::Refused("the endpoint gave no table for a SELECT".to_owned());
        }
    };
    match answer.incomplete {
        None | Some(Incomplete::ServerRows(_)) => RequestOutcome::Rows(rows),
        Some(Incomplete::Endpoint(words)) => RequestOutcome::Refused(format!("only a part came: {words}")),
        Some(Incomplete::RowLimit(_) | Incomplete::ByteLimit(_)) => {
            RequestOutcome::Refused("a page is larger than the limit of bytes".to_owned())
        }
    }
}
