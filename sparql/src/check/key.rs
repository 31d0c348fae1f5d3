//! The canonical key of a query.
//!
//! The parser generates random names for hidden variables (of aggregates) and blank nodes; the key numbers them.

use super::tokens::{SparqlToken, SparqlTokenKind, tokenize};
use rustc_hash::{FxHashMap, FxHashSet};
use spargebra::Query;

/// The serialized algebra, with the parser's generated names numbered in order.
pub(super) fn canonical(text: &str, algebra: &Query) -> String {
    let authored: FxHashSet<&str> = tokenize(text).iter().filter_map(SparqlToken::variable).collect();
    let mut algebra = algebra.clone();
    // All IRIs are already resolved; BASE would only affect how they were written.
    let (Query::Select { base_iri, .. }
    | Query::Ask { base_iri, .. }
    | Query::Construct { base_iri, .. }
    | Query::Describe { base_iri, .. }) = &mut algebra;
    *base_iri = None;
    let spelled = algebra.to_string();
    let mut numbers = FxHashMap::default();
    let mut key = String::with_capacity(spelled.len());
    for token in tokenize(&spelled) {
        let made_up = match token.variable() {
            Some(name) => !authored.contains(name),
            None => token.kind == SparqlTokenKind::BlankNode,
        };
        if made_up {
            let next = numbers.len();
            let number = *numbers.entry(token.text).or_insert(next);
            // A variable in the text cannot begin with two question marks.
            key.push_str(&format!("??{number}"));
        } else {
            key.push_str(token.text);
        }
    }
    key
}
