//! An endpoint behind a view: what it is asked is rewritten first.

use super::{View, refuse};
use crate::query::algebra::pattern_of;
use crate::query::select::Select;
use crate::{Answer, CheckedQuery, Dialect, Limits, QueryError, Results, SparqlEndpoint};
use async_trait::async_trait;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long it is remembered what stands in the middle of a path. The graph of an endpoint may change.
const REMEMBERED: Duration = Duration::from_secs(30);
/// Number of paths that are remembered.
const MAX_REMEMBERED: usize = 500;

/// An endpoint of which only a view can be asked.
pub struct ViewEndpoint {
    inner: Arc<dyn SparqlEndpoint>,
    view: View,
    /// Checks that were answered with no, and when.
    passed: Mutex<HashMap<String, Instant>>,
}

impl ViewEndpoint {
    /// The endpoint behind a view; without one, if everything is seen.
    #[must_use]
    pub fn over(inner: Arc<dyn SparqlEndpoint>, view: View) -> Arc<dyn SparqlEndpoint> {
        if view.is_whole() {
            return inner;
        }
        Arc::new(Self { inner, view, passed: Mutex::default() })
    }

    async fn pass(&self, check: &CheckedQuery, limits: Limits) -> Result<(), QueryError> {
        let is_fresh = |passed: &Instant| self.inner.is_own() || passed.elapsed() < REMEMBERED;
        if self.remembered().get(check.text()).is_some_and(is_fresh) {
            return Ok(());
        }
        match self.inner.query(check, limits).await?.results {
            Results::Boolean(false) => {
                let mut remembered = self.remembered();
                if remembered.len() >= MAX_REMEMBERED {
                    remembered.clear();
                }
                remembered.insert(check.text().to_owned(), Instant::now());
                Ok(())
            }
            _ => refuse(
                "a path of any length (`*`, `+`) in it could lead over something that cannot be used here; \
                 write its steps one by one",
            ),
        }
    }

    fn remembered(&self) -> std::sync::MutexGuard<'_, HashMap<String, Instant>> {
        self.passed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn asked(&self, query: &CheckedQuery, limits: Limits) -> Result<Answer, QueryError> {
        let start = Instant::now();
        let left = || Limits { timeout: limits.timeout.saturating_sub(start.elapsed()), ..limits };
        let restricted = self.view.restricted(query)?;
        for check in &restricted.checks {
            self.pass(check, left()).await?;
        }
        let mut answer = self.inner.query(&restricted.query, left()).await?;
        if let (Results::Solutions(solutions), true) = (&mut answer.results, has_no_columns(query)) {
            solutions.variables.clear();
            solutions.rows.iter_mut().for_each(Vec::clear);
        }
        Ok(Answer { elapsed: start.elapsed(), ..answer })
    }

    /// An engine may repeat the query that ran in its message.
    fn told(&self, error: QueryError) -> QueryError {
        error.with_words(|words| match self.view.hidden.stands_in(words) {
            true => "it gives no reason that can be shown here".to_owned(),
            false => words.to_owned(),
        })
    }
}

/// Whether a query asks for rows without any variable; the one that runs has one that is never bound.
fn has_no_columns(query: &CheckedQuery) -> bool {
    Select::of(pattern_of(query.algebra())).columns.is_some_and(<[_]>::is_empty)
}

#[async_trait]
impl SparqlEndpoint for ViewEndpoint {
    async fn query(&self, query: &CheckedQuery, limits: Limits) -> Result<Answer, QueryError> {
        self.asked(query, limits).await.map_err(|error| self.told(error))
    }

    fn name(&self) -> &str {
        self.inner.name()
    }

    fn dialect(&self) -> &'static Dialect {
        self.inner.dialect()
    }

    fn is_own(&self) -> bool {
        self.inner.is_own()
    }

    fn overrun(&self) -> Option<Duration> {
        self.inner.overrun()
    }
}
