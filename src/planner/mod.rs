//! Answers without a chat model: one-hop questions by look-up of entities, properties and classes.
//!
//! ```text
//! grounding ──► drafts (candidate queries, best first) ──► run until one gives something
//! ```
//! It also answers when the model fails. Knows the dataset, the grounding and the trace; no model.

mod drafts;

use crate::dataset::{Dataset, RunQuery};
use crate::grounding::Grounding;
use drafts::{Draft, drafts, fallback};
use eruca_sparql::QueryError;
use std::time::{Duration, Instant};

/// Drafts that are run at most.
const MAX_RUNS: usize = 10;
/// With less time than this left, the best draft is returned without being run.
const MIN_TIME: Duration = Duration::from_millis(50);

/// What the planner came to.
#[derive(Debug)]
pub struct PlannerOutcome {
    /// The query, with its result; `None` only when the endpoint's dialect refuses every draft.
    pub best: Option<RunQuery>,
    /// What was read in the question and tried, line by line.
    pub readings: Vec<String>,
}

/// Plans a query for a question. Always comes back by the deadline.
pub async fn plan(
    dataset: &Dataset,
    question: &str,
    grounding: &Grounding,
    deadline: Instant,
) -> PlannerOutcome {
    let mut readings: Vec<String> = grounding.mentions.iter().map(mention_reading).collect();
    let mut best: Option<RunQuery> = None;
    let tried = drafts(dataset, question, grounding).into_iter().take(MAX_RUNS);
    for draft in tried.chain([fallback(dataset, question)]) {
        let (run, filled) = match try_draft(dataset, &draft, deadline).await {
            Some(run) => run,
            None => continue,
        };
        let outcome = run
            .result
            .as_ref()
            .map_or_else(ToString::to_string, |answer| format!("{} rows", answer.row_count()));
        readings.push(format!("{}: {outcome}", draft.reading));
        if filled {
            return PlannerOutcome { best: Some(run), readings };
        }
        best.get_or_insert(run);
        if deadline.saturating_duration_since(Instant::now()) < MIN_TIME {
            break;
        }
    }
    readings
        .push("No draft gave a row; the most plausible one is returned and deserves no trust.".to_owned());
    PlannerOutcome { best, readings }
}

fn mention_reading(mention: &crate::grounding::Mention) -> String {
    let entities = mention.entities.iter().map(|hit| hit.entity.iri.as_str());
    let values = mention.values.iter().map(|hit| hit.value.text.as_str());
    let found: Vec<&str> = entities.chain(values).take(3).collect();
    format!("'{}' may be {}", mention.text, found.join(", "))
}

/// Runs a draft; says whether it gave something. `None` when it is no valid query here.
async fn try_draft(dataset: &Dataset, draft: &Draft, deadline: Instant) -> Option<(RunQuery, bool)> {
    let query = dataset.check(&draft.query).ok()?;
    let left = deadline.saturating_duration_since(Instant::now());
    let result = if left < MIN_TIME {
        Err(QueryError::Timeout { after: left })
    } else {
        dataset.run(&query, left).await
    };
    let filled = result.as_ref().is_ok_and(|answer| !answer.is_empty() && !answer.is_zero_aggregate());
    Some((RunQuery { query, result }, filled))
}
