//! Texts by number in a file of the build, one behind the other, each behind its length.
//!
//! Held in memory is where every sixteenth text begins: half a byte for each. A text is found by going over those before
//! it in its group.

use super::mapped::Mapped;
use crate::leb128::{push_number, take_number};
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
    /// The numbers before a text, as bytes.
    before: Vec<u8>,
}

impl TextWriter {
    pub(super) fn create(folder: &Path, name: &str) -> std::io::Result<Self> {
        let path = folder.join(name);
        let file = BufWriter::with_capacity(BUFFER_BYTES, File::create(&path)?);
        Ok(Self { path, file, starts: Vec::new(), count: 0, end: 0, before: Vec::new() })
    }

    /// How many texts there are; the next one gets this number.
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// Adds a text; `head` is a number that is kept with it.
    pub(super) fn push(&mut self, head: u32, text: &str) -> std::io::Result<()> {
        if self.count.is_multiple_of(GROUP) {
            self.starts.push(self.end);
        }
        self.count += 1;
        self.before.clear();
        push_number(&mut self.before, u64::from(head));
        push_number(&mut self.before, text.len() as u64);
        self.end += (self.before.len() + text.len()) as u64;
        self.file.write_all(&self.before)?;
        self.file.write_all(text.as_bytes())
    }

    /// What has been written so far, for one look in order.
    pub(super) fn so_far(&mut self) -> std::io::Result<Mapped> {
        self.file.flush()?;
        Mapped::open(&self.path)
    }

    pub(super) fn finish(mut self) -> std::io::Result<Texts> {
        Ok(Texts { map: self.so_far()?, starts: self.starts, count: self.count })
    }
}

/// Texts by number.
#[derive(Debug)]
pub(super) struct Texts {
    map: Mapped,
    starts: Vec<u64>,
    count: usize,
}

impl Texts {
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// A text and the number that is kept with it.
    pub(super) fn get(&self, number: u32) -> Option<(u32, &str)> {
        let number = number as usize;
        let start = *self.starts.get(number / GROUP)?;
        let mut rest = self.map.bytes().get(usize::try_from(start).ok()?..)?;
        for _ in 0..number % GROUP {
            rest = split(rest)?.1;
        }
        let ((head, text), _) = split(rest)?;
        Some((head, std::str::from_utf8(text).ok()?))
    }

    /// Lets the system take back the memory of the texts.
    pub(super) fn release(&self) {
        self.map.release(0, self.map.bytes().len());
    }
}

/// The texts in a file, in order. What has been passed is no longer held in memory.
pub(super) fn in_order(map: &Mapped) -> impl Iterator<Item = &str> {
    let mut rest = map.bytes();
    let entries = std::iter::from_fn(move || {
        let (_, next) = split(rest)?;
        let entry = rest.get(..rest.len() - next.len())?;
        rest = next;
        Some(entry)
    });
    map.passing(0, entries).filter_map(|entry| std::str::from_utf8(split(entry)?.0.1).ok())
}

/// The number that is kept with a text, and the text.
type Entry<'a> = (u32, &'a [u8]);

/// The first text with its number, and what stands behind it.
fn split(mut bytes: &[u8]) -> Option<(Entry<'_>, &[u8])> {
    let head = u32::try_from(take_number(&mut bytes)?).ok()?;
    let length = usize::try_from(take_number(&mut bytes)?).ok()?;
    let (text, rest) = bytes.split_at_checked(length)?;
    Some(((head, text), rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn every_text_is_found_by_its_number(
            texts in proptest::collection::vec((any::<u32>(), ".{0,200}"), 0..70),
        ) {
            let folder = tempfile::tempdir().unwrap();
            let mut writer = TextWriter::create(folder.path(), "texts").unwrap();
            texts.iter().for_each(|(head, text)| writer.push(*head, text).unwrap());
            let so_far = writer.so_far().unwrap();
            prop_assert!(in_order(&so_far).eq(texts.iter().map(|(_, text)| text.as_str())));
            let written = writer.finish().unwrap();
            prop_assert_eq!(written.len(), texts.len());
            for (number, (head, text)) in (0..).zip(&texts) {
                prop_assert_eq!(written.get(number), Some((*head, text.as_str())));
            }
            prop_assert_eq!(written.get(texts.len() as u32), None);
        }
    }
}
