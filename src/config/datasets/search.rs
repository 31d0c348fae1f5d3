//! How the names of a dataset are looked up: `search` and related keys.

use super::{Check, Checked};
use crate::config::entry::DatasetEntry;
use crate::config::{SearchSettings, WikibaseSettings};

/// The prefix of a Wikibase's items, required to interpret its ids, and the ending of its namespace.
const ITEMS: &str = "wd";
const ENTITY: &str = "entity/";

impl Check<'_> {
    /// Where names are looked up.
    pub(super) fn search(&self, entry: &DatasetEntry) -> Checked<SearchSettings> {
        match entry.search.as_deref().unwrap_or("index") {
            "index" => self.unused(entry).map(|()| SearchSettings::Index),
            "wikibase-api" if !entry.files.is_empty() => self.invalid(
                "search",
                "is \"wikibase-api\", which uses no index, but there are 'files' to index; use \"both\", or remove 'files'",
            ),
            "wikibase-api" if entry.endpoint.is_none() => {
                self.invalid("search", "is \"wikibase-api\", but there is no 'endpoint' for the queries")
            }
            "wikibase-api" => self.wikibase(entry).map(SearchSettings::Wikibase),
            "both" => self.wikibase(entry).map(SearchSettings::Both),
            _ => self.invalid("search", "must be \"index\", \"wikibase-api\" or \"both\""),
        }
    }

    /// Rejects a search that is configured but unused, which would go unnoticed. A preset may contain an unwanted one.
    fn unused(&self, entry: &DatasetEntry) -> Checked<()> {
        let set = [("wikibase_api", &entry.wikibase_api), ("vector_search", &entry.vector_search)];
        match set.iter().find(|(_, value)| entry.preset.is_none() && value.is_some()) {
            Some((key, _)) => self.invalid(
                key,
                "is set, but names are looked up in the index alone; set search = \"wikibase-api\" or \"both\"",
            ),
            None => Ok(()),
        }
    }

    fn wikibase(&self, entry: &DatasetEntry) -> Checked<WikibaseSettings> {
        let Some(api) = entry.wikibase_api.clone() else {
            return self.invalid(
                "wikibase_api",
                "is empty; name the address of api.php, like \"https://wiki.example.org/w/api.php\"",
            );
        };
        match entry.prefixes.get(ITEMS).and_then(|items| items.strip_suffix(ENTITY)) {
            Some(base) => {
                Ok(WikibaseSettings { api, vectors: entry.vector_search.clone(), base: base.to_owned() })
            }
            None => self.invalid(
                "prefixes",
                "must hold 'wd' for the search of a Wikibase: the namespace of its items, like \
                 \"https://wiki.example.org/entity/\"",
            ),
        }
    }
}
