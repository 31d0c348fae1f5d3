//! The prefixes of a dataset: those of its files, well-known ones that occur, and generated ones for other namespaces.

use super::graph::{Graph, is_iri};
use super::usage::by_count;
use crate::card::DatasetCard;
use eruca_sparql::{Prefixes, local_name};
use rustc_hash::{FxHashMap, FxHashSet};

/// Maximum number of prefixes of a dataset: every IRI that is shown is compared with all of them.
const MAX_PREFIXES: usize = 300;
/// A namespace gets a prefix if it contains at least one in this many nodes.
const MIN_NAMESPACE_SHARE: usize = 100;

/// Prefixes declared in the files, well-known ones that occur, and generated ones for other namespaces.
pub(super) fn prefixes(graph: &Graph, card: &DatasetCard, declared: &[(String, String)]) -> Prefixes {
    let namespaces = namespaces(graph, card);
    let (mut prefixes, well_known) = (Prefixes::default(), Prefixes::well_known());
    let expected = graph.vocabulary().prefixes();
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
        let wanted = ["rdf", "rdfs", "xsd", "owl"].contains(&name)
            || namespaces.iter().any(|namespace| namespace == iri);
        // One prefix per namespace: the files' own one is what their users know.
        if wanted && prefixes.get(name).is_none() && !prefixes.iter().any(|(_, known)| known == iri) {
            prefixes.insert(name, iri);
        }
    }
    let room = MAX_PREFIXES.saturating_sub(prefixes.iter().count());
    for namespace in namespaces.into_iter().take(room) {
        let known = prefixes.iter().any(|(_, iri)| iri == namespace);
        if !known && let Some(name) = free_prefix(&prefixes, &well_known, &namespace) {
            prefixes.insert(&name, &namespace);
        }
    }
    prefixes
}

/// Namespaces of all classes and properties, and those that contain many of the resources.
fn namespaces(graph: &Graph, card: &DatasetCard) -> Vec<String> {
    let mut counts: FxHashMap<&str, u64> = FxHashMap::default();
    for (_, iri) in graph.nodes().filter(|(_, node)| is_iri(node)) {
        *counts.entry(namespace_of(iri)).or_default() += 1;
    }
    let enough = (graph.node_count() / MIN_NAMESPACE_SHARE).max(10) as u64;
    let schema: FxHashSet<&str> = card
        .classes
        .iter()
        .map(|class| class.iri.as_str())
        .chain(card.properties.iter().map(|property| property.iri.as_str()))
        .map(namespace_of)
        .collect();
    let kept =
        by_count(counts).into_iter().filter(|(ns, count)| *count >= enough || schema.contains(ns.as_str()));
    // `https://` alone, from an IRI without a path, is not a namespace.
    let is_one = |namespace: &String| namespace.contains(':') && !namespace.ends_with("://");
    kept.map(|(namespace, _)| namespace).filter(is_one).collect()
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
