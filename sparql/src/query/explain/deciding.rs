//! What decides over the rows of a query and stands in no column: what it is ordered by, what it compares, and the things whose
//! values it gives. Uses `algebra`.

use crate::check::CheckedQuery;
use crate::query::algebra::{Node, walk};
use crate::query::model::columns::variables;
use spargebra::Query;
use spargebra::algebra::{Expression, GraphPattern, OrderExpression};
use spargebra::term::{NamedNodePattern, TermPattern};

impl CheckedQuery {
    /// Variables that rows are chosen or ordered by, that are in scope beside the columns and not among them: those of the order
    /// first. Empty where the query is no SELECT, or its rows are no plain rows.
    pub fn deciding(&self) -> Vec<String> {
        let Query::Select { pattern, .. } = self.algebra() else { return Vec::new() };
        let mut found = Deciding::default();
        found.look(pattern);
        let Deciding { projected, ordered, compared, in_scope } = found;
        let mut deciding: Vec<String> = Vec::new();
        for name in ordered.into_iter().chain(compared) {
            if in_scope.contains(&name) && !projected.contains(&name) && !deciding.contains(&name) {
                deciding.push(name);
            }
        }
        deciding
    }

    /// The variable of the things whose property the only column gives, directly or computed from it, where it is in scope beside
    /// that: `?mill` in `SELECT ?height { ?mill m:height ?height }`.
    pub fn holder(&self) -> Option<String> {
        let Query::Select { pattern, .. } = self.algebra() else { return None };
        let mut found = Deciding::default();
        found.look(pattern);
        let [only] = found.projected.as_slice() else { return None };
        let read = computed_from(self.algebra(), only).unwrap_or_else(|| only.clone());
        let holds = |name: &String| *name != read && found.in_scope.contains(name);
        subjects(self.algebra(), &read).into_iter().find(holds)
    }
}

/// The variable that another is computed from.
fn computed_from(query: &Query, name: &str) -> Option<String> {
    walk(query).into_iter().find_map(|(node, _)| match node {
        Node::Pattern(GraphPattern::Extend { variable, expression, .. }) if variable.as_str() == name => {
            variables(expression).into_iter().next()
        }
        _ => None,
    })
}

/// The variables that a query says to have a value as a property.
fn subjects(query: &Query, value: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (node, _) in walk(query) {
        let Node::Pattern(GraphPattern::Bgp { patterns }) = node else { continue };
        for triple in patterns {
            if let (
                TermPattern::Variable(subject),
                NamedNodePattern::NamedNode(_),
                TermPattern::Variable(object),
            ) = (&triple.subject, &triple.predicate, &triple.object)
                && object.as_str() == value
            {
                found.push(subject.as_str().to_owned());
            }
        }
    }
    found
}

#[derive(Default)]
struct Deciding {
    projected: Vec<String>,
    ordered: Vec<String>,
    compared: Vec<String>,
    in_scope: Vec<String>,
}

impl Deciding {
    fn look(&mut self, pattern: &GraphPattern) {
        match pattern {
            GraphPattern::Slice { inner, .. }
            | GraphPattern::Distinct { inner }
            | GraphPattern::Reduced { inner } => {
                self.look(inner);
            }
            GraphPattern::Project { inner, variables } if self.projected.is_empty() => {
                self.projected = variables.iter().map(|variable| variable.as_str().to_owned()).collect();
                inner.on_in_scope_variable(|variable| self.in_scope.push(variable.as_str().to_owned()));
                self.look(inner);
            }
            GraphPattern::OrderBy { inner, expression } => {
                for key in expression {
                    let (OrderExpression::Asc(key) | OrderExpression::Desc(key)) = key;
                    self.ordered.extend(first_variable(key));
                }
                self.look(inner);
            }
            GraphPattern::Filter { expr, inner } => {
                self.compare(expr);
                self.look(inner);
            }
            GraphPattern::Extend { inner, .. } => self.look(inner),
            _ => {}
        }
    }

    fn compare(&mut self, expression: &Expression) {
        match expression {
            Expression::And(left, right) => {
                self.compare(left);
                self.compare(right);
            }
            Expression::Greater(left, right)
            | Expression::GreaterOrEqual(left, right)
            | Expression::Less(left, right)
            | Expression::LessOrEqual(left, right)
            | Expression::Equal(left, right) => {
                self.compared.extend(first_variable(left).or_else(|| first_variable(right)));
            }
            _ => {}
        }
    }
}

/// The variable of an expression, also below casts: what stands for itself, and not for a part of it.
fn first_variable(expression: &Expression) -> Option<String> {
    match expression {
        Expression::Variable(variable) => Some(variable.as_str().to_owned()),
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
