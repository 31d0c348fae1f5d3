//! Nouns that name a class, a thing, or the objects of a relation.

use crate::tests::graph::{Graph, LAND};

#[test]
fn a_relation_alone_is_whatever_it_leads_to() {
    let graph = Graph::of(LAND);
    graph.answers("en", &[("Which capitals are there?", &["atown", "btown", "ctown"])]);
}

#[test]
fn a_class_is_all_of_it() {
    let graph = Graph::of(LAND);
    graph.answers("en", &[("Which towns are there?", &["atown", "btown", "ctown", "dtown"])]);
}
