//! How the data use each property, counted in one pass over the triples and without a look at any text.

use super::connections::Connections;
use super::graph::{Graph, NodeId, Object, Triple};
use super::kinds::KindId;
use super::roles::Roles;
use crate::vocabulary::{RDF_LANG_STRING, XSD_STRING};
use rustc_hash::FxHashMap;

/// How often a literal of each kind is an object.
type KindCounts = FxHashMap<KindId, u64>;

/// How properties are used.
#[derive(Default)]
pub(super) struct UsageCounts {
    /// Of each property, without what the ontology says of itself.
    pub(super) properties: FxHashMap<NodeId, PropertyUse>,
    /// The literals of all triples.
    kinds: KindCounts,
}

impl UsageCounts {
    pub(super) fn count(graph: &Graph, roles: &Roles) -> Self {
        let mut usage = Self::default();
        for triple in graph.triples() {
            let kind = match triple.object {
                Object::Literal(id) => graph.kind_of(id),
                Object::Node(_) => None,
            };
            if let Some(kind) = kind {
                *usage.kinds.entry(kind).or_default() += 1;
            }
            if !roles.is_schema(triple.subject) {
                usage.properties.entry(triple.predicate).or_default().add(graph, roles, &triple, kind);
            }
        }
        usage
    }

    /// Languages of all texts with their counts, most frequent first.
    pub(super) fn languages(&self, graph: &Graph) -> Vec<(String, u64)> {
        languages(graph, &self.kinds)
    }
}

/// How one property is used.
#[derive(Default)]
pub(super) struct PropertyUse {
    /// Triples.
    pub(super) usage: u64,
    /// Different subjects.
    pub(super) subjects: u64,
    /// What it connects.
    pub(super) connections: Connections,
    last_subject: Option<NodeId>,
    kinds: KindCounts,
}

impl PropertyUse {
    fn add(&mut self, graph: &Graph, roles: &Roles, triple: &Triple, kind: Option<KindId>) {
        self.usage += 1;
        // Triples are sorted by subject, so a new subject is seen once.
        if self.last_subject != Some(triple.subject) {
            self.last_subject = Some(triple.subject);
            self.subjects += 1;
        }
        let datatype = kind.and_then(|kind| graph.kind(kind)).map(|kind| kind.datatype);
        self.connections.add(roles, triple, datatype);
        if let Some(kind) = kind {
            *self.kinds.entry(kind).or_default() += 1;
        }
    }

    /// Languages of its texts with their counts, most frequent first.
    pub(super) fn languages(&self, graph: &Graph) -> Vec<(String, u64)> {
        languages(graph, &self.kinds)
    }
}

fn languages(graph: &Graph, kinds: &KindCounts) -> Vec<(String, u64)> {
    let mut counts: FxHashMap<&str, u64> = FxHashMap::default();
    for (kind, count) in kinds {
        if let Some(kind) = graph.kind(*kind)
            && [XSD_STRING, RDF_LANG_STRING].contains(&graph.node(kind.datatype))
        {
            *counts.entry(&kind.language).or_default() += count;
        }
    }
    by_count(counts)
}

/// Texts by how often they were counted.
pub(super) fn by_count(counts: FxHashMap<&str, u64>) -> Vec<(String, u64)> {
    let mut counts: Vec<_> = counts.into_iter().map(|(key, count)| (key.to_owned(), count)).collect();
    counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    counts
}
