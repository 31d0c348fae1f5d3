//! What says type, subclass, name and description in a graph, and which of its nodes only carry others.
//!
//! A [`Vocabulary`] is a value: found while a graph is read, kept in the manifest, used wherever a query or a text needs to
//! know how the graph is spelt. Each profile has a file of its own and a line in [`PROFILES`]. Knows RDF terms alone.
//!
//! Which property gives the class of a thing, which the superclass of a class, and which nodes only carry others comes
//! from here; extraction, card, grounding, tools, planner and prompts take it from the [`Vocabulary`]. Beside it,
//! `eruca_sparql` (`columns`, `group`) and `titles` take `rdf:type` as giving a class in every graph, and the tools for
//! statements name a few IRIs of a Wikibase's records. Tests: `wikibase/reader/tests.rs`, `tests/no_names.rs` of the
//! program.
//!
//! Another profile is one file beside `rdf.rs` and its entry in [`PROFILES`]; of those that recognise a graph the first
//! is used. It says its name for the settings (`vocabulary = "…"`), the notes that prompts show to whoever writes
//! queries, and gives a reader. The reader sorts each quad (data, a carrier, or how well known a thing is), and says in
//! the end what it has recognised: type and subclass property, names, facts of properties.

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

/// The profiles, each asked in turn whether a graph is of its kind; the last one always is.
const PROFILES: &[&dyn Profile] = &[&wikibase::Wikibase, &rdf::Rdf];

/// How a graph says what its things are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vocabulary {
    /// The profile's name.
    pub profile: String,
    /// The property from a thing to its class.
    pub type_property: String,
    /// The property from a class to a wider one.
    pub subclass_property: String,
    /// Properties that name things beside those that are known everywhere, best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub naming: Vec<String>,
    /// Whether classes are things among others, with names and properties of their own that count as data.
    #[serde(default)]
    pub classes_are_things: bool,
    /// Where statements are nodes with qualifiers and ranks: the namespaces of their parts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statements: Option<Namespaces>,
}

impl Default for Vocabulary {
    /// That of plain RDF.
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
    /// The vocabulary of a Wikibase whose IRIs begin with `base`, like [`WIKIDATA`].
    pub fn wikibase(base: &str) -> Self {
        wikibase::vocabulary(&Namespaces::of(base))
    }

    /// The same with what the settings say.
    #[must_use]
    pub fn with(mut self, given: &GivenVocabulary) -> Self {
        given.apply(&mut self);
        self
    }

    /// The property path from a thing to its class, in SPARQL; `deep` also goes to the classes above.
    pub fn type_path(&self, deep: bool) -> String {
        let direct = match self.type_property.as_str() {
            RDF_TYPE => "a".to_owned(),
            other => format!("<{other}>"),
        };
        if deep { format!("{direct}/<{}>*", self.subclass_property) } else { direct }
    }

    /// Whether the property says what a thing is.
    pub fn is_type(&self, property: &str) -> bool {
        property == self.type_property || property == RDF_TYPE
    }

    /// Whether the property speaks of classes and properties rather than of things.
    pub fn is_schema(&self, property: &str) -> bool {
        is_meta(property) || property == self.type_property || property == self.subclass_property
    }

    /// Prefixes that people who know such graphs expect.
    pub fn prefixes(&self) -> Vec<(String, String)> {
        self.statements.as_ref().map_or_else(Vec::new, Namespaces::prefixes)
    }

    /// What a writer of queries must know of such graphs, in a few lines, with examples from what is known of the properties;
    /// `name` gives a property's name by its `direct`.
    pub fn notes(&self, properties: &[&PropertyFacts], name: &dyn Fn(&str) -> String) -> Vec<String> {
        let profile = PROFILES.iter().find(|profile| profile.name() == self.profile);
        profile.map_or_else(Vec::new, |profile| profile.notes(self, properties, name))
    }
}

/// What the settings say of a graph's vocabulary; what they leave open is found in the graph.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GivenVocabulary {
    /// The name of the profile.
    pub profile: Option<String>,
    /// The property from a thing to its class.
    pub type_property: Option<String>,
    /// The property from a class to a wider one.
    pub subclass_property: Option<String>,
    /// What the IRIs of a Wikibase begin with, up to `entity/` and `prop/`.
    pub base: Option<String>,
}

impl GivenVocabulary {
    /// Names of profiles that may be given.
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

/// A kind of graphs.
pub(crate) trait Profile: Sync {
    /// Its name in settings and manifests.
    fn name(&self) -> &'static str;
    /// Looks at all quads of a graph.
    fn reader(&self, given: &GivenVocabulary) -> Box<dyn ProfileReader>;
    /// See [`Vocabulary::notes`].
    fn notes(
        &self,
        vocabulary: &Vocabulary,
        properties: &[&PropertyFacts],
        name: &dyn Fn(&str) -> String,
    ) -> Vec<String>;
}

/// Finds out while a graph is read whether it is of a kind.
pub(crate) trait ProfileReader: Send {
    /// What a quad is for.
    fn classify(&mut self, quad: &Quad) -> QuadRole;
    /// The namespaces of statements and things, as far as they are known yet: texts with a language are nearly all names and
    /// descriptions of one thing each then.
    fn namespaces(&self) -> Option<&Namespaces> {
        None
    }
    /// What was found, if the graph is of this kind.
    fn finish(self: Box<Self>) -> Option<Recognised>;
}

/// What a quad is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum QuadRole {
    /// It says something about a thing.
    Data,
    /// It belongs to a node that only carries others, or repeats what another one says.
    ReifiedNode,
    /// It says how well known its subject or object is.
    Known(WellKnown),
}

/// Of whom, and how many pages there are about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WellKnown {
    /// The subject has this many.
    Subject(u32),
    /// The object has one more.
    Object,
}

/// What a profile has recognised: the vocabulary of the graph, and facts of its properties.
#[derive(Debug, Default)]
pub(crate) struct Recognised {
    pub(crate) vocabulary: Vocabulary,
    pub(crate) properties: Vec<PropertyFacts>,
}

/// Qualifiers and units kept of a property.
pub(crate) const MAX_KEPT: usize = 12;

/// What is known of a property whose statements are nodes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PropertyFacts {
    /// The predicate that leads from a thing straight to a value.
    pub direct: String,
    /// The node that bears its names.
    pub entity: String,
    /// The kind of its values in the words of the vocabulary, like `WikibaseItem` or `Quantity`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub datatype: Option<String>,
    /// Statements with it.
    pub statements: u64,
    /// Statements of higher and of lower rank than normal among them.
    #[serde(default)]
    pub preferred: u64,
    /// See `preferred`.
    #[serde(default)]
    pub deprecated: u64,
    /// Properties (by `direct`) that qualify its statements, the most frequent ones first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub qualifiers: Vec<(String, u64)>,
    /// How often it is a qualifier itself.
    #[serde(default)]
    pub qualifies: u64,
    /// Units of its quantities, the most frequent ones first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub units: Vec<(String, u64)>,
    /// The property (by `direct`) that says the same the other way round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inverse: Option<String>,
}

impl PropertyFacts {
    /// Whether its values are names of the thing in other catalogues.
    pub fn is_external_id(&self) -> bool {
        self.datatype.as_deref() == Some("ExternalId")
    }

    /// Whether its statements never have this qualifier (by `direct`); `None` where not all qualifiers are kept.
    pub fn never_has(&self, qualifier: &str) -> Option<bool> {
        let known = self.qualifiers.iter().any(|(iri, _)| iri == qualifier);
        let whole = self.statements > 0 && self.qualifiers.len() < MAX_KEPT;
        (known || whole).then_some(!known)
    }
}

/// Shows every quad to the profiles that may fit.
pub(crate) struct Readers(Vec<Box<dyn ProfileReader>>);

impl Readers {
    pub(crate) fn new(given: &GivenVocabulary) -> Self {
        let wanted =
            |profile: &&&dyn Profile| given.profile.as_deref().is_none_or(|name| profile.name() == name);
        Self(PROFILES.iter().filter(wanted).map(|profile| profile.reader(given)).collect())
    }

    /// What a quad is for, by the first profile that does not take it for plain data.
    pub(crate) fn classify(&mut self, quad: &Quad) -> QuadRole {
        self.0
            .iter_mut()
            .map(|reader| reader.classify(quad))
            .find(|sifted| *sifted != QuadRole::Data)
            .unwrap_or(QuadRole::Data)
    }

    /// The namespaces of a profile with things that have numbers for names, as soon as they are known.
    pub(crate) fn namespaces(&self) -> Option<&Namespaces> {
        self.0.iter().find_map(|reader| reader.namespaces())
    }

    /// Whether texts with a language are nearly all names and descriptions of one thing each.
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
