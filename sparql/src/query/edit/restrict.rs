//! A pattern restricted to known values, placed as near to its triples as the semantics allow: an endpoint then finds the
//! one solution without computing all of them. Uses spargebra.

use crate::proof::Known;
use crate::query::model::scope::of_leaf;
use oxrdf::{Term, Variable};
use spargebra::algebra::GraphPattern;
use spargebra::term::GroundTerm;

/// The pattern with the values of variables beside the triples that have them. Its solutions are those of the pattern
/// with just these values, and perhaps some that lack a value of an optional part.
pub(crate) fn restricted(pattern: &GraphPattern, known: &Known) -> GraphPattern {
    use GraphPattern as P;
    let inside = |pattern: &GraphPattern| Box::new(restricted(pattern, known));
    match pattern {
        P::Bgp { .. } | P::Path { .. } => beside(pattern, known),
        P::Join { left, right } => P::Join { left: inside(left), right: inside(right) },
        P::Union { left, right } => P::Union { left: inside(left), right: inside(right) },
        P::Minus { left, right } => P::Minus { left: inside(left), right: right.clone() },
        P::LeftJoin { left, right, expression } => {
            P::LeftJoin { left: inside(left), right: inside(right), expression: expression.clone() }
        }
        P::Filter { expr, inner } => P::Filter { expr: expr.clone(), inner: inside(inner) },
        P::Extend { inner, variable, expression } => {
            P::Extend { inner: inside(inner), variable: variable.clone(), expression: expression.clone() }
        }
        P::Graph { name, inner } => P::Graph { name: name.clone(), inner: inside(inner) },
        P::Distinct { inner } => P::Distinct { inner: inside(inner) },
        P::Reduced { inner } => P::Reduced { inner: inside(inner) },
        P::OrderBy { inner, .. } => restricted(inner, known),
        P::Project { inner, variables } => P::Project {
            inner: Box::new(restricted(inner, &only(known, variables))),
            variables: variables.clone(),
        },
        P::Group { inner, variables, aggregates } => P::Group {
            inner: Box::new(restricted(inner, &only(known, variables))),
            variables: variables.clone(),
            aggregates: aggregates.clone(),
        },
        P::Values { .. } | P::Slice { .. } | P::Service { .. } | P::Lateral { .. } => pattern.clone(),
    }
}

/// Only variables with these names: others of the same name inside a subquery are others.
pub(crate) fn only(known: &Known, variables: &[Variable]) -> Known {
    let is_listed = |name: &str| variables.iter().any(|variable| variable.as_str() == name);
    known
        .iter()
        .filter(|(name, _)| is_listed(name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

fn beside(leaf: &GraphPattern, known: &Known) -> GraphPattern {
    let given: Vec<(Variable, GroundTerm)> = of_leaf(leaf)
        .into_iter()
        .filter_map(|name| {
            let term = known.get(&name)?.as_ref()?;
            Some((Variable::new_unchecked(name), ground(term)?))
        })
        .collect();
    if given.is_empty() {
        return leaf.clone();
    }
    let (variables, row): (Vec<_>, Vec<_>) = given.into_iter().map(|(v, t)| (v, Some(t))).unzip();
    let values = GraphPattern::Values { variables, bindings: vec![row] };
    GraphPattern::Join { left: Box::new(values), right: Box::new(leaf.clone()) }
}

/// A term that can be written in a query; a blank node cannot be named in one.
pub(crate) fn ground(term: &Term) -> Option<GroundTerm> {
    match term {
        Term::NamedNode(node) => Some(GroundTerm::NamedNode(node.clone())),
        Term::Literal(literal) => Some(GroundTerm::Literal(literal.clone())),
        _ => None,
    }
}
