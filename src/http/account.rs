//! What is recorded about every question, by whichever route it came: in the log, the metrics and the query log.

use super::App;
use super::query_log::AskedQuestion;
use crate::service::{Answered, Question, ServiceError};
use std::time::Duration;

impl App {
    /// Notes what became of a question.
    pub(super) fn account(
        &self,
        asked: AskedQuestion<'_>,
        outcome: &Result<Answered, ServiceError>,
        elapsed: Duration,
    ) {
        log(asked.question, elapsed, outcome);
        self.metrics.count(outcome, asked.key, elapsed);
        if let Some(query_log) = &self.query_log {
            query_log.append(asked, outcome, elapsed);
        }
    }
}

fn log(question: &Question, elapsed: Duration, outcome: &Result<Answered, ServiceError>) {
    let millis = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
    let dataset = &question.dataset;
    match outcome {
        Ok(answered) => {
            let steps = answered.trace.steps.len();
            tracing::info!(dataset, millis, steps, answered_by = ?answered.trace.answered_by, "answered");
        }
        Err(error @ ServiceError::Panicked { reason: _, steps }) => {
            let steps: Vec<_> = steps.iter().map(|step| &step.kind).collect();
            tracing::error!(dataset, millis, %error, ?steps, "not answered");
        }
        Err(error @ (ServiceError::IndexDamaged { .. } | ServiceError::Internal(_))) => {
            tracing::error!(dataset, millis, %error, "not answered");
        }
        Err(
            error @ (ServiceError::Invalid { .. }
            | ServiceError::NotOpened { .. }
            | ServiceError::NotReloaded { .. }
            | ServiceError::UnknownDataset { .. }
            | ServiceError::Overloaded { .. }
            | ServiceError::EndpointDown { .. }
            | ServiceError::QueryFailed { .. }
            | ServiceError::NoSuchRow { .. }
            | ServiceError::Cancelled),
        ) => tracing::warn!(dataset, millis, %error, "not answered"),
    }
}
