//! HTTP requests to external servers: endpoints in this package, models in the packages above.
//!
//! Only configured servers are contacted. A request carries queries, prompts and keys, so redirects are followed only
//! within the same origin (scheme, host and port), and response bodies are read up to a limit. Public servers are
//! contacted through [`Hosts`], which respects their rate limits. [`Backoff`] and [`retry_after`] decide when to retry,
//! [`Secrets`] keeps keys out of messages. Uses `results` to shorten names.
//!
//! Endpoints, chat models, embedding servers and the Wikibase search all use this module: [`client_builder`] builds every
//! client, and [`send`] follows redirects; [`send_for_public_file`] does so to other origins too. Tests: `tests`, `tests/layering.rs`. Qdrant uses its official gRPC client instead.

mod hosts;
mod lookups;
mod page;
mod retry;
mod secrets;
mod who;

pub use hosts::{CountedResponse, Held, Hosts, is_public};
pub(crate) use page::between;
pub use page::{is_page, page_words};
pub use retry::{Backoff, retry_after};
pub use secrets::Secrets;
pub use who::{how_to_say_who, user_agent};

use crate::fence::one_line;
use lookups::Lookups;
use reqwest::header::{CONTENT_LENGTH, CONTENT_TYPE, LOCATION};
use reqwest::{Client, ClientBuilder, Method, Request, RequestBuilder, Response, StatusCode};
use std::sync::Arc;
use std::time::Duration;
use url::{Origin, Url};

/// Maximum characters shown of a server name.
const MAX_SHOWN_CHARS: usize = 100;

/// Maximum redirects followed per request.
const MAX_REDIRECTS: usize = 5;

/// Why a request got no response.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SendError {
    /// The request could not be sent, or its response could not be read.
    #[error(transparent)]
    Http(#[from] reqwest::Error),
    /// The server redirects to another origin, which may not be trusted.
    #[error(
        "it redirects to another server, {target}, which is not followed because queries and keys would go \
         there; if that is where requests should go, configure its address"
    )]
    OtherOrigin {
        /// The status of the response.
        status: u16,
        /// Scheme, host and port of the redirect target.
        target: String,
    },
    /// A redirect of a request for a public file, from an encrypted connection to one that is not.
    #[error(
        "it redirects from https to {target}, which is not followed because anybody between could change the file"
    )]
    Unencrypted {
        /// The status of the response.
        status: u16,
        /// Scheme, host and port of the redirect target.
        target: String,
    },
    /// Too many redirects.
    #[error("it redirects more than {MAX_REDIRECTS} times; configure the address at which it answers")]
    TooManyRedirects {
        /// The status of the last response.
        status: u16,
    },
    /// Nothing was sent: the request did not get its turn in time.
    #[error("{host} is not asked now: {}", why_not(*held))]
    Busy {
        /// The server name.
        host: String,
        /// What it waited for.
        held: Held,
    },
}

fn why_not(held: Held) -> String {
    match held {
        Held::Asked(left) => format!("it has asked to wait for {} s more", seconds(left)),
        Held::Minute(left) => format!(
            "as many requests as [outgoing] requests_per_minute allows were sent to it; there is room in {} s",
            seconds(left)
        ),
        Held::Full => {
            "as many requests to it as are allowed at once are under way, and none ended in time".to_owned()
        }
    }
}

/// Whole seconds, rounded up: who waits for so long is not early.
#[must_use]
pub fn seconds(wait: Duration) -> u64 {
    wait.as_secs().saturating_add(u64::from(wait.subsec_nanos() > 0))
}

impl SendError {
    /// Why there is no response, without the URL, which may contain a key.
    #[must_use]
    pub fn reason(self) -> String {
        match self {
            Self::Http(error) => reason(error),
            other => other.to_string(),
        }
    }

    /// The status of the redirect that was not followed; `None` if there was no response.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        match self {
            Self::Http(_) | Self::Busy { .. } => None,
            Self::OtherOrigin { status, .. }
            | Self::Unencrypted { status, .. }
            | Self::TooManyRedirects { status } => Some(*status),
        }
    }
}

/// The message of a client error and its innermost cause, without the URL, which may contain a key.
#[must_use]
pub fn reason(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut cause: &dyn std::error::Error = &error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    let (text, cause) = (error.to_string(), cause.to_string());
    if cause == text { text } else { format!("{text}: {cause}") }
}

/// The base of every client for outgoing requests: redirects are left to [`send`], no `Referer` is sent, and concurrent
/// DNS lookups of the same name are shared.
pub fn client_builder() -> ClientBuilder {
    let none = reqwest::redirect::Policy::none();
    let lookups = Arc::new(Lookups::of_system());
    Client::builder().user_agent(user_agent("")).redirect(none).referer(false).dns_resolver(lookups)
}

/// Sends a request and follows redirects within its origin with the same headers. Method and body are kept, except for
/// status 303, which asks for a GET without a body.
///
/// # Errors
/// If there is no response, or it is a redirect that is not followed.
pub async fn send(request: RequestBuilder) -> Result<Response, SendError> {
    follow(request, |from, to, status| {
        if to.origin() == from.origin() {
            return Ok(());
        }
        Err(SendError::OtherOrigin { status, target: server_name(to) })
    })
    .await
}

/// Sends a request for a file that is the same for everybody and whose checksum the caller knows. Servers keep such files
/// elsewhere, so redirects to other origins are followed, but none from https to http. It must carry neither a key nor
/// anything of a graph or a question.
///
/// # Errors
/// If there is no response, or it is a redirect that is not followed.
pub async fn send_for_public_file(request: RequestBuilder) -> Result<Response, SendError> {
    follow(request, may_fetch).await
}

/// Whether a request for a public file may go from one address to the other.
fn may_fetch(from: &Url, to: &Url, status: u16) -> Result<(), SendError> {
    match (from.scheme(), to.scheme()) {
        ("https", "https") | ("http", "http" | "https") => Ok(()),
        _ => Err(SendError::Unencrypted { status, target: server_name(to) }),
    }
}

/// Follows the redirects that `may` allows: from, to, status.
async fn follow(
    request: RequestBuilder,
    may: impl Fn(&Url, &Url, u16) -> Result<(), SendError>,
) -> Result<Response, SendError> {
    let (client, request) = request.build_split();
    let mut request = request?;
    let mut followed = 0;
    loop {
        // Bodies are in memory, so every request can be cloned.
        let again = request.try_clone();
        let response = client.execute(request).await?;
        let (Some(target), Some(again)) = (target(&response), again) else { return Ok(response) };
        let status = response.status();
        may(again.url(), &target, status.as_u16())?;
        if followed == MAX_REDIRECTS {
            return Err(SendError::TooManyRedirects { status: status.as_u16() });
        }
        followed += 1;
        request = redirected(again, target, status);
    }
}

/// Reads at most `max_bytes` of the decoded body; the second value tells whether there was more.
///
/// # Errors
/// When the connection breaks, or the body cannot be decoded.
pub async fn read(mut response: Response, max_bytes: usize) -> Result<(Vec<u8>, bool), reqwest::Error> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        bytes.extend_from_slice(&chunk);
        if bytes.len() > max_bytes {
            bytes.truncate(max_bytes);
            return Ok((bytes, true));
        }
    }
    Ok((bytes, false))
}

/// The target of a redirect, without user name and password; `None` for any other response.
fn target(response: &Response) -> Option<Url> {
    if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    let location = response.headers().get(LOCATION)?.to_str().ok()?;
    let mut url = response.url().join(location).ok()?;
    // These fail only for URLs without a host, which are of another origin anyway.
    let _cleared = url.set_username("").and_then(|()| url.set_password(None));
    Some(url)
}

/// The same request for the redirect target. Clients may also turn POST into GET for 301 and 302, but a query or prompt
/// without its body would be useless.
fn redirected(mut request: Request, target: Url, status: StatusCode) -> Request {
    *request.url_mut() = target;
    if status == StatusCode::SEE_OTHER {
        *request.method_mut() = Method::GET;
        *request.body_mut() = None;
        for header in [CONTENT_TYPE, CONTENT_LENGTH] {
            request.headers_mut().remove(header);
        }
    }
    request
}

/// Scheme, host and port only; the rest of a URL may contain secrets.
#[must_use]
pub fn server_name(url: &Url) -> String {
    match url.origin() {
        origin @ Origin::Tuple(..) => one_line(&origin.ascii_serialization(), MAX_SHOWN_CHARS),
        Origin::Opaque(_) => format!("a {} address", url.scheme()),
    }
}

#[cfg(test)]
mod tests;
