//! Numbers terms and writes them to files.

use super::{FREE, GROUP, GROUPS, TABLE, TERMS, TermFacts, TermKind, parts, place};
use crate::checked::CheckedWriter;
use crate::leb128::push_number;
use crate::numbers::{HashKey, Numbers};
use oxrdf::Term;
use rustc_hash::FxHashMap;
use std::io;
use std::path::{Path, PathBuf};

/// Number of table slots per four terms.
const PLACES_FOR_FOUR: usize = 6;

/// Numbers terms and writes them to files.
#[derive(Debug)]
pub(crate) struct TermWriter {
    folder: PathBuf,
    numbers: Numbers,
    kinds: FxHashMap<TermKind, u64>,
    key: HashKey,
    terms: CheckedWriter,
    groups: CheckedWriter,
    /// The text of the previous term, and the encoded part of the next one.
    before: Vec<u8>,
    entry: Vec<u8>,
}

impl TermWriter {
    pub(crate) fn create(folder: &Path, most: u32) -> io::Result<Self> {
        Ok(Self {
            folder: folder.to_owned(),
            numbers: Numbers::new("terms", most),
            kinds: FxHashMap::default(),
            key: HashKey::random(),
            terms: CheckedWriter::create(&folder.join(TERMS))?,
            groups: CheckedWriter::create(&folder.join(GROUPS))?,
            before: Vec::new(),
            entry: Vec::new(),
        })
    }

    /// The number of a term; a new one if the term is new.
    pub(crate) fn intern(&mut self, term: &Term) -> io::Result<u32> {
        let parts = parts(term);
        let (number, is_new) = self.numbers.intern(self.key.hash(&parts))?;
        if is_new {
            let ([_, _, text], kinds) = (parts, self.kinds.len() as u64);
            let kind = *self.kinds.entry(TermKind::of(term)).or_insert(kinds);
            self.append(number, kind, text.as_bytes())?;
        }
        Ok(number)
    }

    fn append(&mut self, number: u32, kind: u64, text: &[u8]) -> io::Result<()> {
        if (number as usize).is_multiple_of(GROUP) {
            self.groups.write_u64(self.terms.length())?;
            self.before.clear();
        }
        let shared = self.before.iter().zip(text).take_while(|(one, other)| one == other).count();
        let more = text.get(shared..).unwrap_or_default();
        self.entry.clear();
        for number in [kind, shared as u64, more.len() as u64] {
            push_number(&mut self.entry, number);
        }
        self.terms.write(&self.entry)?;
        self.terms.write(more)?;
        self.before.truncate(shared);
        self.before.extend(more);
        Ok(())
    }

    /// Completes the files and writes the table.
    pub(crate) fn finish(mut self) -> io::Result<TermFacts> {
        self.groups.write_u64(self.terms.length())?;
        self.groups.finish()?;
        self.terms.finish()?;
        let count = self.numbers.count();
        let mut kinds: Vec<(TermKind, u64)> = self.kinds.into_iter().collect();
        kinds.sort_unstable_by_key(|(_, number)| *number);
        let kinds = kinds.into_iter().map(|(kind, _)| kind).collect();
        write_table(&self.folder.join(TABLE), self.numbers)?;
        Ok(TermFacts { count, kinds, key: self.key })
    }
}

fn write_table(path: &Path, numbers: Numbers) -> io::Result<()> {
    let places = (numbers.count() as usize + 1) * PLACES_FOR_FOUR / 4;
    let mut table = vec![FREE; places];
    for (hash, number) in numbers.into_hashes() {
        let first = place(hash, places);
        let at = (first..places).chain(0..first).find(|at| table.get(*at) == Some(&FREE));
        if let Some(free) = at.and_then(|at| table.get_mut(at)) {
            *free = number;
        }
    }
    let mut file = CheckedWriter::create(path)?;
    table.into_iter().try_for_each(|number| file.write_u32(number))?;
    file.finish()
}
