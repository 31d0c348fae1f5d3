//! Texts by number, stored consecutively in a file of the build, each after its length.
//!
//! Only the position of every sixteenth text is in memory: half a byte per text. To find a text, those before
//! it in its group are skipped.

use super::mapped::{AccessOrder, Mapped};
use eruca_store::leb128::{push_number, take_number};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

const BUFFER_BYTES: usize = 1 << 18;
const GROUP: usize = 16;

/// Writes texts to a file.
#[derive(Debug)]
pub(super) struct TextWriter {
    path: PathBuf,
    file: BufWriter<File>,
    starts: Vec<u64>,
    count: usize,
    end: u64,
    /// The encoded length that precedes a text.
    before: Vec<u8>,
}

impl TextWriter {
    pub(super) fn create(folder: &Path, name: &str) -> std::io::Result<Self> {
        let path = folder.join(name);
        let file = BufWriter::with_capacity(BUFFER_BYTES, File::create(&path)?);
        Ok(Self { path, file, starts: Vec::new(), count: 0, end: 0, before: Vec::new() })
    }

    /// Number of texts; also the number of the next one.
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// Adds a text.
    pub(super) fn push(&mut self, text: &str) -> std::io::Result<()> {
        if self.count.is_multiple_of(GROUP) {
            self.starts.push(self.end);
        }
        self.count += 1;
        self.before.clear();
        push_number(&mut self.before, text.len() as u64);
        self.end += (self.before.len() + text.len()) as u64;
        self.file.write_all(&self.before)?;
        self.file.write_all(text.as_bytes())
    }

    /// The texts written so far, for one sequential pass.
    pub(super) fn so_far(&mut self) -> std::io::Result<Mapped> {
        self.file.flush()?;
        Mapped::open(&self.path, AccessOrder::InOrder)
    }

    pub(super) fn finish(mut self) -> std::io::Result<NumberedTexts> {
        let in_order = self.so_far()?;
        let anywhere = Mapped::open(&self.path, AccessOrder::Anywhere)?;
        Ok(NumberedTexts { in_order, anywhere, starts: self.starts, count: self.count })
    }
}

/// Texts by number.
#[derive(Debug)]
pub(super) struct NumberedTexts {
    in_order: Mapped,
    anywhere: Mapped,
    starts: Vec<u64>,
    count: usize,
}

impl NumberedTexts {
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// A text by its number.
    pub(super) fn get(&self, number: u32) -> Option<&str> {
        let number = number as usize;
        let start = *self.starts.get(number / GROUP)?;
        let mut rest = self.anywhere.bytes().get(usize::try_from(start).ok()?..)?;
        for _ in 0..number % GROUP {
            rest = split(rest)?.1;
        }
        std::str::from_utf8(split(rest)?.0).ok()
    }

    /// All texts in order. Memory of texts that have been passed is released.
    pub(super) fn in_order(&self) -> impl Iterator<Item = &str> {
        in_order(&self.in_order)
    }

    /// Lets the system reclaim the memory of the texts.
    pub(super) fn release(&self) {
        self.in_order.release();
        self.anywhere.release();
    }
}

/// The texts in a file, in order. Memory of texts that have been passed is released.
pub(super) fn in_order(map: &Mapped) -> impl Iterator<Item = &str> {
    let mut rest = map.bytes();
    let entries = std::iter::from_fn(move || {
        let (_, next) = split(rest)?;
        let entry = rest.get(..rest.len() - next.len())?;
        rest = next;
        Some(entry)
    });
    map.passing(0, entries).filter_map(|entry| std::str::from_utf8(split(entry)?.0).ok())
}

/// The first text, and the bytes after it.
fn split(mut bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let length = usize::try_from(take_number(&mut bytes)?).ok()?;
    bytes.split_at_checked(length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn every_text_is_found_by_its_number(
            texts in proptest::collection::vec(".{0,200}", 0..70),
        ) {
            let folder = tempfile::tempdir().unwrap();
            let mut writer = TextWriter::create(folder.path(), "texts").unwrap();
            texts.iter().for_each(|text| writer.push(text).unwrap());
            let so_far = writer.so_far().unwrap();
            prop_assert!(in_order(&so_far).eq(texts.iter().map(String::as_str)));
            let written = writer.finish().unwrap();
            prop_assert_eq!(written.len(), texts.len());
            prop_assert!(written.in_order().eq(texts.iter().map(String::as_str)));
            written.release();
            for (number, text) in (0..).zip(&texts) {
                prop_assert_eq!(written.get(number), Some(text.as_str()));
            }
            prop_assert_eq!(written.get(texts.len() as u32), None);
        }
    }
}
