//! Tools that answer immediately: listing datasets, browsing, running queries.

use super::arguments::CallArguments;
use super::catalog::EXPLAIN_EMPTY;
use super::output::{
    DatasetFacts, DatasetList, Described, Emptiness, Observed, QueryResult, done, failed, said,
};
use super::{resources, tables};
use crate::service::{Explored, QueryTried, Service};
use eruca_api::DatasetSummary;
use rmcp::model::CallToolResult;
use std::collections::BTreeMap;
use std::sync::Arc;

/// `list_datasets`.
pub(super) fn list_datasets(service: &Service) -> CallToolResult {
    done(&DatasetList { datasets: service.datasets().into_iter().map(dataset).collect() })
}

fn dataset(summary: DatasetSummary) -> DatasetFacts {
    let card = resources::card_uri(&summary.id);
    let DatasetSummary {
        id,
        aliases,
        name,
        endpoint: _,
        dialect: _,
        triples,
        entities,
        classes,
        properties,
        languages,
        schema_search: _,
        text_search: _,
    } = summary;
    DatasetFacts { id, name, aliases, triples, entities, classes, properties, languages, card }
}

/// `describe_dataset`.
pub(super) async fn describe_dataset(service: &Arc<Service>, given: &CallArguments) -> CallToolResult {
    let described = match given.dataset(service) {
        Ok(dataset) => {
            let card = service.graph_text(&dataset).await;
            card.map(|card| Described { dataset, card }).map_err(|error| said(&error))
        }
        Err(message) => Err(message),
    };
    described.map_or_else(failed, |described| done(&described))
}

/// The tools that explore a dataset.
pub(super) async fn explore(service: &Arc<Service>, tool: &str, given: CallArguments) -> CallToolResult {
    let called = match given.dataset(service) {
        Ok(dataset) => service.explore(&dataset, tool, given.rest()).await.map_err(|error| said(&error)),
        Err(message) => Err(message),
    };
    match called {
        Ok(Explored { dataset, outcome, done: true, text }) => {
            done(&Observed { dataset, outcome: outcome.to_owned(), observation: text })
        }
        Ok(Explored { text, .. }) | Err(text) => failed(text),
    }
}

/// The tools that run a query.
pub(super) async fn query(service: &Arc<Service>, tool: &str, given: &CallArguments) -> CallToolResult {
    let asked = given.dataset(service).and_then(|dataset| Ok((dataset, given.text("query")?)));
    let tried = match asked {
        Ok((dataset, query)) => service.try_query(&dataset, &query).await.map_err(|error| said(&error)),
        Err(message) => Err(message),
    };
    match tried {
        Ok(tried) => told(service, tool, tried),
        Err(message) => failed(message),
    }
}

fn told(service: &Service, tool: &str, tried: QueryTried) -> CallToolResult {
    let QueryTried { dataset, outcome, query, answer, failure, empty, notes } = tried;
    let (Some(query), Some(answer)) = (query, answer) else {
        let sentences = failure.into_iter().chain(notes).collect::<Vec<_>>();
        return failed(sentences.join("\n"));
    };
    let empty = empty.map(tables::reason);
    match tool {
        EXPLAIN_EMPTY => done(&Emptiness { dataset, query, row_count: answer.row_count(), empty, notes }),
        _ => {
            let result = tables::table(service, &dataset, &answer, &BTreeMap::new());
            done(&QueryResult { dataset, outcome: outcome.to_owned(), query, result, empty, notes })
        }
    }
}
