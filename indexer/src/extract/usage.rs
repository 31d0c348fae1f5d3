//! How the data use each property, counted in one pass over the triples without reading any text; in a share of a graph, the
//! triples of its own subjects.

use super::collections::{Collections, MAX_LOOKED_AT};
use super::connections::Connections;
use super::counted::CountedCollections;
use super::graph::{Graph, NodeId, Object, Triple};
use super::kinds::KindId;
use super::roles::Roles;
use super::symmetry::Symmetry;
use crate::card::Collection;
use crate::vocabulary::{RDF_LANG_STRING, XSD_STRING};
use rustc_hash::FxHashMap;

/// Number of triples with an object of each literal kind.
type KindCounts = FxHashMap<KindId, u64>;

/// How properties are used.
#[derive(Default)]
pub(super) struct UsageCounts {
    /// Per property, without triples of the ontology about itself.
    pub(super) properties: FxHashMap<NodeId, PropertyUse>,
    /// All triples.
    pub(super) triples: u64,
    /// Literals in all triples.
    kinds: KindCounts,
}

impl UsageCounts {
    pub(super) fn count(graph: &Graph, roles: &Roles) -> Self {
        let mut usage = Self::default();
        let collections = Collections::of(graph);
        for triple in graph.triples().filter(|triple| graph.is_own(triple.subject)) {
            usage.triples += 1;
            let kind = match triple.object {
                Object::Literal(id) => graph.kind_of(id),
                Object::Node(_) => None,
            };
            if let Some(kind) = kind {
                *usage.kinds.entry(kind).or_default() += 1;
            }
            if !roles.is_schema(triple.subject) {
                let own = usage.properties.entry(triple.predicate).or_default();
                own.add(graph, roles, &triple, kind);
                if let Some(collections) = &collections {
                    own.collect(graph, roles, collections, &triple);
                }
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
    /// Number of triples.
    pub(super) usage: u64,
    /// Number of distinct subjects.
    pub(super) subjects: u64,
    /// What it connects.
    pub(super) connections: Connections,
    pub(super) symmetry: Symmetry,
    collected: CollectedUse,
    last_subject: Option<NodeId>,
    kinds: KindCounts,
}

impl PropertyUse {
    fn add(&mut self, graph: &Graph, roles: &Roles, triple: &Triple, kind: Option<KindId>) {
        self.usage += 1;
        // Triples are sorted by subject, so a new subject appears only once.
        if self.last_subject != Some(triple.subject) {
            self.last_subject = Some(triple.subject);
            self.subjects += 1;
        }
        let datatype = kind.and_then(|kind| graph.kind(kind)).map(|kind| kind.datatype);
        self.connections.add(roles, triple, datatype);
        self.symmetry.add(graph, triple);
        if let Some(kind) = kind {
            *self.kinds.entry(kind).or_default() += 1;
        }
    }

    /// Looks up the members of an object that may be a list or container.
    fn collect(&mut self, graph: &Graph, roles: &Roles, collections: &Collections, triple: &Triple) {
        let Object::Node(node) = triple.object else { return };
        let own = &mut self.collected;
        if own.looked_at >= MAX_LOOKED_AT || collections.is_joint(triple.predicate) {
            return;
        }
        own.looked_at += 1;
        if !roles.types_of(node).is_empty() {
            return;
        }
        let Some((as_a, members)) = collections.members(graph, node) else { return };
        own.found += 1;
        own.as_a = Some(as_a);
        for object in members {
            let datatype = match object {
                Object::Literal(id) => graph.kind_of(id).and_then(|kind| graph.kind(kind)),
                Object::Node(_) => None,
            };
            own.members.add(roles, &Triple { object, ..*triple }, datatype.map(|kind| kind.datatype));
        }
    }

    /// The lists and containers among its objects.
    pub(super) fn collections(&self, graph: &Graph, most: usize) -> CountedCollections {
        let CollectedUse { looked_at, found, as_a, members } = &self.collected;
        CountedCollections {
            looked_at: *looked_at,
            found: *found,
            as_a: *as_a,
            edges: members.edges(graph, most),
        }
    }

    /// Languages of its texts with their counts, most frequent first.
    pub(super) fn languages(&self, graph: &Graph) -> Vec<(String, u64)> {
        languages(graph, &self.kinds)
    }
}

/// Lists and containers among the objects of a property.
#[derive(Default)]
struct CollectedUse {
    /// Number of nodes checked, and of those that are a list or container.
    looked_at: u64,
    found: u64,
    as_a: Option<Collection>,
    /// Connections between subjects and members.
    members: Connections,
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

/// Texts ordered by count.
pub(super) fn by_count(counts: FxHashMap<&str, u64>) -> Vec<(String, u64)> {
    let mut counts: Vec<_> = counts.into_iter().map(|(key, count)| (key.to_owned(), count)).collect();
    counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    counts
}
