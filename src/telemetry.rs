//! Logging: what the program does, on stderr, as text or JSON. Uses the configuration alone.

use crate::config::{LogFormat, LogSettings};
use std::io::IsTerminal;
use tracing_subscriber::EnvFilter;

/// Modules whose warnings say nothing that a user of Eruca can act on; `[log] level` can raise them again.
const QUIET: &str = "actix_server=error,actix_web=error,tantivy=error,h2=error,hyper=error,rustls=error";

/// Why logging could not be set up.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TelemetryError {
    /// The filter cannot be read.
    #[error("{place} is not a log filter: {reason}; write for example info or info,eruca::agent=debug")]
    Filter {
        /// The setting or variable.
        place: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// Another part of the process has set up logging before.
    #[error("logging is set up already in this process")]
    AlreadySet,
}

/// Starts logging to stderr for the rest of the process; the variable `RUST_LOG` wins over the configured level.
///
/// # Errors
/// A [`TelemetryError`] when the filter cannot be read, or when logging was started before.
pub fn start(settings: &LogSettings) -> Result<(), TelemetryError> {
    let filter = filter(settings, std::env::var("RUST_LOG").ok().filter(|text| !text.is_empty()))?;
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal());
    let started = match settings.format {
        LogFormat::Text => builder.with_target(false).try_init(),
        LogFormat::Json => builder.json().flatten_event(true).with_span_list(false).try_init(),
    };
    started.map_err(|_| TelemetryError::AlreadySet)
}

fn filter(settings: &LogSettings, variable: Option<String>) -> Result<EnvFilter, TelemetryError> {
    let (place, wanted) = match variable {
        Some(text) => ("the variable RUST_LOG", text),
        None => ("the setting log.level", settings.level.clone()),
    };
    let parse = |text: &str| {
        EnvFilter::try_new(text).map_err(|error| TelemetryError::Filter { place, reason: error.to_string() })
    };
    // Read alone first: an error in it must not be blamed on the part that we add.
    parse(&wanted)?;
    parse(&format!("{QUIET},{wanted}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(level: &str) -> LogSettings {
        LogSettings {
            level: level.to_owned(),
            format: LogFormat::Text,
            questions_folder: None,
            questions_files: 1,
        }
    }

    #[test]
    fn the_variable_wins_over_the_setting() {
        let filter = filter(&settings("info"), Some("trace".to_owned())).unwrap();
        assert_eq!(filter.max_level_hint().unwrap().to_string().to_lowercase(), "trace");
    }

    #[test]
    fn a_level_for_a_quiet_module_can_be_raised_again() {
        let text = filter(&settings("info,tantivy=debug"), None).unwrap().to_string();
        assert!(text.contains("tantivy=debug") && !text.contains("tantivy=error"), "{text}");
    }

    #[test]
    fn a_broken_filter_names_its_place() {
        let error = filter(&settings("info,=:="), None).unwrap_err().to_string();
        assert!(error.starts_with("the setting log.level is not a log filter"), "{error}");
    }
}
