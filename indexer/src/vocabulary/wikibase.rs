//! The profile of Wikibase, the software of Wikidata: items with direct claims, and statements as nodes with ranks,
//! qualifiers and references ([RDF dump format](https://www.mediawiki.org/wiki/Wikibase/Indexing/RDF_Dump_Format)).
//!
//! The only place that knows ids of Wikidata. `namespaces` takes IRIs apart, `reader` tells data from carriers.

mod namespaces;
mod reader;

pub use namespaces::{Namespaces, StatementPart};

use super::{Given, Profile, ProfileReader, Vocabulary};

/// What the IRIs of Wikidata begin with.
pub const WIKIDATA: &str = "http://www.wikidata.org/";
/// The namespace of the vocabulary that all Wikibases share.
const ONTOLOGY: &str = "http://wikiba.se/ontology#";
/// Properties of Wikidata that other Wikibases have under other numbers, with names by which those are found.
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

/// A property by its number in Wikidata and by its names elsewhere.
struct Meaning {
    wikidata: u32,
    names: &'static [&'static str],
}

pub(super) struct Wikibase;

impl Profile for Wikibase {
    fn name(&self) -> &'static str {
        "wikibase"
    }

    fn reader(&self, given: &Given) -> Box<dyn ProfileReader> {
        Box::new(reader::Reader::new(given))
    }

    fn notes(&self, vocabulary: &Vocabulary) -> Vec<String> {
        let Some(names) = &vocabulary.statements else { return Vec::new() };
        let compact = |iri: &str| names.compact(iri);
        let (kind, wider) = (compact(&vocabulary.type_property), compact(&vocabulary.subclass_property));
        vec![
            format!("Things are of a class by {kind}, with the classes below it: ?x {kind}/{wider}* wd:CLASS. There is no useful rdf:type."),
            "wdt:P (direct) gives the values of best rank; use it unless the question needs more of a statement.".to_owned(),
            "Qualifiers, ranks, references: ?x p:P ?st . ?st ps:P ?value ; pq:Q ?qualifier. Add `?st a wikibase:BestRank` to have what wdt: has; \
             without it all ranks come, so that deprecated ones need FILTER NOT EXISTS { ?st wikibase:rank wikibase:DeprecatedRank }.".to_owned(),
            "At a point in time, from, until and \"current\" are qualifiers (point in time, start time, end time): current is \
             FILTER NOT EXISTS { ?st pq:END ?end }; get_entry with `property` shows which qualifiers a statement has.".to_owned(),
            "Quantities: wdt: gives the number without its unit; ?st psv:P/wikibase:quantityUnit ?unit gives the unit, ?st psn:P/wikibase:quantityAmount the \
             number in the base unit. Dates: ?st psv:P/wikibase:timePrecision is 9 for a year, 11 for a day.".to_owned(),
            "An unknown value is a blank node (FILTER(!isBlank(?v)) leaves it out); \"has none\" is ?x a wdno:P.".to_owned(),
            "Labels: ?x rdfs:label ?l FILTER(LANG(?l) = \"en\"); no SERVICE is needed. Return the thing itself, not its label, unless a name is asked for.".to_owned(),
        ]
    }
}

/// The vocabulary of the Wikibase with these namespaces, as far as it is known without looking at its properties.
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
