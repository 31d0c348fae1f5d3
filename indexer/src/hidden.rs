//! What an opened index must not show: it is taken out of the card and all that is computed from it, and no search finds it.

use crate::card::{ClassCard, DatasetCard, Edge, PropertyCard, Target};
use crate::dataset::DatasetIndex;
use crate::schema_graph::SchemaGraph;
use crate::schema_names::SchemaNames;
use std::sync::{Arc, OnceLock};

/// Whether an IRI is hidden.
pub type Hides = Arc<dyn Fn(&str) -> bool + Send + Sync>;

impl DatasetIndex {
    /// Hides classes, properties and things from now on.
    pub fn hide(&mut self, hides: &Hides) {
        self.card.hide(hides);
        self.names = SchemaNames::of(&self.card, &self.manifest.vocabulary);
        self.graph = SchemaGraph::of(&self.card, &self.manifest.vocabulary);
        self.schema.hide(hides.clone());
        self.entities.hides = Some(hides.clone());
        self.values.hides = Some(hides.clone());
    }
}

impl DatasetCard {
    fn hide(&mut self, hides: &Hides) {
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
