//! Rate limits for public servers, shared by all callers: a few concurrent requests per host, and none
//! before its `Retry-After` has expired.
//!
//! They follow [Wikimedia's rules](https://www.mediawiki.org/wiki/Wikidata_Query_Service/User_Manual#Query_limits):
//! five concurrent queries per IP address, and clients that ignore 429 and `Retry-After` are blocked. Servers in the
//! local network are not limited. Uses `outgoing` to send.
//!
//! The limits apply to all callers together: at most `[outgoing] requests_per_host` concurrent requests to a public host,
//! and a request that cannot wait for the end of a `Retry-After` fails immediately. Tests: `tests`.

use super::{SendError, read, retry_after, send};
use reqwest::header::HeaderMap;
use reqwest::{RequestBuilder, Response, StatusCode};
use rustc_hash::FxHashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep_until, timeout_at};
use url::{Host, Url};

/// Default number of concurrent requests to a public host.
const PER_HOST: usize = 4;

/// Longest `Retry-After` honoured: a wrong header must not block a host until the program is restarted.
const LONGEST_PAUSE: Duration = Duration::from_secs(24 * 3600);

/// Suffixes of names that are never public, in addition to names without a dot
/// ([RFC 6761](https://www.rfc-editor.org/rfc/rfc6761), [RFC 6762](https://www.rfc-editor.org/rfc/rfc6762)).
const PRIVATE_SUFFIXES: [&str; 4] = [".localhost", ".local", ".internal", ".test"];

/// The state of the public hosts that this program contacts. Clones share it; pass it along with the client.
#[derive(Debug, Clone)]
pub struct Hosts {
    shared: Arc<SharedHost>,
}

#[derive(Debug)]
struct SharedHost {
    per_host: usize,
    hosts: Mutex<FxHashMap<String, Arc<HostState>>>,
}

/// The state of one host.
#[derive(Debug)]
struct HostState {
    places: Arc<Semaphore>,
    /// No request is sent before this time.
    resumes: Mutex<Option<Instant>>,
}

impl Default for Hosts {
    fn default() -> Self {
        Self::new(PER_HOST)
    }
}

impl Hosts {
    /// Allows `per_host` concurrent requests to each public host; at least one.
    #[must_use]
    pub fn new(per_host: usize) -> Self {
        let per_host = per_host.clamp(1, Semaphore::MAX_PERMITS);
        Self { shared: Arc::new(SharedHost { per_host, hosts: Mutex::default() }) }
    }

    /// Sends a request as [`send`] does, once a slot is free. The slot is held until the response is read or dropped.
    ///
    /// # Errors
    /// [`SendError::Busy`] if there is no slot before `deadline`; nothing was sent then. Fails immediately if the host has
    /// asked to wait beyond the deadline. Otherwise as for [`send`].
    pub async fn send(
        &self,
        request: RequestBuilder,
        deadline: Instant,
    ) -> Result<CountedResponse, SendError> {
        let (client, request) = request.build_split();
        let request = request?;
        let state = self.state(request.url());
        let place = match &state {
            Some(state) => Some(state.place(deadline).await.map_err(|retry_after| SendError::Busy {
                host: request.url().host_str().unwrap_or_default().to_owned(),
                retry_after,
            })?),
            None => None,
        };
        let response = send(RequestBuilder::from_parts(client, request)).await?;
        if let Some(state) = state {
            state.hear(response.status(), response.headers());
        }
        Ok(CountedResponse { response, _place: place })
    }

    /// The state of a public host; `None` for a private one, which is not limited.
    fn state(&self, url: &Url) -> Option<Arc<HostState>> {
        if !is_public(url) {
            return None;
        }
        let mut hosts = self.shared.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || HostState {
            places: Arc::new(Semaphore::new(self.shared.per_host)),
            resumes: Mutex::default(),
        };
        Some(Arc::clone(hosts.entry(url.host_str()?.to_owned()).or_insert_with(|| Arc::new(new()))))
    }
}

impl HostState {
    /// Waits for a slot and for the end of a pause. The error is the remaining pause if it lasts until the deadline or beyond;
    /// `None` if only slots were missing.
    async fn place(&self, deadline: Instant) -> Result<OwnedSemaphorePermit, Option<Duration>> {
        loop {
            if let Some(resumes) = self.resumes() {
                if resumes >= deadline {
                    return Err(Some(resumes.saturating_duration_since(Instant::now())));
                }
                sleep_until(resumes).await;
            }
            let place = timeout_at(deadline, Arc::clone(&self.places).acquire_owned()).await;
            // The semaphore is never closed.
            let place = place.map_err(|_| None)?.map_err(|_| None)?;
            // The previous request may have received a `Retry-After`.
            if self.resumes().is_none() {
                return Ok(place);
            }
        }
    }

    /// When the current pause ends, if there is one.
    fn resumes(&self) -> Option<Instant> {
        let resumes = *self.resumes.lock().unwrap_or_else(PoisonError::into_inner);
        resumes.filter(|resumes| *resumes > Instant::now())
    }

    /// Records a `Retry-After`. A shorter pause does not end a longer one.
    fn hear(&self, status: StatusCode, headers: &HeaderMap) {
        if !matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE) {
            return;
        }
        let Some(pause) = retry_after(headers).filter(|pause| !pause.is_zero()) else { return };
        let asked = Instant::now() + pause.min(LONGEST_PAUSE);
        let mut resumes = self.resumes.lock().unwrap_or_else(PoisonError::into_inner);
        *resumes = Some(resumes.map_or(asked, |known| known.max(asked)));
    }
}

/// A response that occupies a slot of its host until it is read or dropped.
#[derive(Debug)]
pub struct CountedResponse {
    response: Response,
    _place: Option<OwnedSemaphorePermit>,
}

impl CountedResponse {
    /// The status code.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        self.response.status()
    }

    /// The headers.
    #[must_use]
    pub fn headers(&self) -> &HeaderMap {
        self.response.headers()
    }

    /// Reads at most `max_bytes` of the decoded body, as [`read`] does.
    ///
    /// # Errors
    /// If the connection breaks, or the body cannot be decoded.
    pub async fn read(self, max_bytes: usize) -> Result<(Vec<u8>, bool), reqwest::Error> {
        read(self.response, max_bytes).await
    }
}

/// Whether a URL points to a public server: neither an address of this machine or the local network, nor a name that
/// exists only there.
#[must_use]
pub fn is_public(url: &Url) -> bool {
    match url.host() {
        None => false,
        Some(Host::Domain(name)) => {
            let name = name.trim_end_matches('.');
            name.contains('.') && !PRIVATE_SUFFIXES.iter().any(|suffix| name.ends_with(suffix))
        }
        Some(Host::Ipv4(address)) => is_public_address(address.into()),
        Some(Host::Ipv6(address)) => is_public_address(address.into()),
    }
}

fn is_public_address(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => !(v4.is_loopback() || v4.is_private() || v4.is_link_local() || v4.is_unspecified()),
        IpAddr::V6(v6) => match v6.to_ipv4_mapped() {
            Some(v4) => is_public_address(v4.into()),
            None => !is_private_v6(v6),
        },
    }
}

fn is_private_v6(v6: Ipv6Addr) -> bool {
    v6.is_loopback() || v6.is_unspecified() || v6.is_unique_local() || v6.is_unicast_link_local()
}

#[cfg(test)]
mod tests;
