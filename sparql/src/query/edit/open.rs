//! A pattern with its blank nodes as variables, since a proof must also find the values of these. Uses spargebra.

use crate::query::algebra::{Node, walk_pattern};
use oxrdf::{BlankNode, Variable};
use spargebra::algebra::{AggregateExpression, Expression, GraphPattern, OrderExpression};
use spargebra::term::{NamedNodePattern, TermPattern, TriplePattern};
use std::collections::{BTreeMap, BTreeSet};

/// The same pattern, in which every blank node is a variable of its own.
pub(crate) fn opened(pattern: &GraphPattern) -> GraphPattern {
    let mut opening = Opening { taken: names(pattern), nodes: BTreeMap::new() };
    opening.pattern(pattern)
}

/// Names of the variables in triples and paths, subqueries included.
fn names(pattern: &GraphPattern) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (node, _) in walk_pattern(pattern) {
        if let Node::Pattern(pattern) = node {
            found.extend(crate::query::model::scope::visible(pattern));
        }
    }
    found
}

struct Opening {
    taken: BTreeSet<String>,
    nodes: BTreeMap<String, Variable>,
}

impl Opening {
    fn variable(&mut self, node: &BlankNode) -> Variable {
        if let Some(known) = self.nodes.get(node.as_str()) {
            return known.clone();
        }
        let mut number = self.nodes.len() + 1;
        while self.taken.contains(&format!("_{number}")) {
            number += 1;
        }
        let variable = Variable::new_unchecked(format!("_{number}"));
        self.taken.insert(variable.as_str().to_owned());
        self.nodes.insert(node.as_str().to_owned(), variable.clone());
        variable
    }

    fn term(&mut self, term: &TermPattern) -> TermPattern {
        match term {
            TermPattern::BlankNode(node) => TermPattern::Variable(self.variable(node)),
            other => other.clone(),
        }
    }

    fn triple(&mut self, triple: &TriplePattern) -> TriplePattern {
        TriplePattern {
            subject: self.term(&triple.subject),
            predicate: triple.predicate.clone(),
            object: self.term(&triple.object),
        }
    }

    fn boxed(&mut self, pattern: &GraphPattern) -> Box<GraphPattern> {
        Box::new(self.pattern(pattern))
    }

    fn pattern(&mut self, pattern: &GraphPattern) -> GraphPattern {
        use GraphPattern as P;
        match pattern {
            P::Bgp { patterns } => {
                P::Bgp { patterns: patterns.iter().map(|triple| self.triple(triple)).collect() }
            }
            P::Path { subject, path, object } => {
                P::Path { subject: self.term(subject), path: path.clone(), object: self.term(object) }
            }
            P::Join { left, right } => P::Join { left: self.boxed(left), right: self.boxed(right) },
            P::Lateral { left, right } => P::Lateral { left: self.boxed(left), right: self.boxed(right) },
            P::Union { left, right } => P::Union { left: self.boxed(left), right: self.boxed(right) },
            P::Minus { left, right } => P::Minus { left: self.boxed(left), right: self.boxed(right) },
            P::LeftJoin { left, right, expression } => P::LeftJoin {
                left: self.boxed(left),
                right: self.boxed(right),
                expression: expression.as_ref().map(|expression| self.expression(expression)),
            },
            P::Filter { expr, inner } => P::Filter { expr: self.expression(expr), inner: self.boxed(inner) },
            P::Extend { inner, variable, expression } => P::Extend {
                inner: self.boxed(inner),
                variable: variable.clone(),
                expression: self.expression(expression),
            },
            P::Values { .. } => pattern.clone(),
            other => self.modifier(other),
        }
    }

    fn modifier(&mut self, pattern: &GraphPattern) -> GraphPattern {
        use GraphPattern as P;
        match pattern {
            P::Graph { name, inner } => P::Graph { name: name.clone(), inner: self.boxed(inner) },
            P::Service { name, inner, silent } => {
                P::Service { name: name.clone(), inner: self.boxed(inner), silent: *silent }
            }
            P::OrderBy { inner, expression } => P::OrderBy {
                inner: self.boxed(inner),
                expression: expression.iter().map(|key| self.key(key)).collect(),
            },
            P::Project { inner, variables } => {
                P::Project { inner: self.boxed(inner), variables: variables.clone() }
            }
            P::Distinct { inner } => P::Distinct { inner: self.boxed(inner) },
            P::Reduced { inner } => P::Reduced { inner: self.boxed(inner) },
            P::Slice { inner, start, length } => {
                P::Slice { inner: self.boxed(inner), start: *start, length: *length }
            }
            P::Group { inner, variables, aggregates } => P::Group {
                inner: self.boxed(inner),
                variables: variables.clone(),
                aggregates: aggregates.iter().map(|(v, a)| (v.clone(), self.aggregate(a))).collect(),
            },
            other => other.clone(),
        }
    }

    fn key(&mut self, key: &OrderExpression) -> OrderExpression {
        match key {
            OrderExpression::Asc(expression) => OrderExpression::Asc(self.expression(expression)),
            OrderExpression::Desc(expression) => OrderExpression::Desc(self.expression(expression)),
        }
    }

    fn aggregate(&mut self, aggregate: &AggregateExpression) -> AggregateExpression {
        match aggregate {
            AggregateExpression::CountSolutions { .. } => aggregate.clone(),
            AggregateExpression::FunctionCall { name, expr, distinct } => AggregateExpression::FunctionCall {
                name: name.clone(),
                expr: self.expression(expr),
                distinct: *distinct,
            },
        }
    }

    /// Only patterns hold blank nodes, so that expressions without EXISTS stay as they are. One that stands deeper than
    /// under AND, OR and NOT keeps its blank nodes: it is only ever asked as a whole.
    fn expression(&mut self, expression: &Expression) -> Expression {
        use Expression as E;
        match expression {
            E::Exists(pattern) => E::Exists(self.boxed(pattern)),
            E::Not(inner) => E::Not(Box::new(self.expression(inner))),
            E::And(a, b) => E::And(Box::new(self.expression(a)), Box::new(self.expression(b))),
            E::Or(a, b) => E::Or(Box::new(self.expression(a)), Box::new(self.expression(b))),
            other => other.clone(),
        }
    }
}

/// The name of a variable in the place of a property or graph.
pub(crate) fn named_variable(name: &NamedNodePattern) -> Option<&Variable> {
    match name {
        NamedNodePattern::Variable(variable) => Some(variable),
        NamedNodePattern::NamedNode(_) => None,
    }
}
