//! Datasets configured by name alone. Their values are in `presets.toml`.

use super::entry::DatasetEntry;
use std::collections::BTreeMap;

const PRESETS: &str = include_str!("presets.toml");

/// The names of the presets.
pub(super) fn names() -> Vec<String> {
    presets().into_keys().collect()
}

/// An entry, with the values of its preset for keys that it does not set itself.
pub(super) fn filled(entry: DatasetEntry) -> DatasetEntry {
    let preset = entry.preset.as_ref().and_then(|name| presets().remove(name));
    let Some(preset) = preset else { return entry };
    let mut prefixes = preset.prefixes;
    prefixes.extend(entry.prefixes);
    DatasetEntry {
        name: entry.name.or(preset.name),
        // Another endpoint may have a different engine.
        improve: entry.improve.or(preset.improve),
        dialect: entry.dialect.or(preset.dialect.filter(|_| entry.endpoint.is_none())),
        endpoint: entry.endpoint.or(preset.endpoint),
        // Files are meant to be indexed.
        search: entry.search.or(preset.search.filter(|_| entry.files.is_empty())),
        wikibase_api: entry.wikibase_api.or(preset.wikibase_api),
        vector_search: entry.vector_search.or(preset.vector_search),
        vocabulary: entry.vocabulary.or(preset.vocabulary),
        type_property: entry.type_property.or(preset.type_property),
        subclass_property: entry.subclass_property.or(preset.subclass_property),
        languages: if entry.languages.is_empty() { preset.languages } else { entry.languages },
        prefixes,
        ..entry
    }
}

/// The file is part of the program; a test reads it.
fn presets() -> BTreeMap<String, DatasetEntry> {
    toml::from_str(PRESETS).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_can_be_read() {
        let read: Result<BTreeMap<String, DatasetEntry>, _> = toml::from_str(PRESETS);
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
