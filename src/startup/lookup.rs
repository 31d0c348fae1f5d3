//! The search of a Wikibase, from settings.

use super::endpoints::Outgoing;
use crate::config::{DatasetSettings, EndpointSettings, WikibaseSettings};
use eruca_dataset::{LiveCaches, LiveNames};
use eruca_indexer::vocabulary::{Namespaces, Vocabulary};
use eruca_indexer::{BuiltFrom, DatasetIndex, WikibaseApi, WikibaseApiOptions};
use eruca_sparql::Prefixes;
use std::sync::Arc;
use std::time::Duration;

/// Timeout of one look-up: a question makes several, while a person waits.
const TIMEOUT: Duration = Duration::from_secs(5);
/// Naming properties in the graph of every Wikibase, best first.
const NAMING: [&str; 2] =
    ["http://www.w3.org/2000/01/rdf-schema#label", "http://www.w3.org/2004/02/skos/core#altLabel"];

/// Prefixes used by queries to any Wikibase, beside its own.
const OTHER_PREFIXES: [(&str, &str); 5] = [
    ("rdfs", "http://www.w3.org/2000/01/rdf-schema#"),
    ("skos", "http://www.w3.org/2004/02/skos/core#"),
    ("schema", "http://schema.org/"),
    ("xsd", "http://www.w3.org/2001/XMLSchema#"),
    ("geosparql", "http://www.opengis.net/ont/geosparql#"),
];

/// Names looked up through the search; nothing is sent yet.
pub(super) fn live_names(
    outgoing: &Outgoing,
    requests: usize,
    settings: &WikibaseSettings,
    caches: Arc<LiveCaches>,
) -> LiveNames {
    let WikibaseSettings { api, vectors, base } = settings.clone();
    let options =
        WikibaseApiOptions { api, vectors, namespaces: Namespaces { base }, timeout: TIMEOUT, requests };
    let Outgoing { client, hosts } = outgoing.clone();
    LiveNames::new(WikibaseApi::new(client, hosts, options), caches)
}

/// Replaces the index where there is none.
pub(super) fn no_index(
    dataset: &DatasetSettings,
    settings: &WikibaseSettings,
    endpoint: &EndpointSettings,
) -> DatasetIndex {
    let vocabulary = Vocabulary::wikibase(&settings.base).with(&dataset.vocabulary);
    let source = BuiltFrom::Endpoint { name: endpoint.url.clone(), graphs: endpoint.default_graphs.clone() };
    let mut prefixes: Prefixes = OTHER_PREFIXES.into_iter().collect();
    for (name, iri) in vocabulary.prefixes().iter().chain(&dataset.prefixes) {
        prefixes.insert(name, iri);
    }
    DatasetIndex::empty(prefixes, NAMING.map(str::to_owned).to_vec(), vocabulary, source)
}
