//! The working graph of a question: triples that are kept in memory while it is answered, and queried there.
//!
//! ```text
//! triples of results, proofs, entries ─► add (bounded, blank nodes told apart) ─► query (on a thread, as `embedded`) | Turtle
//! ```
//! Terms are kept as they were written. Bounded in triples and bytes: what does not fit is counted and left out.

use crate::embedded::EmbeddedStore;
use crate::results::triple_bytes;
use crate::turtle::{Turtle, turtle};
use crate::{Answer, CheckedQuery, Limits, Prefixes, QueryError, SparqlEndpoint};
use oxrdf::{BlankNode, Dataset, GraphNameRef, NamedOrBlankNode, Term, Triple};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Bytes by which the process may grow while a working graph is queried.
const MAX_MEMORY: u64 = 512 << 20;

/// A bounded set of triples in memory. Cheap to clone.
#[derive(Debug, Clone)]
pub struct WorkingGraph {
    /// `None` while nothing has been added.
    held: Option<Arc<HeldTriples>>,
}

#[derive(Debug, Clone, Default)]
struct HeldTriples {
    triples: Arc<Dataset>,
    /// The blank nodes by where they come from and their label there: equal labels of two results are two nodes.
    blank_nodes: FxHashMap<(String, String), BlankNode>,
    bytes: usize,
}

/// What became of triples that were to be added.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AddedTriples {
    /// Triples that were added.
    pub added: usize,
    /// Triples that were there already.
    pub known: usize,
    /// Triples for which there was no room.
    pub left_out: usize,
}

impl Default for WorkingGraph {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl WorkingGraph {
    /// A working graph without triples.
    pub const EMPTY: Self = Self { held: None };
    /// Maximum number of triples.
    pub const MAX_TRIPLES: usize = 20_000;
    /// Maximum size of the triples in bytes, as they are written.
    pub const MAX_BYTES: usize = 4 << 20;

    /// Adds triples as long as there is room. `origin` names the result that they come from: blank nodes with equal labels are
    /// the same node only within it.
    pub fn add(&mut self, origin: &str, triples: &[Triple]) -> AddedTriples {
        let held = Arc::make_mut(self.held.get_or_insert_default());
        let mut outcome = AddedTriples::default();
        for triple in triples {
            let triple = held.told_apart(origin, triple.clone());
            let quad = triple.as_ref().in_graph(GraphNameRef::DefaultGraph);
            let bytes = triple_bytes(&triple);
            if held.triples.contains(quad) {
                outcome.known += 1;
            } else if held.triples.len() >= Self::MAX_TRIPLES || held.bytes + bytes > Self::MAX_BYTES {
                outcome.left_out += 1;
            } else {
                held.bytes += bytes;
                Arc::make_mut(&mut held.triples).insert(quad);
                outcome.added += 1;
            }
        }
        outcome
    }

    /// The number of triples.
    #[must_use]
    pub fn len(&self) -> usize {
        self.held.as_ref().map_or(0, |held| held.triples.len())
    }

    /// Whether there are no triples.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The size of the triples in bytes, as they are written.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.held.as_ref().map_or(0, |held| held.bytes)
    }

    /// The triples, in no order.
    #[must_use]
    pub fn triples(&self) -> Vec<Triple> {
        let quads = self.held.iter().flat_map(|held| held.triples.iter());
        quads.map(|quad| Triple::from(oxrdf::TripleRef::from(quad))).collect()
    }

    /// Runs a checked query over the triples, on a thread of its own.
    ///
    /// # Errors
    /// [`QueryError::Timeout`] and [`QueryError::TooLarge`] where it needs more than it may take,
    /// [`QueryError::Rejected`] where it cannot be evaluated.
    pub async fn query(&self, query: &CheckedQuery, limits: Limits) -> Result<Answer, QueryError> {
        let triples = self.held.as_ref().map(|held| held.triples.clone()).unwrap_or_default();
        let store = EmbeddedStore::of_triples(triples).with_max_memory(Some(MAX_MEMORY));
        store.query(query, limits).await
    }

    /// The triples as Turtle with the prefixes that are used, in an order that depends on nothing but them.
    #[must_use]
    pub fn turtle(&self, prefixes: &Prefixes, max_bytes: usize) -> Turtle {
        turtle(self.triples(), prefixes, max_bytes)
    }
}

impl HeldTriples {
    /// The triple with blank nodes of its origin.
    fn told_apart(&mut self, origin: &str, mut triple: Triple) -> Triple {
        if let NamedOrBlankNode::BlankNode(node) = &triple.subject {
            triple.subject = self.own_node(origin, node).into();
        }
        if let Term::BlankNode(node) = &triple.object {
            triple.object = self.own_node(origin, node).into();
        }
        triple
    }

    fn own_node(&mut self, origin: &str, node: &BlankNode) -> BlankNode {
        let next = self.blank_nodes.len() + 1;
        let key = (origin.to_owned(), node.as_str().to_owned());
        let own = self.blank_nodes.entry(key);
        own.or_insert_with(|| BlankNode::new_unchecked(format!("b{next}"))).clone()
    }
}

#[cfg(test)]
mod tests;
