//! A remote endpoint over the [SPARQL 1.1 Protocol](https://www.w3.org/TR/sparql11-protocol/).
//!
//! Uses `outgoing` to send, `dialect` for the errors of each engine and `results` for limits and answers. A call that
//! exceeds its deadline, or whose future is dropped, closes its connection: this tells the endpoint to stop. Parsing of the
//! part received so far stops too.

use crate::dialect::{Dialect, FailedResponse, Learned, Response, TimeLimit, classify};
use crate::outgoing::{Backoff, CountedResponse, Held, Hosts, Secrets, SendError, reason, retry_after};
use crate::results::{Answer, Incomplete, deadline};
use crate::{CheckedQuery, Limits, QueryError, QueryForm, SparqlEndpoint};
use async_trait::async_trait;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use reqwest::header::{ACCEPT, AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, RequestBuilder};
use secrecy::{ExposeSecret, SecretString};
use std::time::{Duration, Instant};
use tokio::time::{sleep, timeout_at};
use url::Url;

mod body;
mod json;
mod plain;
mod stop;

use plain::Body;
use stop::StopFlag;

/// With [`Method::Auto`], URLs stay below this many bytes; some servers reject longer ones.
const MAX_URL: usize = 2_000;

/// Maximum bytes read of an error response body.
const MAX_ERROR_BODY: usize = 65_536;

/// Pauses between retries when the endpoint sends no `Retry-After`.
const BACKOFF: Backoff = Backoff { first: Duration::from_millis(300), longest: Duration::from_secs(5) };

/// How to authenticate.
#[derive(Debug, Clone, Default)]
pub enum Credentials {
    /// No authentication.
    #[default]
    None,
    /// HTTP Basic.
    Basic {
        /// The user's name.
        user: String,
        /// The password.
        password: SecretString,
    },
    /// A bearer token.
    Bearer(SecretString),
}

/// How a query is sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Method {
    /// GET while the URL stays below 2,000 bytes, otherwise POST.
    #[default]
    Auto,
    /// Always GET.
    Get,
    /// Always POST with a form body; never with the bare query as the body, which some engines do not support.
    Post,
}

/// Where and how to reach an endpoint.
#[derive(Debug, Clone)]
pub struct RemoteOptions {
    /// The endpoint's URL; its own query parameters are kept.
    pub url: String,
    /// How to authenticate.
    pub credentials: Credentials,
    /// Additional headers of each request.
    pub headers: Vec<(String, SecretString)>,
    /// Sent as `default-graph-uri`.
    pub default_graphs: Vec<String>,
    /// Sent as `named-graph-uri`.
    pub named_graphs: Vec<String>,
    /// How a query is sent.
    pub method: Method,
    /// How many times a failed connection, 429, 502, 503 or 504 is retried within the deadline.
    pub retries: u32,
    /// The endpoint's engine; `None` detects it from the URL and the responses.
    pub dialect: Option<&'static Dialect>,
    /// Limits and state of public hosts; shared by all their callers.
    pub hosts: Hosts,
}

impl RemoteOptions {
    /// Options for a public endpoint: no credentials, two retries.
    #[must_use]
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            credentials: Credentials::None,
            headers: Vec::new(),
            default_graphs: Vec::new(),
            named_graphs: Vec::new(),
            method: Method::Auto,
            retries: 2,
            dialect: None,
            hosts: Hosts::default(),
        }
    }
}

/// A SPARQL endpoint reached over HTTP.
pub struct RemoteEndpoint {
    client: Client,
    url: Url,
    name: String,
    headers: HeaderMap,
    default_graphs: Vec<String>,
    named_graphs: Vec<String>,
    method: Method,
    retries: u32,
    dialect: Learned,
    hosts: Hosts,
    secrets: Secrets,
}

impl RemoteEndpoint {
    /// Creates an endpoint; nothing is sent yet. The client's own timeout should be off, because each call has its own
    /// deadline.
    ///
    /// # Errors
    /// [`QueryError::Refused`] if the URL is not an http(s) URL, or a header or credential is not a valid header value.
    pub fn new(client: Client, options: RemoteOptions) -> Result<Self, QueryError> {
        let url = Url::parse(&options.url).map_err(|e| refused(format!("endpoint URL: {e}")))?;
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
            return Err(refused(format!("endpoint URL: {} is not an http or https URL", options.url)));
        }
        Ok(Self {
            headers: headers(&options)?,
            secrets: secrets(&options),
            name: public_name(&url),
            dialect: Learned::new(options.dialect, &url),
            client,
            url,
            default_graphs: options.default_graphs,
            named_graphs: options.named_graphs,
            method: options.method,
            retries: options.retries,
            hosts: options.hosts,
        })
    }

    fn request(&self, query: &CheckedQuery, limits: Limits) -> RequestBuilder {
        let limit = self.dialect.get().time_limit().map(|limit| (limit, limit.value(limits.timeout)));
        let mut parameters = vec![("query", query.text())];
        parameters.extend(self.default_graphs.iter().map(|graph| ("default-graph-uri", graph.as_str())));
        parameters.extend(self.named_graphs.iter().map(|graph| ("named-graph-uri", graph.as_str())));
        if let Some((TimeLimit::Seconds(name) | TimeLimit::Milliseconds(name), value)) = &limit
            // A time limit in the configured URL takes precedence.
            && !self.url.query_pairs().any(|(key, _)| key == *name)
        {
            parameters.push((name, value));
        }
        let mut url = self.url.clone();
        url.query_pairs_mut().extend_pairs(&parameters);
        let get = match self.method {
            Method::Get => true,
            Method::Post => false,
            Method::Auto => url.as_str().len() < MAX_URL,
        };
        let request =
            if get { self.client.get(url) } else { self.client.post(self.url.clone()).form(&parameters) };
        let request = match &limit {
            Some((TimeLimit::Header(name), value)) => request.header(*name, value),
            _ => request,
        };
        request.header(ACCEPT, accepted(query.form())).headers(self.headers.clone())
    }

    async fn run(&self, query: &CheckedQuery, limits: Limits, start: Instant) -> Result<Answer, QueryError> {
        let mut attempt = 0;
        loop {
            let failed = match self.attempt(query, limits, start).await {
                Ok(answer) => return Ok(answer),
                Err(failed) => failed,
            };
            let left = limits.timeout.saturating_sub(start.elapsed());
            let pause = pause(&failed.error, attempt);
            if !failed.retry || attempt >= self.retries || pause >= left {
                return Err(failed.error);
            }
            tracing::debug!(endpoint = self.name, error = %failed.error, ?pause, "trying again");
            sleep(pause).await;
            attempt += 1;
        }
    }

    async fn attempt(
        &self,
        query: &CheckedQuery,
        limits: Limits,
        start: Instant,
    ) -> Result<Answer, FailedAttempt> {
        let deadline = deadline(start, limits.timeout);
        let reply = self.hosts.send(self.request(query, limits), deadline).await.map_err(not_sent)?;
        if !reply.status().is_success() {
            return Err(self.failure(reply, start).await);
        }
        let head = body::ResponseHead::of(&reply, self.dialect.get());
        let (bytes, cut) = reply.read(limits.max_bytes).await.map_err(connection)?;
        self.learn(&Response { is_error: false, headers: &head.headers, body: &bytes });
        let (elapsed, query) = (start.elapsed(), query.clone());
        let (waiting, stop) = StopFlag::new();
        // Parsing megabytes would block the async runtime.
        let parsed = tokio::task::spawn_blocking(move || {
            let plain = Body { bytes, cut }.plain(&head.headers, limits.max_bytes);
            let Body { bytes, cut } = plain.map_err(|message| QueryError::Unavailable { message })?;
            body::parse(&body::Raw { head, bytes, cut, elapsed }, &query, limits, &stop)
        })
        .await;
        drop(waiting);
        let parsed =
            parsed.map_err(|e| FailedAttempt::last(QueryError::Unavailable { message: e.to_string() }))?;
        let (results, incomplete) = parsed
            .map_err(|error| FailedAttempt::last(error.with_words(|words| self.secrets.hidden_in(words))))?;
        let incomplete = match incomplete {
            Some(Incomplete::Endpoint(words)) => Some(Incomplete::Endpoint(self.secrets.hidden_in(&words))),
            other => other,
        };
        Ok(Answer { results, incomplete, elapsed: start.elapsed() })
    }

    async fn failure(&self, reply: CountedResponse, start: Instant) -> FailedAttempt {
        let status = reply.status().as_u16();
        let retry_after = retry_after(reply.headers());
        let headers = reply.headers().clone();
        // If the body cannot be read, the failure is classified by its status alone.
        let body = reply.read(MAX_ERROR_BODY).await.map(|(bytes, cut)| Body { bytes, cut });
        let body = body.ok().and_then(|body| body.plain(&headers, MAX_ERROR_BODY).ok());
        let body = body.map(|body| body.bytes).unwrap_or_default();
        self.learn(&Response { is_error: true, headers: &headers, body: &body });
        let body = self.secrets.hidden_in(&String::from_utf8_lossy(&body));
        let (elapsed, dialect) = (start.elapsed(), self.dialect.get());
        let error = classify(&FailedResponse { status, body: &body, retry_after, elapsed, dialect });
        let retry = matches!(status, 429 | 502..=504) && error.is_transient();
        if let QueryError::RateLimited { retry_after: pause, .. } = &error
            && retry_after.is_none()
        {
            self.hosts.refused(&self.url, *pause);
        }
        let error = match error {
            QueryError::Unavailable { message } if retry_after.is_some() && status == 503 => {
                QueryError::RateLimited { retry_after, message }
            }
            other => other,
        };
        FailedAttempt { error, retry }
    }

    fn learn(&self, response: &Response<'_>) {
        if let Some(found) = self.dialect.hear(response) {
            tracing::info!(
                endpoint = self.name,
                engine = found.title(),
                "the endpoint's engine is recognised"
            );
        }
    }
}

#[async_trait]
impl SparqlEndpoint for RemoteEndpoint {
    async fn query(&self, query: &CheckedQuery, limits: Limits) -> Result<Answer, QueryError> {
        let start = Instant::now();
        let deadline = deadline(start, limits.timeout);
        // Dropping the inner future closes the connection.
        match timeout_at(deadline, self.run(query, limits, start)).await {
            Ok(outcome) => outcome,
            Err(_) => Err(QueryError::Timeout { after: limits.timeout }),
        }
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn dialect(&self) -> &'static Dialect {
        self.dialect.get()
    }
}

/// The `Accept` header.
fn accepted(form: QueryForm) -> &'static str {
    match form {
        QueryForm::Select | QueryForm::Ask => {
            "application/sparql-results+json, application/sparql-results+xml;q=0.8"
        }
        QueryForm::Construct | QueryForm::Describe => "application/n-triples, text/turtle;q=0.8",
    }
}

/// A failed attempt, and whether to retry.
struct FailedAttempt {
    error: QueryError,
    retry: bool,
}

impl FailedAttempt {
    fn last(error: QueryError) -> Self {
        Self { error, retry: false }
    }
}

fn refused(reason: String) -> QueryError {
    QueryError::Refused { reason }
}

/// The URL without user, password and parameters, each of which may be a secret.
fn public_name(url: &Url) -> String {
    let mut public = url.clone();
    public.set_query(None);
    public.set_fragment(None);
    // These fail only for URLs without a host.
    let cleared = public.set_username("").and_then(|()| public.set_password(None));
    cleared.map_or_else(|()| url.host_str().unwrap_or_default().to_owned(), |()| public.to_string())
}

fn headers(options: &RemoteOptions) -> Result<HeaderMap, QueryError> {
    let mut headers = HeaderMap::new();
    match &options.credentials {
        Credentials::None => {}
        Credentials::Basic { user, password } => {
            let pair = format!("{user}:{}", password.expose_secret());
            headers.insert(
                AUTHORIZATION,
                secret("user and password", &format!("Basic {}", BASE64_STANDARD.encode(&pair)))?,
            );
        }
        Credentials::Bearer(token) => {
            headers
                .insert(AUTHORIZATION, secret("bearer token", &format!("Bearer {}", token.expose_secret()))?);
        }
    }
    for (name, content) in &options.headers {
        let key = HeaderName::from_bytes(name.as_bytes())
            .map_err(|_| refused(format!("endpoint header `{name}`: not a header name")))?;
        headers.insert(key, secret(name, content.expose_secret())?);
    }
    Ok(headers)
}

/// Secrets that must not appear in messages.
fn secrets(options: &RemoteOptions) -> Secrets {
    let credentials = match &options.credentials {
        Credentials::None => Vec::new(),
        Credentials::Basic { user, password } => {
            let pair = format!("{user}:{}", password.expose_secret());
            vec![password.clone(), BASE64_STANDARD.encode(&pair).into()]
        }
        Credentials::Bearer(token) => vec![token.clone()],
    };
    let headers = options.headers.iter().map(|(_, value)| value.clone());
    Secrets::new(credentials.into_iter().chain(headers), "[secret]")
}

fn value(what: &str, content: &str) -> Result<HeaderValue, QueryError> {
    HeaderValue::from_str(content)
        .map_err(|_| refused(format!("endpoint header `{what}`: contains characters that cannot be sent")))
}

/// A header value that is hidden in debug output.
fn secret(what: &str, content: &str) -> Result<HeaderValue, QueryError> {
    let mut header = value(what, content)?;
    header.set_sensitive(true);
    Ok(header)
}

fn not_sent(error: SendError) -> FailedAttempt {
    match error {
        SendError::Http(error) => connection(error),
        SendError::Busy { ref host, held } => {
            let message = match held {
                Held::Asked(_) => format!("{host} has asked to wait"),
                Held::Minute(_) | Held::Full => error.to_string(),
            };
            FailedAttempt::last(QueryError::RateLimited { retry_after: held.left(), message })
        }
        // A redirect refused once would be refused again.
        redirect => FailedAttempt::last(QueryError::Unavailable { message: redirect.to_string() }),
    }
}

/// Connection errors.
fn connection(error: reqwest::Error) -> FailedAttempt {
    // A request that could not be built will fail again.
    FailedAttempt { retry: !error.is_builder(), error: QueryError::Unavailable { message: reason(error) } }
}

/// The pause before the next attempt: the endpoint's `Retry-After`, or our backoff.
fn pause(error: &QueryError, attempt: u32) -> Duration {
    match error {
        QueryError::RateLimited { retry_after: Some(asked), .. } => *asked,
        _ => BACKOFF.jittered(attempt),
    }
}

/// Parses a body as the response to a query of this form, for [`crate::fuzzing`].
#[cfg(any(test, fuzzing))]
pub(crate) fn fuzz_body(bytes: &[u8], content_type: &str, form: QueryForm, limits: Limits) -> Option<Answer> {
    let text = match form {
        QueryForm::Select => "SELECT ?s ?o WHERE { ?s ?p ?o }",
        QueryForm::Ask => "ASK { ?s ?p ?o }",
        QueryForm::Construct => "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }",
        QueryForm::Describe => "DESCRIBE ?s WHERE { ?s ?p ?o }",
    };
    let query = crate::check(text, &crate::Prefixes::default(), &crate::QueryPolicy::default()).ok()?;
    let raw = body::Raw::for_fuzzing(bytes, content_type, limits.max_bytes);
    let (_waiting, stop) = StopFlag::new();
    let (results, incomplete) = body::parse(&raw, &query, limits, &stop).ok()?;
    Some(Answer { results, incomplete, elapsed: limits.timeout })
}

#[cfg(test)]
mod tests;
