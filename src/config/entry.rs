//! A dataset entry as written: its keys, their types, and the rules for single values.
//!
//! Passwords are plain text here, so the type cannot be printed.

use super::presets;
use super::values::{NO_IRI, Within, all, base_url, fitting, iris, is_iri, optional, path, paths, web_url};
use eruca_dataset::improve_address;
use eruca_indexer::GivenFormat;
use eruca_indexer::vocabulary::GivenVocabulary;
use eruca_sparql::Dialect;
use secrecy::SecretString;
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::path::PathBuf;
use url::Url;

/// The content of a `[[datasets]]` entry or a preset; unset keys are empty. Messages list the keys in this order.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
pub(super) struct DatasetEntry {
    pub(super) id: String,
    #[serde(deserialize_with = "aliases")]
    pub(super) aliases: Vec<String>,
    pub(super) name: Option<String>,
    #[serde(deserialize_with = "paths")]
    pub(super) files: Vec<PathBuf>,
    #[serde(deserialize_with = "format")]
    pub(super) format: Option<GivenFormat>,
    #[serde(deserialize_with = "web_address")]
    pub(super) endpoint: Option<String>,
    pub(super) user: String,
    pub(super) password: String,
    pub(super) bearer_token: String,
    pub(super) headers: BTreeMap<String, SecretString>,
    #[serde(deserialize_with = "iris")]
    pub(super) default_graphs: Vec<String>,
    #[serde(deserialize_with = "iris")]
    pub(super) graphs: Vec<String>,
    #[serde(deserialize_with = "dialect")]
    pub(super) dialect: Option<String>,
    #[serde(deserialize_with = "editor")]
    pub(super) editor: Option<String>,
    #[serde(deserialize_with = "improve")]
    pub(super) improve: Option<String>,
    #[serde(deserialize_with = "prefixes")]
    pub(super) prefixes: BTreeMap<String, String>,
    #[serde(deserialize_with = "path")]
    pub(super) index: Option<PathBuf>,
    #[serde(deserialize_with = "path")]
    pub(super) knowledge: Option<PathBuf>,
    #[serde(deserialize_with = "paths")]
    pub(super) texts: Vec<PathBuf>,
    #[serde(deserialize_with = "path")]
    pub(super) text_mapping: Option<PathBuf>,
    #[serde(deserialize_with = "Within::<0, 1_000_000>::deserialize")]
    pub(super) text_literals: usize,
    pub(super) text_vectors: Option<bool>,
    #[serde(deserialize_with = "languages")]
    pub(super) languages: Vec<String>,
    #[serde(deserialize_with = "vocabulary")]
    pub(super) vocabulary: Option<String>,
    #[serde(deserialize_with = "property")]
    pub(super) type_property: Option<String>,
    #[serde(deserialize_with = "property")]
    pub(super) subclass_property: Option<String>,
    #[serde(deserialize_with = "wikibase_base")]
    pub(super) wikibase_base: Option<String>,
    #[serde(deserialize_with = "preset")]
    pub(super) preset: Option<String>,
    pub(super) search: Option<String>,
    #[serde(deserialize_with = "web_address")]
    pub(super) wikibase_api: Option<String>,
    #[serde(deserialize_with = "base_address")]
    pub(super) vector_search: Option<String>,
}

fn aliases<'de, D: Deserializer<'de>>(setting: D) -> Result<Vec<String>, D::Error> {
    all(setting, |alias| !alias.trim().is_empty(), "contains an empty name")
}

fn format<'de, D: Deserializer<'de>>(setting: D) -> Result<Option<GivenFormat>, D::Error> {
    let names = || GivenFormat::ALL.map(|format| format!("\"{}\"", format.name())).join(", ");
    optional(setting, |name| GivenFormat::named(name).ok_or_else(|| format!("must be one of {}", names())))
}

fn web_address<'de, D: Deserializer<'de>>(setting: D) -> Result<Option<String>, D::Error> {
    optional(setting, web_url)
}

fn base_address<'de, D: Deserializer<'de>>(setting: D) -> Result<Option<String>, D::Error> {
    optional(setting, base_url)
}

fn dialect<'de, D: Deserializer<'de>>(setting: D) -> Result<Option<String>, D::Error> {
    let names: Vec<_> = Dialect::all().map(|dialect| format!("\"{}\"", dialect.name())).collect();
    let known = |name: &str| name == "auto" || Dialect::named(name).is_some();
    fitting(setting, known, &format!("must be \"auto\", {}", names.join(", ")))
}

fn editor<'de, D: Deserializer<'de>>(setting: D) -> Result<Option<String>, D::Error> {
    let problem = "must be an address with {query} where the query goes, like \"https://example.org/sparql?query={query}\"";
    let fits = |address: &str| {
        let scheme = address.starts_with("https://") || address.starts_with("http://");
        let known = Url::parse(&address.replace(Dialect::QUERY, "q")).is_ok_and(|url| url.has_host());
        scheme && known && address.matches(Dialect::QUERY).count() == 1
    };
    fitting(setting, fits, problem)
}

fn improve<'de, D: Deserializer<'de>>(setting: D) -> Result<Option<String>, D::Error> {
    let problem = "must be an address with {iri} or {name} where the thing goes, like \"https://example.org/edit?thing={iri}\"";
    let fits = |address: &str| {
        let scheme = address.starts_with("https://") || address.starts_with("http://");
        let filled = improve_address(address, "http://example.org/a");
        scheme && filled != address && Url::parse(&filled).is_ok_and(|url| url.has_host())
    };
    fitting(setting, fits, problem)
}

/// [Prefix names](https://www.w3.org/TR/sparql11-query/#rPN_PREFIX), restricted to the usual characters.
fn prefixes<'de, D: Deserializer<'de>>(setting: D) -> Result<BTreeMap<String, String>, D::Error> {
    let prefixes = BTreeMap::<String, String>::deserialize(setting)?;
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    let is_name = |name: &String| name.starts_with(char::is_alphabetic) && name.chars().all(fits);
    match (prefixes.keys().all(is_name), prefixes.values().all(|iri| is_iri(iri))) {
        (true, true) => Ok(prefixes),
        (true, false) => Err(D::Error::custom(NO_IRI)),
        (false, _) => Err(D::Error::custom("must hold names like \"ex\", without the colon")),
    }
}

fn languages<'de, D: Deserializer<'de>>(setting: D) -> Result<Vec<String>, D::Error> {
    let is_tag = |tag: &str| !tag.is_empty() && tag.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let tags = all(setting, is_tag, "must hold language tags like \"en\" or \"pt-BR\"")?;
    Ok(tags.into_iter().map(|tag| tag.to_lowercase()).collect())
}

fn vocabulary<'de, D: Deserializer<'de>>(setting: D) -> Result<Option<String>, D::Error> {
    let names: Vec<&str> = GivenVocabulary::profiles().collect();
    let problem = format!("must be \"auto\" or one of: {}", names.join(", "));
    fitting(setting, |name| name == "auto" || names.contains(&name), &problem)
}

fn property<'de, D: Deserializer<'de>>(setting: D) -> Result<Option<String>, D::Error> {
    fitting(setting, is_iri, NO_IRI)
}

fn wikibase_base<'de, D: Deserializer<'de>>(setting: D) -> Result<Option<String>, D::Error> {
    let problem = "must be what the IRIs of the Wikibase begin with, like \"https://wiki.example.org/\", with the slash at its end";
    fitting(setting, |base| base.ends_with('/') && is_iri(base), problem)
}

fn preset<'de, D: Deserializer<'de>>(setting: D) -> Result<Option<String>, D::Error> {
    let names = presets::names();
    let problem = format!("must be one of: {}", names.join(", "));
    fitting(setting, |name| names.iter().any(|known| known == name), &problem)
}

#[cfg(test)]
mod tests {
    use super::super::layers::DEFAULTS;
    use super::*;
    use toml::Table;

    #[test]
    fn a_dataset_has_the_keys_that_the_defaults_show_and_no_others() {
        let (_, comments) = DEFAULTS.split_once("\n# [[datasets]]\n").unwrap();
        let lines = comments.lines().map(|line| line.strip_prefix("# ").unwrap_or(line));
        let entry: Table = toml::from_str(&lines.collect::<Vec<_>>().join("\n")).unwrap();
        assert!(entry.len() > 20, "{entry:?}");
        let read: Result<DatasetEntry, _> = entry.try_into();
        assert!(read.is_ok(), "{:?}", read.err());
    }
}
