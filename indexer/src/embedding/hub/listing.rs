//! What a hub says of a model: its licence, its commit, its files with their checksums. Parses alone; asks nothing.

use super::HubError;
use super::sums::Checksum;
use crate::embedding::Pooling;
use serde::Deserialize;
use serde_json::Value;

/// The weights when none are named, and where some models have them instead.
pub(super) const WEIGHTS: [&str; 2] = ["onnx/model.onnx", "model.onnx"];

/// `/api/models/OWNER/NAME/revision/REVISION`.
#[derive(Debug, Deserialize)]
pub(super) struct About {
    /// The commit.
    pub(super) sha: String,
    #[serde(default, rename = "cardData")]
    card: Value,
    #[serde(default)]
    tags: Vec<String>,
}

impl About {
    /// The licence that the owner names.
    pub(super) fn licence(&self) -> String {
        let of_card = match self.card.get("license") {
            Some(Value::String(one)) => Some(one.clone()),
            Some(Value::Array(several)) => {
                Some(several.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", "))
            }
            _ => None,
        };
        let of_tag = || self.tags.iter().find_map(|tag| tag.strip_prefix("license:")).map(str::to_owned);
        let named = of_card.filter(|licence| !licence.is_empty()).or_else(of_tag);
        named.unwrap_or_else(|| "not named by its owner".to_owned())
    }

    /// Whether the commit is one: it becomes part of addresses and of the lock file.
    pub(super) fn has_commit(&self) -> bool {
        (7..=64).contains(&self.sha.len()) && self.sha.bytes().all(|byte| byte.is_ascii_hexdigit())
    }
}

/// An entry of `/api/models/OWNER/NAME/tree/REVISION`.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Entry {
    #[serde(rename = "type")]
    kind: String,
    pub(super) path: String,
    oid: String,
    pub(super) size: u64,
    lfs: Option<Large>,
}

#[derive(Debug, Clone, Deserialize)]
struct Large {
    oid: String,
}

impl Entry {
    /// The SHA-256 of a large file; of a small one the hub tells the name that Git gives it, a SHA-1.
    pub(super) fn checksum(&self) -> Checksum {
        match &self.lfs {
            Some(large) => Checksum::Sha256(large.oid.trim_start_matches("sha256:").to_lowercase()),
            None => Checksum::Git(self.oid.to_lowercase()),
        }
    }
}

/// The files of a model.
pub(super) struct Files {
    repository: String,
    entries: Vec<Entry>,
}

impl Files {
    pub(super) fn new(repository: &str, entries: Vec<Entry>) -> Self {
        let entries = entries.into_iter().filter(|entry| entry.kind == "file").collect();
        Self { repository: repository.to_owned(), entries }
    }

    pub(super) fn get(&self, path: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.path == path)
    }

    /// The weights that are named, or those of most models.
    pub(super) fn weights(&self, named: Option<&str>) -> Result<&Entry, HubError> {
        let found = match named {
            Some(path) => self.get(path).filter(|entry| entry.path.ends_with(".onnx")),
            None => WEIGHTS.into_iter().find_map(|path| self.get(path)),
        };
        let entry = found.ok_or_else(|| self.missing(named.unwrap_or(WEIGHTS[0])))?;
        let beside = [format!("{}_data", entry.path), format!("{}.data", entry.path)];
        if beside.iter().any(|path| self.get(path).is_some()) {
            let (repository, file) = (self.repository.clone(), entry.path.clone());
            return Err(HubError::SeveralFiles { repository, file, weights: self.all_weights() });
        }
        Ok(entry)
    }

    /// A file of the tokenizer: where the model has its own, or beside the weights.
    pub(super) fn beside(&self, weights: &Entry, name: &str) -> Result<&Entry, HubError> {
        let folder = weights.path.rsplit_once('/').map(|(folder, _)| format!("{folder}/{name}"));
        let found = self.get(name).or_else(|| self.get(&folder?));
        found.ok_or_else(|| self.missing(name))
    }

    fn missing(&self, file: &str) -> HubError {
        let (repository, file) = (self.repository.clone(), file.to_owned());
        HubError::Missing { repository, file, weights: self.all_weights() }
    }

    fn all_weights(&self) -> Vec<String> {
        let paths = self.entries.iter().map(|entry| &entry.path);
        paths.filter(|path| path.ends_with(".onnx")).take(20).cloned().collect()
    }
}

/// How the token vectors become one, as `1_Pooling/config.json` says it; `None` where it does not.
pub(super) fn pooling(repository: &str, config: &Value) -> Result<Option<Pooling>, HubError> {
    let named = config.get("pooling_mode").and_then(Value::as_str).map(str::to_owned);
    let switched = || {
        let switches = config.as_object()?.iter();
        let mut on = switches.filter(|(_, on)| on.as_bool() == Some(true));
        on.find_map(|(key, _)| key.strip_prefix("pooling_mode_")).map(str::to_owned)
    };
    match named.or_else(switched).as_deref() {
        Some("mean" | "mean_tokens") => Ok(Some(Pooling::Mean)),
        Some("cls" | "cls_token") => Ok(Some(Pooling::Cls)),
        Some(other) => {
            Err(HubError::Pooling { repository: repository.to_owned(), pooling: other.to_owned() })
        }
        None => Ok(None),
    }
}

/// The prefixes of questions and of texts, as `config_sentence_transformers.json` has them.
pub(super) fn prefixes(config: &Value) -> (String, String) {
    let prompt = |name: &str| config.get("prompts")?.get(name)?.as_str().map(str::to_owned);
    let document = prompt("document").or_else(|| prompt("passage"));
    (prompt("query").unwrap_or_default(), document.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn pooling_is_read_from_both_spellings_and_others_are_refused() {
        let mean = json!({"pooling_mode_cls_token": false, "pooling_mode_mean_tokens": true});
        assert_eq!(pooling("a/b", &mean).unwrap(), Some(Pooling::Mean));
        assert_eq!(pooling("a/b", &json!({"pooling_mode": "cls"})).unwrap(), Some(Pooling::Cls));
        assert_eq!(pooling("a/b", &json!({"word_embedding_dimension": 384})).unwrap(), None);
        let last = pooling("a/b", &json!({"pooling_mode_lasttoken": true})).unwrap_err().to_string();
        assert!(last.contains("'lasttoken'"), "{last}");
    }

    #[test]
    fn a_licence_is_that_of_the_card_or_of_the_tags() {
        let about = |json: Value| serde_json::from_value::<About>(json).unwrap().licence();
        assert_eq!(about(json!({"sha": "1", "cardData": {"license": "mit"}})), "mit");
        assert_eq!(
            about(json!({"sha": "1", "cardData": null, "tags": ["onnx", "license:apache-2.0"]})),
            "apache-2.0"
        );
        assert_eq!(about(json!({"sha": "1"})), "not named by its owner");
    }

    #[test]
    fn weights_in_two_files_are_refused() {
        let entry = |path: &str| json!({"type": "file", "path": path, "oid": "0", "size": 1});
        let entries =
            json!([entry("onnx/model.onnx"), entry("onnx/model.onnx_data"), entry("onnx/small.onnx")]);
        let files = Files::new("a/b", serde_json::from_value(entries).unwrap());
        let said = files.weights(None).unwrap_err().to_string();
        assert!(said.contains("second file") && said.contains("onnx/small.onnx"), "{said}");
        assert_eq!(files.weights(Some("onnx/small.onnx")).unwrap().path, "onnx/small.onnx");
    }
}
