//! What each column of a SELECT is by itself: a value as it was found, an aggregate of one, the year of one. Uses `algebra`.

use crate::check::CheckedQuery;
use crate::datatypes::XSD;
use crate::query::algebra::{Node, walk};
use spargebra::algebra::{AggregateExpression, AggregateFunction, Expression, Function, GraphPattern};
use std::collections::BTreeMap;

/// Longest chain of aliases that is followed.
const MAX_ALIASES: usize = 16;

/// What many values are made into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aggregate {
    /// How many there are.
    Count,
    /// Their total.
    Sum,
    /// Their mean.
    Average,
    /// The smallest.
    Minimum,
    /// The largest.
    Maximum,
    /// Any of them, all of them in one text, or what only one engine knows.
    Other,
}

/// How a column comes from what the pattern finds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ColumnSource {
    /// The column's variable.
    pub name: String,
    /// The variable whose values it has or aggregates; nothing where it is computed in another way.
    pub of: Option<String>,
    /// The aggregate that it is and nothing more.
    pub aggregate: Option<Aggregate>,
    /// It is the calendar year of the variable's value.
    pub is_year: bool,
}

/// What an alias stands for.
enum Behind {
    /// The same value, if need be with another datatype.
    Same(String),
    Year(String),
    /// An aggregate, of a variable unless it is of whole solutions or of an expression.
    Aggregate(Aggregate, Option<String>),
    Worked,
}

impl CheckedQuery {
    /// The columns of a SELECT with where their values come from; empty for other forms.
    #[must_use]
    pub fn sources(&self) -> Vec<ColumnSource> {
        let behind = aliases(self);
        self.variables().into_iter().map(|name| source(name, &behind)).collect()
    }
}

fn aliases(query: &CheckedQuery) -> BTreeMap<String, Behind> {
    let mut found = BTreeMap::new();
    for (node, _) in walk(query.algebra()) {
        match node {
            Node::Pattern(GraphPattern::Extend { variable, expression, .. }) => {
                found.insert(variable.as_str().to_owned(), value(expression));
            }
            Node::Pattern(GraphPattern::Group { aggregates, .. }) => {
                let known = |(variable, one): &(_, _)| (name(variable), aggregate(one));
                found.extend(aggregates.iter().map(known));
            }
            _ => {}
        }
    }
    found
}

fn name(variable: &oxrdf::Variable) -> String {
    variable.as_str().to_owned()
}

fn value(expression: &Expression) -> Behind {
    match expression {
        Expression::Variable(variable) => Behind::Same(name(variable)),
        Expression::FunctionCall(Function::Year, arguments) => {
            only(arguments).map_or(Behind::Worked, Behind::Year)
        }
        Expression::FunctionCall(function, arguments) if is_cast(function) => {
            only(arguments).map_or(Behind::Worked, Behind::Same)
        }
        _ => Behind::Worked,
    }
}

/// Whether a function gives the same value with another datatype.
fn is_cast(function: &Function) -> bool {
    match function {
        Function::Str => true,
        Function::Custom(called) => called.as_str().starts_with(XSD),
        _ => false,
    }
}

/// The one variable that a function is called with, if need be within a cast.
fn only(arguments: &[Expression]) -> Option<String> {
    match arguments {
        [Expression::Variable(variable)] => Some(name(variable)),
        [Expression::FunctionCall(function, inner)] if is_cast(function) => match inner.as_slice() {
            [Expression::Variable(variable)] => Some(name(variable)),
            _ => None,
        },
        _ => None,
    }
}

fn aggregate(aggregate: &AggregateExpression) -> Behind {
    let AggregateExpression::FunctionCall { name, expr, .. } = aggregate else {
        return Behind::Aggregate(Aggregate::Count, None);
    };
    let called = match name {
        AggregateFunction::Count => Aggregate::Count,
        AggregateFunction::Sum => Aggregate::Sum,
        AggregateFunction::Avg => Aggregate::Average,
        AggregateFunction::Min => Aggregate::Minimum,
        AggregateFunction::Max => Aggregate::Maximum,
        _ => Aggregate::Other,
    };
    match only(std::slice::from_ref(expr)) {
        None if called != Aggregate::Count => Behind::Worked,
        of => Behind::Aggregate(called, of),
    }
}

fn source(column: String, behind: &BTreeMap<String, Behind>) -> ColumnSource {
    let mut found = ColumnSource { of: Some(column.clone()), name: column, ..ColumnSource::default() };
    for _ in 0..MAX_ALIASES {
        let Some(next) = found.of.as_ref().and_then(|name| behind.get(name)) else { break };
        match next {
            Behind::Same(other) => found.of = Some(other.clone()),
            Behind::Year(other) if !found.is_year => (found.is_year, found.of) = (true, Some(other.clone())),
            Behind::Aggregate(called, of) if found.aggregate.is_none() => {
                (found.aggregate, found.of) = (Some(*called), of.clone());
            }
            // An aggregate of aggregates has no short name.
            Behind::Aggregate(..) | Behind::Year(_) | Behind::Worked => {
                return ColumnSource { name: found.name, ..ColumnSource::default() };
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Aggregate, ColumnSource};
    use crate::{Prefixes, QueryPolicy, check};

    fn source(text: &str) -> ColumnSource {
        let mut prefixes = Prefixes::well_known();
        prefixes.insert("e", "http://e/");
        check(text, &prefixes, &QueryPolicy::default()).unwrap().sources().remove(0)
    }

    #[test]
    fn aliases_and_casts_are_followed() {
        let found = source("SELECT (AVG(xsd:decimal(?l)) AS ?average) { ?x e:length ?l }");
        assert_eq!((found.of.as_deref(), found.aggregate), (Some("l"), Some(Aggregate::Average)));
        let found = source("SELECT ?n { ?x e:length ?l BIND(xsd:integer(STR(?l)) AS ?n) }");
        assert_eq!((found.of.as_deref(), found.aggregate), (Some("l"), None));
        let found = source("SELECT (YEAR(?d) AS ?y) { ?x e:born ?d }");
        assert_eq!((found.of.as_deref(), found.is_year), (Some("d"), true));
        let found = source("SELECT (COUNT(*) AS ?n) { ?x e:born ?d }");
        assert_eq!((found.of, found.aggregate), (None, Some(Aggregate::Count)));
    }

    #[test]
    fn what_is_worked_out_has_no_source() {
        for text in [
            "SELECT (?a / ?b AS ?n) { ?x e:a ?a ; e:b ?b }",
            "SELECT (SUM(?a) / COUNT(?b) AS ?n) { ?x e:a ?a ; e:b ?b }",
            "SELECT (AVG(?a / 1000) AS ?n) { ?x e:a ?a }",
            "SELECT (AVG(?n) AS ?m) { { SELECT ?x (COUNT(?a) AS ?n) { ?x e:a ?a } GROUP BY ?x } }",
        ] {
            let found = source(text);
            assert_eq!((found.of, found.aggregate), (None, None), "{text}");
        }
    }
}
