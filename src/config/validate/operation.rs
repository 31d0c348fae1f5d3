//! Settings of the running service: `[cache]`, `[runs]`, `[log]`, `[outgoing]`.

use super::{Check, Checked};
use crate::config::{CacheSettings, LogFormat, LogSettings, OutgoingSettings, RunsSettings};
use std::path::PathBuf;
use std::time::Duration;

const DAY: Duration = Duration::from_secs(24 * 3600);

impl Check<'_> {
    pub(super) fn cache(&self) -> Checked<CacheSettings> {
        let entries = |key: &str| self.number(key, 0, 10_000_000);
        Ok(CacheSettings {
            answers: entries("cache.answers")?,
            results: entries("cache.results")?,
            embeddings: entries("cache.embeddings")?,
            lookups: entries("cache.lookups")?,
            time_to_live: self.seconds("cache.seconds", 1)?,
        })
    }

    pub(super) fn runs(&self) -> Checked<RunsSettings> {
        let megabytes: usize = self.number("runs.max_mb", 1, 100_000)?;
        Ok(RunsSettings {
            max_runs: self.number("runs.max_runs", 1, 1_000_000)?,
            max_bytes: megabytes.saturating_mul(1_000_000),
            folder: self.given("runs.folder")?.map(PathBuf::from),
            max_files: self.number("runs.max_files", 1, 10_000_000)?,
            max_age: DAY * self.number::<u32>("runs.max_days", 1, 36_500)?,
        })
    }

    pub(super) fn log(&self) -> Checked<LogSettings> {
        let format = match self.get::<String>("log.format")?.as_str() {
            "text" => LogFormat::Text,
            "json" => LogFormat::Json,
            _ => return self.invalid("log.format", "must be \"text\" or \"json\""),
        };
        let otlp_endpoint = self.given("log.otlp_endpoint")?;
        if let Some(url) = &otlp_endpoint {
            self.web_url("log.otlp_endpoint", url)?;
        }
        Ok(LogSettings {
            level: self.needed("log.level", "write for example \"info\"")?,
            format,
            otlp_endpoint,
            questions_folder: self.given("log.questions_folder")?.map(PathBuf::from),
            questions_files: self.number("log.questions_files", 1, 10_000)?,
        })
    }

    pub(super) fn outgoing(&self) -> Checked<OutgoingSettings> {
        let contact: String = self.get("outgoing.contact")?;
        let contact = contact.trim();
        // It becomes a comment of a header (RFC 9110, 5.6.5), in brackets.
        let sendable = contact.chars().all(|c| (c == ' ' || c.is_ascii_graphic()) && !"()\\".contains(c));
        let reachable = contact.contains('@') || contact.contains("://");
        if !(contact.is_empty() || sendable && reachable) {
            return self.invalid(
                "outgoing.contact",
                "must be an e-mail address or a URL, without brackets, backslashes and letters beyond ASCII",
            );
        }
        Ok(OutgoingSettings {
            contact: (!contact.is_empty()).then(|| contact.to_owned()),
            requests_per_host: self.number("outgoing.requests_per_host", 1, 1_000)?,
        })
    }
}
