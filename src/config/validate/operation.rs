//! Settings of the running service: `[server]`, `[cache]`, `[log]`.

use super::{Check, Checked, secret};
use crate::config::raw::{RawCache, RawLog, RawServer};
use crate::config::{CacheSettings, LogFormat, LogSettings, ServerSettings};
use reqwest::header::HeaderName;
use url::Url;

impl Check<'_> {
    pub(super) fn server(&self, raw: RawServer) -> Checked<ServerSettings> {
        let RawServer {
            host,
            port,
            cors_origins,
            max_concurrent_questions,
            max_waiting_questions,
            max_question_chars,
            api_key,
            questions_per_minute,
            client_header,
            client_seconds,
            stop_seconds,
        } = raw;
        self.origins(&cors_origins)?;
        let header = HeaderName::try_from(&client_header);
        if !client_header.is_empty() && header.is_err() {
            return self
                .invalid("server.client_header", "must be the name of a header, like \"X-Forwarded-For\"");
        }
        Ok(ServerSettings {
            host: self.required("server.host", host, "write \"127.0.0.1\" or \"0.0.0.0\"")?,
            port: self.number("server.port", port, 0, 65_535)?,
            cors_origins,
            max_concurrent_questions: self.number(
                "server.max_concurrent_questions",
                max_concurrent_questions,
                1,
                10_000,
            )?,
            max_waiting_questions: self.number(
                "server.max_waiting_questions",
                max_waiting_questions,
                0,
                100_000,
            )?,
            api_key: secret(api_key),
            questions_per_minute: self.number(
                "server.questions_per_minute",
                questions_per_minute,
                0,
                1_000_000,
            )?,
            client_header: header.ok().filter(|_| !client_header.is_empty()).map(|header| header.to_string()),
            client_timeout: self.seconds("server.client_seconds", client_seconds, 1)?,
            max_question_chars: self.number("server.max_question_chars", max_question_chars, 1, 100_000)?,
            stop_timeout: self.seconds("server.stop_seconds", stop_seconds, 0)?,
        })
    }

    fn origins(&self, origins: &[String]) -> Checked<()> {
        for origin in origins {
            let known = Url::parse(origin).is_ok_and(|url| url.origin().ascii_serialization() == *origin);
            if origin != "*" && !known {
                let problem =
                    "must hold origins like \"https://example.org\" (no path, no slash at the end) or \"*\"";
                return self.invalid("server.cors_origins", problem);
            }
        }
        Ok(())
    }

    pub(super) fn cache(&self, raw: RawCache) -> Checked<CacheSettings> {
        let RawCache { answers, results, embeddings, seconds } = raw;
        let entries = |key: &str, value| self.number(&format!("cache.{key}"), value, 0, 10_000_000);
        Ok(CacheSettings {
            answers: entries("answers", answers)?,
            results: entries("results", results)?,
            embeddings: entries("embeddings", embeddings)?,
            time_to_live: self.seconds("cache.seconds", seconds, 1)?,
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
}
