//! Outline of an entity, read with one query: names in the wanted languages, direct values, number of statements per
//! property; and which of its properties are the most informative.

use super::facts_of;
use super::read::rows;
use crate::tools::topic::Topic;
use eruca_dataset::{Dataset, MAX_NAME_CHARS};
use eruca_indexer::vocabulary::{Namespaces, PropertyFacts, RDF_TYPE, RDFS_LABEL, StatementPart};
use eruca_sparql::{Answer, Term, one_line};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

const ALIAS: &str = "http://www.w3.org/2004/02/skos/core#altLabel";
const DESCRIPTION: &str = "http://schema.org/description";
/// Properties that repeat the label.
const REPEATED: &[&str] = &["http://www.w3.org/2004/02/skos/core#prefLabel", "http://schema.org/name"];
/// Maximum number of triples of the entity that are read.
pub(super) const MAX_TRIPLES: usize = 3_000;
/// Maximum number of properties whose statements are read, and of statements per property and in total.
const MAX_PROPERTIES: usize = 50;
const MAX_STATEMENTS_OF_ONE: u64 = 60;
const MAX_STATEMENTS: u64 = 400;

/// Everything except statement nodes, with names in the wanted languages only; the number of statements per property; the
/// number of languages that have a label.
pub(super) fn outgoing_query(iri: &str, names: &Namespaces, dataset: &Dataset) -> String {
    let languages: Vec<String> =
        languages(dataset).iter().map(|language| format!("\"{}\"", language.to_lowercase())).collect();
    let repeated: Vec<String> = REPEATED.iter().map(|iri| format!("<{iri}>")).collect();
    let claims = format!("{}P", names.namespace(StatementPart::Claim));
    let normalized = names.namespace(StatementPart::DirectNormalized);
    format!(
        "SELECT ?p ?o ?n WHERE {{ {{ <{iri}> ?p ?o FILTER(!STRSTARTS(STR(?p), \"{claims}\") && \
         !STRSTARTS(STR(?p), \"{normalized}\") && ?p NOT IN ({}) && (?p NOT IN (<{RDFS_LABEL}>, <{ALIAS}>, <{DESCRIPTION}>) || \
         LCASE(LANG(?o)) IN ({}))) }} \
         UNION {{ SELECT ?p (COUNT(?st) AS ?n) WHERE {{ <{iri}> ?p ?st FILTER(STRSTARTS(STR(?p), \"{claims}\")) }} GROUP BY ?p }} \
         UNION {{ SELECT (COUNT(DISTINCT LANG(?label)) AS ?n) WHERE {{ <{iri}> <{RDFS_LABEL}> ?label }} }} }} LIMIT {MAX_TRIPLES}",
        repeated.join(", "),
        languages.join(", "),
    )
}

/// The wanted languages, `mul` (for all languages), and English.
pub(super) fn languages(dataset: &Dataset) -> Vec<String> {
    let mut languages: Vec<String> = dataset
        .languages
        .iter()
        .filter(|tag| tag.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'))
        .cloned()
        .collect();
    for common in ["mul", "en"] {
        if !languages.iter().any(|known| known == common) {
            languages.push(common.to_owned());
        }
    }
    languages
}

/// The data of an entity without its statements.
#[derive(Debug, Default)]
pub(super) struct Outline {
    pub(super) labels: Vec<(String, String)>,
    pub(super) aliases: Vec<String>,
    pub(super) descriptions: Vec<(String, String)>,
    /// Number of languages that have a label.
    pub(super) languages: u64,
    /// Direct values by property number.
    pub(super) direct: BTreeMap<u32, Vec<Term>>,
    /// Number of statements by property number.
    pub(super) statements: BTreeMap<u32, u64>,
    /// Properties that do not belong to the Wikibase.
    pub(super) other: BTreeMap<String, Vec<Term>>,
    pub(super) is_cut: bool,
}

impl Outline {
    pub(super) fn read(answer: &Answer, names: &Namespaces, dataset: &Dataset) -> Self {
        let mut outline = Self { is_cut: rows(answer).len() >= MAX_TRIPLES, ..Self::default() };
        for row in rows(answer) {
            match row.as_slice() {
                [Some(Term::NamedNode(property)), Some(object), _] => {
                    outline.add(property.as_str(), object, names, dataset);
                }
                [Some(Term::NamedNode(claim)), None, Some(count)] => {
                    if let Some((StatementPart::Claim, number)) = names.part(claim.as_str()) {
                        outline.statements.insert(number, number_of(count));
                    }
                }
                [None, None, Some(count)] => outline.languages = number_of(count),
                _ => {}
            }
        }
        // Engines return rows in any order.
        for values in outline.direct.values_mut().chain(outline.other.values_mut()) {
            values.sort_by_cached_key(ToString::to_string);
        }
        outline
    }

    fn add(&mut self, property: &str, object: &Term, names: &Namespaces, dataset: &Dataset) {
        if let Some((StatementPart::Direct, number)) = names.part(property) {
            self.direct.entry(number).or_default().push(object.clone());
            return;
        }
        if let Term::Literal(literal) = object {
            let (text, language) = (literal.value(), literal.language().unwrap_or_default());
            let named = (one_line(text, MAX_NAME_CHARS), language.to_owned());
            match property {
                RDFS_LABEL => return self.labels.push(named),
                ALIAS => return self.aliases.push(named.0),
                DESCRIPTION => return self.descriptions.push(named),
                _ => {}
            }
        }
        // Metadata that the software adds about its own records is left out.
        let own = match object {
            Term::NamedNode(class) if property == RDF_TYPE => {
                Namespaces::is_term(class.as_str()) || names.part(class.as_str()).is_some()
            }
            _ => Namespaces::is_term(property) && dataset.index.card.property(property).is_none(),
        };
        if !own {
            self.other.entry(property.to_owned()).or_default().push(object.clone());
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.labels.is_empty()
            && self.languages == 0
            && self.direct.is_empty()
            && self.statements.is_empty()
            && self.other.is_empty()
    }

    /// All properties: types, then those that fit the topic, then the others, most informative first. External identifiers
    /// are left out.
    pub(super) fn properties(&self, names: &Namespaces, dataset: &Dataset, topic: &Topic) -> Vec<u32> {
        let numbers: BTreeSet<u32> = self.direct.keys().chain(self.statements.keys()).copied().collect();
        let mut numbers: Vec<u32> =
            numbers.into_iter().filter(|number| !is_external_id(dataset, names, *number)).collect();
        numbers.sort_by_cached_key(|number| {
            (topic.rank(dataset, &names.direct(*number)), telling(dataset, names, *number))
        });
        numbers
    }

    /// Of the properties, in their order, those whose statements are read.
    pub(super) fn worth_reading(&self, properties: &[u32]) -> Vec<u32> {
        let mut left = MAX_STATEMENTS;
        let mut chosen = Vec::new();
        for &number in properties {
            let count = self.statements.get(&number).copied().unwrap_or(0);
            if (1..=MAX_STATEMENTS_OF_ONE.min(left)).contains(&count) && chosen.len() < MAX_PROPERTIES {
                left -= count;
                chosen.push(number);
            }
        }
        chosen
    }
}

pub(super) fn is_external_id(dataset: &Dataset, names: &Namespaces, number: u32) -> bool {
    facts_of(dataset, names, number).is_some_and(PropertyFacts::is_external_id)
}

/// Sort key: types first, then facts about the world before texts and media; within each group, most used first.
fn telling(dataset: &Dataset, names: &Namespaces, number: u32) -> (u8, Reverse<u64>, u32) {
    let direct = names.direct(number);
    let card = dataset.index.card.property(&direct);
    let datatype = card.and_then(|card| card.statements.as_ref()).and_then(|facts| facts.datatype.as_deref());
    let class = match datatype {
        _ if dataset.vocabulary().is_type(&direct) => 0,
        None | Some("WikibaseItem" | "Quantity" | "Time") => 1,
        Some("GlobeCoordinate" | "Monolingualtext" | "String" | "Url") => 2,
        Some(_) => 3,
    };
    (class, Reverse(card.map_or(0, |card| card.subjects)), number)
}

pub(super) fn number_of(term: &Term) -> u64 {
    if let Term::Literal(literal) = term { literal.value().parse().unwrap_or(0) } else { 0 }
}
