//! Where settings come from: the line of a file, or a variable.
//!
//! The crate `config` keeps the name of the source with a value, but no line, and nothing with a section. So places are stored
//! by full key: `server.port`, `datasets[0].id`. Uses toml for the lines.

use super::error::ConfigError;
use super::values::{base_url, is_filled};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use toml::de::{DeTable, DeValue};

/// Where a setting comes from.
pub(super) enum Place {
    /// In the file, at this byte offset.
    File(usize),
    /// In the file, as a date, which `config` turns into a text.
    Date(usize),
    /// In the variable with this name, as a text.
    Variable(String),
}

/// The places of all settings other than defaults.
#[derive(Default)]
pub(super) struct Places {
    made: BTreeMap<String, Place>,
    file: PathBuf,
    text: String,
}

impl Places {
    /// Records the places of the settings in the file.
    pub(super) fn add_file(&mut self, file: &Path, text: &str) -> Result<(), ConfigError> {
        (self.file, self.text) = (file.to_owned(), text.to_owned());
        let document = DeTable::parse(text).map_err(|error| {
            let origin =
                error.span().map_or_else(|| self.file.display().to_string(), |span| self.line(span.start));
            // The error's own display quotes the line, which may contain a secret.
            ConfigError::Syntax { origin, message: error.message().to_owned() }
        })?;
        for (key, value) in document.get_ref() {
            let (name, start) = (key.get_ref().to_string(), key.span().start);
            // `config` would interpret it as a path.
            if name.contains(['.', '[']) {
                let help = "sections have plain names, like [server]".to_owned();
                return Err(ConfigError::UnknownKey { origin: self.line(start), key: name, help });
            }
            self.note(name, start, value.get_ref())?;
        }
        Ok(())
    }

    fn note(&mut self, key: String, start: usize, value: &DeValue<'_>) -> Result<(), ConfigError> {
        match value {
            DeValue::Table(inner) => {
                for (name, value) in inner {
                    self.note(format!("{key}.{}", name.get_ref()), name.span().start, value.get_ref())?;
                }
            }
            DeValue::Array(items) => {
                for (number, item) in items.iter().enumerate() {
                    self.note(format!("{key}[{number}]"), item.span().start, item.get_ref())?;
                }
            }
            DeValue::Integer(number) if i64::from_str_radix(number.as_str(), number.radix()).is_err() => {
                let message = "a number is too large".to_owned();
                return Err(ConfigError::Syntax { origin: self.line(start), message });
            }
            _ => {}
        }
        let is_date = matches!(value, DeValue::Datetime(_));
        self.made.insert(key, if is_date { Place::Date(start) } else { Place::File(start) });
        Ok(())
    }

    /// Records that a variable sets `key`.
    pub(super) fn add_variable(&mut self, key: String, name: &str) {
        self.made.insert(key, Place::Variable(name.to_owned()));
    }

    /// The place of `key`; `None` for a default.
    pub(super) fn of(&self, key: &str) -> Option<&Place> {
        self.made.get(key)
    }

    /// The folder of the file; the working directory if there is none.
    pub(super) fn folder(&self) -> &Path {
        self.file.parent().unwrap_or(Path::new(""))
    }

    /// The path at `key`, resolved relative to the working directory.
    pub(super) fn moved(&self, key: &str, path: &str) -> PathBuf {
        match self.of(key) {
            Some(Place::File(_)) if !path.is_empty() => self.folder().join(path),
            _ => path.into(),
        }
    }

    /// A path beside the file; without one, in the working directory.
    pub(super) fn beside(&self, path: &str) -> PathBuf {
        self.folder().join(path)
    }

    /// The place where `key` is set or, if a value is missing, where other keys of its section are set.
    pub(super) fn origin(&self, key: &str) -> String {
        let section = key.rsplit_once('.').map_or(key, |(section, _)| section);
        let is_beside = |known: &str| known.starts_with(section) && known.contains(['.', '[']);
        let beside = || self.made.iter().find(|(known, _)| is_beside(known)).map(|(_, place)| place);
        match self.of(key).or_else(beside) {
            Some(Place::File(start) | Place::Date(start)) => self.line(*start),
            Some(Place::Variable(name)) => format!("environment variable {name}"),
            None => "configuration".to_owned(),
        }
    }

    fn line(&self, start: usize) -> String {
        let breaks = self.text.bytes().take(start).filter(|byte| *byte == b'\n').count();
        format!("{} line {}", self.file.display(), breaks + 1)
    }

    /// An error about the value of `key`.
    pub(super) fn invalid<T>(&self, key: &str, problem: impl Into<String>) -> Result<T, ConfigError> {
        Err(ConfigError::Invalid { origin: self.origin(key), key: key.to_owned(), problem: problem.into() })
    }

    /// Rejects an empty text that only some uses of the section require.
    pub(super) fn filled(&self, key: &str, text: &str, why: &str) -> Result<(), ConfigError> {
        is_filled(text, why).or_else(|problem| self.invalid(key, problem))
    }

    /// Checks a base URL that only some uses of the section require.
    pub(super) fn base_url(&self, key: &str, url: &str) -> Result<String, ConfigError> {
        base_url(url).or_else(|problem| self.invalid(key, problem))
    }
}
