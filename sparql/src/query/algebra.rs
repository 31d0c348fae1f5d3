//! Walks the SPARQL algebra of a parsed query, with helpers for its variables, conjuncts and branches.
//!
//! Uses only `spargebra`. The walk keeps its own stack, so that a query of any depth can be inspected
//! before recursive code sees it.

use oxrdf::{NamedNode, Term, Variable};
use spargebra::Query;
use spargebra::algebra::{
    AggregateExpression, AggregateFunction, Expression, GraphPattern, OrderExpression, PropertyPathExpression,
};
use spargebra::term::{GroundTerm, NamedNodePattern, TermPattern, TriplePattern};
use std::collections::BTreeSet;

/// A node visited by the walk.
#[derive(Clone, Copy)]
pub(crate) enum Node<'a> {
    Pattern(&'a GraphPattern),
    Expression(&'a Expression),
    Path(&'a PropertyPathExpression),
    /// An IRI constant in a pattern or expression (not a datatype or function name).
    Iri(&'a NamedNode),
    /// A variable matched by a pattern or used in an expression.
    Variable(&'a Variable),
    /// The endpoint of a SERVICE clause.
    Service(&'a NamedNodePattern),
}

/// Iterates over all parts of a query's WHERE clause in evaluation order, with their depth.
pub(crate) struct Walk<'a> {
    stack: Vec<(Node<'a>, usize)>,
}

/// Walks the pattern of a query, without the CONSTRUCT template.
pub(crate) fn walk(query: &Query) -> Walk<'_> {
    walk_from(Node::Pattern(pattern_of(query)))
}

/// Walks from any part.
pub(crate) fn walk_from(part: Node<'_>) -> Walk<'_> {
    Walk { stack: vec![(part, 0)] }
}

/// A pattern and all patterns nested in it, including those in EXISTS.
pub(crate) fn patterns_within(pattern: &GraphPattern) -> impl Iterator<Item = &GraphPattern> {
    walk_from(Node::Pattern(pattern)).filter_map(|(node, _)| match node {
        Node::Pattern(pattern) => Some(pattern),
        _ => None,
    })
}

/// All expressions in a part at any depth; if the part is an expression, it comes first.
pub(crate) fn expressions_within(part: Node<'_>) -> impl Iterator<Item = &Expression> {
    walk_from(part).filter_map(|(node, _)| match node {
        Node::Expression(expression) => Some(expression),
        _ => None,
    })
}

/// The graph pattern of a query.
pub(crate) fn pattern_of(query: &Query) -> &GraphPattern {
    match query {
        Query::Select { pattern, .. }
        | Query::Construct { pattern, .. }
        | Query::Describe { pattern, .. }
        | Query::Ask { pattern, .. } => pattern,
    }
}

/// The graph pattern of a query, mutable.
pub(crate) fn pattern_of_mut(query: &mut Query) -> &mut GraphPattern {
    match query {
        Query::Select { pattern, .. }
        | Query::Construct { pattern, .. }
        | Query::Describe { pattern, .. }
        | Query::Ask { pattern, .. } => pattern,
    }
}

/// The direct child patterns and expressions of a pattern, mutable, in evaluation order.
pub(crate) fn parts_mut(pattern: &mut GraphPattern) -> (Vec<&mut GraphPattern>, Vec<&mut Expression>) {
    use GraphPattern as P;
    match pattern {
        P::Bgp { .. } | P::Path { .. } | P::Values { .. } => (Vec::new(), Vec::new()),
        P::Join { left, right }
        | P::Lateral { left, right }
        | P::Union { left, right }
        | P::Minus { left, right } => (vec![left, right], Vec::new()),
        P::LeftJoin { left, right, expression } => (vec![left, right], expression.iter_mut().collect()),
        P::Filter { expr, inner } => (vec![inner], vec![expr]),
        P::Extend { inner, expression, .. } => (vec![inner], vec![expression]),
        P::OrderBy { inner, expression } => {
            let keys = expression.iter_mut();
            (vec![inner], keys.map(|(OrderExpression::Asc(key) | OrderExpression::Desc(key))| key).collect())
        }
        P::Group { inner, aggregates, .. } => {
            let of = aggregates.iter_mut().filter_map(|(_, aggregate)| match aggregate {
                AggregateExpression::FunctionCall { expr, .. } => Some(expr),
                AggregateExpression::CountSolutions { .. } => None,
            });
            (vec![inner], of.collect())
        }
        P::Graph { inner, .. }
        | P::Service { inner, .. }
        | P::Project { inner, .. }
        | P::Distinct { inner }
        | P::Reduced { inner }
        | P::Slice { inner, .. } => (vec![inner], Vec::new()),
    }
}

/// The direct child patterns of a pattern, mutable.
pub(crate) fn patterns_mut(pattern: &mut GraphPattern) -> Vec<&mut GraphPattern> {
    parts_mut(pattern).0
}

/// The direct child expressions of an expression, mutable.
pub(crate) fn expressions_mut(expression: &mut Expression) -> Vec<&mut Expression> {
    use Expression as E;
    match expression {
        E::NamedNode(_) | E::Literal(_) | E::Variable(_) | E::Bound(_) | E::Exists(_) => Vec::new(),
        E::Or(a, b)
        | E::And(a, b)
        | E::Equal(a, b)
        | E::SameTerm(a, b)
        | E::Greater(a, b)
        | E::GreaterOrEqual(a, b)
        | E::Less(a, b)
        | E::LessOrEqual(a, b)
        | E::Add(a, b)
        | E::Subtract(a, b)
        | E::Multiply(a, b)
        | E::Divide(a, b) => vec![a, b],
        E::UnaryPlus(a) | E::UnaryMinus(a) | E::Not(a) => vec![a],
        E::If(a, b, c) => vec![a, b, c],
        E::In(a, list) => std::iter::once(&mut **a).chain(list).collect(),
        E::Coalesce(list) | E::FunctionCall(_, list) => list.iter_mut().collect(),
    }
}

/// The direct child patterns of a pattern.
pub(crate) fn patterns(pattern: &GraphPattern) -> impl Iterator<Item = &GraphPattern> {
    children(Node::Pattern(pattern)).into_iter().filter_map(|child| match child {
        Node::Pattern(inner) => Some(inner),
        _ => None,
    })
}

impl<'a> Iterator for Walk<'a> {
    type Item = (Node<'a>, usize);

    fn next(&mut self) -> Option<Self::Item> {
        let (node, depth) = self.stack.pop()?;
        // The stack is last in, first out.
        self.stack.extend(children(node).into_iter().rev().map(|child| (child, depth + 1)));
        Some((node, depth))
    }
}

/// The direct children of a node.
pub(crate) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut children = Vec::new();
    match node {
        Node::Pattern(pattern) => pattern_children(pattern, &mut children),
        Node::Expression(expression) => expression_children(expression, &mut children),
        Node::Path(path) => path_children(path, &mut children),
        Node::Iri(_) | Node::Variable(_) | Node::Service(_) => {}
    }
    children
}

fn pattern_children<'a>(pattern: &'a GraphPattern, out: &mut Vec<Node<'a>>) {
    use GraphPattern as P;
    match pattern {
        P::Bgp { patterns } => patterns.iter().for_each(|triple| triple_children(triple, out)),
        P::Path { subject, path, object } => {
            term(subject, out);
            out.push(Node::Path(path));
            term(object, out);
        }
        P::Join { left, right }
        | P::Lateral { left, right }
        | P::Union { left, right }
        | P::Minus { left, right } => {
            out.extend([Node::Pattern(left), Node::Pattern(right)]);
        }
        P::LeftJoin { left, right, expression } => {
            out.extend([Node::Pattern(left), Node::Pattern(right)]);
            out.extend(expression.iter().map(Node::Expression));
        }
        P::Filter { expr, inner } => out.extend([Node::Pattern(inner), Node::Expression(expr)]),
        P::Extend { inner, expression, .. } => {
            out.extend([Node::Pattern(inner), Node::Expression(expression)]);
        }
        P::Graph { name, inner } => {
            name_or_variable(name, out);
            out.push(Node::Pattern(inner));
        }
        P::Service { name, inner, .. } => out.extend([Node::Service(name), Node::Pattern(inner)]),
        P::Values { bindings, .. } => {
            for cell in bindings.iter().flatten().flatten() {
                if let GroundTerm::NamedNode(node) = cell {
                    out.push(Node::Iri(node));
                }
            }
        }
        P::OrderBy { inner, expression } => {
            out.push(Node::Pattern(inner));
            out.extend(expression.iter().map(|key| Node::Expression(sort_key(key).0)));
        }
        P::Group { inner, aggregates, .. } => {
            out.push(Node::Pattern(inner));
            out.extend(aggregates.iter().filter_map(|(_, one)| aggregated(one)).map(Node::Expression));
        }
        P::Project { inner, .. } | P::Distinct { inner } | P::Reduced { inner } | P::Slice { inner, .. } => {
            out.push(Node::Pattern(inner));
        }
    }
}

fn triple_children<'a>(triple: &'a TriplePattern, out: &mut Vec<Node<'a>>) {
    term(&triple.subject, out);
    name_or_variable(&triple.predicate, out);
    term(&triple.object, out);
}

fn term<'a>(term: &'a TermPattern, out: &mut Vec<Node<'a>>) {
    match term {
        TermPattern::NamedNode(node) => out.push(Node::Iri(node)),
        TermPattern::Variable(variable) => out.push(Node::Variable(variable)),
        TermPattern::BlankNode(_) | TermPattern::Literal(_) => {}
    }
}

fn name_or_variable<'a>(name: &'a NamedNodePattern, out: &mut Vec<Node<'a>>) {
    out.push(match name {
        NamedNodePattern::NamedNode(node) => Node::Iri(node),
        NamedNodePattern::Variable(variable) => Node::Variable(variable),
    });
}

fn expression_children<'a>(expression: &'a Expression, out: &mut Vec<Node<'a>>) {
    use Expression as E;
    match expression {
        E::NamedNode(node) => out.push(Node::Iri(node)),
        E::Variable(variable) | E::Bound(variable) => out.push(Node::Variable(variable)),
        E::Literal(_) => {}
        E::Or(a, b)
        | E::And(a, b)
        | E::Equal(a, b)
        | E::SameTerm(a, b)
        | E::Greater(a, b)
        | E::GreaterOrEqual(a, b)
        | E::Less(a, b)
        | E::LessOrEqual(a, b)
        | E::Add(a, b)
        | E::Subtract(a, b)
        | E::Multiply(a, b)
        | E::Divide(a, b) => out.extend([Node::Expression(a), Node::Expression(b)]),
        E::UnaryPlus(a) | E::UnaryMinus(a) | E::Not(a) => out.push(Node::Expression(a)),
        E::Exists(pattern) => out.push(Node::Pattern(pattern)),
        E::If(a, b, c) => out.extend([Node::Expression(a), Node::Expression(b), Node::Expression(c)]),
        E::In(a, list) => {
            out.push(Node::Expression(a));
            out.extend(list.iter().map(Node::Expression));
        }
        E::Coalesce(list) | E::FunctionCall(_, list) => out.extend(list.iter().map(Node::Expression)),
    }
}

fn path_children<'a>(path: &'a PropertyPathExpression, out: &mut Vec<Node<'a>>) {
    use PropertyPathExpression as P;
    match path {
        P::NamedNode(node) => out.push(Node::Iri(node)),
        P::Reverse(p) | P::ZeroOrMore(p) | P::OneOrMore(p) | P::ZeroOrOne(p) => out.push(Node::Path(p)),
        P::Sequence(a, b) | P::Alternative(a, b) => out.extend([Node::Path(a), Node::Path(b)]),
        P::NegatedPropertySet(nodes) => out.extend(nodes.iter().map(Node::Iri)),
    }
}

/// The variables of an expression in order of first use, without duplicates. For patterns in it (EXISTS), only the variables
/// in their expressions.
pub(crate) fn variables(expression: &Expression) -> Vec<&str> {
    each_once(expressions_within(Node::Expression(expression)).filter_map(|part| match part {
        Expression::Variable(variable) | Expression::Bound(variable) => Some(variable.as_str()),
        _ => None,
    }))
}

/// The pattern of a NOT EXISTS expression.
pub(crate) fn not_exists(expression: &Expression) -> Option<&GraphPattern> {
    match expression {
        Expression::Not(inner) => match inner.as_ref() {
            Expression::Exists(pattern) => Some(pattern),
            _ => None,
        },
        _ => None,
    }
}

/// The values without duplicates, in order.
pub(crate) fn each_once<T: PartialEq>(values: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut found = Vec::new();
    for value in values {
        if !found.contains(&value) {
            found.push(value);
        }
    }
    found
}

/// The [variables in scope](https://www.w3.org/TR/sparql11-query/#variableScope) of a pattern.
pub(crate) fn in_scope(pattern: &GraphPattern) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    pattern.on_in_scope_variable(|variable| {
        found.insert(variable.as_str().to_owned());
    });
    found
}

/// The names of variables.
pub(crate) fn names<'a, C: FromIterator<String>>(variables: impl IntoIterator<Item = &'a Variable>) -> C {
    variables.into_iter().map(|variable| variable.as_str().to_owned()).collect()
}

/// The name of a term that is a variable.
pub(crate) fn variable_of(term: &TermPattern) -> Option<&str> {
    match term {
        TermPattern::Variable(variable) => Some(variable.as_str()),
        _ => None,
    }
}

/// A term that is neither a variable nor a blank node.
pub(crate) fn constant(term: &TermPattern) -> Option<Term> {
    match term {
        TermPattern::NamedNode(node) => Some(node.clone().into()),
        TermPattern::Literal(literal) => Some(literal.clone().into()),
        TermPattern::BlankNode(_) | TermPattern::Variable(_) => None,
    }
}

/// The operands of a chain of ANDs, or the expression itself.
pub(crate) fn conjuncts(expression: &Expression) -> Vec<&Expression> {
    match expression {
        Expression::And(..) => operands(expression),
        other => vec![other],
    }
}

/// The operands of a chain of ANDs or of ORs.
pub(crate) fn operands(expression: &Expression) -> Vec<&Expression> {
    let mut found = Vec::new();
    let mut left = vec![expression];
    while let Some(part) = left.pop() {
        match (expression, part) {
            (Expression::And(..), Expression::And(a, b)) | (Expression::Or(..), Expression::Or(a, b)) => {
                left.extend([&**b, &**a]);
            }
            _ => found.push(part),
        }
    }
    found
}

/// The branches of a UNION, with nested UNIONs flattened.
pub(crate) fn branches(pattern: &GraphPattern) -> Vec<&GraphPattern> {
    match pattern {
        GraphPattern::Union { left, right } => {
            [left, right].into_iter().flat_map(|one| branches(one)).collect()
        }
        other => vec![other],
    }
}

/// The expression of a sort key, and whether it is descending.
pub(crate) fn sort_key(key: &OrderExpression) -> (&Expression, bool) {
    match key {
        OrderExpression::Asc(expression) => (expression, false),
        OrderExpression::Desc(expression) => (expression, true),
    }
}

/// Whether an aggregate is MIN or MAX.
pub(crate) fn is_extreme(aggregate: &AggregateExpression) -> bool {
    let extreme = |name: &AggregateFunction| matches!(name, AggregateFunction::Max | AggregateFunction::Min);
    matches!(aggregate, AggregateExpression::FunctionCall { name, .. } if extreme(name))
}

/// The argument of an aggregate; `None` for COUNT(*).
pub(crate) fn aggregated(aggregate: &AggregateExpression) -> Option<&Expression> {
    match aggregate {
        AggregateExpression::CountSolutions { .. } => None,
        AggregateExpression::FunctionCall { expr, .. } => Some(expr),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spargebra::SparqlParser;

    #[test]
    fn iris_are_met_everywhere_and_datatypes_and_functions_are_not() {
        let query = SparqlParser::new()
            .parse_query(
                r#"SELECT (SAMPLE(?x) AS ?y) WHERE {
                  GRAPH <e:g> { ?s (<e:p1>|^<e:p2>/<e:p3>*|!(<e:p4>)) <e:o> }
                  FILTER(EXISTS { ?s <e:p5> ?z FILTER(?z IN (<e:c>, "1"^^<e:datatype>)) } && <e:function>(<e:arg>))
                  VALUES ?x { <e:v> } { SELECT ?s { SERVICE <e:service> { ?s a <e:T> } } }
                } ORDER BY (?y = <e:order>)"#,
            )
            .unwrap();
        let iris: Vec<&str> = walk(&query)
            .filter_map(|(node, _)| match node {
                Node::Iri(iri) => Some(iri.as_str().trim_start_matches("e:")),
                _ => None,
            })
            .collect();
        let rdf_type = oxrdf::vocab::rdf::TYPE.as_str();
        let expected = ["g", "p1", "p2", "p3", "p4", "o", "v", rdf_type, "T", "p5", "c", "arg", "order"];
        assert_eq!(iris, expected);
        assert_eq!(walk(&query).filter(|(n, _)| matches!(n, Node::Service(_))).count(), 1);
    }

    #[test]
    fn the_patterns_within_are_the_same_to_be_read_and_to_be_changed() {
        let text = "SELECT DISTINCT ?x (COUNT(?y) AS ?n) { GRAPH <e:g> { ?x <e:p> ?y FILTER(?y > 1) BIND(1 AS ?z) } } GROUP BY ?x ORDER BY ?x LIMIT 3";
        let query = SparqlParser::new().parse_query(text).unwrap();
        let (mut depth, mut pattern) = (0, pattern_of(&query));
        while let Some(next) = patterns(pattern).next() {
            let mut copy = pattern.clone();
            assert!(patterns_mut(&mut copy).into_iter().map(|inner| inner.clone()).eq([next.clone()]));
            (depth, pattern) = (depth + 1, next);
        }
        assert!(matches!(pattern, GraphPattern::Bgp { .. }), "{pattern}");
        assert!(depth >= 8, "{depth}");
    }
}
