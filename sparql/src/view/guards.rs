//! The conditions that keep the variables of a group from being something hidden.
//!
//! They are collected while a group is rewritten and stand once at its end: moved out of joins and of what an OPTIONAL belongs to,
//! where all their variables are bound in any case. So an engine still sees the triples of a group together.

use super::hidden::HiddenTerms;
use crate::query::algebra::each_once;
use oxrdf::{Literal, NamedNode, Variable};
use spargebra::algebra::{Expression, Function};
use spargebra::term::TermPattern;
use std::collections::BTreeSet;

/// What must hold for the variables of a group.
#[derive(Debug, Default)]
pub(super) struct Guards {
    /// Variables that stand as subject or object.
    pub(super) nodes: BTreeSet<Variable>,
    /// Variables that stand as the name of a graph, which some patterns leave unbound.
    pub(super) graphs: BTreeSet<Variable>,
    /// Variables that stand as predicate.
    pub(super) predicates: BTreeSet<Variable>,
    /// Variables that a visible triple binds in every solution.
    pub(super) anchored: BTreeSet<Variable>,
    /// The ends of paths that may have no length: those are any term of the graph, also of triples that are not visible. Engines
    /// do not agree whether a constant counts that is not in the graph.
    pub(super) loose: Vec<[TermPattern; 2]>,
}

impl Guards {
    /// Those of two parts that are joined.
    pub(super) fn and(mut self, other: Self) -> Self {
        self.nodes.extend(other.nodes);
        self.graphs.extend(other.graphs);
        self.predicates.extend(other.predicates);
        self.anchored.extend(other.anchored);
        self.loose.extend(other.loose);
        self
    }

    /// The conditions on single variables.
    pub(super) fn conditions(&self, hidden: &HiddenTerms) -> Vec<Expression> {
        let nodes = self.nodes.iter().map(|node| {
            let literal = not(call(Function::IsIri, vec![node.clone().into()]));
            or(literal, hidden.allows(node))
        });
        let predicates = self.predicates.difference(&self.nodes).map(|predicate| hidden.allows(predicate));
        let graphs = self.graphs.difference(&self.nodes);
        let graphs = graphs.map(|graph| or(not(Expression::Bound(graph.clone())), hidden.allows(graph)));
        nodes.chain(predicates).chain(graphs).collect()
    }

    /// One end of each path without length of which no end is known to stand in a visible triple; a constant, if there is one.
    pub(super) fn unanchored(&self) -> Vec<TermPattern> {
        let is_anchored = |end: &TermPattern| match end {
            TermPattern::Variable(variable) => self.anchored.contains(variable),
            _ => false,
        };
        let loose = self.loose.iter().filter(|ends| !ends.iter().any(is_anchored));
        each_once(loose.map(|[first, second]| match first {
            TermPattern::Variable(_) => second.clone(),
            constant => constant.clone(),
        }))
    }
}

impl HiddenTerms {
    /// That an IRI is not hidden.
    pub(super) fn allows(&self, variable: &Variable) -> Expression {
        let listed = (!self.terms.is_empty()).then(|| not(self.is_listed(variable)));
        let begin = self.namespaces.iter().map(|namespace| not(begins_with(variable, namespace)));
        all(listed.into_iter().chain(begin)).unwrap_or_else(|| Literal::from(true).into())
    }

    /// That an IRI begins with a hidden namespace.
    pub(super) fn is_within(&self, variable: &Variable) -> Option<Expression> {
        let begin = self.namespaces.iter().map(|namespace| begins_with(variable, namespace));
        let any = begin.reduce(or)?;
        Some(and(call(Function::IsIri, vec![variable.clone().into()]), any))
    }

    fn is_listed(&self, variable: &Variable) -> Expression {
        let list = self.terms.iter().map(|iri| NamedNode::new_unchecked(iri.as_str()).into());
        Expression::In(Box::new(variable.clone().into()), list.collect())
    }
}

fn begins_with(variable: &Variable, namespace: &str) -> Expression {
    let text = call(Function::Str, vec![variable.clone().into()]);
    call(Function::StrStarts, vec![text, Literal::new_simple_literal(namespace).into()])
}

fn call(function: Function, arguments: Vec<Expression>) -> Expression {
    Expression::FunctionCall(function, arguments)
}

fn not(expression: Expression) -> Expression {
    Expression::Not(Box::new(expression))
}

fn or(left: Expression, right: Expression) -> Expression {
    Expression::Or(Box::new(left), Box::new(right))
}

pub(super) fn and(left: Expression, right: Expression) -> Expression {
    Expression::And(Box::new(left), Box::new(right))
}

/// All of these; `None` if there are none.
pub(super) fn all(expressions: impl IntoIterator<Item = Expression>) -> Option<Expression> {
    expressions.into_iter().reduce(and)
}
