//! The words of the names in a share of a graph, with their numbers of documents, in files: sorted, a line each. Those of all
//! shares are read side by side, so that no list of words need fit in memory.

use super::part::Part;
use crate::lexical::LexicalError;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

/// The files of a share.
#[derive(Debug, Clone)]
pub(crate) struct WordFiles {
    /// The words of the names of its entities.
    pub(crate) entities: PathBuf,
    /// Those of its values.
    pub(crate) values: PathBuf,
}

impl WordFiles {
    fn of(&self, part: Part) -> &Path {
        match part {
            Part::Entities => &self.entities,
            Part::Values => &self.values,
        }
    }

    /// Passes on the words of a part in all shares, each once, with the sum of its documents.
    ///
    /// # Errors
    /// When a file cannot be read, and any error of `take`.
    pub(crate) fn merge(
        shares: &[Self],
        part: Part,
        take: &mut dyn FnMut(&str, u64) -> Result<(), LexicalError>,
    ) -> Result<(), LexicalError> {
        let mut files = Vec::with_capacity(shares.len());
        for share in shares {
            files.push(SortedWords::open(share.of(part))?);
        }
        let mut next = BinaryHeap::new();
        for (at, file) in files.iter_mut().enumerate() {
            next.extend(file.next()?.map(|(word, documents)| Reverse((word, at, documents))));
        }
        while let Some(Reverse((word, at, mut documents))) = next.pop() {
            let mut sources = vec![at];
            while let Some(same) = next.peek().filter(|Reverse((other, ..))| *other == word) {
                let Reverse((_, at, more)) = same;
                documents += more;
                sources.push(*at);
                next.pop();
            }
            take(&word, documents)?;
            for at in sources {
                let Some(file) = files.get_mut(at) else { continue };
                next.extend(file.next()?.map(|(word, documents)| Reverse((word, at, documents))));
            }
        }
        Ok(())
    }
}

/// Writes words in order.
pub(super) fn write(path: &Path, words: &FxHashMap<String, u64>) -> Result<(), LexicalError> {
    let failed = |source| LexicalError::File { path: path.to_owned(), source };
    let mut sorted: Vec<(&String, &u64)> = words.iter().collect();
    sorted.sort_unstable();
    let mut file = BufWriter::new(File::create(path).map_err(failed)?);
    for (word, documents) in sorted {
        writeln!(file, "{documents} {word}").map_err(failed)?;
    }
    let file = file.into_inner().map_err(|error| failed(error.into_error()))?;
    file.sync_all().map_err(failed)
}

/// A file of words, read line by line.
struct SortedWords<'a> {
    path: &'a Path,
    lines: io::Lines<BufReader<File>>,
}

impl<'a> SortedWords<'a> {
    fn open(path: &'a Path) -> Result<Self, LexicalError> {
        let file = File::open(path).map_err(|source| LexicalError::File { path: path.to_owned(), source })?;
        Ok(Self { path, lines: BufReader::new(file).lines() })
    }

    fn next(&mut self) -> Result<Option<(String, u64)>, LexicalError> {
        let failed = |source| LexicalError::File { path: self.path.to_owned(), source };
        let Some(line) = self.lines.next().transpose().map_err(failed)? else { return Ok(None) };
        let read = line
            .split_once(' ')
            .and_then(|(documents, word)| Some((word.to_owned(), documents.parse().ok()?)));
        read.map(Some).ok_or_else(|| failed(io::Error::other("a line has no word with a number")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn shares_of_words_give_the_words_of_all(
            shares in proptest::collection::vec(
                proptest::collection::hash_map("[a-cä-ö]{1,3}", 1_u64..9, 0..20), 1..5),
        ) {
            let folder = tempfile::tempdir().unwrap();
            let mut whole: BTreeMap<String, u64> = BTreeMap::new();
            let mut files = Vec::new();
            for (number, share) in shares.into_iter().enumerate() {
                let path = |kind: &str| folder.path().join(format!("{number}.{kind}"));
                let words: FxHashMap<String, u64> = share.into_iter().collect();
                write(&path("entities"), &words).unwrap();
                words.into_iter().for_each(|(word, documents)| *whole.entry(word).or_default() += documents);
                files.push(WordFiles { entities: path("entities"), values: path("values") });
            }
            let mut merged = Vec::new();
            let mut take = |word: &str, documents| {
                merged.push((word.to_owned(), documents));
                Ok(())
            };
            WordFiles::merge(&files, Part::Entities, &mut take).unwrap();
            prop_assert_eq!(merged, whole.into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_file_that_is_cut_off_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("words");
        std::fs::write(&path, "3 barn\nxyz").unwrap();
        let files = [WordFiles { entities: path.clone(), values: path }];
        let error = WordFiles::merge(&files, Part::Entities, &mut |_, _| Ok(())).unwrap_err().to_string();
        assert!(error.contains("words") && error.contains("no word with a number"), "{error}");
    }
}
