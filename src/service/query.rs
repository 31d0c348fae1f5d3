//! Queries written by people, run with the same checks and limits as those of questions.

use super::browse::BrowseError;
use super::run::{Run, RunState};
use super::{Service, ServiceError, fault};
use crate::service::index::confirm_index;
use eruca_dataset::Dataset;
use eruca_language::{fallback, language};
use eruca_verbalize::why::explained;
use futures_util::FutureExt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Instant;

/// A query written by a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenQuery {
    /// The dataset's id or one of its aliases.
    pub dataset: String,
    /// The query.
    pub query: String,
    /// The language of labels.
    pub lang: Option<String>,
}

impl Service {
    /// Runs a query and returns its rows, or why there are none.
    ///
    /// # Errors
    /// If there is no such dataset, the service is overloaded, or the query is rejected or fails.
    pub async fn query(self: &Arc<Self>, written: WrittenQuery) -> Result<Run, BrowseError> {
        let WrittenQuery { dataset, query, lang } = written;
        let dataset = self.looked_at(&dataset, lang.as_deref())?;
        let _place = self.queue.enter(self.limits.deadline / 2).await?;
        let (service, asked) = (self.clone(), dataset.clone());
        let work = async move { service.run_written(&asked, &query).await };
        let work = AssertUnwindSafe(self.cpu_pool.run(work)).catch_unwind().await;
        let run = work.unwrap_or_else(|panic| Err(fault(panic.as_ref(), Vec::new()).into()));
        confirm_index(&dataset).await?;
        run
    }

    async fn run_written(&self, dataset: &Dataset, query: &str) -> Result<Run, BrowseError> {
        let started = Instant::now();
        if query.trim().is_empty() {
            let message = "query is empty".to_owned();
            return Err(ServiceError::Invalid { field: "query", message }.into());
        }
        let query = dataset.check(query)?;
        let time = dataset.rules.limits.timeout.min(self.limits.deadline);
        let answer = dataset.run(&query, time).await?;
        let lang = dataset.languages.first().map_or(fallback().tag(), String::as_str);
        let mut run = Run::begin(dataset.id.clone(), String::new(), lang.to_owned());
        run.rows = Some(super::shown::rows(dataset, &query, &answer).await);
        if answer.is_empty() {
            let left = time.saturating_sub(started.elapsed());
            run.empty = Some(super::emptiness::explain(dataset, &query, self.limits.features, left).await);
        }
        run.explanation = explained(dataset, &query, language(lang).unwrap_or(fallback()));
        run.editor = dataset.editor(query.text());
        run.missing = dataset.unread().to_vec();
        run.query = Some(query.text().to_owned());
        (run.state, run.elapsed) = (RunState::Done, started.elapsed());
        Ok(run)
    }
}
