//! The numbers of distinct subjects and objects per predicate.

use crate::StoredError;
use crate::checked::{CheckedFile, CheckedWriter, Damage};
use crate::rows::partition;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

const FILE: &str = "predicates";
/// Predicate, subjects, objects.
const NUMBERS: usize = 3;

/// The numbers of distinct subjects and objects of a predicate's triples.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Spread {
    /// Number of distinct subjects.
    pub subjects: u32,
    /// Number of distinct objects.
    pub objects: u32,
}

/// Counts while the triples are written in sorted order.
#[derive(Debug, Default)]
pub(crate) struct SpreadWriter {
    of: BTreeMap<u32, Spread>,
}

impl SpreadWriter {
    /// Counts a subject of this predicate.
    pub(crate) fn subject(&mut self, predicate: u32) {
        self.of.entry(predicate).or_default().subjects += 1;
    }

    /// Counts an object of this predicate.
    pub(crate) fn object(&mut self, predicate: u32) {
        self.of.entry(predicate).or_default().objects += 1;
    }

    pub(crate) fn write(self, folder: &Path) -> io::Result<()> {
        let mut file = CheckedWriter::create(&folder.join(FILE))?;
        for (predicate, Spread { subjects, objects }) in self.of {
            [predicate, subjects, objects].into_iter().try_for_each(|number| file.write_u32(number))?;
        }
        file.finish()
    }
}

/// The spread of every predicate.
#[derive(Debug)]
pub(crate) struct Spreads(CheckedFile);

impl Spreads {
    pub(crate) fn open(folder: &Path, damage: &Damage) -> Result<Self, StoredError> {
        CheckedFile::open(folder.join(FILE), damage).map(Self)
    }

    /// The counts of a predicate; zero for other terms.
    pub(crate) fn of(&self, predicate: u32) -> Result<Spread, StoredError> {
        let number = |place: u32, part: usize| self.0.u32_at(place as usize * NUMBERS + part);
        let count = u32::try_from(self.0.len() / (NUMBERS * size_of::<u32>())).unwrap_or(u32::MAX);
        let place = partition(0..count, |place| Ok(number(place, 0)? < predicate))?;
        if place == count || number(place, 0)? != predicate {
            return Ok(Spread::default());
        }
        Ok(Spread { subjects: number(place, 1)?, objects: number(place, 2)? })
    }
}
