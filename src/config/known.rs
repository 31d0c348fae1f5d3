//! Which keys exist and which type each has, taken from the built-in defaults.

use super::error::ConfigError;
use toml::{Table, Value};

/// The defaults of every section, with the comments that document them.
pub(super) const DEFAULTS: &str = include_str!("../../config/default.toml");

/// The keys of a `[[datasets]]` entry; they have no defaults that could tell their types.
const DATASET_KEYS: [(&str, Kind); 24] = [
    ("id", Kind::Text),
    ("aliases", Kind::Texts),
    ("name", Kind::Text),
    ("files", Kind::Texts),
    ("format", Kind::Text),
    ("endpoint", Kind::Text),
    ("user", Kind::Text),
    ("password", Kind::Text),
    ("bearer_token", Kind::Text),
    ("headers", Kind::TextTable),
    ("default_graphs", Kind::Texts),
    ("dialect", Kind::Text),
    ("editor", Kind::Text),
    ("prefixes", Kind::TextTable),
    ("index", Kind::Text),
    ("languages", Kind::Texts),
    ("vocabulary", Kind::Text),
    ("type_property", Kind::Text),
    ("subclass_property", Kind::Text),
    ("wikibase_base", Kind::Text),
    ("preset", Kind::Text),
    ("search", Kind::Text),
    ("wikibase_api", Kind::Text),
    ("vector_search", Kind::Text),
];

/// The type of a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Integer,
    Number,
    Flag,
    Texts,
    TextTable,
}

impl Kind {
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
pub(super) struct Known {
    sections: Table,
}

impl Known {
    /// `sections` are the built-in defaults.
    pub(super) fn new(sections: Table) -> Self {
        Self { sections }
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
    pub(super) fn kind(&self, section: &str, key: &str, origin: &str) -> Result<Kind, ConfigError> {
        if section == "datasets" {
            let kind = DATASET_KEYS.iter().find(|(name, _)| *name == key).map(|(_, kind)| *kind);
            let names = || DATASET_KEYS.map(|(name, _)| name).to_vec();
            return kind
                .ok_or_else(|| unknown(&full(section, key), key, &names(), origin, "keys of [[datasets]]"));
        }
        self.section(section, origin)?;
        let keys = self.sections.get(section).and_then(Value::as_table);
        let kind = keys.and_then(|keys| keys.get(key)).map(Kind::of);
        kind.ok_or_else(|| {
            let names: Vec<&str> = keys.into_iter().flat_map(Table::keys).map(String::as_str).collect();
            unknown(&full(section, key), key, &names, origin, &format!("keys of [{section}]"))
        })
    }
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
    let distances = names.iter().map(|name| (distance(key, name), *name));
    distances.filter(|(distance, _)| *distance <= allowed).min().map(|(_, name)| name)
}

/// The [Levenshtein distance](https://en.wikipedia.org/wiki/Levenshtein_distance) of two texts.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, from) in left.chars().enumerate() {
        let mut diagonal = i;
        let mut before = i + 1;
        let mut next = vec![before];
        for (to, above) in right.iter().zip(row.iter().skip(1)) {
            let changed = diagonal + usize::from(from != *to);
            before = changed.min(before + 1).min(above + 1);
            diagonal = *above;
            next.push(before);
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_counts_changes() {
        assert_eq!(distance("port", "port"), 0);
        assert_eq!(distance("prt", "port"), 1);
        assert_eq!(distance("prot", "port"), 2);
        assert_eq!(distance("", "port"), 4);
        assert_eq!(distance("kitten", "sitting"), 3);
    }

    #[test]
    fn every_dataset_key_is_documented_in_the_defaults() {
        for (key, _) in DATASET_KEYS {
            assert!(DEFAULTS.contains(&format!("\n# {key} = ")), "{key} is missing in config/default.toml");
        }
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
