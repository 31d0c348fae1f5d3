//! What a property connects: classes with classes, with untyped resources, with datatypes.
//!
//! There can be as many connections as pairs of classes, so one between classes takes only three numbers; names are read
//! only for those that are kept.

use super::graph::{Graph, NodeId, Object, Triple};
use super::roles::Roles;
use crate::card::{Edge, Target};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;

/// Maximum number of samples kept per connection.
pub(super) const MAX_SAMPLES: usize = 3;
/// Maximum length of a sample in characters; longer ones are prose.
const MAX_SAMPLE_CHARS: usize = 60;
/// Maximum length of an IRI as a sample, in characters.
const MAX_SAMPLE_IRI_CHARS: usize = 400;
/// Stands for the class of an untyped subject.
const UNTYPED: NodeId = NodeId(u32::MAX);

/// The connections of one property.
#[derive(Default)]
pub(super) struct Connections {
    /// Triples from instances of a class to instances of another, without samples: their IRIs say nothing, and there
    /// are many.
    links: FxHashMap<(NodeId, NodeId), u64>,
    /// Triples from instances of a class to untyped objects.
    ends: FxHashMap<(NodeId, End), Ended>,
}

/// An untyped object.
#[derive(PartialEq, Eq, Hash, Clone, Copy)]
enum End {
    Resource,
    Literal(NodeId),
}

#[derive(Default)]
struct Ended {
    count: u64,
    samples: Vec<Object>,
}

impl Connections {
    /// Adds a triple; `datatype` is that of its literal.
    pub(super) fn add(&mut self, roles: &Roles, triple: &Triple, datatype: Option<NodeId>) {
        let (end, targets) = match triple.object {
            Object::Literal(_) => (datatype.map(End::Literal), &[][..]),
            Object::Node(node) => {
                let types = roles.types_of(node);
                (types.is_empty().then_some(End::Resource), types)
            }
        };
        let types = roles.types_of(triple.subject);
        let untyped = types.is_empty().then_some(UNTYPED);
        for class in types.iter().copied().chain(untyped) {
            for target in targets {
                *self.links.entry((class, *target)).or_default() += 1;
            }
            if let Some(end) = end {
                self.ends.entry((class, end)).or_default().add(triple.object);
            }
        }
    }

    /// Number of connections.
    pub(super) fn len(&self) -> usize {
        self.links.len() + self.ends.len()
    }

    /// The most frequent ones, at most `most`.
    pub(super) fn edges(&self, graph: &Graph, most: usize) -> Vec<Edge> {
        let names = NameOrder::new(graph, self.nodes());
        let links = self.links.iter().map(|((class, target), count)| {
            (Reverse(*count), names.rank(*class), TargetRank::Class(names.rank(*target)))
        });
        let ends = self.ends.iter().map(|((class, end), ended)| {
            let target = match end {
                End::Resource => TargetRank::Resource,
                End::Literal(datatype) => TargetRank::Literal(names.rank(*datatype)),
            };
            (Reverse(ended.count), names.rank(*class), target)
        });
        let mut ranked: Vec<Ranked> = links.chain(ends).collect();
        if most < ranked.len() {
            ranked.select_nth_unstable(most);
            ranked.truncate(most);
        }
        ranked.sort_unstable();
        ranked.into_iter().map(|ranked| self.edge(graph, &names, ranked)).collect()
    }

    /// Every node that is a class or datatype of a connection.
    fn nodes(&self) -> FxHashSet<NodeId> {
        let linked = self.links.keys().flat_map(|(class, target)| [*class, *target]);
        let ended = self.ends.keys().flat_map(|(class, end)| match end {
            End::Resource => [*class, *class],
            End::Literal(datatype) => [*class, *datatype],
        });
        linked.chain(ended).filter(|node| *node != UNTYPED).collect()
    }

    fn edge(&self, graph: &Graph, names: &NameOrder, (Reverse(count), class, target): Ranked) -> Edge {
        let name = |rank| graph.node(names.node(rank)).to_owned();
        let samples = |end| {
            let ended = self.ends.get(&(names.node(class), end));
            let samples = ended.into_iter().flat_map(|ended| &ended.samples);
            samples.filter_map(|object| sample(graph, *object)).collect()
        };
        let (target, samples) = match target {
            TargetRank::Class(rank) => (Target::Class(name(rank)), Vec::new()),
            TargetRank::Resource => (Target::Resource, samples(End::Resource)),
            TargetRank::Literal(rank) => {
                (Target::Literal(name(rank)), samples(End::Literal(names.node(rank))))
            }
        };
        Edge { class: class.is_some().then(|| name(class)), target, count, samples }
    }
}

impl Ended {
    fn add(&mut self, object: Object) {
        self.count += 1;
        if self.samples.len() < MAX_SAMPLES && !self.samples.contains(&object) {
            self.samples.push(object);
        }
    }
}

/// A connection as a sort key: most frequent first, then by names.
type Ranked = (Reverse<u64>, Rank, TargetRank);

/// Position of a node's name in sorted order; `None` for no node.
type Rank = Option<u32>;

/// A [`Target`] with a rank instead of a name.
#[derive(PartialEq, Eq, PartialOrd, Ord, Clone, Copy)]
enum TargetRank {
    Class(Rank),
    Resource,
    Literal(Rank),
}

/// Nodes in name order.
struct NameOrder {
    in_order: Vec<NodeId>,
    ranks: FxHashMap<NodeId, u32>,
}

impl NameOrder {
    fn new(graph: &Graph, nodes: FxHashSet<NodeId>) -> Self {
        let mut in_order: Vec<NodeId> = nodes.into_iter().collect();
        in_order.sort_by_cached_key(|node| graph.node(*node));
        let ranks = in_order.iter().copied().zip(0..).collect();
        Self { in_order, ranks }
    }

    fn rank(&self, node: NodeId) -> Rank {
        self.ranks.get(&node).copied()
    }

    fn node(&self, rank: Rank) -> NodeId {
        rank.and_then(|rank| self.in_order.get(rank as usize)).copied().unwrap_or(UNTYPED)
    }
}

/// An object as a sample; prose is left out, as it is long and says little.
fn sample(graph: &Graph, object: Object) -> Option<String> {
    match object {
        Object::Literal(id) => graph
            .literal(id)
            .map(|l| l.text.to_string())
            .filter(|text| text.chars().count() <= MAX_SAMPLE_CHARS),
        Object::Node(node) => {
            let iri = graph.node(node);
            (graph.is_iri(node) && iri.len() <= MAX_SAMPLE_IRI_CHARS).then(|| iri.to_owned())
        }
    }
}
