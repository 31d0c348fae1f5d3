//! Which properties of a graph give types, superclasses, names and descriptions, and which of its nodes are auxiliary (reified).
//!
//! A [`Vocabulary`] is a value: detected while a graph is read, stored in the manifest, used wherever a query or text depends
//! on the graph's conventions. Each profile has a file of its own and a line in [`PROFILES`]. Knows only RDF terms.
//!
//! The property from an entity to its class, the one from a class to its superclasses, and the nodes that only carry others
//! are defined here; extraction, card, grounding, tools, planner and prompts use the [`Vocabulary`]. Beyond that,
//! `eruca_sparql` (`columns`, `group`) and `titles` assume that `rdf:type` gives a class in every graph, and the tools for
//! statements name a few IRIs of a Wikibase's records. Tests: `wikibase/reader/tests.rs`, `tests/no_names.rs` of the
//! program.
//!
//! To add a profile, add a file beside `rdf.rs` and an entry in [`PROFILES`]; the first one that recognises a graph
//! is used. It defines its name for the settings (`vocabulary = "…"`), the notes that prompts show to writers of
//! queries, and a reader. The reader classifies each quad (data, reified node, or how prominent an entity is), and reports
//! at the end what it has recognised: type and subclass property, names, facts about properties.

mod rdf;
mod wikibase;

pub use rdf::{
    CLASS_TYPES, DESCRIBING_PROPERTIES, NAMING_PROPERTIES, NAMING_WORDS, PROPERTY_TYPES, RDF, RDF_FIRST,
    RDF_LANG_STRING, RDF_NIL, RDF_REST, RDF_TYPE, RDFS_DOMAIN, RDFS_LABEL, RDFS_RANGE, RDFS_SUB_CLASS_OF,
    SKOLEM_PATH, STRUCTURED_VALUES, XSD, XSD_STRING, is_meta,
};
pub(crate) use wikibase::values as wikibase_values;
pub use wikibase::{ABOUT, DERIVED_FROM, Namespaces, StatementPart, WIKIDATA, is_record_property};

use oxrdf::Quad;
use serde::{Deserialize, Serialize};

/// The profiles, tried in turn on a graph; the last one fits any.
const PROFILES: &[&dyn Profile] = &[&wikibase::Wikibase, &rdf::Rdf];

/// The properties with which a graph gives types, superclasses and names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vocabulary {
    /// The profile's name.
    pub profile: String,
    /// The property from an entity to its class.
    pub type_property: String,
    /// The property from a class to a superclass.
    pub subclass_property: String,
    /// Naming properties in addition to the well-known ones, best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub naming: Vec<String>,
    /// Whether classes are ordinary entities, with names and properties of their own that count as data.
    #[serde(default)]
    pub classes_are_things: bool,
    /// The namespaces of statement parts, if statements are nodes with qualifiers and ranks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statements: Option<Namespaces>,
}

impl Default for Vocabulary {
    /// The vocabulary of plain RDF.
    fn default() -> Self {
        Self {
            profile: "rdf".to_owned(),
            type_property: RDF_TYPE.to_owned(),
            subclass_property: RDFS_SUB_CLASS_OF.to_owned(),
            naming: Vec::new(),
            classes_are_things: false,
            statements: None,
        }
    }
}

impl Vocabulary {
    /// The vocabulary of a Wikibase with the base IRI `base`, like [`WIKIDATA`].
    pub fn wikibase(base: &str) -> Self {
        wikibase::vocabulary(&Namespaces::of(base))
    }

    /// The same with the values from the settings.
    #[must_use]
    pub fn with(mut self, given: &GivenVocabulary) -> Self {
        given.apply(&mut self);
        self
    }

    /// The SPARQL property path from an entity to its class; with `deep`, also to superclasses.
    pub fn type_path(&self, deep: bool) -> String {
        let direct = match self.type_property.as_str() {
            RDF_TYPE => "a".to_owned(),
            other => format!("<{other}>"),
        };
        if deep { format!("{direct}/<{}>*", self.subclass_property) } else { direct }
    }

    /// Whether it is a type property.
    pub fn is_type(&self, property: &str) -> bool {
        property == self.type_property || property == RDF_TYPE
    }

    /// Whether the property is about classes and properties rather than entities.
    pub fn is_schema(&self, property: &str) -> bool {
        is_meta(property) || property == self.type_property || property == self.subclass_property
    }

    /// Prefixes that users of such graphs expect.
    pub fn prefixes(&self) -> Vec<(String, String)> {
        self.statements.as_ref().map_or_else(Vec::new, Namespaces::prefixes)
    }

    /// What a writer of queries must know about such graphs, in a few lines, with examples from the known properties;
    /// `name` returns a property's name for its `direct`.
    pub fn notes(&self, properties: &[&PropertyFacts], name: &dyn Fn(&str) -> String) -> Vec<String> {
        let profile = PROFILES.iter().find(|profile| profile.name() == self.profile);
        profile.map_or_else(Vec::new, |profile| profile.notes(self, properties, name))
    }
}

/// The configured parts of a graph's vocabulary; the others are detected.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GivenVocabulary {
    /// The name of the profile.
    pub profile: Option<String>,
    /// The property from an entity to its class.
    pub type_property: Option<String>,
    /// The property from a class to a superclass.
    pub subclass_property: Option<String>,
    /// The base IRI of a Wikibase, up to `entity/` and `prop/`.
    pub base: Option<String>,
}

impl GivenVocabulary {
    /// Names of profiles that can be configured.
    pub fn profiles() -> impl Iterator<Item = &'static str> {
        PROFILES.iter().map(|profile| profile.name())
    }

    fn apply(&self, vocabulary: &mut Vocabulary) {
        if let Some(given) = &self.type_property {
            given.clone_into(&mut vocabulary.type_property);
        }
        if let Some(given) = &self.subclass_property {
            given.clone_into(&mut vocabulary.subclass_property);
        }
    }
}

/// A kind of graph.
pub(crate) trait Profile: Sync {
    /// Its name in settings and manifests.
    fn name(&self) -> &'static str;
    /// A reader that gets all quads of a graph.
    fn reader(&self, given: &GivenVocabulary) -> Box<dyn ProfileReader>;
    /// See [`Vocabulary::notes`].
    fn notes(
        &self,
        vocabulary: &Vocabulary,
        properties: &[&PropertyFacts],
        name: &dyn Fn(&str) -> String,
    ) -> Vec<String>;
}

/// Determines while a graph is read whether it is of a kind.
pub(crate) trait ProfileReader: Send {
    /// The role of a quad.
    fn classify(&mut self, quad: &Quad) -> QuadRole;
    /// The namespaces of statements and entities, as far as known yet: then nearly all texts with a language are names and
    /// descriptions of one entity each.
    fn namespaces(&self) -> Option<&Namespaces> {
        None
    }
    /// The result, if the graph is of this kind.
    fn finish(self: Box<Self>) -> Option<Recognised>;
}

/// The role of a quad.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum QuadRole {
    /// It is about an entity.
    Data,
    /// It belongs to a reified node, or is redundant.
    ReifiedNode,
    /// It tells how prominent its subject or object is.
    Known(WellKnown),
}

/// The entity, and the number of pages about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WellKnown {
    /// The subject has this many pages.
    Subject(u32),
    /// The object has one more page.
    Object,
}

/// What a profile has recognised: the vocabulary of the graph, and facts about its properties.
#[derive(Debug, Default)]
pub(crate) struct Recognised {
    pub(crate) vocabulary: Vocabulary,
    pub(crate) properties: Vec<PropertyFacts>,
}

/// Maximum number of qualifiers and of units kept per property.
pub(crate) const MAX_KEPT: usize = 12;

/// Facts about a property whose statements are nodes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PropertyFacts {
    /// The predicate from an entity directly to a value.
    pub direct: String,
    /// The node that carries its names.
    pub entity: String,
    /// The kind of its values as named in the vocabulary, like `WikibaseItem` or `Quantity`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub datatype: Option<String>,
    /// Number of statements with it.
    pub statements: u64,
    /// Number of its statements with a rank above and below normal.
    #[serde(default)]
    pub preferred: u64,
    /// See `preferred`.
    #[serde(default)]
    pub deprecated: u64,
    /// Properties (by `direct`) that qualify its statements, most frequent first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub qualifiers: Vec<(String, u64)>,
    /// How often it is a qualifier itself.
    #[serde(default)]
    pub qualifies: u64,
    /// Units of its quantities, most frequent first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub units: Vec<(String, u64)>,
    /// The inverse property (by `direct`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inverse: Option<String>,
}

impl PropertyFacts {
    /// Whether its values identify the entity in other databases.
    pub fn is_external_id(&self) -> bool {
        self.datatype.as_deref() == Some("ExternalId")
    }

    /// Whether its statements never have this qualifier (by `direct`); `None` if not all qualifiers were kept.
    pub fn never_has(&self, qualifier: &str) -> Option<bool> {
        let known = self.qualifiers.iter().any(|(iri, _)| iri == qualifier);
        let whole = self.statements > 0 && self.qualifiers.len() < MAX_KEPT;
        (known || whole).then_some(!known)
    }
}

/// Passes every quad to the profiles that may fit.
pub(crate) struct Readers(Vec<Box<dyn ProfileReader>>);

impl Readers {
    pub(crate) fn new(given: &GivenVocabulary) -> Self {
        let wanted =
            |profile: &&&dyn Profile| given.profile.as_deref().is_none_or(|name| profile.name() == name);
        Self(PROFILES.iter().filter(wanted).map(|profile| profile.reader(given)).collect())
    }

    /// The role of a quad, according to the first profile that does not classify it as plain data.
    pub(crate) fn classify(&mut self, quad: &Quad) -> QuadRole {
        self.0
            .iter_mut()
            .map(|reader| reader.classify(quad))
            .find(|sifted| *sifted != QuadRole::Data)
            .unwrap_or(QuadRole::Data)
    }

    /// The namespaces of a profile whose entities have numbers as local names, as soon as they are known.
    pub(crate) fn namespaces(&self) -> Option<&Namespaces> {
        self.0.iter().find_map(|reader| reader.namespaces())
    }

    /// Whether nearly all texts with a language are names and descriptions of one entity each.
    pub(crate) fn names_things(&self) -> bool {
        self.namespaces().is_some()
    }

    pub(crate) fn finish(self) -> Recognised {
        self.0.into_iter().find_map(<dyn ProfileReader>::finish).unwrap_or_default()
    }
}

impl std::fmt::Debug for Readers {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Readers({})", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_qualifier_is_missing_only_where_all_are_known() {
        let qualifiers = |count: usize| (0..count).map(|number| (format!("q{number}"), 1)).collect();
        let facts = |statements, count| PropertyFacts {
            statements,
            qualifiers: qualifiers(count),
            ..PropertyFacts::default()
        };
        assert_eq!(facts(9, 2).never_has("q1"), Some(false));
        assert_eq!(facts(9, 2).never_has("other"), Some(true));
        assert_eq!(facts(9, MAX_KEPT).never_has("other"), None, "more than those may occur");
        assert_eq!(facts(0, 0).never_has("other"), None, "its statements are not in the graph");
    }
}
