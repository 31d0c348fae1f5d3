//! Numbers nodes and literals in order of first occurrence. Their texts are in files of the build.
//!
//! Known items are recognised by a 64-bit hash with a random key per build. Among 10^8 nodes or literals, the
//! probability of any collision is below one in a thousand. Nobody can cause one on purpose, and it would affect a
//! single entity or value.

use super::graph::NodeId;
use super::kinds::{KindId, KindWriter, KindsOf, LiteralType};
use super::mapped::Mapped;
use super::texts::{NumberedTexts, TextWriter};
use eruca_store::TooMany;
use hashbrown::HashTable;
use std::borrow::Cow;
use std::hash::{BuildHasher, RandomState};
use std::path::Path;

const NODES: &str = "nodes";
const LITERALS: &str = "literals";
/// A table grows by being copied into one of twice the size; with many tables, only one at a time does.
const TABLES: usize = 32;
const TABLE_BITS: u32 = TABLES.ilog2();
/// The highest bits of a hash, which the hash tables use themselves.
const TAG_BITS: u32 = 7;

/// Assigns numbers and finds those assigned before.
#[derive(Debug)]
struct TextNumbers {
    what: &'static str,
    most: u32,
    hasher: RandomState,
    tables: Vec<HashTable<KnownText>>,
}

impl TextNumbers {
    fn new(what: &'static str, most: u32) -> Self {
        let tables = (0..TABLES).map(|_| HashTable::new()).collect();
        Self { what, most, hasher: RandomState::new(), tables }
    }

    /// The next number, after `count` were assigned.
    fn next(&self, count: usize) -> std::io::Result<u32> {
        let number = u32::try_from(count).ok().filter(|number| *number < self.most);
        number.ok_or_else(|| std::io::Error::other(TooMany { what: self.what, most: self.most }))
    }

    fn hash(&self, thing: impl std::hash::Hash) -> u64 {
        self.hasher.hash_one(thing)
    }

    fn find(&self, hash: u64) -> Option<u32> {
        self.tables.get(table(hash))?.find(hash, |known| known.hash() == hash).map(|known| known.id)
    }

    fn insert(&mut self, hash: u64, id: u32) {
        if let Some(table) = self.tables.get_mut(table(hash)) {
            table.insert_unique(hash, KnownText::new(hash, id), KnownText::hash);
        }
    }
}

fn table(hash: u64) -> usize {
    (hash >> (u64::BITS - TAG_BITS - TABLE_BITS)) as usize % TABLES
}

/// A known item: its number and hash, in twelve bytes.
#[derive(Debug)]
struct KnownText {
    hash: [u32; 2],
    id: u32,
}

impl KnownText {
    fn new(hash: u64, id: u32) -> Self {
        Self { hash: [(hash >> 32) as u32, hash as u32], id }
    }

    fn hash(&self) -> u64 {
        let [high, low] = self.hash.map(u64::from);
        high << 32 | low
    }
}

/// Numbers nodes and writes their texts to a file.
#[derive(Debug)]
pub(super) struct NodeWriter {
    texts: TextWriter,
    numbers: TextNumbers,
}

impl NodeWriter {
    /// A writer with a limit on the number of nodes.
    pub(super) fn create(folder: &Path, most: u32) -> std::io::Result<Self> {
        Ok(Self { texts: TextWriter::create(folder, NODES)?, numbers: TextNumbers::new("nodes", most) })
    }

    pub(super) fn find(&self, node: &str) -> Option<NodeId> {
        self.numbers.find(self.numbers.hash(node)).map(NodeId)
    }

    /// The number of a node; a new one if the node is new.
    pub(super) fn intern(&mut self, node: &str) -> std::io::Result<NodeId> {
        let hash = self.numbers.hash(node);
        if let Some(known) = self.numbers.find(hash) {
            return Ok(NodeId(known));
        }
        let id = self.numbers.next(self.texts.len())?;
        self.texts.push(node)?;
        self.numbers.insert(hash, id);
        Ok(NodeId(id))
    }

    /// The texts of the nodes so far, for [`super::texts::in_order`].
    pub(super) fn so_far(&mut self) -> std::io::Result<Mapped> {
        self.texts.so_far()
    }

    pub(super) fn finish(self) -> std::io::Result<Nodes> {
        Ok(Nodes { texts: self.texts.finish()?, numbers: self.numbers })
    }
}

/// Nodes by number and numbers by node.
#[derive(Debug)]
pub(super) struct Nodes {
    texts: NumberedTexts,
    numbers: TextNumbers,
}

impl Nodes {
    pub(super) fn len(&self) -> usize {
        self.texts.len()
    }

    pub(super) fn get(&self, id: NodeId) -> &str {
        self.texts.get(id.0).unwrap_or_default()
    }

    pub(super) fn find(&self, node: &str) -> Option<NodeId> {
        self.numbers.find(self.numbers.hash(node)).map(NodeId)
    }

    /// All nodes in number order.
    pub(super) fn in_order(&self) -> impl Iterator<Item = &str> {
        self.texts.in_order()
    }

    /// Lets the system reclaim the memory of the texts.
    pub(super) fn release(&self) {
        self.texts.release();
    }
}

/// Numbers literals and writes their texts to a file.
#[derive(Debug)]
pub(super) struct LiteralWriter {
    texts: TextWriter,
    numbers: TextNumbers,
    kinds: KindWriter,
    kinds_of: KindsOf,
}

impl LiteralWriter {
    /// A writer with a limit on the number of literals.
    pub(super) fn create(folder: &Path, most: u32) -> std::io::Result<Self> {
        Ok(Self {
            texts: TextWriter::create(folder, LITERALS)?,
            numbers: TextNumbers::new("literals", most),
            kinds: KindWriter::default(),
            kinds_of: KindsOf::default(),
        })
    }

    /// The number of a literal; a new one if the literal is new, or not `shared`: names mostly belong to one entity,
    /// and finding duplicates would take more memory than keeping some.
    pub(super) fn intern(
        &mut self,
        text: &str,
        datatype: NodeId,
        language: &str,
        (cut, shared): (bool, bool),
    ) -> std::io::Result<u32> {
        let language = match language.chars().any(char::is_uppercase) {
            true => Cow::Owned(language.to_lowercase()),
            false => Cow::Borrowed(language),
        };
        let kind = self.kinds.intern(datatype, &language, cut);
        if !shared {
            return self.add(text, kind);
        }
        let hash = self.numbers.hash((text, kind));
        if let Some(known) = self.numbers.find(hash) {
            return Ok(known);
        }
        let id = self.add(text, kind)?;
        self.numbers.insert(hash, id);
        Ok(id)
    }

    fn add(&mut self, text: &str, kind: KindId) -> std::io::Result<u32> {
        let id = self.numbers.next(self.texts.len())?;
        self.texts.push(text)?;
        self.kinds_of.push(kind);
        Ok(id)
    }

    pub(super) fn finish(self) -> std::io::Result<Literals> {
        Ok(Literals { texts: self.texts.finish()?, kinds: self.kinds.finish(), kinds_of: self.kinds_of })
    }
}

/// Literals by number.
#[derive(Debug)]
pub(super) struct Literals {
    texts: NumberedTexts,
    kinds: Vec<LiteralType>,
    kinds_of: KindsOf,
}

impl Literals {
    /// The text of a literal, from the file.
    pub(super) fn text(&self, id: u32) -> Option<&str> {
        self.texts.get(id)
    }

    /// All texts in number order.
    pub(super) fn texts_in_order(&self) -> impl Iterator<Item = &str> {
        self.texts.in_order()
    }

    /// The kind of a literal.
    pub(super) fn kind_of(&self, id: u32) -> Option<KindId> {
        self.kinds_of.get(id)
    }

    /// All kinds in number order.
    pub(super) fn kinds(&self) -> &[LiteralType] {
        &self.kinds
    }

    /// Lets the system reclaim the memory of the texts.
    pub(super) fn release(&self) {
        self.texts.release();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(30))]
        #[test]
        fn equal_nodes_have_one_number_in_the_order_of_coming(
            nodes in proptest::collection::vec("[a-c]{0,3}", 0..200),
        ) {
            let folder = tempfile::tempdir().unwrap();
            let mut writer = NodeWriter::create(folder.path(), u32::MAX).unwrap();
            let mut order: Vec<&String> = Vec::new();
            for node in &nodes {
                let at = order.iter().position(|known| *known == node).unwrap_or_else(|| {
                    order.push(node);
                    order.len() - 1
                });
                prop_assert_eq!(writer.intern(node).unwrap(), NodeId(at as u32));
            }
            let written = writer.finish().unwrap();
            prop_assert_eq!(written.len(), order.len());
            for (number, node) in (0..).zip(order) {
                prop_assert_eq!(written.get(NodeId(number)), node);
                prop_assert_eq!(written.find(node), Some(NodeId(number)));
            }
            prop_assert_eq!(written.find("d"), None);
        }
    }

    #[test]
    fn literals_differ_by_text_language_datatype_and_cut() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = LiteralWriter::create(folder.path(), u32::MAX).unwrap();
        let (string, number) = (NodeId(0), NodeId(1));
        let mut ids = Vec::new();
        for (text, datatype, language, cut) in [
            ("a", string, "", false),
            ("a", string, "en", false),
            ("a", string, "EN", false),
            ("a", number, "", false),
            ("a", string, "", true),
            ("b", string, "", false),
            ("a", string, "", false),
        ] {
            ids.push(writer.intern(text, datatype, language, (cut, true)).unwrap());
        }
        assert_eq!(ids, [0, 1, 1, 2, 3, 4, 0]);
        assert_eq!(writer.intern("a", string, "en", (false, false)).unwrap(), 5, "not looked for");
        let written = writer.finish().unwrap();
        let kind = LiteralType { datatype: string, language: "en".to_owned(), cut: false };
        for id in [1, 5] {
            let of = written.kind_of(id).and_then(|KindId(kind)| written.kinds().get(kind as usize));
            assert_eq!((written.text(id), of), (Some("a"), Some(&kind)));
        }
        assert_eq!((written.text(6), written.kind_of(6)), (None, None));
    }

    #[test]
    fn numbers_that_run_out_are_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let mut nodes = NodeWriter::create(folder.path(), 2).unwrap();
        let mut literals = LiteralWriter::create(folder.path(), 2).unwrap();
        for text in ["a", "b", "a", "b"] {
            nodes.intern(text).unwrap();
            literals.intern(text, NodeId(0), "", (false, true)).unwrap();
        }
        let failed = [
            nodes.intern("c").unwrap_err(),
            literals.intern("c", NodeId(0), "", (false, true)).unwrap_err(),
            literals.intern("a", NodeId(0), "en", (false, false)).unwrap_err(),
        ];
        let what = failed.map(|error| TooMany::within(&error).unwrap().what);
        assert_eq!(what, ["nodes", "literals", "literals"]);
    }
}
