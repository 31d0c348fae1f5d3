//! Makes cross products interruptible.
//!
//! Oxigraph checks its cancellation token when it reads a quad. A join of parts without shared variables is built from rows
//! in memory, reads nothing, and so would run to its end, which may take days. Such joins get a FILTER with a function
//! that checks the flag for every row. A function cannot stop an evaluation, so it unwinds the evaluation thread.
//!
//! So `panic = "abort"` must not be set in any profile. This applies where queries run on threads: in programs that use
//! the library without workers, on Windows, and with `worker_processes = false`.

use crate::query::algebra::{pattern_of_mut, patterns_mut};
use oxrdf::{Literal, NamedNode, Term, Variable};
use rustc_hash::FxHashSet;
use spargebra::Query;
use spargebra::algebra::{Expression, Function, GraphPattern};
use spargebra::term::{NamedNodePattern, TermPattern, TriplePattern};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

const GUARD: &str = "urn:eruca:not-cancelled";

/// The IRI of the guard function.
pub(super) fn guard_name() -> NamedNode {
    NamedNode::new_unchecked(GUARD)
}

/// The guard function: returns true unless `cancelled` is set; then it unwinds the thread.
pub(super) fn guard(cancelled: Arc<AtomicBool>) -> impl Fn(&[Term]) -> Option<Term> + Send + Sync + 'static {
    move |_| {
        if cancelled.load(Ordering::Relaxed) {
            // Not a failure: unwinds without a panic message.
            std::panic::resume_unwind(Box::new("cancelled"));
        }
        Some(Literal::from(true).into())
    }
}

/// Adds guards to the cross products of a query.
pub(super) fn guard_products(query: &mut Query) {
    guard_pattern(pattern_of_mut(query));
}

fn guard_pattern(pattern: &mut GraphPattern) {
    use GraphPattern as P;
    match pattern {
        P::Bgp { patterns } => *pattern = join_components(std::mem::take(patterns)),
        _ => patterns_mut(pattern).into_iter().for_each(guard_pattern),
    }
    if let P::Join { left, right } | P::LeftJoin { left, right, expression: None } = pattern
        && let Some((a, b)) = unrelated(left, right)
    {
        let joined = std::mem::take(pattern);
        *pattern = guarded(joined, a, b);
    }
    if let P::LeftJoin { left, right, expression: Some(condition) } = pattern
        && let Some((a, b)) = one_of_each(left, right)
    {
        // The condition is evaluated for each pair of rows.
        *condition = Expression::And(Box::new(call(a, b)), Box::new(condition.clone()));
    }
}

/// One variable from each side.
fn one_of_each(left: &GraphPattern, right: &GraphPattern) -> Option<(Variable, Variable)> {
    let smallest = |side: &GraphPattern| {
        let mut names = Vec::new();
        side.on_in_scope_variable(|name| names.push(name.clone()));
        names.into_iter().min()
    };
    Some((smallest(left)?, smallest(right)?))
}

/// One variable from each side, if they have none in common.
fn unrelated(left: &GraphPattern, right: &GraphPattern) -> Option<(Variable, Variable)> {
    let (mut first, mut second) = (FxHashSet::default(), None);
    left.on_in_scope_variable(|v| {
        first.insert(v.clone());
    });
    let mut shared = false;
    right.on_in_scope_variable(|v| {
        shared |= first.contains(v);
        second.get_or_insert_with(|| v.clone());
    });
    // The minimum, because the iteration order of a set varies between runs.
    (!shared).then_some((first.into_iter().min()?, second?))
}

/// Using variables of both sides prevents the optimizer from pushing the filter into one of them.
fn guarded(joined: GraphPattern, a: Variable, b: Variable) -> GraphPattern {
    GraphPattern::Filter { expr: call(a, b), inner: Box::new(joined) }
}

fn call(a: Variable, b: Variable) -> Expression {
    // An unbound variable (OPTIONAL) would make the call an error and lose the row. BOUND would avoid that, but the
    // optimizer recognises it as true and then moves the filter.
    let either =
        |v| Expression::Coalesce(vec![Expression::Variable(v), Expression::Literal(Literal::from(true))]);
    let arguments = vec![either(a), either(b)];
    Expression::FunctionCall(Function::Custom(guard_name()), arguments)
}

/// Splits a basic graph pattern into connected components, joined and guarded.
fn join_components(triples: Vec<TriplePattern>) -> GraphPattern {
    let mut components: Vec<(FxHashSet<String>, Vec<TriplePattern>)> = Vec::new();
    for triple in triples {
        let mut names: FxHashSet<String> = names(&triple).into_iter().collect();
        let mut block = vec![triple];
        for (other_names, other) in std::mem::take(&mut components) {
            if other_names.is_disjoint(&names) {
                components.push((other_names, other));
            } else {
                names.extend(other_names);
                block = other.into_iter().chain(block).collect();
            }
        }
        components.push((names, block));
    }
    let blocks = components.into_iter().map(|(_, patterns)| GraphPattern::Bgp { patterns });
    let joined = blocks.reduce(|left, right| match unrelated(&left, &right) {
        Some((a, b)) => guarded(GraphPattern::Join { left: Box::new(left), right: Box::new(right) }, a, b),
        None => GraphPattern::Join { left: Box::new(left), right: Box::new(right) },
    });
    joined.unwrap_or_default()
}

/// What connects a triple pattern to others: its variables and blank nodes.
fn names(triple: &TriplePattern) -> Vec<String> {
    let term = |term: &TermPattern| match term {
        TermPattern::Variable(v) => Some(v.to_string()),
        TermPattern::BlankNode(b) => Some(b.to_string()),
        TermPattern::NamedNode(_) | TermPattern::Literal(_) => None,
    };
    let predicate = match &triple.predicate {
        NamedNodePattern::Variable(v) => Some(v.to_string()),
        NamedNodePattern::NamedNode(_) => None,
    };
    [term(&triple.subject), predicate, term(&triple.object)].into_iter().flatten().collect()
}
