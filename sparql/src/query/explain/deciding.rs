//! The variables that determine the rows of a query but are not projected: sort keys, compared variables, and the subjects of
//! projected values. Uses `algebra` and `select`.

use crate::check::CheckedQuery;
use crate::query::algebra::{
    conjuncts, each_once, in_scope, patterns_within, sort_key, variable_of, variables,
};
use crate::query::select::Select;
use spargebra::Query;
use spargebra::algebra::{Expression, GraphPattern};
use spargebra::term::{NamedNodePattern, TriplePattern};

impl CheckedQuery {
    /// Variables used for sorting or filtering the rows that are in scope but not projected, sort keys first. Empty if the query is
    /// not a SELECT, or its rows are aggregated.
    pub fn deciding(&self) -> Vec<String> {
        let Query::Select { pattern, .. } = self.algebra() else { return Vec::new() };
        let select = Select::of(pattern);
        let ordered = select.order.iter().filter_map(|key| first_variable(sort_key(key).0));
        let in_scope = in_scope(select.body);
        let is_column =
            |name: &str| select.columns.unwrap_or_default().iter().any(|one| one.as_str() == name);
        let all = ordered.chain(compared(select.body));
        let deciding = each_once(all.filter(|name| in_scope.contains(*name) && !is_column(name)));
        deciding.into_iter().map(str::to_owned).collect()
    }

    /// The variable of the entity whose property value is the only column, directly or computed from it, if it is in scope:
    /// `?mill` in `SELECT ?height { ?mill m:height ?height }`.
    pub fn holder(&self) -> Option<String> {
        let Query::Select { pattern, .. } = self.algebra() else { return None };
        let Select { columns: Some([only]), body, .. } = Select::of(pattern) else { return None };
        let read = source_of(pattern, only.as_str());
        let in_scope = in_scope(body);
        let is_property = |triple: &TriplePattern| matches!(triple.predicate, NamedNodePattern::NamedNode(_));
        let mut owners =
            owners(pattern, read).filter(|(_, triple)| is_property(triple)).map(|(owner, _)| owner);
        owners.find(|name| *name != read && in_scope.contains(*name)).map(str::to_owned)
    }
}

/// The first variable in the expression that `name` is bound to, or `name` itself.
pub(crate) fn source_of<'a>(pattern: &'a GraphPattern, name: &'a str) -> &'a str {
    let named = patterns_within(pattern).find_map(|one| match one {
        GraphPattern::Extend { variable, expression, .. } if variable.as_str() == name => {
            variables(expression).into_iter().next()
        }
        _ => None,
    });
    named.unwrap_or(name)
}

/// The subjects of triple patterns with this variable as the object, with the patterns.
pub(crate) fn owners<'a>(
    pattern: &'a GraphPattern,
    value: &'a str,
) -> impl Iterator<Item = (&'a str, &'a TriplePattern)> {
    let triples = patterns_within(pattern).flat_map(|one| match one {
        GraphPattern::Bgp { patterns } => patterns.as_slice(),
        _ => &[],
    });
    triples
        .filter(move |triple| variable_of(&triple.object) == Some(value))
        .filter_map(|triple| Some((variable_of(&triple.subject)?, triple)))
}

/// The variables compared by the outer filters of a pattern, outermost filter first.
fn compared(pattern: &GraphPattern) -> Vec<&str> {
    match pattern {
        GraphPattern::Filter { expr, inner } => {
            let mut found: Vec<&str> = conjuncts(expr).into_iter().filter_map(compared_in).collect();
            found.extend(compared(inner));
            found
        }
        GraphPattern::Extend { inner, .. } => compared(inner),
        _ => Vec::new(),
    }
}

fn compared_in(expression: &Expression) -> Option<&str> {
    match expression {
        Expression::Greater(left, right)
        | Expression::GreaterOrEqual(left, right)
        | Expression::Less(left, right)
        | Expression::LessOrEqual(left, right)
        | Expression::Equal(left, right) => first_variable(left).or_else(|| first_variable(right)),
        _ => None,
    }
}

/// The variable of an expression, possibly inside single-argument calls such as casts.
fn first_variable(expression: &Expression) -> Option<&str> {
    match expression {
        Expression::Variable(variable) => Some(variable.as_str()),
        Expression::FunctionCall(_, arguments) => match arguments.as_slice() {
            [only] => first_variable(only),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::{Prefixes, QueryPolicy, check};

    fn deciding(text: &str) -> Vec<String> {
        let text = format!("PREFIX m: <http://mills.example/> {text}");
        check(&text, &Prefixes::default(), &QueryPolicy::default()).unwrap().deciding()
    }

    #[test]
    fn what_is_ordered_by_and_what_is_compared_decides() {
        assert_eq!(deciding("SELECT ?m { ?m m:height ?h } ORDER BY DESC(STR(?h)) LIMIT 1"), ["h"]);
        assert_eq!(
            deciding("SELECT DISTINCT ?m { ?m m:height ?h ; m:age ?a FILTER(?h > 3 && 5 < ?a) }"),
            ["h", "a"]
        );
        let most =
            "SELECT ?t { { SELECT ?t (COUNT(?m) AS ?n) { ?m m:town ?t } GROUP BY ?t } FILTER(?n = 4) }";
        assert_eq!(deciding(most), ["n"]);
        assert_eq!(
            deciding("SELECT ?t { ?m m:town ?t } GROUP BY ?t ORDER BY DESC(COUNT(?m)) LIMIT 1").len(),
            1
        );
    }

    #[test]
    fn values_have_things_that_hold_them() {
        let holder = |text: &str| {
            let text = format!("PREFIX m: <http://mills.example/> {text}");
            check(&text, &Prefixes::default(), &QueryPolicy::default()).unwrap().holder()
        };
        let mill = Some("mill".to_owned());
        assert_eq!(holder("SELECT DISTINCT ?h { ?mill a m:Mill ; m:height ?h }"), mill);
        assert_eq!(holder("SELECT (2026 - YEAR(?built) AS ?age) { ?mill m:built ?built }"), mill);
        assert_eq!(holder("SELECT (MAX(?h) AS ?most) { ?mill m:height ?h }"), None);
        assert_eq!(holder("SELECT ?h { m:old m:height ?h }"), None);
        assert_eq!(holder("SELECT ?mill ?h { ?mill m:height ?h }"), None);
        assert_eq!(holder("SELECT ?mill { ?mill m:height ?h }"), None);
    }

    #[test]
    fn what_is_a_column_or_hidden_does_not() {
        for query in [
            "SELECT ?m ?h { ?m m:height ?h } ORDER BY ?h",
            "SELECT ?m { ?m a m:Mill FILTER NOT EXISTS { ?m m:height ?h FILTER(?h > 3) } }",
            "SELECT ?m { ?m a m:Mill }",
            "ASK { ?m m:height ?h FILTER(?h > 3) }",
        ] {
            assert_eq!(deciding(query), [""; 0], "{query}");
        }
    }
}
