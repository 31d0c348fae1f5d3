//! Which nodes are classes, properties, names and descriptions: declared by the ontology or seen in use.

use super::graph::{Graph, NodeId, Object};
use crate::vocabulary::{
    CLASS_TYPES, DESCRIBING_PROPERTIES, NAMING_PROPERTIES, NAMING_WORDS, PROPERTY_TYPES, is_meta,
};
use eruca_language::text::{fold, humanize};
use eruca_sparql::local_name;
use rustc_hash::{FxHashMap, FxHashSet};

/// The role of each node in the graph.
#[derive(Debug, Default)]
pub struct Roles {
    /// Classes, declared or used as the object of the type property.
    pub classes: FxHashSet<NodeId>,
    /// Properties, declared or used as a predicate.
    pub properties: FxHashSet<NodeId>,
    /// Naming properties with their rank, 0 the best.
    pub naming: FxHashMap<NodeId, usize>,
    /// Describing properties.
    pub describing: FxHashSet<NodeId>,
    /// The type property, if it occurs.
    pub type_property: Option<NodeId>,
    /// Direct types of each typed node, without RDF, RDFS and OWL's own classes.
    pub types: Types,
    /// Resources typed by RDF, RDFS or OWL itself: ontologies, axioms, lists.
    pub meta: FxHashSet<NodeId>,
    /// Direct superclasses.
    pub superclasses: FxHashMap<NodeId, Vec<NodeId>>,
    /// Entities that carry the names of properties, other than the properties themselves.
    pub property_entities: FxHashSet<NodeId>,
    /// See [`Vocabulary::classes_are_things`](crate::vocabulary::Vocabulary::classes_are_things).
    pub classes_are_things: bool,
    /// Preferred languages of names, with their rank.
    languages: FxHashMap<String, usize>,
}

/// The direct types of nodes, stored consecutively in node order.
#[derive(Debug, Default)]
pub struct Types {
    starts: Vec<u32>,
    classes: Vec<NodeId>,
}

impl Types {
    /// Nodes must be added in order.
    fn add(&mut self, node: NodeId, class: NodeId) {
        let start = u32::try_from(self.classes.len()).unwrap_or(u32::MAX);
        self.starts.resize(self.starts.len().max(node.0 as usize + 1), start);
        self.classes.push(class);
    }

    fn of(&self, node: NodeId) -> &[NodeId] {
        let at = node.0 as usize;
        let Some(start) = self.starts.get(at) else { return &[] };
        let end = self.starts.get(at + 1).map_or(self.classes.len(), |end| *end as usize);
        self.classes.get(*start as usize..end).unwrap_or_default()
    }

    /// Every typed node with its types.
    pub fn all(&self) -> impl Iterator<Item = (NodeId, &[NodeId])> {
        let nodes = (0..self.starts.len()).map(|at| NodeId(at as u32));
        nodes.map(|node| (node, self.of(node))).filter(|(_, types)| !types.is_empty())
    }
}

/// Types whose instances are classes or properties.
struct MetaTypes {
    of_classes: FxHashSet<NodeId>,
    of_properties: FxHashSet<NodeId>,
}

impl MetaTypes {
    fn of(graph: &Graph) -> Self {
        let known = |iris: &[&str]| iris.iter().filter_map(|iri| graph.find(iri)).collect();
        Self { of_classes: known(CLASS_TYPES), of_properties: known(PROPERTY_TYPES) }
    }
}

impl Roles {
    /// Determines the roles; `extra_naming` are configured naming properties, which come first, and names in the first
    /// of `languages` come before others.
    pub fn find(graph: &Graph, extra_naming: &[String], languages: &[String]) -> Self {
        let vocabulary = graph.vocabulary();
        let mut roles = Self {
            type_property: graph.find(&vocabulary.type_property),
            property_entities: property_entities(graph),
            classes_are_things: vocabulary.classes_are_things,
            languages: languages.iter().map(|tag| tag.to_lowercase()).zip(0..).collect(),
            ..Self::default()
        };
        let meta = MetaTypes::of(graph);
        let sub_class_of = graph.find(&vocabulary.subclass_property);
        for triple in graph.triples() {
            roles.properties.insert(triple.predicate);
            let Object::Node(object) = triple.object else { continue };
            if roles.property_entities.contains(&triple.subject) {
                continue;
            }
            if Some(triple.predicate) == roles.type_property {
                roles.add_type(graph, triple.subject, object, &meta);
            } else if Some(triple.predicate) == sub_class_of {
                roles.add_superclass(graph, triple.subject, object);
            }
        }
        roles.classes.retain(|class| graph.is_iri(*class) && !is_meta(graph.node(*class)));
        if roles.classes_are_things {
            roles.keep_classes_of_things();
        }
        roles.describing = DESCRIBING_PROPERTIES.iter().filter_map(|iri| graph.find(iri)).collect();
        roles.find_naming(graph, extra_naming);
        roles
    }

    /// The direct types of a node; empty if it has none.
    pub fn types_of(&self, node: NodeId) -> &[NodeId] {
        self.types.of(node)
    }

    /// Whether a subject belongs to the ontology: its triples are not about the data.
    pub fn is_schema(&self, node: NodeId) -> bool {
        let only_meta = self.meta.contains(&node) && self.types_of(node).is_empty();
        let class = self.classes.contains(&node) && !self.classes_are_things;
        only_meta || class || self.properties.contains(&node) || self.property_entities.contains(&node)
    }

    /// Rank of names in a language: preferred languages first, then names for all languages, then English and names without
    /// a language, then the rest. If a language variety is not listed, its primary language is used.
    pub(super) fn language_rank(&self, tag: &str) -> usize {
        let primary = tag.split('-').next().unwrap_or(tag);
        let wanted = self.languages.get(tag).or_else(|| self.languages.get(primary));
        let (known, variety) = (self.languages.len(), usize::from(primary != tag));
        match (wanted, primary) {
            (Some(rank), _) => 2 * rank + variety,
            (None, "mul") => 2 * known,
            (None, "en" | "") => 2 * known + 1 + variety,
            (None, _) => 2 * known + 3,
        }
    }

    /// Where classes are ordinary entities, a class is whatever has instances, and the superclasses of these.
    fn keep_classes_of_things(&mut self) {
        let mut kept: FxHashSet<NodeId> = self.types.all().flat_map(|(_, types)| types).copied().collect();
        let mut open: Vec<NodeId> = kept.iter().copied().collect();
        while let Some(class) = open.pop() {
            for above in self.superclasses.get(&class).into_iter().flatten() {
                if kept.insert(*above) {
                    open.push(*above);
                }
            }
        }
        self.classes.retain(|class| kept.contains(class));
        self.superclasses.retain(|class, _| kept.contains(class));
    }

    fn add_type(&mut self, graph: &Graph, subject: NodeId, class: NodeId, meta: &MetaTypes) {
        if meta.of_classes.contains(&class) {
            self.classes.insert(subject);
        } else if meta.of_properties.contains(&class) {
            self.properties.insert(subject);
        } else if is_meta(graph.node(class)) {
            self.meta.insert(subject);
        } else {
            self.classes.insert(class);
            self.types.add(subject, class);
        }
    }

    fn add_superclass(&mut self, graph: &Graph, class: NodeId, superclass: NodeId) {
        if graph.is_iri(class) && graph.is_iri(superclass) && class != superclass {
            self.classes.insert(class);
            self.classes.insert(superclass);
            self.superclasses.entry(class).or_default().push(superclass);
        }
    }

    /// Well-known naming properties with their fixed rank; after them, in graphs without their own naming vocabulary,
    /// properties with string literals whose local name ends with a naming word (`pv:name`, `Song_Name`).
    fn find_naming(&mut self, graph: &Graph, extra: &[String]) {
        let given = extra.iter().chain(&graph.vocabulary().naming).map(String::as_str);
        for iri in given.chain(NAMING_PROPERTIES.iter().copied()) {
            if let Some(id) = graph.find(iri) {
                let rank = self.naming.len();
                self.naming.entry(id).or_insert(rank);
            }
        }
        if self.classes_are_things {
            return;
        }
        let mut guessed: Vec<NodeId> =
            self.properties.iter().copied().filter(|p| ends_with_naming_word(graph, *p)).collect();
        let textual = properties_with_text(graph, &guessed);
        guessed.retain(|property| textual.contains(property));
        guessed.sort_by_key(|property| graph.node(*property).len());
        for property in guessed {
            let rank = NAMING_PROPERTIES.len() + extra.len() + self.naming.len();
            self.naming.entry(property).or_insert(rank);
        }
    }
}

/// The nodes that carry names of properties, determined from the collected facts and their IRIs.
fn property_entities(graph: &Graph) -> FxHashSet<NodeId> {
    let Some(names) = &graph.vocabulary().statements else { return FxHashSet::default() };
    let bears_names = |(node, iri)| names.property_number(iri).map(|_| node);
    graph.nodes().filter_map(bears_names).collect()
}

fn ends_with_naming_word(graph: &Graph, property: NodeId) -> bool {
    let readable = fold(&humanize(local_name(graph.node(property))));
    readable.split(' ').next_back().is_some_and(|last| {
        NAMING_WORDS.contains(&last)
            || ["fname", "lname", "firstname", "lastname", "surname", "fullname"].contains(&last)
    })
}

fn properties_with_text(graph: &Graph, candidates: &[NodeId]) -> FxHashSet<NodeId> {
    let candidates: FxHashSet<NodeId> = candidates.iter().copied().collect();
    let is_text = |object: Object| match object {
        Object::Literal(id) => graph.literal(id).is_some_and(|l| l.text.chars().any(char::is_alphabetic)),
        Object::Node(_) => false,
    };
    let mut found = FxHashSet::default();
    for triple in graph.triples() {
        // A single text is enough.
        let open = candidates.contains(&triple.predicate) && !found.contains(&triple.predicate);
        if open && is_text(triple.object) {
            found.insert(triple.predicate);
        }
    }
    found
}
