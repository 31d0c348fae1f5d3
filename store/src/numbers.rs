//! Numbers for terms, assigned in order of first occurrence.
//!
//! Known items are recognised by a 64-bit hash with a random key per build. Among 10^8 terms, the probability of any
//! collision is below one in a thousand. Nobody can cause one on purpose.

use crate::TooMany;
use hashbrown::HashTable;
use siphasher::sip::SipHasher13;
use std::hash::{BuildHasher, Hasher, RandomState};

/// A table grows by being copied into one of twice the size; with many tables, only one at a time does.
const TABLES: usize = 32;
const TABLE_BITS: u32 = TABLES.ilog2();
/// The highest bits of a hash, which the hash tables use themselves.
const TAG_BITS: u32 = 7;

/// The key of a hash: random, so that nobody can choose terms with colliding hashes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct HashKey(u64, u64);

impl HashKey {
    pub(crate) fn random() -> Self {
        let number = || RandomState::new().build_hasher().finish();
        Self(number(), number())
    }

    /// The hash of these parts and their lengths.
    pub(crate) fn hash(self, parts: &[&str]) -> u64 {
        let mut hasher = SipHasher13::new_with_keys(self.0, self.1);
        for part in parts {
            hasher.write_u64(part.len() as u64);
            hasher.write(part.as_bytes());
        }
        hasher.finish()
    }
}

/// Assigns numbers and finds those assigned before.
#[derive(Debug)]
pub(crate) struct Numbers {
    what: &'static str,
    most: u32,
    count: u32,
    tables: Vec<HashTable<Known>>,
}

impl Numbers {
    /// Assigns at most `most` numbers to items called `what` in errors.
    pub(crate) fn new(what: &'static str, most: u32) -> Self {
        let tables = (0..TABLES).map(|_| HashTable::new()).collect();
        Self { what, most, count: 0, tables }
    }

    /// The number for a hash, and whether it is new.
    pub(crate) fn intern(&mut self, hash: u64) -> std::io::Result<(u32, bool)> {
        let Some(table) = self.tables.get_mut(table(hash)) else { return self.none() };
        if let Some(known) = table.find(hash, |known| known.hash() == hash) {
            return Ok((known.number, false));
        }
        if self.count >= self.most {
            return self.none();
        }
        table.insert_unique(hash, Known::new(hash, self.count), Known::hash);
        self.count += 1;
        Ok((self.count - 1, true))
    }

    fn none<T>(&self) -> std::io::Result<T> {
        Err(std::io::Error::other(TooMany { what: self.what, most: self.most }))
    }

    /// How many numbers have been assigned.
    pub(crate) fn count(&self) -> u32 {
        self.count
    }

    /// All hashes with their numbers, unordered; memory is freed during iteration.
    pub(crate) fn into_hashes(self) -> impl Iterator<Item = (u64, u32)> {
        self.tables.into_iter().flatten().map(|known| (known.hash(), known.number))
    }
}

fn table(hash: u64) -> usize {
    (hash >> (u64::BITS - TAG_BITS - TABLE_BITS)) as usize % TABLES
}

/// A known item: its number and hash, in twelve bytes.
#[derive(Debug)]
struct Known {
    hash: [u32; 2],
    number: u32,
}

impl Known {
    fn new(hash: u64, number: u32) -> Self {
        Self { hash: [(hash >> 32) as u32, hash as u32], number }
    }

    fn hash(&self) -> u64 {
        let [high, low] = self.hash.map(u64::from);
        high << 32 | low
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_ones_have_one_number_in_the_order_of_coming() {
        let (key, mut numbers) = (HashKey::random(), Numbers::new("terms", 3));
        let mut given =
            |parts: &[&str]| numbers.intern(key.hash(parts)).map_err(|error| TooMany::within(&error));
        assert_eq!(given(&["a", "bc"]), Ok((0, true)));
        assert_eq!(given(&["ab", "c"]), Ok((1, true)));
        assert_eq!(given(&["a", "bc"]), Ok((0, false)));
        assert_eq!(given(&["abc"]), Ok((2, true)));
        assert_eq!(given(&["d"]), Err(Some(TooMany { what: "terms", most: 3 })));
        assert_eq!(given(&["abc"]), Ok((2, false)));
        let mut all: Vec<u32> = numbers.into_hashes().map(|(_, number)| number).collect();
        all.sort_unstable();
        assert_eq!(all, [0, 1, 2]);
    }
}
