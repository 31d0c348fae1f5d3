//! What decides over the rows of a query and stands in no column: what it is ordered by, and what it compares. Uses `algebra`.

use crate::check::CheckedQuery;
use spargebra::Query;
use spargebra::algebra::{Expression, GraphPattern, OrderExpression};

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
