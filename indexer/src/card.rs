//! The dataset card: the contents of a graph, counted. It is shown to models, used by the agent for
//! checks, and the only source of details about classes and properties.

use crate::extract::Label;
use crate::vocabulary::PropertyFacts;
use eruca_sparql::{Prefixes, local_name};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::sync::OnceLock;

/// The contents of a dataset. Lists are ordered by use, most used first.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct DatasetCard {
    /// Prefixes of the dataset's own files, well-known ones that occur, and derived ones.
    pub prefixes: Prefixes,
    /// Distinct triples.
    pub triples: u64,
    /// Languages of string literals with their counts; the empty tag stands for none.
    pub languages: Vec<(String, u64)>,
    /// Properties that name resources, best first.
    pub naming_properties: Vec<String>,
    /// Named graphs with their quads.
    pub named_graphs: Vec<(String, u64)>,
    /// Classes, declared or used.
    pub classes: Vec<ClassCard>,
    /// Properties, declared or used.
    pub properties: Vec<PropertyCard>,
    /// Positions of classes and properties in their lists, and their relations; computed at the first look-up, after
    /// which the lists must not change.
    #[serde(skip)]
    pub(crate) positions: OnceLock<Positions>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Positions {
    classes: FxHashMap<String, usize>,
    properties: FxHashMap<String, usize>,
    /// Direct subclasses by superclass.
    subclasses: Lists,
    /// Properties by the class of their subjects.
    from: Lists,
    /// Properties by the class of their objects.
    to: Lists,
    /// Properties of resources without a class.
    untyped: Vec<usize>,
}

/// Positions by IRI, in the order of the card.
type Lists = FxHashMap<String, Vec<usize>>;

impl Positions {
    fn of(card: &DatasetCard) -> Self {
        let mut positions = Self::default();
        for (at, class) in card.classes.iter().enumerate() {
            positions.classes.insert(class.iri.clone(), at);
            class.superclasses.iter().for_each(|above| list(&mut positions.subclasses, above, at));
        }
        for (at, property) in card.properties.iter().enumerate() {
            positions.properties.insert(property.iri.clone(), at);
            for edge in &property.edges {
                match &edge.class {
                    Some(class) => list(&mut positions.from, class, at),
                    None if positions.untyped.last() == Some(&at) => {}
                    None => positions.untyped.push(at),
                }
                if let Target::Class(target) = &edge.target {
                    list(&mut positions.to, target, at);
                }
            }
        }
        positions
    }
}

fn list(lists: &mut Lists, iri: &str, at: usize) {
    match lists.get_mut(iri) {
        Some(list) if list.last() == Some(&at) => {}
        Some(list) => list.push(at),
        None => _ = lists.insert(iri.to_owned(), vec![at]),
    }
}

/// A class and how it is used.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ClassCard {
    /// The IRI.
    pub iri: String,
    /// Its labels.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<Label>,
    /// Its description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// Resources typed directly with this class.
    pub instances: u64,
    /// Resources typed with this class or one of its subclasses.
    pub instances_with_subclasses: u64,
    /// Direct superclasses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub superclasses: Vec<String>,
}

/// A property and how it is used.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PropertyCard {
    /// The IRI.
    pub iri: String,
    /// Its labels.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<Label>,
    /// Its description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// `rdfs:domain` as declared.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub declared_domain: Vec<String>,
    /// `rdfs:range` as declared.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub declared_range: Vec<String>,
    /// Triples with this property.
    pub usage: u64,
    /// Distinct subjects of those triples.
    pub subjects: u64,
    /// Whether each of its links has its reverse, as far as they were looked at.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub symmetric: bool,
    /// The connections observed in its triples, most frequent first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edges: Vec<Edge>,
    /// Whether more connections were observed than are kept.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub more_edges: bool,
    /// The members, if its objects are lists or containers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collected: Option<Collected>,
    /// Language tags of its literals; the empty tag stands for none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub languages: Vec<(String, u64)>,
    /// Facts about its statements, if statements are nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statements: Option<PropertyFacts>,
}

/// A node that groups several others as one object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Collection {
    /// `rdf:first` and `rdf:rest`.
    List,
    /// `rdf:_1`, `rdf:_2` and so on.
    Container,
}

/// The members of the lists or containers that a property leads to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Collected {
    /// Whether they are lists or containers.
    pub as_a: Collection,
    /// Connections from the property's subjects to the members, most frequent first.
    pub edges: Vec<Edge>,
}

/// An observed connection: subjects of a class to objects of a kind.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Edge {
    /// The subjects' class; `None` for subjects without a type.
    pub class: Option<String>,
    /// The kind of the objects.
    pub target: Target,
    /// Number of triples.
    pub count: u64,
    /// Up to three objects: lexical forms of short literals, IRIs of resources without a class.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub samples: Vec<String>,
}

/// The kind of an object.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// An instance of a class.
    Class(String),
    /// An IRI or blank node without a type.
    Resource,
    /// A literal of a datatype.
    Literal(String),
}

impl ClassCard {
    /// Whether the class has no instances.
    pub fn is_unused(&self) -> bool {
        self.instances_with_subclasses == 0
    }
}

impl PropertyCard {
    /// Whether no triple and no statement uses it.
    pub fn is_unused(&self) -> bool {
        let facts = self.statements.as_ref();
        self.usage == 0 && facts.is_none_or(|facts| facts.statements == 0 && facts.qualifies == 0)
    }

    /// Its connections; to the members of lists and containers instead of to these.
    pub fn reached(&self) -> &[Edge] {
        self.collected.as_ref().map_or(&self.edges, |collected| &collected.edges)
    }

    /// Datatypes of its literals, most frequent first; empty when it has none.
    pub fn datatypes(&self) -> Vec<(&str, u64)> {
        self.sum(|edge| match &edge.target {
            Target::Literal(datatype) => Some(datatype.as_str()),
            Target::Class(_) | Target::Resource => None,
        })
    }

    /// Classes of its objects, most frequent first.
    pub fn ranges(&self) -> Vec<(&str, u64)> {
        self.sum(|edge| match &edge.target {
            Target::Class(class) => Some(class.as_str()),
            Target::Literal(_) | Target::Resource => None,
        })
    }

    /// Classes of its subjects, most frequent first.
    pub fn domains(&self) -> Vec<(&str, u64)> {
        self.sum(|edge| edge.class.as_deref())
    }

    /// Whether its objects are literals.
    pub fn has_literals(&self) -> bool {
        self.edges.iter().any(|edge| matches!(edge.target, Target::Literal(_)))
    }

    /// Whether its objects are resources.
    pub fn has_resources(&self) -> bool {
        self.edges.iter().any(|edge| !matches!(edge.target, Target::Literal(_)))
    }

    fn sum<'a>(&'a self, key: impl Fn(&'a Edge) -> Option<&'a str>) -> Vec<(&'a str, u64)> {
        let mut counts: FxHashMap<&str, u64> = FxHashMap::default();
        for edge in &self.edges {
            if let Some(key) = key(edge) {
                *counts.entry(key).or_default() += edge.count;
            }
        }
        let mut counts: Vec<_> = counts.into_iter().collect();
        counts.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        counts
    }
}

/// The best label for display: in the first of the preferred languages that has one, else one for all languages (`mul`), else
/// in English or without a language, else the first.
pub fn display_label<'a>(labels: &'a [Label], languages: &[String]) -> Option<&'a str> {
    let of = |language: &str| {
        let exact = labels.iter().find(|label| label.language.eq_ignore_ascii_case(language));
        exact.or_else(|| labels.iter().find(|label| same_language(&label.language, language)))
    };
    let wanted = languages.iter().find_map(|language| of(language));
    wanted
        .or_else(|| of("mul"))
        .or_else(|| labels.iter().find(|l| l.language.is_empty() || same_language(&l.language, "en")))
        .or(labels.first())
        .map(|label| label.text.as_str())
}

fn same_language(tag: &str, wanted: &str) -> bool {
    tag.split('-').next().is_some_and(|primary| primary.eq_ignore_ascii_case(wanted))
}

impl DatasetCard {
    /// The class with this IRI.
    pub fn class(&self, iri: &str) -> Option<&ClassCard> {
        self.classes.get(*self.positions().classes.get(iri)?)
    }

    /// The property with this IRI.
    pub fn property(&self, iri: &str) -> Option<&PropertyCard> {
        self.properties.get(*self.positions().properties.get(iri)?)
    }

    fn positions(&self) -> &Positions {
        self.positions.get_or_init(|| Positions::of(self))
    }

    /// Direct subclasses of a class.
    pub fn subclasses(&self, iri: &str) -> impl Iterator<Item = &ClassCard> {
        let positions = self.positions().subclasses.get(iri);
        positions.into_iter().flatten().filter_map(|at| self.classes.get(*at))
    }

    /// Properties that instances of a class have.
    pub fn properties_from(&self, class: &str) -> impl Iterator<Item = &PropertyCard> {
        self.properties_at(self.positions().from.get(class).map_or(&[], Vec::as_slice))
    }

    /// Properties that lead to instances of a class.
    pub fn properties_to(&self, class: &str) -> impl Iterator<Item = &PropertyCard> {
        self.properties_at(self.positions().to.get(class).map_or(&[], Vec::as_slice))
    }

    /// Properties that resources without a class have.
    pub fn properties_of_untyped(&self) -> impl Iterator<Item = &PropertyCard> {
        self.properties_at(&self.positions().untyped)
    }

    fn properties_at<'a>(&'a self, positions: &'a [usize]) -> impl Iterator<Item = &'a PropertyCard> {
        positions.iter().filter_map(|at| self.properties.get(*at))
    }

    /// The display name of a class or property: its label or its readable local name.
    pub fn schema_label(&self, iri: &str) -> String {
        let labels = self.class(iri).map(|c| &c.labels).or_else(|| self.property(iri).map(|p| &p.labels));
        let label = labels.and_then(|labels| display_label(labels, &[]));
        label.map_or_else(|| eruca_language::text::humanize(local_name(iri)), str::to_owned)
    }
}
