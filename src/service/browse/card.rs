//! The page of a graph: what it is made of, with names for people and a picture of its schema.

use super::{BrowseError, kind};
use crate::dataset::Dataset;
use crate::service::Service;
use crate::words::about;
use eruca_indexer::vocabulary::is_meta;
use eruca_indexer::{ClassCard, PropertyCard, Target};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What is shown of a large graph.
const MAX_CLASSES: usize = 100;
const MAX_PROPERTIES: usize = 200;
const MAX_CLASS_PROPERTIES: usize = 20;
const MAX_ENDS: usize = 5;
/// Classes with examples, and examples of each.
const MAX_WITH_EXAMPLES: usize = 50;
const MAX_EXAMPLES: usize = 3;
/// The picture of the schema.
const MAX_NODES: usize = 30;
const MAX_EDGES: usize = 120;

/// What a graph is made of.
#[derive(Debug, Clone, PartialEq)]
pub struct CardView {
    /// The id of the dataset.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// Triples seen when the index was built.
    pub triples: u64,
    /// Indexed entities.
    pub entities: u64,
    /// When the index was built, in seconds since 1970.
    pub built_at: Option<u64>,
    /// Languages of its texts with their shares, the most frequent first.
    pub languages: Vec<(String, f64)>,
    /// Classes with instances, the most used first.
    pub classes: Vec<ClassView>,
    /// Properties, the most used first.
    pub properties: Vec<PropertyView>,
    /// Its largest classes and what joins them.
    pub schema: SchemaView,
    /// What it is about, in a sentence; empty where it has no classes.
    pub about: String,
    /// Questions that it answers.
    pub examples: Vec<String>,
    /// Whether further questions are being looked for.
    pub examples_pending: bool,
}

/// A class.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassView {
    /// The IRI.
    pub iri: String,
    /// Its name.
    pub label: String,
    /// Instances, also of the classes below it.
    pub count: u64,
    /// What its instances have: IRI, name, kind of values, share of the instances that have it.
    pub properties: Vec<(String, String, &'static str, f64)>,
    /// Its best known instances: IRI and name.
    pub examples: Vec<(String, String)>,
}

/// A property.
#[derive(Debug, Clone, PartialEq)]
pub struct PropertyView {
    /// The IRI.
    pub iri: String,
    /// Its name.
    pub label: String,
    /// Triples with it.
    pub uses: u64,
    /// What its values are.
    pub kind: &'static str,
    /// Classes of its subjects, the most frequent first.
    pub domain: Vec<String>,
    /// Classes of its objects, the most frequent first.
    pub range: Vec<String>,
}

/// The largest classes and what joins them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SchemaView {
    /// Classes: IRI, name, instances.
    pub nodes: Vec<(String, String, u64)>,
    /// What joins them, the most frequent first.
    pub edges: Vec<EdgeView>,
}

/// What joins two classes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EdgeView {
    /// The class of the subjects.
    pub from: String,
    /// The class of the objects.
    pub to: String,
    /// The property.
    pub property: String,
    /// Its name.
    pub label: String,
    /// Triples.
    pub count: u64,
}

impl Service {
    /// What a dataset is made of, with names in this language, and questions that it answers, as far as they are known by now.
    ///
    /// # Errors
    /// When there is no such dataset, its index is damaged, or too many look around.
    pub async fn card(self: &Arc<Self>, dataset: &str, lang: Option<&str>) -> Result<CardView, BrowseError> {
        let dataset = self.looked_at(dataset, lang)?;
        let (examples, examples_pending) = self.examples(&dataset, lang).await;
        let view = async move { CardView { examples, examples_pending, ..CardView::of(&dataset) } };
        Ok(self.look(view).await?)
    }
}

impl CardView {
    fn of(dataset: &Dataset) -> Self {
        let (card, manifest) = (&dataset.index.card, &dataset.index.manifest);
        let texts: u64 = card.languages.iter().map(|(_, count)| count).sum();
        let languages = card.languages.iter().filter(|(tag, _)| !tag.is_empty());
        let classes = used_classes(dataset).take(MAX_CLASSES).enumerate();
        let properties = card.properties.iter().filter(|property| is_shown(dataset, property));
        Self {
            id: dataset.id.clone(),
            name: eruca_sparql::one_line(&dataset.name, crate::dataset::MAX_NAME_CHARS),
            triples: card.triples,
            entities: dataset.index.entities.len(),
            built_at: Some(manifest.built_at).filter(|at| *at > 0),
            languages: languages.map(|(tag, count)| (tag.clone(), share(*count, texts))).collect(),
            classes: classes
                .map(|(rank, class)| class_view(dataset, class, rank < MAX_WITH_EXAMPLES))
                .collect(),
            properties: properties
                .take(MAX_PROPERTIES)
                .map(|property| property_view(dataset, property))
                .collect(),
            schema: schema(dataset),
            about: about(dataset, dataset.reader()),
            examples: Vec::new(),
            examples_pending: false,
        }
    }
}

/// Classes with instances that speak of the world, the most used first.
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

fn class_view(dataset: &Dataset, class: &ClassCard, with_examples: bool) -> ClassView {
    let examples = if with_examples { examples(dataset, &class.iri) } else { Vec::new() };
    ClassView {
        iri: class.iri.clone(),
        label: dataset.schema_name(&class.iri),
        count: class.instances_with_subclasses,
        properties: class_properties(dataset, class),
        examples,
    }
}

/// What instances of a class have, the most frequent first.
fn class_properties(dataset: &Dataset, class: &ClassCard) -> Vec<(String, String, &'static str, f64)> {
    let graph = &dataset.index.graph;
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for hop in graph.hops(&class.iri).iter().filter(|hop| hop.forward) {
        // What is known of a class of objects is also known of those above it.
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
        (iri.to_owned(), dataset.schema_name(iri), kind(dataset, iri), share)
    };
    counts.into_iter().take(MAX_CLASS_PROPERTIES).map(view).collect()
}

/// The best known instances of a class, or of one below it.
fn examples(dataset: &Dataset, class: &str) -> Vec<(String, String)> {
    let below = dataset.index.card.subclasses(class).map(|class| class.iri.as_str());
    let found = std::iter::once(class).chain(below.take(MAX_EXAMPLES)).map(|class| {
        // A search that fails has raised the alarm of the index; the card is shown without.
        dataset.index.entities.best_of_class(class, MAX_EXAMPLES).unwrap_or_default()
    });
    let named = |entity: eruca_indexer::Entity| {
        let label = eruca_sparql::one_line(entity.label(&dataset.languages), crate::dataset::MAX_NAME_CHARS);
        (entity.iri, label)
    };
    found.flatten().take(MAX_EXAMPLES).map(named).collect()
}

fn property_view(dataset: &Dataset, property: &PropertyCard) -> PropertyView {
    let ends = |classes: Vec<(&str, u64)>| {
        let classes = classes.into_iter().filter(|(class, _)| !is_meta(class)).take(MAX_ENDS);
        classes.map(|(class, _)| class.to_owned()).collect()
    };
    PropertyView {
        iri: property.iri.clone(),
        label: dataset.schema_name(&property.iri),
        uses: property.usage,
        kind: kind(dataset, &property.iri),
        domain: ends(property.domains()),
        range: ends(property.ranges()),
    }
}

/// The largest classes by their own instances, so that no thing is counted at each class above it.
fn schema(dataset: &Dataset) -> SchemaView {
    let mut classes: Vec<&ClassCard> = used_classes(dataset).filter(|class| class.instances > 0).collect();
    classes.sort_by_key(|class| std::cmp::Reverse(class.instances));
    classes.truncate(MAX_NODES);
    let node = |class: &&ClassCard| (class.iri.clone(), dataset.schema_name(&class.iri), class.instances);
    let nodes: Vec<(String, String, u64)> = classes.iter().map(node).collect();
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
    let edges = edges.into_iter().take(MAX_EDGES).map(|(count, from, to, property)| EdgeView {
        from: from.clone(),
        to: to.clone(),
        property: property.clone(),
        label: dataset.schema_name(property),
        count,
    });
    SchemaView { edges: edges.collect(), nodes }
}
