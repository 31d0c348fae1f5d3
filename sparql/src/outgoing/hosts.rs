//! Limits on requests to public servers, shared by all callers: few requests at a time to one host, and none
//! before a `Retry-After` of it is over.
//!
//! [Wikimedia's rules](https://www.mediawiki.org/wiki/Wikidata_Query_Service/User_Manual#Query_limits) are the measure:
//! five queries at once from one address, and clients that ignore 429 and `Retry-After` are blocked. Servers in the
//! own network have no such limits. Uses `outgoing` to send.
//!
//! This holds for all callers together: at most `[outgoing] requests_per_host` requests to a public host are under way,
//! and a request that cannot wait until a `Retry-After` is over fails at once. Tests: `tests`.

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

/// Requests at once to a public host, by default.
const PER_HOST: usize = 4;

/// Longest pause that is honoured: a mistaken header must not shut a host out until the program is started again.
const LONGEST_PAUSE: Duration = Duration::from_secs(24 * 3600);

/// Names that no public server has, beside those without a dot
/// ([RFC 6761](https://www.rfc-editor.org/rfc/rfc6761), [RFC 6762](https://www.rfc-editor.org/rfc/rfc6762)).
const PRIVATE_SUFFIXES: [&str; 4] = [".localhost", ".local", ".internal", ".test"];

/// What is known of the public hosts that this program asks. Clones share it; hand it on with the client.
#[derive(Debug, Clone)]
pub struct Hosts {
    shared: Arc<SharedHost>,
}

#[derive(Debug)]
struct SharedHost {
    per_host: usize,
    hosts: Mutex<FxHashMap<String, Arc<HostState>>>,
}

/// One host.
#[derive(Debug)]
struct HostState {
    places: Arc<Semaphore>,
    /// Nothing is sent before.
    resumes: Mutex<Option<Instant>>,
}

impl Default for Hosts {
    fn default() -> Self {
        Self::new(PER_HOST)
    }
}

impl Hosts {
    /// For at most `per_host` requests at once to each public host; at least one.
    #[must_use]
    pub fn new(per_host: usize) -> Self {
        let per_host = per_host.clamp(1, Semaphore::MAX_PERMITS);
        Self { shared: Arc::new(SharedHost { per_host, hosts: Mutex::default() }) }
    }

    /// Sends a request when it is its turn, as [`send`] does. The turn lasts until the reply is read or dropped.
    ///
    /// # Errors
    /// [`SendError::Busy`] when the host's turn would come after `deadline`; then nothing was sent. If the host has asked to
    /// wait for longer than that, this is said at once. Otherwise as [`send`].
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
    /// Waits for a place, and for the end of a pause. The error is the pause that is left at the deadline or beyond it;
    /// `None` when only places were missing.
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
            // The request before this one may have received a `Retry-After`.
            if self.resumes().is_none() {
                return Ok(place);
            }
        }
    }

    /// When the pause ends that is still going on.
    fn resumes(&self) -> Option<Instant> {
        let resumes = *self.resumes.lock().unwrap_or_else(PoisonError::into_inner);
        resumes.filter(|resumes| *resumes > Instant::now())
    }

    /// Takes note of a request to wait. A shorter one does not end a longer one.
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

/// A response whose host counts it as under way until it is read or dropped.
#[derive(Debug)]
pub struct CountedResponse {
    response: Response,
    _place: Option<OwnedSemaphorePermit>,
}

impl CountedResponse {
    /// Its status.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        self.response.status()
    }

    /// Its headers.
    #[must_use]
    pub fn headers(&self) -> &HeaderMap {
        self.response.headers()
    }

    /// Reads at most `max_bytes` of the decoded body, as [`read`] does.
    ///
    /// # Errors
    /// When the connection breaks, or the body cannot be decoded.
    pub async fn read(self, max_bytes: usize) -> Result<(Vec<u8>, bool), reqwest::Error> {
        read(self.response, max_bytes).await
    }
}

/// Whether a URL leads to a server that strangers run: no address of this machine or its network, and no name that exists
/// in it alone.
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
