//! Rows that share their place in an order: the query that shows them, and queries that keep all of them. Uses `algebra`,
//! `rewrite` and spargebra.

use crate::check::CheckedQuery;
use crate::query::algebra::{Node, pattern_of, walk, walk_pattern};
use crate::query::edit::rewrite::readable;
use crate::terms::Prefixes;
use oxrdf::Variable;
use spargebra::Query;
use spargebra::algebra::{AggregateExpression, AggregateFunction, Expression, GraphPattern, OrderExpression};

/// Prefix of the variables for the keys that a query orders by.
const KEY: &str = "orderKey";

/// A query that returns rows beyond a LIMIT, with the keys that they are ordered by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BeyondLimit {
    /// The query.
    pub query: String,
    /// The rows that the LIMIT keeps.
    pub limit: usize,
    /// The columns that hold the order's keys.
    pub keys: Vec<String>,
}

impl CheckedQuery {
    /// The rows of an ordered SELECT with `more` rows behind its LIMIT; `None` without an order or a LIMIT.
    pub fn beyond_limit(&self, more: usize, prefixes: &Prefixes) -> Option<BeyondLimit> {
        let Query::Select { dataset, pattern, base_iri } = self.algebra() else { return None };
        let GraphPattern::Slice { inner, start, length: Some(limit) } = pattern else { return None };
        let (inner, distinct) = match inner.as_ref() {
            GraphPattern::Distinct { inner } => (inner.as_ref(), true),
            GraphPattern::Reduced { inner } => (inner.as_ref(), false),
            other => (other, false),
        };
        let GraphPattern::Project { inner, variables } = inner else { return None };
        let GraphPattern::OrderBy { inner, expression } = inner.as_ref() else { return None };
        let (inner, keys) = with_keys(inner, expression);
        let mut shown = variables.clone();
        shown.extend(keys.iter().filter(|key| !variables.contains(key)).cloned());
        let ordered = GraphPattern::OrderBy { inner: Box::new(inner), expression: expression.clone() };
        let projected = GraphPattern::Project { inner: Box::new(ordered), variables: shown };
        let rows = if distinct { GraphPattern::Distinct { inner: Box::new(projected) } } else { projected };
        let length = Some(limit.saturating_add(more));
        let pattern = GraphPattern::Slice { inner: Box::new(rows), start: *start, length };
        let query = Query::Select { dataset: dataset.clone(), pattern, base_iri: base_iri.clone() };
        let keys = keys.iter().map(|key| key.as_str().to_owned()).collect();
        Some(BeyondLimit { query: readable(&query.to_string(), prefixes), limit: *limit, keys })
    }

    /// Whether the query finds what is greatest or least by its value, so that all that are equally so are its rows: by MAX
    /// or MIN, by a LIMIT within, or by the absence of anything that is more.
    pub fn keeps_ties(&self) -> bool {
        let outer = pattern_of(self.algebra());
        walk(self.algebra()).any(|(node, _)| match node {
            Node::Pattern(GraphPattern::Group { aggregates, .. }) => {
                aggregates.iter().any(|(_, aggregate)| is_extreme(aggregate))
            }
            Node::Pattern(slice @ GraphPattern::Slice { .. }) => !std::ptr::eq(slice, outer),
            Node::Pattern(GraphPattern::Minus { right, .. }) => compares(right),
            Node::Expression(Expression::Not(inner)) => {
                matches!(inner.as_ref(), Expression::Exists(pattern) if compares(pattern))
            }
            _ => false,
        })
    }
}

/// A pattern with a variable for each of an order's keys.
fn with_keys(inner: &GraphPattern, order: &[OrderExpression]) -> (GraphPattern, Vec<Variable>) {
    let (mut pattern, mut keys) = (inner.clone(), Vec::new());
    for (at, OrderExpression::Asc(key) | OrderExpression::Desc(key)) in order.iter().enumerate() {
        if let Expression::Variable(variable) = key {
            keys.push(variable.clone());
            continue;
        }
        let variable = Variable::new_unchecked(format!("{KEY}{at}"));
        pattern = GraphPattern::Extend {
            inner: Box::new(pattern),
            variable: variable.clone(),
            expression: key.clone(),
        };
        keys.push(variable);
    }
    (pattern, keys)
}

fn is_extreme(aggregate: &AggregateExpression) -> bool {
    let extreme = |name: &AggregateFunction| matches!(name, AggregateFunction::Max | AggregateFunction::Min);
    matches!(aggregate, AggregateExpression::FunctionCall { name, .. } if extreme(name))
}

/// Whether a pattern compares two values by their size.
fn compares(pattern: &GraphPattern) -> bool {
    walk_pattern(pattern).any(|(node, _)| {
        matches!(
            node,
            Node::Expression(
                Expression::Greater(..)
                    | Expression::GreaterOrEqual(..)
                    | Expression::Less(..)
                    | Expression::LessOrEqual(..)
            )
        )
    })
}

#[cfg(test)]
mod tests {
    use crate::{CheckedQuery, Prefixes, QueryPolicy, check};

    fn query(text: &str) -> CheckedQuery {
        let mut prefixes = Prefixes::default();
        prefixes.insert("e", "http://e/");
        check(text, &prefixes, &QueryPolicy::default()).unwrap()
    }

    #[test]
    fn rows_behind_a_limit_show_what_they_are_ordered_by() {
        let shown = |text: &str| {
            let found = query(text).beyond_limit(50, &Prefixes::default())?;
            let checked = query(&found.query);
            assert_eq!(checked.limit(), Some(found.limit + 50), "{}", found.query);
            Some((checked.variables(), found.keys))
        };
        let (columns, keys) =
            shown("SELECT DISTINCT ?x { ?x e:p ?v } ORDER BY DESC(<http://www.w3.org/2001/XMLSchema#decimal>(?v)) ?x LIMIT 3").unwrap();
        assert_eq!(columns, ["x", "orderKey0"]);
        assert_eq!(keys, ["orderKey0", "x"]);
        let (columns, keys) =
            shown("SELECT ?x { ?x e:p ?v } GROUP BY ?x ORDER BY DESC(COUNT(?v)) LIMIT 1").unwrap();
        assert_eq!((columns.len(), keys.len()), (2, 1));
        for without in
            ["SELECT ?x { ?x e:p ?v } LIMIT 3", "SELECT ?x { ?x e:p ?v } ORDER BY ?v", "ASK { ?x e:p 1 }"]
        {
            assert_eq!(shown(without), None, "{without}");
        }
    }

    #[test]
    fn queries_by_the_greatest_value_keep_ties() {
        for keeps in [
            "SELECT ?x { ?x e:p ?v { SELECT (MAX(?w) AS ?v) { ?y e:p ?w } } }",
            "SELECT ?x { ?x e:p ?v { SELECT ?v { ?y e:p ?v } ORDER BY ?v LIMIT 1 } }",
            "SELECT ?x { ?x e:p ?v FILTER NOT EXISTS { ?y e:p ?w FILTER(?w > ?v) } }",
        ] {
            assert!(query(keeps).keeps_ties(), "{keeps}");
        }
        for cuts in [
            "SELECT ?x { ?x e:p ?v } ORDER BY ?v LIMIT 1",
            "SELECT ?x { ?x e:p ?v FILTER(?v > 3) FILTER NOT EXISTS { ?x e:q ?w } }",
        ] {
            assert!(!query(cuts).keeps_ties(), "{cuts}");
        }
    }
}
