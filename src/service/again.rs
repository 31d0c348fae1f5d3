//! Runs queries of earlier runs again, for rows that were not stored.

use super::run::AnswerPage;
use super::shown::{labels, names, some_rows};
use super::types::ServiceError;
use super::{QuestionTime, Service};
use eruca_api::Why;
use eruca_sparql::{Answer, QueryError};
use eruca_verbalize::why::WhyError;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// Time limit for explaining a row.
const WHY_TIME: Duration = Duration::from_secs(20);

impl Service {
    /// Runs a query again, within the query limits and after waiting in the question queue.
    ///
    /// # Errors
    /// If the dataset is no longer served, the service is overloaded, or the query fails.
    pub async fn run_again(
        self: &Arc<Self>,
        dataset: &str,
        query: &str,
    ) -> Result<Arc<Answer>, ServiceError> {
        let (dataset, query) = (self.find(dataset)?, query.to_owned());
        let time = QuestionTime::from_now(self.limits.deadline);
        let _place = self.queue.enter(time.allowed / 2).await?;
        let running = async move {
            let query = dataset.check(&query)?;
            dataset.run(&query, time.left()).await
        };
        self.cpu_pool.run(running).await.map_err(failed)
    }

    /// The labels of all entities in a result.
    ///
    /// # Errors
    /// If the dataset is no longer served.
    pub async fn names_in(
        self: &Arc<Self>,
        dataset: &str,
        lang: &str,
        answer: Arc<Answer>,
    ) -> Result<BTreeMap<String, String>, ServiceError> {
        let dataset = self.find(dataset)?.for_language(lang);
        Ok(self.cpu_pool.run(async move { labels(&dataset, &answer).await }).await)
    }

    /// A page of a result: `limit` rows from an offset, with labels in the reader's language.
    ///
    /// # Errors
    /// If the dataset is no longer served, or the query is no longer allowed.
    pub async fn shown(
        self: &Arc<Self>,
        (dataset, query): (&str, &str),
        lang: &str,
        answer: Arc<Answer>,
        part: (usize, usize),
    ) -> Result<AnswerPage, ServiceError> {
        let dataset = self.find(dataset)?.for_language(lang);
        let query = dataset.check(query).map_err(failed)?;
        let shown = async move { some_rows(&dataset, &query, &answer, part).await };
        Ok(self.cpu_pool.run(shown).await)
    }

    /// Explains why a row is in a result.
    ///
    /// # Errors
    /// If the dataset is no longer served, the query is no longer allowed, the service is overloaded, or there is no
    /// such row.
    pub async fn why(
        self: &Arc<Self>,
        (dataset, query): (&str, &str),
        lang: &str,
        answer: Arc<Answer>,
        row: usize,
    ) -> Result<Why, ServiceError> {
        let dataset = self.find(dataset)?.for_language(lang);
        let query = dataset.check(query).map_err(failed)?;
        let time = QuestionTime::from_now(self.limits.deadline);
        let _place = self.queue.enter(time.allowed / 2).await?;
        let asked = async move {
            let left = time.left().min(WHY_TIME);
            let mut why = eruca_verbalize::why::why(&dataset, &query, &answer, row, left).await?;
            let iris = why.terms_mut().into_iter().filter_map(|term| term.iri().map(str::to_owned)).collect();
            let names = names(&dataset, iris).await;
            why.terms_mut().into_iter().for_each(|term| term.name(&names));
            Ok(why)
        };
        let told: Result<_, WhyError> = self.cpu_pool.run(asked).await;
        told.map_err(|error| match error {
            WhyError::NoSuchRow { .. } => ServiceError::NoSuchRow { reason: error.to_string() },
        })
    }
}

fn failed(error: QueryError) -> ServiceError {
    ServiceError::QueryFailed { reason: error.to_string() }
}
