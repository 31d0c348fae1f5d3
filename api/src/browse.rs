//! What is seen when looking around in a graph.

use crate::{ColumnKind, ShownTerm};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// What a graph is made of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Card {
    /// The id of the dataset.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// Triples seen when the index was built.
    pub triples: u64,
    /// Indexed entities.
    pub entities: u64,
    /// When the index was built (RFC 3339).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub built_at: Option<String>,
    /// Languages of its texts, the most frequent first.
    pub languages: Vec<LanguageShare>,
    /// Classes with instances, the most used first.
    pub classes: Vec<Class>,
    /// Properties, the most used first.
    pub properties: Vec<Property>,
    /// Its largest classes and what connects them.
    pub schema: Schema,
    /// What it is about, in a sentence; empty where it has no classes.
    pub about: String,
    /// What its owner says of it, in sentences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Questions that it answers, at most six.
    pub examples: Vec<String>,
    /// Whether further questions are still being made: ask again in a few seconds.
    pub examples_pending: bool,
}

/// A language of a graph's texts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LanguageShare {
    /// The tag.
    pub tag: String,
    /// The share of all texts, from 0 to 1.
    pub share: f64,
}

/// A class.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Class {
    /// The IRI.
    pub iri: String,
    /// Its name.
    pub label: String,
    /// Instances, including those of its subclasses.
    pub count: u64,
    /// What its instances have, the most frequent first.
    pub properties: Vec<ClassProperty>,
    /// Its best known instances.
    pub examples: Vec<NamedIri>,
    /// What the owner of the graph says of it, in sentences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A property of the instances of a class.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ClassProperty {
    /// The IRI.
    pub iri: String,
    /// Its name.
    pub label: String,
    /// What its values are, in the words of the columns of results.
    #[schema(value_type = String)]
    pub kind: ColumnKind,
    /// The share of the instances that have it, from 0 to 1.
    pub share: f64,
}

/// Something with its name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NamedIri {
    /// The IRI.
    pub iri: String,
    /// Its name.
    pub label: String,
}

/// A property.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Property {
    /// The IRI.
    pub iri: String,
    /// Its name.
    pub label: String,
    /// Triples with it.
    pub uses: u64,
    /// What its values are, in the words of the columns of results.
    #[schema(value_type = String)]
    pub kind: ColumnKind,
    /// Classes of its subjects, the most frequent first.
    pub domain: Vec<String>,
    /// Classes of its objects, the most frequent first.
    pub range: Vec<String>,
    /// The unit of its numbers, as the owner of the graph says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// What the owner of the graph says of it, in sentences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// The largest classes, at most 30, and what connects them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Schema {
    /// Classes with their own instances.
    pub nodes: Vec<SchemaNode>,
    /// What connects them, the most frequent first.
    pub edges: Vec<SchemaEdge>,
}

/// A class in the picture of a schema.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SchemaNode {
    /// The IRI.
    pub iri: String,
    /// Its name.
    pub label: String,
    /// Its own instances, without those of its subclasses.
    pub count: u64,
}

/// What connects two classes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SchemaEdge {
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

/// What a text may name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Hits {
    /// Best first.
    pub hits: Vec<Hit>,
}

/// What a hit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HitKind {
    /// A class.
    Class,
    /// A property.
    Property,
    /// A thing.
    Entity,
    /// A text that a property has for a value.
    Value,
}

/// Something that a text may name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Hit {
    /// The IRI; of a value, that of its property.
    pub iri: String,
    /// Its name in the reader's language; the text of a value.
    pub label: String,
    /// `entity`, `class`, `property` or `value`.
    #[schema(value_type = String)]
    pub kind: HitKind,
    /// A short description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The other name that matched, where it is not the label.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matched: Option<String>,
    /// The names of its classes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<String>,
    /// The name of the property that has the value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub property: Option<String>,
}

/// What can stand at the cursor of a query that is being written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Completions {
    /// Best first; none where the text around cannot be read, nothing fits, or the endpoint takes too long.
    pub completions: Vec<Completion>,
    /// Solutions were counted among so many only, as there are too many of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counted_among: Option<usize>,
}

/// A term that can stand at the cursor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Completion {
    /// The term as the query can have it: with a prefix that it declares or that needs no declaration, else in full.
    pub term: String,
    /// Its IRI; absent for a literal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iri: Option<String>,
    /// Its name in the reader's language; the text of a literal.
    pub label: String,
    /// `entity`, `class` or `property`; absent for a literal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub kind: Option<HitKind>,
    /// Solutions of the triple patterns around with it.
    pub solutions: u64,
}

/// What a graph says about a thing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Entry {
    /// The IRI.
    pub iri: String,
    /// Its name.
    pub label: String,
    /// A description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Where it lives: an address of the web.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub href: Option<String>,
    /// The address of a picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<String>,
    /// Sounds and films of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub recordings: Vec<Recording>,
    /// The address of a page on which the thing can be corrected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub improve: Option<String>,
    /// Latitude and longitude.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coordinates: Option<[f64; 2]>,
    /// Its classes.
    pub classes: Vec<ShownTerm>,
    /// What the graph says about it.
    pub facts: Vec<Fact>,
    /// What refers to it, by property.
    pub incoming: Vec<Fact>,
}

impl Entry {
    /// All terms in it, to be given their names.
    pub fn terms_mut(&mut self) -> impl Iterator<Item = &mut ShownTerm> {
        let facts = self.facts.iter_mut().chain(&mut self.incoming);
        let terms = facts.flat_map(|fact| std::iter::once(&mut fact.property).chain(&mut fact.values));
        terms.chain(&mut self.classes)
    }
}

/// A sound or a film.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Recording {
    /// Its address.
    pub address: String,
    /// Whether it is a film; otherwise, a sound.
    pub is_film: bool,
}

/// A property with values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Fact {
    /// The property.
    pub property: ShownTerm,
    /// Some of its values.
    pub values: Vec<ShownTerm>,
    /// Further ones.
    pub more: usize,
}

/// Where things are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Places {
    /// Latitude and longitude by IRI; things without a place in the graph are left out.
    pub places: BTreeMap<String, [f64; 2]>,
}
