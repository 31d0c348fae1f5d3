//! Drops one condition of a query at a time, to find the one that makes the result empty. Uses spargebra.

use crate::check::CheckedQuery;
use crate::query::algebra::{conjuncts, in_scope, patterns, patterns_mut};
use crate::query::model::{Atom, Conjunction};
use crate::query::select::Select;
use crate::terms::Prefixes;
use spargebra::Query;
use spargebra::algebra::{Expression, GraphPattern};
use std::collections::BTreeSet;

/// A query without one of the conditions of another query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relaxed {
    /// The condition, in SPARQL with full IRIs.
    pub condition: String,
    /// The query without it.
    pub query: String,
}

/// The text of a condition, and the pattern without it.
type Without = (String, GraphPattern);

impl CheckedQuery {
    /// The query without each of its conditions in turn: filters first, then patterns and MINUS. Conditions are skipped if
    /// dropping them would leave a column unbound or produce a cross product.
    pub fn relaxed(&self, prefixes: &Prefixes) -> Vec<Relaxed> {
        let Query::Select { pattern, .. } = self.algebra() else { return Vec::new() };
        let parts = parts(pattern);
        let (filters, others): (Vec<_>, Vec<_>) = without(pattern)
            .into_iter()
            .filter(|(_, left)| is_whole(left) && self::parts(left) <= parts)
            .partition(|(condition, _)| condition.starts_with("FILTER"));
        let written =
            |(condition, pattern)| Relaxed { condition, query: self.with_pattern(pattern, prefixes) };
        filters.into_iter().chain(others).map(written).collect()
    }
}

/// The pattern without each of its own conditions, then without each condition of its nested patterns.
fn without(pattern: &GraphPattern) -> Vec<Without> {
    use GraphPattern as P;
    let mut found = match pattern {
        P::Filter { expr, inner } => without_filter(expr, inner),
        P::Bgp { patterns } if patterns.len() > 1 => (0..patterns.len())
            .map(|at| {
                let mut patterns = patterns.clone();
                let gone = patterns.remove(at);
                (gone.to_string(), P::Bgp { patterns })
            })
            .collect(),
        P::Join { left, right } => [(left, right), (right, left)]
            .into_iter()
            .filter(|(gone, _)| is_one(gone))
            .map(|(gone, kept)| (text(gone), (**kept).clone()))
            .collect(),
        P::Minus { left, right } => vec![(format!("MINUS {{ {right} }}"), (**left).clone())],
        _ => Vec::new(),
    };
    let searched = match pattern {
        P::Join { .. } => 2,
        // Conditions inside GRAPH are not dropped individually.
        P::Graph { .. } | P::Union { .. } | P::Service { .. } | P::Lateral { .. } => 0,
        _ => 1,
    };
    for (at, part) in patterns(pattern).take(searched).enumerate() {
        found.extend(without(part).into_iter().filter_map(|(condition, left)| {
            let mut whole = pattern.clone();
            *patterns_mut(&mut whole).into_iter().nth(at)? = left;
            Some((condition, whole))
        }));
    }
    found
}

/// A filter without each of its conjuncts.
fn without_filter(filter: &Expression, inner: &GraphPattern) -> Vec<Without> {
    let conditions = conjuncts(filter);
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

/// Whether an operand of a join is a single condition.
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

/// Whether each column can still be bound.
fn is_whole(pattern: &GraphPattern) -> bool {
    let Select { columns, body, .. } = Select::of(pattern);
    let known = in_scope(body);
    columns.unwrap_or_default().iter().all(|column| known.contains(column.as_str()))
}

/// The number of connected components formed by the triple patterns and paths of a pattern.
fn parts(pattern: &GraphPattern) -> usize {
    let mut groups: Vec<BTreeSet<String>> = Vec::new();
    let atoms = Conjunction::of(pattern).atoms;
    for nodes in atoms.iter().map(Atom::nodes).filter(|nodes| !nodes.is_empty()) {
        let (joined, apart): (Vec<_>, Vec<_>) =
            groups.into_iter().partition(|group| !group.is_disjoint(&nodes));
        groups = apart;
        groups.push(joined.into_iter().flatten().chain(nodes).collect());
    }
    groups.len()
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
