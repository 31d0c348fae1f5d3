//! Which literal values are found by their text: short strings, counted per property.

use super::graph::{Graph, NodeId, Object};
use super::roles::Roles;
use crate::vocabulary::{RDF_LANG_STRING, RDFS_LABEL, XSD, XSD_STRING};
use rustc_hash::FxHashMap;

/// What the value index holds of one (property, literal) pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueRecord {
    /// The property's IRI.
    pub property: String,
    /// The lexical form.
    pub text: String,
    /// The language tag; empty when there is none.
    pub language: String,
    /// The datatype's IRI.
    pub datatype: String,
    /// Triples with this property and value.
    pub count: u32,
    /// The most frequent class of the subjects.
    pub class: Option<String>,
}

/// Every (property, short text) pair of the data with its count. Texts of `rdfs:label` are left to the
/// entity index; numbers, dates and prose are no search targets.
pub fn values(graph: &Graph, roles: &Roles, max_chars: usize) -> Vec<ValueRecord> {
    let label = graph.find(RDFS_LABEL);
    let mut counts: FxHashMap<(NodeId, u32), Count> = FxHashMap::default();
    for triple in graph.triples() {
        let Object::Literal(id) = triple.object else { continue };
        let describes = roles.describing.contains(&triple.predicate) || Some(triple.predicate) == label;
        if roles.is_schema(triple.subject) || describes || !is_searchable(graph, id, max_chars) {
            continue;
        }
        let count = counts.entry((triple.predicate, id)).or_default();
        count.triples += 1;
        if let Some(class) = roles.types_of(triple.subject).first() {
            count.classes.push(*class);
        }
    }
    let mut records: Vec<ValueRecord> =
        counts.into_iter().filter_map(|((property, id), count)| record(graph, property, id, count)).collect();
    records.sort_by(|a, b| (&a.property, &a.text, &a.language).cmp(&(&b.property, &b.text, &b.language)));
    records
}

#[derive(Default)]
struct Count {
    triples: u32,
    classes: Vec<NodeId>,
}

fn is_searchable(graph: &Graph, id: u32, max_chars: usize) -> bool {
    graph.literal(id).is_some_and(|literal| {
        let datatype = graph.node(literal.datatype);
        let textual = datatype == XSD_STRING || datatype == RDF_LANG_STRING || !datatype.starts_with(XSD);
        textual
            && !literal.cut
            && literal.text.chars().any(char::is_alphanumeric)
            && literal.text.chars().count() <= max_chars
    })
}

fn record(graph: &Graph, property: NodeId, id: u32, mut count: Count) -> Option<ValueRecord> {
    let literal = graph.literal(id)?;
    count.classes.sort_unstable();
    let most = count.classes.chunk_by(|a, b| a == b).max_by_key(|run| run.len()).and_then(|run| run.first());
    Some(ValueRecord {
        property: graph.node(property).to_owned(),
        text: literal.text.to_string(),
        language: literal.language.to_string(),
        datatype: graph.node(literal.datatype).to_owned(),
        count: count.triples,
        class: most.map(|class| graph.node(*class).to_owned()),
    })
}
