//! How names of a dataset are looked up: `search` and the keys around it.

use super::{Check, Checked};
use crate::config::raw::RawDataset;
use crate::config::{SearchSettings, WikibaseSettings, presets};

/// The prefix of a Wikibase's items, without which its ids mean nothing, and what its namespace ends with.
const ITEMS: &str = "wd";
const ENTITY: &str = "entity/";

impl Check<'_> {
    /// The dataset with what its preset says.
    pub(super) fn with_preset(&self, at: &str, raw: RawDataset) -> Checked<RawDataset> {
        if raw.preset.is_empty() {
            return Ok(raw);
        }
        match presets::filled(raw) {
            Some(filled) => Ok(filled),
            None => self
                .invalid(&format!("{at}.preset"), format!("must be one of: {}", presets::names().join(", "))),
        }
    }

    /// Where names are looked up.
    pub(super) fn search(&self, at: &str, raw: &RawDataset) -> Checked<SearchSettings> {
        let key = |key: &str| format!("{at}.{key}");
        match raw.search.as_str() {
            "" | "index" => {
                self.unused(at, raw)?;
                Ok(SearchSettings::Index)
            }
            "wikibase-api" if !raw.files.is_empty() => self.invalid(
                &key("search"),
                "is \"wikibase-api\", which uses no index, but there are 'files' to index; use \"both\", or remove 'files'",
            ),
            "wikibase-api" if raw.endpoint.is_empty() => {
                self.invalid(&key("search"), "is \"wikibase-api\", but there is no 'endpoint' for the queries")
            }
            "wikibase-api" => Ok(SearchSettings::Wikibase(self.wikibase(at, raw)?)),
            "both" => Ok(SearchSettings::Both(self.wikibase(at, raw)?)),
            _ => self.invalid(&key("search"), "must be \"index\", \"wikibase-api\" or \"both\""),
        }
    }

    /// A search that is configured and not used would go unnoticed. A preset may bring one that is not wanted.
    fn unused(&self, at: &str, raw: &RawDataset) -> Checked<()> {
        let set = [("wikibase_api", &raw.wikibase_api), ("vector_search", &raw.vector_search)];
        match set.iter().find(|(_, value)| raw.preset.is_empty() && !value.is_empty()) {
            Some((key, _)) => self.invalid(
                &format!("{at}.{key}"),
                "is set, but names are looked up in the index alone; set search = \"wikibase-api\" or \"both\"",
            ),
            None => Ok(()),
        }
    }

    fn wikibase(&self, at: &str, raw: &RawDataset) -> Checked<WikibaseSettings> {
        let key = |key: &str| format!("{at}.{key}");
        let why = "name the address of api.php, like \"https://wiki.example.org/w/api.php\"";
        let api = self.required(&key("wikibase_api"), raw.wikibase_api.clone(), why)?;
        self.web_url(&key("wikibase_api"), &api)?;
        let vectors = match raw.vector_search.as_str() {
            "" => None,
            url => Some(self.base_url(&key("vector_search"), url)?),
        };
        match raw.prefixes.get(ITEMS).and_then(|items| items.strip_suffix(ENTITY)) {
            Some(base) => Ok(WikibaseSettings { api, vectors, base: base.to_owned() }),
            None => self.invalid(
                &key("prefixes"),
                "must hold 'wd' for the search of a Wikibase: the namespace of its items, like \
                 \"https://wiki.example.org/entity/\"",
            ),
        }
    }
}
