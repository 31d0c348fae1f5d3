//! The overview page of a graph: its contents with labels, and a diagram of its schema.

use super::{BrowseError, kind};
use crate::service::Service;
use crate::service::index::time_of;
use eruca_api::{
    Card, Class, ClassProperty, LanguageShare, NamedIri, Property, Schema, SchemaEdge, SchemaNode,
};
use eruca_dataset::Dataset;
use eruca_indexer::vocabulary::is_meta;
use eruca_indexer::{ClassCard, PropertyCard, Target};
use eruca_verbalize::words::about;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Limits on what is shown of a large graph.
const MAX_CLASSES: usize = 100;
const MAX_PROPERTIES: usize = 200;
const MAX_CLASS_PROPERTIES: usize = 20;
const MAX_ENDS: usize = 5;
/// Number of classes with examples, and of examples per class.
const MAX_WITH_EXAMPLES: usize = 50;
const MAX_EXAMPLES: usize = 3;
const MAX_NOTES: usize = 20;
/// Limits of the schema diagram.
const MAX_NODES: usize = 30;
const MAX_EDGES: usize = 120;

impl Service {
    /// The contents of a dataset, with labels in this language, and the example questions known so far.
    ///
    /// # Errors
    /// If there is no such dataset, its index is damaged, or browsing is overloaded.
    pub async fn card(self: &Arc<Self>, dataset: &str, lang: Option<&str>) -> Result<Card, BrowseError> {
        let dataset = self.looked_at(dataset, lang)?;
        let (examples, examples_pending) = self.examples(&dataset, lang).await;
        let view = async move { Card { examples, examples_pending, ..card(&dataset) } };
        Ok(self.look(view).await?)
    }
}

fn card(dataset: &Dataset) -> Card {
    let (card, manifest) = (&dataset.index.card, &dataset.index.manifest);
    let texts: u64 = card.languages.iter().map(|(_, count)| count).sum();
    let languages = card.languages.iter().filter(|(tag, _)| !tag.is_empty());
    let classes = used_classes(dataset).take(MAX_CLASSES).enumerate();
    let properties = card.properties.iter().filter(|property| is_shown(dataset, property));
    Card {
        id: dataset.id.clone(),
        name: eruca_sparql::one_line(&dataset.name, eruca_dataset::MAX_NAME_CHARS),
        triples: card.triples,
        entities: dataset.index.entities.len(),
        built_at: Some(manifest.built_at).filter(|at| *at > 0).and_then(time_of),
        languages: languages
            .map(|(tag, count)| LanguageShare { tag: tag.clone(), share: share(*count, texts) })
            .collect(),
        classes: classes.map(|(rank, class)| class_view(dataset, class, rank < MAX_WITH_EXAMPLES)).collect(),
        properties: properties
            .take(MAX_PROPERTIES)
            .map(|property| property_view(dataset, property))
            .collect(),
        schema: schema(dataset),
        about: about(dataset, dataset.reader()),
        notes: notes(dataset, None),
        examples: Vec::new(),
        examples_pending: false,
    }
}

/// What the owner of the graph says of it, or of a class or property.
fn notes(dataset: &Dataset, about: Option<&str>) -> Vec<String> {
    dataset.knowledge().notes_about(about).take(MAX_NOTES).map(str::to_owned).collect()
}

/// Domain classes with instances, most used first.
fn used_classes(dataset: &Dataset) -> impl Iterator<Item = &ClassCard> {
    let classes = dataset.index.card.classes.iter();
    classes.filter(|class| class.instances_with_subclasses > 0 && !is_meta(&class.iri))
}

fn is_shown(dataset: &Dataset, property: &PropertyCard) -> bool {
    property.usage > 0 && !dataset.vocabulary().is_schema(&property.iri)
}

fn share(part: u64, whole: u64) -> f64 {
    (part as f64 / whole.max(1) as f64).min(1.0)
}

fn class_view(dataset: &Dataset, class: &ClassCard, with_examples: bool) -> Class {
    let examples = if with_examples { examples(dataset, &class.iri) } else { Vec::new() };
    Class {
        iri: class.iri.clone(),
        label: dataset.schema_name(&class.iri),
        count: class.instances_with_subclasses,
        properties: class_properties(dataset, class),
        examples,
        notes: notes(dataset, Some(&class.iri)),
    }
}

/// The properties of the instances of a class, most frequent first.
fn class_properties(dataset: &Dataset, class: &ClassCard) -> Vec<ClassProperty> {
    let graph = &dataset.index.graph;
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for hop in graph.hops(&class.iri).iter().filter(|hop| hop.forward) {
        // Hops are also recorded for the superclasses of the objects' class, so counts must not be added up.
        let most = counts.entry(&hop.property).or_default();
        *most = hop.count.max(*most);
    }
    for attribute in graph.attributes(&class.iri) {
        *counts.entry(&attribute.property).or_default() += attribute.count;
    }
    let mut counts: Vec<(&str, u64)> = counts.into_iter().collect();
    counts.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let view = |(iri, count): (&str, u64)| {
        let share = share(count, class.instances_with_subclasses);
        ClassProperty {
            iri: iri.to_owned(),
            label: dataset.schema_name(iri),
            kind: kind(dataset, iri),
            share,
        }
    };
    counts.into_iter().take(MAX_CLASS_PROPERTIES).map(view).collect()
}

/// The best-known instances of a class or of its subclasses.
fn examples(dataset: &Dataset, class: &str) -> Vec<NamedIri> {
    let below = dataset.index.card.subclasses(class).map(|class| class.iri.as_str());
    let found = std::iter::once(class).chain(below.take(MAX_EXAMPLES)).map(|class| {
        // A failed search has already raised the index alarm; the card is shown without examples.
        dataset.index.entities.best_of_class(class, MAX_EXAMPLES).unwrap_or_default()
    });
    let named = |entity: eruca_indexer::Entity| {
        let label = eruca_sparql::one_line(entity.label(&dataset.languages), eruca_dataset::MAX_NAME_CHARS);
        NamedIri { iri: entity.iri, label }
    };
    found.flatten().take(MAX_EXAMPLES).map(named).collect()
}

fn property_view(dataset: &Dataset, property: &PropertyCard) -> Property {
    let ends = |classes: Vec<(&str, u64)>| {
        let classes = classes.into_iter().filter(|(class, _)| !is_meta(class)).take(MAX_ENDS);
        classes.map(|(class, _)| class.to_owned()).collect()
    };
    Property {
        iri: property.iri.clone(),
        label: dataset.schema_name(&property.iri),
        uses: property.usage,
        kind: kind(dataset, &property.iri),
        domain: ends(property.domains()),
        range: ends(property.ranges()),
        unit: dataset.knowledge().unit_of(&property.iri).map(str::to_owned),
        notes: notes(dataset, Some(&property.iri)),
    }
}

/// The largest classes by direct instances, so that no entity is counted again in every superclass.
fn schema(dataset: &Dataset) -> Schema {
    let mut classes: Vec<&ClassCard> = used_classes(dataset).filter(|class| class.instances > 0).collect();
    classes.sort_by_key(|class| std::cmp::Reverse(class.instances));
    classes.truncate(MAX_NODES);
    let node = |class: &&ClassCard| SchemaNode {
        iri: class.iri.clone(),
        label: dataset.schema_name(&class.iri),
        count: class.instances,
    };
    let nodes = classes.iter().map(node).collect();
    let is_node = |iri: &str| classes.iter().any(|class| class.iri == iri);
    let mut edges = Vec::new();
    for property in dataset.index.card.properties.iter().filter(|property| is_shown(dataset, property)) {
        for edge in &property.edges {
            if let (Some(from), Target::Class(to)) = (&edge.class, &edge.target)
                && is_node(from)
                && is_node(to)
            {
                edges.push((edge.count, from, to, &property.iri));
            }
        }
    }
    edges.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| (a.3, a.1, a.2).cmp(&(b.3, b.1, b.2))));
    let edges = edges.into_iter().take(MAX_EDGES).map(|(count, from, to, property)| SchemaEdge {
        from: from.clone(),
        to: to.clone(),
        property: property.clone(),
        label: dataset.schema_name(property),
        count,
    });
    Schema { nodes, edges: edges.collect() }
}
