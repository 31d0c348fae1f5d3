//! Settings of the HTTP service: `[server]`.

use super::{Check, Checked};
use crate::config::{AllowedHosts, ApiKey, Authority, KeyScope, ServerSettings, TlsFiles};
use reqwest::header::HeaderName;
use std::collections::{BTreeMap, BTreeSet};
use url::Url;

/// What log and metrics call the key of `api_key`.
const MAIN_KEY: &str = "api_key";
/// Longest name of a key, in characters.
const MAX_NAME_CHARS: usize = 64;

impl Check<'_> {
    pub(super) fn server(&self) -> Checked<ServerSettings> {
        let with_page: bool = self.get("server.page")?;
        Ok(ServerSettings {
            host: self.needed("server.host", "write \"127.0.0.1\" or \"0.0.0.0\"")?,
            port: self.number("server.port", 0, 65_535)?,
            allowed_hosts: self.allowed_hosts()?,
            tls: self.tls()?,
            cors_origins: self.cors_origins()?,
            max_concurrent_questions: self.number("server.max_concurrent_questions", 1, 10_000)?,
            max_waiting_questions: self.number("server.max_waiting_questions", 0, 100_000)?,
            keys: self.keys()?,
            questions_per_minute: self.number("server.questions_per_minute", 0, 1_000_000)?,
            client_header: self.client_header()?,
            client_timeout: self.seconds("server.client_seconds", 1)?,
            max_connections: self.number("server.max_connections", 10, 1_000_000)?,
            connections_per_client: self.number("server.connections_per_client", 1, 1_000_000)?,
            max_question_chars: self.number("server.max_question_chars", 1, 100_000)?,
            stop_timeout: self.seconds("server.stop_seconds", 0)?,
            reload_interval: Some(self.seconds("server.reload_seconds", 0)?).filter(|every| !every.is_zero()),
            runs: self.runs()?,
            page: Some(self.page()?).filter(|_| with_page),
            queries: self.get("server.queries")?,
            mcp: self.get("server.mcp")?,
            public_url: self.public_url()?,
            feedback: self.feedback()?,
        })
    }

    fn client_header(&self) -> Checked<Option<String>> {
        let Some(name) = self.given("server.client_header")? else { return Ok(None) };
        match HeaderName::try_from(name) {
            Ok(header) => Ok(Some(header.to_string())),
            Err(_) => {
                self.invalid("server.client_header", "must be the name of a header, like \"X-Forwarded-For\"")
            }
        }
    }

    fn cors_origins(&self) -> Checked<Vec<String>> {
        let origins: Vec<String> = self.get("server.cors_origins")?;
        for origin in &origins {
            let known = Url::parse(origin).is_ok_and(|url| url.origin().ascii_serialization() == *origin);
            if origin != "*" && !known {
                let problem =
                    "must hold origins like \"https://example.org\" (no path, no slash at the end) or \"*\"";
                return self.invalid("server.cors_origins", problem);
            }
        }
        Ok(origins)
    }

    /// An address to which paths can be added.
    fn public_url(&self) -> Checked<Option<String>> {
        let Some(address) = self.given("server.public_url")? else { return Ok(None) };
        let url = Url::parse(&address)
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
        match url.filter(|url| url.query().is_none() && url.fragment().is_none() && url.username().is_empty())
        {
            Some(url) => Ok(Some(url.as_str().trim_end_matches('/').to_owned())),
            None => {
                self.invalid("server.public_url", "must be an address like \"https://eruca.example.org\"")
            }
        }
    }

    fn allowed_hosts(&self) -> Checked<AllowedHosts> {
        let names: Vec<String> = self.get("server.allowed_hosts")?;
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

    fn tls(&self) -> Checked<Option<TlsFiles>> {
        match (self.given("server.tls_certificate")?, self.given("server.tls_key")?) {
            (None, None) => Ok(None),
            (Some(certificate), Some(key)) => {
                Ok(Some(TlsFiles { certificate: certificate.into(), key: key.into() }))
            }
            (None, Some(_)) => self.invalid("server.tls_certificate", "is empty while server.tls_key is set"),
            (Some(_), None) => self.invalid("server.tls_key", "is empty while server.tls_certificate is set"),
        }
    }

    fn keys(&self) -> Checked<Vec<ApiKey>> {
        let named: BTreeMap<String, String> = self.get("server.api_keys")?;
        let operators: Vec<String> = self.get("server.operators")?;
        if !operators.iter().all(|name| named.contains_key(name)) {
            return self.invalid("server.operators", "contains a name that is not in server.api_keys");
        }
        let mut keys = Vec::new();
        if let Some(main) = self.given("server.api_key")? {
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
            return self.invalid("server.api_keys", "contains a key twice, or the key of server.api_key");
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
            false => self.invalid(
                setting,
                "contains a key that is empty, spans lines, or begins or ends with a space",
            ),
        }
    }
}
