//! The search of a Wikibase from settings.

use super::endpoints::Outgoing;
use crate::config::{DatasetSettings, EndpointSettings, WikibaseSettings};
use crate::dataset::{ClassPredicates, LiveCaches, LiveNames};
use eruca_indexer::{BuiltFrom, DatasetIndex, WikibaseApi, WikibaseApiOptions, WikibaseNamespaces};
use std::sync::Arc;
use std::time::Duration;

/// Time for one look-up: a question makes several, and a person waits for it.
const TIMEOUT: Duration = Duration::from_secs(5);
/// What names things in the graph of every Wikibase, best first.
const NAMING: [&str; 2] =
    ["http://www.w3.org/2000/01/rdf-schema#label", "http://www.w3.org/2004/02/skos/core#altLabel"];

/// Names by way of the search; nothing is sent yet.
pub(super) fn live_names(
    outgoing: &Outgoing,
    requests: usize,
    dataset: &DatasetSettings,
    settings: &WikibaseSettings,
    caches: Arc<LiveCaches>,
) -> LiveNames {
    let WikibaseSettings { api, vectors, entities, direct, instance_of, subclass_of } = settings.clone();
    let options = WikibaseApiOptions {
        api,
        vectors,
        namespaces: WikibaseNamespaces { entities, direct },
        languages: dataset.languages.clone(),
        timeout: TIMEOUT,
        requests,
    };
    let Outgoing { client, hosts } = outgoing.clone();
    let predicates = ClassPredicates { instance_of, subclass_of };
    LiveNames::new(WikibaseApi::new(client, hosts, options), predicates, caches)
}

/// What stands in the place of an index where there is none.
pub(super) fn no_index(dataset: &DatasetSettings, endpoint: &EndpointSettings) -> DatasetIndex {
    let prefixes = dataset.prefixes.iter().map(|(name, iri)| (name.as_str(), iri.as_str())).collect();
    let source = BuiltFrom::Endpoint { name: endpoint.url.clone(), graphs: endpoint.default_graphs.clone() };
    DatasetIndex::empty(prefixes, NAMING.map(str::to_owned).to_vec(), source)
}
