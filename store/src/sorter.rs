//! External merge sort for keys of numbers: sorted runs in files, merged at the end.
//!
//! The index build uses it, too.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

const BUFFER_BYTES: usize = 1 << 18;
const NUMBER_BYTES: usize = size_of::<u32>();

/// Numbers, compared one after the other.
pub type SortKey<const N: usize> = [u32; N];

/// Collects keys and sorts them.
#[derive(Debug)]
pub struct Sorter<const N: usize> {
    folder: PathBuf,
    name: &'static str,
    in_memory: usize,
    unique: bool,
    keys: Vec<SortKey<N>>,
    runs: Vec<PathBuf>,
}

impl<const N: usize> Sorter<N> {
    /// A sorter that writes a run to `folder` whenever it holds `in_memory` keys. With `unique`, equal keys are kept once.
    pub fn new(folder: &Path, name: &'static str, in_memory: usize, unique: bool) -> Self {
        Self { folder: folder.to_owned(), name, in_memory, unique, keys: Vec::new(), runs: Vec::new() }
    }

    /// Adds a key.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn push(&mut self, key: SortKey<N>) -> io::Result<()> {
        self.keys.push(key);
        if self.keys.len() >= self.in_memory { self.spill() } else { Ok(()) }
    }

    fn spill(&mut self) -> io::Result<()> {
        self.sort();
        let path = self.folder.join(format!("{}-{}.run", self.name, self.runs.len()));
        let mut file = BufWriter::with_capacity(BUFFER_BYTES, File::create(&path)?);
        for number in self.keys.iter().flatten() {
            file.write_all(&number.to_le_bytes())?;
        }
        file.flush()?;
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

    /// The keys in order. Files in the folder are removed when the iterator is dropped.
    ///
    /// # Errors
    /// When the folder cannot be written or read.
    pub fn finish(mut self) -> io::Result<SortedRuns<N>> {
        if self.runs.is_empty() {
            self.sort();
            return Ok(SortedRuns { keys: self.keys.into_iter(), merge: Merge::none() });
        }
        self.spill()?;
        drop(std::mem::take(&mut self.keys));
        Ok(SortedRuns { keys: Vec::new().into_iter(), merge: Merge::open(self.runs, self.unique)? })
    }
}

/// Sorted keys, from memory or from files.
#[derive(Debug)]
pub struct SortedRuns<const N: usize> {
    keys: std::vec::IntoIter<SortKey<N>>,
    merge: Merge<N>,
}

impl<const N: usize> Iterator for SortedRuns<N> {
    type Item = io::Result<SortKey<N>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.keys.next().map(Ok).or_else(|| self.merge.next())
    }
}

/// A merge of sorted runs, smallest key first.
#[derive(Debug)]
struct Merge<const N: usize> {
    paths: Vec<PathBuf>,
    runs: Vec<BufReader<File>>,
    next: BinaryHeap<Reverse<(SortKey<N>, usize)>>,
    last: Option<SortKey<N>>,
    unique: bool,
}

impl<const N: usize> Merge<N> {
    fn none() -> Self {
        Self { paths: Vec::new(), runs: Vec::new(), next: BinaryHeap::new(), last: None, unique: false }
    }

    fn open(paths: Vec<PathBuf>, unique: bool) -> io::Result<Self> {
        let open = |path| File::open(path).map(|file| BufReader::with_capacity(BUFFER_BYTES, file));
        let runs: Vec<_> = paths.iter().map(open).collect::<io::Result<_>>()?;
        let count = runs.len();
        let mut merge = Self { paths, runs, next: BinaryHeap::new(), last: None, unique };
        (0..count).try_for_each(|run| merge.refill(run))?;
        Ok(merge)
    }

    fn refill(&mut self, run: usize) -> io::Result<()> {
        let Some(reader) = self.runs.get_mut(run) else { return Ok(()) };
        let mut key = [0; N];
        for number in &mut key {
            let mut bytes = [0; NUMBER_BYTES];
            match reader.read_exact(&mut bytes) {
                Ok(()) => *number = u32::from_le_bytes(bytes),
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
                Err(error) => return Err(error),
            }
        }
        self.next.push(Reverse((key, run)));
        Ok(())
    }
}

impl<const N: usize> Iterator for Merge<N> {
    type Item = io::Result<SortKey<N>>;

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

impl<const N: usize> Drop for Merge<N> {
    fn drop(&mut self) {
        for path in &self.paths {
            if let Err(error) = std::fs::remove_file(path) {
                tracing::debug!(%error, path = %path.display(), "a sorted run could not be removed");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sorted(keys: &[SortKey<3>], in_memory: usize, unique: bool) -> Vec<SortKey<3>> {
        let folder = tempfile::tempdir().unwrap();
        let mut sorter = Sorter::new(folder.path(), "keys", in_memory, unique);
        keys.iter().for_each(|key| sorter.push(*key).unwrap());
        let sorted = sorter.finish().unwrap().collect::<io::Result<_>>().unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "runs are removed");
        sorted
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
}
