//! `get_property_examples`: triples of one property from the graph.

use super::arguments::schema;
use super::diagnosis::nearest_properties;
use super::statements;
use super::{Arguments, Observation, ObservationKind, Tool, ToolContext};
use crate::rendering::{live_line, property_line};
use async_trait::async_trait;
use eruca_dataset::Dataset;
use eruca_indexer::vocabulary::StatementPart;
use eruca_indexer::{Edge, Target};
use eruca_sparql::{Answer, QueryError, Results, Solutions, Term};
use std::sync::Arc;

const EXAMPLES: usize = 5;
/// Triples fetched per kind of connection to choose examples from, and the maximum number of kinds.
const MANY: usize = 60;
const MAX_KINDS: usize = 4;

type Row = Vec<Option<Term>>;

pub(super) struct GetPropertyExamples;

#[async_trait]
impl Tool for GetPropertyExamples {
    fn name(&self) -> &'static str {
        "get_property_examples"
    }

    fn description(&self) -> &'static str {
        "Shows what a property connects, and up to five different triples, so that you see its direction and how its values \
         are written (language tags, datatypes, units)."
    }

    fn parameters(&self) -> serde_json::Value {
        schema(&[("property", "prefixed name or IRI of a property", true)])
    }

    fn is_basic(&self) -> bool {
        false
    }

    async fn call(&self, arguments: &Arguments, context: &ToolContext<'_>) -> Observation {
        let dataset = context.dataset;
        let written = match arguments.iri("property") {
            Ok(written) => written,
            Err(reason) => return Observation::bad_call(reason),
        };
        let iri = match statements::resolve_property(written, dataset) {
            Ok(iri) => iri,
            Err(reason) => return Observation::bad_call(reason),
        };
        let statement = statement_of(&iri, context).await;
        let iri = statement.as_ref().map_or(iri, |found| found.direct.clone());
        match examples(&iri, context).await {
            Ok(answer)
                if answer.is_empty() && statement.as_ref().is_none_or(|found| found.text.is_none()) =>
            {
                let near = nearest_properties(dataset, &iri).await;
                let hint = if near.is_empty() {
                    String::new()
                } else {
                    format!("; used instead: {}", near.join(", "))
                };
                let declared = dataset.index.card.property(&iri).map_or("", |_| ", though it is declared");
                let name = dataset.compact(&iri);
                let text = format!("No triple has the property {name}{declared}{hint}.");
                Observation::new(ObservationKind::Empty, text)
            }
            Ok(answer) => {
                let (live, examples) = (dataset.entity(&iri), dataset.fetch_names_of(&answer));
                let (_known, ()) = tokio::join!(live, examples);
                let card = dataset
                    .index
                    .card
                    .property(&iri)
                    .map(|property| property_line(dataset, property))
                    .or_else(|| Some(live_line(dataset, &iri, &dataset.live_entity(&iri)?)))
                    .map_or_else(String::new, |line| format!("{line}\n"));
                Observation::new(
                    ObservationKind::Ok,
                    match statement.and_then(|found| found.text) {
                        Some(text) if answer.is_empty() => format!("{card}{text}"),
                        Some(text) => format!("{card}{}\n{text}", dataset.table(&answer, EXAMPLES, 0)),
                        None => format!("{card}{}", dataset.table(&answer, EXAMPLES, 0)),
                    },
                )
            }
            Err(error) => {
                Observation::new(ObservationKind::QueryFailed(error.kind()), error.told_to_models())
            }
        }
    }
}

/// Triples with different subjects and objects, for all kinds of connections that the property has.
async fn examples(iri: &str, context: &ToolContext<'_>) -> Result<Answer, QueryError> {
    let dataset = context.dataset;
    let run = async |text: String| {
        let query = dataset.check(&text)?;
        dataset.run(&query, context.timeout).await.map(Arc::unwrap_or_clone)
    };
    let kinds = kinds(iri, dataset);
    if kinds.len() > 1 {
        let part = |(at, kind): (usize, &String)| {
            format!(
                "{{ SELECT ?subject ?object ({at} AS ?kind) WHERE {{ ?subject <{iri}> ?object . {kind} }} LIMIT {MANY} }}"
            )
        };
        let parts: Vec<String> = kinds.iter().enumerate().map(part).collect();
        let found = run(format!("SELECT ?subject ?object ?kind WHERE {{ {} }}", parts.join(" UNION "))).await;
        if let Ok(found) = found
            && !found.is_empty()
        {
            return Ok(different(found));
        }
    }
    run(format!("SELECT ?subject ?object WHERE {{ ?subject <{iri}> ?object }} LIMIT {MANY}"))
        .await
        .map(different)
}

/// The conditions on subject and object for each kind of connection, most frequent first.
fn kinds(iri: &str, dataset: &Dataset) -> Vec<String> {
    let edges = dataset.index.card.property(iri).map(|card| card.edges.as_slice()).unwrap_or_default();
    let path = dataset.vocabulary().type_path(false);
    let kind = |edge: &Edge| {
        let subject = edge.class.as_ref().map_or_else(
            || format!("FILTER NOT EXISTS {{ ?subject {path} ?class }}"),
            |class| format!("?subject {path} <{class}> ."),
        );
        match &edge.target {
            Target::Class(class) => format!("{subject} ?object {path} <{class}> ."),
            Target::Literal(_) => format!("{subject} FILTER(isLiteral(?object))"),
            Target::Resource => format!("{subject} FILTER(!isLiteral(?object))"),
        }
    };
    let mut kinds: Vec<String> = edges.iter().map(kind).collect();
    kinds.dedup();
    kinds.truncate(MAX_KINDS);
    kinds
}

/// A few of the rows: one of each kind in turn, preferably with subjects and objects that have not been shown
/// yet.
fn different(answer: Answer) -> Answer {
    let Answer { results, incomplete, elapsed } = answer;
    let rows = match results {
        Results::Solutions(solutions) => solutions.rows,
        other => return Answer { results: other, incomplete, elapsed },
    };
    let mut kinds: Vec<Vec<Row>> = Vec::new();
    let mut last = None;
    for mut row in rows {
        let kind = row.get(2).cloned().flatten();
        row.truncate(2);
        if kinds.is_empty() || kind != last {
            kinds.push(Vec::new());
            last = kind;
        }
        if let Some(rows) = kinds.last_mut() {
            rows.push(row);
        }
    }
    // Engines return rows in any order.
    kinds.iter_mut().for_each(|rows| rows.sort_by_cached_key(|row| format!("{row:?}")));
    let mut shown: Vec<Row> = Vec::new();
    while shown.len() < EXAMPLES && kinds.iter().any(|rows| !rows.is_empty()) {
        for rows in kinds.iter_mut().filter(|rows| !rows.is_empty()) {
            let seen = |row: &Row| {
                let has = |at: usize| shown.iter().any(|other| other.get(at) == row.get(at));
                usize::from(has(0)) + usize::from(has(1))
            };
            let newest = rows.iter().enumerate().min_by_key(|(at, row)| (seen(row), *at)).map(|(at, _)| at);
            shown.extend(newest.map(|at| rows.remove(at)));
        }
    }
    shown.truncate(EXAMPLES);
    let variables = vec!["subject".to_owned(), "object".to_owned()];
    Answer { results: Results::Solutions(Solutions { variables, rows: shown }), incomplete, elapsed }
}

/// A property of a graph with statements.
struct FoundProperty {
    direct: String,
    /// One statement with its qualifiers, if there is one.
    text: Option<String>,
}

/// For a property that is only a qualifier: a statement that it qualifies.
async fn statement_of(iri: &str, context: &ToolContext<'_>) -> Option<FoundProperty> {
    let dataset = context.dataset;
    let names = dataset.vocabulary().statements.as_ref()?;
    let number = statements::property_of(names, iri)?;
    let direct = names.direct(number);
    let facts = statements::facts_of(dataset, names, number);
    let asked = matches!(names.part(iri), Some((StatementPart::Qualifier | StatementPart::QualifierNode, _)));
    let as_qualifier = facts.is_some_and(|facts| facts.qualifies > 0 && (asked || facts.statements == 0));
    let owner = as_qualifier.then(|| statements::owner_of(dataset, names, number)).flatten();
    let text = match owner {
        Some(owner) => statements::example(owner, Some(number), names, context).await,
        None => statements::example(number, None, names, context).await,
    };
    Some(FoundProperty { direct, text: text.ok().flatten() })
}
