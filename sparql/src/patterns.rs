//! The triple patterns and property paths of a query, wherever they stand: what is said of which node. Uses `algebra`.

use crate::algebra::{Node, walk};
use crate::check::CheckedQuery;
use spargebra::algebra::{GraphPattern, PropertyPathExpression};
use spargebra::term::NamedNodePattern;

/// A triple pattern, or a path that is more than one property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// The subject in SPARQL: `?x`, `<iri>`, `_:node`.
    pub subject: String,
    /// The predicate's IRI; of a path those of all its steps. Empty if it is a variable.
    pub predicates: Vec<String>,
    /// The object in SPARQL.
    pub object: String,
    /// Whether it is a path.
    pub is_path: bool,
}

impl CheckedQuery {
    /// Every triple pattern and path of the WHERE clause in the order of the query, also those within OPTIONAL, MINUS,
    /// EXISTS and subqueries. A sequence of properties comes as one triple pattern for each.
    #[must_use]
    pub fn patterns(&self) -> Vec<Pattern> {
        let mut found = Vec::new();
        for (node, _) in walk(self.algebra()) {
            match node {
                Node::Pattern(GraphPattern::Bgp { patterns }) => {
                    found.extend(patterns.iter().map(|triple| Pattern {
                        subject: triple.subject.to_string(),
                        predicates: match &triple.predicate {
                            NamedNodePattern::NamedNode(node) => vec![node.as_str().to_owned()],
                            NamedNodePattern::Variable(_) => Vec::new(),
                        },
                        object: triple.object.to_string(),
                        is_path: false,
                    }));
                }
                Node::Pattern(GraphPattern::Path { subject, path, object }) => found.push(Pattern {
                    subject: subject.to_string(),
                    predicates: steps(path),
                    object: object.to_string(),
                    is_path: true,
                }),
                _ => {}
            }
        }
        found
    }
}

fn steps(path: &PropertyPathExpression) -> Vec<String> {
    let (mut stack, mut found) = (vec![path], Vec::new());
    while let Some(path) = stack.pop() {
        use PropertyPathExpression as P;
        match path {
            P::NamedNode(node) => found.push(node.as_str().to_owned()),
            P::Reverse(inner) | P::ZeroOrMore(inner) | P::OneOrMore(inner) | P::ZeroOrOne(inner) => {
                stack.push(inner);
            }
            P::Sequence(first, second) | P::Alternative(first, second) => {
                stack.extend([second.as_ref(), first.as_ref()]);
            }
            P::NegatedPropertySet(_) => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::{Prefixes, QueryPolicy, check};

    #[test]
    fn patterns_are_found_everywhere() {
        let mut prefixes = Prefixes::default();
        prefixes.insert("e", "http://e/");
        let text = "SELECT ?x { ?x e:a e:B . ?x e:p/e:q ?v . ?x e:r* ?w OPTIONAL { ?x ?any 1 } FILTER NOT EXISTS { ?x e:z ?v } }";
        let patterns = check(text, &prefixes, &QueryPolicy::default()).unwrap().patterns();
        let of =
            |iri: &str| patterns.iter().find(|pattern| pattern.predicates == [format!("http://e/{iri}")]);
        assert_eq!(of("a").map(|pattern| pattern.object.as_str()), Some("<http://e/B>"));
        assert_eq!(of("p").map(|first| &first.object), of("q").map(|second| &second.subject));
        assert!(of("r").unwrap().is_path && !of("z").unwrap().is_path);
        assert!(patterns.iter().any(|pattern| pattern.predicates.is_empty()));
    }
}
