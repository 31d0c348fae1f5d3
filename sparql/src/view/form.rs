//! The text of a rewritten query: its form, BASE and FROM are those of the original.

use crate::query::write::SparqlWriter;
use spargebra::Query;
use spargebra::algebra::{GraphPattern, QueryDataset};
use spargebra::term::TriplePattern;

/// A SELECT with this pattern if the query is one, else an ASK.
pub(super) fn text(query: &Query, pattern: &GraphPattern) -> String {
    let (base, from) = (base(query), from(query.dataset()));
    match query {
        Query::Select { .. } => format!("{base}{}", SparqlWriter::default().select_from(pattern, &from)),
        _ => format!("{base}ASK {from}WHERE {{ {} }}", SparqlWriter::default().pattern(pattern)),
    }
}

/// A CONSTRUCT with this template and pattern, and what else the query has.
pub(super) fn construct(query: &Query, template: &[TriplePattern], pattern: &GraphPattern) -> String {
    let triples: String = template.iter().map(|triple| format!("{triple} . ")).collect();
    let (base, from) = (base(query), from(query.dataset()));
    let pattern = SparqlWriter::default().pattern(pattern);
    format!("{base}CONSTRUCT {{ {triples}}} {from}WHERE {{ {pattern} }}")
}

/// An ASK over the same graphs.
pub(super) fn ask(query: &Query, pattern: &GraphPattern) -> String {
    let pattern = SparqlWriter::default().pattern(pattern);
    format!("ASK {}WHERE {{ {pattern} }}", from(query.dataset()))
}

fn base(query: &Query) -> String {
    query.base_iri().map_or_else(String::new, |base| format!("BASE <{base}>\n"))
}

fn from(dataset: Option<&QueryDataset>) -> String {
    let Some(dataset) = dataset else { return String::new() };
    let default = dataset.default.iter().map(|graph| format!("FROM {graph} "));
    let named = dataset.named.iter().flatten().map(|graph| format!("FROM NAMED {graph} "));
    default.chain(named).collect()
}
