//! Facts about a stored graph as a whole. They are written last, so that a folder without them is known to
//! be incomplete.

use crate::StoredError;
use crate::checked::{CheckedFile, CheckedWriter, Damage};
use crate::terms::TermFacts;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::Path;

/// Format version; changes when the format of any file changes.
pub(crate) const FORMAT: u32 = 1;
const FILE: &str = "facts";

/// Facts about a stored graph as a whole.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Facts {
    pub(crate) format: u32,
    pub(crate) triples: u32,
    pub(crate) terms: TermFacts,
}

impl Facts {
    /// Number of distinct triples.
    pub fn triples(&self) -> u64 {
        u64::from(self.triples)
    }

    pub(crate) fn write(&self, folder: &Path) -> io::Result<()> {
        let mut file = CheckedWriter::create(&folder.join(FILE))?;
        file.write(&serde_json::to_vec(self)?)?;
        file.finish()
    }

    pub(crate) fn read(folder: &Path) -> Result<Self, StoredError> {
        let path = folder.join(FILE);
        let file = CheckedFile::open(path.clone(), &Damage::default())?;
        let facts: Self = serde_json::from_slice(file.bytes(0..file.len())?)
            .map_err(|error| StoredError::unreadable(&path, error))?;
        if facts.format != FORMAT {
            let reason = format!("it has format {}, this version reads {FORMAT}", facts.format);
            return Err(StoredError::unreadable(&path, reason));
        }
        Ok(facts)
    }
}
