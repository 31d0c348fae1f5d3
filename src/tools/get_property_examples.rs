//! `get_property_examples`: real triples of one property.

use super::arguments::schema;
use super::diagnosis::nearest_properties;
use super::live::live_line;
use super::search_property::property_line;
use super::{Arguments, Observation, ObservationKind, Tool, ToolContext};
use async_trait::async_trait;

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
        let iri = match dataset.resolve(written) {
            Ok(iri) => iri,
            Err(reason) => return Observation::bad_call(reason),
        };
        let text = format!("SELECT ?subject ?object WHERE {{ ?subject <{iri}> ?object }} LIMIT {EXAMPLES}");
        let result = match dataset.check(&text) {
            Ok(query) => dataset.run(&query, context.timeout).await,
            Err(error) => Err(error),
        };
        match result {
            Ok(answer) if answer.is_empty() => {
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
                    format!("{card}{}", dataset.table(&answer, EXAMPLES, 0)),
                )
            }
            Err(error) => Observation::new(ObservationKind::QueryFailed(error.kind()), error.to_string()),
        }
    }
}
