//! The texts that a query compares values with, or gives to variables. Uses spargebra.

use oxrdf::Literal;
use spargebra::algebra::{Expression, Function, GraphPattern};
use spargebra::term::GroundTerm;

/// The texts in an expression itself, without those nested deeper. Names of languages and datatypes, flags and patterns to be
/// replaced are none.
pub(super) fn of_expression(expression: &Expression) -> Vec<&str> {
    use Expression as E;
    match expression {
        E::Equal(a, b)
        | E::SameTerm(a, b)
        | E::Greater(a, b)
        | E::GreaterOrEqual(a, b)
        | E::Less(a, b)
        | E::LessOrEqual(a, b)
            if !names_kind(a) && !names_kind(b) =>
        {
            [a, b].into_iter().filter_map(|one| text(one)).collect()
        }
        E::In(a, list) if !names_kind(a) => list.iter().filter_map(text).collect(),
        E::FunctionCall(Function::LCase | Function::UCase | Function::StrLang, arguments) => {
            arguments.first().and_then(text).into_iter().collect()
        }
        E::FunctionCall(
            Function::Contains | Function::StrStarts | Function::StrEnds | Function::Regex,
            arguments,
        ) => arguments.get(1).and_then(text).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// The texts that a pattern itself gives to variables.
pub(super) fn of_pattern(pattern: &GraphPattern) -> Vec<&str> {
    match pattern {
        GraphPattern::Values { bindings, .. } => {
            let cells = bindings.iter().flatten().flatten();
            let literals = cells.filter_map(|cell| match cell {
                GroundTerm::Literal(literal) => Some(literal),
                _ => None,
            });
            literals.filter_map(of_literal).collect()
        }
        GraphPattern::Extend { expression, .. } => text(expression).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// The text of a literal, if it is a string.
pub(super) fn of_literal(literal: &Literal) -> Option<&str> {
    let is_text = literal.language().is_some() || literal.datatype() == oxrdf::vocab::xsd::STRING;
    is_text.then(|| literal.value()).filter(|text| !text.is_empty())
}

fn text(expression: &Expression) -> Option<&str> {
    match expression {
        Expression::Literal(literal) => of_literal(literal),
        _ => None,
    }
}

/// Whether the value of an expression is the name of a language or datatype.
fn names_kind(expression: &Expression) -> bool {
    matches!(expression, Expression::FunctionCall(Function::Lang | Function::Datatype, _))
}

#[cfg(test)]
mod tests {
    use crate::query::checked;

    #[test]
    fn texts_are_those_that_values_are_compared_with() {
        let query = "SELECT ?x { ?x e:name \"as an object\"@en ; e:l ?l ; e:n 3 . BIND(\"given\" AS ?g) VALUES ?v { \"of a list\" 4 } \
            FILTER(LANG(?l) = \"de\" && LCASE(STR(?l)) = LCASE(\"Upper\")) FILTER(CONTAINS(?l, \"within\") || ?l IN (\"one\", \"two\")) \
            FILTER NOT EXISTS { ?x e:m ?m FILTER(REGEX(?m, \"^deep\", \"i\") && LANGMATCHES(LANG(?m), \"fr\")) } } ORDER BY ?x";
        let mut texts = checked(query).model().texts.clone();
        texts.sort();
        assert_eq!(texts, ["Upper", "^deep", "given", "of a list", "one", "two", "within"]);
    }
}
