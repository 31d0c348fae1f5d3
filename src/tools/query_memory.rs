//! `query_memory`: runs a query over the working graph of the question.

use super::arguments::schema;
use super::execute_sparql::{answered, query_failed};
use super::workspace::{Brought, KeptResult};
use super::{Arguments, Observation, ObservationKind, Tool, ToolContext};
use crate::agent_features::AgentFeatures;
use async_trait::async_trait;
use eruca_sparql::{Limits, QueryPolicy, check};
use std::sync::Arc;
use std::time::Duration;

/// Limits of a query. It runs in this process.
const TIME: Duration = Duration::from_secs(10);
const MAX_ROWS: usize = 5_000;
const MAX_BYTES: usize = 2 << 20;

pub(super) struct QueryMemory;

#[async_trait]
impl Tool for QueryMemory {
    fn name(&self) -> &'static str {
        "query_memory"
    }

    fn description(&self) -> &'static str {
        "Runs a SPARQL query (SELECT, ASK, CONSTRUCT) over what you remembered with `remember`. Its rows become r1, r2, … too. \
         The final query still runs on the dataset."
    }

    fn parameters(&self) -> serde_json::Value {
        schema(&[("query", "the SPARQL query", true)])
    }

    fn is_shown(&self, features: AgentFeatures) -> bool {
        features.memory
    }

    fn needs_workspace(&self) -> bool {
        true
    }

    fn is_basic(&self) -> bool {
        false
    }

    fn varies(&self) -> bool {
        true
    }

    fn asks_dataset(&self) -> bool {
        false
    }

    async fn call(&self, arguments: &Arguments, context: &ToolContext<'_>) -> Observation {
        let ToolContext { dataset, workspace, timeout, .. } = *context;
        let text = match arguments.text("query") {
            Ok(text) => text,
            Err(reason) => return Observation::bad_call(reason),
        };
        // No rule of the dataset counts here: there is one graph, and nothing leaves this process.
        let query = match check(text, dataset.prefixes(), &QueryPolicy::default()) {
            Ok(query) => query,
            Err(error) => return query_failed(dataset, &error, error.to_string()),
        };
        if workspace.memory().is_empty() {
            return Observation::bad_call("The working graph is empty: call `remember` first.");
        }
        let limits = Limits { timeout: TIME.min(timeout), max_rows: MAX_ROWS, max_bytes: MAX_BYTES };
        let answer = match workspace.memory().query(&query, limits).await {
            Ok(answer) => Arc::new(answer),
            Err(error) => return query_failed(dataset, &error, error.told_to_models()),
        };
        if answer.is_empty() {
            let text = format!("0 rows: none of the {} remembered triples match.", workspace.memory().len());
            return Observation::new(ObservationKind::Empty, text);
        }
        dataset.fetch_names_of(&answer).await;
        let seen = answered(dataset, &answer);
        seen.bringing(Brought::FromMemory(Arc::new(KeptResult { query, answer, from_memory: true })))
    }
}
