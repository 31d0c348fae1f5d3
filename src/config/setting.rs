//! Deserializes structs from the merged layers with serde; the structs define the keys and their types.
//!
//! `config` itself converts values of other types by guessing, shows values in its errors, and does not know
//! lines. [`Setting`] is strict: keys that a struct does not have are errors, a value in a file must have the type of its
//! field, and a variable is parsed as that type. Errors contain the place, but no value.

use super::error::ConfigError;
use super::places::{Place, Places};
use config::{Map, Value, ValueKind};
use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, Visitor,
};
use serde::{Deserialize, forward_to_deserialize_any};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::str::FromStr;
use strsim::levenshtein;

/// The lists of tables.
const DATASETS: &str = "datasets";
const ROLES: &str = "roles";

/// The list of tables that a key names an entry of, as in `datasets[0]`.
fn list_of(key: &str) -> Option<&'static str> {
    let (list, number) = key.split_once('[')?;
    let is_entry = number.ends_with(']');
    [DATASETS, ROLES].into_iter().find(|known| is_entry && *known == list)
}

/// A path; in a file, relative to the file's folder. [`Setting`] recognises the type by its name.
#[derive(Deserialize)]
pub(super) struct FilePath(pub(super) PathBuf);

/// A path, or a bare file name that the system looks up.
#[derive(Deserialize)]
pub(super) struct LibraryPath(pub(super) PathBuf);

/// A value of the merged layers with its key.
pub(super) struct Setting<'a> {
    value: &'a Value,
    key: String,
    places: &'a Places,
}

impl<'a> Setting<'a> {
    /// The root of all settings.
    pub(super) fn root(value: &'a Value, places: &'a Places) -> Self {
        Self { value, key: String::new(), places }
    }

    /// The list of datasets, if there is one.
    pub(super) fn datasets(&self) -> Option<Self> {
        let ValueKind::Table(sections) = &self.value.kind else { return None };
        sections.get(DATASETS).map(|entries| self.with(DATASETS.to_owned(), entries))
    }

    fn with(&self, key: String, value: &'a Value) -> Self {
        Self { value, key, places: self.places }
    }

    fn key_of(&self, name: &str) -> String {
        if self.key.is_empty() { name.to_owned() } else { format!("{}.{name}", self.key) }
    }

    fn key_at(&self, number: usize) -> String {
        format!("{}[{number}]", self.key)
    }

    /// The text, if the value comes from a variable.
    fn spelling(&self) -> Option<&'a str> {
        self.text().filter(|_| matches!(self.places.of(&self.key), Some(Place::Variable(_))))
    }

    /// The value itself, or the one parsed from a variable's text.
    fn plain<T: FromStr>(&self, own: Option<T>, expected: &'static str) -> Result<T, ConfigError> {
        let value = own.or_else(|| self.spelling()?.trim().parse().ok());
        value.ok_or_else(|| self.wrong(expected))
    }

    fn text(&self) -> Option<&'a str> {
        let ValueKind::String(text) = &self.value.kind else { return None };
        (!matches!(self.places.of(&self.key), Some(Place::Date(_)))).then_some(text)
    }

    fn needed_text(&self) -> Result<&'a str, ConfigError> {
        self.text().ok_or_else(|| self.wrong("a text"))
    }

    /// The texts of a list; in a variable, they are written as in TOML or separated by commas.
    fn texts(&self) -> Option<Vec<Value>> {
        if let Some(text) = self.spelling() {
            let parts = text.split(',').map(|part| part.trim().to_owned()).filter(|part| !part.is_empty());
            let is_toml = text.trim_start().starts_with('[');
            let texts: Vec<String> = if is_toml { toml_value(text)? } else { parts.collect() };
            return Some(texts.into_iter().map(Value::from).collect());
        }
        let ValueKind::Array(items) = &self.value.kind else { return None };
        let is_text = |(number, item)| self.with(self.key_at(number), item).text().is_some();
        items.iter().enumerate().all(is_text).then(|| items.clone())
    }

    /// The texts of a table; in a variable, it is written as in TOML.
    fn texts_by_name(&self) -> Option<BTreeMap<String, String>> {
        let ValueKind::Table(keys) = &self.value.kind else {
            return toml_value(self.spelling().filter(|text| text.trim_start().starts_with('{'))?);
        };
        let text = |name: &str, value| self.with(self.key_of(name), value).text().map(str::to_owned);
        keys.iter().map(|(name, value)| Some((name.clone(), text(name, value)?))).collect()
    }

    /// Reports the first key that the struct does not have.
    fn check_names(&self, keys: &Map<String, Value>, known: &[&str]) -> Result<(), ConfigError> {
        let unknown = keys.keys().filter(|key| !known.contains(&key.as_str())).min();
        let Some(key) = unknown else { return Ok(()) };
        let section = list_of(&self.key).unwrap_or(self.key.as_str());
        let mut known = known.to_vec();
        let (full, what) = match section {
            "" => (key.clone(), "sections".to_owned()),
            DATASETS | ROLES => (format!("{section}.{key}"), format!("keys of [[{section}]]")),
            _ => {
                known.sort_unstable();
                (format!("{section}.{key}"), format!("keys of [{section}]"))
            }
        };
        let guess = nearest(key, &known).map(|name| format!("did you mean '{name}'? ")).unwrap_or_default();
        let help = format!("{guess}{what}: {}", known.join(", "));
        Err(ConfigError::UnknownKey { origin: self.places.origin(&self.key_of(key)), key: full, help })
    }

    /// The error that the value is not of the type `expected`.
    fn wrong(&self, expected: &'static str) -> ConfigError {
        let found = match &self.value.kind {
            _ if self.spelling().is_some() => "what the variable holds",
            ValueKind::Boolean(_) => "true or false",
            ValueKind::Float(_) => "a number",
            ValueKind::String(_) if self.text().is_none() => "a date",
            ValueKind::String(_) => "a text",
            ValueKind::Array(_) if self.texts().is_some() => "a list of texts",
            ValueKind::Array(_) => "a list with other things than texts",
            ValueKind::Table(_) => "a table",
            _ => "a whole number",
        };
        let (origin, key) = (self.places.origin(&self.key), self.key.clone());
        ConfigError::WrongType { origin, key, expected, found }
    }
}

impl<'de> Deserializer<'de> for Setting<'_> {
    type Error = ConfigError;

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ConfigError> {
        let own = if let ValueKind::Boolean(flag) = self.value.kind { Some(flag) } else { None };
        visitor.visit_bool(self.plain(own, "true or false")?)
    }

    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ConfigError> {
        let own = if let ValueKind::I64(number) = self.value.kind { Some(number) } else { None };
        visitor.visit_i64(self.plain(own, "a whole number")?)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ConfigError> {
        let own = match self.value.kind {
            ValueKind::Float(number) => Some(number),
            ValueKind::I64(number) => Some(number as f64),
            _ => None,
        };
        visitor.visit_f64(self.plain(own, "a number")?)
    }

    /// An empty text stands for `None`.
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ConfigError> {
        match &self.value.kind {
            ValueKind::String(text) if text.is_empty() && self.key.contains('.') => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ConfigError> {
        visitor.visit_str(self.needed_text()?)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ConfigError> {
        let text = self.needed_text()?;
        if variants.contains(&text) {
            return visitor.visit_enum(text.into_deserializer());
        }
        let (last, others) = variants.split_last().unwrap_or((&"", &[]));
        Err(ConfigError::custom(format!("must be \"{}\" or \"{last}\"", others.join("\", \""))))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, ConfigError> {
        let text = self.needed_text()?;
        let is_name = name == "LibraryPath" && !text.contains(['/', '\\']);
        let path = if is_name { text.into() } else { self.places.moved(&self.key, text) };
        visitor.visit_newtype_struct(path.to_string_lossy().into_owned().into_deserializer())
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ConfigError> {
        if self.key != DATASETS && self.key != ROLES {
            let texts = self.texts().ok_or_else(|| self.wrong("a list of texts"))?;
            let texts = texts.iter().map(|text| self.with(self.key.clone(), text));
            return visitor.visit_seq(SeqDeserializer::new(texts));
        }
        let ValueKind::Array(entries) = &self.value.kind else {
            return Err(self.wrong(match self.key == ROLES {
                true => "a list of tables: [[roles]]",
                false => "a list of tables: [[datasets]]",
            }));
        };
        let entries = entries.iter().enumerate().map(|(number, entry)| self.with(self.key_at(number), entry));
        visitor.visit_seq(SeqDeserializer::new(entries))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ConfigError> {
        let expected = "a table of texts, like { \"X-Example\" = \"value\" }";
        let texts = self.texts_by_name().ok_or_else(|| self.wrong(expected))?;
        visitor.visit_map(MapDeserializer::new(texts.into_iter()))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ConfigError> {
        let none = Map::new();
        let keys = match &self.value.kind {
            ValueKind::Table(keys) => keys,
            // Variables may leave gaps in the list.
            ValueKind::Nil => &none,
            _ if list_of(&self.key) == Some(DATASETS) => return Err(self.wrong("a table: [[datasets]]")),
            _ if list_of(&self.key).is_some() => return Err(self.wrong("a table: [[roles]]")),
            _ => return Err(self.wrong("a section")),
        };
        self.check_names(keys, fields)?;
        let given = |field| Some((field, self.with(self.key_of(field), keys.get(field)?)));
        let settings = fields.iter().copied().filter_map(given);
        visitor.visit_map(Fields { settings, setting: None })
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, ConfigError> {
        Err(ConfigError::custom("has a type that no setting may have; this is a fault of Eruca"))
    }

    forward_to_deserialize_any! {
        i8 i16 i32 u8 u16 u32 u64 f32 char str bytes byte_buf unit unit_struct tuple tuple_struct identifier ignored_any
    }
}

impl<'de> IntoDeserializer<'de, ConfigError> for Setting<'_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// The keys of a struct, in the order of its fields.
struct Fields<'a, I> {
    settings: I,
    /// The setting whose name was read last.
    setting: Option<Setting<'a>>,
}

impl<'de, 'a, I: Iterator<Item = (&'static str, Setting<'a>)>> MapAccess<'de> for Fields<'a, I> {
    type Error = ConfigError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, ConfigError> {
        let Some((field, setting)) = self.settings.next() else { return Ok(None) };
        self.setting = Some(setting);
        seed.deserialize(field.into_deserializer()).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, ConfigError> {
        let Some(setting) = self.setting.take() else { return Err(ConfigError::custom("has no name")) };
        let (key, places) = (setting.key.clone(), setting.places);
        seed.deserialize(setting).map_err(|error| error.placed(key, places))
    }
}

fn toml_value<T: DeserializeOwned>(text: &str) -> Option<T> {
    let mut table: BTreeMap<String, T> = toml::from_str(&format!("value = {text}")).ok()?;
    table.remove("value")
}

/// The name most similar to `key`, if the difference may be a typo.
fn nearest<'a>(key: &str, names: &[&'a str]) -> Option<&'a str> {
    let allowed = (key.chars().count() / 3).max(2);
    let distances = names.iter().map(|name| (levenshtein(key, name), *name));
    distances.filter(|(distance, _)| *distance <= allowed).min().map(|(_, name)| name)
}
