//! The layers of settings: built-in defaults, then a file, then the environment; later ones win. They are merged by the
//! crate `config`.

use super::error::ConfigError;
use super::places::Places;
use config::{Config, File, FileFormat, Map, Source, Value};
use std::path::Path;

/// The defaults of every section, with the comments that document them.
pub(super) const DEFAULTS: &str = include_str!("../../config/default.toml");
/// Prefix of environment variables that are settings.
const PREFIX: &str = "ERUCA__";
/// Explains their names.
const NAMES: &str =
    "variables are named ERUCA__SECTION__KEY or ERUCA__DATASETS__NUMBER__KEY (the first is 0)";
/// Maximum number of datasets; guards against a typo in a variable's index.
const MAX_DATASETS: usize = 1000;

/// All layers merged, and the place of each setting.
pub(super) fn merged(
    file: Option<&Path>,
    variables: &[(String, String)],
) -> Result<(Value, Places), ConfigError> {
    let mut places = Places::default();
    let mut layers = Config::builder().add_source(File::from_str(DEFAULTS, FileFormat::Toml));
    if let Some(path) = file {
        let text = std::fs::read_to_string(path)
            .map_err(|error| ConfigError::Unreadable { path: path.to_owned(), reason: error.to_string() })?;
        places.add_file(path, &text)?;
        layers = layers.add_source(File::from_str(&text, FileFormat::Toml));
    }
    let merged = layers.add_source(Variables::of(variables, &mut places)?).build();
    let merged = merged.map_err(|error| {
        let origin = file.unwrap_or(Path::new("configuration")).display().to_string();
        ConfigError::Syntax { origin, message: error.to_string() }
    })?;
    Ok((merged.cache, places))
}

/// The variables `ERUCA__SECTION__KEY`: texts by the path of their setting, with which `config` also addresses list entries. The
/// type of a text is not guessed; the type of the setting determines it.
#[derive(Debug, Clone)]
struct Variables(Map<String, Value>);

impl Source for Variables {
    fn clone_into_box(&self) -> Box<dyn Source + Send + Sync> {
        Box::new(self.clone())
    }

    fn collect(&self) -> Result<Map<String, Value>, config::ConfigError> {
        Ok(self.0.clone())
    }
}

impl Variables {
    fn of(variables: &[(String, String)], places: &mut Places) -> Result<Self, ConfigError> {
        let mut texts = Map::new();
        for (name, text) in variables {
            // Compose files pass on variables that may be unset: those are empty.
            let (Some(path), false) = (name.strip_prefix(PREFIX), text.is_empty()) else { continue };
            let path = path.to_lowercase();
            let Some(key) = key(&path) else {
                let (origin, key) = (format!("environment variable {name}"), path.replace("__", "."));
                return Err(ConfigError::UnknownKey { origin, key, help: NAMES.to_owned() });
            };
            texts.insert(key.clone(), Value::new(Some(name), text.as_str()));
            places.add_variable(key, name);
        }
        Ok(Self(texts))
    }
}

/// The key for a variable's name.
fn key(path: &str) -> Option<String> {
    match path.split("__").collect::<Vec<_>>().as_slice() {
        // `config` would interpret it as a path.
        _ if path.contains(['.', '[']) => None,
        ["datasets", number, key] => {
            let number = number.parse::<usize>().ok().filter(|number| *number < MAX_DATASETS)?;
            Some(format!("datasets[{number}].{key}"))
        }
        [section, key] if *section != "datasets" => Some(format!("{section}.{key}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_has_a_comment_above_it_or_above_its_neighbours() {
        let mut previous = "";
        for line in DEFAULTS.lines() {
            if line.contains(" = ") && !line.starts_with('#') {
                assert!(previous.starts_with('#'), "no comment above: {line}");
            }
            previous = line;
        }
    }
}
