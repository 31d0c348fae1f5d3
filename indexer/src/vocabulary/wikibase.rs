//! The profile of Wikibase, the software of Wikidata: items with direct claims, and statements as nodes with ranks,
//! qualifiers and references ([RDF dump format](https://www.mediawiki.org/wiki/Wikibase/Indexing/RDF_Dump_Format)).
//!
//! The only place that knows ids of Wikidata. `namespaces` parses IRIs, `reader` distinguishes data from
//! reified nodes, `notes` explains how to query it.

mod namespaces;
mod notes;
mod reader;

pub use namespaces::{Namespaces, StatementPart};

use super::{GivenVocabulary, Profile, ProfileReader, PropertyFacts, Vocabulary};

/// The base IRI of Wikidata.
pub const WIKIDATA: &str = "http://www.wikidata.org/";

/// From a statement to a reference.
pub const DERIVED_FROM: &str = "http://www.w3.org/ns/prov#wasDerivedFrom";
/// From the record of an entity, or a page about it, to the entity.
pub const ABOUT: &str = "http://schema.org/about";
/// Properties of the records of statements and pages, apart from those of the Wikibase ontology.
const RECORD_PROPERTIES: &[&str] =
    &[DERIVED_FROM, ABOUT, "http://schema.org/isPartOf", "http://schema.org/inLanguage"];

/// Whether a property belongs to the records of statements and pages rather than to entities.
pub fn is_record_property(iri: &str) -> bool {
    RECORD_PROPERTIES.contains(&iri)
}

/// IRIs of Wikidata that other modules need: those used in values of any Wikibase, and the properties for pictures and places.
pub(crate) mod values {
    /// The globe of coordinates that do not specify one.
    pub(crate) const EARTH: &str = "http://www.wikidata.org/entity/Q2";
    /// The unit of plain numbers.
    pub(crate) const ONE: &str = "http://www.wikidata.org/entity/Q199";
    /// The location of something.
    pub(crate) const PLACE: &str = "http://www.wikidata.org/prop/direct/P625";
    /// A picture of something.
    pub(crate) const PICTURE: &str = "http://www.wikidata.org/prop/direct/P18";
    /// The logo of something.
    pub(crate) const LOGO: &str = "http://www.wikidata.org/prop/direct/P154";
    /// The calendar of dates before 1582.
    pub(crate) const JULIAN: &str = "http://www.wikidata.org/entity/Q1985786";
}

/// The namespace of the vocabulary that all Wikibases share.
const ONTOLOGY: &str = "http://wikiba.se/ontology#";
/// Properties of Wikidata that have other numbers in other Wikibases, with names by which they can be found.
const TYPE: Meaning = Meaning {
    wikidata: 31,
    names: &[
        "instance of",
        "is a",
        "ist ein(e)",
        "ist eine Instanz von",
        "es un(a)",
        "instancia de",
        "nature de l’élément",
        "nature de l'élément",
    ],
};
const SUBCLASS: Meaning =
    Meaning { wikidata: 279, names: &["subclass of", "Unterklasse von", "subclase de", "sous-classe de"] };
const INVERSE: Meaning = Meaning {
    wikidata: 1696,
    names: &[
        "inverse property",
        "zu dieser Eigenschaft komplementäre Eigenschaft",
        "propiedad inversa",
        "propriété inverse",
    ],
};
/// Names of lexemes and their forms.
const LEXEME_NAMES: &[&str] =
    &["http://wikiba.se/ontology#lemma", "http://www.w3.org/ns/lemon/ontolex#representation"];

/// The unit of numbers without one, in every Wikibase.
const NO_UNIT: &str = "http://www.wikidata.org/entity/Q199";

/// A property with its number in Wikidata and its names elsewhere.
struct Meaning {
    wikidata: u32,
    names: &'static [&'static str],
}

impl Namespaces {
    /// The IRI of a term of the vocabulary that all Wikibases share.
    pub fn term(word: &str) -> String {
        format!("{ONTOLOGY}{word}")
    }

    /// Whether the IRI is in the vocabulary that all Wikibases share.
    pub fn is_term(iri: &str) -> bool {
        iri.starts_with(ONTOLOGY)
    }

    /// Whether this is an actual unit of a quantity.
    pub fn is_unit(iri: &str) -> bool {
        iri != NO_UNIT
    }

    /// Whether the IRI stands for an unknown value, as query services write blank nodes.
    pub fn is_unknown_value(iri: &str) -> bool {
        iri.contains("/.well-known/genid/")
    }
}

pub(super) struct Wikibase;

impl Profile for Wikibase {
    fn name(&self) -> &'static str {
        "wikibase"
    }

    fn reader(&self, given: &GivenVocabulary) -> Box<dyn ProfileReader> {
        Box::new(reader::WikibaseReader::new(given))
    }

    fn notes(
        &self,
        vocabulary: &Vocabulary,
        properties: &[&PropertyFacts],
        name: &dyn Fn(&str) -> String,
    ) -> Vec<String> {
        vocabulary
            .statements
            .as_ref()
            .map_or_else(Vec::new, |names| notes::lines(vocabulary, names, properties, name))
    }
}

/// The vocabulary of the Wikibase with these namespaces, as far as it is known without its properties.
pub(super) fn vocabulary(names: &Namespaces) -> Vocabulary {
    let wikidata = names.base == WIKIDATA;
    let known = |meaning: &Meaning| wikidata.then(|| names.direct(meaning.wikidata));
    let plain = Vocabulary::default();
    Vocabulary {
        profile: "wikibase".to_owned(),
        type_property: known(&TYPE).unwrap_or(plain.type_property),
        subclass_property: known(&SUBCLASS).unwrap_or(plain.subclass_property),
        naming: LEXEME_NAMES.iter().map(|iri| (*iri).to_owned()).collect(),
        classes_are_things: true,
        statements: Some(names.clone()),
    }
}
