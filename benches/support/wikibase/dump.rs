//! Writes a Wikibase as N-Triples, in the order of a real dump: record, pages, names, direct claims, statements, and
//! the nodes of references and values last.

use super::{BASE, CLASSES, Claim, Datatype, LANGUAGES, PROPERTIES, Rank, UNITS, Value, Wikibase, datatype};
use crate::support::graph::Random;
use eruca_sparql::RDF_TYPE;
use std::fmt::Write as _;
use std::io::Write;

const RDFS_LABEL: &str = "http://www.w3.org/2000/01/rdf-schema#label";
const SKOS: &str = "http://www.w3.org/2004/02/skos/core#";
const SCHEMA: &str = "http://schema.org/";
const OWL: &str = "http://www.w3.org/2002/07/owl#";
const XSD: &str = "http://www.w3.org/2001/XMLSchema#";
const PROV: &str = "http://www.w3.org/ns/prov#";
const ONTOLOGY: &str = "http://wikiba.se/ontology#";
const WKT: &str = "http://www.opengis.net/ont/geosparql#wktLiteral";
const MEDIA: &str = "http://commons.wikimedia.org/wiki/Special:FilePath/";
const RECORD: &str = "https://wiki.bench.example/wiki/Special:EntityData/";

/// The predicates of a property, by the words that lead to them and what stands before its number.
const PREDICATES: [(&str, &str); 11] = [
    ("directClaim", "prop/direct/"),
    ("claim", "prop/"),
    ("statementProperty", "prop/statement/"),
    ("statementValue", "prop/statement/value/"),
    ("qualifier", "prop/qualifier/"),
    ("qualifierValue", "prop/qualifier/value/"),
    ("reference", "prop/reference/"),
    ("referenceValue", "prop/reference/value/"),
    ("statementValueNormalized", "prop/statement/value-normalized/"),
    ("qualifierValueNormalized", "prop/qualifier/value-normalized/"),
    ("novalue", "prop/novalue/"),
];

/// The triples of one entity.
#[derive(Default)]
struct Lines {
    text: String,
    count: u64,
}

impl Lines {
    fn add(&mut self, subject: &str, predicate: impl std::fmt::Display, object: impl std::fmt::Display) {
        let _ = writeln!(self.text, "{subject} <{predicate}> {object} .");
        self.count += 1;
    }

    /// The three ways in which a dump says a name.
    fn label(&mut self, subject: &str, text: &str, language: &str) {
        for predicate in [RDFS_LABEL, &format!("{SKOS}prefLabel"), &format!("{SCHEMA}name")] {
            self.add(subject, predicate, format_args!("\"{text}\"@{language}"));
        }
    }
}

/// What of an entity is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// Direct claims and statements.
    Full,
    /// Direct claims alone.
    Truthy,
}

impl Wikibase {
    /// Writes the graph as N-Triples; returns the number of triples.
    pub fn write(&self, extent: Extent, out: &mut dyn Write) -> std::io::Result<u64> {
        let (mut lines, mut triples) = (Lines::default(), 0);
        for number in 0..self.items {
            if number == CLASSES {
                (1..=PROPERTIES).for_each(|property| self.property(property, &mut lines));
            }
            self.item(number, extent, &mut lines);
            out.write_all(lines.text.as_bytes())?;
            triples += std::mem::take(&mut lines.count);
            lines.text.clear();
        }
        Ok(triples)
    }

    fn property(&self, property: usize, lines: &mut Lines) {
        let entity = format!("<{BASE}entity/P{property}>");
        lines.add(&entity, RDF_TYPE, format_args!("<{ONTOLOGY}Property>"));
        for (language, words) in LANGUAGES.iter().zip(&self.words) {
            let name = match (property, *language) {
                (1, "en") => "instance of".to_owned(),
                (2, "en") => "subclass of".to_owned(),
                _ => format!("{} {}", words[property * 11 + 3], words[property * 7]),
            };
            lines.label(&entity, &name, language);
        }
        let description = format_args!("\"what {} has to do with it\"@en", self.words[0][property * 5]);
        lines.add(&entity, format_args!("{SCHEMA}description"), description);
        lines.add(
            &entity,
            format_args!("{SKOS}altLabel"),
            format_args!("\"{} of\"@en", self.words[0][property * 13]),
        );
        lines.add(
            &entity,
            format_args!("{ONTOLOGY}propertyType"),
            format_args!("<{ONTOLOGY}{:?}>", datatype(property)),
        );
        for (word, middle) in PREDICATES {
            let predicate = format!("<{BASE}{middle}P{property}>");
            lines.add(&entity, format_args!("{ONTOLOGY}{word}"), &predicate);
            let kind = if word == "novalue" { "Class" } else { "ObjectProperty" };
            lines.add(&predicate, RDF_TYPE, format_args!("<{OWL}{kind}>"));
        }
    }

    fn item(&self, number: usize, extent: Extent, lines: &mut Lines) {
        let names = self.names(number);
        let claims = self.claims(number);
        let item = format!("<{}>", Self::item_iri(number));
        self.record(number, &item, (claims.len(), names.pages), lines);
        lines.add(&item, RDF_TYPE, format_args!("<{ONTOLOGY}Item>"));
        for (name, language) in names.labels.iter().zip(LANGUAGES) {
            if let Some(name) = name {
                lines.label(&item, name, language);
            }
        }
        for (language, kind, word) in [(0, "kind of", number % 997), (1, "eine Art von", number % 991)] {
            let text = format_args!("\"{kind} {}\"@{}", self.words[language][word], LANGUAGES[language]);
            lines.add(&item, format_args!("{SCHEMA}description"), text);
        }
        for alias in &names.aliases {
            lines.add(&item, format_args!("{SKOS}altLabel"), format_args!("\"{alias}\"@en"));
        }
        for claim in claims.iter().filter(|claim| claim.rank != Rank::Deprecated) {
            let predicate = format_args!("{BASE}prop/direct/P{}", claim.property);
            lines.add(&item, predicate, &claim.value);
        }
        if extent == Extent::Full {
            claims.iter().for_each(|claim| statement(&item, number, claim, lines));
            claims.iter().for_each(|claim| nodes(claim, lines));
        }
    }

    /// The record of the item and the pages about it.
    fn record(&self, number: usize, item: &str, (claims, pages): (usize, usize), lines: &mut Lines) {
        let record = format!("<{RECORD}Q{}>", number + 1);
        lines.add(&record, RDF_TYPE, format_args!("<{SCHEMA}Dataset>"));
        lines.add(&record, format_args!("{SCHEMA}about"), item);
        lines.add(&record, format_args!("{SCHEMA}version"), format_args!("\"{number}\"^^<{XSD}integer>"));
        let changed =
            format_args!("\"2026-0{}-1{}T10:00:00Z\"^^<{XSD}dateTime>", 1 + number % 9, number % 10);
        lines.add(&record, format_args!("{SCHEMA}dateModified"), changed);
        for (word, count) in [("statements", claims), ("sitelinks", pages), ("identifiers", claims / 4)] {
            let count = format_args!("\"{count}\"^^<{XSD}integer>");
            lines.add(&record, format_args!("{ONTOLOGY}{word}"), count);
        }
        for page in 0..pages {
            let (language, site) = (LANGUAGES[page % LANGUAGES.len()], page / LANGUAGES.len());
            let wiki = format!("<https://{language}{site}.pages.bench.example/>");
            let address = format!("<https://{language}{site}.pages.bench.example/wiki/{number}>");
            lines.add(&address, RDF_TYPE, format_args!("<{SCHEMA}Article>"));
            lines.add(&address, format_args!("{SCHEMA}about"), item);
            lines.add(&address, format_args!("{SCHEMA}inLanguage"), format_args!("\"{language}\""));
            lines.add(&address, format_args!("{SCHEMA}isPartOf"), &wiki);
            lines.add(&address, format_args!("{SCHEMA}name"), format_args!("\"page {number}\"@{language}"));
            lines.add(&wiki, format_args!("{ONTOLOGY}wikiGroup"), "\"encyclopedia\"");
        }
    }
}

fn statement(item: &str, number: usize, claim: &Claim, lines: &mut Lines) {
    let [high, low] = claim.id;
    let node = format!(
        "<{BASE}entity/statement/Q{}-{:08X}-{:04X}-{:04X}-{:04X}-{:012X}>",
        number + 1,
        high >> 32,
        high >> 16 & 0xFFFF,
        high & 0xFFFF,
        low >> 48,
        low & 0xFFFF_FFFF_FFFF
    );
    let property = claim.property;
    lines.add(item, format_args!("{BASE}prop/P{property}"), &node);
    lines.add(&node, RDF_TYPE, format_args!("<{ONTOLOGY}Statement>"));
    if claim.rank != Rank::Deprecated {
        lines.add(&node, RDF_TYPE, format_args!("<{ONTOLOGY}BestRank>"));
    }
    lines.add(&node, format_args!("{ONTOLOGY}rank"), format_args!("<{ONTOLOGY}{:?}Rank>", claim.rank));
    lines.add(&node, format_args!("{BASE}prop/statement/P{property}"), &claim.value);
    if let Some(value) = value_node(&claim.value) {
        lines.add(&node, format_args!("{BASE}prop/statement/value/P{property}"), &value);
        if datatype(property) == Datatype::Quantity {
            lines.add(&node, format_args!("{BASE}prop/statement/value-normalized/P{property}"), &value);
        }
    }
    if let Some((property, value)) = &claim.qualifier {
        lines.add(&node, format_args!("{BASE}prop/qualifier/P{property}"), value);
        if let Some(value) = value_node(value) {
            lines.add(&node, format_args!("{BASE}prop/qualifier/value/P{property}"), &value);
        }
    }
    if let Some(reference) = claim.reference {
        lines.add(&node, format_args!("{PROV}wasDerivedFrom"), reference_node(reference));
    }
}

/// The nodes of a statement's reference and values.
fn nodes(claim: &Claim, lines: &mut Lines) {
    if let Some(reference) = claim.reference {
        let node = reference_node(reference);
        lines.add(&node, RDF_TYPE, format_args!("<{ONTOLOGY}Reference>"));
        lines.add(
            &node,
            format_args!("{BASE}prop/reference/P3"),
            format_args!("<{}>", Wikibase::item_iri(reference % 500)),
        );
        let address = format_args!("<https://site{reference}.example/page>");
        lines.add(&node, format_args!("{BASE}prop/reference/P18"), address);
    }
    let qualifier = claim.qualifier.as_ref().map(|(_, value)| value);
    for value in [Some(&claim.value), qualifier].into_iter().flatten() {
        if let Some(node) = value_node(value) {
            value_triples(&node, value, lines);
        }
    }
}

fn value_triples(node: &str, value: &Value, lines: &mut Lines) {
    let word = |word: &'static str| format!("{ONTOLOGY}{word}");
    match value {
        Value::Time { .. } => {
            lines.add(node, RDF_TYPE, format_args!("<{ONTOLOGY}TimeValue>"));
            lines.add(node, word("timeValue"), value);
            lines.add(node, word("timePrecision"), format_args!("\"11\"^^<{XSD}integer>"));
            lines.add(node, word("timeTimezone"), format_args!("\"0\"^^<{XSD}integer>"));
            lines.add(node, word("timeCalendarModel"), format_args!("<{BASE}entity/Q900>"));
        }
        Value::Quantity { unit, .. } => {
            lines.add(node, RDF_TYPE, format_args!("<{ONTOLOGY}QuantityValue>"));
            lines.add(node, word("quantityAmount"), value);
            let unit = Wikibase::item_iri(CLASSES - UNITS + unit);
            lines.add(node, word("quantityUnit"), format_args!("<{unit}>"));
            lines.add(node, word("quantityNormalized"), node);
        }
        Value::Place(east, north) => {
            lines.add(node, RDF_TYPE, format_args!("<{ONTOLOGY}GlobecoordinateValue>"));
            for (name, number) in [("geoLatitude", north), ("geoLongitude", east)] {
                let degrees = format_args!("\"{}.{:03}\"^^<{XSD}double>", number / 1_000, number % 1_000);
                lines.add(node, word(name), degrees);
            }
            lines.add(node, word("geoPrecision"), format_args!("\"0.001\"^^<{XSD}double>"));
            lines.add(node, word("geoGlobe"), format_args!("<{BASE}entity/Q2>"));
        }
        _ => {}
    }
}

/// A value's node if it has one; equal values share it.
fn value_node(value: &Value) -> Option<String> {
    let number = match value {
        Value::Time { year, month, day } => 1 + (year * 12 + month) * 31 + day,
        Value::Quantity { amount, unit } => 1 << 40 | amount << 8 | *unit as u64,
        Value::Place(east, north) => 1 << 50 | east << 20 | north,
        _ => return None,
    };
    let mut random = Random::new(number);
    Some(format!("<{BASE}value/{:016x}{:016x}>", random.next(), random.next()))
}

fn reference_node(reference: usize) -> String {
    let mut random = Random::new(reference as u64);
    format!("<{BASE}reference/{:016x}{:016x}{:08x}>", random.next(), random.next(), random.next() >> 32)
}

impl std::fmt::Display for Value {
    /// As the object of a direct claim.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Item(number) => write!(f, "<{BASE}entity/Q{}>", number + 1),
            Self::Text(text) => write!(f, "\"{text}\""),
            Self::Mono(text, language) => write!(f, "\"{text}\"@{language}"),
            Self::Quantity { amount, .. } => write!(f, "\"+{amount}\"^^<{XSD}decimal>"),
            Self::Time { year, month, day } => {
                write!(f, "\"{year}-{month:02}-{day:02}T00:00:00Z\"^^<{XSD}dateTime>")
            }
            Self::Place(east, north) => write!(
                f,
                "\"Point({}.{:03} {}.{:03})\"^^<{WKT}>",
                east / 1_000,
                east % 1_000,
                north / 1_000,
                north % 1_000
            ),
            Self::Media(name) => write!(f, "<{MEDIA}{}.jpg>", name.replace(' ', "_")),
            Self::Url(number) => write!(f, "<https://site{number}.example/>"),
            Self::Unknown(number) => write!(f, "_:{number:032x}"),
        }
    }
}
