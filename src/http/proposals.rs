//! Proposals over HTTP: who may make how many, who may decide, and which questions a trial asks again.

use super::App;
use super::dto::ValidationError;
use super::error::ApiError;
use crate::config::KeyScope;
use crate::service::{DecideError, Decider, RECENT_QUESTIONS};
use actix_web::HttpRequest;
use eruca_dataset::Dataset;
use eruca_knowledge::proposals::{Proposal, ProposalState, ProposalStore, Source, StoreError};
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// Proposals of one client per day.
const A_DAY: NonZeroU32 = NonZeroU32::MIN.saturating_add(49);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// Who decides where no key and no name tells.
const OPERATOR: &str = "operator";
/// Headers by which proxies tell for whom they ask: such a request is not of this machine.
const FORWARDED: [&str; 3] = ["forwarded", "x-forwarded-for", "x-real-ip"];

/// The proposals of a service.
pub(super) struct Proposals {
    store: ProposalStore,
    shares: DefaultKeyedRateLimiter<String>,
}

impl Proposals {
    pub(super) fn new(folder: PathBuf) -> Self {
        let quota = Quota::with_period(DAY / A_DAY.get()).unwrap_or(Quota::per_minute(A_DAY));
        Self { store: ProposalStore::new(folder), shares: RateLimiter::keyed(quota.allow_burst(A_DAY)) }
    }

    /// Keeps a client's proposal, on a thread that may block on the disk.
    ///
    /// # Errors
    /// When the client has made too many, or there are too many, or they cannot be written.
    pub(super) async fn add(&self, proposal: Proposal, client: String) -> Result<(), ApiError> {
        self.shares.retain_recent();
        self.shares.check_key(&client).map_err(|early| ApiError::TooManyReports {
            retry_after: early.wait_time_from(DefaultClock::default().now()),
        })?;
        self.blocking(move |store| store.add(&proposal)).await?;
        Ok(())
    }

    /// All that nobody has decided.
    pub(super) async fn open(&self, dataset: String) -> Result<Vec<Proposal>, ApiError> {
        let all = self.blocking(move |store| store.all(&dataset)).await?;
        Ok(all.into_iter().filter(|one| one.state == ProposalState::Open).collect())
    }

    /// A proposal.
    pub(super) async fn get(&self, dataset: String, id: String) -> Result<Proposal, ApiError> {
        self.blocking(move |store| store.get(&dataset, &id)).await
    }

    /// Somebody who decides now.
    pub(super) fn decider(&self, by: Option<&str>) -> Decider {
        let now = now();
        let today = now.get(..10).unwrap_or_default().to_owned();
        Decider { store: self.store.clone(), by: by.unwrap_or(OPERATOR).to_owned(), today }
    }

    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&ProposalStore) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let store = self.store.clone();
        let done = tokio::task::spawn_blocking(move || work(&store)).await;
        let done = done.map_err(|error| crate::service::ServiceError::Internal(error.to_string()))?;
        done.map_err(of_store)
    }
}

impl App {
    /// The proposals, if any are taken.
    pub(super) fn proposals(&self) -> Result<&Proposals, ApiError> {
        self.proposals.as_deref().ok_or(ApiError::ProposalsOff)
    }

    /// Accepts a request of somebody who may decide: with a key for operation or, where no keys are asked for, from this machine.
    ///
    /// # Errors
    /// Those of keys, or `NotFromHere`.
    pub(super) fn decides(&self, request: &HttpRequest) -> Result<Option<&str>, ApiError> {
        let key = self.gate.check_key(request, KeyScope::Operation)?;
        let from_here = request.peer_addr().is_some_and(|peer| peer.ip().to_canonical().is_loopback());
        let forwarded = FORWARDED.iter().any(|name| request.headers().contains_key(*name));
        match self.gate.asks_for_keys() || (from_here && !forwarded && !self.gate.is_behind_proxy()) {
            true => Ok(key),
            false => Err(ApiError::NotFromHere),
        }
    }

    /// The one dataset with this name.
    ///
    /// # Errors
    /// When there is none.
    pub(super) fn learning(&self, name: &str) -> Result<Arc<Dataset>, ApiError> {
        Ok(self.service.one(name)?)
    }

    /// The last questions about a dataset, the newest first: of kept runs or, if there are none, of the query log.
    pub(super) async fn recent(&self, dataset: &str) -> Vec<String> {
        let found = self.runs.recent(dataset, RECENT_QUESTIONS).await;
        match (found.is_empty(), &self.questions_folder) {
            (true, Some(folder)) => {
                let (folder, dataset) = (folder.clone(), dataset.to_owned());
                let read = move || super::query_log::recent(&folder, &dataset, RECENT_QUESTIONS);
                tokio::task::spawn_blocking(read).await.unwrap_or_default()
            }
            _ => found,
        }
    }
}

/// The source of a proposal about a run.
pub(super) fn source(run: &eruca_api::Run, by: Option<&str>) -> Source {
    Source {
        dataset: run.dataset.clone(),
        question: run.asked.clone(),
        lang: None,
        run: Some(run.id.clone()),
        at: now(),
        by: by.map(str::to_owned),
    }
}

/// Who decides: by the name of the key, or by the one that is given.
pub(super) fn operator(key: Option<&str>, named: Option<&String>) -> String {
    key.or(named.map(String::as_str)).unwrap_or(OPERATOR).trim().to_owned()
}

/// The day, as YYYY-MM-DD.
pub(super) fn today() -> String {
    now().get(..10).unwrap_or_default().to_owned()
}

fn now() -> String {
    OffsetDateTime::now_utc().format(&Rfc3339).unwrap_or_default()
}

/// A correction or an entry that cannot be used.
pub(super) fn wrong(field: &str, reason: &str) -> ApiError {
    ApiError::Parameters(vec![ValidationError::of_body(&[field], reason, "value_error")])
}

fn of_store(error: StoreError) -> ApiError {
    match error {
        StoreError::Full { .. } => ApiError::FeedbackFull,
        StoreError::Unknown { .. } => ApiError::UnknownProposal,
        StoreError::File { .. } => {
            tracing::error!(%error, "proposals cannot be kept");
            ApiError::FeedbackFull
        }
    }
}

impl From<DecideError> for ApiError {
    fn from(error: DecideError) -> Self {
        match error {
            DecideError::Store(error) => of_store(error),
            DecideError::Wrong { reason } => wrong("entry", &reason),
            DecideError::Service(error) => error.into(),
            DecideError::Decided | DecideError::Breaks { .. } => Self::Undecidable(error.to_string()),
            DecideError::NoFolder { .. } | DecideError::Learn(_) | DecideError::Edit(_) => {
                tracing::error!(%error, "a proposal cannot be accepted");
                Self::Unwritable(error.to_string())
            }
        }
    }
}
