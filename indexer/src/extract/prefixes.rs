//! The prefixes of a dataset: those of its files, well-known ones that occur, and generated ones for other namespaces.

use super::graph::{Graph, is_iri};
use super::usage::by_count;
use crate::card::{ClassCard, DatasetCard};
use crate::vocabulary::Vocabulary;
use eruca_sparql::{Prefixes, local_name};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

/// Maximum number of prefixes of a dataset: every IRI that is shown is compared with all of them.
const MAX_PREFIXES: usize = 300;
/// A namespace gets a prefix if it contains at least one in this many nodes.
const MIN_NAMESPACE_SHARE: u64 = 100;

/// The namespaces of a graph's IRIs, as far as they may get a prefix.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct NamespaceCounts {
    nodes: u64,
    /// Each with its number of IRIs.
    counts: Vec<(String, u64)>,
}

impl NamespaceCounts {
    /// Counts those of a graph, or of a share; `schema` are the IRIs of its classes and properties. Of a share, those with half
    /// the share that is enough are kept too: shares differ a little.
    pub(super) fn of<'a>(graph: &Graph, schema: impl Iterator<Item = &'a str>) -> Self {
        let mut counts: FxHashMap<&str, u64> = FxHashMap::default();
        let mut nodes = 0;
        for (_, iri) in graph.nodes().filter(|(id, _)| graph.is_own(*id)) {
            nodes += 1;
            if is_iri(iri) {
                *counts.entry(namespace_of(iri)).or_default() += 1;
            }
        }
        let least = if graph.is_divided() { enough(nodes) / 2 } else { enough(nodes) };
        let schema: FxHashSet<&str> = schema.map(namespace_of).collect();
        counts.retain(|namespace, count| *count >= least || schema.contains(namespace));
        Self { nodes, counts: by_count(counts) }
    }

    /// Adds those of another share.
    pub(super) fn merge(&mut self, other: Self) {
        self.nodes += other.nodes;
        let mut counts: FxHashMap<&str, u64> = FxHashMap::default();
        for (namespace, count) in self.counts.iter().chain(&other.counts) {
            *counts.entry(namespace.as_str()).or_default() += count;
        }
        self.counts = by_count(counts);
    }

    /// The namespaces of all classes and properties, and those that contain many of the resources.
    fn named(&self, card: &DatasetCard) -> Vec<&str> {
        let classes = card.classes.iter().map(|class: &ClassCard| class.iri.as_str());
        let schema = classes.chain(card.properties.iter().map(|property| property.iri.as_str()));
        let schema: FxHashSet<&str> = schema.map(namespace_of).collect();
        let enough = enough(self.nodes);
        let kept = self.counts.iter().map(|(namespace, count)| (namespace.as_str(), *count));
        let kept = kept.filter(|(namespace, count)| *count >= enough || schema.contains(namespace));
        // `https://` alone, from an IRI without a path, is not a namespace.
        let is_one = |namespace: &&str| namespace.contains(':') && !namespace.ends_with("://");
        kept.map(|(namespace, _)| namespace).filter(is_one).collect()
    }
}

/// How many IRIs of a namespace are enough for a prefix.
fn enough(nodes: u64) -> u64 {
    (nodes / MIN_NAMESPACE_SHARE).max(10)
}

/// Prefixes declared in the files, well-known ones that occur, and generated ones for other namespaces.
pub(super) fn prefixes(
    counts: &NamespaceCounts,
    card: &DatasetCard,
    vocabulary: &Vocabulary,
    declared: &[(String, String)],
) -> Prefixes {
    let namespaces = counts.named(card);
    let (mut prefixes, well_known) = (Prefixes::default(), Prefixes::well_known());
    let expected = vocabulary.prefixes();
    // Some writers number their prefixes (ns1, ns2, …); the usual names are more meaningful.
    let numbered = |name: &str, iri: &str| {
        let number =
            name.strip_prefix("ns").is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
        number
            && (expected.iter().any(|(_, known)| known == iri)
                || well_known.iter().any(|(_, known)| known == iri))
    };
    for (name, iri) in declared.iter().filter(|(name, iri)| !numbered(name, iri)).take(MAX_PREFIXES) {
        if prefixes.get(name).is_none() {
            prefixes.insert(name, iri);
        }
    }
    for (name, iri) in &expected {
        if prefixes.get(name).is_none() && !prefixes.iter().any(|(_, known)| known == iri) {
            prefixes.insert(name, iri);
        }
    }
    for (name, iri) in well_known.iter() {
        let wanted = ["rdf", "rdfs", "xsd", "owl"].contains(&name) || namespaces.contains(&iri);
        // One prefix per namespace: the files' own one is what their users know.
        if wanted && prefixes.get(name).is_none() && !prefixes.iter().any(|(_, known)| known == iri) {
            prefixes.insert(name, iri);
        }
    }
    let room = MAX_PREFIXES.saturating_sub(prefixes.iter().count());
    for namespace in namespaces.into_iter().take(room) {
        let known = prefixes.iter().any(|(_, iri)| iri == namespace);
        if !known && let Some(name) = free_prefix(&prefixes, &well_known, namespace) {
            prefixes.insert(&name, namespace);
        }
    }
    prefixes
}

/// The part before the local name; the whole IRI if it ends with a separator.
fn namespace_of(iri: &str) -> &str {
    iri.strip_suffix(local_name(iri)).unwrap_or(iri)
}

/// A prefix generated from the last word of the namespace: `http://ex.org/shop/item#` → `item`.
fn free_prefix(taken: &Prefixes, reserved: &Prefixes, namespace: &str) -> Option<String> {
    let word: String = namespace
        .trim_end_matches(['#', '/', ':'])
        .rsplit(['/', '#', ':', '.'])
        .map(|part| part.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase())
        .find(|part| part.chars().next().is_some_and(|c| c.is_ascii_alphabetic()) && !is_function_word(part))
        .unwrap_or_else(|| "ns".to_owned());
    let word: String = word.chars().take(16).collect();
    (1..100)
        .map(|n| if n == 1 { word.clone() } else { format!("{word}{n}") })
        .find(|name| taken.get(name).is_none() && reserved.get(name).is_none())
}

/// Parts of URLs that do not name anything: schemes and file extensions.
fn is_function_word(part: &str) -> bool {
    ["http", "https", "www", "owl", "rdf", "ttl", "nt", "xml", "html", "json", "jsonld"].contains(&part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_are_made_of_words_that_name_something() {
        let none = Prefixes::default();
        for (namespace, prefix) in [
            ("http://ex.org/shop/item#", "item"),
            ("http://ex.org/ontologies/event.owl#", "event"),
            ("http://ex.org/a.rdf/", "a"),
            ("https://www/", "ns"),
            ("http://пример.рф/", "ns"),
        ] {
            assert_eq!(free_prefix(&none, &none, namespace).as_deref(), Some(prefix), "{namespace}");
        }
    }

    #[test]
    fn namespaces_end_where_local_names_begin() {
        for (iri, namespace) in [
            ("http://ex.org/shop#item", "http://ex.org/shop#"),
            ("http://ex.org/shop/", "http://ex.org/shop/"),
            ("http://пример.рф/", "http://пример.рф/"),
            ("http://пример.рф/вещь", "http://пример.рф/"),
            ("urn:x:1", "urn:x:"),
            ("plain", ""),
            ("", ""),
        ] {
            assert_eq!(namespace_of(iri), namespace, "{iri}");
        }
    }
}
