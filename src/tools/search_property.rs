//! `search_property`: properties by meaning and by words.

use super::arguments::{SearchWords, schema};
use super::{Arguments, Observation, ObservationKind, Tool, ToolContext};
use crate::rendering::{live_line, property_line};
use async_trait::async_trait;
use eruca_dataset::{Dataset, KnownTerm, SchemaFound, quoted_name};
use eruca_indexer::PropertyCard;
use eruca_indexer::vocabulary::PropertyFacts;

const PROPERTIES: usize = 10;
/// Maximum number of external identifiers that may displace other properties.
const MAX_IDS: usize = 3;
/// Minimum fit at which a property counts as having the name searched for.
const NAMED_FIT: f32 = 0.7;
/// Maximum number of unused properties shown although they do not belong to the class.
const MAX_UNUSED: usize = 2;
/// Maximum number of the class's properties, most used first, that are listed if none fits.
const MAX_OF_CLASS: usize = 30;

pub(super) struct SearchProperty;

#[async_trait]
impl Tool for SearchProperty {
    fn name(&self) -> &'static str {
        "search_property"
    }

    fn description(&self) -> &'static str {
        "Finds properties by meaning or words. Shows what they connect (class -> class or datatype), how often, \
         and sample values. `class` (optional) limits the search to properties of its instances."
    }

    fn parameters(&self) -> serde_json::Value {
        schema(&[
            ("query", "what the property says, e.g. price, born in", true),
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
    let has_statements = dataset.vocabulary().statements.is_some();
    let limit = if class.is_some() || has_statements { PROPERTIES * 5 } else { PROPERTIES };
    let mut found = match dataset.find_properties(text, limit).await {
        Ok(found) => found,
        Err(error) => return Observation::lookup_failed(&error),
    };
    found.hits.sort_by_key(is_unused);
    let of_class = |property: &PropertyCard| class.as_deref().is_none_or(|class| belongs_to(property, class));
    let fits = |hit: &&SchemaFound<'_, PropertyCard>| match &hit.known {
        KnownTerm::Card(property) => of_class(property),
        KnownTerm::Live(_) => true,
    };
    let kept: Vec<_> = found.hits.iter().filter(fits).collect();
    let best = kept.iter().filter(|hit| !is_unused(hit)).map(|hit| hit.fit).fold(0.0, f32::max);
    // An unused property belongs to no class; it is shown if no used one has the name.
    let mut kept = without_too_many_ids(kept);
    let told: Vec<&str> = kept.iter().map(|hit| hit.iri.as_str()).collect();
    let unused = found.hits.iter().filter(|hit| is_unused(hit) && hit.fit > best.max(NAMED_FIT));
    let unused: Vec<_> = unused.filter(|hit| !told.contains(&hit.iri.as_str())).take(MAX_UNUSED).collect();
    kept.extend(unused);
    let line = |hit: &&SchemaFound<'_, PropertyCard>| match &hit.known {
        KnownTerm::Card(property) => property_line(dataset, property),
        KnownTerm::Live(property) => live_line(dataset, &hit.iri, property),
    };
    let lines: Vec<String> = kept.iter().map(line).collect();
    if class.is_some() && !dataset.is_indexed() {
        found.notes.push("which of them instances of `class` have is not known".to_owned());
    }
    if lines.is_empty() {
        let text =
            format!("No property is like {}; {}.", quoted_name(text), instead(dataset, class.as_deref()));
        return Observation::new(ObservationKind::Empty, text).noting(found.note());
    }
    Observation::new(ObservationKind::Ok, lines.join("\n")).noting(found.note())
}

/// Advice if no property was found, with the properties of the class if they are few enough to choose from.
fn instead(dataset: &Dataset, class: Option<&str>) -> String {
    let of_class = class.into_iter().flat_map(|class| dataset.index.card.properties_from(class));
    let of_class = of_class.filter(|property| !dataset.vocabulary().is_schema(&property.iri));
    let names: Vec<String> =
        of_class.take(MAX_OF_CLASS).map(|property| dataset.named(&property.iri)).collect();
    match class {
        Some(class) if !names.is_empty() => {
            format!("instances of {} have {}", dataset.compact(class), names.join(", "))
        }
        _ => {
            "try other words, search_class (it lists the properties of a class), or get_entry of an instance"
                .to_owned()
        }
    }
}

fn is_unused(hit: &SchemaFound<'_, PropertyCard>) -> bool {
    matches!(&hit.known, KnownTerm::Card(property) if property.is_unused())
}

/// The properties to show: external identifiers last, and only those that were among the first results.
fn without_too_many_ids<'h, 'a>(
    found: Vec<&'h SchemaFound<'a, PropertyCard>>,
) -> Vec<&'h SchemaFound<'a, PropertyCard>> {
    let is_id = |hit: &&SchemaFound<'_, PropertyCard>| match &hit.known {
        KnownTerm::Card(property) => property.statements.as_ref().is_some_and(PropertyFacts::is_external_id),
        KnownTerm::Live(_) => false,
    };
    let ids: Vec<_> = found.iter().take(PROPERTIES).copied().filter(is_id).collect();
    let others: Vec<_> = found.into_iter().filter(|hit| !is_id(hit)).collect();
    let kept = ids.len().min(MAX_IDS).max(PROPERTIES.saturating_sub(others.len()));
    let mut shown: Vec<_> = others.into_iter().take(PROPERTIES - ids.len().min(kept)).collect();
    shown.extend(ids.into_iter().take(kept));
    shown
}

fn belongs_to(property: &PropertyCard, class: &str) -> bool {
    property.edges.iter().any(|edge| edge.class.as_deref() == Some(class))
}
