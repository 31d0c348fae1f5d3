//! Settings of the HTTP service: `[server]`.

use super::{Check, Checked};
use crate::config::raw::{RawFeedback, RawPage, RawRuns, RawServer};
use crate::config::{AllowedHosts, ApiKey, Authority, KeyScope, ServerSettings, TlsFiles};
use reqwest::header::HeaderName;
use std::collections::{BTreeMap, BTreeSet};
use url::Url;

/// What log and metrics call the key of `api_key`.
const MAIN_KEY: &str = "api_key";
/// Longest name of a key, in characters.
const MAX_NAME_CHARS: usize = 64;

impl Check<'_> {
    pub(super) fn server(
        &self,
        raw: RawServer,
        (runs, page, feedback): (RawRuns, RawPage, RawFeedback),
    ) -> Checked<ServerSettings> {
        let RawServer {
            host,
            port,
            cors_origins,
            max_concurrent_questions,
            max_waiting_questions,
            max_question_chars,
            allowed_hosts,
            tls_certificate,
            tls_key,
            api_key,
            api_keys,
            operators,
            questions_per_minute,
            client_header,
            client_seconds,
            stop_seconds,
            page: with_page,
            queries,
            public_url,
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
            allowed_hosts: self.allowed_hosts(&allowed_hosts)?,
            tls: self.tls(tls_certificate, tls_key)?,
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
            keys: self.keys(api_key, api_keys, &operators)?,
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
            runs: self.runs(runs)?,
            page: Some(self.page(page)?).filter(|_| with_page),
            queries,
            public_url: self.public_url(&public_url)?,
            feedback: self.feedback(feedback)?,
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

    /// An address to which paths can be added.
    fn public_url(&self, address: &str) -> Checked<Option<String>> {
        if address.is_empty() {
            return Ok(None);
        }
        let url =
            Url::parse(address).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
        match url.filter(|url| url.query().is_none() && url.fragment().is_none() && url.username().is_empty())
        {
            Some(url) => Ok(Some(url.as_str().trim_end_matches('/').to_owned())),
            None => {
                self.invalid("server.public_url", "must be an address like \"https://eruca.example.org\"")
            }
        }
    }

    fn allowed_hosts(&self, names: &[String]) -> Checked<AllowedHosts> {
        if names.iter().any(|name| name == "*") {
            return Ok(AllowedHosts::Any);
        }
        let read: Option<Vec<Authority>> = names.iter().map(|name| Authority::parse(name)).collect();
        match read {
            Some(hosts) => Ok(AllowedHosts::These(hosts)),
            None => {
                let problem = "must hold names like \"eruca.example.org\" or \"eruca:8080\" (no https://, no path) or \"*\"";
                self.invalid("server.allowed_hosts", problem)
            }
        }
    }

    fn tls(&self, certificate: String, key: String) -> Checked<Option<TlsFiles>> {
        match (certificate.is_empty(), key.is_empty()) {
            (true, true) => Ok(None),
            (false, false) => Ok(Some(TlsFiles { certificate: certificate.into(), key: key.into() })),
            (true, false) => self.invalid("server.tls_certificate", "is empty while server.tls_key is set"),
            (false, true) => self.invalid("server.tls_key", "is empty while server.tls_certificate is set"),
        }
    }

    fn keys(
        &self,
        main: String,
        named: BTreeMap<String, String>,
        operators: &[String],
    ) -> Checked<Vec<ApiKey>> {
        if !operators.iter().all(|name| named.contains_key(name)) {
            return self.invalid("server.operators", "holds a name that is not in server.api_keys");
        }
        let mut keys = Vec::new();
        if !main.is_empty() {
            self.sendable("server.api_key", &main)?;
            keys.push((MAIN_KEY.to_owned(), main, KeyScope::Operation));
        }
        for (name, key) in named {
            self.key_name(&name)?;
            self.sendable("server.api_keys", &key)?;
            let scope = if operators.contains(&name) { KeyScope::Operation } else { KeyScope::Questions };
            keys.push((name, key, scope));
        }
        // Which of two names is meant could not be told, nor what the key opens.
        if keys.iter().map(|(_, key, _)| key).collect::<BTreeSet<_>>().len() < keys.len() {
            return self.invalid("server.api_keys", "holds a key twice, or that of server.api_key");
        }
        let keys = keys.into_iter().map(|(name, key, scope)| ApiKey { name, key: key.into(), scope });
        Ok(keys.collect())
    }

    fn key_name(&self, name: &str) -> Checked<()> {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        match (1..=MAX_NAME_CHARS).contains(&name.len()) && name.chars().all(plain) && name != MAIN_KEY {
            true => Ok(()),
            false => self.invalid(
                "server.api_keys",
                "must have names of at most 64 letters, digits, '-', '_' and '.'; 'api_key' is taken",
            ),
        }
    }

    /// What a client cannot send in a header would lock everybody out.
    fn sendable(&self, setting: &str, key: &str) -> Checked<()> {
        match !key.is_empty() && key.trim() == key && !key.contains(char::is_control) {
            true => Ok(()),
            false => self
                .invalid(setting, "holds a key that is empty, spans lines, or begins or ends with a space"),
        }
    }
}
