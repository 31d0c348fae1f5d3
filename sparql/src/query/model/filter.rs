//! A filter and the values it uses. Uses spargebra.

use crate::query::algebra::{Node, each_once, expressions_within, not_exists, walk_from};
use oxrdf::Literal;
use spargebra::algebra::{Expression, Function};

/// A FILTER or HAVING condition.
#[derive(Debug, Clone, PartialEq)]
pub struct Filter {
    /// The condition in SPARQL, `FILTER(…)`; a HAVING uses the parser's generated names for aggregates.
    pub text: String,
    /// Whether it is a HAVING.
    pub is_having: bool,
    expression: Expression,
}

impl Filter {
    pub(super) fn new(expression: &Expression, is_having: bool) -> Self {
        Self { text: format!("FILTER({expression})"), is_having, expression: expression.clone() }
    }

    /// Its variables without question mark, including those in EXISTS patterns.
    #[must_use]
    pub fn variables(&self) -> Vec<&str> {
        each_once(walk_from(Node::Expression(&self.expression)).filter_map(|(node, _)| match node {
            Node::Variable(variable) => Some(variable.as_str()),
            _ => None,
        }))
    }

    /// Whether it demands that a pattern does not match.
    #[must_use]
    pub fn is_absence(&self) -> bool {
        matches!(&self.expression, Expression::Not(inner) if matches!(**inner, Expression::Exists(_)))
    }

    /// The literals used in comparisons or as function arguments.
    pub fn literals(&self) -> impl Iterator<Item = &Literal> {
        self.expressions().filter_map(|part| match part {
            Expression::Literal(literal) => Some(literal),
            _ => None,
        })
    }

    /// Whether it uses the lexical form of values, whatever their datatype.
    #[must_use]
    pub fn reads_texts(&self) -> bool {
        use Function as F;
        self.expressions().any(|part| {
            matches!(
                part,
                Expression::FunctionCall(
                    F::Regex
                        | F::Contains
                        | F::StrStarts
                        | F::StrEnds
                        | F::Str
                        | F::SubStr
                        | F::LCase
                        | F::UCase,
                    _
                )
            )
        })
    }

    /// The IRIs in NOT EXISTS patterns.
    pub fn absent_iris(&self) -> impl Iterator<Item = &str> {
        let absent = self.expressions().filter_map(not_exists);
        absent.flat_map(|pattern| walk_from(Node::Pattern(pattern))).filter_map(|(node, _)| match node {
            Node::Iri(iri) => Some(iri.as_str()),
            _ => None,
        })
    }

    fn expressions(&self) -> impl Iterator<Item = &Expression> {
        expressions_within(Node::Expression(&self.expression))
    }
}

#[cfg(test)]
mod tests {
    use crate::{Prefixes, QueryPolicy, check};

    #[test]
    fn filters_say_what_they_look_at() {
        let filter = |condition: &str| {
            let text = format!("SELECT ?x {{ ?x <http://e/p> ?n , ?m FILTER({condition}) }}");
            let query = check(&text, &Prefixes::default(), &QueryPolicy::default()).unwrap();
            query.model().conjunction.filters[0].clone()
        };
        let compares = filter("?n > \"3\" && LCASE(?m) = \"a\"");
        assert!(compares.reads_texts() && compares.absent_iris().next().is_none());
        assert!(compares.literals().map(oxrdf::Literal::value).eq(["3", "a"]));
        let refuses = filter("NOT EXISTS { ?x <http://e/q> ?z }");
        assert!(refuses.absent_iris().eq(["http://e/q"]) && !refuses.reads_texts());
        assert_eq!(refuses.variables(), ["x", "z"]);
    }
}
