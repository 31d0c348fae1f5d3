//! Which triples are in which named graphs. A triple is identified by its row in subject order.

use crate::StoredError;
use crate::checked::{CheckedFile, CheckedWriter, Damage};
use crate::rows::partition;
use std::io;
use std::ops::Range;
use std::path::Path;

/// Pairs of (triple, graph) and of (graph, triple), both sorted.
const BY_TRIPLE: &str = "graphs.triples";
const BY_GRAPH: &str = "graphs.graphs";
/// The graphs, sorted.
const NAMES: &str = "graphs.names";

/// Writes pairs in one order.
pub(crate) struct PairWriter(CheckedWriter);

impl PairWriter {
    pub(crate) fn by_triple(folder: &Path) -> io::Result<Self> {
        CheckedWriter::create(&folder.join(BY_TRIPLE)).map(Self)
    }

    pub(crate) fn push(&mut self, [first, second]: [u32; 2]) -> io::Result<()> {
        self.0.write_u32(first)?;
        self.0.write_u32(second)
    }

    pub(crate) fn finish(self) -> io::Result<()> {
        self.0.finish()
    }
}

/// Writes pairs of (graph, triple) that arrive in order.
pub(crate) fn write_by_graph(
    folder: &Path,
    pairs: impl Iterator<Item = io::Result<[u32; 2]>>,
) -> io::Result<()> {
    let mut names = CheckedWriter::create(&folder.join(NAMES))?;
    let mut writer = PairWriter(CheckedWriter::create(&folder.join(BY_GRAPH))?);
    let mut last = None;
    for pair in pairs {
        let pair = pair?;
        let [graph, _] = pair;
        if last != Some(graph) {
            names.write_u32(graph)?;
            last = Some(graph);
        }
        writer.push(pair)?;
    }
    writer.finish()?;
    names.finish()
}

/// Which triples are in which named graphs.
#[derive(Debug)]
pub(crate) struct Graphs {
    by_triple: Pairs,
    by_graph: Pairs,
    names: CheckedFile,
}

impl Graphs {
    pub(crate) fn open(folder: &Path, damage: &Damage) -> Result<Self, StoredError> {
        let open = |name: &str| CheckedFile::open(folder.join(name), damage);
        Ok(Self { by_triple: Pairs(open(BY_TRIPLE)?), by_graph: Pairs(open(BY_GRAPH)?), names: open(NAMES)? })
    }

    /// Number of named graphs.
    pub(crate) fn count(&self) -> u32 {
        u32::try_from(self.names.len() / size_of::<u32>()).unwrap_or(u32::MAX)
    }

    /// The named graph at index `place`.
    pub(crate) fn name(&self, place: u32) -> Result<u32, StoredError> {
        self.names.u32_at(place as usize)
    }

    /// The range of [`Self::at_triple`] with the graphs of a triple.
    pub(crate) fn of_triple(&self, triple: u32) -> Result<Range<u32>, StoredError> {
        self.by_triple.of(triple)
    }

    /// The graph at index `place` of the pairs sorted by triple.
    pub(crate) fn at_triple(&self, place: u32) -> Result<u32, StoredError> {
        self.by_triple.get(place).map(|[_, graph]| graph)
    }

    /// The range of [`Self::at_graph`] with the triples of a graph.
    pub(crate) fn of_graph(&self, graph: u32) -> Result<Range<u32>, StoredError> {
        self.by_graph.of(graph)
    }

    /// The part of a graph's range whose triples are among these rows.
    pub(crate) fn within(&self, places: Range<u32>, rows: &Range<u32>) -> Result<Range<u32>, StoredError> {
        let start = partition(places.clone(), |place| Ok(self.at_graph(place)? < rows.start))?;
        Ok(start..partition(start..places.end, |place| Ok(self.at_graph(place)? < rows.end))?)
    }

    /// The triple at index `place` of the pairs sorted by graph.
    pub(crate) fn at_graph(&self, place: u32) -> Result<u32, StoredError> {
        self.by_graph.get(place).map(|[_, triple]| triple)
    }

    /// Whether a graph contains a triple.
    pub(crate) fn contains(&self, triple: u32, graph: u32) -> Result<bool, StoredError> {
        let all = self.by_triple.all();
        let at = partition(all.clone(), |place| Ok(self.by_triple.get(place)? < [triple, graph]))?;
        Ok(at < all.end && self.by_triple.get(at)? == [triple, graph])
    }
}

/// Sorted pairs of numbers.
#[derive(Debug)]
struct Pairs(CheckedFile);

impl Pairs {
    fn all(&self) -> Range<u32> {
        0..u32::try_from(self.0.len() / size_of::<u64>()).unwrap_or(u32::MAX)
    }

    fn get(&self, place: u32) -> Result<[u32; 2], StoredError> {
        let both = self.0.u64_at(place as usize)?;
        Ok([both as u32, (both >> u32::BITS) as u32])
    }

    fn of(&self, first: u32) -> Result<Range<u32>, StoredError> {
        let all = self.all();
        let start = partition(all.clone(), |place| Ok(self.get(place)?[0] < first))?;
        Ok(start..partition(start..all.end, |place| Ok(self.get(place)?[0] <= first))?)
    }
}
