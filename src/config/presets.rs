//! Datasets that are set up by their name alone. Their values stand in `presets.toml`.

use super::raw::RawDataset;
use std::collections::BTreeMap;

const PRESETS: &str = include_str!("presets.toml");

/// The names of the presets.
pub(super) fn names() -> Vec<String> {
    presets().into_keys().collect()
}

/// Fills what a dataset does not set with the values of its preset; `None` when there is none of that name.
pub(super) fn filled(raw: RawDataset) -> Option<RawDataset> {
    let preset = presets().remove(&raw.preset)?;
    let or = |own: String, preset: String| if own.is_empty() { preset } else { own };
    let or_list = |own: Vec<String>, preset: Vec<String>| if own.is_empty() { preset } else { own };
    // Files are there to be indexed.
    let search = if raw.files.is_empty() { preset.search } else { String::new() };
    // Another endpoint may have another engine.
    let dialect = if raw.endpoint.is_empty() { preset.dialect } else { String::new() };
    let mut prefixes = preset.prefixes;
    prefixes.extend(raw.prefixes);
    Some(RawDataset {
        name: or(raw.name, preset.name),
        endpoint: or(raw.endpoint, preset.endpoint),
        dialect: or(raw.dialect, dialect),
        search: or(raw.search, search),
        wikibase_api: or(raw.wikibase_api, preset.wikibase_api),
        vector_search: or(raw.vector_search, preset.vector_search),
        vocabulary: or(raw.vocabulary, preset.vocabulary),
        type_property: or(raw.type_property, preset.type_property),
        subclass_property: or(raw.subclass_property, preset.subclass_property),
        languages: or_list(raw.languages, preset.languages),
        prefixes,
        ..raw
    })
}

/// The file is part of the program; a test reads it.
fn presets() -> BTreeMap<String, RawDataset> {
    toml::from_str(PRESETS).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_can_be_read() {
        let read: Result<BTreeMap<String, RawDataset>, _> = toml::from_str(PRESETS);
        assert_eq!(read.map(|presets| presets.len()).map_err(|error| error.to_string()), Ok(1));
        assert_eq!(names(), ["wikidata"]);
    }

    #[test]
    fn a_preset_sets_what_it_is_there_to_set_and_no_credentials() {
        let keys: toml::Table = toml::from_str(PRESETS).unwrap();
        for preset in keys.values().filter_map(toml::Value::as_table) {
            for key in preset.keys() {
                assert!(
                    !["id", "aliases", "files", "user", "password", "bearer_token"].contains(&key.as_str()),
                    "{key}"
                );
            }
        }
    }
}
