//! The entry of a dataset as it is written, before it is checked.
//!
//! Secrets are plain text here, so nothing in this module can be printed. Uses serde alone.

use serde::Deserialize;
use std::collections::BTreeMap;

/// What stands in a `[[datasets]]` entry, or in a preset; empty where nothing does.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
pub(super) struct RawDataset {
    pub(super) id: String,
    pub(super) aliases: Vec<String>,
    pub(super) name: String,
    pub(super) files: Vec<String>,
    pub(super) format: String,
    pub(super) endpoint: String,
    pub(super) user: String,
    pub(super) password: String,
    pub(super) bearer_token: String,
    pub(super) headers: BTreeMap<String, String>,
    pub(super) default_graphs: Vec<String>,
    pub(super) dialect: String,
    pub(super) editor: String,
    pub(super) prefixes: BTreeMap<String, String>,
    pub(super) index: String,
    pub(super) languages: Vec<String>,
    pub(super) vocabulary: String,
    pub(super) type_property: String,
    pub(super) subclass_property: String,
    pub(super) wikibase_base: String,
    pub(super) preset: String,
    pub(super) search: String,
    pub(super) wikibase_api: String,
    pub(super) vector_search: String,
}
