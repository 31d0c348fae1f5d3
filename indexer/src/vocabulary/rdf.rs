//! The profile of plain RDF: IRIs of the common vocabularies for names, descriptions, classes and properties.

use super::{GivenVocabulary, Profile, ProfileReader, PropertyFacts, QuadRole, Recognised, Vocabulary};
pub use eruca_sparql::{RDF_TYPE, XSD};
use oxrdf::Quad;

/// The namespace of RDF.
pub const RDF: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
/// `rdf:first`.
pub const RDF_FIRST: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#first";
/// `rdf:rest`.
pub const RDF_REST: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#rest";
/// `rdf:nil`.
pub const RDF_NIL: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#nil";
/// `rdf:Property`.
pub const RDF_PROPERTY: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#Property";
/// `rdf:langString`.
pub const RDF_LANG_STRING: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString";
/// `rdfs:label`.
pub const RDFS_LABEL: &str = "http://www.w3.org/2000/01/rdf-schema#label";
/// `rdfs:subClassOf`.
pub const RDFS_SUB_CLASS_OF: &str = "http://www.w3.org/2000/01/rdf-schema#subClassOf";
/// `rdfs:domain`.
pub const RDFS_DOMAIN: &str = "http://www.w3.org/2000/01/rdf-schema#domain";
/// `rdfs:range`.
pub const RDFS_RANGE: &str = "http://www.w3.org/2000/01/rdf-schema#range";
/// `xsd:string`.
pub const XSD_STRING: &str = "http://www.w3.org/2001/XMLSchema#string";

/// Types whose instances are classes.
pub const CLASS_TYPES: &[&str] = &[
    "http://www.w3.org/2002/07/owl#Class",
    "http://www.w3.org/2000/01/rdf-schema#Class",
    "http://www.w3.org/2000/01/rdf-schema#Datatype",
    "http://www.w3.org/2002/07/owl#DeprecatedClass",
];

/// Types whose instances are properties.
pub const PROPERTY_TYPES: &[&str] = &[
    RDF_PROPERTY,
    "http://www.w3.org/2002/07/owl#ObjectProperty",
    "http://www.w3.org/2002/07/owl#DatatypeProperty",
    "http://www.w3.org/2002/07/owl#AnnotationProperty",
    "http://www.w3.org/2002/07/owl#FunctionalProperty",
    "http://www.w3.org/2002/07/owl#InverseFunctionalProperty",
    "http://www.w3.org/2002/07/owl#TransitiveProperty",
    "http://www.w3.org/2002/07/owl#SymmetricProperty",
    "http://www.w3.org/2002/07/owl#OntologyProperty",
    "http://www.w3.org/2002/07/owl#DeprecatedProperty",
];

/// Properties that name a resource, best first; alternative names come after preferred ones.
pub const NAMING_PROPERTIES: &[&str] = &[
    RDFS_LABEL,
    "http://www.w3.org/2004/02/skos/core#prefLabel",
    "http://schema.org/name",
    "https://schema.org/name",
    "http://xmlns.com/foaf/0.1/name",
    "http://purl.org/dc/terms/title",
    "http://purl.org/dc/elements/1.1/title",
    "http://www.geonames.org/ontology#name",
    "http://www.w3.org/2006/vcard/ns#fn",
    "http://www.w3.org/2008/05/skos-xl#literalForm",
    "http://www.w3.org/2004/02/skos/core#altLabel",
    "http://schema.org/alternateName",
    "https://schema.org/alternateName",
    "http://purl.org/dc/terms/alternative",
    "http://www.geonames.org/ontology#alternateName",
    "http://www.w3.org/2004/02/skos/core#hiddenLabel",
    "http://www.w3.org/2004/02/skos/core#notation",
];

/// Local names (folded) of naming properties in custom vocabularies.
pub const NAMING_WORDS: &[&str] = &[
    "name",
    "label",
    "title",
    "bezeichnung",
    "titel",
    "nombre",
    "titulo",
    "denominacion",
    "nom",
    "intitule",
];

/// Part of the path of skolemized blank nodes' IRIs.
pub const SKOLEM_PATH: &str = "/.well-known/genid/";

/// Properties with the value of a node that stands for just that value, maybe with a unit or a reference system.
pub const STRUCTURED_VALUES: &[&str] = &[
    "http://www.w3.org/2008/05/skos-xl#literalForm",
    "http://www.opengis.net/ont/geosparql#asWKT",
    "http://www.opengis.net/ont/geosparql#asGML",
    "http://www.opengis.net/ont/geosparql#asGeoJSON",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#value",
    "http://qudt.org/schema/qudt/numericValue",
    "http://qudt.org/schema/qudt/value",
    "http://qudt.org/schema/qudt#numericValue",
    "http://www.ontology-of-units-of-measure.org/resource/om-2/hasNumericalValue",
    "http://schema.org/value",
    "https://schema.org/value",
    "http://www.w3.org/2006/vcard/ns#value",
    "http://www.w3.org/2006/time#inXSDDateTimeStamp",
    "http://www.w3.org/2006/time#inXSDDateTime",
    "http://www.w3.org/2006/time#inXSDDate",
    "http://www.w3.org/2006/time#inXSDgYear",
];

/// Properties that describe a resource in a sentence or two.
pub const DESCRIBING_PROPERTIES: &[&str] = &[
    "http://www.w3.org/2000/01/rdf-schema#comment",
    "http://www.w3.org/2004/02/skos/core#definition",
    "http://purl.org/dc/terms/description",
    "http://purl.org/dc/elements/1.1/description",
    "http://schema.org/description",
    "https://schema.org/description",
    "http://dbpedia.org/ontology/abstract",
];

/// Namespaces for describing the schema, not the world: never shown as data classes.
pub const META_NAMESPACES: &[&str] = &[
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "http://www.w3.org/2000/01/rdf-schema#",
    "http://www.w3.org/2002/07/owl#",
    XSD,
];

/// Whether the IRI belongs to RDF, RDFS, OWL or XSD.
pub fn is_meta(iri: &str) -> bool {
    META_NAMESPACES.iter().any(|namespace| iri.starts_with(namespace))
}

/// Graphs that use RDF and RDFS themselves for types and superclasses. Every graph can be read like this.
pub(super) struct Rdf;

impl Profile for Rdf {
    fn name(&self) -> &'static str {
        "rdf"
    }

    fn reader(&self, given: &GivenVocabulary) -> Box<dyn ProfileReader> {
        Box::new(RdfReader(given.clone()))
    }

    fn notes(
        &self,
        _vocabulary: &Vocabulary,
        _properties: &[&PropertyFacts],
        _name: &dyn Fn(&str) -> String,
    ) -> Vec<String> {
        Vec::new()
    }
}

/// Every quad is data.
struct RdfReader(GivenVocabulary);

impl ProfileReader for RdfReader {
    fn classify(&mut self, _quad: &Quad) -> QuadRole {
        QuadRole::Data
    }

    fn finish(self: Box<Self>) -> Option<Recognised> {
        let mut vocabulary = Vocabulary::default();
        self.0.apply(&mut vocabulary);
        Some(Recognised { vocabulary, ..Recognised::default() })
    }
}
