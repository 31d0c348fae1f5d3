//! Limits a query to some named graphs.

use super::refuse;
use crate::query::algebra::{Node, pattern_of, patterns_within, walk};
use crate::{CheckedQuery, QueryError};
use oxrdf::NamedNode;
use spargebra::Query;
use spargebra::algebra::{GraphPattern, QueryDataset};
use spargebra::term::NamedNodePattern;

/// The query with FROM and FROM NAMED for these graphs; `None` if there are none. The author's own FROM stays, if it names nothing else.
///
/// # Errors
/// When another graph is named, or SERVICE, which could ask the same endpoint about any graph.
pub(super) fn limited(
    query: &CheckedQuery,
    graphs: &[NamedNode],
) -> Result<Option<CheckedQuery>, QueryError> {
    if graphs.is_empty() {
        return Ok(None);
    }
    let own = query.algebra().dataset();
    let from = own.iter().flat_map(|own| own.default.iter().chain(own.named.iter().flatten()));
    let named = patterns_within(pattern_of(query.algebra())).filter_map(|pattern| match pattern {
        GraphPattern::Graph { name: NamedNodePattern::NamedNode(name), .. } => Some(name),
        _ => None,
    });
    if from.chain(named).any(|name| !graphs.contains(name)) {
        let known: Vec<String> = graphs.iter().map(ToString::to_string).collect();
        return refuse(&format!("it names a graph that is not one of this dataset: {}", known.join(", ")));
    }
    if walk(query.algebra()).any(|(node, _)| matches!(node, Node::Service(_))) {
        return refuse("SERVICE cannot be used in a dataset that is limited to some graphs");
    }
    let mut limited = query.clone();
    if own.is_none() {
        let all = QueryDataset { default: graphs.to_vec(), named: Some(graphs.to_vec()) };
        let (Query::Select { dataset, .. }
        | Query::Ask { dataset, .. }
        | Query::Construct { dataset, .. }
        | Query::Describe { dataset, .. }) = limited.algebra_mut();
        *dataset = Some(all);
    }
    Ok(Some(limited))
}
