//! The layers of settings: built-in defaults, then a file, then the environment; later ones win.
//!
//! Every value is checked against the known keys and types when its layer is read, so that an error can name the
//! file and line, or the variable, in which it was made.

use super::error::ConfigError;
use super::known::{DEFAULTS, KnownSettings, found};
use super::raw::RawDataset;
use std::collections::BTreeMap;
use std::path::Path;
use toml::de::{DeTable, DeValue};
use toml::{Table, Value};

/// What starts the names of environment variables that are settings.
const PREFIX: &str = "ERUCA__";
/// Datasets that can be configured; guards against a slip in a variable's index.
const MAX_DATASETS: usize = 1000;
/// Settings that are paths, relative to the folder of the file in which they stand.
const PATHS: [&str; 9] = [
    "server.tls_certificate",
    "server.tls_key",
    "index.folder",
    "embedding.path",
    "log.questions_folder",
    "runs.folder",
    "feedback.file",
    "datasets.files",
    "datasets.index",
];
/// A path too, unless it is a bare file name: that one is looked up by the system.
const LIBRARY: &str = "embedding.onnxruntime";

/// Where each setting that is not a default was made, by its full key (`datasets[0].id`).
pub(super) struct Origins(BTreeMap<String, String>);

impl Origins {
    /// For values that are arguments of a command.
    pub(super) fn command_line() -> Self {
        let keys = ["--endpoint", "--default-graph"];
        Self(keys.map(|key| (key.to_owned(), "command line".to_owned())).into())
    }

    /// The place where `key` got its value, or, when a value is missing, where its neighbours got theirs.
    pub(super) fn of(&self, key: &str) -> String {
        let section = key.rsplit_once('.').map_or(key, |(section, _)| section);
        let beside = || self.0.iter().find(|(known, _)| known.starts_with(section)).map(|(_, origin)| origin);
        self.0.get(key).or_else(beside).cloned().unwrap_or_else(|| "configuration".to_owned())
    }
}

/// What all layers say together: every key has a value of its type.
pub(super) struct Merged {
    /// The keys of each section, those of the defaults.
    pub(super) sections: Table,
    pub(super) datasets: Vec<RawDataset>,
    pub(super) origins: Origins,
}

/// Settings put together layer by layer.
pub(super) struct Layers {
    known: KnownSettings,
    sections: Table,
    datasets: Vec<Table>,
    origins: BTreeMap<String, String>,
}

impl Layers {
    /// The built-in defaults.
    pub(super) fn defaults() -> Result<Self, ConfigError> {
        let origin = "config/default.toml (built in)";
        let sections = parse(DEFAULTS, origin)?;
        let known = KnownSettings::new(sections.clone(), origin)?;
        Ok(Self { known, sections, datasets: Vec::new(), origins: BTreeMap::new() })
    }

    /// Lays the file at `path` over what is there.
    pub(super) fn add_file(&mut self, path: &Path) -> Result<(), ConfigError> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| ConfigError::Unreadable { path: path.to_owned(), reason: error.to_string() })?;
        let name = path.display().to_string();
        let table = parse(&text, &name)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let file = File { name, lines: KeyLines::of(&text), folder };
        for (section, value) in table {
            let origin = file.origin(&section);
            match value {
                Value::Array(entries) if section == "datasets" => {
                    self.add_datasets(entries, &file)?;
                }
                value if section == "datasets" => {
                    return Err(wrong(&origin, &section, "a list of tables: [[datasets]]", &value));
                }
                Value::Table(keys) => {
                    self.known.section(&section, &origin)?;
                    self.add_section(&section, keys, &file)?;
                }
                value => {
                    self.known.section(&section, &origin)?;
                    return Err(wrong(&origin, &section, "a section", &value));
                }
            }
        }
        Ok(())
    }

    fn add_section(&mut self, section: &str, keys: Table, file: &File<'_>) -> Result<(), ConfigError> {
        for (key, value) in keys {
            let full = format!("{section}.{key}");
            let given = GivenKey { section, key: &key, origin: file.origin(&full), full };
            let value = relative_to(file.folder, &given.full, self.checked(&given, value)?);
            self.set(given, value);
        }
        Ok(())
    }

    fn add_datasets(&mut self, entries: Vec<Value>, file: &File<'_>) -> Result<(), ConfigError> {
        for (number, entry) in entries.into_iter().enumerate() {
            let name = format!("datasets[{number}]");
            let origin = file.origin(&name);
            let Value::Table(keys) = entry else {
                return Err(wrong(&origin, &name, "a table: [[datasets]]", &entry));
            };
            self.origins.insert(name.clone(), origin);
            let mut dataset = Table::new();
            for (key, value) in keys {
                let full = format!("{name}.{key}");
                let given = GivenKey { section: "datasets", key: &key, origin: file.origin(&full), full };
                let value = self.checked(&given, value)?;
                let value = relative_to(file.folder, &format!("datasets.{key}"), value);
                self.origins.insert(given.full, given.origin);
                dataset.insert(key, value);
            }
            self.datasets.push(dataset);
        }
        Ok(())
    }

    /// Lays the environment's `ERUCA__SECTION__KEY` variables over what is there.
    pub(super) fn add_environment(&mut self, variables: &[(String, String)]) -> Result<(), ConfigError> {
        for (name, text) in variables {
            // Compose files pass variables on that may be unset: those arrive empty.
            let (Some(path), false) = (name.strip_prefix(PREFIX), text.is_empty()) else { continue };
            let origin = format!("environment variable {name}");
            let path = path.to_lowercase();
            match path.split("__").collect::<Vec<_>>().as_slice() {
                ["datasets", number, key] => self.add_dataset_variable(number, key, text, origin)?,
                [section, key] if *section != "datasets" => {
                    let given = GivenKey { section, key, full: format!("{section}.{key}"), origin };
                    let value = self.read(&given, text)?;
                    self.set(given, value);
                }
                _ => return Err(no_such_variable(origin, &path)),
            }
        }
        Ok(())
    }

    fn add_dataset_variable(
        &mut self,
        number: &str,
        key: &str,
        text: &str,
        origin: String,
    ) -> Result<(), ConfigError> {
        let Some(index) = number.parse::<usize>().ok().filter(|index| *index < MAX_DATASETS) else {
            return Err(no_such_variable(origin, &format!("datasets.{number}.{key}")));
        };
        let full = format!("datasets[{index}].{key}");
        let given = GivenKey { section: "datasets", key, full, origin };
        let value = self.read(&given, text)?;
        if self.datasets.len() <= index {
            self.datasets.resize(index + 1, Table::new());
        }
        if let Some(dataset) = self.datasets.get_mut(index) {
            dataset.insert(key.to_owned(), value);
        }
        self.origins.insert(given.full, given.origin);
        Ok(())
    }

    fn checked(&self, given: &GivenKey<'_>, value: Value) -> Result<Value, ConfigError> {
        let kind = self.known.kind(given.section, given.key, &given.origin)?;
        let found = found(&value);
        kind.accept(value).ok_or_else(|| given.of_wrong_type(kind.described(), found))
    }

    fn read(&self, given: &GivenKey<'_>, text: &str) -> Result<Value, ConfigError> {
        let kind = self.known.kind(given.section, given.key, &given.origin)?;
        kind.read(text).ok_or_else(|| given.of_wrong_type(kind.described(), "what the variable holds"))
    }

    fn set(&mut self, given: GivenKey<'_>, value: Value) {
        if let Some(Value::Table(keys)) = self.sections.get_mut(given.section) {
            keys.insert(given.key.to_owned(), value);
        }
        self.origins.insert(given.full, given.origin);
    }

    /// All layers as one.
    pub(super) fn merged(self) -> Result<Merged, ConfigError> {
        let datasets = Value::Array(self.datasets.into_iter().map(Value::Table).collect());
        let datasets = datasets.try_into().map_err(|error: toml::de::Error| ConfigError::Syntax {
            origin: "configuration".to_owned(),
            message: error.message().to_owned(),
        })?;
        Ok(Merged { sections: self.sections, datasets, origins: Origins(self.origins) })
    }
}

/// A key that is given a value.
struct GivenKey<'a> {
    section: &'a str,
    key: &'a str,
    /// Its name in messages.
    full: String,
    /// Where it stands.
    origin: String,
}

impl GivenKey<'_> {
    fn of_wrong_type(&self, expected: &'static str, found: &'static str) -> ConfigError {
        let (origin, key) = (self.origin.clone(), self.full.clone());
        ConfigError::WrongType { origin, key, expected, found }
    }
}

/// A file of settings.
struct File<'a> {
    name: String,
    lines: KeyLines,
    /// What its paths are relative to.
    folder: &'a Path,
}

impl File<'_> {
    fn origin(&self, key: &str) -> String {
        let line = self.lines.0.get(key);
        line.map_or_else(|| self.name.clone(), |line| format!("{} line {line}", self.name))
    }
}

fn wrong(origin: &str, key: &str, expected: &'static str, value: &Value) -> ConfigError {
    ConfigError::WrongType { origin: origin.to_owned(), key: key.to_owned(), expected, found: found(value) }
}

fn no_such_variable(origin: String, path: &str) -> ConfigError {
    let help =
        "variables are named ERUCA__SECTION__KEY or ERUCA__DATASETS__NUMBER__KEY (the first is 0)".to_owned();
    ConfigError::UnknownKey { origin, key: path.replace("__", "."), help }
}

pub(super) fn parse(text: &str, file: &str) -> Result<Table, ConfigError> {
    toml::from_str(text).map_err(|error: toml::de::Error| {
        let line =
            error.span().map(|span| format!(" line {}", line_at(text, span.start))).unwrap_or_default();
        // The error's own display quotes the line, which may hold a secret.
        ConfigError::Syntax { origin: format!("{file}{line}"), message: error.message().to_owned() }
    })
}

fn relative_to(folder: &Path, key: &str, value: Value) -> Value {
    let moved = |text: &str| Value::String(folder.join(text).to_string_lossy().into_owned());
    match value {
        Value::String(text) if PATHS.contains(&key) && !text.is_empty() => moved(&text),
        Value::String(text) if key == LIBRARY && text.contains(['/', '\\']) => moved(&text),
        Value::Array(items) if PATHS.contains(&key) => {
            let items = items.into_iter().map(|item| item.as_str().map(moved).unwrap_or(item));
            Value::Array(items.collect())
        }
        other => other,
    }
}

/// On which line of a file each key stands.
struct KeyLines(BTreeMap<String, usize>);

impl KeyLines {
    fn of(text: &str) -> Self {
        let mut lines = BTreeMap::new();
        if let Ok(document) = DeTable::parse(text) {
            note_table("", document.get_ref(), text, &mut lines);
        }
        Self(lines)
    }
}

fn note_table(prefix: &str, table: &DeTable<'_>, text: &str, lines: &mut BTreeMap<String, usize>) {
    for (key, value) in table {
        let full =
            if prefix.is_empty() { key.get_ref().to_string() } else { format!("{prefix}.{}", key.get_ref()) };
        lines.insert(full.clone(), line_at(text, key.span().start));
        match value.get_ref() {
            DeValue::Table(inner) => note_table(&full, inner, text, lines),
            DeValue::Array(items) => {
                for (number, item) in items.iter().enumerate() {
                    let DeValue::Table(inner) = item.get_ref() else { continue };
                    let full = format!("{full}[{number}]");
                    lines.insert(full.clone(), line_at(text, item.span().start));
                    note_table(&full, inner, text, lines);
                }
            }
            _ => {}
        }
    }
}

fn line_at(text: &str, offset: usize) -> usize {
    text.bytes().take(offset).filter(|byte| *byte == b'\n').count() + 1
}
