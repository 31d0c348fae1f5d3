//! Refuses functions that are not part of SPARQL: what an engine does for them is unknown, and could be anything: loading
//! code, reading files, calling other servers.

use super::{QueryPolicy, refuse};
use crate::datatypes::XSD;
use crate::error::QueryError;
use crate::query::algebra::{Node, walk};
use oxrdf::NamedNode;
use spargebra::Query;
use spargebra::algebra::{AggregateExpression, AggregateFunction, Expression, Function, GraphPattern};

/// IRI prefixes of Virtuoso and Jena for executable code. As predicates of triples they are called, too.
const CODE: &[&str] = &["bif:", "sql:", "java:"];

/// Checks all function calls in the parsed query.
pub(super) fn refuse_functions(query: &Query, policy: &QueryPolicy) -> Result<(), QueryError> {
    walk(query).flat_map(|(node, _)| called(node)).try_for_each(|function| refuse_unknown(function, policy))
}

/// The extension functions that a node itself calls.
fn called(node: Node<'_>) -> Vec<&NamedNode> {
    match node {
        Node::Expression(Expression::FunctionCall(Function::Custom(function), _)) => vec![function],
        Node::Iri(iri) if is_code(iri.as_str()) => vec![iri],
        Node::Pattern(GraphPattern::Group { aggregates, .. }) => {
            aggregates.iter().filter_map(|(_, aggregate)| custom(aggregate)).collect()
        }
        _ => Vec::new(),
    }
}

fn custom(aggregate: &AggregateExpression) -> Option<&NamedNode> {
    match aggregate {
        AggregateExpression::FunctionCall { name: AggregateFunction::Custom(function), .. } => Some(function),
        _ => None,
    }
}

fn is_code(iri: &str) -> bool {
    CODE.iter().any(|scheme| iri.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)))
}

fn refuse_unknown(function: &NamedNode, policy: &QueryPolicy) -> Result<(), QueryError> {
    let (iri, dialect) = (function.as_str(), policy.dialect);
    let is_cast = iri.strip_prefix(XSD).is_some_and(|name| name.chars().all(|c| c.is_ascii_alphabetic()));
    let configured = || policy.functions.iter().any(|start| start == "*" || iri.starts_with(start.as_str()));
    if is_cast || dialect.has_function(iri) || configured() {
        return Ok(());
    }
    refuse(format!(
        "the function {function} is no part of SPARQL 1.1, and not among those known of the endpoint's engine ({}); use \
         built-in functions. Whoever runs this service can allow it: allow_functions in [sparql], or dialect of the dataset \
         if the engine is another one",
        dialect.title()
    ))
}
