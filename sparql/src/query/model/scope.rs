//! Which variables a pattern may bind, and which it binds by its triples in every solution. Uses spargebra.

use crate::query::edit::open::named_variable;
use spargebra::algebra::GraphPattern;
use spargebra::term::{NamedNodePattern, TermPattern};
use std::collections::BTreeSet;

/// Names of variables.
pub(crate) type VariableNames = BTreeSet<String>;

/// The [variables in scope](https://www.w3.org/TR/sparql11-query/#variableScope) of a pattern.
pub(crate) fn visible(pattern: &GraphPattern) -> VariableNames {
    use GraphPattern as P;
    match pattern {
        P::Bgp { .. } | P::Path { .. } => of_leaf(pattern),
        P::Join { left, right }
        | P::Lateral { left, right }
        | P::Union { left, right }
        | P::LeftJoin { left, right, .. } => &visible(left) | &visible(right),
        P::Minus { left, .. } => visible(left),
        P::Filter { inner, .. }
        | P::Distinct { inner }
        | P::Reduced { inner }
        | P::Slice { inner, .. }
        | P::OrderBy { inner, .. } => visible(inner),
        P::Extend { inner, variable, .. } => with(visible(inner), variable.as_str()),
        P::Graph { name, inner } | P::Service { name, inner, .. } => named(visible(inner), name),
        P::Values { variables, .. } | P::Project { variables, .. } => all(variables),
        P::Group { variables, aggregates, .. } => {
            &all(variables) | &aggregates.iter().map(|(variable, _)| variable.as_str().to_owned()).collect()
        }
    }
}

/// Variables that triples bind in every solution: a value that is given for them can be put beside those triples.
pub(crate) fn certain(pattern: &GraphPattern) -> VariableNames {
    use GraphPattern as P;
    match pattern {
        P::Bgp { .. } | P::Path { .. } => of_leaf(pattern),
        P::Join { left, right } | P::Lateral { left, right } => &certain(left) | &certain(right),
        P::Union { left, right } => &certain(left) & &certain(right),
        P::LeftJoin { left, .. } | P::Minus { left, .. } => certain(left),
        P::Filter { inner, .. }
        | P::Extend { inner, .. }
        | P::Distinct { inner }
        | P::Reduced { inner }
        | P::OrderBy { inner, .. } => certain(inner),
        P::Graph { name, inner } => named(certain(inner), name),
        P::Project { inner, variables } | P::Group { inner, variables, .. } => {
            &certain(inner) & &all(variables)
        }
        // With LIMIT or OFFSET, narrowing the pattern would change which rows are left.
        P::Slice { .. } | P::Values { .. } | P::Service { .. } => VariableNames::new(),
    }
}

/// Variables that have a value in every solution, wherever it comes from.
pub(crate) fn always(pattern: &GraphPattern) -> VariableNames {
    use GraphPattern as P;
    match pattern {
        P::Values { variables, bindings } => variables
            .iter()
            .enumerate()
            .filter(|(at, _)| bindings.iter().all(|row| row.get(*at).is_some_and(Option::is_some)))
            .map(|(_, variable)| variable.as_str().to_owned())
            .collect(),
        P::Slice { inner, .. }
        | P::Filter { inner, .. }
        | P::Extend { inner, .. }
        | P::Distinct { inner }
        | P::Reduced { inner }
        | P::OrderBy { inner, .. } => always(inner),
        P::Join { left, right } | P::Lateral { left, right } => &always(left) | &always(right),
        P::Union { left, right } => &always(left) & &always(right),
        P::LeftJoin { left, .. } | P::Minus { left, .. } => always(left),
        P::Graph { name, inner } | P::Service { name, inner, .. } => named(always(inner), name),
        P::Project { inner, variables } | P::Group { inner, variables, .. } => {
            &always(inner) & &all(variables)
        }
        P::Bgp { .. } | P::Path { .. } => of_leaf(pattern),
    }
}

/// The variables of triples or of a path.
pub(crate) fn of_leaf(pattern: &GraphPattern) -> VariableNames {
    let mut found = VariableNames::new();
    match pattern {
        GraphPattern::Bgp { patterns } => {
            for triple in patterns {
                found.extend(name_of(&triple.subject));
                found.extend(name_of(&triple.object));
                found.extend(named_variable(&triple.predicate).map(|variable| variable.as_str().to_owned()));
            }
        }
        GraphPattern::Path { subject, object, .. } => {
            found.extend(name_of(subject));
            found.extend(name_of(object));
        }
        _ => {}
    }
    found
}

/// The name of a term that is a variable.
pub(crate) fn name_of(term: &TermPattern) -> Option<String> {
    match term {
        TermPattern::Variable(variable) => Some(variable.as_str().to_owned()),
        _ => None,
    }
}

fn all(variables: &[oxrdf::Variable]) -> VariableNames {
    variables.iter().map(|variable| variable.as_str().to_owned()).collect()
}

fn with(mut names: VariableNames, name: &str) -> VariableNames {
    names.insert(name.to_owned());
    names
}

fn named(names: VariableNames, name: &NamedNodePattern) -> VariableNames {
    match named_variable(name) {
        Some(variable) => with(names, variable.as_str()),
        None => names,
    }
}
