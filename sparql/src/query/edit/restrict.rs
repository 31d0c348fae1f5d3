//! Restricts a pattern to known values, placed as close to its triples as the semantics allow, so that an endpoint finds
//! one solution without computing all of them. Uses spargebra.

use crate::query::Known;
use crate::query::algebra::{in_scope, patterns_mut};
use oxrdf::{Term, Variable};
use spargebra::algebra::GraphPattern;
use spargebra::term::GroundTerm;

/// The pattern with known values joined next to the triples that bind the variables. Its solutions are those of the pattern
/// with exactly these values, and possibly some in which a variable of an OPTIONAL is unbound.
pub(crate) fn restricted(pattern: &GraphPattern, known: &Known) -> GraphPattern {
    let mut pattern = pattern.clone();
    restrict(&mut pattern, known);
    pattern
}

fn restrict(pattern: &mut GraphPattern, known: &Known) {
    use GraphPattern as P;
    match pattern {
        P::Bgp { .. } | P::Path { .. } => beside(pattern, known),
        P::Minus { left, .. } => restrict(left, known),
        P::OrderBy { inner, .. } => {
            restrict(inner, known);
            *pattern = std::mem::take(inner);
        }
        P::Project { inner, variables } | P::Group { inner, variables, .. } => {
            restrict(inner, &only(known, variables));
        }
        P::Values { .. } | P::Slice { .. } | P::Service { .. } | P::Lateral { .. } => {}
        other => patterns_mut(other).into_iter().for_each(|inner| restrict(inner, known)),
    }
}

/// Only the listed variables: the same name inside a subquery is another variable.
pub(crate) fn only(known: &Known, variables: &[Variable]) -> Known {
    let is_listed = |name: &str| variables.iter().any(|variable| variable.as_str() == name);
    known
        .iter()
        .filter(|(name, _)| is_listed(name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

fn beside(leaf: &mut GraphPattern, known: &Known) {
    let given = in_scope(leaf).into_iter().filter_map(|name| {
        let term = ground(known.get(&name)?.as_ref()?)?;
        Some((Variable::new_unchecked(name), Some(term)))
    });
    let (variables, row): (Vec<_>, Vec<_>) = given.unzip();
    if !variables.is_empty() {
        let values = GraphPattern::Values { variables, bindings: vec![row] };
        *leaf = GraphPattern::Join { left: Box::new(values), right: Box::new(std::mem::take(leaf)) };
    }
}

/// The term if it can be used in VALUES; blank nodes cannot.
pub(crate) fn ground(term: &Term) -> Option<GroundTerm> {
    GroundTerm::try_from(term.clone()).ok()
}
