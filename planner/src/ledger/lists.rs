//! Lists and containers in a query: their linking properties need no words, so a property leads to the members directly; a fixed
//! position in a list needs one.

use super::parts::{Node, Parts, Statement};
use super::{Audit, Doubt};
use crate::link::is_joint;
use eruca_indexer::vocabulary::{RDF, RDF_FIRST, RDF_REST};

impl Parts {
    /// Replaces list nodes by the members of the list.
    pub(super) fn join_lists(&mut self) {
        let (joints, statements) =
            std::mem::take(&mut self.statements).into_iter().partition(|one| is_joint(&one.property));
        self.statements = statements;
        let joints: Vec<Statement> = joints;
        let (hops, ends): (Vec<Statement>, Vec<Statement>) =
            joints.into_iter().partition(|one| one.property == RDF_REST);
        if !self.walks_lists {
            self.places.extend(ends.iter().filter_map(|end| place(&end.property, hops.len())));
        }
        let members: Vec<Node> = ends.iter().map(|end| end.object.clone()).collect();
        let mut known: Vec<(Node, Node)> = ends.into_iter().map(|end| (end.subject, end.object)).collect();
        for _ in &hops {
            let reached = |node: &Node| known.iter().find(|(from, _)| from == node).map(|(_, to)| to.clone());
            let next = hops.iter().filter(|hop| reached(&hop.subject).is_none());
            let found: Vec<(Node, Node)> =
                next.filter_map(|hop| Some((hop.subject.clone(), reached(&hop.object)?))).collect();
            known.extend(found);
        }
        known.retain(|(from, _)| matches!(from, Node::Variable(_)) && !members.contains(from));
        for (from, to) in &known {
            self.statements
                .iter_mut()
                .filter(|one| one.object == *from)
                .for_each(|one| one.object = to.clone());
        }
    }
}

/// The position of the member that a property leads to, a number of hops from the head of the list.
fn place(property: &str, hops: usize) -> Option<u32> {
    match property.strip_prefix(RDF).and_then(|local| local.strip_prefix('_')) {
        Some(number) => number.parse().ok(),
        None => (property == RDF_FIRST).then(|| u32::try_from(hops + 1).unwrap_or(u32::MAX)),
    }
}

impl Audit<'_, '_> {
    /// Doubts queries that take one member of a list without a word for its position.
    pub(super) fn places(&mut self) {
        let said = |place: &u32| self.question().ordinals.iter().any(|ordinal| ordinal.place == *place);
        if !self.parts.places.iter().all(said) {
            let all = self.question().all();
            self.doubt(Doubt::Form(all, self.said(all)));
        }
    }
}
