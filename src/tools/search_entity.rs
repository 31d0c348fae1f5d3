//! `search_entity`: resources and literal values by name.

use super::arguments::{SearchWords, schema};
use super::{Arguments, Observation, ObservationKind, Tool, ToolContext};
use crate::rendering::{entity_line, value_line};
use async_trait::async_trait;
use eruca_dataset::quoted_name;
use eruca_indexer::{EntityHit, is_like_a_part};
use eruca_language::languages;

const ENTITIES: usize = 10;
const VALUES: usize = 5;
/// Minimum fit of a value; those below it share a word by accident.
const MIN_VALUE_FIT: f32 = 0.6;

pub(super) struct SearchEntity;

#[async_trait]
impl Tool for SearchEntity {
    fn name(&self) -> &'static str {
        "search_entity"
    }

    fn description(&self) -> &'static str {
        "Finds resources (people, places, products, ...) and literal values by name, code or words; typos are \
         allowed. Give one name at a time, without articles. `class` (optional) limits the search to instances of one class."
    }

    fn parameters(&self) -> serde_json::Value {
        schema(&[
            ("query", "a name, code or words", true),
            ("class", "prefixed name or IRI of a class", false),
        ])
    }

    async fn call(&self, arguments: &Arguments, context: &ToolContext<'_>) -> Observation {
        match arguments.words("query") {
            Ok(SearchWords { text, note }) => search(text, arguments, context).await.noting(note),
            Err(reason) => Observation::bad_call(reason),
        }
    }
}

async fn search(text: &str, arguments: &Arguments, context: &ToolContext<'_>) -> Observation {
    let dataset = context.dataset;
    let class = match arguments.optional_iri("class") {
        Ok(class) => class.and_then(|class| dataset.resolve(class).ok()),
        Err(reason) => return Observation::bad_call(reason),
    };
    let found = match dataset.find_entities(text, class.as_deref(), ENTITIES).await {
        Ok(found) => found,
        Err(error) => return Observation::lookup_failed(&error),
    };
    let note = found.note();
    let mut entities = found.hits;
    entities.retain(|hit| !is_like_a_part(text, hit.record.label(&dataset.languages)));
    dataset.add_types(&mut entities).await;
    for country in languages().flat_map(|language| language.country(text)) {
        // A country's adjective or abbreviation: the country itself is one more candidate.
        let found = dataset.index.entities.search_strict(country, 1, &|_| false).unwrap_or_default();
        let is_new = |hit: &EntityHit| entities.iter().all(|known| known.record.iri != hit.record.iri);
        let found: Vec<EntityHit> = found.into_iter().filter(is_new).collect();
        entities.extend(found);
    }
    let values = match dataset.index.values.search(text, None, VALUES) {
        Ok(hits) => hits,
        Err(error) => return Observation::failed("the value index", &error),
    };
    let namesakes = dataset.index.entities.namesakes(text, class.as_deref()).unwrap_or_default();
    let mut lines: Vec<String> = entities.iter().map(|hit| entity_line(dataset, &hit.record)).collect();
    lines.extend(namesakes_line(text, namesakes, class.is_some()));
    let values: Vec<_> = values.iter().filter(|hit| hit.score >= MIN_VALUE_FIT).collect();
    if !values.is_empty() {
        lines.push("As literal values:".to_owned());
        lines.extend(values.iter().map(|hit| value_line(dataset, &hit.record)));
    }
    if lines.is_empty() {
        let hint = if class.is_some() { "try without `class`, " } else { "" };
        let text = format!(
            "Nothing is named like {}; {hint}try other words, a part of the name, or search_class.",
            quoted_name(text)
        );
        return Observation::new(ObservationKind::Empty, text).noting(note);
    }
    Observation::new(ObservationKind::Ok, lines.join("\n")).noting(note)
}

/// A note that more resources have the name than a search shows.
fn namesakes_line(text: &str, namesakes: usize, of_class: bool) -> Option<String> {
    let hint = if of_class { "a query on" } else { "`class` or by a query on" };
    (namesakes > ENTITIES / 2).then(|| {
        format!(
            "{namesakes} resources have the name {}; above are some of them and longer names. Tell them apart \
             by {hint} what else is known of the one that is meant.",
            quoted_name(text)
        )
    })
}
