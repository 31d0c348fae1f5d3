//! What can be wrong with settings, said so that it can be put right. Never holds a setting's value: it may be a
//! secret.

use super::places::Places;
use serde::de;
use std::fmt::Display;
use std::path::PathBuf;

/// Why the settings cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The file named with `--config` or found in the working directory cannot be read.
    #[error("the configuration file {} cannot be read: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's words.
        reason: String,
    },
    /// The file is not TOML.
    #[error("{origin}: not valid TOML: {message}")]
    Syntax {
        /// File and line.
        origin: String,
        /// The parser's words.
        message: String,
    },
    /// No such key.
    #[error("{origin}: there is no setting '{key}'; {help}")]
    UnknownKey {
        /// File and line, or environment variable.
        origin: String,
        /// The key as written, with its section.
        key: String,
        /// The nearest known key and all that are allowed.
        help: String,
    },
    /// The value has another type than the setting.
    #[error("{origin}: '{key}' must be {expected}, not {found}")]
    WrongType {
        /// File and line, or environment variable.
        origin: String,
        /// The key with its section.
        key: String,
        /// The type that is needed.
        expected: &'static str,
        /// The type that was found.
        found: &'static str,
    },
    /// The value has the right type and makes no sense.
    #[error("{origin}: '{key}' {problem}")]
    Invalid {
        /// File and line, environment variable, or the built-in defaults.
        origin: String,
        /// The key with its section.
        key: String,
        /// What is wrong and what is allowed.
        problem: String,
    },
}

impl ConfigError {
    /// What a type said of the value of `key`, with its place.
    pub(super) fn placed(self, key: String, places: &Places) -> Self {
        match self {
            Self::Invalid { key: unplaced, problem, .. } if unplaced.is_empty() => {
                Self::Invalid { origin: places.origin(&key), key, problem }
            }
            other => other,
        }
    }
}

/// What types say of values. The standard messages would show the value, so they are not used.
impl de::Error for ConfigError {
    fn custom<T: Display>(problem: T) -> Self {
        Self::Invalid { origin: String::new(), key: String::new(), problem: problem.to_string() }
    }

    fn invalid_type(_: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::custom(format_args!("must be {expected}"))
    }

    fn invalid_value(found: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::invalid_type(found, expected)
    }
}
