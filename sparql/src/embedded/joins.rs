//! Orders joins by exact triple counts of a stored graph.
//!
//! The evaluator's optimizer has no counts: it guesses from which parts of a pattern are constants. A stored graph can tell in a
//! few lookups how many triples match a pattern, and how many distinct subjects and objects a predicate has. So the patterns of a
//! group are ordered to minimize the expected number of intermediate rows, each evaluated with the bindings of those before it
//! (`LATERAL`, which the optimizer does not reorder). The search is greedy, starting once from each pattern: Selinger's cost
//! estimates (SIGMOD 1979) without his enumeration, because groups are small and lookups cheap.

use crate::query::algebra::{constant, pattern_of_mut, patterns_mut};
use eruca_store::{Spread, StoredError, StoredGraph};
use oxrdf::{Term, Variable};
use rustc_hash::FxHashSet;
use spargebra::Query;
use spargebra::algebra::{Expression, GraphPattern};
use spargebra::term::{NamedNodePattern, TermPattern, TriplePattern};

/// Largest group that is reordered, in patterns.
const MOST_PATTERNS: usize = 30;
/// Expected rows of a path of any length, with at least one end bound, and with none.
const ROWS_OF_PATH: f64 = 20.0;
const ROWS_OF_OPEN_PATH: f64 = 1e7;

/// Statistics of a graph.
pub(super) trait Counts {
    /// The number of triples that match a pattern.
    fn count(&self, pattern: [Option<&Term>; 3]) -> Result<u64, StoredError>;
    /// The number of distinct subjects and objects of a predicate.
    fn spread(&self, predicate: &Term) -> Result<Spread, StoredError>;
}

impl Counts for StoredGraph {
    fn count(&self, pattern: [Option<&Term>; 3]) -> Result<u64, StoredError> {
        Self::count(self, pattern)
    }

    fn spread(&self, predicate: &Term) -> Result<Spread, StoredError> {
        Self::spread(self, predicate)
    }
}

/// Orders the joins of a query. If the graph is damaged, the query is left unchanged; its evaluation will report the error.
pub(super) fn fewest_rows_first(query: &mut Query, graph: &impl Counts) {
    reorder(pattern_of_mut(query), &FxHashSet::default(), graph);
}

/// `bound` holds the variables already bound when the pattern is evaluated.
fn reorder(pattern: &mut GraphPattern, bound: &FxHashSet<Variable>, graph: &impl Counts) {
    use GraphPattern as P;
    match pattern {
        P::Bgp { .. } | P::Join { .. } => {
            if let Some(ordered) = items(pattern, graph).and_then(|items| in_order(items, bound)) {
                *pattern = ordered;
            } else if let P::Join { left, right } = pattern {
                let opaque = |side: &mut GraphPattern| match side {
                    P::Bgp { .. } => {}
                    side => reorder(side, bound, graph),
                };
                opaque(left);
                opaque(right);
            }
        }
        P::LeftJoin { left, right, .. } => {
            reorder(left, bound, graph);
            reorder(right, &with_variables(bound, left), graph);
        }
        P::Filter { expr, inner } => {
            reorder(inner, bound, graph);
            reorder_within(expr, &with_variables(bound, inner), graph);
        }
        P::Union { left, right } => {
            reorder(left, bound, graph);
            reorder(right, bound, graph);
        }
        P::Minus { left, right } => {
            reorder(left, bound, graph);
            reorder(right, &FxHashSet::default(), graph);
        }
        P::Extend { inner, .. } | P::OrderBy { inner, .. } => reorder(inner, bound, graph),
        // The counts are of the default graph.
        P::Graph { .. } | P::Service { .. } | P::Lateral { .. } => {}
        // A subquery has its own variable scope.
        other => {
            for inner in patterns_mut(other) {
                reorder(inner, &FxHashSet::default(), graph);
            }
        }
    }
}

/// Reorders the patterns of EXISTS in an expression, which are evaluated for each row.
fn reorder_within(expression: &mut Expression, bound: &FxHashSet<Variable>, graph: &impl Counts) {
    match expression {
        Expression::Exists(pattern) => reorder(pattern, bound, graph),
        Expression::Not(inner) => reorder_within(inner, bound, graph),
        Expression::And(left, right) | Expression::Or(left, right) => {
            reorder_within(left, bound, graph);
            reorder_within(right, bound, graph);
        }
        _ => {}
    }
}

fn with_variables(bound: &FxHashSet<Variable>, pattern: &GraphPattern) -> FxHashSet<Variable> {
    let mut all = bound.clone();
    pattern.on_in_scope_variable(|variable| {
        all.insert(variable.clone());
    });
    all
}

/// An operand of a join, with its cardinality estimate.
struct Item {
    pattern: GraphPattern,
    variables: Vec<Variable>,
    rows: Rows,
}

enum Rows {
    /// Number of matching triples, and for subject and object the variable and the number of distinct values.
    Triple {
        count: f64,
        subject: End,
        object: End,
    },
    Path {
        known_end: bool,
    },
    Values(f64),
}

/// The subject or object of a triple pattern.
#[derive(Default)]
struct End {
    variable: Option<Variable>,
    different: f64,
}

impl Item {
    /// Expected number of rows per row that binds the variables in `bound`.
    fn expected(&self, bound: &FxHashSet<Variable>) -> f64 {
        match &self.rows {
            Rows::Triple { count, subject, object } => {
                let share = |end: &End| match &end.variable {
                    Some(variable) if bound.contains(variable) => end.different.max(1.0),
                    _ => 1.0,
                };
                count / (share(subject) * share(object))
            }
            Rows::Path { known_end } if *known_end || self.is_joined(bound) => ROWS_OF_PATH,
            Rows::Path { .. } => ROWS_OF_OPEN_PATH,
            Rows::Values(rows) => *rows,
        }
    }

    fn is_joined(&self, bound: &FxHashSet<Variable>) -> bool {
        self.variables.iter().any(|variable| bound.contains(variable))
    }
}

/// The operands of a join, if they are only triple patterns, paths and VALUES, and at least two.
fn items(pattern: &GraphPattern, graph: &impl Counts) -> Option<Vec<Item>> {
    let mut items = Vec::new();
    collect(pattern, graph, &mut items)?;
    (2..=MOST_PATTERNS).contains(&items.len()).then_some(items)
}

fn collect(pattern: &GraphPattern, graph: &impl Counts, items: &mut Vec<Item>) -> Option<()> {
    match pattern {
        GraphPattern::Bgp { patterns } => {
            for triple in patterns {
                items.push(of_triple(triple, graph).ok()?);
            }
        }
        GraphPattern::Join { left, right } => {
            collect(left, graph, items)?;
            collect(right, graph, items)?;
        }
        GraphPattern::Path { subject, object, .. } => {
            let ends = [variable_of(subject), variable_of(object)];
            let known_end = ends.iter().any(Option::is_none);
            let variables = ends.into_iter().flatten().collect();
            items.push(Item { pattern: pattern.clone(), variables, rows: Rows::Path { known_end } });
        }
        // A row with UNDEF would join with everything.
        GraphPattern::Values { variables, bindings } if bindings.iter().flatten().all(Option::is_some) => {
            let (variables, rows) = (variables.clone(), Rows::Values(bindings.len() as f64));
            items.push(Item { pattern: pattern.clone(), variables, rows });
        }
        _ => return None,
    }
    Some(())
}

fn of_triple(triple: &TriplePattern, graph: &impl Counts) -> Result<Item, StoredError> {
    let (subject, object) = (constant(&triple.subject), constant(&triple.object));
    let predicate = match &triple.predicate {
        NamedNodePattern::NamedNode(node) => Some(Term::from(node.clone())),
        NamedNodePattern::Variable(_) => None,
    };
    let count = graph.count([subject.as_ref(), predicate.as_ref(), object.as_ref()])? as f64;
    let spread = predicate.as_ref().map(|predicate| graph.spread(predicate)).transpose()?;
    // If the other end is constant, each value occurs in one triple; without a predicate the number is a guess.
    let different = |of: fn(&Spread) -> u32, other_is_known: bool| match &spread {
        _ if other_is_known => count,
        Some(spread) => f64::from(of(spread)),
        None => count / ROWS_OF_PATH,
    };
    let ends = [
        End {
            variable: variable_of(&triple.subject),
            different: different(|of| of.subjects, object.is_some()),
        },
        End {
            variable: variable_of(&triple.object),
            different: different(|of| of.objects, subject.is_some()),
        },
    ];
    let mut variables: Vec<Variable> = ends.iter().filter_map(|end| end.variable.clone()).collect();
    if let NamedNodePattern::Variable(variable) = &triple.predicate {
        variables.push(variable.clone());
    }
    let pattern = GraphPattern::Bgp { patterns: vec![triple.clone()] };
    let [subject, object] = ends;
    Ok(Item { pattern, variables, rows: Rows::Triple { count, subject, object } })
}

/// The variable at this end; a blank node counts as a variable that occurs nowhere else.
fn variable_of(term: &TermPattern) -> Option<Variable> {
    match term {
        TermPattern::Variable(variable) => Some(variable.clone()),
        TermPattern::BlankNode(node) => Some(Variable::new_unchecked(format!("_:{}", node.as_str()))),
        TermPattern::NamedNode(_) | TermPattern::Literal(_) => None,
    }
}

/// Joins the items in the best order found; `None` if they form a cross product.
fn in_order(items: Vec<Item>, bound: &FxHashSet<Variable>) -> Option<GraphPattern> {
    let orders = (0..items.len()).filter_map(|first| greedy(&items, first, bound));
    let (order, _) = orders.min_by(|(_, one), (_, other)| one.total_cmp(other))?;
    let mut patterns: Vec<Option<GraphPattern>> = items.into_iter().map(|item| Some(item.pattern)).collect();
    let ordered = order.into_iter().filter_map(|place| patterns.get_mut(place)?.take());
    ordered.reduce(|left, right| GraphPattern::Lateral { left: Box::new(left), right: Box::new(right) })
}

/// Greedy order starting with `first`, always adding the item with the fewest expected rows; also returns the total of
/// intermediate rows.
fn greedy(items: &[Item], first: usize, bound: &FxHashSet<Variable>) -> Option<(Vec<usize>, f64)> {
    let mut bound = bound.clone();
    let (mut order, mut rows, mut cost) = (Vec::with_capacity(items.len()), 1.0, 0.0);
    let mut next = Some(first);
    while let Some(place) = next {
        let item = items.get(place)?;
        rows *= item.expected(&bound);
        cost += rows;
        bound.extend(item.variables.iter().cloned());
        order.push(place);
        let left =
            items.iter().enumerate().filter(|(place, item)| !order.contains(place) && item.is_joined(&bound));
        let expected = left.map(|(place, item)| (place, item.expected(&bound)));
        next = expected.min_by(|(_, one), (_, other)| one.total_cmp(other)).map(|(place, _)| place);
    }
    (order.len() == items.len()).then_some((order, cost))
}

#[cfg(test)]
mod tests;
