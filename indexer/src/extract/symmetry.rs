//! Whether a property is symmetric as it is used: each of its links has its reverse.

use super::graph::{Graph, NodeId, Object, Triple};
use serde::{Deserialize, Serialize};

/// Links checked per property.
const MAX_CHECKED: u32 = 2_000;
/// Fewer links do not make a property symmetric: two things may refer to each other by chance.
const MIN_CHECKED: u32 = 4;
/// Triples looked at to find the reverse of a link; beyond that nothing is said of the property.
const MAX_SEARCHED: usize = 5_000;

/// What is known of the symmetry of a property so far.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(super) struct Symmetry {
    checked: u32,
    is_refuted: bool,
}

impl Symmetry {
    /// Takes a link into account. Most properties are refuted by their first.
    pub(super) fn add(&mut self, graph: &Graph, triple: &Triple) {
        if self.is_refuted || self.checked >= MAX_CHECKED {
            return;
        }
        match triple.object {
            Object::Node(object) if object != triple.subject => {
                self.checked += 1;
                self.is_refuted = !has(graph, object, triple.predicate, triple.subject);
            }
            Object::Node(_) => {}
            Object::Literal(_) => self.is_refuted = true,
        }
    }

    /// Adds what is known from another share of the graph.
    pub(super) fn merge(&mut self, other: Self) {
        self.checked = self.checked.saturating_add(other.checked);
        self.is_refuted |= other.is_refuted;
    }

    /// Whether the property is symmetric.
    pub(super) fn is_shown(&self) -> bool {
        !self.is_refuted && self.checked >= MIN_CHECKED
    }
}

fn has(graph: &Graph, subject: NodeId, predicate: NodeId, object: NodeId) -> bool {
    let of_subject = graph.triples_from(subject).take_while(|triple| triple.subject == subject);
    of_subject
        .take(MAX_SEARCHED)
        .any(|triple| triple.predicate == predicate && triple.object == Object::Node(object))
}
