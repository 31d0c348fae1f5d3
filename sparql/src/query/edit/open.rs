//! Turns the blank nodes of a pattern into variables, because a proof must also find their values. Uses spargebra.

use crate::query::algebra::{in_scope, parts_mut, patterns_within};
use oxrdf::{BlankNode, Variable};
use spargebra::algebra::{Expression, GraphPattern};
use spargebra::term::TermPattern;
use std::collections::{BTreeMap, BTreeSet};

/// The same pattern with each blank node replaced by a new variable.
pub(crate) fn opened(pattern: &GraphPattern) -> GraphPattern {
    // The variables of triples and paths, including subqueries.
    let taken = patterns_within(pattern).flat_map(in_scope).collect();
    let mut opening = Opening { taken, nodes: BTreeMap::new() };
    let mut opened = pattern.clone();
    opening.pattern(&mut opened);
    opened
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

    fn term(&mut self, term: &mut TermPattern) {
        if let TermPattern::BlankNode(node) = term {
            *term = TermPattern::Variable(self.variable(node));
        }
    }

    fn pattern(&mut self, pattern: &mut GraphPattern) {
        match pattern {
            GraphPattern::Bgp { patterns } => {
                for triple in patterns {
                    self.term(&mut triple.subject);
                    self.term(&mut triple.object);
                }
            }
            GraphPattern::Path { subject, object, .. } => {
                self.term(subject);
                self.term(object);
            }
            other => {
                let (patterns, expressions) = parts_mut(other);
                patterns.into_iter().for_each(|inner| self.pattern(inner));
                expressions.into_iter().for_each(|expression| self.expression(expression));
            }
        }
    }

    /// Only patterns contain blank nodes, so expressions without EXISTS are unchanged. An EXISTS nested in anything other than
    /// AND, OR and NOT keeps its blank nodes, because it is only evaluated as a whole.
    fn expression(&mut self, expression: &mut Expression) {
        match expression {
            Expression::Exists(pattern) => self.pattern(pattern),
            Expression::Not(inner) => self.expression(inner),
            Expression::And(a, b) | Expression::Or(a, b) => {
                self.expression(a);
                self.expression(b);
            }
            _ => {}
        }
    }
}
