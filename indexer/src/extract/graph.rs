//! A graph as numbers: nodes and literals are interned once, triples are sorted in a file with twelve bytes each.
//!
//! Only a few numbers per node and per shared literal grow with the graph and must stay in memory. Texts and
//! triples are in files of the build, read sequentially or at random.
//!
//! Triples are sorted in runs on disk, and the index is the same however small the runs are. Test:
//! `dataset/tests/space.rs`.

use super::bits::Bits;
use super::dictionary::{LiteralWriter, Literals, NodeWriter, Nodes};
use super::kinds::{KindId, LiteralType};
use super::share::{Share, Sharing};
use super::sorted_keys::{KeySorter, SortedKeys};
use super::texts;
use super::unnamed::Unnamed;
use crate::vocabulary::{
    GivenVocabulary, PropertyFacts, QuadRole, RDFS_LABEL, Readers, Recognised, Vocabulary, WellKnown,
};
use oxrdf::{GraphName, NamedOrBlankNode, Quad, Term};
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};

/// Marks the number of a literal among objects, so that nodes sort before literals.
const LITERAL: u32 = 1 << 31;

/// Number of triples after which memory is released. Nodes are numbered in order of first occurrence, so texts of
/// neighbours may be anywhere in a file, and each access loads the pages around it.
pub(super) const RELEASE_STEP: usize = 1 << 16;

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

impl Triple {
    fn key(self) -> [u32; 3] {
        let object = match self.object {
            Object::Node(node) => node.0,
            Object::Literal(id) => id | LITERAL,
        };
        [self.subject.0, self.predicate.0, object]
    }

    fn from_key([subject, predicate, object]: [u32; 3]) -> Self {
        let object = match object & LITERAL {
            0 => Object::Node(NodeId(object)),
            _ => Object::Literal(object & !LITERAL),
        };
        Self { subject: NodeId(subject), predicate: NodeId(predicate), object }
    }
}

/// A literal: lexical form, datatype and language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Literal<'a> {
    /// The lexical form, cut at the builder's limit.
    pub text: &'a str,
    /// The datatype's IRI.
    pub datatype: NodeId,
    /// The language tag, lower case; empty when there is none.
    pub language: &'a str,
    /// Whether the lexical form was cut.
    pub cut: bool,
}

/// The triples of a dataset, sorted by subject, predicate, object.
#[derive(Debug)]
pub struct Graph {
    nodes: Nodes,
    literals: Literals,
    triples: SortedKeys,
    graphs: Vec<(String, u64)>,
    read: u64,
    recognised: Recognised,
    /// Number of pages about each node, if there are any.
    known: Vec<u16>,
    /// What belongs to other shares of the graph, if it is divided.
    foreign: Foreign,
    divided: bool,
    space: Space,
}

/// The nodes and literals of other shares.
#[derive(Debug, Default)]
struct Foreign {
    nodes: Bits,
    literals: Bits,
}

/// Where a build stores data that it does not keep in memory.
#[derive(Debug, Clone)]
pub struct Space {
    /// An existing folder.
    pub folder: PathBuf,
    /// Triples sorted in memory at a time, twelve bytes each.
    pub triples_in_memory: usize,
    /// Maximum number of nodes, and of literals.
    pub numbers: u32,
}

impl Space {
    /// A folder and the default amount of memory: 96 MB.
    pub fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), triples_in_memory: 8_000_000, numbers: LITERAL }
    }

    /// A sorter for triples of numbers that keeps duplicates.
    pub(super) fn sorter(&self, name: &'static str) -> KeySorter {
        KeySorter::new(&self.folder, name, self.triples_in_memory, false)
    }
}

impl Graph {
    /// The text of a node: an IRI, or `_:…` for a blank node.
    pub fn node(&self, id: NodeId) -> &str {
        self.nodes.get(id)
    }

    /// The number of an IRI, if it occurs.
    pub fn find(&self, iri: &str) -> Option<NodeId> {
        self.nodes.find(iri)
    }

    /// Whether the node is an IRI.
    pub fn is_iri(&self, id: NodeId) -> bool {
        is_iri(self.node(id))
    }

    /// Number of nodes; their ids are `0..node_count()`.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// All nodes in number order, which is faster than requesting one after the other.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, &str)> {
        (0..).map(NodeId).zip(self.nodes.in_order())
    }

    /// The texts of all literals in number order.
    pub fn literal_texts(&self) -> impl Iterator<Item = (u32, &str)> {
        (0..).zip(self.literals.texts_in_order())
    }

    /// A literal by its number. This reads its text from a file; use [`Self::kind_of`] if only the kind is needed.
    pub fn literal(&self, id: u32) -> Option<Literal<'_>> {
        let LiteralType { datatype, language, cut } = self.kind(self.kind_of(id)?)?;
        Some(Literal { text: self.literals.text(id)?, datatype: *datatype, language, cut: *cut })
    }

    /// The number of a literal's kind, available without reading the literal.
    pub fn kind_of(&self, literal: u32) -> Option<KindId> {
        self.literals.kind_of(literal)
    }

    /// A kind by its number.
    pub fn kind(&self, id: KindId) -> Option<&LiteralType> {
        self.literals.kinds().get(id.0 as usize)
    }

    /// All kinds of literals with their numbers.
    pub fn kinds(&self) -> impl Iterator<Item = (KindId, &LiteralType)> {
        (0..).map(KindId).zip(self.literals.kinds())
    }

    /// Number of distinct triples.
    pub fn triple_count(&self) -> usize {
        self.triples.len()
    }

    /// The distinct triples in order. Memory of files read meanwhile is released.
    pub fn triples(&self) -> impl Iterator<Item = Triple> + '_ {
        self.releasing(RELEASE_STEP, self.triples_from(NodeId(0)))
    }

    /// The items; at regular intervals, memory of files read meanwhile is released.
    pub(super) fn releasing<T>(
        &self,
        step: usize,
        items: impl Iterator<Item = T>,
    ) -> impl Iterator<Item = T> {
        (1_usize..).zip(items).map(move |(number, item)| {
            if number.is_multiple_of(step) {
                self.release();
            }
            item
        })
    }

    /// The triples of this subject and of all following ones.
    pub fn triples_from(&self, subject: NodeId) -> impl Iterator<Item = Triple> + '_ {
        self.triples.from(subject.0).map(Triple::from_key)
    }

    /// The triples of one subject; none if it belongs to another share, which alone has all of them.
    pub fn about(&self, subject: NodeId) -> Vec<Triple> {
        let triples = self.triples.of(subject.0).map(Triple::from_key);
        if self.is_own(subject) { triples.collect() } else { Vec::new() }
    }

    /// Whether a node belongs to this share of the graph; always if it is not divided.
    pub fn is_own(&self, id: NodeId) -> bool {
        !self.foreign.nodes.get(id.0)
    }

    /// The same of a literal.
    pub fn is_own_literal(&self, id: u32) -> bool {
        !self.foreign.literals.get(id)
    }

    /// Whether it is a share of a graph.
    pub fn is_divided(&self) -> bool {
        self.divided
    }

    /// Quads read, duplicates included.
    pub fn quads_read(&self) -> u64 {
        self.read
    }

    /// The graph's vocabulary for types and labels.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.recognised.vocabulary
    }

    /// Facts about properties collected while reading.
    pub fn property_facts(&self) -> &[PropertyFacts] {
        &self.recognised.properties
    }

    /// Number of pages about a node elsewhere (sitelinks): how prominent it is.
    pub fn pages(&self, id: NodeId) -> u32 {
        self.known.get(id.0 as usize).copied().map_or(0, u32::from)
    }

    /// Named graphs with their quads; the default graph is not listed.
    pub fn named_graphs(&self) -> &[(String, u64)] {
        &self.graphs
    }

    /// Where to store data that does not stay in memory.
    pub(super) fn space(&self) -> &Space {
        &self.space
    }

    /// Lets the system reclaim memory of files that were read.
    pub fn release(&self) {
        self.nodes.release();
        self.literals.release();
        self.triples.release();
    }
}

/// Whether the text of a node is an IRI.
pub(super) fn is_iri(node: &str) -> bool {
    !node.starts_with("_:")
}

/// Collects quads into a [`Graph`].
#[derive(Debug)]
pub struct GraphBuilder {
    nodes: NodeWriter,
    literals: LiteralWriter,
    triples: KeySorter,
    graphs: FxHashMap<String, u64>,
    read: u64,
    max_literal_chars: usize,
    readers: Readers,
    known: Vec<u16>,
    /// Nodes with a label.
    named: Bits,
    /// Which share of the graph is kept, if it is divided.
    sharing: Option<Sharing>,
    foreign: Foreign,
    space: Space,
}

impl GraphBuilder {
    /// A builder that cuts literals at `max_literal_chars`: longer ones are prose, of which the index
    /// keeps the beginning.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn new(
        max_literal_chars: usize,
        vocabulary: &GivenVocabulary,
        space: Space,
    ) -> std::io::Result<Self> {
        let numbers = space.numbers.min(LITERAL);
        Ok(Self {
            nodes: NodeWriter::create(&space.folder, numbers)?,
            literals: LiteralWriter::create(&space.folder, numbers)?,
            triples: KeySorter::new(&space.folder, "triples", space.triples_in_memory, true),
            graphs: FxHashMap::default(),
            read: 0,
            max_literal_chars,
            readers: Readers::new(vocabulary),
            known: Vec::new(),
            named: Bits::default(),
            sharing: None,
            foreign: Foreign::default(),
            space,
        })
    }

    /// Keeps only what a share needs, if there is one. `vocabulary` is the configured one.
    #[must_use]
    pub fn of_share(mut self, share: Option<Share>, vocabulary: &GivenVocabulary) -> Self {
        self.sharing = share.map(|share| Sharing::new(share, vocabulary));
        self
    }

    /// Adds a quad. Triple terms (RDF 1.2) are left out, as no index can use them; so are triples of auxiliary nodes that only
    /// carry others.
    ///
    /// # Errors
    /// When the folder cannot be written, and with [`TooMany`](eruca_store::TooMany) when numbers run out.
    pub fn add(&mut self, quad: &Quad) -> std::io::Result<()> {
        self.read += 1;
        match &quad.graph_name {
            GraphName::DefaultGraph => {}
            GraphName::NamedNode(name) => *self.graphs.entry(name.as_str().to_owned()).or_default() += 1,
            GraphName::BlankNode(name) => *self.graphs.entry(name.to_string()).or_default() += 1,
        }
        match self.readers.classify(quad) {
            QuadRole::Data => {}
            QuadRole::ReifiedNode => return Ok(()),
            QuadRole::Known(known) => return self.note_known(quad, known),
        }
        if self.sharing.as_mut().is_some_and(|sharing| !sharing.keeps(quad)) {
            return Ok(());
        }
        let subject = self.intern_subject(&quad.subject)?;
        if quad.predicate.as_str() == RDFS_LABEL {
            self.named.set(subject.0);
        }
        let predicate = self.intern(quad.predicate.as_str())?;
        let object = match &quad.object {
            Term::NamedNode(node) => Object::Node(self.intern(node.as_str())?),
            Term::BlankNode(node) => Object::Node(self.intern(&node.to_string())?),
            Term::Literal(literal) => Object::Literal(self.intern_literal(literal)?),
        };
        self.triples.push(Triple { subject, predicate, object }.key())
    }

    fn intern_subject(&mut self, subject: &NamedOrBlankNode) -> std::io::Result<NodeId> {
        match subject {
            NamedOrBlankNode::NamedNode(node) => self.intern(node.as_str()),
            NamedOrBlankNode::BlankNode(node) => self.intern(&node.to_string()),
        }
    }

    /// Whether a node belongs to this share of the graph; always if it is not divided.
    fn is_own(&self, node: &str) -> bool {
        self.sharing.as_ref().is_none_or(|sharing| sharing.share().has_node(node))
    }

    /// The number of a node.
    fn intern(&mut self, node: &str) -> std::io::Result<NodeId> {
        let id = self.nodes.intern(node)?;
        if !self.is_own(node) {
            self.foreign.nodes.set(id.0);
        }
        Ok(id)
    }

    /// Notes a node's pages, given as a count or as single pages. If both are present, the order of prominence stays the same.
    fn note_known(&mut self, quad: &Quad, known: WellKnown) -> std::io::Result<()> {
        let (node, told) = match (known, &quad.subject, &quad.object) {
            (WellKnown::Subject(_), NamedOrBlankNode::NamedNode(node), _) if !self.is_own(node.as_str()) => {
                return Ok(());
            }
            (WellKnown::Subject(count), subject, _) => (self.intern_subject(subject)?, Some(count)),
            (WellKnown::Object, _, Term::NamedNode(node)) if self.is_own(node.as_str()) => {
                (self.intern(node.as_str())?, None)
            }
            (WellKnown::Object, ..) => return Ok(()),
        };
        let at = node.0 as usize;
        self.known.resize(self.known.len().max(at + 1), 0);
        if let Some(pages) = self.known.get_mut(at) {
            *pages = match told {
                Some(count) => (*pages).max(u16::try_from(count).unwrap_or(u16::MAX)),
                None => pages.saturating_add(1),
            };
        }
        Ok(())
    }

    /// Entities without a label, where local names are numbers.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn unnamed(&mut self) -> std::io::Result<Unnamed> {
        let Some(names) = self.readers.namespaces() else { return Ok(Unnamed::default()) };
        let so_far = self.nodes.so_far()?;
        // Whether those of other shares have a label is not known here.
        let is_named = |id: NodeId| self.named.get(id.0) || self.foreign.nodes.get(id.0);
        let nodes = (0..).map(NodeId).zip(texts::in_order(&so_far));
        let is_named_property =
            |entity: &str| !self.is_own(entity) || self.nodes.find(entity).is_some_and(is_named);
        Ok(Unnamed::among(names, nodes, is_named, is_named_property))
    }

    /// Sorts, removes duplicates and completes the graph.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn finish(self) -> std::io::Result<Graph> {
        // Literals first: this frees their table, the largest one.
        let literals = self.literals.finish()?;
        let mut graphs: Vec<(String, u64)> = self.graphs.into_iter().collect();
        graphs.sort();
        Ok(Graph {
            nodes: self.nodes.finish()?,
            literals,
            triples: self.triples.finish()?,
            graphs,
            read: self.read,
            recognised: self.readers.finish(),
            known: self.known,
            foreign: self.foreign,
            divided: self.sharing.is_some(),
            space: self.space,
        })
    }

    fn intern_literal(&mut self, literal: &oxrdf::Literal) -> std::io::Result<u32> {
        let value = literal.value();
        let end = match value.len() <= self.max_literal_chars {
            true => None,
            false => value.char_indices().nth(self.max_literal_chars).map(|(end, _)| end),
        };
        let datatype = self.intern(literal.datatype().as_str())?;
        let language = literal.language().unwrap_or_default();
        let text = end.and_then(|end| value.get(..end)).unwrap_or(value);
        let shared = language.is_empty() || !self.readers.names_things();
        let id = self.literals.intern(text, datatype, language, (end.is_some(), shared))?;
        if self.sharing.as_ref().is_some_and(|sharing| !sharing.share().has_literal(value)) {
            self.foreign.literals.set(id);
        }
        Ok(id)
    }
}
