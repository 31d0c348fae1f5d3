//! Sorting more triples of numbers than memory should hold: sorted runs in files, merged at the end.

use super::mapped::Mapped;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

const BUFFER_BYTES: usize = 1 << 18;
const NUMBER_BYTES: usize = size_of::<u32>();
const KEY_BYTES: usize = 3 * NUMBER_BYTES;

/// Three numbers, sorted one after the other.
pub(super) type Key = [u32; 3];

/// Collects keys and sorts them.
#[derive(Debug)]
pub(super) struct Sorter {
    folder: PathBuf,
    name: &'static str,
    in_memory: usize,
    unique: bool,
    keys: Vec<Key>,
    runs: Vec<PathBuf>,
}

impl Sorter {
    /// A sorter that writes a run to `folder` whenever it holds `in_memory` keys. With `unique`, equal keys are
    /// kept once.
    pub(super) fn new(folder: &Path, name: &'static str, in_memory: usize, unique: bool) -> Self {
        Self { folder: folder.to_owned(), name, in_memory, unique, keys: Vec::new(), runs: Vec::new() }
    }

    pub(super) fn push(&mut self, key: Key) -> std::io::Result<()> {
        self.keys.push(key);
        if self.keys.len() >= self.in_memory { self.spill() } else { Ok(()) }
    }

    fn spill(&mut self) -> std::io::Result<()> {
        self.sort();
        let path = self.folder.join(format!("{}-{}.run", self.name, self.runs.len()));
        write(&path, self.keys.iter().copied().map(Ok))?;
        self.runs.push(path);
        self.keys.clear();
        Ok(())
    }

    fn sort(&mut self) {
        self.keys.sort_unstable();
        if self.unique {
            self.keys.dedup();
        }
    }

    /// Sorts everything into one file.
    pub(super) fn finish(mut self) -> std::io::Result<SortedKeys> {
        let path = self.folder.join(format!("{}.sorted", self.name));
        if self.runs.is_empty() {
            self.sort();
            write(&path, self.keys.into_iter().map(Ok))?;
        } else {
            self.spill()?;
            drop(std::mem::take(&mut self.keys));
            write(&path, Merge::open(&self.runs, self.unique)?)?;
            for run in &self.runs {
                std::fs::remove_file(run)?;
            }
        }
        Ok(SortedKeys(Mapped::open(&path)?))
    }
}

fn write(path: &Path, keys: impl Iterator<Item = std::io::Result<Key>>) -> std::io::Result<()> {
    let mut file = BufWriter::with_capacity(BUFFER_BYTES, File::create(path)?);
    for key in keys {
        for number in key? {
            file.write_all(&number.to_le_bytes())?;
        }
    }
    file.flush()
}

/// Runs read side by side, the least key first.
struct Merge {
    runs: Vec<BufReader<File>>,
    next: BinaryHeap<Reverse<(Key, usize)>>,
    last: Option<Key>,
    unique: bool,
}

impl Merge {
    fn open(paths: &[PathBuf], unique: bool) -> std::io::Result<Self> {
        let open = |path| File::open(path).map(|file| BufReader::with_capacity(BUFFER_BYTES, file));
        let runs = paths.iter().map(open).collect::<std::io::Result<_>>()?;
        let mut merge = Self { runs, next: BinaryHeap::new(), last: None, unique };
        for run in 0..paths.len() {
            merge.refill(run)?;
        }
        Ok(merge)
    }

    fn refill(&mut self, run: usize) -> std::io::Result<()> {
        let Some(reader) = self.runs.get_mut(run) else { return Ok(()) };
        let mut bytes = [0; KEY_BYTES];
        match reader.read_exact(&mut bytes) {
            Ok(()) => self.next.push(Reverse((decode(&bytes), run))),
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }
}

impl Iterator for Merge {
    type Item = std::io::Result<Key>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let Reverse((key, run)) = self.next.pop()?;
            if let Err(error) = self.refill(run) {
                return Some(Err(error));
            }
            if !self.unique || self.last != Some(key) {
                self.last = Some(key);
                return Some(Ok(key));
            }
        }
    }
}

fn decode(bytes: &[u8]) -> Key {
    let mut numbers = bytes.chunks_exact(NUMBER_BYTES);
    let mut next = || {
        let bytes = numbers.next().and_then(|bytes| bytes.try_into().ok());
        u32::from_le_bytes(bytes.unwrap_or_default())
    };
    [next(), next(), next()]
}

/// Sorted keys in a file.
#[derive(Debug)]
pub(super) struct SortedKeys(Mapped);

impl SortedKeys {
    pub(super) fn len(&self) -> usize {
        self.0.bytes().len() / KEY_BYTES
    }

    /// Lets the system take back the memory of what was read.
    pub(super) fn release(&self) {
        self.0.release(0, self.0.bytes().len());
    }

    fn get(&self, at: usize) -> Key {
        decode(self.0.bytes().get(at * KEY_BYTES..(at + 1) * KEY_BYTES).unwrap_or_default())
    }

    /// The keys from the first that begins with at least this number, in order. What has been passed is no
    /// longer held in memory.
    pub(super) fn from(&self, first: u32) -> impl Iterator<Item = Key> + '_ {
        let start = if first == 0 { 0 } else { self.position(first) };
        let bytes = self.0.bytes().get(start * KEY_BYTES..).unwrap_or_default();
        self.0.passing(start * KEY_BYTES, bytes.chunks_exact(KEY_BYTES)).map(decode)
    }

    /// Where the keys that begin with at least this number start.
    fn position(&self, first: u32) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            if self.get(middle)[0] < first {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sorted(keys: &[Key], in_memory: usize, unique: bool) -> Vec<Key> {
        let folder = tempfile::tempdir().unwrap();
        let mut sorter = Sorter::new(folder.path(), "keys", in_memory, unique);
        keys.iter().for_each(|key| sorter.push(*key).unwrap());
        let sorted = sorter.finish().unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "runs are removed");
        sorted.from(0).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn runs_of_any_size_give_the_same_order(
            keys in proptest::collection::vec([0_u32..6, 0_u32..4, 0_u32..4], 0..120),
            in_memory in 1_usize..50,
        ) {
            let mut wanted = keys.clone();
            wanted.sort_unstable();
            prop_assert_eq!(&sorted(&keys, in_memory, false), &wanted);
            wanted.dedup();
            prop_assert_eq!(&sorted(&keys, in_memory, true), &wanted);
        }
    }

    #[test]
    fn reading_starts_at_a_number() {
        let folder = tempfile::tempdir().unwrap();
        let mut sorter = Sorter::new(folder.path(), "keys", 2, true);
        for first in [7, 3, 3, 9, 1] {
            sorter.push([first, 0, 1]).unwrap();
        }
        let sorted = sorter.finish().unwrap();
        let from = |first| sorted.from(first).map(|key| key[0]).collect::<Vec<_>>();
        assert_eq!(from(4), [7, 9]);
        assert_eq!(from(3), [3, 7, 9]);
        assert!(from(10).is_empty());
    }
}
