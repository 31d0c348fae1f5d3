//! Walking the SPARQL algebra of a parsed query: which IRIs, services and depth it has.
//!
//! Uses `spargebra` only. The walk keeps its own stack, so that a query of any depth can be looked at
//! before anything that recurses sees it.

use oxrdf::NamedNode;
use spargebra::Query;
use spargebra::algebra::{
    AggregateExpression, Expression, GraphPattern, OrderExpression, PropertyPathExpression,
};
use spargebra::term::{GroundTerm, NamedNodePattern, TermPattern, TriplePattern};

/// A part of the algebra that is met on the walk.
#[derive(Clone, Copy)]
pub(crate) enum Node<'a> {
    Pattern(&'a GraphPattern),
    Expression(&'a Expression),
    Path(&'a PropertyPathExpression),
    /// An IRI constant in a pattern or an expression (not a datatype, not a function name).
    Iri(&'a NamedNode),
    /// The endpoint of a SERVICE clause.
    Service(&'a NamedNodePattern),
}

/// All parts of a query's WHERE clause in the order they are evaluated, each with its depth.
pub(crate) struct Walk<'a> {
    stack: Vec<(Node<'a>, usize)>,
}

/// Starts a walk over the pattern of a query; the template of CONSTRUCT is not part of it.
pub(crate) fn walk(query: &Query) -> Walk<'_> {
    Walk { stack: vec![(Node::Pattern(pattern_of(query)), 0)] }
}

/// Starts a walk over one pattern.
pub(crate) fn walk_pattern(pattern: &GraphPattern) -> Walk<'_> {
    Walk { stack: vec![(Node::Pattern(pattern), 0)] }
}

/// Starts a walk over one expression.
pub(crate) fn walk_expression(expression: &Expression) -> Walk<'_> {
    Walk { stack: vec![(Node::Expression(expression), 0)] }
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

/// The same, to be changed.
pub(crate) fn pattern_of_mut(query: &mut Query) -> &mut GraphPattern {
    match query {
        Query::Select { pattern, .. }
        | Query::Construct { pattern, .. }
        | Query::Describe { pattern, .. }
        | Query::Ask { pattern, .. } => pattern,
    }
}

/// The same for a reference that reads and one that changes.
macro_rules! inner_of {
    ($pattern:expr) => {{
        use GraphPattern as P;
        match $pattern {
            P::Filter { inner, .. }
            | P::Graph { inner, .. }
            | P::Extend { inner, .. }
            | P::OrderBy { inner, .. }
            | P::Project { inner, .. }
            | P::Distinct { inner }
            | P::Reduced { inner }
            | P::Slice { inner, .. }
            | P::Group { inner, .. } => Some(inner),
            _ => None,
        }
    }};
}

/// The pattern within one that has a single one and makes its rows of those: a filter, an order, a projection, a group.
pub(crate) fn inner(pattern: &GraphPattern) -> Option<&GraphPattern> {
    inner_of!(pattern)
}

/// The same to be changed.
pub(crate) fn inner_mut(pattern: &mut GraphPattern) -> Option<&mut GraphPattern> {
    inner_of!(pattern)
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

/// What a part is directly made of.
pub(crate) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut children = Vec::new();
    match node {
        Node::Pattern(pattern) => pattern_children(pattern, &mut children),
        Node::Expression(expression) => expression_children(expression, &mut children),
        Node::Path(path) => path_children(path, &mut children),
        Node::Iri(_) | Node::Service(_) => {}
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
            out.extend(
                expression
                    .iter()
                    .map(|(OrderExpression::Asc(e) | OrderExpression::Desc(e))| Node::Expression(e)),
            );
        }
        P::Group { inner, aggregates, .. } => {
            out.push(Node::Pattern(inner));
            for (_, aggregate) in aggregates {
                if let AggregateExpression::FunctionCall { expr, .. } = aggregate {
                    out.push(Node::Expression(expr));
                }
            }
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
    if let TermPattern::NamedNode(node) = term {
        out.push(Node::Iri(node));
    }
}

fn name_or_variable<'a>(name: &'a NamedNodePattern, out: &mut Vec<Node<'a>>) {
    if let NamedNodePattern::NamedNode(node) = name {
        out.push(Node::Iri(node));
    }
}

/// What an expression is directly made of.
pub(crate) fn expression_children<'a>(expression: &'a Expression, out: &mut Vec<Node<'a>>) {
    use Expression as E;
    match expression {
        E::NamedNode(node) => out.push(Node::Iri(node)),
        E::Literal(_) | E::Variable(_) | E::Bound(_) => {}
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
    fn the_inner_pattern_is_the_same_to_be_read_and_to_be_changed() {
        let text = "SELECT DISTINCT ?x (COUNT(?y) AS ?n) { GRAPH <e:g> { ?x <e:p> ?y FILTER(?y > 1) BIND(1 AS ?z) } } GROUP BY ?x ORDER BY ?x LIMIT 3";
        let query = SparqlParser::new().parse_query(text).unwrap();
        let (mut depth, mut pattern) = (0, pattern_of(&query));
        while let Some(next) = inner(pattern) {
            assert_eq!(inner_mut(&mut pattern.clone()).map(|inner| inner.clone()).as_ref(), Some(next));
            (depth, pattern) = (depth + 1, next);
        }
        assert!(matches!(pattern, GraphPattern::Bgp { .. }), "{pattern}");
        assert!(depth >= 8, "{depth}");
    }
}
