//! The model of a parsed query: its columns and solution modifiers, its atoms, and where the values of its variables
//! come from. Uses `algebra`, `select` and spargebra.
//!
//! Returned by [`CheckedQuery::model`](crate::CheckedQuery::model); `columns` describes what a column or variable holds.

mod atoms;
mod columns;
mod filter;
pub(crate) mod scope;
mod texts;

pub use atoms::{Atom, AtomKind, Conjunction, Place};
pub use columns::{Column, VariableUse};
pub use filter::Filter;

use super::algebra::{
    Node, children, expressions_within, is_extreme, names, not_exists, pattern_of, sort_key, variables,
};
use super::select::Select;
use columns::number_operands;
use spargebra::Query;
use spargebra::algebra::{AggregateExpression, AggregateFunction, Expression, GraphPattern};
use spargebra::term::NamedNodePattern;
use std::collections::{BTreeMap, BTreeSet};

/// The model of a query.
#[derive(Debug, Clone, Default)]
pub struct QueryModel {
    /// The projected variables of a SELECT, in order, without question mark; empty for other query forms.
    pub variables: Vec<String>,
    /// The keys of the outermost ORDER BY.
    pub order: Vec<SortKey>,
    /// The outermost LIMIT.
    pub limit: Option<usize>,
    /// Whether there is a GROUP BY or an aggregate.
    pub is_grouped: bool,
    /// Whether it selects the maximum or minimum by value and so keeps ties: by MAX or MIN, by a LIMIT in a subquery, or by
    /// NOT EXISTS of a greater value.
    pub keeps_ties: bool,
    /// Whether it depends on the graph; a query of constants alone returns the same row for any graph.
    pub asks_graph: bool,
    /// The IRI constants in patterns and expressions, in order and without duplicates; excludes function names and datatypes.
    pub iris: Vec<String>,
    /// The IRIs that a row may match: those outside of MINUS and NOT EXISTS.
    pub wanted_iris: BTreeSet<String>,
    /// The texts that values are compared with, and those given to variables, in query order; objects of triple patterns, names of
    /// languages and flags are none of them.
    pub texts: Vec<String>,
    /// All triple patterns and paths in query order, at any depth. A sequence path becomes one triple pattern per step.
    pub atoms: Vec<Atom>,
    /// The parts that must match together.
    pub conjunction: Conjunction,
    origins: BTreeMap<String, Origin>,
    /// Rows of the longest VALUES.
    pub offered_rows: usize,
    /// Variables bound by VALUES or by BIND of a constant.
    constants: Vec<String>,
    /// Variables used as numbers without a cast.
    numbers: Vec<String>,
}

/// A sort key of ORDER BY.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SortKey {
    /// The variables it is computed from.
    pub variables: Vec<String>,
    /// Whether it is descending.
    pub descending: bool,
}

/// The definition of a variable that no pattern matches.
#[derive(Debug, Clone)]
pub(crate) enum Origin {
    Expression(Expression),
    Aggregate(AggregateExpression),
}

impl QueryModel {
    /// Builds the model of a query whose depth has already been checked.
    pub(crate) fn of(query: &Query) -> Self {
        let pattern = pattern_of(query);
        let select = Select::of(pattern);
        let columns = select.columns.filter(|_| matches!(query, Query::Select { .. }));
        let key = |(key, descending): (&Expression, bool)| SortKey {
            variables: variables(key).into_iter().map(str::to_owned).collect(),
            descending,
        };
        let mut model = Self {
            variables: columns.map(names).unwrap_or_default(),
            order: select.order.iter().map(sort_key).map(key).collect(),
            limit: select.slice.and_then(|(_, length)| length),
            asks_graph: matches!(query, Query::Describe { .. }),
            conjunction: Conjunction::of(pattern),
            ..Self::default()
        };
        model.read(pattern);
        model
    }

    /// Whether the outermost SELECT has an ORDER BY.
    #[must_use]
    pub fn is_ordered(&self) -> bool {
        self.sorted_by().next().is_some()
    }

    /// Whether the outermost SELECT sorts in descending order.
    #[must_use]
    pub fn is_descending(&self) -> bool {
        self.order.first().is_some_and(|key| key.descending)
    }

    /// The variables in the outermost ORDER BY, including those not projected.
    pub fn sorted_by(&self) -> impl Iterator<Item = &str> {
        self.order.iter().flat_map(|key| &key.variables).map(String::as_str)
    }

    /// The definition of a variable, unless patterns or VALUES bind it.
    pub(crate) fn origin(&self, variable: &str) -> Option<&Origin> {
        self.origins.get(variable)
    }

    /// Visits all parts in evaluation order, with their place.
    fn read(&mut self, outermost: &GraphPattern) {
        let mut stack = vec![(Node::Pattern(outermost), Place::Certain)];
        while let Some((node, place)) = stack.pop() {
            match node {
                Node::Pattern(pattern) => self.pattern(pattern, place),
                Node::Expression(expression) => {
                    number_operands(expression, &mut self.numbers);
                    self.texts.extend(texts::of_expression(expression).into_iter().map(str::to_owned));
                }
                Node::Iri(iri) => self.iri(iri.as_str(), place),
                Node::Path(_) | Node::Variable(_) | Node::Service(_) => {}
            }
            self.keeps_ties |= keeps_ties(node, outermost);
            let within = children(node).into_iter().enumerate();
            let placed = within.map(|(at, child)| (child, place.max(place_within(node, at))));
            stack.extend(placed.collect::<Vec<_>>().into_iter().rev());
        }
    }

    fn iri(&mut self, iri: &str, place: Place) {
        if !self.iris.iter().any(|known| known == iri) {
            self.iris.push(iri.to_owned());
        }
        if place != Place::Negated {
            self.wanted_iris.insert(iri.to_owned());
        }
    }

    fn pattern(&mut self, pattern: &GraphPattern, place: Place) {
        let atoms = Atom::of(pattern, place);
        self.asks_graph |= !atoms.is_empty();
        self.atoms.extend(atoms);
        self.texts.extend(texts::of_pattern(pattern).into_iter().map(str::to_owned));
        match pattern {
            GraphPattern::Service { .. }
            | GraphPattern::Graph { name: NamedNodePattern::Variable(_), .. } => {
                self.asks_graph = true;
            }
            GraphPattern::Values { variables, bindings } => {
                self.constants.extend(names::<Vec<_>>(variables));
                self.offered_rows = self.offered_rows.max(bindings.len());
            }
            GraphPattern::Extend { variable, expression, .. } => {
                if matches!(expression, Expression::NamedNode(_) | Expression::Literal(_)) {
                    self.constants.push(variable.as_str().to_owned());
                }
                self.origins.insert(variable.as_str().to_owned(), Origin::Expression(expression.clone()));
            }
            GraphPattern::Group { aggregates, .. } => {
                self.is_grouped = true;
                for (variable, aggregate) in aggregates {
                    self.numbers.extend(added_up(aggregate));
                    let origin = Origin::Aggregate(aggregate.clone());
                    self.origins.insert(variable.as_str().to_owned(), origin);
                }
            }
            _ => {}
        }
    }
}

/// The place of a child whose parent is certain; `at` is its index in [`children`].
fn place_within(parent: Node<'_>, at: usize) -> Place {
    use GraphPattern as P;
    match parent {
        Node::Pattern(P::LeftJoin { .. }) if at == 1 => Place::Optional,
        Node::Pattern(P::Minus { .. }) if at == 1 => Place::Negated,
        Node::Pattern(P::Union { .. } | P::Service { .. } | P::Lateral { .. })
        | Node::Expression(Expression::Exists(_)) => Place::Possible,
        Node::Expression(expression) if not_exists(expression).is_some() => Place::Negated,
        _ => Place::Certain,
    }
}

/// The variable that a SUM or AVG aggregates.
fn added_up(aggregate: &AggregateExpression) -> Option<String> {
    match aggregate {
        AggregateExpression::FunctionCall {
            name: AggregateFunction::Sum | AggregateFunction::Avg,
            expr: Expression::Variable(variable),
            ..
        } => Some(variable.as_str().to_owned()),
        _ => None,
    }
}

fn keeps_ties(node: Node<'_>, outermost: &GraphPattern) -> bool {
    match node {
        Node::Pattern(GraphPattern::Group { aggregates, .. }) => {
            aggregates.iter().any(|(_, aggregate)| is_extreme(aggregate))
        }
        Node::Pattern(slice @ GraphPattern::Slice { .. }) => !std::ptr::eq(slice, outermost),
        Node::Pattern(GraphPattern::Minus { right, .. }) => compares(right),
        Node::Expression(expression) => not_exists(expression).is_some_and(compares),
        _ => false,
    }
}

/// Whether a pattern compares two values by order.
fn compares(pattern: &GraphPattern) -> bool {
    use Expression as E;
    expressions_within(Node::Pattern(pattern))
        .any(|one| matches!(one, E::Greater(..) | E::GreaterOrEqual(..) | E::Less(..) | E::LessOrEqual(..)))
}

#[cfg(test)]
mod tests {
    use crate::query::checked as query;

    #[test]
    fn queries_by_the_greatest_value_keep_ties() {
        for keeps in [
            "SELECT ?x { ?x e:p ?v { SELECT (MAX(?w) AS ?v) { ?y e:p ?w } } }",
            "SELECT ?x { ?x e:p ?v { SELECT ?v { ?y e:p ?v } ORDER BY ?v LIMIT 1 } }",
            "SELECT ?x { ?x e:p ?v FILTER NOT EXISTS { ?y e:p ?w FILTER(?w > ?v) } }",
        ] {
            assert!(query(keeps).model().keeps_ties, "{keeps}");
        }
        for cuts in [
            "SELECT ?x { ?x e:p ?v } ORDER BY ?v LIMIT 1",
            "SELECT ?x { ?x e:p ?v FILTER(?v > 3) FILTER NOT EXISTS { ?x e:q ?w } }",
        ] {
            assert!(!query(cuts).model().keeps_ties, "{cuts}");
        }
    }
}
