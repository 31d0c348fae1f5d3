//! A graph in memory as numbers: nodes and literals are interned once, a triple takes twelve bytes.

use oxrdf::{GraphName, NamedOrBlankNode, Quad, Term};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Number of a node (IRI or blank node) in its [`Graph`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// The object of a triple.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Object {
    /// An IRI or blank node.
    Node(NodeId),
    /// The number of a literal.
    Literal(u32),
}

/// A triple of the graph; duplicates across named graphs are kept once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Triple {
    /// The subject.
    pub subject: NodeId,
    /// The predicate, always an IRI.
    pub predicate: NodeId,
    /// The object.
    pub object: Object,
}

/// A literal: lexical form, datatype and language.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Literal {
    /// The lexical form, cut at the builder's limit.
    pub text: Arc<str>,
    /// The datatype's IRI.
    pub datatype: NodeId,
    /// The language tag, lower case; empty when there is none.
    pub language: Arc<str>,
    /// True when the lexical form was cut.
    pub cut: bool,
}

/// The triples of a dataset, sorted by subject, predicate, object.
#[derive(Debug, Default)]
pub struct Graph {
    nodes: Vec<Arc<str>>,
    literals: Vec<Literal>,
    triples: Vec<Triple>,
    graphs: Vec<(String, u64)>,
    read: u64,
    ids: FxHashMap<Arc<str>, NodeId>,
}

impl Graph {
    /// The text of a node: an IRI, or `_:…` for a blank node.
    pub fn node(&self, id: NodeId) -> &str {
        self.nodes.get(id.0 as usize).map_or("", |text| text)
    }

    /// The number of an IRI, if it occurs.
    pub fn find(&self, iri: &str) -> Option<NodeId> {
        self.ids.get(iri).copied()
    }

    /// Whether the node is an IRI.
    pub fn is_iri(&self, id: NodeId) -> bool {
        !self.node(id).starts_with("_:")
    }

    /// How many nodes there are; their ids are `0..node_count()`.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// A literal by its number.
    pub fn literal(&self, id: u32) -> Option<&Literal> {
        self.literals.get(id as usize)
    }

    /// The distinct triples in order.
    pub fn triples(&self) -> &[Triple] {
        &self.triples
    }

    /// The triples of one subject.
    pub fn about(&self, subject: NodeId) -> &[Triple] {
        let start = self.triples.partition_point(|t| t.subject < subject);
        let end = self.triples.partition_point(|t| t.subject <= subject);
        self.triples.get(start..end).unwrap_or_default()
    }

    /// Quads read, duplicates included.
    pub fn quads_read(&self) -> u64 {
        self.read
    }

    /// Named graphs with their quads; the default graph is not listed.
    pub fn named_graphs(&self) -> &[(String, u64)] {
        &self.graphs
    }
}

/// Collects quads into a [`Graph`].
#[derive(Debug)]
pub struct GraphBuilder {
    graph: Graph,
    literal_ids: FxHashMap<Literal, u32>,
    named: FxHashMap<String, u64>,
    max_literal_chars: usize,
    empty: Arc<str>,
}

impl GraphBuilder {
    /// A builder that cuts literals at `max_literal_chars`: longer ones are prose, of which the index
    /// keeps the beginning.
    pub fn new(max_literal_chars: usize) -> Self {
        Self {
            graph: Graph::default(),
            literal_ids: FxHashMap::default(),
            named: FxHashMap::default(),
            max_literal_chars,
            empty: Arc::from(""),
        }
    }

    /// Adds a quad. Triple terms (RDF 1.2) are left out: no index can use them.
    pub fn add(&mut self, quad: &Quad) {
        self.graph.read += 1;
        match &quad.graph_name {
            GraphName::DefaultGraph => {}
            GraphName::NamedNode(name) => *self.named.entry(name.as_str().to_owned()).or_default() += 1,
            GraphName::BlankNode(name) => *self.named.entry(name.to_string()).or_default() += 1,
        }
        let subject = match &quad.subject {
            NamedOrBlankNode::NamedNode(node) => self.intern(node.as_str()),
            NamedOrBlankNode::BlankNode(node) => self.intern(&node.to_string()),
        };
        let predicate = self.intern(quad.predicate.as_str());
        let object = match &quad.object {
            Term::NamedNode(node) => Object::Node(self.intern(node.as_str())),
            Term::BlankNode(node) => Object::Node(self.intern(&node.to_string())),
            Term::Literal(literal) => Object::Literal(self.intern_literal(literal)),
        };
        self.graph.triples.push(Triple { subject, predicate, object });
    }

    /// Sorts, removes duplicates and ends the building.
    pub fn finish(mut self) -> Graph {
        self.graph.triples.sort_unstable();
        self.graph.triples.dedup();
        self.graph.triples.shrink_to_fit();
        self.graph.graphs = self.named.into_iter().collect();
        self.graph.graphs.sort();
        self.graph
    }

    fn intern(&mut self, text: &str) -> NodeId {
        if let Some(id) = self.graph.ids.get(text) {
            return *id;
        }
        let id = NodeId(u32::try_from(self.graph.nodes.len()).unwrap_or(u32::MAX));
        let shared: Arc<str> = Arc::from(text);
        self.graph.nodes.push(Arc::clone(&shared));
        self.graph.ids.insert(shared, id);
        id
    }

    fn intern_literal(&mut self, literal: &oxrdf::Literal) -> u32 {
        let (text, cut) = match literal.value().char_indices().nth(self.max_literal_chars) {
            Some((end, _)) => (&literal.value()[..end], true),
            None => (literal.value(), false),
        };
        let language =
            literal.language().map_or_else(|| Arc::clone(&self.empty), |tag| Arc::from(tag.to_lowercase()));
        let datatype = self.intern(literal.datatype().as_str());
        let key = Literal { text: Arc::from(text), datatype, language, cut };
        if let Some(id) = self.literal_ids.get(&key) {
            return *id;
        }
        let id = u32::try_from(self.graph.literals.len()).unwrap_or(u32::MAX);
        self.graph.literals.push(key.clone());
        self.literal_ids.insert(key, id);
        id
    }
}
