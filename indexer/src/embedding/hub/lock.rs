//! `eruca-model.json`, beside the files of a model that was fetched: from where it is, at which commit, and its checksums.

use super::HubError;
use super::sums::Sums;
use crate::embedding::Pooling;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The name of the file.
pub(super) const LOCK_FILE: &str = "eruca-model.json";
/// Longest such file that is read, in bytes.
const MAX_BYTES: u64 = 64 << 10;

/// What was fetched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelLock {
    /// The address of the hub.
    pub hub: String,
    /// Owner and name.
    pub repository: String,
    /// The commit, so that the same files can be fetched again.
    pub revision: String,
    /// The licence that the hub told.
    pub licence: String,
    /// The file that became `model.onnx`.
    pub weights: String,
    /// How token vectors become one: `mean` or `cls`.
    pub pooling: String,
    /// What the model wants before a question.
    pub query_prefix: String,
    /// What it wants before a text that is indexed.
    pub document_prefix: String,
    /// The files of the folder.
    pub files: BTreeMap<String, LockedFile>,
}

/// A file that was fetched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LockedFile {
    /// Its length in bytes.
    pub bytes: u64,
    /// Its SHA-256, in hexadecimal digits.
    pub sha256: String,
}

/// The word of the configuration for a way of pooling.
pub(super) fn word(pooling: Pooling) -> String {
    match pooling {
        Pooling::Mean => "mean".to_owned(),
        Pooling::Cls => "cls".to_owned(),
    }
}

impl ModelLock {
    /// What a folder holds; `None` if it was not fetched.
    pub(super) fn read(folder: &Path) -> Result<Option<Self>, HubError> {
        let path = folder.join(LOCK_FILE);
        let failed = |reason| HubError::File { path: path.clone(), reason };
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(error)),
        };
        let mut text = String::new();
        file.take(MAX_BYTES).read_to_string(&mut text).map_err(failed)?;
        serde_json::from_str(&text).map(Some).map_err(|_| HubError::Changed { file: path.clone() })
    }

    pub(super) fn write(&self, folder: &Path) -> Result<(), HubError> {
        let path = folder.join(LOCK_FILE);
        let text = serde_json::to_vec_pretty(self).map_err(std::io::Error::from);
        text.and_then(|text| std::fs::write(&path, text)).map_err(|reason| HubError::File { path, reason })
    }

    /// Reads each file and compares it.
    pub(super) fn check(&self, folder: &Path) -> Result<(), HubError> {
        for (name, expected) in &self.files {
            let file = folder.join(name);
            let is_same = |sums: &Sums| sums.bytes == expected.bytes && sums.sha256 == expected.sha256;
            match Sums::of(&file) {
                Ok(sums) if is_same(&sums) => {}
                Ok(_) => return Err(HubError::Changed { file }),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                    return Err(HubError::Changed { file });
                }
                Err(reason) => return Err(HubError::File { path: file, reason }),
            }
        }
        Ok(())
    }

    /// The length of all files, in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.files.values().map(|file| file.bytes).sum()
    }
}
