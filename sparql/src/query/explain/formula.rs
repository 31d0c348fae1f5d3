//! Expressions as trees of named operators and functions, with their values in one solution; the presentation layer adds
//! the wording. Uses spargebra.

use crate::query::Known;
use crate::query::algebra::{Node, aggregated, expressions_within, walk_from};
use oxrdf::{Literal, NamedNode, Term};
use spargebra::algebra::{
    AggregateExpression, AggregateFunction, Expression, Function, PropertyPathExpression,
};
use spargebra::term::{NamedNodePattern, TermPattern};
use std::collections::BTreeMap;

/// An expression, term or property path.
#[derive(Debug, Clone, PartialEq)]
pub enum Formula {
    /// A constant.
    Term(Term),
    /// A variable, with its value if known.
    Variable {
        /// The name without question mark.
        name: String,
        /// The value in the current solution.
        value: Option<Term>,
    },
    /// An operator, function, aggregate or path operator.
    Call {
        /// In lower case: `greater`, `year`, `count`, `path_sequence`; for a function with an IRI, the IRI.
        name: String,
        /// The arguments.
        arguments: Vec<Formula>,
        /// The value in the current solution.
        value: Option<Term>,
    },
}

impl Formula {
    /// The value, if known.
    #[must_use]
    pub fn value(&self) -> Option<&Term> {
        match self {
            Self::Term(term) => Some(term),
            Self::Variable { value, .. } | Self::Call { value, .. } => value.as_ref(),
        }
    }

    pub(crate) fn call(name: &str, arguments: Vec<Self>) -> Self {
        Self::Call { name: name.to_owned(), arguments, value: None }
    }
}

/// Aggregates by their variable name.
pub(crate) type Aggregates = BTreeMap<String, AggregateExpression>;

/// Builds formulas with the values of one solution.
pub(crate) struct FormulaMaker<'a> {
    pub(crate) aggregates: &'a Aggregates,
    pub(crate) known: &'a Known,
    /// Values of expressions, by their SPARQL text.
    pub(crate) found: Option<&'a BTreeMap<String, Term>>,
}

impl FormulaMaker<'_> {
    pub(crate) fn variable(&self, name: &str) -> Formula {
        let value = self.known.get(name).cloned().flatten();
        match self.aggregates.get(name) {
            Some(aggregate) => self.aggregate(aggregate, value),
            None => Formula::Variable { name: name.to_owned(), value },
        }
    }

    pub(crate) fn term(&self, term: &TermPattern) -> Formula {
        match term {
            TermPattern::NamedNode(node) => Formula::Term(node.clone().into()),
            TermPattern::Literal(literal) => Formula::Term(literal.clone().into()),
            TermPattern::BlankNode(node) => Formula::Term(node.clone().into()),
            TermPattern::Variable(variable) => self.variable(variable.as_str()),
        }
    }

    pub(crate) fn name(&self, name: &NamedNodePattern) -> Formula {
        match name {
            NamedNodePattern::NamedNode(node) => Formula::Term(node.clone().into()),
            NamedNodePattern::Variable(variable) => self.variable(variable.as_str()),
        }
    }

    pub(crate) fn aggregate(&self, aggregate: &AggregateExpression, value: Option<Term>) -> Formula {
        let (name, distinct) = aggregate_name(aggregate);
        // The argument has a different value in each solution, so it is shown without a value.
        let argument = |of| FormulaMaker { known: &Known::new(), ..*self }.formula(of);
        let arguments = aggregated(aggregate).map(argument).into_iter().collect();
        let name = if distinct { format!("{name}_distinct") } else { name };
        Formula::Call { name, arguments, value }
    }

    pub(crate) fn formula(&self, expression: &Expression) -> Formula {
        use Expression as E;
        let call = |name: &str, inner: &[&Expression]| Formula::Call {
            name: name.to_owned(),
            arguments: inner.iter().map(|one| self.formula(one)).collect(),
            value: self.value(expression),
        };
        match expression {
            E::NamedNode(node) => Formula::Term(node.clone().into()),
            E::Literal(literal) => Formula::Term(literal.clone().into()),
            E::Variable(variable) => self.variable(variable.as_str()),
            E::Bound(variable) => Formula::Call {
                name: "bound".to_owned(),
                arguments: vec![self.variable(variable.as_str())],
                value: self.value(expression),
            },
            E::Or(a, b) => call("or", &[a, b]),
            E::And(a, b) => call("and", &[a, b]),
            E::Equal(a, b) => call("equal", &[a, b]),
            E::SameTerm(a, b) => call("same", &[a, b]),
            E::Greater(a, b) => call("greater", &[a, b]),
            E::GreaterOrEqual(a, b) => call("at_least", &[a, b]),
            E::Less(a, b) => call("less", &[a, b]),
            E::LessOrEqual(a, b) => call("at_most", &[a, b]),
            E::Add(a, b) => call("add", &[a, b]),
            E::Subtract(a, b) => call("subtract", &[a, b]),
            E::Multiply(a, b) => call("multiply", &[a, b]),
            E::Divide(a, b) => call("divide", &[a, b]),
            E::UnaryPlus(a) => self.formula(a),
            E::UnaryMinus(a) => call("minus", &[a]),
            E::Not(a) => self.negated(expression, a),
            E::In(a, list) => call("in", &first_and(a, list)),
            E::Exists(_) => call("exists", &[]),
            E::If(a, b, c) => call("if", &[a, b, c]),
            E::Coalesce(list) => call("coalesce", &list.iter().collect::<Vec<_>>()),
            E::FunctionCall(function, list) => {
                call(&function_name(function), &list.iter().collect::<Vec<_>>())
            }
        }
    }

    fn value(&self, expression: &Expression) -> Option<Term> {
        self.found?.get(&key(expression)).cloned()
    }

    fn negated(&self, whole: &Expression, inner: &Expression) -> Formula {
        use Expression as E;
        let (name, inside): (&str, Vec<&Expression>) = match inner {
            E::Equal(a, b) => ("not_equal", vec![a, b]),
            E::In(a, list) => ("not_in", first_and(a, list)),
            E::Exists(_) => ("not_exists", Vec::new()),
            other => ("not", vec![other]),
        };
        Formula::Call {
            name: name.to_owned(),
            arguments: inside.iter().map(|one| self.formula(one)).collect(),
            value: self.value(whole),
        }
    }
}

fn first_and<'e>(first: &'e Expression, list: &'e [Expression]) -> Vec<&'e Expression> {
    std::iter::once(first).chain(list).collect()
}

/// The key of an expression in the map of values: its SPARQL text.
pub(crate) fn key(expression: &Expression) -> String {
    crate::query::write::SparqlWriter::default().expression(expression)
}

/// Maximum number of subexpressions whose values are computed; the others get no value.
const MAX_PARTS: usize = 16;

/// The subexpressions whose values must be computed, the whole expression first. The values of AND and OR inside it follow
/// from those of their operands.
pub(crate) fn worked_out(expression: &Expression) -> Vec<&Expression> {
    use Expression as E;
    expressions_within(Node::Expression(expression))
        .filter(|part| !matches!(part, E::NamedNode(_) | E::Literal(_) | E::Variable(_)))
        .filter(|part| std::ptr::eq(*part, expression) || !matches!(part, E::And(..) | E::Or(..)))
        .filter(|part| !looks_into_graph(part))
        .take(MAX_PARTS)
        .collect()
}

/// Whether the value depends on the graph (EXISTS), not only on variables.
pub(crate) fn looks_into_graph(expression: &Expression) -> bool {
    walk_from(Node::Expression(expression)).any(|(node, _)| matches!(node, Node::Pattern(_)))
}

fn function_name(function: &Function) -> String {
    match function {
        Function::Custom(iri) => iri.as_str().to_owned(),
        other => other.to_string().to_lowercase(),
    }
}

/// The name of an aggregate in lower case, and whether it is DISTINCT.
pub(crate) fn aggregate_name(aggregate: &AggregateExpression) -> (String, bool) {
    match aggregate {
        AggregateExpression::CountSolutions { distinct } => ("count".to_owned(), *distinct),
        AggregateExpression::FunctionCall { name, distinct, .. } => {
            let name = match name {
                AggregateFunction::Custom(iri) => iri.as_str().to_owned(),
                other => other.to_string().to_lowercase(),
            };
            (name, *distinct)
        }
    }
}

/// A property path as a formula.
pub(crate) fn path(path: &PropertyPathExpression) -> Formula {
    use PropertyPathExpression as P;
    let node = |node: &NamedNode| Formula::Term(node.clone().into());
    let of = |name: &str, inner: &[&PropertyPathExpression]| {
        Formula::call(name, inner.iter().map(|one| self::path(one)).collect())
    };
    match path {
        P::NamedNode(property) => node(property),
        P::Reverse(a) => of("path_inverse", &[a]),
        P::Sequence(a, b) => of("path_sequence", &[a, b]),
        P::Alternative(a, b) => of("path_either", &[a, b]),
        P::ZeroOrMore(a) => of("path_any", &[a]),
        P::OneOrMore(a) => of("path_many", &[a]),
        P::ZeroOrOne(a) => of("path_maybe", &[a]),
        P::NegatedPropertySet(nodes) => Formula::call("path_other", nodes.iter().map(node).collect()),
    }
}

/// The value of a boolean literal.
pub(crate) fn truth(term: Option<&Term>) -> Option<bool> {
    let Some(Term::Literal(literal)) = term else { return None };
    [true, false].into_iter().find(|holds| *literal == Literal::from(*holds) || is_numeral(literal, *holds))
}

/// Some endpoints return 1 and 0.
fn is_numeral(literal: &Literal, holds: bool) -> bool {
    literal.value() == if holds { "1" } else { "0" }
}
