//! The terms of a gold query that have to be found, each with its kind.

use super::TermKind;
use eruca_sparql::CheckedQuery;
use std::collections::BTreeSet;

/// Namespaces whose terms are the same in every graph, so that no question names them.
const EVERYWHERE: [&str; 4] = [
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "http://www.w3.org/2000/01/rdf-schema#",
    "http://www.w3.org/2002/07/owl#",
    "http://www.w3.org/2001/XMLSchema#",
];
/// Labels of SKOS, of which the same holds.
const LABELS: [&str; 3] = [
    "http://www.w3.org/2004/02/skos/core#prefLabel",
    "http://www.w3.org/2004/02/skos/core#altLabel",
    "http://www.w3.org/2004/02/skos/core#hiddenLabel",
];

/// The property whose objects are properties, in the axioms of ontologies.
const ON_PROPERTY: &str = "http://www.w3.org/2002/07/owl#onProperty";

/// A term of a gold query.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct GoldTerm {
    /// Its kind.
    pub kind: TermKind,
    /// The IRI, or the text of a value.
    pub key: String,
    /// Whether it may be a part of a text in the graph, since a filter has it.
    pub part: bool,
}

/// What an IRI is in a dataset.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IriRole {
    /// The IRI that the index has for it: of a property with several predicates, the one for direct values.
    pub key: String,
    /// Whether it is known as a class.
    pub is_class: bool,
    /// Whether it is known as a property.
    pub is_property: bool,
    /// Whether it is part of how the graph is written rather than of what it says.
    pub is_structure: bool,
    /// Whether its objects are classes: `rdf:type`, a superclass.
    pub gives_class: bool,
}

/// The terms of a query, sorted, each once.
pub(super) fn gold_terms(query: &CheckedQuery, role: &dyn Fn(&str) -> IriRole) -> Vec<GoldTerm> {
    let model = query.model();
    let predicates: BTreeSet<&str> =
        model.atoms.iter().flat_map(|atom| &atom.predicates).map(String::as_str).collect();
    let is_typing = |predicates: &[String]| predicates.last().is_some_and(|iri| role(iri).gives_class);
    let typings = model.atoms.iter().filter(|atom| is_typing(&atom.predicates));
    let classes: BTreeSet<&str> = typings.filter_map(|atom| atom.object_iri()).collect();
    let of_axioms = model.atoms.iter().filter(|atom| atom.predicate() == Some(ON_PROPERTY));
    let of_axioms: BTreeSet<&str> = of_axioms.filter_map(|atom| atom.object_iri()).collect();
    let constants = model.atoms.iter().flat_map(|atom| [atom.subject_iri(), atom.object_iri()]).flatten();
    let all: BTreeSet<&str> =
        model.iris.iter().map(String::as_str).chain(predicates.iter().copied()).chain(constants).collect();
    let mut terms = BTreeSet::new();
    for iri in all.into_iter().filter(|iri| !is_everywhere(iri)) {
        let role = role(iri);
        if role.is_structure {
            continue;
        }
        let kind = match () {
            () if predicates.contains(iri) => TermKind::Property,
            () if classes.contains(iri) || role.is_class => TermKind::Class,
            () if role.is_property || of_axioms.contains(iri) => TermKind::Property,
            () => TermKind::Entity,
        };
        terms.insert(GoldTerm { kind, key: role.key, part: false });
    }
    let objects = model.atoms.iter().filter_map(|atom| atom.object_text()).map(|text| (text, false));
    let compared = model.texts.iter().map(|text| (text.as_str(), true));
    for (text, part) in objects.chain(compared) {
        terms.insert(GoldTerm { kind: TermKind::Value, key: text.to_owned(), part });
    }
    terms.into_iter().collect()
}

fn is_everywhere(iri: &str) -> bool {
    EVERYWHERE.iter().any(|namespace| iri.starts_with(namespace)) || LABELS.contains(&iri)
}

#[cfg(test)]
mod tests {
    use super::*;
    use eruca_sparql::{Prefixes, QueryPolicy, check};

    fn role(iri: &str) -> IriRole {
        let key = iri.replace("http://e/statement/", "http://e/");
        IriRole {
            is_class: iri == "http://e/River",
            is_property: iri == "http://e/length",
            is_structure: iri == "http://e/kind",
            gives_class: iri == "http://e/kind" || iri.ends_with("#type") || iri.ends_with("#subClassOf"),
            key,
        }
    }

    /// The terms as `kind key`, a part of a text with dots.
    fn terms(query: &str) -> Vec<String> {
        let mut prefixes = Prefixes::well_known();
        prefixes.insert("e", "http://e/");
        let query = check(query, &prefixes, &QueryPolicy::default()).unwrap();
        let shown = |term: GoldTerm| {
            let dots = if term.part { "…" } else { "" };
            format!("{} {}{dots}", term.kind.name(), term.key.trim_start_matches("http://e/"))
        };
        gold_terms(&query, &role).into_iter().map(shown).collect()
    }

    #[test]
    fn kinds_follow_from_the_place_in_the_query_and_from_the_graph() {
        assert_eq!(
            terms("SELECT ?x { ?x a e:Lake ; e:flows/^e:basin e:Rhine ; rdfs:label ?l . ?y e:kind e:Sea }"),
            ["entity Rhine", "class Lake", "class Sea", "property basin", "property flows"]
        );
        // Without a type in the query, the graph says what a class or property is.
        assert_eq!(
            terms("SELECT ?p { VALUES ?c { e:River e:Elbe } ?x ?p ?c FILTER(?p != e:length) }"),
            ["entity Elbe", "class River", "property length"]
        );
        assert_eq!(
            terms(
                "SELECT ?x { ?x rdfs:subClassOf ?r . ?r owl:onProperty e:with ; owl:someValuesFrom e:Sea }"
            ),
            ["entity Sea", "property with"]
        );
        assert_eq!(
            terms("SELECT ?x { ?x a/rdfs:subClassOf* e:Lake . ?x !(e:length|a) ?y }"),
            ["class Lake", "property length"]
        );
    }

    #[test]
    fn what_every_graph_has_is_left_out_and_predicates_of_one_property_count_once() {
        assert_eq!(
            terms("SELECT ?x { ?x skos:prefLabel ?l ; rdfs:subClassOf owl:Thing ; rdf:type ?t }"),
            Vec::<String>::new()
        );
        assert_eq!(terms("SELECT ?x { ?x e:born ?s . ?s <http://e/statement/born> ?y }").len(), 1);
    }

    #[test]
    fn texts_are_values_and_numbers_are_none() {
        assert_eq!(
            terms(
                "SELECT ?x { ?x e:name \"Rhine\"@en ; e:n 3 . FILTER(CONTAINS(?x, \"hin\") && LANG(?x) = \"de\") }"
            ),
            ["property n", "property name", "value Rhine", "value hin…"]
        );
    }
}
