//! What must not be seen. A build can leave it out, so that nothing of it is in an index (`build::seen`). From an opened index that was
//! built with it, it is taken out of the card and all that is computed from it, and no search finds it; but counts and samples may
//! come from it.

use crate::card::{ClassCard, DatasetCard, Edge, PropertyCard, Target};
use crate::dataset::DatasetIndex;
use crate::schema_graph::SchemaGraph;
use crate::schema_names::SchemaNames;
use oxrdf::{GraphName, NamedOrBlankNode, Quad, Term};
use std::sync::{Arc, OnceLock};

/// Whether an IRI is hidden.
pub type Hides = Arc<dyn Fn(&str) -> bool + Send + Sync>;

/// What is left out of an index, since it is hidden from somebody.
#[derive(Clone)]
pub struct LeftOut {
    /// Identifies what is hidden: letters and digits.
    pub seal: String,
    /// From whom it is hidden, for people.
    pub from: String,
    /// What is hidden.
    pub hides: Hides,
}

impl LeftOut {
    /// Whether a statement is left out: something hidden is its subject, predicate, object or graph.
    pub(crate) fn has(&self, quad: &Quad) -> bool {
        let subject =
            matches!(&quad.subject, NamedOrBlankNode::NamedNode(node) if (self.hides)(node.as_str()));
        let object = matches!(&quad.object, Term::NamedNode(node) if (self.hides)(node.as_str()));
        let graph = matches!(&quad.graph_name, GraphName::NamedNode(node) if (self.hides)(node.as_str()));
        subject || object || graph || (self.hides)(quad.predicate.as_str())
    }
}

impl DatasetIndex {
    /// Hides classes, properties and things from now on.
    pub fn hide(&mut self, hides: &Hides) {
        let gone = self.card.hidden_triples(hides);
        self.manifest.triples = self.manifest.triples.saturating_sub(gone);
        self.card.triples = self.card.triples.saturating_sub(gone);
        self.card.hide(hides);
        self.manifest.classes = self.card.classes.len() as u64;
        self.manifest.properties = self.card.properties.len() as u64;
        self.names = SchemaNames::of(&self.card, &self.manifest.vocabulary);
        self.graph = SchemaGraph::of(&self.card, &self.manifest.vocabulary);
        self.schema.hide(hides.clone());
        self.entities.hides = Some(hides.clone());
        self.values.hides = Some(hides.clone());
    }
}

impl DatasetCard {
    /// The triples of hidden properties and classes. Those of hidden things are not counted in a card.
    fn hidden_triples(&self, hides: &Hides) -> u64 {
        let properties = self.properties.iter().filter(|property| hides(&property.iri));
        let classes = self.classes.iter().filter(|class| hides(&class.iri));
        let of_properties: u64 = properties.map(|property| property.usage).sum();
        of_properties + classes.map(|class| class.instances).sum::<u64>()
    }

    fn hide(&mut self, hides: &Hides) {
        self.prefixes = self.prefixes.iter().filter(|(_, namespace)| !hides(namespace)).collect();
        self.classes.retain(|class| !hides(&class.iri));
        self.properties.retain(|property| !hides(&property.iri));
        self.naming_properties.retain(|property| !hides(property));
        self.named_graphs.retain(|(graph, _)| !hides(graph));
        self.classes
            .iter_mut()
            .for_each(|class: &mut ClassCard| class.superclasses.retain(|above| !hides(above)));
        for property in &mut self.properties {
            hide_in(property, hides);
        }
        self.positions = OnceLock::new();
    }
}

fn hide_in(property: &mut PropertyCard, hides: &Hides) {
    property.declared_domain.retain(|class| !hides(class));
    property.declared_range.retain(|class| !hides(class));
    let shown = |edge: &Edge| {
        let target = matches!(&edge.target, Target::Class(class) if hides(class));
        !target && !edge.class.as_deref().is_some_and(|class| hides(class))
    };
    let collected = property.collected.as_mut().map(|collected| &mut collected.edges);
    for edges in std::iter::once(&mut property.edges).chain(collected) {
        edges.retain(shown);
        edges.iter_mut().for_each(|edge| edge.samples.retain(|sample| !hides(sample)));
    }
}
