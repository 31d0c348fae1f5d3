//! The list of collections started for an index folder. A crash may leave one that no manifest names; a later
//! build deletes it.

use crate::own_files;
use std::io::Write;
use std::path::{Path, PathBuf};

const FILE: &str = "qdrant-collections";

/// One line per collection.
pub(crate) struct Ledger {
    file: PathBuf,
}

impl Ledger {
    pub(crate) fn of(folder: &Path) -> Self {
        Self { file: folder.join(FILE) }
    }

    /// Records a collection before it is created.
    pub(crate) fn add(&self, name: &str) -> std::io::Result<()> {
        let mut file = own_files::open(&self.file)?;
        file.write_all(format!("{name}\n").as_bytes())?;
        file.sync_data()
    }

    /// All collections but these.
    pub(crate) fn others(&self, names: &[&str]) -> Vec<String> {
        let text = std::fs::read_to_string(&self.file).unwrap_or_default();
        text.lines().filter(|line| !line.is_empty() && !names.contains(line)).map(str::to_owned).collect()
    }

    /// Removes all but these from the list. If that fails, the next build deletes them once more.
    pub(crate) fn keep_only(&self, names: &[&str]) {
        let lines: String = names.iter().map(|name| format!("{name}\n")).collect();
        if let Err(error) = own_files::replace_file(&self.file, lines.as_bytes()) {
            tracing::warn!(file = %self.file.display(), %error, "the list of collections cannot be written");
        }
    }
}
