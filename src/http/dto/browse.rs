//! Looking around in a graph, on the wire.

use super::ShownTermDto;
use crate::http::dto::href;
use crate::service::browse::{
    CardView, ClassView, EdgeView, EntryView, FactView, Hit, HitKind, PropertyView, SchemaView,
};
use eruca_indexer::media::Place;
use eruca_sparql::Term;
use serde::Serialize;
use std::collections::BTreeMap;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use utoipa::ToSchema;

/// What a graph is made of.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = Card)]
pub struct CardDto {
    /// The id of the dataset.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// Triples seen when the index was built.
    pub triples: u64,
    /// Indexed entities.
    pub entities: u64,
    /// When the index was built (RFC 3339).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub built_at: Option<String>,
    /// Languages of its texts, the most frequent first.
    pub languages: Vec<LanguageDto>,
    /// Classes with instances, the most used first.
    pub classes: Vec<ClassDto>,
    /// Properties, the most used first.
    pub properties: Vec<PropertyDto>,
    /// Its largest classes and what connects them.
    pub schema: SchemaDto,
    /// What it is about, in a sentence; empty where it has no classes.
    pub about: String,
    /// Questions that it answers, at most six.
    pub examples: Vec<String>,
    /// Whether further questions are still being made: ask again in a few seconds.
    pub examples_pending: bool,
}

/// A language of a graph's texts.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = LanguageShare)]
pub struct LanguageDto {
    /// The tag.
    pub tag: String,
    /// The share of all texts, from 0 to 1.
    pub share: f64,
}

/// A class.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = Class)]
pub struct ClassDto {
    /// The IRI.
    pub iri: String,
    /// Its name.
    pub label: String,
    /// Instances, including those of its subclasses.
    pub count: u64,
    /// What its instances have, the most frequent first.
    pub properties: Vec<ClassPropertyDto>,
    /// Its best known instances.
    pub examples: Vec<NamedIriDto>,
}

/// A property of the instances of a class.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = ClassProperty)]
pub struct ClassPropertyDto {
    /// The IRI.
    pub iri: String,
    /// Its name.
    pub label: String,
    /// What its values are, in the words of the columns of results.
    pub kind: &'static str,
    /// The share of the instances that have it, from 0 to 1.
    pub share: f64,
}

/// Something with its name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = NamedIri)]
pub struct NamedIriDto {
    /// The IRI.
    pub iri: String,
    /// Its name.
    pub label: String,
}

/// A property.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Property)]
pub struct PropertyDto {
    /// The IRI.
    pub iri: String,
    /// Its name.
    pub label: String,
    /// Triples with it.
    pub uses: u64,
    /// What its values are, in the words of the columns of results.
    pub kind: &'static str,
    /// Classes of its subjects, the most frequent first.
    pub domain: Vec<String>,
    /// Classes of its objects, the most frequent first.
    pub range: Vec<String>,
}

/// The largest classes, at most 30, and what connects them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Schema)]
pub struct SchemaDto {
    /// Classes with their own instances.
    pub nodes: Vec<NodeDto>,
    /// What connects them, the most frequent first.
    pub edges: Vec<EdgeDto>,
}

/// A class in the picture of a schema.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = SchemaNode)]
pub struct NodeDto {
    /// The IRI.
    pub iri: String,
    /// Its name.
    pub label: String,
    /// Its own instances, without those of its subclasses.
    pub count: u64,
}

/// What connects two classes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = SchemaEdge)]
pub struct EdgeDto {
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Hits)]
pub struct HitsDto {
    /// Best first.
    pub hits: Vec<HitDto>,
}

/// Something that a text may name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Hit)]
pub struct HitDto {
    /// The IRI.
    pub iri: String,
    /// Its name in the reader's language.
    pub label: String,
    /// `entity`, `class` or `property`.
    pub kind: &'static str,
    /// A short description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The other name that matched, where it is not the label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matched: Option<String>,
    /// The names of its classes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<String>,
}

/// What a graph says about a thing.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = Entry)]
pub struct EntryDto {
    /// The IRI.
    pub iri: String,
    /// Its name.
    pub label: String,
    /// A description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Where it lives: an address of the web.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub href: Option<String>,
    /// The address of a picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture: Option<String>,
    /// Latitude and longitude.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coordinates: Option<[f64; 2]>,
    /// Its classes.
    pub classes: Vec<ShownTermDto>,
    /// What the graph says about it.
    pub facts: Vec<FactDto>,
    /// What refers to it, by property.
    pub incoming: Vec<FactDto>,
}

/// A property with values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Fact)]
pub struct FactDto {
    /// The property.
    pub property: ShownTermDto,
    /// Some of its values.
    pub values: Vec<ShownTermDto>,
    /// Further ones.
    pub more: usize,
}

/// Where things are.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = Places)]
pub struct PlacesDto {
    /// Latitude and longitude by IRI; things without a place in the graph are left out.
    pub places: BTreeMap<String, [f64; 2]>,
}

impl From<CardView> for CardDto {
    fn from(view: CardView) -> Self {
        let CardView {
            id,
            name,
            triples,
            entities,
            built_at,
            languages,
            classes,
            properties,
            schema,
            about,
            examples,
            examples_pending,
        } = view;
        Self {
            id,
            name,
            triples,
            entities,
            built_at: built_at.and_then(rfc3339),
            languages: languages.into_iter().map(|(tag, share)| LanguageDto { tag, share }).collect(),
            classes: classes.into_iter().map(ClassDto::from).collect(),
            properties: properties.into_iter().map(PropertyDto::from).collect(),
            schema: schema.into(),
            about,
            examples,
            examples_pending,
        }
    }
}

fn rfc3339(seconds: u64) -> Option<String> {
    let time = OffsetDateTime::from_unix_timestamp(i64::try_from(seconds).ok()?).ok()?;
    time.format(&Rfc3339).ok()
}

impl From<ClassView> for ClassDto {
    fn from(view: ClassView) -> Self {
        let ClassView { iri, label, count, properties, examples } = view;
        let property = |(iri, label, kind, share)| ClassPropertyDto { iri, label, kind, share };
        let example = |(iri, label)| NamedIriDto { iri, label };
        let properties = properties.into_iter().map(property).collect();
        Self { iri, label, count, properties, examples: examples.into_iter().map(example).collect() }
    }
}

impl From<PropertyView> for PropertyDto {
    fn from(view: PropertyView) -> Self {
        let PropertyView { iri, label, uses, kind, domain, range } = view;
        Self { iri, label, uses, kind, domain, range }
    }
}

impl From<SchemaView> for SchemaDto {
    fn from(view: SchemaView) -> Self {
        let SchemaView { nodes, edges } = view;
        let node = |(iri, label, count)| NodeDto { iri, label, count };
        let edge =
            |EdgeView { from, to, property, label, count }| EdgeDto { from, to, property, label, count };
        Self { nodes: nodes.into_iter().map(node).collect(), edges: edges.into_iter().map(edge).collect() }
    }
}

impl From<Vec<Hit>> for HitsDto {
    fn from(hits: Vec<Hit>) -> Self {
        Self { hits: hits.into_iter().map(HitDto::from).collect() }
    }
}

impl From<Hit> for HitDto {
    fn from(hit: Hit) -> Self {
        let Hit { iri, label, kind, description, matched, classes } = hit;
        let kind = match kind {
            HitKind::Entity => "entity",
            HitKind::Class => "class",
            HitKind::Property => "property",
        };
        Self { iri, label, kind, description, matched, classes }
    }
}

impl From<EntryView> for EntryDto {
    fn from(view: EntryView) -> Self {
        let EntryView { iri, label, description, picture, place, classes, facts, incoming, labels } = view;
        let fact = |fact: FactView| FactDto::new(fact, &labels);
        Self {
            href: href(&iri),
            iri,
            label,
            description,
            picture,
            coordinates: place.map(degrees),
            classes: classes.iter().map(|class| ShownTermDto::new(class, &labels)).collect(),
            facts: facts.into_iter().map(fact).collect(),
            incoming: incoming.into_iter().map(fact).collect(),
        }
    }
}

impl FactDto {
    fn new(fact: FactView, labels: &BTreeMap<String, String>) -> Self {
        let FactView { property, values, more } = fact;
        let shown = |term: &Term| ShownTermDto::new(term, labels);
        Self { property: shown(&property), values: values.iter().map(shown).collect(), more }
    }
}

impl From<BTreeMap<String, Place>> for PlacesDto {
    fn from(places: BTreeMap<String, Place>) -> Self {
        Self { places: places.into_iter().map(|(iri, place)| (iri, degrees(place))).collect() }
    }
}

fn degrees(place: Place) -> [f64; 2] {
    let Place { latitude, longitude } = place;
    [latitude, longitude]
}
