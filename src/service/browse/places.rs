//! Coordinates of the entities in a table.

use super::{BrowseError, LOOK_TIME, checked_iri, iri, rows};
use crate::service::{Service, ServiceError};
use eruca_api as api;
use eruca_dataset::Dataset;
use eruca_indexer::media::{Place, Places};
use eruca_sparql::NamedNode;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Maximum number of entities per request: one page of a table.
pub(in crate::service) const MAX_THINGS: usize = 100;
/// Maximum number of coordinate properties queried.
const MAX_PROPERTIES: usize = 12;

impl Service {
    /// The coordinates of entities; those without any are left out.
    ///
    /// # Errors
    /// If there is no such dataset, an IRI is invalid, there are too many, or the endpoint fails.
    pub async fn places(
        self: &Arc<Self>,
        dataset: &str,
        things: Vec<String>,
    ) -> Result<api::Places, BrowseError> {
        let dataset = self.looked_at(dataset, None)?;
        if things.len() > MAX_THINGS {
            let message = format!("at most {MAX_THINGS} things can be requested at once");
            return Err(ServiceError::Invalid { field: "iri", message }.into());
        }
        let things = things.iter().map(|iri| checked_iri(iri)).collect::<Result<Vec<_>, _>>()?;
        let places = self.look(async move { places(&dataset, &things).await }).await??;
        Ok(api::Places { places })
    }
}

/// Fetches coordinates with one query: latitude and longitude.
pub(in crate::service) async fn places(
    dataset: &Dataset,
    things: &[NamedNode],
) -> Result<BTreeMap<String, [f64; 2]>, BrowseError> {
    let Some(query) = query(dataset, things) else { return Ok(BTreeMap::new()) };
    let answer = dataset.run(&dataset.check(&query)?, LOOK_TIME).await?;
    let mut places = Places::default();
    for row in rows(&answer) {
        let (Some(thing), Some(property)) = (iri(row.first()), iri(row.get(1))) else { continue };
        let Some(Some(value)) = row.get(2) else { continue };
        let node = row.get(3).and_then(Option::as_ref).map(ToString::to_string);
        places.take(thing, node.as_deref().unwrap_or(thing), property, value);
    }
    let degrees = |Place { latitude, longitude }| [latitude, longitude];
    Ok(places.into_places().into_iter().map(|(thing, place)| (thing, degrees(place))).collect())
}

/// The query; `None` if the dataset has no known coordinate properties, or there are no entities.
fn query(dataset: &Dataset, things: &[NamedNode]) -> Option<String> {
    let card = &dataset.index.card;
    let listed = |iris: Vec<&str>| {
        let iris = iris.into_iter().filter_map(|iri| NamedNode::new(iri).ok()).take(MAX_PROPERTIES);
        iris.map(|iri| iri.to_string()).collect::<Vec<_>>().join(" ")
    };
    let properties = listed(card.coordinate_properties());
    if properties.is_empty() || things.is_empty() {
        return None;
    }
    let nodes = listed(card.geometry_properties());
    let things = things.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let at_node = match nodes.is_empty() {
        true => String::new(),
        false => format!(" UNION {{ VALUES ?to {{ {nodes} }} ?thing ?to ?node . ?node ?property ?value }}"),
    };
    Some(format!(
        "SELECT ?thing ?property ?value ?node WHERE {{ VALUES ?thing {{ {things} }} VALUES ?property {{ {properties} }} \
         {{ ?thing ?property ?value }}{at_node} }}"
    ))
}
