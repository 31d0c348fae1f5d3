//! `remember`: keeps triples in the working graph of the question.

use super::arguments::schema;
use super::get_entry::{outgoing_triples, unknown};
use super::workspace::{Brought, KeptResult, RememberedTriples};
use super::{Arguments, Observation, ObservationKind, Tool, ToolContext};
use crate::agent_features::AgentFeatures;
use async_trait::async_trait;
use eruca_dataset::support;
use eruca_sparql::{Results, Triple};
use std::time::Duration;

/// Rows whose proofs are looked up; each needs queries of its own.
const MAX_PROVEN: usize = 50;
/// Time for all proofs.
const PROOF_TIME: Duration = Duration::from_secs(10);

pub(super) struct Remember;

#[async_trait]
impl Tool for Remember {
    fn name(&self) -> &'static str {
        "remember"
    }

    fn description(&self) -> &'static str {
        "Keeps triples in a working graph, which `query_memory` queries: those of a CONSTRUCT result, those that prove the \
         rows of a SELECT result, or those of one resource. Only worth it where a question needs several steps."
    }

    fn parameters(&self) -> serde_json::Value {
        schema(&[("what", "a result, e.g. r1, or the prefixed name or IRI of a resource", true)])
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

    async fn call(&self, arguments: &Arguments, context: &ToolContext<'_>) -> Observation {
        let what = match arguments.iri("what") {
            Ok(what) => what,
            Err(reason) => return Observation::bad_call(reason),
        };
        if let Some(result) = context.workspace.result(what) {
            return of_result(what, result, context).await;
        }
        match context.dataset.resolve(what) {
            Ok(iri) => of_resource(&iri, context).await,
            Err(reason) => Observation::bad_call(format!("{reason}; {}", results(context))),
        }
    }
}

/// The names of the results, for messages.
pub(super) fn results(context: &ToolContext<'_>) -> String {
    match context.workspace.result_names().as_slice() {
        [] => "there are no results yet: run a query first".to_owned(),
        names => format!("the results are {}", names.join(", ")),
    }
}

async fn of_resource(iri: &str, context: &ToolContext<'_>) -> Observation {
    match outgoing_triples(iri, context).await {
        Ok((triples, _)) if triples.is_empty() => unknown(iri, context.dataset),
        Ok((triples, more)) => {
            let more = if more { "the first " } else { "" };
            let text = format!("{more}{} triples of {}", triples.len(), context.dataset.with_label(iri));
            remembered(iri.to_owned(), triples, text)
        }
        Err(error) => Observation::new(ObservationKind::QueryFailed(error.kind()), error.told_to_models()),
    }
}

async fn of_result(name: &str, result: &KeptResult, context: &ToolContext<'_>) -> Observation {
    let name = name.trim().to_lowercase();
    let KeptResult { query, answer, from_memory } = result;
    if let Results::Graph(triples) = &answer.results {
        let text = format!("{} triples of {name}", triples.len());
        return remembered(name, triples.clone(), text);
    }
    if *from_memory {
        return Observation::bad_call(format!(
            "{name} comes from the working graph: its triples are there already"
        ));
    }
    let rows = answer.row_count();
    let time = PROOF_TIME.min(context.timeout / 2);
    let found = support(context.dataset, query, answer, 0..rows.min(MAX_PROVEN), time).await;
    let triples = found.triples();
    let looked = found.proofs.len();
    let text = format!("{} triples that prove {looked} of the {rows} rows of {name}", triples.len());
    let more =
        (looked < rows).then(|| "For the others, run a CONSTRUCT query and remember its result.".to_owned());
    if triples.is_empty() {
        let text = format!("{text}. A CONSTRUCT query names the triples itself.");
        return Observation::new(ObservationKind::Empty, text);
    }
    remembered(name, triples, text).noting(more)
}

fn remembered(origin: String, triples: Vec<Triple>, text: String) -> Observation {
    let brought = Brought::Triples(RememberedTriples { origin, triples });
    Observation::new(ObservationKind::Ok, text).bringing(brought)
}
