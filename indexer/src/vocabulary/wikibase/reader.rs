//! Checks the quads of a graph for signs of a Wikibase, separates its reified nodes, and counts the parts of statements.
//!
//! Reified nodes (statements, values, references, pages, records of entities) far outnumber entities, and are not searched for
//! by name: they are counted during reading, and not kept. In every dump, the triples of one statement are together; otherwise,
//! their qualifiers are not counted.

use super::namespaces::{Namespaces, StatementPart};
use super::{
    ABOUT, DERIVED_FROM, INVERSE, LEXEME_NAMES, Meaning, ONTOLOGY, SUBCLASS, TYPE, WIKIDATA, vocabulary,
};
use crate::vocabulary::{
    GivenVocabulary, MAX_KEPT, ProfileReader, PropertyFacts, QuadRole, RDF_TYPE, RDFS_LABEL, Recognised,
    WellKnown, is_meta,
};
use oxrdf::{NamedOrBlankNode, Quad, Term};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

const SCHEMA: &str = "http://schema.org/";
const PREF_LABEL: &str = "http://www.w3.org/2004/02/skos/core#prefLabel";
/// Occurs in the IRIs of entity records.
const RECORDS: &str = "/Special:EntityData/";
const OWL: &str = "http://www.w3.org/2002/07/owl#";
/// Terms of the shared vocabulary that are data about lexemes.
const LEXEME_DATA: &[&str] = &["lexicalCategory", "grammaticalFeature"];
/// Maximum number of value nodes whose property is remembered until their unit is read.
const MAX_VALUE_NODES: usize = 1_000_000;
/// A graph counts as a Wikibase if at least one triple in this many is a claim.
const LEAST_SHARE: u64 = 20;
/// Maximum number of predicates whose part is cached.
const MAX_PREDICATES: usize = 100_000;

/// Counts for a property.
#[derive(Debug, Default)]
struct PropertyCounts {
    datatype: Option<String>,
    statements: u64,
    preferred: u64,
    deprecated: u64,
    qualifies: u64,
    qualifiers: FxHashMap<u32, u64>,
    units: FxHashMap<String, u64>,
    inverse: Option<u32>,
}

/// The statement whose triples are being read.
#[derive(Debug, Default)]
struct OpenStatement {
    node: String,
    property: Option<u32>,
    qualifiers: Vec<u32>,
    rank: Option<StatementRank>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StatementRank {
    Preferred,
    Deprecated,
}

/// The use of a predicate in a Wikibase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    Part(StatementPart, u32),
    /// A term of the shared vocabulary.
    Ontology,
    Other,
}

pub(super) struct WikibaseReader {
    given: GivenVocabulary,
    names: Option<Namespaces>,
    /// Whether anything specific to a Wikibase was seen.
    seen: bool,
    /// Numbers of direct claims of entities, of all statements, and of triples that are data.
    direct: u64,
    statements: u64,
    data: u64,
    uses: FxHashMap<String, Use>,
    properties: FxHashMap<u32, PropertyCounts>,
    statement: OpenStatement,
    value_nodes: FxHashMap<u64, u32>,
    /// The page or record whose triples are being read.
    record: String,
    /// Whether that is a page whose subject has not been read yet.
    is_open_page: bool,
    /// Properties identified by the meaning of their names.
    found: [Option<u32>; 3],
}

const MEANINGS: [&Meaning; 3] = [&TYPE, &SUBCLASS, &INVERSE];

impl WikibaseReader {
    pub(super) fn new(given: &GivenVocabulary) -> Self {
        Self {
            given: given.clone(),
            names: given.base.as_deref().map(Namespaces::of),
            seen: false,
            direct: 0,
            statements: 0,
            data: 0,
            uses: FxHashMap::default(),
            properties: FxHashMap::default(),
            statement: OpenStatement::default(),
            value_nodes: FxHashMap::default(),
            record: String::new(),
            is_open_page: false,
            found: [None; 3],
        }
    }

    fn use_of(&mut self, predicate: &str) -> Use {
        if let Some(known) = self.uses.get(predicate) {
            return *known;
        }
        let part = self.names.as_ref().and_then(|names| names.part(predicate));
        let found = match part {
            Some((part, number)) => Use::Part(part, number),
            None if predicate.starts_with(ONTOLOGY) => Use::Ontology,
            None => Use::Other,
        };
        if self.uses.len() < MAX_PREDICATES {
            self.uses.insert(predicate.to_owned(), found);
        }
        found
    }

    /// Determines the base from the first triple that is specific to a Wikibase.
    fn recognise(&mut self, quad: &Quad) {
        let predicate = quad.predicate.as_str();
        let declares =
            predicate == RDF_TYPE && object_iri(quad).is_some_and(|class| class.starts_with(ONTOLOGY));
        if declares
            && let Some((base, _)) = iri(&quad.subject).and_then(|subject| subject.rsplit_once("entity/"))
        {
            let names = Namespaces::of(base);
            if iri(&quad.subject).is_some_and(|subject| names.is_entity(subject)) {
                self.names = Some(names);
                self.uses.clear();
                return;
            }
        }
        if let Some((base, part, _)) = Namespaces::guess(predicate) {
            let names = Namespaces::of(base);
            let of_thing = iri(&quad.subject).is_some_and(|subject| names.is_entity(subject));
            let to_statement = object_iri(quad).is_some_and(|object| names.is_reified_node(object));
            let sure = match part {
                StatementPart::Direct => of_thing,
                StatementPart::Claim => of_thing && to_statement,
                _ => iri(&quad.subject).is_some_and(|subject| names.is_reified_node(subject)),
            };
            if sure {
                self.names = Some(names);
                self.uses.clear();
            }
        }
    }

    fn counted(&mut self, property: u32) -> &mut PropertyCounts {
        self.properties.entry(property).or_default()
    }

    fn of_statement(&mut self, node: &str) -> &mut OpenStatement {
        if self.statement.node != node {
            self.end_statement();
            node.clone_into(&mut self.statement.node);
        }
        &mut self.statement
    }

    /// Counts the statement that ends here; its buffers are reused for the next one.
    fn end_statement(&mut self) {
        let mut statement = std::mem::take(&mut self.statement);
        if let Some(property) = statement.property.take() {
            self.count_statement(property, &statement);
        }
        statement.qualifiers.clear();
        statement.rank = None;
        self.statement = statement;
    }

    fn count_statement(&mut self, property: u32, statement: &OpenStatement) {
        self.statements += 1;
        let counted = self.counted(property);
        counted.statements += 1;
        match statement.rank {
            Some(StatementRank::Preferred) => counted.preferred += 1,
            Some(StatementRank::Deprecated) => counted.deprecated += 1,
            None => {}
        }
        for qualifier in &statement.qualifiers {
            *counted.qualifiers.entry(*qualifier).or_default() += 1;
        }
        for qualifier in &statement.qualifiers {
            self.counted(*qualifier).qualifies += 1;
        }
    }

    fn part(&mut self, part: StatementPart, number: u32, quad: &Quad) -> QuadRole {
        let subject = text(&quad.subject);
        match part {
            StatementPart::Direct => return self.direct_claim(number, quad),
            StatementPart::Value => self.of_statement(subject).property = Some(number),
            StatementPart::Qualifier => self.of_statement(subject).qualifiers.push(number),
            StatementPart::ValueNode => {
                if let Some(node) = object_iri(quad) {
                    // In a dump, the unit follows a few triples later, so older nodes can be dropped.
                    if self.value_nodes.len() >= MAX_VALUE_NODES {
                        self.value_nodes.clear();
                    }
                    self.value_nodes.insert(hash(node), number);
                }
            }
            _ => {}
        }
        QuadRole::ReifiedNode
    }

    fn direct_claim(&mut self, number: u32, quad: &Quad) -> QuadRole {
        let Some(names) = &self.names else { return QuadRole::Data };
        let Some(property) = iri(&quad.subject).and_then(|subject| names.property_number(subject)) else {
            self.direct += 1;
            return QuadRole::Data;
        };
        // Claims of properties are not data of the graph, but the inverse of a property is needed.
        let is_inverse =
            self.found[2] == Some(number) || (names.base == WIKIDATA && number == INVERSE.wikidata);
        if is_inverse && let Some(inverse) = object_iri(quad).and_then(|object| names.property_number(object))
        {
            self.counted(property).inverse = Some(inverse);
        }
        QuadRole::ReifiedNode
    }

    fn ontology(&mut self, word: &str, quad: &Quad) -> QuadRole {
        let subject = text(&quad.subject);
        match word {
            "rank" => {
                self.of_statement(subject).rank = match object_iri(quad) {
                    Some(rank) if rank.ends_with("#PreferredRank") => Some(StatementRank::Preferred),
                    Some(rank) if rank.ends_with("#DeprecatedRank") => Some(StatementRank::Deprecated),
                    _ => None,
                };
                QuadRole::ReifiedNode
            }
            "sitelinks" => self.sitelinks(quad),
            "propertyType" => {
                let number = self.names.as_ref().and_then(|names| names.property_number(subject));
                let kind = object_iri(quad).and_then(|kind| kind.strip_prefix(ONTOLOGY)).map(str::to_owned);
                if let Some(number) = number.or_else(|| self.learn_from_property(subject)) {
                    self.counted(number).datatype = kind;
                }
                QuadRole::ReifiedNode
            }
            "quantityUnit" => {
                if let (Some(unit), Some(property)) =
                    (object_iri(quad), self.value_nodes.get(&hash(subject)).copied())
                {
                    *self.counted(property).units.entry(unit.to_owned()).or_default() += 1;
                }
                QuadRole::ReifiedNode
            }
            _ if LEXEME_DATA.contains(&word) || LEXEME_NAMES.contains(&quad.predicate.as_str()) => {
                QuadRole::Data
            }
            _ => QuadRole::ReifiedNode,
        }
    }

    /// The entity of a property reveals the base as well as a claim does.
    fn learn_from_property(&mut self, subject: &str) -> Option<u32> {
        let (base, _) = subject.rsplit_once("entity/P").filter(|_| self.names.is_none())?;
        let names = Namespaces::of(base);
        let number = names.property_number(subject)?;
        self.names = Some(names);
        self.uses.clear();
        Some(number)
    }

    /// On the item itself, or on its record.
    fn sitelinks(&mut self, quad: &Quad) -> QuadRole {
        let names = self.names.as_ref();
        let of_item =
            iri(&quad.subject).is_some_and(|subject| names.is_some_and(|names| names.is_entity(subject)));
        match &quad.object {
            Term::Literal(count) if of_item => count
                .value()
                .parse()
                .map_or(QuadRole::ReifiedNode, |count| QuadRole::Known(WellKnown::Subject(count))),
            _ => QuadRole::ReifiedNode,
        }
    }

    fn other(&mut self, quad: &Quad) -> QuadRole {
        let (subject, predicate) = (text(&quad.subject), quad.predicate.as_str());
        if subject.contains(RECORDS) || subject.starts_with(ONTOLOGY) {
            return QuadRole::ReifiedNode;
        }
        let Some(names) = &self.names else { return QuadRole::Data };
        // Dumps define their properties in OWL, mostly the class of entities without a value of one.
        if names.is_reified_node(subject) || predicate == DERIVED_FROM || predicate.starts_with(OWL) {
            return QuadRole::ReifiedNode;
        }
        let of_record = self.record == subject;
        if predicate == ABOUT
            && (!of_record || self.is_open_page)
            && object_iri(quad).is_some_and(|object| names.is_entity(object))
        {
            subject.clone_into(&mut self.record);
            self.is_open_page = false;
            return QuadRole::Known(WellKnown::Object);
        }
        if of_record {
            return QuadRole::ReifiedNode;
        }
        let of_thing = names.is_entity(subject);
        if predicate == RDF_TYPE {
            return self.typed(subject, of_thing, quad);
        }
        let repeats = predicate == PREF_LABEL
            || predicate.strip_prefix(SCHEMA).is_some_and(|word| word != "description");
        if of_thing && (repeats || (is_meta(predicate) && predicate != RDFS_LABEL)) {
            return QuadRole::ReifiedNode;
        }
        if predicate == RDFS_LABEL
            && let Some(number) = names.property_number(subject)
        {
            self.name_property(number, quad);
        }
        QuadRole::Data
    }

    fn typed(&mut self, subject: &str, of_thing: bool, quad: &Quad) -> QuadRole {
        let Some(class) = object_iri(quad) else { return QuadRole::Data };
        let kept = !class.starts_with(ONTOLOGY) && !is_meta(class) && !of_thing;
        let record = class.strip_prefix(SCHEMA).filter(|kind| ["Article", "Dataset"].contains(kind));
        if let Some(kind) = record {
            subject.clone_into(&mut self.record);
            self.is_open_page = kind == "Article";
        }
        if kept && record.is_none() { QuadRole::Data } else { QuadRole::ReifiedNode }
    }

    fn name_property(&mut self, number: u32, quad: &Quad) {
        let Term::Literal(name) = &quad.object else { return };
        for (found, meaning) in self.found.iter_mut().zip(MEANINGS) {
            if meaning.names.iter().any(|known| known.eq_ignore_ascii_case(name.value())) {
                found.get_or_insert(number);
            }
        }
    }

    fn facts(&mut self, names: &Namespaces) -> Vec<PropertyFacts> {
        let mut facts: Vec<(u32, PropertyFacts)> = self
            .properties
            .drain()
            .map(|(number, counted)| {
                let qualifiers =
                    counted.qualifiers.into_iter().map(|(number, count)| (names.direct(number), count));
                let facts = PropertyFacts {
                    direct: names.direct(number),
                    entity: names.property_entity(number),
                    datatype: counted.datatype,
                    statements: counted.statements,
                    preferred: counted.preferred,
                    deprecated: counted.deprecated,
                    qualifiers: most_frequent(qualifiers.collect()),
                    qualifies: counted.qualifies,
                    units: most_frequent(counted.units.into_iter().collect()),
                    inverse: counted.inverse.map(|number| names.direct(number)),
                };
                (number, facts)
            })
            .collect();
        facts.sort_by_key(|(number, _)| *number);
        facts.into_iter().map(|(_, facts)| facts).collect()
    }
}

impl ProfileReader for WikibaseReader {
    fn classify(&mut self, quad: &Quad) -> QuadRole {
        if self.names.is_none() {
            self.recognise(quad);
        }
        let sifted = match self.use_of(quad.predicate.as_str()) {
            Use::Part(part, number) => self.part(part, number, quad),
            Use::Ontology => {
                self.seen = true;
                let word = quad.predicate.as_str().strip_prefix(ONTOLOGY).unwrap_or_default();
                self.ontology(word, quad)
            }
            Use::Other => self.other(quad),
        };
        self.data += u64::from(sifted == QuadRole::Data);
        sifted
    }

    fn namespaces(&self) -> Option<&Namespaces> {
        self.names.as_ref()
    }

    fn finish(mut self: Box<Self>) -> Option<Recognised> {
        self.end_statement();
        let names = self.names.clone()?;
        let asked_for = self.given.profile.is_some();
        if !asked_for && !self.seen && self.statements == 0 && self.direct * LEAST_SHARE < self.data {
            return None;
        }
        let mut vocabulary = vocabulary(&names);
        if names.base != WIKIDATA {
            let [kind, wider, _] = self.found.map(|number| number.map(|number| names.direct(number)));
            vocabulary.type_property = kind.unwrap_or(vocabulary.type_property);
            vocabulary.subclass_property = wider.unwrap_or(vocabulary.subclass_property);
        }
        self.given.apply(&mut vocabulary);
        let properties = self.facts(&names);
        Some(Recognised { vocabulary, properties })
    }
}

fn most_frequent(mut counts: Vec<(String, u64)>) -> Vec<(String, u64)> {
    counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    counts.truncate(MAX_KEPT);
    counts
}

fn iri(node: &NamedOrBlankNode) -> Option<&str> {
    match node {
        NamedOrBlankNode::NamedNode(node) => Some(node.as_str()),
        NamedOrBlankNode::BlankNode(_) => None,
    }
}

/// An IRI or the label of a blank node, which contains no colon.
fn text(node: &NamedOrBlankNode) -> &str {
    match node {
        NamedOrBlankNode::NamedNode(node) => node.as_str(),
        NamedOrBlankNode::BlankNode(node) => node.as_str(),
    }
}

fn object_iri(quad: &Quad) -> Option<&str> {
    match &quad.object {
        Term::NamedNode(node) => Some(node.as_str()),
        _ => None,
    }
}

fn hash(text: &str) -> u64 {
    let mut hasher = FxHasher::default();
    text.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests;
