//! Triples of numbers in one order: for each first number the start of its rows, and for each row the second and third number.

use crate::checked::{CheckedFile, CheckedWriter, Damage};
use crate::{StoredError, TooMany};
use std::io;
use std::ops::Range;
use std::path::Path;

/// Writes triples that arrive in order.
#[derive(Debug)]
pub(crate) struct RowWriter {
    starts: CheckedWriter,
    rows: CheckedWriter,
    /// Number of first numbers whose start has been written.
    firsts: u32,
    count: u32,
}

impl RowWriter {
    pub(crate) fn create(folder: &Path, name: &str) -> io::Result<Self> {
        let create = |part: &str| CheckedWriter::create(&folder.join(format!("{name}.{part}")));
        Ok(Self { starts: create("starts")?, rows: create("rows")?, firsts: 0, count: 0 })
    }

    /// Number of rows so far.
    pub(crate) fn count(&self) -> u32 {
        self.count
    }

    pub(crate) fn push(&mut self, [first, second, third]: [u32; 3]) -> io::Result<()> {
        self.begin_up_to(first)?;
        self.rows.write_u32(second)?;
        self.rows.write_u32(third)?;
        let too_many = TooMany { what: "triples", most: u32::MAX };
        self.count = self.count.checked_add(1).ok_or_else(|| io::Error::other(too_many))?;
        Ok(())
    }

    fn begin_up_to(&mut self, first: u32) -> io::Result<()> {
        while self.firsts <= first {
            self.starts.write_u32(self.count)?;
            self.firsts += 1;
        }
        Ok(())
    }

    /// Completes the files for `terms` terms.
    pub(crate) fn finish(mut self, terms: u32) -> io::Result<()> {
        self.begin_up_to(terms)?;
        self.starts.finish()?;
        self.rows.finish()
    }
}

/// Triples in one order.
#[derive(Debug)]
pub(crate) struct Rows {
    starts: CheckedFile,
    rows: CheckedFile,
}

impl Rows {
    pub(crate) fn open(folder: &Path, name: &str, damage: &Damage) -> Result<Self, StoredError> {
        let open = |part: &str| CheckedFile::open(folder.join(format!("{name}.{part}")), damage);
        Ok(Self { starts: open("starts")?, rows: open("rows")? })
    }

    /// All rows.
    pub(crate) fn all(&self) -> Range<u32> {
        0..u32::try_from(self.rows.len() / size_of::<u64>()).unwrap_or(u32::MAX)
    }

    /// The rows with this first number.
    pub(crate) fn of(&self, first: u32) -> Result<Range<u32>, StoredError> {
        Ok(self.starts.u32_at(first as usize)?..self.starts.u32_at(first as usize + 1)?)
    }

    /// The rows with these first and second numbers.
    pub(crate) fn of_two(&self, first: u32, second: u32) -> Result<Range<u32>, StoredError> {
        let rows = self.of(first)?;
        let start = partition(rows.clone(), |row| Ok(self.second(row)? < second))?;
        Ok(start..partition(start..rows.end, |row| Ok(self.second(row)? <= second))?)
    }

    /// The row with these three numbers, if there is one.
    pub(crate) fn find(&self, [first, second, third]: [u32; 3]) -> Result<Option<u32>, StoredError> {
        let rows = self.of(first)?;
        let before = |row| Ok(self.get(row)? < [second, third]);
        let row = partition(rows.clone(), before)?;
        Ok((row < rows.end && self.get(row)? == [second, third]).then_some(row))
    }

    /// The second and third number of a row.
    pub(crate) fn get(&self, row: u32) -> Result<[u32; 2], StoredError> {
        let both = self.rows.u64_at(row as usize)?;
        Ok([both as u32, (both >> u32::BITS) as u32])
    }

    fn second(&self, row: u32) -> Result<u32, StoredError> {
        self.rows.u32_at(row as usize * 2)
    }

    /// The first number of a row.
    pub(crate) fn first(&self, row: u32) -> Result<u32, StoredError> {
        let firsts = u32::try_from(self.starts.len() / size_of::<u32>()).unwrap_or(u32::MAX);
        let behind = partition(0..firsts, |first| Ok(self.starts.u32_at(first as usize)? <= row))?;
        Ok(behind.saturating_sub(1))
    }
}

/// The first of a range for which `holds` is false, if it is true for all before it and false for all after it.
pub(crate) fn partition(
    range: Range<u32>,
    holds: impl Fn(u32) -> Result<bool, StoredError>,
) -> Result<u32, StoredError> {
    let Range { start: mut low, end: mut high } = range;
    while low < high {
        let middle = low.midpoint(high);
        if holds(middle)? {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    Ok(low)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn rows_are_found_by_what_they_begin_with(
            keys in proptest::collection::btree_set([0_u32..9, 0_u32..5, 0_u32..5], 0..90),
        ) {
            let folder = tempfile::tempdir().unwrap();
            let mut writer = RowWriter::create(folder.path(), "spo").unwrap();
            keys.iter().for_each(|key| writer.push(*key).unwrap());
            writer.finish(9).unwrap();
            let rows = Rows::open(folder.path(), "spo", &Damage::default()).unwrap();
            let read = |range: Range<u32>| -> BTreeSet<[u32; 3]> {
                range.map(|row| {
                    let [second, third] = rows.get(row).unwrap();
                    [rows.first(row).unwrap(), second, third]
                }).collect()
            };
            prop_assert_eq!(read(rows.all()), keys.clone());
            for first in 0..9 {
                let of = keys.iter().filter(|key| key[0] == first).copied().collect();
                prop_assert_eq!(read(rows.of(first).unwrap()), of);
                for second in 0..5 {
                    let of = keys.iter().filter(|key| key[..2] == [first, second]).copied().collect();
                    prop_assert_eq!(read(rows.of_two(first, second).unwrap()), of);
                    for third in 0..5 {
                        let key = [first, second, third];
                        let found = rows.find(key).unwrap();
                        let at = keys.iter().position(|known| *known == key);
                        prop_assert_eq!(found, at.map(|at| at as u32));
                    }
                }
            }
        }
    }
}
