//! Settings of the running service: `[cache]`, `[runs]`, `[log]`, `[outgoing]`.

use super::{Check, Checked};
use crate::config::raw::{RawCache, RawLog, RawOutgoing, RawRuns};
use crate::config::{CacheSettings, LogFormat, LogSettings, OutgoingSettings, RunsSettings};
use std::time::Duration;

const DAY: Duration = Duration::from_secs(24 * 3600);

impl Check<'_> {
    pub(super) fn cache(&self, raw: RawCache) -> Checked<CacheSettings> {
        let RawCache { answers, results, embeddings, lookups, seconds } = raw;
        let entries = |key: &str, value| self.number(&format!("cache.{key}"), value, 0, 10_000_000);
        Ok(CacheSettings {
            answers: entries("answers", answers)?,
            results: entries("results", results)?,
            embeddings: entries("embeddings", embeddings)?,
            lookups: entries("lookups", lookups)?,
            time_to_live: self.seconds("cache.seconds", seconds, 1)?,
        })
    }

    pub(super) fn runs(&self, raw: RawRuns) -> Checked<RunsSettings> {
        let RawRuns { max_runs, max_mb, folder, max_files, max_days } = raw;
        let megabytes: usize = self.number("runs.max_mb", max_mb, 1, 100_000)?;
        Ok(RunsSettings {
            max_runs: self.number("runs.max_runs", max_runs, 1, 1_000_000)?,
            max_bytes: megabytes.saturating_mul(1_000_000),
            folder: (!folder.is_empty()).then(|| folder.into()),
            max_files: self.number("runs.max_files", max_files, 1, 10_000_000)?,
            max_age: DAY * self.number::<u32>("runs.max_days", max_days, 1, 36_500)?,
        })
    }

    pub(super) fn log(&self, raw: RawLog) -> Checked<LogSettings> {
        let RawLog { level, format, otlp_endpoint, questions_folder, questions_files } = raw;
        let format = match format.as_str() {
            "text" => LogFormat::Text,
            "json" => LogFormat::Json,
            _ => return self.invalid("log.format", "must be \"text\" or \"json\""),
        };
        if !otlp_endpoint.is_empty() {
            self.web_url("log.otlp_endpoint", &otlp_endpoint)?;
        }
        Ok(LogSettings {
            level: self.required("log.level", level, "write for example \"info\"")?,
            format,
            otlp_endpoint: (!otlp_endpoint.is_empty()).then_some(otlp_endpoint),
            questions_folder: (!questions_folder.is_empty()).then(|| questions_folder.into()),
            questions_files: self.number("log.questions_files", questions_files, 1, 10_000)?,
        })
    }

    pub(super) fn outgoing(&self, raw: RawOutgoing) -> Checked<OutgoingSettings> {
        let RawOutgoing { contact, requests_per_host } = raw;
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
            requests_per_host: self.number("outgoing.requests_per_host", requests_per_host, 1, 1_000)?,
        })
    }
}
