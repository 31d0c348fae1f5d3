//! Results of pages, kept in memory until they are to be run again, each run by one reader at a time. An endpoint that is down does
//! not take away what it gave before.
//!
//! A result is that of a query over one state of a dataset: when its index or what its owner hides has changed, it is run anew.

use super::{BoardError, FilledPage};
use crate::service::index::confirm_index;
use crate::service::{QuestionTime, Service, ServiceError, fault};
use eruca_api::ErrorBody;
use eruca_sparql::{Answer, QueryError, Results as QueryResults};
use futures_util::FutureExt;
use moka::policy::EvictionPolicy;
use moka::sync::Cache;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// Memory of all results.
const MAX_BYTES: u64 = 64 << 20;
/// What a result takes besides its rows.
const ENTRY_BYTES: usize = 4 << 10;
/// How long a result counts where the question does not say it.
const USUAL: Duration = Duration::from_secs(300);
/// How long an endpoint that has failed is left alone.
const RETRY: Duration = Duration::from_secs(15);
/// The code of a result that is older than it should be, while the query is run again.
const REFRESHING: &str = "refreshing";
/// How soon a result that is being run again should be looked for.
const SOON: Duration = Duration::from_secs(5);

/// What time it is.
pub type Clock = Arc<dyn Fn() -> SystemTime + Send + Sync>;

/// What running a page's query gave.
pub struct KeptResult {
    /// The result.
    pub answer: Arc<Answer>,
    /// When the query was run.
    pub made_at: SystemTime,
    /// Identifies the rows in their order.
    pub digest: u64,
}

/// A result with its age.
#[derive(Clone)]
pub struct ServedResult {
    /// The result.
    pub kept: Arc<KeptResult>,
    /// How long it counts from now on.
    pub fresh: Duration,
    /// Why it is older than it should be, if it is.
    pub stale: Option<ErrorBody>,
}

/// Told once the query of a page has been run, also beside the reader who gets an older result: what came of it, after which time.
pub type Told = Box<dyn FnOnce(Result<&Answer, &BoardError>, Duration) + Send>;

/// The results of pages.
pub(in crate::service) struct Results {
    slots: Cache<String, Arc<Slot>>,
    pub(in crate::service) clock: Clock,
}

/// The place of one result.
#[derive(Default)]
struct Slot {
    state: Mutex<State>,
    /// Held by who runs the query.
    turn: Arc<tokio::sync::Mutex<()>>,
}

#[derive(Default, Clone)]
struct State {
    kept: Option<Arc<KeptResult>>,
    /// The last attempt, if it has failed.
    failed: Option<(SystemTime, ErrorBody)>,
}

impl Default for Results {
    fn default() -> Self {
        let weight = |key: &String, slot: &Arc<Slot>| {
            let rows = slot.state().kept.as_ref().map_or(0, |kept| kept.answer.kept_bytes());
            u32::try_from(key.len() + ENTRY_BYTES + rows).unwrap_or(u32::MAX)
        };
        let slots =
            Cache::builder().max_capacity(MAX_BYTES).eviction_policy(EvictionPolicy::lru()).weigher(weight);
        Self { slots: slots.build(), clock: Arc::new(SystemTime::now) }
    }
}

impl Slot {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What can be served at once: a result that counts, or one whose endpoint has just failed.
    fn served(&self, now: SystemTime, every: Duration) -> Option<ServedResult> {
        let State { kept, failed } = self.state().clone();
        let kept = kept?;
        // A clock that was put back makes a result neither older nor younger than it can be.
        let age = now.duration_since(kept.made_at).unwrap_or(every);
        if age < every {
            return Some(ServedResult { fresh: every - age, kept, stale: None });
        }
        let (at, error) = failed?;
        let waited = now.duration_since(at).unwrap_or(RETRY);
        (waited < RETRY).then(|| ServedResult { fresh: RETRY - waited, kept, stale: Some(error) })
    }

    fn last(&self) -> Option<Arc<KeptResult>> {
        self.state().kept.clone()
    }
}

impl Service {
    /// The same with another clock for the ages of results.
    #[must_use]
    pub fn with_clock(self, clock: Clock) -> Self {
        Self { results: Results { clock, ..self.results }, ..self }
    }

    /// Whether the result of a page can be had without running its query.
    pub fn has_result(&self, page: &FilledPage) -> bool {
        let slot = self.results.slots.get(&page.key());
        slot.is_some_and(|slot| {
            let served = slot.served((self.results.clock)(), every(page));
            served.is_some() || (page.question.stale && slot.last().is_some())
        })
    }

    /// The result of a page: as it is kept, or else as its query gives it now, which is told.
    ///
    /// # Errors
    /// If the query fails and has not given anything before.
    pub async fn page_result(
        self: &Arc<Self>,
        page: &FilledPage,
        told: Told,
    ) -> Result<ServedResult, BoardError> {
        let slot = self.results.slots.get_with(page.key(), Arc::default);
        let look = || slot.served((self.results.clock)(), every(page));
        if let Some(served) = look() {
            return Ok(served);
        }
        if let Some(kept) = slot.last().filter(|_| page.question.stale) {
            self.run_aside(page, &slot, told);
            let detail = "the query is being run again; this is the result before".to_owned();
            return Ok(ServedResult { kept, fresh: SOON, stale: Some(ErrorBody::new(detail, REFRESHING)) });
        }
        let time = QuestionTime::from_now(self.limits.deadline);
        let turn = tokio::time::timeout(time.allowed / 2, slot.turn.lock()).await;
        let _turn =
            turn.map_err(|_| ServiceError::Overloaded { limit: 1, waiting: 0, retry_after: RETRY })?;
        // Another reader may have run it meanwhile.
        match look() {
            Some(served) => Ok(served),
            None => self.run_page(page, &slot, time, told).await,
        }
    }

    /// Runs a query beside the reader who gets the result before, unless that is being done.
    fn run_aside(self: &Arc<Self>, page: &FilledPage, slot: &Arc<Slot>, told: Told) {
        let Ok(turn) = slot.turn.clone().try_lock_owned() else { return };
        let (service, page, slot) = (self.clone(), page.clone(), slot.clone());
        tokio::spawn(async move {
            let _turn = turn;
            // What has failed is told to the next reader.
            let time = QuestionTime::from_now(service.limits.deadline);
            let _later = service.run_page(&page, &slot, time, told).await;
        });
    }

    async fn run_page(
        &self,
        page: &FilledPage,
        slot: &Arc<Slot>,
        time: QuestionTime,
        told: Told,
    ) -> Result<ServedResult, BoardError> {
        let (now, started) = ((self.results.clock)(), Instant::now());
        let ran = self.run_verified(page, time).await;
        told(ran.as_ref().map(|(answer, _)| answer.as_ref()), started.elapsed());
        match ran {
            Ok((answer, digest)) => {
                let kept = Arc::new(KeptResult { answer, made_at: now, digest });
                *slot.state() = State { kept: Some(kept.clone()), failed: None };
                // Put there again, it is weighed with its rows.
                self.results.slots.insert(page.key(), slot.clone());
                Ok(ServedResult { kept, fresh: every(page), stale: None })
            }
            Err(error) => {
                let body = passing(&error);
                match (slot.last(), body) {
                    (Some(kept), Some(body)) => {
                        slot.state().failed = Some((now, body.clone()));
                        Ok(ServedResult { kept, fresh: RETRY, stale: Some(body) })
                    }
                    _ => Err(error),
                }
            }
        }
    }

    /// Runs a query within the limits of questions.
    async fn run_verified(
        &self,
        page: &FilledPage,
        time: QuestionTime,
    ) -> Result<(Arc<Answer>, u64), BoardError> {
        let FilledPage { dataset, query, .. } = page.clone();
        let _place = self.queue.enter(time.left() / 2).await?;
        let asked = dataset.clone();
        let work = async move {
            let answer = asked.run_anew(&query, time.left()).await?;
            let digest = digest(&answer);
            Ok::<_, QueryError>((answer, digest))
        };
        let ran = AssertUnwindSafe(self.cpu_pool.run(work)).catch_unwind().await;
        confirm_index(&dataset).await?;
        let (answer, digest) = ran.map_err(|panic| fault(panic.as_ref(), Vec::new()))??;
        let (name, rows) = (page.question.name.as_deref().unwrap_or_default(), answer.row_count());
        tracing::info!(dataset = dataset.id, name, rows, "the query of a page was run");
        Ok((answer, digest))
    }
}

/// How long a result counts.
fn every(page: &FilledPage) -> Duration {
    page.question.refresh.unwrap_or(USUAL)
}

/// What is told of an error that may pass; `None` for those that say that the query must not be run.
fn passing(error: &BoardError) -> Option<ErrorBody> {
    let code = match error {
        BoardError::Query(QueryError::Unavailable { .. }) => "endpoint_down",
        BoardError::Query(QueryError::Timeout { .. }) => "query_timeout",
        BoardError::Query(QueryError::RateLimited { .. }) => "endpoint_busy",
        BoardError::Service(ServiceError::Overloaded { .. }) => "overloaded",
        _ => return None,
    };
    Some(ErrorBody::new(error.to_string(), code))
}

/// A digest of the rows in their order.
fn digest(answer: &Answer) -> u64 {
    let mut hasher = DefaultHasher::new();
    if let QueryResults::Boolean(holds) = answer.results {
        holds.hash(&mut hasher);
    }
    for row in answer.table(usize::MAX).rows {
        row.iter().map(|cell| cell.as_ref().map(ToString::to_string)).for_each(|cell| cell.hash(&mut hasher));
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVERY: Duration = Duration::from_secs(60);

    fn kept(made_at: SystemTime) -> Option<Arc<KeptResult>> {
        let answer =
            Answer { results: QueryResults::Boolean(true), incomplete: None, elapsed: Duration::ZERO };
        Some(Arc::new(KeptResult { digest: digest(&answer), answer: answer.into(), made_at }))
    }

    #[test]
    fn a_result_counts_for_its_time_and_longer_where_the_endpoint_has_just_failed() {
        let start = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
        let slot = Slot::default();
        let at = |seconds: u64| start + Duration::from_secs(seconds);
        assert!(slot.served(start, EVERY).is_none());
        slot.state().kept = kept(start);
        assert_eq!(slot.served(at(59), EVERY).unwrap().fresh, Duration::from_secs(1));
        assert!(slot.served(at(60), EVERY).is_none());
        assert!(slot.served(start - EVERY, EVERY).is_none(), "the clock was put back");
        slot.state().failed = Some((at(61), ErrorBody::new("down".to_owned(), "endpoint_down")));
        let served = slot.served(at(70), EVERY).unwrap();
        assert_eq!(
            (served.fresh, served.stale.unwrap().code.as_ref()),
            (Duration::from_secs(6), "endpoint_down")
        );
        assert!(slot.served(at(76), EVERY).is_none(), "it is tried again");
    }
}
