//! A query without one of its conditions: which one could be dropped when all of them together leave nothing. Uses spargebra.

use crate::check::CheckedQuery;
use crate::query::algebra::{inner, inner_mut};
use crate::query::edit::rewrite::readable;
use crate::terms::Prefixes;
use oxrdf::Variable;
use spargebra::Query;
use spargebra::algebra::{Expression, GraphPattern};
use spargebra::term::{NamedNodePattern, TermPattern};
use std::collections::BTreeSet;

/// A query that lacks one condition of another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relaxed {
    /// The condition, in SPARQL with full IRIs.
    pub condition: String,
    /// The query without it.
    pub query: String,
}

/// A pattern without one of its conditions.
type Without = (String, GraphPattern);

impl CheckedQuery {
    /// The query without each of its conditions in turn: filters first, then what must match or must not. Left out are
    /// those without which a column would be empty, or parts that belong together would no longer be joined.
    pub fn relaxed(&self, prefixes: &Prefixes) -> Vec<Relaxed> {
        let Query::Select { dataset, pattern, base_iri } = self.algebra() else { return Vec::new() };
        let parts = parts(pattern);
        let (filters, others): (Vec<_>, Vec<_>) = without(pattern)
            .into_iter()
            .filter(|(_, left)| is_whole(left) && self::parts(left) <= parts)
            .partition(|(condition, _)| condition.starts_with("FILTER"));
        let written = |(condition, pattern)| {
            let query = Query::Select { dataset: dataset.clone(), pattern, base_iri: base_iri.clone() };
            Relaxed { condition, query: readable(&query.to_string(), prefixes) }
        };
        filters.into_iter().chain(others).map(written).collect()
    }
}

fn without(pattern: &GraphPattern) -> Vec<Without> {
    use GraphPattern as P;
    let inside = |inner: &GraphPattern, around: &dyn Fn(Box<GraphPattern>) -> GraphPattern| -> Vec<Without> {
        without(inner).into_iter().map(|(condition, left)| (condition, around(Box::new(left)))).collect()
    };
    match pattern {
        P::Filter { expr, inner } => {
            let mut found = without_filter(expr, inner);
            found.extend(within(pattern));
            found
        }
        P::Bgp { patterns } if patterns.len() > 1 => (0..patterns.len())
            .map(|at| {
                let mut patterns = patterns.clone();
                let gone = patterns.remove(at);
                (gone.to_string(), P::Bgp { patterns })
            })
            .collect(),
        P::Join { left, right } => {
            let mut found: Vec<Without> = [(left, right), (right, left)]
                .into_iter()
                .filter(|(gone, _)| is_one(gone))
                .map(|(gone, kept)| (text(gone), (**kept).clone()))
                .collect();
            found.extend(inside(left, &|left| P::Join { left, right: right.clone() }));
            found.extend(inside(right, &|right| P::Join { left: left.clone(), right }));
            found
        }
        P::Minus { left, right } => {
            let mut found = vec![(format!("MINUS {{ {right} }}"), (**left).clone())];
            found.extend(inside(left, &|left| P::Minus { left, right: right.clone() }));
            found
        }
        P::LeftJoin { left, right, expression } => {
            inside(left, &|left| P::LeftJoin { left, right: right.clone(), expression: expression.clone() })
        }
        // Conditions inside GRAPH are not dropped one by one.
        P::Graph { .. } => Vec::new(),
        one => within(one),
    }
}

/// The patterns that one with a single pattern in it becomes when that lacks a condition.
fn within(pattern: &GraphPattern) -> Vec<Without> {
    let around = |(condition, left)| {
        let mut whole = pattern.clone();
        *inner_mut(&mut whole)? = left;
        Some((condition, whole))
    };
    inner(pattern).into_iter().flat_map(without).filter_map(around).collect()
}

/// A filter without each of the conditions that it joins.
fn without_filter(filter: &Expression, inner: &GraphPattern) -> Vec<Without> {
    let mut conditions = Vec::new();
    conjuncts(filter, &mut conditions);
    let left = |at: usize| {
        let others = conditions.iter().enumerate().filter(|(other, _)| *other != at);
        let others = others.map(|(_, condition)| (*condition).clone());
        match others.reduce(|one, other| Expression::And(Box::new(one), Box::new(other))) {
            Some(expr) => GraphPattern::Filter { expr, inner: Box::new(inner.clone()) },
            None => inner.clone(),
        }
    };
    conditions.iter().enumerate().map(|(at, gone)| (format!("FILTER({gone})"), left(at))).collect()
}

fn conjuncts<'a>(expression: &'a Expression, found: &mut Vec<&'a Expression>) {
    match expression {
        Expression::And(left, right) => {
            conjuncts(left, found);
            conjuncts(right, found);
        }
        other => found.push(other),
    }
}

/// Whether a side of a join is a single condition.
fn is_one(pattern: &GraphPattern) -> bool {
    match pattern {
        GraphPattern::Bgp { patterns } => patterns.len() == 1,
        GraphPattern::Path { .. } | GraphPattern::Union { .. } | GraphPattern::Values { .. } => true,
        _ => false,
    }
}

fn text(pattern: &GraphPattern) -> String {
    match pattern {
        GraphPattern::Bgp { patterns } => patterns.iter().map(ToString::to_string).collect(),
        GraphPattern::Path { subject, path, object } => format!("{subject} {path} {object}"),
        other => other.to_string(),
    }
}

/// Whether each column may still have values.
fn is_whole(pattern: &GraphPattern) -> bool {
    match pattern {
        GraphPattern::Project { inner, variables } => {
            let mut known = BTreeSet::new();
            inner.on_in_scope_variable(|variable| {
                known.insert(variable.as_str());
            });
            variables.iter().all(|variable| known.contains(variable.as_str()))
        }
        GraphPattern::Slice { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner }
        | GraphPattern::OrderBy { inner, .. } => is_whole(inner),
        _ => true,
    }
}

/// Into how many parts without a common variable the triples and paths of a pattern fall.
fn parts(pattern: &GraphPattern) -> usize {
    let mut groups: Vec<BTreeSet<String>> = Vec::new();
    for variables in variables_of_parts(pattern).into_iter().filter(|variables| !variables.is_empty()) {
        let (joined, apart): (Vec<_>, Vec<_>) =
            groups.into_iter().partition(|group| !group.is_disjoint(&variables));
        groups = apart;
        groups.push(joined.into_iter().flatten().chain(variables).collect());
    }
    groups.len()
}

fn variables_of_parts(pattern: &GraphPattern) -> Vec<BTreeSet<String>> {
    use GraphPattern as P;
    match pattern {
        P::Bgp { patterns } => patterns
            .iter()
            .map(|triple| {
                let predicate = match &triple.predicate {
                    NamedNodePattern::Variable(variable) => Some(name(variable)),
                    NamedNodePattern::NamedNode(_) => None,
                };
                [node(&triple.subject), predicate, node(&triple.object)].into_iter().flatten().collect()
            })
            .collect(),
        P::Path { subject, object, path: _ } => {
            vec![[node(subject), node(object)].into_iter().flatten().collect()]
        }
        P::Join { left, right } => {
            let mut all = variables_of_parts(left);
            all.extend(variables_of_parts(right));
            all
        }
        P::LeftJoin { left, .. } | P::Minus { left, .. } => variables_of_parts(left),
        other => match inner(other).filter(|_| !matches!(other, P::Graph { .. })) {
            Some(inner) => variables_of_parts(inner),
            None => vec![in_scope(other)],
        },
    }
}

fn in_scope(pattern: &GraphPattern) -> BTreeSet<String> {
    let mut known = BTreeSet::new();
    pattern.on_in_scope_variable(|variable| {
        known.insert(name(variable));
    });
    known
}

fn node(term: &TermPattern) -> Option<String> {
    match term {
        TermPattern::Variable(variable) => Some(name(variable)),
        TermPattern::BlankNode(node) => Some(format!("_:{}", node.as_str())),
        TermPattern::NamedNode(_) | TermPattern::Literal(_) => None,
    }
}

fn name(variable: &Variable) -> String {
    variable.as_str().to_owned()
}

#[cfg(test)]
mod tests {
    use crate::{Prefixes, QueryPolicy, check};

    fn relaxed(text: &str) -> Vec<(String, String)> {
        let mut prefixes = Prefixes::default();
        prefixes.insert("e", "http://e/");
        let query = check(text, &prefixes, &QueryPolicy::default()).unwrap();
        let all = query.relaxed(&prefixes);
        for one in &all {
            check(&one.query, &prefixes, &QueryPolicy::default()).unwrap();
        }
        all.into_iter().map(|one| (one.condition, one.query)).collect()
    }

    fn conditions(text: &str) -> Vec<String> {
        relaxed(text).into_iter().map(|(condition, _)| condition).collect()
    }

    #[test]
    fn each_condition_is_given_up_in_turn_filters_first() {
        let text = "SELECT DISTINCT ?x { ?x e:p e:A ; e:q ?n . MINUS { ?x e:r e:B } FILTER(?n > 3 && ?n < 5) } LIMIT 5";
        let found = conditions(text);
        assert!(found[0].starts_with("FILTER") && found[0].contains("> "), "{found:?}");
        assert!(found[1].starts_with("FILTER") && found[1].contains("< "), "{found:?}");
        assert!(found.iter().any(|condition| condition.starts_with("MINUS")), "{found:?}");
        assert!(found.iter().any(|condition| condition.contains("http://e/A")), "{found:?}");
        let (_, query) = &relaxed(text)[0];
        assert!(query.contains("< ") && !query.contains("> 3") && query.contains("LIMIT 5"), "{query}");
    }

    #[test]
    fn what_makes_a_column_or_joins_the_parts_stays() {
        assert_eq!(conditions("SELECT ?x ?y { ?x e:p ?y }"), [""; 0]);
        let found = conditions("SELECT ?x { ?x e:p e:A . ?x e:q ?y . ?y e:r e:B }");
        assert_eq!(found.len(), 2, "without the middle, ?y would be anything: {found:?}");
        assert_eq!(conditions("ASK { ?x e:p ?y . ?y e:q ?z }"), [""; 0]);
    }

    #[test]
    fn paths_and_groups_are_conditions_too() {
        let found =
            conditions("SELECT ?x { ?x e:p e:A . ?x e:q/e:r+ e:B . { ?x e:s 1 } UNION { ?x e:s 2 } }");
        assert!(found.iter().any(|condition| condition.contains('+')), "{found:?}");
        assert!(found.iter().any(|condition| condition.contains("UNION")), "{found:?}");
    }
}
