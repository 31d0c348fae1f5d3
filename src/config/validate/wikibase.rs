//! How names of a dataset are looked up: `search` and the keys around it.

use super::{Check, Checked};
use crate::config::raw::RawDataset;
use crate::config::{SearchSettings, WikibaseSettings, presets};
use std::collections::BTreeMap;
use url::Url;

/// The prefixes of the two namespaces of a Wikibase without which its ids mean nothing.
const NAMESPACES: [(&str, &str); 2] =
    [("wd", "of its items, like \"https://wiki.example.org/entity/\""), ("wdt", "of direct values, like \"https://wiki.example.org/prop/direct/\"")];

impl Check<'_> {
    /// The dataset with what its preset says.
    pub(super) fn with_preset(&self, at: &str, raw: RawDataset) -> Checked<RawDataset> {
        if raw.preset.is_empty() {
            return Ok(raw);
        }
        match presets::filled(raw) {
            Some(filled) => Ok(filled),
            None => self.invalid(
                &format!("{at}.preset"),
                format!("must be one of: {}", presets::names().join(", ")),
            ),
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
        for (prefix, what) in NAMESPACES {
            if !raw.prefixes.contains_key(prefix) {
                let problem = format!("must hold '{prefix}' for the search of a Wikibase: the namespace {what}");
                return self.invalid(&key("prefixes"), problem);
            }
        }
        let namespace = |prefix: &str| raw.prefixes.get(prefix).cloned().unwrap_or_default();
        Ok(WikibaseSettings {
            api,
            vectors,
            entities: namespace("wd"),
            direct: namespace("wdt"),
            instance_of: self.predicate(&key("instance_of"), &raw.instance_of, &raw.prefixes)?,
            subclass_of: self.predicate(&key("subclass_of"), &raw.subclass_of, &raw.prefixes)?,
        })
    }

    /// An IRI, or a name with one of the dataset's prefixes.
    fn predicate(
        &self,
        key: &str,
        written: &str,
        prefixes: &BTreeMap<String, String>,
    ) -> Checked<Option<String>> {
        if written.is_empty() {
            return Ok(None);
        }
        let named = written.split_once(':').and_then(|(prefix, local)| Some((prefixes.get(prefix)?, local)));
        let iri = named.map_or_else(|| written.to_owned(), |(namespace, local)| format!("{namespace}{local}"));
        // It becomes a part of queries.
        let breaks = |c: char| c.is_whitespace() || "<>\"{}|^`\\".contains(c);
        match iri.contains("://") && Url::parse(&iri).is_ok() && !iri.contains(breaks) {
            true => Ok(Some(iri)),
            false => self.invalid(key, "must be a predicate, like \"wdt:P31\" with a prefix of the dataset, or an IRI"),
        }
    }
}
