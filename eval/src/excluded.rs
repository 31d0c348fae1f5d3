//! Questions whose gold answer is not known: their query fails, or they have none. No answer to them is right or wrong, so they are left
//! out of all means, by name.

use super::record::Record;
use serde::Serialize;

/// A question that is left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Excluded {
    /// Its id.
    pub id: String,
    /// Why its gold answer is not known.
    pub reason: String,
}

/// Whether the gold answer of a record is known.
pub fn is_known(record: &Record) -> bool {
    record.gold.error.is_none()
}

/// The questions that are left out, in order.
pub fn excluded(records: &[Record]) -> Vec<Excluded> {
    let reason = |record: &Record| {
        let reason = record.gold.error.clone()?;
        Some(Excluded { id: record.id.clone(), reason })
    };
    records.iter().filter_map(reason).collect()
}

/// Those that count.
pub fn counted(records: &[Record]) -> Vec<&Record> {
    records.iter().filter(|record| is_known(record)).collect()
}
