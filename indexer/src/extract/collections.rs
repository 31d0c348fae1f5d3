//! Lists and containers (RDF 1.1 Schema, 5.1 and 5.2): which nodes are one, and what their members are. "The authors of
//! an article" means the members rather than the node that groups them.

use super::graph::{Graph, NodeId, Object};
use crate::card::Collection;
use crate::vocabulary::{RDF, RDF_FIRST, RDF_NIL, RDF_REST};
use rustc_hash::FxHashSet;

/// Maximum number of members considered per list or container.
const MAX_MEMBERS: usize = 50;
/// Maximum number of objects considered per property.
pub(super) const MAX_LOOKED_AT: u64 = 2_000;

/// The terms for lists and containers in the graph.
pub(super) struct Collections {
    first: Option<NodeId>,
    rest: Option<NodeId>,
    nil: Option<NodeId>,
    /// `rdf:_1`, `rdf:_2` and so on.
    places: FxHashSet<NodeId>,
}

impl Collections {
    /// `None` if the graph has none.
    pub(super) fn of(graph: &Graph) -> Option<Self> {
        let place = |number: usize| graph.find(&format!("{RDF}_{number}"));
        let found = Self {
            first: graph.find(RDF_FIRST),
            rest: graph.find(RDF_REST),
            nil: graph.find(RDF_NIL),
            places: (1..=MAX_MEMBERS).filter_map(place).collect(),
        };
        (found.first.is_some() || !found.places.is_empty()).then_some(found)
    }

    /// Whether a property only links the parts of lists and containers.
    pub(super) fn is_joint(&self, property: NodeId) -> bool {
        [self.first, self.rest].contains(&Some(property)) || self.places.contains(&property)
    }

    /// The kind of a node and its first members; `None` if it is neither a list nor a container.
    pub(super) fn members(&self, graph: &Graph, node: NodeId) -> Option<(Collection, Vec<Object>)> {
        if Some(node) == self.nil {
            return Some((Collection::List, Vec::new()));
        }
        let contained: Vec<Object> = graph
            .triples_from(node)
            .take_while(|triple| triple.subject == node)
            .filter(|triple| self.places.contains(&triple.predicate))
            .map(|triple| triple.object)
            .take(MAX_MEMBERS)
            .collect();
        if !contained.is_empty() {
            return Some((Collection::Container, contained));
        }
        let (mut found, mut cell) = (Vec::new(), Some(node));
        while let Some(at) = cell.filter(|_| found.len() < MAX_MEMBERS) {
            let (mut member, mut next) = (None, None);
            for triple in graph.triples_from(at).take_while(|triple| triple.subject == at) {
                match triple.object {
                    object if Some(triple.predicate) == self.first => member = Some(object),
                    Object::Node(node) if Some(triple.predicate) == self.rest => next = Some(node),
                    _ => {}
                }
            }
            let Some(member) = member else { break };
            found.push(member);
            cell = next;
        }
        (!found.is_empty()).then_some((Collection::List, found))
    }
}
