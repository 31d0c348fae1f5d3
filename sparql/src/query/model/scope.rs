//! The variables that a pattern binds in every solution. Uses spargebra.

use crate::query::algebra::{in_scope, names};
use spargebra::algebra::GraphPattern;
use spargebra::term::NamedNodePattern;
use std::collections::BTreeSet;

/// Variable names.
pub(crate) type VariableNames = BTreeSet<String>;

/// Variables that triples bind in every solution: a known value can be joined next to those triples.
pub(crate) fn certain(pattern: &GraphPattern) -> VariableNames {
    bound(pattern, true)
}

/// Variables bound in every solution, by whatever part.
pub(crate) fn always(pattern: &GraphPattern) -> VariableNames {
    bound(pattern, false)
}

fn bound(pattern: &GraphPattern, by_triples: bool) -> VariableNames {
    use GraphPattern as P;
    let within = |inner: &GraphPattern| bound(inner, by_triples);
    match pattern {
        P::Bgp { .. } | P::Path { .. } => in_scope(pattern),
        P::Join { left, right } | P::Lateral { left, right } => &within(left) | &within(right),
        P::Union { left, right } => &within(left) & &within(right),
        P::LeftJoin { left, .. } | P::Minus { left, .. } => within(left),
        // With LIMIT or OFFSET, restricting the pattern would change which rows are kept.
        P::Slice { .. } | P::Values { .. } | P::Service { .. } if by_triples => VariableNames::new(),
        P::Values { variables, bindings } => {
            let is_set = |at| bindings.iter().all(|row| row.get(at).is_some_and(Option::is_some));
            let all = variables.iter().enumerate();
            names(all.filter(|(at, _)| is_set(*at)).map(|(_, variable)| variable))
        }
        P::Filter { inner, .. }
        | P::Extend { inner, .. }
        | P::Distinct { inner }
        | P::Reduced { inner }
        | P::Slice { inner, .. }
        | P::OrderBy { inner, .. } => within(inner),
        P::Graph { name, inner } | P::Service { name, inner, .. } => {
            let mut all = within(inner);
            if let NamedNodePattern::Variable(variable) = name {
                all.insert(variable.as_str().to_owned());
            }
            all
        }
        P::Project { inner, variables } | P::Group { inner, variables, .. } => {
            &within(inner) & &names(variables)
        }
    }
}
