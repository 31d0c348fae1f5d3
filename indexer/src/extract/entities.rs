//! Selects the resources that are found by name, and what is stored about each.

use super::bits::Bits;
use super::graph::{Graph, NodeId, Object, RELEASE_STEP, Triple};
use super::roles::Roles;
use eruca_language::text::{first_chars, humanize};
use eruca_sparql::local_name;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Maximum length of a description in characters: enough to distinguish namesakes.
const MAX_DESCRIPTION_CHARS: usize = 300;
/// Maximum length of a label in characters: longer ones are texts, and searches compare whole names.
const MAX_LABEL_CHARS: usize = 1_000;
/// Maximum number of labels kept per entity, preferred languages first: more than any real entity has.
const MAX_LABELS: usize = 2_000;
/// Extensions of URLs of documents, which are not entities.
const DOCUMENT_ENDINGS: &[&str] = &[
    ".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".pdf", ".html", ".htm", ".php", ".css", ".js", ".mp3",
    ".mp4", ".ogg",
];

/// A name of a resource.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Label {
    /// The name.
    pub text: String,
    /// Its language tag; empty when there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub language: String,
}

/// A resource that can be found by name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entity {
    /// The IRI, byte-exact.
    pub iri: String,
    /// Labels, those of the best naming property first; empty if only the local name is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<Label>,
    /// The IRI's local name, readable.
    pub local_name: String,
    /// A short description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Direct types.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub types: Vec<String>,
    /// Triples in which it is the subject.
    pub out_degree: u32,
    /// Triples in which it is the object.
    pub in_degree: u32,
    /// Number of pages about it elsewhere (sitelinks).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub pages: u32,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// A resource with the number of labels left out.
pub struct ExtractedEntity {
    /// The resource.
    pub entity: Entity,
    /// Number of labels left out.
    pub labels_cut: u32,
}

/// All searchable resources: IRIs that are subjects or objects in the data, without classes and
/// properties that occur only in the ontology, and without URLs of documents.
pub struct Entities<'a> {
    graph: &'a Graph,
    roles: &'a Roles,
    usage: EntityUse,
}

impl<'a> Entities<'a> {
    /// Counts how the nodes are used.
    pub fn new(graph: &'a Graph, roles: &'a Roles) -> Self {
        Self { graph, roles, usage: EntityUse::count(graph, roles) }
    }

    /// The resources among the nodes with these numbers.
    pub fn among(&self, nodes: Range<u32>) -> impl Iterator<Item = ExtractedEntity> {
        let mut triples = self.graph.triples_from(NodeId(nodes.start)).peekable();
        let mut taken = 0_usize;
        nodes.map(NodeId).filter_map(move |node| {
            let mut about = Vec::new();
            while let Some(triple) = triples.next_if(|triple| triple.subject <= node) {
                about.push(triple);
                taken += 1;
                if taken.is_multiple_of(RELEASE_STEP) {
                    self.graph.release();
                }
            }
            let wanted = self.graph.is_own(node)
                && self.graph.is_iri(node)
                && self.usage.is_entity(self.graph, self.roles, node, !about.is_empty());
            let record = wanted.then(|| record(self.graph, self.roles, &self.usage, node, &about))?;
            // Where entities have numbers as local names, one without a label cannot be found by any word.
            (!self.roles.classes_are_things || !record.entity.labels.is_empty()).then_some(record)
        })
    }
}

struct EntityUse {
    in_degree: Vec<u32>,
    /// Nodes that are objects in the data (not the ontology).
    pointed_at: Bits,
    datatypes: FxHashSet<NodeId>,
}

impl EntityUse {
    fn count(graph: &Graph, roles: &Roles) -> Self {
        let mut usage = Self {
            in_degree: vec![0; graph.node_count()],
            pointed_at: Bits::default(),
            datatypes: graph.kinds().map(|(_, kind)| kind.datatype).collect(),
        };
        for triple in graph.triples() {
            if let Object::Node(object) = triple.object {
                usage.note_pointer(roles, &triple, object);
            }
        }
        usage
    }

    fn note_pointer(&mut self, roles: &Roles, triple: &Triple, object: NodeId) {
        if let Some(count) = self.in_degree.get_mut(object.0 as usize) {
            *count = count.saturating_add(1);
        }
        if Some(triple.predicate) != roles.type_property && !roles.is_schema(triple.subject) {
            self.pointed_at.set(object.0);
        }
    }

    fn is_entity(&self, graph: &Graph, roles: &Roles, node: NodeId, is_subject: bool) -> bool {
        let pointed_at = self.pointed_at.get(node.0);
        let only_schema = roles.meta.contains(&node) && roles.types_of(node).is_empty();
        if roles.properties.contains(&node) || roles.property_entities.contains(&node) || only_schema {
            return false;
        }
        if roles.classes.contains(&node) && !roles.classes_are_things {
            return pointed_at || !roles.types_of(node).is_empty();
        }
        is_subject || (pointed_at && !is_document(graph.node(node)) && !self.datatypes.contains(&node))
    }
}

fn is_document(iri: &str) -> bool {
    let lower = iri.to_lowercase();
    let path = lower.split(['?', '#']).next().unwrap_or_default();
    lower.contains('?')
        || ["mailto:", "tel:", "file:", "data:"].iter().any(|s| lower.starts_with(s))
        || DOCUMENT_ENDINGS.iter().any(|ending| path.ends_with(ending))
}

fn record(
    graph: &Graph,
    roles: &Roles,
    usage: &EntityUse,
    node: NodeId,
    about: &[Triple],
) -> ExtractedEntity {
    let iri = graph.node(node);
    let (labels, labels_cut) = labels(graph, roles, about);
    let entity = Entity {
        iri: iri.to_owned(),
        labels,
        local_name: humanize(local_name(iri)),
        description: description(graph, roles, about),
        types: roles.types_of(node).iter().map(|class| graph.node(*class).to_owned()).collect(),
        out_degree: u32::try_from(about.len()).unwrap_or(u32::MAX),
        in_degree: usage.in_degree.get(node.0 as usize).copied().unwrap_or(0),
        pages: graph.pages(node),
    };
    ExtractedEntity { entity, labels_cut }
}

/// The labels of a resource, best naming property first and preferred languages first within each, without duplicates;
/// and how many were left out.
pub(super) fn labels(graph: &Graph, roles: &Roles, about: &[Triple]) -> (Vec<Label>, u32) {
    let mut ranked: Vec<(usize, usize, u32)> = about
        .iter()
        .filter_map(|triple| match triple.object {
            Object::Literal(id) => {
                let language = roles.language_rank(&graph.kind(graph.kind_of(id)?)?.language);
                Some((*roles.naming.get(&triple.predicate)?, language, id))
            }
            Object::Node(_) => None,
        })
        .collect();
    ranked.sort_unstable();
    let mut known: FxHashSet<(&str, &str)> = FxHashSet::default();
    let (mut found, mut cut) = (Vec::new(), 0);
    for literal in ranked.into_iter().filter_map(|(.., id)| graph.literal(id)) {
        let text = first_chars(literal.text.trim(), MAX_LABEL_CHARS);
        if text.is_empty() || !known.insert((text, literal.language)) {
            continue;
        }
        match found.len() < MAX_LABELS {
            true => found.push(Label { text: text.to_owned(), language: literal.language.to_string() }),
            false => cut += 1,
        }
    }
    (found, cut)
}

/// The first description, in the most preferred language available, shortened.
pub(super) fn description(graph: &Graph, roles: &Roles, about: &[Triple]) -> Option<String> {
    let described = about.iter().filter(|triple| roles.describing.contains(&triple.predicate));
    let ranked = described.filter_map(|triple| match triple.object {
        Object::Literal(id) => Some((roles.language_rank(&graph.kind(graph.kind_of(id)?)?.language), id)),
        Object::Node(_) => None,
    });
    let (_, first) = ranked.min_by_key(|(rank, _)| *rank)?;
    graph.literal(first).map(|literal| literal.text.chars().take(MAX_DESCRIPTION_CHARS).collect())
}
