//! The names of a query's things and values in its question, and another thing of the same kind by its name: what a verified
//! question with another name asks about.

use super::Dataset;
use eruca_indexer::Entity;
use eruca_knowledge::questions::{Parameter, named_parameters, question_key};
use eruca_sparql::{CheckedQuery, Literal, NamedNode, Term, XSD, is_numeric_type};
use std::collections::{BTreeSet, HashSet};
use std::str::FromStr;

/// Hits looked at: more with the same name are too many in any case.
const MAX_HITS: usize = 20;
/// Classes of a thing, and properties of a value, that are looked at.
const MAX_KINDS: usize = 8;
/// Things with such a beginning of a name that are looked at, of any class.
const MAX_BEGUN: usize = 200;

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
        let mut all = self.namesakes(of, name).into_iter();
        all.next().filter(|_| all.next().is_none())
    }

    /// All terms with this name that are of the same kind as another.
    #[must_use]
    pub fn namesakes(&self, of: &Term, name: &str) -> Vec<Term> {
        let key = question_key(name);
        let mut found = match of {
            Term::NamedNode(node) => {
                let things = self.things_like(node.as_str(), name).into_iter();
                things.filter(|thing| is_called(thing, &key)).filter_map(of_entity).collect()
            }
            Term::Literal(literal) if is_number(literal) => number_like(literal, name).into_iter().collect(),
            Term::Literal(literal) => {
                let values = self.values_near(literal, name).into_iter();
                values
                    .filter(|text| question_key(text) == key)
                    .filter_map(|text| spelt(literal, text))
                    .collect()
            }
            Term::BlankNode(_) => Vec::new(),
        };
        found.sort_unstable_by_key(ToString::to_string);
        found.dedup();
        found
    }

    /// Terms of the same kind as another whose names begin like this text or are near it, the best first; without a text, the best
    /// known things of its first class.
    #[must_use]
    pub fn alike(&self, of: &Term, text: &str, limit: usize) -> Vec<Term> {
        let found: Vec<Term> = match of {
            Term::NamedNode(node) if text.trim().is_empty() => {
                self.best_like(node.as_str(), limit).into_iter().filter_map(of_entity).collect()
            }
            Term::NamedNode(node) => {
                let begun = self.begun_like(node.as_str(), text).into_iter();
                begun.chain(self.things_like(node.as_str(), text)).filter_map(of_entity).collect()
            }
            Term::Literal(literal) if is_number(literal) => Vec::new(),
            Term::Literal(literal) => {
                let values = self.values_near(literal, text).into_iter();
                values.filter_map(|text| spelt(literal, text)).collect()
            }
            Term::BlankNode(_) => Vec::new(),
        };
        let mut seen = HashSet::new();
        found.into_iter().filter(|term| seen.insert(term.to_string())).take(limit).collect()
    }

    /// Whether two things have a class in common.
    #[must_use]
    pub fn is_of_kind(&self, of: &Term, other: &Term) -> bool {
        let (Term::NamedNode(of), Term::NamedNode(other)) = (of, other) else { return false };
        let other = self.index.entities.get(other.as_str()).ok().flatten();
        other
            .is_some_and(|other| self.classes_of(of.as_str()).iter().any(|class| other.types.contains(class)))
    }

    fn classes_of(&self, iri: &str) -> Vec<String> {
        let known = self.index.entities.get(iri).ok().flatten();
        known.map(|known| known.types.into_iter().take(MAX_KINDS).collect()).unwrap_or_default()
    }

    fn things_like(&self, iri: &str, name: &str) -> Vec<Entity> {
        let of_class = |class: &String| self.index.entities.search(name, Some(class), MAX_HITS).ok();
        let hits = self.classes_of(iri).into_iter().filter_map(|class| of_class(&class)).flatten();
        hits.map(|hit| hit.record).collect()
    }

    /// Things of the same class with a name that begins with this text.
    fn begun_like(&self, iri: &str, text: &str) -> Vec<Entity> {
        let classes = self.classes_of(iri);
        let begun = self.index.entities.complete(text, MAX_BEGUN).unwrap_or_default().into_iter();
        begun.filter(|thing| thing.types.iter().any(|class| classes.contains(class))).collect()
    }

    fn best_like(&self, iri: &str, limit: usize) -> Vec<Entity> {
        let class = self.classes_of(iri).into_iter().next();
        class.and_then(|class| self.index.entities.best_of_class(&class, limit).ok()).unwrap_or_default()
    }

    /// Texts of the properties that have this value, which look like a name.
    fn values_near(&self, literal: &Literal, name: &str) -> Vec<String> {
        let (values, language) = (&self.index.values, literal.language().unwrap_or_default());
        let hits = |text: &str, property: Option<&str>| {
            let hits = values.search(text, property, MAX_HITS).unwrap_or_default();
            hits.into_iter().map(|hit| hit.record).collect::<Vec<_>>()
        };
        let known = hits(literal.value(), None).into_iter();
        let properties: BTreeSet<String> =
            known.filter(|value| value.text == literal.value()).map(|value| value.property).collect();
        let found = properties.iter().take(MAX_KINDS).flat_map(|property| hits(name, Some(property)));
        found.filter(|value| value.language == language).map(|value| value.text).collect()
    }
}

fn of_entity(entity: Entity) -> Option<Term> {
    NamedNode::new(entity.iri).ok().map(Term::from)
}

/// A number of the same datatype.
fn number_like(literal: &Literal, text: &str) -> Option<Term> {
    let number = Literal::from_str(text.trim()).ok()?;
    (number.datatype() == literal.datatype()).then(|| number.into())
}

/// A text as a literal of the same language or datatype.
fn spelt(literal: &Literal, text: String) -> Option<Term> {
    let other = match literal.language() {
        Some(language) => Literal::new_language_tagged_literal(text, language).ok()?,
        None => Literal::new_typed_literal(text, literal.datatype().into_owned()),
    };
    Some(other.into())
}

/// Whether a literal has a datatype of numbers.
#[must_use]
pub fn is_number(literal: &Literal) -> bool {
    literal.datatype().as_str().strip_prefix(XSD).is_some_and(is_numeric_type)
}

fn is_called(entity: &Entity, key: &str) -> bool {
    let mut names = entity.labels.iter().map(|label| label.text.as_str());
    let is_local = entity.labels.is_empty() && question_key(&entity.local_name) == key;
    is_local || names.any(|name| question_key(name) == key)
}

#[cfg(test)]
mod tests {
    use super::*;
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

    #[tokio::test]
    async fn candidates_are_of_the_same_kind() {
        let graph = graph_of("yards", YARDS).await;
        let dataset = &graph.dataset;
        let known = dataset.term("<http://yards.example/a>").unwrap();
        let names = |terms: Vec<Term>| -> Vec<String> {
            let local =
                |term: &Term| term.to_string().trim_end_matches('>').rsplit('/').next().unwrap().to_owned();
            terms.iter().map(local).collect()
        };
        assert_eq!(names(dataset.namesakes(&known, "twin")), ["c", "d"]);
        assert_eq!(names(dataset.alike(&known, "no", 5)), ["a"]);
        let mut all = names(dataset.alike(&known, "", 5));
        all.sort_unstable();
        assert_eq!(all, ["a", "b", "c", "d"]);
        let red = dataset.term("\"pale red\"").unwrap();
        assert_eq!(names(dataset.alike(&red, "dark", 5)), ["\"dark blue\""]);
        let [twin, boat] =
            ["<http://yards.example/c>", "<http://yards.example/e>"].map(|one| dataset.term(one));
        assert!(dataset.is_of_kind(&known, &twin.unwrap()) && !dataset.is_of_kind(&known, &boat.unwrap()));
    }
}
