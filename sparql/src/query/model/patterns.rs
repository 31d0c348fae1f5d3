//! The triple patterns and property paths of a query, at any depth: which conditions each node has. Uses `algebra`.

use crate::check::CheckedQuery;
use crate::query::algebra::{Node, children, inner, pattern_of, walk};
use spargebra::algebra::{Expression, GraphPattern, PropertyPathExpression};
use spargebra::term::NamedNodePattern;
use std::collections::BTreeSet;

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
            if let Node::Pattern(pattern) = node {
                add(pattern, &mut found);
            }
        }
        found
    }

    /// IRIs that a row is to have or may have: those outside of MINUS and NOT EXISTS.
    #[must_use]
    pub fn required_or_optional_iris(&self) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let mut stack = vec![Node::Pattern(pattern_of(self.algebra()))];
        while let Some(node) = stack.pop() {
            match node {
                Node::Iri(iri) => drop(found.insert(iri.as_str().to_owned())),
                Node::Pattern(GraphPattern::Minus { left, .. }) => stack.push(Node::Pattern(left)),
                Node::Expression(Expression::Not(inner)) if matches!(**inner, Expression::Exists(_)) => {}
                other => stack.extend(children(other)),
            }
        }
        found
    }

    /// The patterns that hold for every row, and behind them those that hold wherever the variables that only they set have
    /// a value. What stands in a branch of UNION, in MINUS or EXISTS is not among them.
    #[must_use]
    pub fn certain_patterns(&self) -> (Vec<Pattern>, Vec<Pattern>) {
        let (mut certain, mut optional) = (Vec::new(), Vec::new());
        let mut stack = vec![(pattern_of(self.algebra()), true)];
        while let Some((pattern, is_certain)) = stack.pop() {
            add(pattern, if is_certain { &mut certain } else { &mut optional });
            stack.extend(below(pattern).into_iter().map(|(inner, certain)| (inner, certain && is_certain)));
        }
        (certain, optional)
    }
}

/// The patterns within a pattern whose rows are among its own, each with whether it has a part in every one of them.
fn below(pattern: &GraphPattern) -> Vec<(&GraphPattern, bool)> {
    use GraphPattern as P;
    match pattern {
        // The last one comes first from the stack.
        P::Join { left, right } => vec![(right, true), (left, true)],
        P::LeftJoin { left, right, .. } => vec![(right, false), (left, true)],
        P::Minus { left, .. } => vec![(left, true)],
        one => inner(one).map(|inner| (inner, true)).into_iter().collect(),
    }
}

fn add(pattern: &GraphPattern, found: &mut Vec<Pattern>) {
    match pattern {
        GraphPattern::Bgp { patterns } => found.extend(patterns.iter().map(|triple| Pattern {
            subject: triple.subject.to_string(),
            predicates: match &triple.predicate {
                NamedNodePattern::NamedNode(node) => vec![node.as_str().to_owned()],
                NamedNodePattern::Variable(_) => Vec::new(),
            },
            object: triple.object.to_string(),
            is_path: false,
        })),
        GraphPattern::Path { subject, path, object } => found.push(Pattern {
            subject: subject.to_string(),
            predicates: steps(path),
            object: object.to_string(),
            is_path: true,
        }),
        _ => {}
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

    #[test]
    fn what_holds_for_every_row_is_told_from_the_rest() {
        let mut prefixes = Prefixes::default();
        prefixes.insert("e", "http://e/");
        let text = "SELECT ?x (COUNT(?v) AS ?n) { ?x e:p ?v . { ?x e:a 1 } UNION { ?x e:b 2 } OPTIONAL { ?x e:o ?w } \
                    MINUS { ?x e:m 1 } FILTER NOT EXISTS { ?x e:z 1 } { SELECT ?x { ?x e:s ?y } } } GROUP BY ?x";
        let query = check(text, &prefixes, &QueryPolicy::default()).unwrap();
        let names = |patterns: Vec<super::Pattern>| -> Vec<String> {
            patterns
                .iter()
                .flat_map(|pattern| &pattern.predicates)
                .map(|iri| iri.replace("http://e/", ""))
                .collect()
        };
        let (mut certain, optional) = query.certain_patterns();
        certain.sort_by(|a, b| a.predicates.cmp(&b.predicates));
        assert_eq!(names(certain), ["p", "s"]);
        assert_eq!(names(optional), ["o"]);
    }
}
