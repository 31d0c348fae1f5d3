//! Logging to stderr, as text or JSON, and as spans for a collector. Uses the configuration and
//! the rules for lines.

use crate::config::LogSettings;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::IsTerminal;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

#[cfg(feature = "otel")]
mod export;
mod format;

/// Modules whose warnings are of no use to users of Eruca; `[log] level` can enable them again.
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
    /// A collector is configured, but the program was built without support for it.
    #[cfg(not(feature = "otel"))]
    #[error(
        "log.otlp_endpoint needs a program built with the feature otel: cargo build --release --features otel"
    )]
    NoExport,
    /// The collector cannot be used.
    #[cfg(feature = "otel")]
    #[error("spans cannot be sent to log.otlp_endpoint: {0}")]
    Export(String),
    /// Logging has already been set up in this process.
    #[error("logging is set up already in this process")]
    AlreadySet,
}

/// Guard for the logging; dropping it sends the remaining spans.
#[must_use = "spans are lost when this is dropped early"]
pub struct Telemetry {
    #[cfg(feature = "otel")]
    _exporter: Option<export::Exporter>,
}

/// Starts logging to stderr for the rest of the process; the variable `RUST_LOG` takes precedence over the configured level.
/// With the feature `otel` and a configured collector, spans are sent there, which requires a Tokio runtime.
///
/// # Errors
/// A [`TelemetryError`] when the filter cannot be read, the collector cannot be used, or logging was started before.
pub fn start(settings: &LogSettings) -> Result<Telemetry, TelemetryError> {
    let filter = filter(settings, std::env::var("RUST_LOG").ok().filter(|text| !text.is_empty()))?;
    let lines = format::layer(settings.format, std::io::stderr, std::io::stderr().is_terminal());
    let registry = tracing_subscriber::registry().with(filter).with(lines);
    #[cfg(feature = "otel")]
    {
        let exporter = settings.otlp_endpoint.as_deref().map(export::Exporter::connect).transpose()?;
        let spans = exporter.as_ref().map(export::Exporter::layer);
        registry.with(spans).try_init().map_err(|_| TelemetryError::AlreadySet)?;
        log_panics();
        Ok(Telemetry { _exporter: exporter })
    }
    #[cfg(not(feature = "otel"))]
    {
        if settings.otlp_endpoint.is_some() {
            return Err(TelemetryError::NoExport);
        }
        registry.try_init().map_err(|_| TelemetryError::AlreadySet)?;
        log_panics();
        Ok(Telemetry {})
    }
}

/// Logs panics. The default hook may print untrusted text unescaped, and does not print JSON.
fn log_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let said = panic.payload_as_str().unwrap_or("(no words)");
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        // Captured only if the variable RUST_BACKTRACE asks for it.
        let trace = Backtrace::capture();
        let trace = (trace.status() == BacktraceStatus::Captured).then(|| trace.to_string());
        tracing::error!(place, trace, "panic: {said}");
    }));
}

fn filter(settings: &LogSettings, variable: Option<String>) -> Result<EnvFilter, TelemetryError> {
    let (place, wanted) = match variable {
        Some(text) => ("the variable RUST_LOG", text),
        None => ("the setting log.level", settings.level.clone()),
    };
    let parse = |text: &str| {
        EnvFilter::try_new(text).map_err(|error| TelemetryError::Filter { place, reason: error.to_string() })
    };
    // Parsed on its own first, so that an error in it is not attributed to the added part.
    parse(&wanted)?;
    parse(&format!("{QUIET},{wanted}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::LogFormat;

    fn settings(level: &str) -> LogSettings {
        LogSettings {
            level: level.to_owned(),
            format: LogFormat::Text,
            otlp_endpoint: None,
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
