//! Errors in settings, with messages that say how to fix them. They never contain a setting's value, which may be a
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
        /// The system's error.
        reason: String,
    },
    /// The file is not TOML.
    #[error("{origin}: not valid TOML: {message}")]
    Syntax {
        /// File and line.
        origin: String,
        /// The parser's message.
        message: String,
    },
    /// There is no such key.
    #[error("{origin}: there is no setting '{key}'; {help}")]
    UnknownKey {
        /// File and line, or environment variable.
        origin: String,
        /// The key as written, with its section.
        key: String,
        /// The most similar known key, and all allowed ones.
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
    /// The value has the right type but is invalid.
    #[error("{origin}: '{key}' {problem}")]
    Invalid {
        /// File and line, environment variable, or the built-in defaults.
        origin: String,
        /// The key with its section.
        key: String,
        /// What is wrong, and what is allowed.
        problem: String,
    },
}

impl ConfigError {
    /// Adds `key` and its place to an error from a type's deserialization.
    pub(super) fn placed(self, key: String, places: &Places) -> Self {
        match self {
            Self::Invalid { key: unplaced, problem, .. } if unplaced.is_empty() => {
                Self::Invalid { origin: places.origin(&key), key, problem }
            }
            other => other,
        }
    }
}

/// Errors from the deserialization of types. Serde's default messages would contain the value, so they are replaced.
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
