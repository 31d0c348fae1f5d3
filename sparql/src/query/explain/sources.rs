//! What each column of a SELECT is: a plain value, an aggregate, or the year of a value. Uses `algebra`.

use crate::datatypes::XSD;
use crate::query::model::{Origin, QueryModel};
use spargebra::algebra::{AggregateExpression, AggregateFunction, Expression, Function};

/// Longest chain of aliases followed.
const MAX_ALIASES: usize = 16;

/// An aggregate function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aggregate {
    /// COUNT.
    Count,
    /// SUM.
    Sum,
    /// AVG.
    Average,
    /// MIN.
    Minimum,
    /// MAX.
    Maximum,
    /// SAMPLE, GROUP_CONCAT, or an engine-specific aggregate.
    Other,
}

/// How a column is derived from the variables of the pattern.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ColumnSource {
    /// The column name.
    pub name: String,
    /// The variable whose values it holds or aggregates; `None` if it is computed in another way.
    pub of: Option<String>,
    /// The aggregate, if the column is nothing else.
    pub aggregate: Option<Aggregate>,
    /// Whether it is the calendar year of the variable's value.
    pub is_year: bool,
}

/// The definition of an alias.
enum Behind<'a> {
    /// The same value, possibly with another datatype.
    Same(&'a str),
    Year(&'a str),
    /// An aggregate, with its variable unless it is over whole solutions or an expression.
    Aggregate(Aggregate, Option<&'a str>),
    Worked,
}

impl QueryModel {
    /// The columns of a SELECT with the origin of their values; empty for other forms.
    #[must_use]
    pub fn sources(&self) -> Vec<ColumnSource> {
        self.variables.iter().map(|column| self.source(column)).collect()
    }

    fn source(&self, column: &str) -> ColumnSource {
        let (mut of, mut called, mut is_year) = (Some(column), None, false);
        for _ in 0..MAX_ALIASES {
            let Some(origin) = of.and_then(|name| self.origin(name)) else { break };
            match behind(origin) {
                Behind::Same(other) => of = Some(other),
                Behind::Year(other) if !is_year => (is_year, of) = (true, Some(other)),
                Behind::Aggregate(aggregate, other) if called.is_none() => {
                    (called, of) = (Some(aggregate), other);
                }
                // Nested aggregates have no short name.
                Behind::Aggregate(..) | Behind::Year(_) | Behind::Worked => {
                    return ColumnSource { name: column.to_owned(), ..ColumnSource::default() };
                }
            }
        }
        ColumnSource { name: column.to_owned(), of: of.map(str::to_owned), aggregate: called, is_year }
    }
}

fn behind(origin: &Origin) -> Behind<'_> {
    match origin {
        Origin::Aggregate(aggregate) => of_aggregate(aggregate),
        Origin::Expression(Expression::Variable(variable)) => Behind::Same(variable.as_str()),
        Origin::Expression(Expression::FunctionCall(Function::Year, arguments)) => {
            only(arguments).map_or(Behind::Worked, Behind::Year)
        }
        Origin::Expression(Expression::FunctionCall(function, arguments)) if is_cast(function) => {
            only(arguments).map_or(Behind::Worked, Behind::Same)
        }
        Origin::Expression(_) => Behind::Worked,
    }
}

/// Whether a function only changes the datatype of its argument.
fn is_cast(function: &Function) -> bool {
    match function {
        Function::Str => true,
        Function::Custom(called) => called.as_str().starts_with(XSD),
        _ => false,
    }
}

/// The single variable argument of a function, possibly inside a cast.
fn only(arguments: &[Expression]) -> Option<&str> {
    match arguments {
        [Expression::Variable(variable)] => Some(variable.as_str()),
        [Expression::FunctionCall(function, inner)] if is_cast(function) => match inner.as_slice() {
            [Expression::Variable(variable)] => Some(variable.as_str()),
            _ => None,
        },
        _ => None,
    }
}

fn of_aggregate(aggregate: &AggregateExpression) -> Behind<'_> {
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

#[cfg(test)]
mod tests {
    use super::{Aggregate, ColumnSource};
    use crate::{Prefixes, QueryPolicy, check};

    fn source(text: &str) -> ColumnSource {
        let mut prefixes = Prefixes::well_known();
        prefixes.insert("e", "http://e/");
        check(text, &prefixes, &QueryPolicy::default()).unwrap().model().sources().remove(0)
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
