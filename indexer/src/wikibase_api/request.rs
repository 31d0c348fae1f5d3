//! Requests to the search of a Wikibase: limited in concurrency, time and size, and none while the server
//! asks to wait. Every failure becomes a [`WikibaseApiError`].

use super::error::WikibaseApiError;
use eruca_sparql::one_line;
use eruca_sparql::outgoing::{
    Hosts, SendError, how_to_say_who, is_page, page_words, retry_after, server_name,
};
use reqwest::Url;
use reqwest::header::ACCEPT;
use serde_json::Value;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep, timeout_at};

/// Maximum size of a response in bytes: fifty entities with names in a handful of languages take a tenth.
const MAX_BYTES: usize = 4 << 20;
/// Maximum number of characters shown of a server's message.
const MAX_WORDS_CHARS: usize = 200;
/// Maximum pause requested by a server after which the request is repeated, once.
const MAX_WAIT: Duration = Duration::from_secs(2);
/// Error codes of the API that mean overload. They are sent with status 200.
const BUSY_CODES: [&str; 3] = ["maxlag", "ratelimited", "internal_api_error_DBQueryTimeoutError"];

/// Sends requests to the API and to the vector search.
pub(super) struct Http {
    client: reqwest::Client,
    hosts: Hosts,
    timeout: Duration,
    permits: Semaphore,
}

impl Http {
    pub(super) fn new(client: reqwest::Client, hosts: Hosts, timeout: Duration, requests: usize) -> Self {
        let permits = Semaphore::new(requests.clamp(1, Semaphore::MAX_PERMITS));
        Self { client, hosts, timeout, permits }
    }

    /// A request to `api.php`.
    pub(super) async fn api(
        &self,
        api: &str,
        parameters: &[(&str, &str)],
    ) -> Result<Value, WikibaseApiError> {
        let form = [("format", "json"), ("formatversion", "2")];
        let body = self.get(api, parameters.iter().chain(&form)).await?;
        if body.get("search").is_none() && body.get("entities").is_none() {
            let found = format!("JSON without 'search' or 'entities': {}", shown(&body.to_string()));
            return Err(WikibaseApiError::OtherContent { server: server(api), found });
        }
        Ok(body)
    }

    /// A request to a vector search service.
    pub(super) async fn vectors(
        &self,
        url: &str,
        parameters: &[(&str, &str)],
    ) -> Result<Value, WikibaseApiError> {
        let body = self.get(url, parameters.iter()).await?;
        if !body.is_array() {
            let found = format!("JSON that is not a list: {}", shown(&body.to_string()));
            return Err(WikibaseApiError::OtherContent { server: server(url), found });
        }
        Ok(body)
    }

    async fn get<'a>(
        &self,
        address: &str,
        parameters: impl Iterator<Item = &'a (&'a str, &'a str)>,
    ) -> Result<Value, WikibaseApiError> {
        let server = server(address);
        let mut url = Url::parse(address).map_err(|error| WikibaseApiError::Unreachable {
            server: server.clone(),
            reason: format!("its address cannot be used: {error}"),
        })?;
        url.query_pairs_mut().extend_pairs(parameters);
        let until = Instant::now() + self.timeout;
        let late = || WikibaseApiError::Timeout { server: server.clone(), after: self.timeout };
        timeout_at(until, self.patiently(&server, url, until)).await.unwrap_or_else(|_| Err(late()))
    }

    /// Sends a request, and repeats it once if the server asks for a short pause that the time allows.
    async fn patiently(&self, server: &str, url: Url, until: Instant) -> Result<Value, WikibaseApiError> {
        let first = self.once(server, url.clone(), until).await;
        match &first {
            Err(WikibaseApiError::Busy { wait: Some(wait), .. })
                if *wait <= MAX_WAIT && Instant::now() + *wait < until =>
            {
                sleep(*wait).await;
                self.once(server, url, until).await
            }
            _ => first,
        }
    }

    async fn once(&self, server: &str, url: Url, until: Instant) -> Result<Value, WikibaseApiError> {
        // The semaphore is never closed.
        let _permit = self.permits.acquire().await;
        let request = self.client.get(url.clone()).header(ACCEPT, "application/json");
        let reply = self.hosts.send(request, until).await.map_err(|error| unsent(server, error))?;
        let (status, wait) = (reply.status().as_u16(), retry_after(reply.headers()));
        let (body, cut) =
            reply.read(MAX_BYTES).await.map_err(|error| unsent(server, SendError::Http(error)))?;
        if cut {
            return Err(WikibaseApiError::TooLong { server: server.to_owned(), bytes: MAX_BYTES });
        }
        let judged = judged(server, status, wait, &body);
        if let Err(WikibaseApiError::Busy { wait: None, .. }) = judged {
            self.hosts.refused(&url, None);
        }
        judged
    }
}

/// Interprets a response: JSON, or an error.
fn judged(server: &str, status: u16, wait: Option<Duration>, body: &[u8]) -> Result<Value, WikibaseApiError> {
    let server = server.to_owned();
    let json = serde_json::from_slice::<Value>(body).ok();
    let said = json.as_ref().and_then(complaint);
    let text = || shown(&words(body));
    match (status, said, json) {
        (429 | 503, said, _) => {
            let reason = said.map_or_else(text, |(_, words)| words) + how_to_say_who(&words(body));
            Err(WikibaseApiError::Busy { server, wait, reason })
        }
        (_, Some((code, reason)), _) if BUSY_CODES.contains(&code.as_str()) => {
            Err(WikibaseApiError::Busy { server, wait, reason })
        }
        (200..=299, Some((code, reason)), _) => Err(WikibaseApiError::Refused { server, code, reason }),
        (200..=299, None, Some(json)) => Ok(json),
        (200..=299, None, None) => Err(WikibaseApiError::OtherContent { server, found: kind_of(body) }),
        (status, said, _) => {
            let reason = said.map_or_else(text, |(_, words)| words);
            Err(WikibaseApiError::Status { server, status, reason })
        }
    }
}

/// A body as text; of a web page, what a reader sees.
fn words(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    if is_page(&text) { page_words(&text) } else { text.into_owned() }
}

/// `{"error": {"code": …, "info": …}}` of MediaWiki; `{"error": …}` and `{"detail": …}` of other services.
fn complaint(json: &Value) -> Option<(String, String)> {
    let error = json.get("error").or_else(|| json.get("detail"))?;
    let part = |key: &str| error.get(key).and_then(Value::as_str);
    let code = shown(part("code").unwrap_or("error"));
    let info = part("info").or_else(|| error.as_str());
    Some((code, info.map_or_else(|| shown(&error.to_string()), shown)))
}

/// Describes a body that is not JSON.
fn kind_of(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    match text.trim_start() {
        "" => "an empty body".to_owned(),
        _ if is_page(&text) => "a web page, perhaps of a proxy or a login".to_owned(),
        _ => format!("no JSON: {}", shown(&text)),
    }
}

fn shown(words: &str) -> String {
    one_line(words, MAX_WORDS_CHARS)
}

/// Why there is no response, without the URL, which contains the search text.
fn unsent(server: &str, error: SendError) -> WikibaseApiError {
    let server = server.to_owned();
    match error {
        SendError::Busy { held, .. } => {
            WikibaseApiError::Busy { server, wait: held.left(), reason: error.to_string() }
        }
        other => WikibaseApiError::Unreachable { server, reason: other.reason() },
    }
}

/// Scheme, host and port; the rest of a URL may contain secrets.
fn server(address: &str) -> String {
    Url::parse(address).map_or_else(|_| "the configured address".to_owned(), |url| server_name(&url))
}
