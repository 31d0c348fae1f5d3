//! A chat model behind any server that speaks the OpenAI chat completions protocol.
//!
//! One request takes several attempts when the server fails; all of them, and the pauses between them,
//! stay within [`ChatRequest::timeout`]. Responses are parsed by [`wire`].

use super::wire::{self, Parameter, ParsedReply, Sampling};
use super::{ChatModel, ChatRequest, Completion, ModelError, Tokens};
use async_trait::async_trait;
use eruca_sparql::offload;
use eruca_sparql::outgoing::{self, Backoff, Secrets, SendError, reason, retry_after, send};
use secrecy::{ExposeSecret, SecretString};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use url::Url;

/// Pauses between retries where the server does not ask for one.
const BACKOFF: Backoff = Backoff { first: Duration::from_millis(500), longest: Duration::from_secs(20) };
/// Maximum size of a reply: no completion comes near it, and a runaway server must not fill the memory.
const MAX_REPLY_BYTES: usize = 1 << 20;
/// Maximum number of bytes read of an error response.
const MAX_REFUSAL_BYTES: usize = 65_536;
/// Maximum number of characters of a server's message that go into an error.
const MAX_REASON_CHARS: usize = 300;
/// Length limit of a completion, in tokens, for a model in whose context the configured one leaves no room for the
/// conversation. No call of a tool needs more.
const SHORT_COMPLETION: u32 = 1_024;

/// How to reach a chat model.
#[derive(Clone)]
pub struct OpenAiOptions {
    /// The address before `/chat/completions`, usually ending in `/v1`.
    pub base_url: String,
    /// The model's name as the server knows it.
    pub model: String,
    /// Sent as a bearer token.
    pub api_key: Option<SecretString>,
    /// Sent if set, until the server says that the model does not support it.
    pub temperature: Option<f32>,
    /// Time for one attempt.
    pub attempt_timeout: Duration,
    /// Attempts after the first.
    pub retries: u32,
    /// The most tokens that one completion may have.
    pub max_completion_tokens: Option<u32>,
}

impl fmt::Debug for OpenAiOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenAiOptions")
            .field("base_url", &shown(&self.base_url))
            .field("model", &self.model)
            .field("api_key", &self.api_key.as_ref().map(|_| "[redacted]"))
            .field("temperature", &self.temperature)
            .field("attempt_timeout", &self.attempt_timeout)
            .field("retries", &self.retries)
            .field("max_completion_tokens", &self.max_completion_tokens)
            .finish()
    }
}

/// A [`ChatModel`] on an OpenAI-compatible server.
pub struct OpenAiModel {
    client: reqwest::Client,
    options: OpenAiOptions,
    endpoint: Url,
    /// The base address without credentials, for errors.
    shown: String,
    /// The server has refused a temperature.
    no_temperature: AtomicBool,
    /// The server has refused the new name of the length limit.
    old_limit_name: AtomicBool,
    backoff: Backoff,
    secrets: Secrets,
}

impl fmt::Debug for OpenAiModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenAiModel").field("options", &self.options).finish_non_exhaustive()
    }
}

impl OpenAiModel {
    /// A model at `options.base_url`; nothing is sent yet.
    ///
    /// # Errors
    /// [`ModelError::Unreachable`] when the address is not an HTTP URL or the key cannot be sent in a header.
    pub fn new(client: reqwest::Client, mut options: OpenAiOptions) -> Result<Self, ModelError> {
        let shown = shown(&options.base_url);
        let unusable = |reason: String| ModelError::Unreachable { url: shown.clone(), attempts: 0, reason };
        options.api_key = options.api_key.as_ref().and_then(tidy_key);
        if let Some(key) = &options.api_key
            && !key.expose_secret().bytes().all(|byte| byte.is_ascii_graphic())
        {
            return Err(unusable("the API key has characters that HTTP headers cannot hold".to_owned()));
        }
        let endpoint = endpoint(&options).map_err(unusable)?;
        let secrets = Secrets::new(options.api_key.clone(), "[key]");
        Ok(Self {
            client,
            options,
            endpoint,
            shown,
            no_temperature: AtomicBool::new(false),
            old_limit_name: AtomicBool::new(false),
            backoff: BACKOFF,
            secrets,
        })
    }

    /// The model's name as the server knows it.
    pub(super) fn model_name(&self) -> &str {
        &self.options.model
    }

    /// Tries until an attempt succeeds or fails for good, or there is no time for another.
    pub(super) async fn persist(&self, request: &ChatRequest) -> Result<Completion, ModelError> {
        let started = Instant::now();
        let first = self.sampling();
        let mut sampling = first;
        let mut tries = Tries::default();
        loop {
            tries.attempts += 1;
            let failure = match self.attempt(request, sampling).await {
                Ok(completion) => {
                    self.remember(sampling);
                    return Ok(Completion { attempts: tries.attempts, ..completion });
                }
                Err(failure) => failure,
            };
            tracing::debug!(model = self.options.model, attempt = tries.attempts, ?failure, "attempt failed");
            if let Some(adapted) = failure.adapted(sampling, first) {
                sampling = adapted;
                continue;
            }
            let left = request.timeout.saturating_sub(started.elapsed());
            match self.pause(&failure, &mut tries, left) {
                Some(pause) => tokio::time::sleep(pause).await,
                None => return Err(self.error(failure, tries.attempts)),
            }
        }
    }

    async fn attempt(&self, request: &ChatRequest, sampling: Sampling) -> Result<Completion, AttemptFailure> {
        let reply = self.in_time(self.exchange(request, sampling)).await??;
        self.understood(reply, request).await
    }

    /// Runs `work` with the timeout of one attempt.
    pub(super) async fn in_time<T>(&self, work: impl Future<Output = T>) -> Result<T, AttemptFailure> {
        let limit = self.options.attempt_timeout;
        let done = tokio::time::timeout(limit, work).await;
        done.map_err(|_| AttemptFailure::transient(format!("no answer within {limit:.1?}")))
    }

    /// Interprets a complete reply.
    pub(super) async fn understood(
        &self,
        reply: RawReply,
        request: &ChatRequest,
    ) -> Result<Completion, AttemptFailure> {
        if !reply.status.is_success() {
            return Err(self.refusal(reply.status.as_u16(), wire::complaint(&reply.body), reply.asked));
        }
        let asked = reply.asked;
        match read(reply.body, wire::ReplyContext::of(request)).await {
            Ok(ParsedReply::Completion(completion)) => Ok(completion),
            Ok(ParsedReply::Complaint(complaint)) => {
                let status = complaint.status.unwrap_or(500);
                Err(self.refusal(status, complaint, asked))
            }
            Err(reason) => Err(AttemptFailure::Garbled(self.presentable(&reason))),
        }
    }

    /// Sends the request once and reads the whole reply.
    async fn exchange(&self, request: &ChatRequest, sampling: Sampling) -> Result<RawReply, AttemptFailure> {
        let response = self.post(&wire::ChatBody::new(&self.options.model, request, sampling)).await?;
        self.whole(response).await
    }

    pub(super) async fn post(&self, body: &wire::ChatBody<'_>) -> Result<reqwest::Response, AttemptFailure> {
        let mut call = self.client.post(self.endpoint.clone()).json(body);
        if let Some(key) = &self.options.api_key {
            call = call.bearer_auth(key.expose_secret());
        }
        send(call).await.map_err(|error| self.not_sent(error))
    }

    pub(super) async fn whole(&self, response: reqwest::Response) -> Result<RawReply, AttemptFailure> {
        let broken = |error| AttemptFailure::transient(self.presentable(&reason(error)));
        let status = response.status();
        let asked = retry_after(response.headers());
        let most = if status.is_success() { MAX_REPLY_BYTES } else { MAX_REFUSAL_BYTES };
        let (bytes, cut) = outgoing::read(response, most).await.map_err(broken)?;
        if cut && status.is_success() {
            return Err(AttemptFailure::Garbled(format!("it is longer than {MAX_REPLY_BYTES} bytes")));
        }
        tracing::debug!(model = self.options.model, %status, bytes = bytes.len(), "the chat model replied");
        Ok(RawReply { status, asked, body: String::from_utf8_lossy(&bytes).into_owned() })
    }

    /// Why there is no reply, as a failure of the attempt.
    fn not_sent(&self, error: SendError) -> AttemptFailure {
        match (error.status(), error) {
            (Some(status), redirect) => {
                let reason = self.presentable(&redirect.to_string());
                AttemptFailure::Refused { status, reason, about: None }
            }
            (None, other) => AttemptFailure::transient(self.presentable(&other.reason())),
        }
    }

    /// What an error response means for the request.
    pub(super) fn refusal(
        &self,
        status: u16,
        complaint: wire::Complaint,
        asked: Option<Duration>,
    ) -> AttemptFailure {
        let wire::Complaint { words, about, too_long, .. } = complaint;
        let reason = self.presentable(&words);
        match status {
            // Whatever the status: the same again would be as long.
            413 => AttemptFailure::TooLong { status, reason, about },
            400..=599 if status != 429 && too_long => AttemptFailure::TooLong { status, reason, about },
            429 => AttemptFailure::Limited { reason, asked },
            408 | 409 | 500..=599 => {
                AttemptFailure::Transient { reason: format!("HTTP {status}: {reason}"), asked }
            }
            _ => AttemptFailure::Refused { status, reason, about: about.filter(|_| status == 400) },
        }
    }

    /// The pause before the next attempt; `None` if there must not be one.
    fn pause(&self, failure: &AttemptFailure, tries: &mut Tries, left: Duration) -> Option<Duration> {
        let asked = match failure {
            AttemptFailure::Transient { asked, .. } | AttemptFailure::Limited { asked, .. } => *asked,
            AttemptFailure::Garbled(_) if !tries.garbled => None,
            AttemptFailure::Garbled(_) | AttemptFailure::Refused { .. } | AttemptFailure::TooLong { .. } => {
                return None;
            }
        };
        if tries.retries >= self.options.retries {
            return None;
        }
        let pause = self.backoff.jittered(tries.retries).max(asked.unwrap_or_default());
        tries.retries += 1;
        tries.garbled |= matches!(failure, AttemptFailure::Garbled(_));
        (pause < left).then_some(pause)
    }

    pub(super) fn error(&self, failure: AttemptFailure, attempts: u32) -> ModelError {
        let url = self.shown.clone();
        match failure {
            AttemptFailure::Transient { reason, .. } => ModelError::Unreachable { url, attempts, reason },
            AttemptFailure::Limited { reason, .. } => ModelError::RateLimited { url, attempts, reason },
            AttemptFailure::Refused { status, reason, .. } => ModelError::Refused { url, status, reason },
            AttemptFailure::TooLong { status, reason, .. } => ModelError::TooLong { url, status, reason },
            AttemptFailure::Garbled(reason) => ModelError::Malformed(reason),
        }
    }

    /// The parameters to send: those that the server is not known to refuse.
    pub(super) fn sampling(&self) -> Sampling {
        let no_temperature = self.no_temperature.load(Ordering::Relaxed);
        Sampling {
            temperature: self.options.temperature.filter(|_| !no_temperature),
            limit: self.options.max_completion_tokens,
            old_limit_name: self.old_limit_name.load(Ordering::Relaxed),
        }
    }

    /// Remembers what worked; only a success shows whether a parameter's name or its value was refused.
    fn remember(&self, worked: Sampling) {
        let refused = worked.temperature.is_none() && self.options.temperature.is_some();
        self.no_temperature.fetch_or(refused, Ordering::Relaxed);
        self.old_limit_name.store(worked.old_limit_name, Ordering::Relaxed);
    }

    /// A message from outside on one short line, without the key, which is removed before shortening could cut it in half.
    pub(super) fn presentable(&self, words: &str) -> String {
        let words = self.secrets.hidden_in(words);
        let mut line = String::new();
        for word in words.split_whitespace() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
            if let Some((end, _)) = line.char_indices().nth(MAX_REASON_CHARS) {
                line.truncate(end);
                return line + "…";
            }
        }
        if line.is_empty() { "the server gave no reason".to_owned() } else { line }
    }
}

#[async_trait]
impl ChatModel for OpenAiModel {
    async fn complete(&self, request: &ChatRequest) -> Result<Completion, ModelError> {
        tokio::time::timeout(request.timeout, self.persist(request))
            .await
            .unwrap_or(Err(ModelError::Timeout(request.timeout)))
    }

    async fn stream(&self, request: &ChatRequest, tokens: &mut Tokens<'_>) -> Result<Completion, ModelError> {
        tokio::time::timeout(request.timeout, self.streamed(request, tokens))
            .await
            .unwrap_or(Err(ModelError::Timeout(request.timeout)))
    }

    fn name(&self) -> &str {
        &self.options.model
    }
}

async fn read(body: String, context: wire::ReplyContext) -> Result<ParsedReply, String> {
    offload(body.len(), move || wire::read(&body, context)).await?
}

/// A reply as received.
pub(super) struct RawReply {
    status: reqwest::StatusCode,
    /// The pause that the server asks for.
    asked: Option<Duration>,
    body: String,
}

/// What has been tried for one request.
#[derive(Default)]
struct Tries {
    attempts: u32,
    /// Attempts that were repeats after a pause.
    retries: u32,
    /// One of them was because of a garbled reply.
    garbled: bool,
}

/// Why an attempt failed.
#[derive(Debug)]
pub(super) enum AttemptFailure {
    /// It may succeed next time.
    Transient { reason: String, asked: Option<Duration> },
    /// It was rate limited.
    Limited { reason: String, asked: Option<Duration> },
    /// The reply is not a completion.
    Garbled(String),
    /// It would fail again, unless the cause is a parameter that can be changed.
    Refused { status: u16, reason: String, about: Option<Parameter> },
    /// The conversation, perhaps only with the completion, does not fit into the model's context.
    TooLong { status: u16, reason: String, about: Option<Parameter> },
}

impl AttemptFailure {
    pub(super) fn transient(reason: String) -> Self {
        Self::Transient { reason, asked: None }
    }

    /// Other parameters that the server may accept; each is changed at most once from the `first` ones sent.
    fn adapted(&self, sent: Sampling, first: Sampling) -> Option<Sampling> {
        let parameter = match self {
            Self::TooLong { about: Some(Parameter::Limit), .. } => {
                let is_long = sent.limit.is_some_and(|limit| limit > SHORT_COMPLETION);
                return is_long.then_some(Sampling { limit: Some(SHORT_COMPLETION), ..sent });
            }
            Self::Refused { about: Some(parameter), .. } => parameter,
            _ => return None,
        };
        match parameter {
            Parameter::Temperature => sent.temperature.map(|_| Sampling { temperature: None, ..sent }),
            Parameter::Limit => (sent.limit.is_some() && sent.old_limit_name == first.old_limit_name)
                .then_some(Sampling { old_limit_name: !sent.old_limit_name, ..sent }),
        }
    }
}

/// `key` without the line break left by files and shells; `None` if it is empty.
fn tidy_key(key: &SecretString) -> Option<SecretString> {
    let key = key.expose_secret().trim();
    (!key.is_empty()).then(|| SecretString::from(key))
}

/// The URL of requests.
fn endpoint(options: &OpenAiOptions) -> Result<Url, String> {
    let mut url = Url::parse(&options.base_url).map_err(|error| error.to_string())?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(format!("{} is not http or https", url.scheme()));
    }
    if options.api_key.is_some() {
        // The client would send both as Authorization headers.
        let _ = (url.set_username(""), url.set_password(None));
    }
    match url.path_segments_mut() {
        Ok(mut segments) => segments.pop_if_empty().extend(["chat", "completions"]),
        Err(()) => return Err("it has no path".to_owned()),
    };
    Ok(url)
}

/// An address without user, password and query, all of which may hold secrets.
fn shown(base_url: &str) -> String {
    let address = base_url.split(['?', '#']).next().unwrap_or_default();
    let (scheme, rest) = address.split_once("://").unwrap_or(("", address));
    let rest = rest.rsplit_once('@').map_or(rest, |(_, host)| host).trim_end_matches('/');
    if scheme.is_empty() { rest.to_owned() } else { format!("{scheme}://{rest}") }
}

#[cfg(test)]
mod tests;
