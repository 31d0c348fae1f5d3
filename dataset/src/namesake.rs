//! The names of a query's things and values in its question, and another thing of the same kind by its name: what a verified
//! question with another name asks about.

use super::Dataset;
use eruca_indexer::Entity;
use eruca_knowledge::questions::{Parameter, named_parameters, question_key};
use eruca_sparql::{CheckedQuery, Literal, NamedNode, Term, XSD, is_numeric_type};
use std::collections::BTreeSet;
use std::str::FromStr;

/// Hits looked at: more with the same name are too many in any case.
const MAX_HITS: usize = 20;
/// Classes of a thing, and properties of a value, that are looked at.
const MAX_KINDS: usize = 8;

impl Dataset {
    /// The term that a person wrote: an IRI, a prefixed name, or a literal as in N-Triples.
    #[must_use]
    pub fn term(&self, written: &str) -> Option<Term> {
        let written = written.trim();
        if written.starts_with(|c: char| c == '"' || c == '-' || c == '+' || c.is_ascii_digit()) {
            return Literal::from_str(written).ok().map(Term::from);
        }
        NamedNode::new(self.resolve(written).ok()?).ok().map(Term::from)
    }

    /// The names in a question of the things and texts in its query, which others may replace.
    #[must_use]
    pub fn parameters_of(&self, question: &str, query: &CheckedQuery) -> Vec<Parameter> {
        let model = query.model();
        let mut names: Vec<(String, String)> = Vec::new();
        for iri in &model.iris {
            let is_term = self.index.card.class(iri).is_some() || self.index.card.property(iri).is_some();
            let Some(entity) = self.index.entities.get(iri).ok().flatten().filter(|_| !is_term) else {
                continue;
            };
            let value = format!("<{iri}>");
            let labels = entity.labels.iter().map(|label| label.text.clone());
            let local = Some(entity.local_name.clone()).filter(|_| entity.labels.is_empty());
            names.extend(labels.chain(local).map(|name| (name, value.clone())));
        }
        let objects = model.atoms.iter().filter_map(|atom| match atom.object_constant()? {
            Term::Literal(literal) => Some(literal),
            Term::NamedNode(_) | Term::BlankNode(_) => None,
        });
        let compared = model.conjunction.row_filters().flat_map(|filter| filter.literals().cloned());
        let texts = objects.chain(compared).filter(|literal| !is_number(literal));
        names.extend(texts.map(|literal| (literal.value().to_owned(), literal.to_string())));
        named_parameters(question, &names)
    }

    /// The term with this name that is of the same kind as another: a thing of a class that both have, a value of the same property,
    /// a number of the same datatype. `None` unless there is exactly one.
    #[must_use]
    pub fn namesake(&self, of: &Term, name: &str) -> Option<Term> {
        match of {
            Term::NamedNode(node) => self.thing_like(node.as_str(), name),
            Term::Literal(literal) if is_number(literal) => {
                let number = Literal::from_str(name).ok()?;
                (number.datatype() == literal.datatype()).then(|| number.into())
            }
            Term::Literal(literal) => self.value_like(literal, name),
            Term::BlankNode(_) => None,
        }
    }

    fn thing_like(&self, iri: &str, name: &str) -> Option<Term> {
        let (key, known) = (question_key(name), self.index.entities.get(iri).ok()??);
        let mut found = BTreeSet::new();
        for class in known.types.iter().take(MAX_KINDS) {
            let hits = self.index.entities.search(name, Some(class), MAX_HITS).ok()?;
            found.extend(
                hits.into_iter().filter(|hit| is_called(&hit.record, &key)).map(|hit| hit.record.iri),
            );
        }
        NamedNode::new(only(found)?).ok().map(Term::from)
    }

    fn value_like(&self, literal: &Literal, name: &str) -> Option<Term> {
        let (key, language) = (question_key(name), literal.language().unwrap_or_default());
        let values = &self.index.values;
        let known = values.search(literal.value(), None, MAX_HITS).ok()?.into_iter().map(|hit| hit.record);
        let properties: BTreeSet<String> =
            known.filter(|value| value.text == literal.value()).map(|value| value.property).collect();
        let mut found = BTreeSet::new();
        for property in properties.iter().take(MAX_KINDS) {
            let hits = values.search(name, Some(property), MAX_HITS).ok()?.into_iter().map(|hit| hit.record);
            let same = hits.filter(|value| value.language == language && question_key(&value.text) == key);
            found.extend(same.map(|value| value.text));
        }
        let text = only(found)?;
        let other = match literal.language() {
            Some(language) => Literal::new_language_tagged_literal(text, language).ok()?,
            None => Literal::new_typed_literal(text, literal.datatype().into_owned()),
        };
        Some(other.into())
    }
}

fn is_number(literal: &Literal) -> bool {
    literal.datatype().as_str().strip_prefix(XSD).is_some_and(is_numeric_type)
}

fn is_called(entity: &Entity, key: &str) -> bool {
    let mut names = entity.labels.iter().map(|label| label.text.as_str());
    let is_local = entity.labels.is_empty() && question_key(&entity.local_name) == key;
    is_local || names.any(|name| question_key(name) == key)
}

fn only(found: BTreeSet<String>) -> Option<String> {
    let mut all = found.into_iter();
    all.next().filter(|_| all.next().is_none())
}

#[cfg(test)]
mod tests {
    use crate::testing::graph_of;

    const YARDS: &str = r#"
        @prefix : <http://yards.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        :a a :Yard ; rdfs:label "North Yard" ; :colour "pale red" . :b a :Yard ; rdfs:label "Süd Yard" ; :colour "dark blue" .
        :c a :Yard ; rdfs:label "Twin" . :d a :Yard ; rdfs:label "Twin" . :e a :Boat ; rdfs:label "Swift" ; :motto "dark green" ."#;

    #[tokio::test]
    async fn the_names_of_a_query_in_its_question_are_its_parameters() {
        let graph = graph_of("yards", YARDS).await;
        let of = |question: &str, query: &str| {
            let query = graph.dataset.check(&format!("PREFIX : <http://yards.example/> {query}")).unwrap();
            let found = graph.dataset.parameters_of(question, &query).into_iter();
            found.map(|one| format!("{}={}", one.name, one.value)).collect::<Vec<_>>()
        };
        assert_eq!(
            of("Which colour has north yard?", "SELECT ?c { :a :colour ?c }"),
            ["north yard=<http://yards.example/a>"]
        );
        let query = "SELECT ?x { ?x a :Yard ; :colour \"dark blue\" . :b :near ?x }";
        assert_eq!(
            of("Which yard near Sud Yard is Dark Blue?", query),
            ["Sud Yard=<http://yards.example/b>", "Dark Blue=\"dark blue\""]
        );
        assert_eq!(of("Which yard is like Swift or Swift?", "ASK { :e :colour ?c }"), [""; 0], "named twice");
        assert_eq!(of("North Yard", "ASK { :a ?p ?o }"), [""; 0], "nothing but the name");
        assert_eq!(of("Which yards are there?", "SELECT ?x { ?x a :Yard }"), [""; 0]);
    }

    #[tokio::test]
    async fn a_name_stands_for_the_only_thing_of_the_same_kind() {
        let graph = graph_of("yards", YARDS).await;
        let dataset = &graph.dataset;
        let of = |known: &str, name: &str| {
            let known = dataset.term(known).unwrap();
            dataset.namesake(&known, name).map(|term| term.to_string())
        };
        let yard = "<http://yards.example/a>";
        assert_eq!(of(yard, "sud yard").as_deref(), Some("<http://yards.example/b>"));
        for other in ["Twin", "Swift", "Yard", "North", "Sud Yart"] {
            assert_eq!(of(yard, other), None, "{other}");
        }
        assert_eq!(of("\"pale red\"", "Dark Blue").as_deref(), Some("\"dark blue\""));
        assert_eq!(of("\"pale red\"", "dark green"), None, "the value of another property");
        assert_eq!(of("5", "12").as_deref(), Some("\"12\"^^<http://www.w3.org/2001/XMLSchema#integer>"));
        assert_eq!(of("5", "many"), None);
        assert_eq!(of("<http://yards.example/gone>", "North Yard"), None);
    }
}
