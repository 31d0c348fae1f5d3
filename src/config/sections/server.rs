//! `[server]`: the HTTP service.

use crate::config::authority::AllowedHosts;
use crate::config::error::ConfigError;
use crate::config::places::Places;
use crate::config::values::{Seconds, Within, all, filled, optional, path};
use eruca_knowledge::questions::is_slug;
use reqwest::header::HeaderName;
use secrecy::{ExposeSecret, SecretString};
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;
use url::Url;

/// The name of the key `api_key` in the log and the metrics.
const MAIN_KEY: &str = "api_key";
/// All pages, where a key for pages is limited to none.
const ALL_PAGES: &str = "*";
/// Maximum length of a key's name in characters.
const MAX_NAME_CHARS: usize = 64;

/// The HTTP service.
#[derive(Debug, Clone, Deserialize)]
pub struct ServerSettings {
    /// Host name or address to listen on.
    #[serde(deserialize_with = "host")]
    pub host: String,
    /// Port to listen on; 0 for any free one.
    #[serde(with = "Within::<0, 65_535>")]
    pub port: u16,
    /// Names accepted for the service, beside its addresses and `localhost`.
    pub allowed_hosts: AllowedHosts,
    #[serde(deserialize_with = "path")]
    tls_certificate: Option<PathBuf>,
    #[serde(deserialize_with = "path")]
    tls_key: Option<PathBuf>,
    /// Origins that browsers may call from; `*` for all.
    #[serde(deserialize_with = "origins")]
    pub cors_origins: Vec<String>,
    /// Origins whose pages may show pages of verified questions in a frame; `*` for all.
    #[serde(deserialize_with = "origins")]
    pub embed_origins: Vec<String>,
    /// Maximum number of questions answered at once.
    #[serde(with = "Within::<1, 10_000>")]
    pub max_concurrent_questions: usize,
    /// Maximum number of further questions that may wait.
    #[serde(with = "Within::<0, 100_000>")]
    pub max_waiting_questions: usize,
    /// Maximum length of a question in characters.
    #[serde(with = "Within::<1, 100_000>")]
    pub max_question_chars: usize,
    #[serde(deserialize_with = "main_key")]
    api_key: Option<SecretString>,
    #[serde(deserialize_with = "named_keys")]
    api_keys: BTreeMap<String, SecretString>,
    operators: Vec<String>,
    /// Pages of keys that open pages alone; `None` for all pages.
    #[serde(deserialize_with = "board_keys")]
    board_keys: BTreeMap<String, Option<Vec<String>>>,
    /// The roles of keys, by the names of the keys.
    pub key_roles: BTreeMap<String, String>,
    proxies: Vec<String>,
    /// Header in which a proxy with a key names the role of its client.
    #[serde(deserialize_with = "header_name")]
    pub role_header: Option<String>,
    /// Header in which a proxy with a key names its client, for the log and the query log.
    #[serde(deserialize_with = "header_name")]
    pub user_header: Option<String>,
    /// Maximum number of questions per client and minute; 0 for no limit.
    #[serde(with = "Within::<0, 1_000_000>")]
    pub questions_per_minute: u32,
    /// Header in which a trusted proxy sends the client's address.
    #[serde(deserialize_with = "header_name")]
    pub client_header: Option<String>,
    /// Timeout for receiving a request, and for the next request on a kept-alive connection.
    #[serde(rename = "client_seconds", with = "Seconds::<1>")]
    pub client_timeout: Duration,
    /// Maximum number of connections; a further one replaces one that waits for its client.
    #[serde(with = "Within::<10, 1_000_000>")]
    pub max_connections: usize,
    /// Maximum number of connections per address.
    #[serde(with = "Within::<1, 1_000_000>")]
    pub connections_per_client: usize,
    /// Time for running questions to finish when the service stops.
    #[serde(rename = "stop_seconds", with = "Seconds::<0>")]
    pub stop_timeout: Duration,
    /// Interval between checks for a rebuilt index; `None` for no checks.
    #[serde(rename = "reload_seconds", deserialize_with = "interval")]
    pub reload_interval: Option<Duration>,
    /// Whether the web page is served.
    pub page: bool,
    /// Whether queries written by clients are run.
    pub queries: bool,
    /// Whether the Model Context Protocol is served at `/mcp`.
    pub mcp: bool,
    /// The public URL of the service, without a trailing slash; `None` if not configured.
    #[serde(deserialize_with = "public_url")]
    pub public_url: Option<String>,
}

/// The files of a certificate, in PEM format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlsFiles {
    /// The certificate chain, the service's own certificate first.
    pub certificate: PathBuf,
    /// Its private key.
    pub key: PathBuf,
}

/// A key that clients may send.
#[derive(Debug, Clone)]
pub struct ApiKey {
    /// Its name in the log and the metrics.
    pub name: String,
    /// The key itself.
    pub key: SecretString,
    /// What it gives access to.
    pub scope: KeyScope,
    /// The pages that a key for pages opens, by their names; `None` for all.
    pub boards: Option<Vec<String>>,
    /// The role of who sends it; `None` sees everything.
    pub role: Option<String>,
    /// Whether it belongs to a proxy that names the role of each request.
    pub is_proxy: bool,
}

/// What a key gives access to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum KeyScope {
    /// Pages of verified questions alone.
    Boards,
    /// Questions and the list of datasets.
    Questions,
    /// Also the metrics, and the states of the service's parts.
    Operation,
}

impl ServerSettings {
    /// Certificate and key for TLS; `None` serves plain HTTP.
    pub fn tls(&self) -> Option<TlsFiles> {
        let (certificate, key) = (self.tls_certificate.clone()?, self.tls_key.clone()?);
        Some(TlsFiles { certificate, key })
    }

    /// Accepted keys, one of which clients must send as a bearer token; if there are none, no key is required.
    pub fn keys(&self) -> Vec<ApiKey> {
        let named = |name: &str, key: &SecretString, scope| ApiKey {
            name: name.to_owned(),
            key: key.clone(),
            scope,
            boards: None,
            role: self.key_roles.get(name).cloned(),
            is_proxy: self.proxies.iter().any(|proxy| proxy == name),
        };
        let mut keys: Vec<_> =
            self.api_key.iter().map(|key| named(MAIN_KEY, key, KeyScope::Operation)).collect();
        keys.extend(self.api_keys.iter().map(|(name, key)| match self.board_keys.get(name) {
            Some(boards) => ApiKey { boards: boards.clone(), ..named(name, key, KeyScope::Boards) },
            None if self.operators.contains(name) => named(name, key, KeyScope::Operation),
            None => named(name, key, KeyScope::Questions),
        }));
        keys
    }

    /// Checks the settings of keys that have a role or belong to a proxy.
    pub(in crate::config) fn check_roles(&self, places: &Places) -> Result<(), ConfigError> {
        let is_key = |name: &&String| self.api_keys.contains_key(*name);
        if let Some(name) = self.key_roles.keys().find(|name| !is_key(name)) {
            let problem = format!("contains '{name}', which is not in server.api_keys");
            return places.invalid("server.key_roles", problem);
        }
        if let Some(name) = self.proxies.iter().find(|name| !is_key(name)) {
            let problem = format!("contains '{name}', which is not in server.api_keys");
            return places.invalid("server.proxies", problem);
        }
        let limited = |name: &&String| self.key_roles.contains_key(*name) || self.proxies.contains(name);
        if let Some(name) = self.operators.iter().find(limited) {
            let problem =
                format!("contains '{name}', which has a role or is of a proxy; operators see everything");
            return places.invalid("server.operators", problem);
        }
        if let Some(name) = self.proxies.iter().find(|name| self.key_roles.contains_key(*name)) {
            let problem = format!("contains '{name}', which has a role of its own in server.key_roles");
            return places.invalid("server.proxies", problem);
        }
        if self.proxies.is_empty() != self.role_header.is_none() {
            let problem =
                "and server.proxies are needed together: the header counts with the key of a proxy alone";
            return places.invalid("server.role_header", problem);
        }
        Ok(())
    }

    /// Checks rules for several keys.
    pub(in crate::config) fn check(&self, places: &Places) -> Result<(), ConfigError> {
        if self.tls_certificate.is_none() && self.tls_key.is_some() {
            return places.invalid("server.tls_certificate", "is empty while server.tls_key is set");
        }
        if self.tls_certificate.is_some() && self.tls_key.is_none() {
            return places.invalid("server.tls_key", "is empty while server.tls_certificate is set");
        }
        if !self.operators.iter().all(|name| self.api_keys.contains_key(name)) {
            return places.invalid("server.operators", "contains a name that is not in server.api_keys");
        }
        if !self.board_keys.keys().all(|name| self.api_keys.contains_key(name)) {
            return places.invalid("server.board_keys", "contains a name that is not in server.api_keys");
        }
        if self.operators.iter().any(|name| self.board_keys.contains_key(name)) {
            return places.invalid("server.board_keys", "contains a name that is in server.operators, too");
        }
        // With a duplicate key, it would be unclear which name is meant, and what the key gives access to.
        let keys = self.keys();
        if keys.iter().map(|key| key.key.expose_secret()).collect::<BTreeSet<_>>().len() < keys.len() {
            return places.invalid("server.api_keys", "contains a key twice, or the key of server.api_key");
        }
        Ok(())
    }
}

fn host<'de, D: Deserializer<'de>>(setting: D) -> Result<String, D::Error> {
    filled(setting, "write \"127.0.0.1\" or \"0.0.0.0\"")
}

fn origins<'de, D: Deserializer<'de>>(setting: D) -> Result<Vec<String>, D::Error> {
    let known =
        |origin: &str| Url::parse(origin).is_ok_and(|url| url.origin().ascii_serialization() == origin);
    let problem = "must hold origins like \"https://example.org\" (no path, no slash at the end) or \"*\"";
    all(setting, |origin| origin == "*" || known(origin), problem)
}

fn main_key<'de, D: Deserializer<'de>>(setting: D) -> Result<Option<SecretString>, D::Error> {
    optional(setting, sendable)
}

/// The names of pages that keys open, separated by commas; `*` stands for all.
fn board_keys<'de, D: Deserializer<'de>>(
    setting: D,
) -> Result<BTreeMap<String, Option<Vec<String>>>, D::Error> {
    let keys = BTreeMap::<String, String>::deserialize(setting)?;
    let names = |pages: &str| -> Option<Vec<String>> {
        let pages: Vec<String> = pages.split(',').map(|name| name.trim().to_owned()).collect();
        pages.iter().all(|name| is_slug(name)).then_some(pages)
    };
    let read = keys.into_iter().map(|(name, pages)| match pages.trim() {
        ALL_PAGES => Ok((name, None)),
        pages => names(pages).map(|pages| (name, Some(pages))).ok_or(()),
    });
    let problem = "must have names of pages like \"leaders, house\", or \"*\" for all";
    read.collect::<Result<_, ()>>().map_err(|()| D::Error::custom(problem))
}

fn named_keys<'de, D: Deserializer<'de>>(setting: D) -> Result<BTreeMap<String, SecretString>, D::Error> {
    let keys = BTreeMap::<String, String>::deserialize(setting)?;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let is_name = |name: &String| {
        (1..=MAX_NAME_CHARS).contains(&name.len()) && name.chars().all(plain) && name != MAIN_KEY
    };
    if !keys.keys().all(is_name) {
        let problem = "must have names of at most 64 letters, digits, '-', '_' and '.'; 'api_key' is taken";
        return Err(D::Error::custom(problem));
    }
    let keys = keys.into_iter().map(|(name, key)| Ok((name, sendable(&key)?)));
    keys.collect::<Result<_, &str>>().map_err(D::Error::custom)
}

/// A key that clients cannot send in a header would lock everybody out.
fn sendable(key: &str) -> Result<SecretString, &'static str> {
    match !key.is_empty() && key.trim() == key && !key.contains(char::is_control) {
        true => Ok(key.into()),
        false => Err("contains a key that is empty, spans lines, or begins or ends with a space"),
    }
}

fn header_name<'de, D: Deserializer<'de>>(setting: D) -> Result<Option<String>, D::Error> {
    let problem = "must be the name of a header, like \"X-Forwarded-For\"";
    optional(setting, |name| HeaderName::try_from(name).map(|name| name.to_string()).map_err(|_| problem))
}

fn interval<'de, D: Deserializer<'de>>(setting: D) -> Result<Option<Duration>, D::Error> {
    Ok(Some(Seconds::<0>::deserialize(setting)?).filter(|every| !every.is_zero()))
}

/// A base URL.
fn public_url<'de, D: Deserializer<'de>>(setting: D) -> Result<Option<String>, D::Error> {
    optional(setting, |address| {
        let is_bare = |url: &Url| {
            let is_web = matches!(url.scheme(), "http" | "https") && url.has_host();
            is_web && url.query().is_none() && url.fragment().is_none() && url.username().is_empty()
        };
        let url = Url::parse(address).ok().filter(is_bare);
        url.map(|url| url.as_str().trim_end_matches('/').to_owned())
            .ok_or("must be an address like \"https://eruca.example.org\"")
    })
}
