//! `get_property_examples`: real triples of one property.

use super::arguments::schema;
use super::diagnosis::nearest_properties;
use super::live::live_line;
use super::search_property::property_line;
use super::statements;
use super::{Arguments, Observation, ObservationKind, Tool, ToolContext};
use async_trait::async_trait;
use eruca_indexer::vocabulary::StatementPart;

const EXAMPLES: usize = 5;

pub(super) struct GetPropertyExamples;

#[async_trait]
impl Tool for GetPropertyExamples {
    fn name(&self) -> &'static str {
        "get_property_examples"
    }

    fn description(&self) -> &'static str {
        "Shows a property with what it connects and five real triples, to see its direction and how its values \
         are written (language tags, datatypes, units)."
    }

    fn parameters(&self) -> serde_json::Value {
        schema(&[("property", "prefixed name or IRI of a property", true)])
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
        let text = format!("SELECT ?subject ?object WHERE {{ ?subject <{iri}> ?object }} LIMIT {EXAMPLES}");
        let result = match dataset.check(&text) {
            Ok(query) => dataset.run(&query, context.timeout).await,
            Err(error) => Err(error),
        };
        match result {
            Ok(answer)
                if answer.is_empty() && statement.as_ref().is_none_or(|found| found.text.is_none()) =>
            {
                let near = nearest_properties(dataset, &iri).await;
                let hint = if near.is_empty() {
                    String::new()
                } else {
                    format!("; nearest known: {}", near.join(", "))
                };
                Observation::new(
                    ObservationKind::Empty,
                    format!("No triple has the property {}{hint}.", dataset.compact(&iri)),
                )
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
            Err(error) => Observation::new(ObservationKind::QueryFailed(error.kind()), error.to_string()),
        }
    }
}

/// A property of a graph with statements.
struct Found {
    direct: String,
    /// One statement with its qualifiers, if there is one.
    text: Option<String>,
}

/// Of a property that is only a qualifier: a statement that it qualifies.
async fn statement_of(iri: &str, context: &ToolContext<'_>) -> Option<Found> {
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
    Some(Found { direct, text: text.ok().flatten() })
}
