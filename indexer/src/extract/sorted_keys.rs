//! Sorted triples of numbers in a file of the build, read sequentially or at random.

use super::mapped::{AccessOrder, Mapped};
use eruca_store::Sorter;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

const BUFFER_BYTES: usize = 1 << 18;
const NUMBER_BYTES: usize = size_of::<u32>();
const KEY_BYTES: usize = 3 * NUMBER_BYTES;
/// The first number of one key in this many is kept in memory, so that reading can start near a given number.
const STEP: usize = 1 << 10;

/// Three numbers, compared one after the other.
pub(super) type SortKey = [u32; 3];

/// Collects keys and sorts them into a file.
#[derive(Debug)]
pub(super) struct KeySorter {
    sorter: Sorter<3>,
    path: PathBuf,
}

impl KeySorter {
    /// A sorter that writes to `folder` whenever it holds `in_memory` keys. With `unique`, equal keys are kept once.
    pub(super) fn new(folder: &Path, name: &'static str, in_memory: usize, unique: bool) -> Self {
        let path = folder.join(format!("{name}.sorted"));
        Self { sorter: Sorter::new(folder, name, in_memory, unique), path }
    }

    pub(super) fn push(&mut self, key: SortKey) -> std::io::Result<()> {
        self.sorter.push(key)
    }

    /// Sorts everything into one file.
    pub(super) fn finish(self) -> std::io::Result<SortedKeys> {
        let mut firsts = Firsts::default();
        let mut file = BufWriter::with_capacity(BUFFER_BYTES, File::create(&self.path)?);
        for key in self.sorter.finish()? {
            let key = key?;
            firsts.note(key);
            for number in key {
                file.write_all(&number.to_le_bytes())?;
            }
        }
        file.flush()?;
        SortedKeys::open(&self.path, firsts)
    }
}

/// The first number of one key in each [`STEP`], which shows where to look in the file.
#[derive(Debug, Default)]
struct Firsts {
    numbers: Vec<u32>,
    count: usize,
}

impl Firsts {
    /// Keys must be added in order.
    fn note(&mut self, key: SortKey) {
        if self.count.is_multiple_of(STEP) {
            self.numbers.push(key[0]);
        }
        self.count += 1;
    }

    /// The range of keys that contains the first key starting with at least this number, or ends just before it.
    fn around(&self, first: u32) -> Range<usize> {
        let behind = self.numbers.partition_point(|number| *number < first);
        behind.saturating_sub(1) * STEP..self.count.min(behind * STEP)
    }
}

fn decode(bytes: &[u8]) -> SortKey {
    let mut numbers = bytes.chunks_exact(NUMBER_BYTES);
    let mut next = || {
        let bytes = numbers.next().and_then(|bytes| bytes.try_into().ok());
        u32::from_le_bytes(bytes.unwrap_or_default())
    };
    [next(), next(), next()]
}

/// Sorted keys in a file.
#[derive(Debug)]
pub(super) struct SortedKeys {
    in_order: Mapped,
    anywhere: Mapped,
    firsts: Firsts,
}

impl SortedKeys {
    fn open(path: &Path, firsts: Firsts) -> std::io::Result<Self> {
        let in_order = Mapped::open(path, AccessOrder::InOrder)?;
        Ok(Self { in_order, anywhere: Mapped::open(path, AccessOrder::Anywhere)?, firsts })
    }

    pub(super) fn len(&self) -> usize {
        self.firsts.count
    }

    /// Lets the system reclaim the memory of what was read.
    pub(super) fn release(&self) {
        self.in_order.release();
        self.anywhere.release();
    }

    /// The keys in order, from the first that starts with at least this number. Memory of keys that have been passed is
    /// released.
    pub(super) fn from(&self, first: u32) -> impl Iterator<Item = SortKey> + '_ {
        let start = self.position(first) * KEY_BYTES;
        let bytes = self.in_order.bytes().get(start..).unwrap_or_default();
        self.in_order.passing(start, bytes.chunks_exact(KEY_BYTES)).map(decode)
    }

    /// The few keys that start with this number.
    pub(super) fn of(&self, first: u32) -> impl Iterator<Item = SortKey> + '_ {
        (self.position(first)..).map_while(|at| self.get(at)).take_while(move |key| key[0] == first)
    }

    fn get(&self, at: usize) -> Option<SortKey> {
        self.anywhere.bytes().get(at * KEY_BYTES..(at + 1) * KEY_BYTES).map(decode)
    }

    /// Position of the first key that starts with at least this number.
    fn position(&self, first: u32) -> usize {
        let Range { start: mut low, end: mut high } = self.firsts.around(first);
        while low < high {
            let middle = low.midpoint(high);
            if self.get(middle).is_some_and(|key| key[0] < first) {
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

    #[test]
    fn reading_starts_at_a_number() {
        let folder = tempfile::tempdir().unwrap();
        // Every third number gets `number % 7` keys; one gets more keys than there are between two remembered numbers.
        let numbers = (0..6_000).step_by(3).flat_map(|number| {
            let count = if number == 3_000 { 3_000 } else { number % 7 };
            std::iter::repeat_n(number, count as usize)
        });
        let numbers: Vec<u32> = numbers.collect();
        let mut sorter = KeySorter::new(folder.path(), "keys", 1_000, true);
        for (second, first) in (0..).zip(&numbers) {
            sorter.push([*first, second, 1]).unwrap();
        }
        let sorted = sorter.finish().unwrap();
        assert_eq!(sorted.len(), numbers.len());
        for first in (0..6_010).step_by(5) {
            let (from, of) = (sorted.from(first), sorted.of(first));
            assert_eq!(from.count(), numbers.iter().filter(|number| **number >= first).count(), "{first}");
            assert_eq!(of.count(), numbers.iter().filter(|number| **number == first).count(), "{first}");
        }
        sorted.release();
        assert!(sorted.from(0).map(|key| key[0]).eq(numbers));
    }
}
