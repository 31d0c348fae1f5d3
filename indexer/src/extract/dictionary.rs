//! Texts as numbers: nodes in memory, literals in a file.

use super::graph::{Literal, NodeId};
use super::mapped::Mapped;
use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

const BUFFER_BYTES: usize = 1 << 18;
const LITERALS: &str = "literals";

/// Nodes by number and numbers by node; the texts lie one behind the other.
#[derive(Debug, Default)]
pub(super) struct Nodes {
    texts: String,
    ends: Vec<u64>,
    ids: HashTable<u32>,
}

impl Nodes {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn get(&self, id: NodeId) -> &str {
        text(&self.texts, &self.ends, id.0)
    }

    pub(super) fn find(&self, node: &str) -> Option<NodeId> {
        self.ids.find(hash_node(node), |id| text(&self.texts, &self.ends, *id) == node).copied().map(NodeId)
    }

    /// The number of a node, which is new if the node is.
    pub(super) fn intern(&mut self, node: &str) -> NodeId {
        if let Some(id) = self.find(node) {
            return id;
        }
        let id = u32::try_from(self.ends.len()).unwrap_or(u32::MAX);
        self.texts.push_str(node);
        self.ends.push(self.texts.len() as u64);
        let (texts, ends) = (&self.texts, &self.ends);
        self.ids.insert_unique(hash_node(node), id, |id| hash_node(text(texts, ends, *id)));
        NodeId(id)
    }
}

fn text<'a>(texts: &'a str, ends: &[u64], id: u32) -> &'a str {
    let id = id as usize;
    let start = id.checked_sub(1).and_then(|before| ends.get(before)).copied().unwrap_or(0);
    let end = ends.get(id).copied().unwrap_or(start);
    texts.get(start as usize..end as usize).unwrap_or_default()
}

fn hash_node(node: &str) -> u64 {
    let mut hasher = FxHasher::default();
    node.hash(&mut hasher);
    hasher.finish()
}

/// What literals share: datatype, language, and whether the text was cut.
type Kind = (NodeId, String, bool);

/// Numbers literals and writes their texts to a file.
///
/// Literals are the same when 64 bits of SipHash and their lengths are. Among 10^8 of them, the chance that
/// any two are mixed up is below one in a thousand, and what they would spoil is a single name or value.
#[derive(Debug)]
pub(super) struct LiteralWriter {
    path: PathBuf,
    file: BufWriter<File>,
    ends: Vec<u64>,
    kinds: Vec<u32>,
    known: HashTable<Known>,
    known_kinds: Vec<Kind>,
    kind_ids: FxHashMap<Kind, u32>,
}

impl LiteralWriter {
    pub(super) fn create(folder: &Path) -> std::io::Result<Self> {
        let path = folder.join(LITERALS);
        let file = BufWriter::with_capacity(BUFFER_BYTES, File::create(&path)?);
        Ok(Self {
            path,
            file,
            ends: Vec::new(),
            kinds: Vec::new(),
            known: HashTable::new(),
            known_kinds: Vec::new(),
            kind_ids: FxHashMap::default(),
        })
    }

    /// The number of a literal, which is new if the literal is, or if it is not `shared`: names mostly belong to one thing,
    /// and looking for them takes more memory than having some of them twice.
    pub(super) fn intern(
        &mut self,
        text: &str,
        datatype: NodeId,
        language: &str,
        (cut, shared): (bool, bool),
    ) -> std::io::Result<u32> {
        let kind = self.kind((datatype, language.to_lowercase(), cut));
        if !shared {
            return self.add(text, kind);
        }
        let mut hasher = DefaultHasher::new();
        (text, kind).hash(&mut hasher);
        let hash = hasher.finish();
        let ends = &self.ends;
        let length = |id: u32| {
            let id = id as usize;
            let start = id.checked_sub(1).and_then(|before| ends.get(before)).copied().unwrap_or(0);
            ends.get(id).map_or(0, |end| end - start)
        };
        let same = |known: &Known| known.hash() == hash && length(known.id) == text.len() as u64;
        if let Some(known) = self.known.find(hash, same) {
            return Ok(known.id);
        }
        let id = self.add(text, kind)?;
        self.known.insert_unique(hash, Known::new(hash, id), Known::hash);
        Ok(id)
    }

    fn add(&mut self, text: &str, kind: u32) -> std::io::Result<u32> {
        self.file.write_all(text.as_bytes())?;
        let id = u32::try_from(self.ends.len()).unwrap_or(u32::MAX);
        self.ends.push(self.ends.last().copied().unwrap_or(0) + text.len() as u64);
        self.kinds.push(kind);
        Ok(id)
    }

    fn kind(&mut self, kind: Kind) -> u32 {
        if let Some(id) = self.kind_ids.get(&kind) {
            return *id;
        }
        let id = self.known_kinds.len() as u32;
        self.known_kinds.push(kind.clone());
        self.kind_ids.insert(kind, id);
        id
    }

    pub(super) fn finish(mut self) -> std::io::Result<Literals> {
        self.file.flush()?;
        let texts = Mapped::open(&self.path)?;
        Ok(Literals { texts, ends: self.ends, kinds: self.kinds, known_kinds: self.known_kinds })
    }
}

/// A literal that is found again: its number and hash, in twelve bytes.
#[derive(Debug)]
struct Known {
    hash: [u32; 2],
    id: u32,
}

impl Known {
    fn new(hash: u64, id: u32) -> Self {
        Self { hash: [(hash >> 32) as u32, hash as u32], id }
    }

    fn hash(&self) -> u64 {
        let [high, low] = self.hash.map(u64::from);
        high << 32 | low
    }
}

/// Literals by number.
#[derive(Debug)]
pub(super) struct Literals {
    texts: Mapped,
    ends: Vec<u64>,
    kinds: Vec<u32>,
    known_kinds: Vec<Kind>,
}

impl Literals {
    pub(super) fn get(&self, id: u32) -> Option<Literal<'_>> {
        let at = id as usize;
        let start = at.checked_sub(1).map_or(Some(0), |before| self.ends.get(before).copied())?;
        let bytes = self.texts.bytes().get(start as usize..*self.ends.get(at)? as usize)?;
        let (datatype, language, cut) = self.known_kinds.get(*self.kinds.get(at)? as usize)?;
        let text = std::str::from_utf8(bytes).ok()?;
        Some(Literal { text, datatype: *datatype, language, cut: *cut })
    }

    /// Lets the system take back the memory of the texts.
    pub(super) fn release(&self) {
        self.texts.release(0, self.texts.bytes().len());
    }
}
