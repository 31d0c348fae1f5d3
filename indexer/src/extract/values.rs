//! Which literal values are found by their text: short strings, counted per property.

use super::graph::{Graph, NodeId, Object, RELEASE_STEP};
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

/// Stands for the class of a subject that has none.
const UNTYPED: u32 = u32::MAX;

/// Hands on every (property, short text) pair of the data with its count, by property. Texts of `rdfs:label`
/// are left to the entity index; numbers, dates and prose are no search targets.
///
/// # Errors
/// When the folder of the build cannot be written, and what `take` fails with.
pub fn values<E: From<std::io::Error>>(
    graph: &Graph,
    roles: &Roles,
    max_chars: usize,
    mut take: impl FnMut(ValueRecord) -> Result<(), E>,
) -> Result<(), E> {
    let properties = Ranked::new(graph, roles);
    let label = graph.find(RDFS_LABEL);
    let mut uses = graph.space().sorter("values");
    for triple in graph.triples() {
        let Object::Literal(id) = triple.object else { continue };
        let describes = roles.describing.contains(&triple.predicate) || Some(triple.predicate) == label;
        // Where one vocabulary names all things, aliases are names of entities and of nothing else.
        let names = roles.classes_are_things && roles.naming.contains_key(&triple.predicate);
        if roles.is_schema(triple.subject) || describes || names || !is_searchable(graph, id, max_chars) {
            continue;
        }
        if roles.classes_are_things && !is_code_or_text(graph, id) {
            continue;
        }
        let class = roles.types_of(triple.subject).first().map_or(UNTYPED, |class| class.0);
        uses.push([properties.rank(triple.predicate), id, class])?;
    }
    let uses = uses.finish()?;
    let mut pairs = uses.from(0).peekable();
    let mut taken = 0_usize;
    while let Some([property, id, class]) = pairs.next() {
        taken += 1;
        if taken.is_multiple_of(RELEASE_STEP) {
            graph.release();
        }
        let mut count = Count::of(class);
        while let Some([.., class]) = pairs.next_if(|next| next[..2] == [property, id]) {
            count.add(class);
        }
        if let Some(record) = record(graph, properties.at(property), id, &count) {
            take(record)?;
        }
    }
    Ok(())
}

/// Properties in the order of their IRIs.
struct Ranked {
    in_order: Vec<NodeId>,
    ranks: FxHashMap<NodeId, u32>,
}

impl Ranked {
    fn new(graph: &Graph, roles: &Roles) -> Self {
        let mut in_order: Vec<NodeId> = roles.properties.iter().copied().collect();
        in_order.sort_unstable_by_key(|id| graph.node(*id));
        let ranks = in_order.iter().zip(0..).map(|(id, rank)| (*id, rank)).collect();
        Self { in_order, ranks }
    }

    fn rank(&self, property: NodeId) -> u32 {
        self.ranks.get(&property).copied().unwrap_or_default()
    }

    fn at(&self, rank: u32) -> NodeId {
        self.in_order.get(rank as usize).copied().unwrap_or(NodeId(UNTYPED))
    }
}

/// Triples of one value, whose classes come in order, and the class seen most often so far.
struct Count {
    triples: u32,
    class: u32,
    run: u32,
    most: Option<(u32, u32)>,
}

impl Count {
    fn of(class: u32) -> Self {
        let mut count = Self { triples: 0, class, run: 0, most: None };
        count.add(class);
        count
    }

    fn add(&mut self, class: u32) {
        self.triples += 1;
        self.run = if class == self.class { self.run + 1 } else { 1 };
        self.class = class;
        if class != UNTYPED && self.most.is_none_or(|(run, _)| self.run >= run) {
            self.most = Some((self.run, class));
        }
    }
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

/// In a Wikibase texts have languages; strings without one are codes, identifiers, names of files and categories, of which
/// only codes are asked for.
fn is_code_or_text(graph: &Graph, id: u32) -> bool {
    graph.literal(id).is_some_and(|literal| {
        let code =
            literal.text.chars().any(|c| c.is_ascii_digit()) && !literal.text.contains([' ', '/', '_']);
        !literal.language.is_empty() || code
    })
}

fn record(graph: &Graph, property: NodeId, id: u32, count: &Count) -> Option<ValueRecord> {
    let literal = graph.literal(id)?;
    Some(ValueRecord {
        property: graph.node(property).to_owned(),
        text: literal.text.to_owned(),
        language: literal.language.to_owned(),
        datatype: graph.node(literal.datatype).to_owned(),
        count: count.triples,
        class: count.most.map(|(_, class)| graph.node(NodeId(class)).to_owned()),
    })
}
