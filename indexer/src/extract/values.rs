//! Selects the literal values that can be searched by text: short strings, counted per property.

use super::graph::{Graph, NodeId, Object, RELEASE_STEP};
use super::kinds::{KindId, KindsOf, LiteralType};
use super::roles::Roles;
use super::sorted_keys::SortedKeys;
use super::texts::{NumberedTexts, TextWriter};
use crate::vocabulary::{RDF_LANG_STRING, RDFS_LABEL, XSD, XSD_STRING};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

/// A literal value of a property, searchable by its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PropertyValue {
    /// The property's IRI.
    pub property: String,
    /// The lexical form, exactly.
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

/// Stands for the class of an untyped subject.
const UNTYPED: u32 = u32::MAX;

/// Passes on every pair of a property and a short text in the data with its count, by property. Texts of `rdfs:label`
/// are left to the entity index; numbers, dates and prose are not searchable.
///
/// # Errors
/// When the folder of the build cannot be written, and any error of `take`.
pub fn values<E: From<std::io::Error>>(
    graph: &Graph,
    roles: &Roles,
    max_chars: usize,
    mut take: impl FnMut(PropertyValue) -> Result<(), E>,
) -> Result<(), E> {
    let properties = Ranked::new(graph, roles);
    let uses = uses(graph, roles, &properties)?;
    let wanted = |kind: &LiteralType, text: &str| {
        is_searchable(text, max_chars) && (!roles.classes_are_things || is_code_or_text(kind, text))
    };
    let Values { uses, texts, kinds } = Values::among(graph, &uses, wanted)?;
    let mut pairs = uses.from(0).peekable();
    let mut taken = 0_usize;
    while let Some([property, value, class]) = pairs.next() {
        taken += 1;
        if taken.is_multiple_of(RELEASE_STEP) {
            graph.release();
            texts.release();
        }
        let mut count = Count::of(class);
        while let Some([.., class]) = pairs.next_if(|next| next[..2] == [property, value]) {
            count.add(class);
        }
        if let (Some(text), Some(kind)) = (texts.get(value), kinds.get(value).and_then(|id| graph.kind(id))) {
            take(record(graph, properties.at(property), (kind, text), &count))?;
        }
    }
    Ok(())
}

/// The literals that may be values, each with its property's rank and a class, by literal.
fn uses(graph: &Graph, roles: &Roles, properties: &Ranked) -> std::io::Result<SortedKeys> {
    let label = graph.find(RDFS_LABEL);
    let textual: FxHashSet<KindId> =
        graph.kinds().filter(|(_, kind)| is_textual(graph, kind)).map(|(id, _)| id).collect();
    let mut uses = graph.space().sorter("literals");
    for triple in graph.triples() {
        let Object::Literal(id) = triple.object else { continue };
        let describes = roles.describing.contains(&triple.predicate) || Some(triple.predicate) == label;
        // In a Wikibase, labels and aliases name entities, which have an index of their own; they are not values.
        let names = roles.classes_are_things && roles.naming.contains_key(&triple.predicate);
        let is_textual = graph.kind_of(id).is_some_and(|kind| textual.contains(&kind));
        let searched = is_textual && !describes && !names && graph.is_own_literal(id);
        if !searched || roles.is_schema(triple.subject) {
            continue;
        }
        let class = roles.types_of(triple.subject).first().map_or(UNTYPED, |class| class.0);
        uses.push([id, properties.rank(triple.predicate), class])?;
    }
    uses.finish()
}

/// The values of a graph. Their texts are stored together, so that reading them by property does not touch all of the graph's.
struct Values {
    /// Each value with its property's rank and a class, by property.
    uses: SortedKeys,
    texts: NumberedTexts,
    kinds: KindsOf,
}

impl Values {
    /// Copies the values in use, in one pass over all texts.
    fn among(
        graph: &Graph,
        uses: &SortedKeys,
        wanted: impl Fn(&LiteralType, &str) -> bool,
    ) -> std::io::Result<Self> {
        let mut texts = TextWriter::create(&graph.space().folder, "values")?;
        let (mut by_property, mut kinds) = (graph.space().sorter("values"), KindsOf::default());
        let (mut uses, mut literals) = (uses.from(0).peekable(), graph.literal_texts());
        while let Some([literal, ..]) = uses.peek().copied() {
            let Some((_, text)) = literals.find(|(id, _)| *id == literal) else { break };
            let kind =
                graph.kind_of(literal).filter(|id| graph.kind(*id).is_some_and(|kind| wanted(kind, text)));
            // Cannot overflow: there are fewer values than literals, whose numbers are u32.
            let value = texts.len() as u32;
            while let Some([_, property, class]) = uses.next_if(|[next, ..]| *next == literal) {
                if kind.is_some() {
                    by_property.push([property, value, class])?;
                }
            }
            if let Some(kind) = kind {
                texts.push(text)?;
                kinds.push(kind);
            }
        }
        Ok(Self { uses: by_property.finish()?, texts: texts.finish()?, kinds })
    }
}

/// Properties in IRI order.
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

/// Number of triples with one value, whose classes arrive in order, and the most frequent class so far.
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

/// Numbers and dates are not searchable, and of prose only the beginning is kept.
fn is_textual(graph: &Graph, kind: &LiteralType) -> bool {
    let datatype = graph.node(kind.datatype);
    !kind.cut && (datatype == XSD_STRING || datatype == RDF_LANG_STRING || !datatype.starts_with(XSD))
}

fn is_searchable(text: &str, max_chars: usize) -> bool {
    text.chars().any(char::is_alphanumeric) && text.chars().count() <= max_chars
}

/// In a Wikibase, texts have languages; strings without one are codes, identifiers, names of files and categories, of which
/// only codes are searched for.
fn is_code_or_text(kind: &LiteralType, text: &str) -> bool {
    let code = text.chars().any(|c| c.is_ascii_digit()) && !text.contains([' ', '/', '_']);
    !kind.language.is_empty() || code
}

fn record(
    graph: &Graph,
    property: NodeId,
    (kind, text): (&LiteralType, &str),
    count: &Count,
) -> PropertyValue {
    PropertyValue {
        property: graph.node(property).to_owned(),
        text: text.to_owned(),
        language: kind.language.clone(),
        datatype: graph.node(kind.datatype).to_owned(),
        count: count.triples,
        class: count.most.map(|(_, class)| graph.node(NodeId(class)).to_owned()),
    }
}
