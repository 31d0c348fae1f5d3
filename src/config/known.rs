//! Which keys exist and which type each has, taken from the built-in defaults.
//!
//! `config/default.toml` is compiled in and is the list of sections, keys and types; the keys of datasets stand in it
//! as comments. A key that is not there cannot be set. Tests: `tests`, and `wrong` (every message, word for word).

use super::error::ConfigError;
use super::layers::parse;
use strsim::levenshtein;
use toml::{Table, Value};

/// The defaults of every section, with the comments that document them.
pub(super) const DEFAULTS: &str = include_str!("../../config/default.toml");

/// Where the keys of a `[[datasets]]` entry begin in the defaults: as comments, each with an example that tells its type.
const DATASET_KEYS: &str = "\n# [[datasets]]\n";

/// The type of a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SettingType {
    Text,
    Integer,
    Number,
    Flag,
    Texts,
    TextTable,
}

impl SettingType {
    fn of(value: &Value) -> Self {
        match value {
            Value::String(_) | Value::Datetime(_) => Self::Text,
            Value::Integer(_) => Self::Integer,
            Value::Float(_) => Self::Number,
            Value::Boolean(_) => Self::Flag,
            Value::Array(_) => Self::Texts,
            Value::Table(_) => Self::TextTable,
        }
    }

    /// The type in words for people.
    pub(super) fn described(self) -> &'static str {
        match self {
            Self::Text => "a text",
            Self::Integer => "a whole number",
            Self::Number => "a number",
            Self::Flag => "true or false",
            Self::Texts => "a list of texts",
            Self::TextTable => "a table of texts, like { \"X-Example\" = \"value\" }",
        }
    }

    /// The value in the form of this type, or `None` if it has another one.
    pub(super) fn accept(self, value: Value) -> Option<Value> {
        let all_texts = |value: &Value| matches!(value, Value::String(_));
        match (self, value) {
            (Self::Text, value @ Value::String(_))
            | (Self::Integer, value @ Value::Integer(_))
            | (Self::Number, value @ Value::Float(_))
            | (Self::Flag, value @ Value::Boolean(_)) => Some(value),
            (Self::Number, Value::Integer(number)) => Some(Value::Float(number as f64)),
            (Self::Texts, Value::Array(items)) if items.iter().all(all_texts) => Some(Value::Array(items)),
            (Self::TextTable, Value::Table(table)) if table.values().all(all_texts) => {
                Some(Value::Table(table))
            }
            _ => None,
        }
    }

    /// The value of this type that an environment variable spells, or `None` if it spells none.
    pub(super) fn read(self, text: &str) -> Option<Value> {
        match self {
            Self::Text => Some(Value::String(text.to_owned())),
            Self::Integer => text.trim().parse().ok().map(Value::Integer),
            Self::Number => text.trim().parse().ok().map(Value::Float),
            Self::Flag => text.trim().parse().ok().map(Value::Boolean),
            Self::Texts if text.trim_start().starts_with('[') => self.accept(parse_value(text)?),
            Self::Texts => {
                let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
                Some(Value::Array(items.map(Value::from).collect()))
            }
            Self::TextTable => self.accept(parse_value(text)?),
        }
    }
}

fn parse_value(text: &str) -> Option<Value> {
    let mut table: Table = toml::from_str(&format!("value = {text}")).ok()?;
    table.remove("value")
}

/// The type of a value as found, in words for people.
pub(super) fn found(value: &Value) -> &'static str {
    match value {
        Value::String(_) => "a text",
        Value::Integer(_) => "a whole number",
        Value::Float(_) => "a number",
        Value::Boolean(_) => "true or false",
        Value::Datetime(_) => "a date",
        Value::Array(items) if items.iter().all(|item| matches!(item, Value::String(_))) => "a list of texts",
        Value::Array(_) => "a list with other things than texts",
        Value::Table(_) => "a table",
    }
}

/// The settings that exist.
pub(super) struct KnownSettings {
    sections: Table,
    /// The keys of a dataset in the order of the defaults.
    dataset: Vec<(String, SettingType)>,
}

impl KnownSettings {
    /// `sections` are the built-in defaults, which come from `origin`.
    pub(super) fn new(sections: Table, origin: &str) -> Result<Self, ConfigError> {
        let text = dataset_entry();
        let place = |key: &str| text.find(&format!("\n{key} = "));
        let keys = parse(&text, origin)?.into_iter();
        let mut dataset: Vec<_> = keys.map(|(key, value)| (key, SettingType::of(&value))).collect();
        dataset.sort_by_key(|(key, _)| place(key));
        Ok(Self { sections, dataset })
    }

    /// Checks that `section` exists.
    pub(super) fn section(&self, section: &str, origin: &str) -> Result<(), ConfigError> {
        if self.sections.contains_key(section) {
            return Ok(());
        }
        let mut names: Vec<&str> = self.sections.keys().map(String::as_str).collect();
        names.push("datasets");
        Err(unknown(section, section, &names, origin, "sections"))
    }

    /// The type of `key` in `section`, where `datasets` stands for an entry of `[[datasets]]`.
    pub(super) fn kind(&self, section: &str, key: &str, origin: &str) -> Result<SettingType, ConfigError> {
        if section == "datasets" {
            let kind = self.dataset.iter().find(|(name, _)| *name == key).map(|(_, kind)| *kind);
            let names = || self.dataset.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>();
            return kind
                .ok_or_else(|| unknown(&full(section, key), key, &names(), origin, "keys of [[datasets]]"));
        }
        self.section(section, origin)?;
        let keys = self.sections.get(section).and_then(Value::as_table);
        let kind = keys.and_then(|keys| keys.get(key)).map(SettingType::of);
        kind.ok_or_else(|| {
            let names: Vec<&str> = keys.into_iter().flat_map(Table::keys).map(String::as_str).collect();
            unknown(&full(section, key), key, &names, origin, &format!("keys of [{section}]"))
        })
    }
}

/// The entry of a dataset with every key, out of the comments.
fn dataset_entry() -> String {
    let (_, comments) = DEFAULTS.split_once(DATASET_KEYS).unwrap_or_default();
    comments.lines().map(|line| format!("\n{}", line.strip_prefix("# ").unwrap_or(line))).collect()
}

fn full(section: &str, key: &str) -> String {
    format!("{section}.{key}")
}

fn unknown(full: &str, key: &str, names: &[&str], origin: &str, what: &str) -> ConfigError {
    let guess = nearest(key, names).map(|name| format!("did you mean '{name}'? ")).unwrap_or_default();
    let help = format!("{guess}{what}: {}", names.join(", "));
    ConfigError::UnknownKey { origin: origin.to_owned(), key: full.to_owned(), help }
}

/// The name that differs least from `key`, if it is near enough to be a slip.
fn nearest<'a>(key: &str, names: &[&'a str]) -> Option<&'a str> {
    let allowed = (key.chars().count() / 3).max(2);
    let distances = names.iter().map(|name| (levenshtein(key, name), *name));
    distances.filter(|(distance, _)| *distance <= allowed).min().map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::super::raw::RawDataset;
    use super::*;

    #[test]
    fn a_dataset_has_the_keys_that_the_defaults_show_and_no_others() {
        let entry: Table = toml::from_str(&dataset_entry()).unwrap();
        assert!(entry.len() > 20, "{entry:?}");
        let read: Result<RawDataset, _> = entry.try_into();
        assert!(read.is_ok(), "{:?}", read.err());
    }

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
