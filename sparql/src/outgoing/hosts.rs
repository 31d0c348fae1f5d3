//! Rate limits for public servers, shared by all callers: a few concurrent requests per host, so many in a minute, and none
//! before its `Retry-After` has expired.
//!
//! They follow Wikimedia's rules: at most [three requests at once, and 200 in a
//! minute](https://www.mediawiki.org/wiki/Wikimedia_APIs/Rate_limits) from a client that says whom to write to; clients that
//! ignore 429 and `Retry-After` [are blocked](https://www.mediawiki.org/wiki/Wikidata_Query_Service/User_Manual#Query_limits).
//! Servers in the local network are not limited. Uses `outgoing` to send.
//!
//! The limits apply to all callers together: at most `[outgoing] requests_per_host` concurrent requests to a public host and
//! `requests_per_minute`, and a request that cannot wait for its turn fails immediately. Tests: `tests`.

mod state;

use super::{SendError, read, send};
use reqwest::header::HeaderMap;
use reqwest::{RequestBuilder, Response, StatusCode};
use rustc_hash::FxHashMap;
use state::HostState;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::Instant;
use url::{Host, Url};

/// Default number of concurrent requests to a public host.
const AT_ONCE: usize = 3;

/// Default number of requests to a public host in a minute.
const PER_MINUTE: usize = 180;

/// Suffixes of names that are never public, in addition to names without a dot
/// ([RFC 6761](https://www.rfc-editor.org/rfc/rfc6761), [RFC 6762](https://www.rfc-editor.org/rfc/rfc6762)).
const PRIVATE_SUFFIXES: [&str; 4] = [".localhost", ".local", ".internal", ".test"];

/// Why a request did not get its turn before its deadline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Held {
    /// The host has asked to wait, for so long from now.
    Asked(Duration),
    /// As many requests as a minute may have were sent; there is room again after so long.
    Minute(Duration),
    /// As many requests as may run at once are running.
    Full,
}

impl Held {
    /// How long the host is left alone from now; `None` if that depends on requests that are running.
    #[must_use]
    pub fn left(self) -> Option<Duration> {
        match self {
            Self::Asked(left) | Self::Minute(left) => Some(left),
            Self::Full => None,
        }
    }
}

/// The state of the public hosts that this program contacts. Clones share it; pass it along with the client.
#[derive(Debug, Clone)]
pub struct Hosts {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    at_once: usize,
    per_minute: usize,
    hosts: Mutex<FxHashMap<String, Arc<HostState>>>,
}

impl Default for Hosts {
    fn default() -> Self {
        Self::new(AT_ONCE, PER_MINUTE)
    }
}

impl Hosts {
    /// Allows each public host so many requests at once, and so many in a minute; at least one.
    #[must_use]
    pub fn new(at_once: usize, per_minute: usize) -> Self {
        Self { shared: Arc::new(Shared { at_once, per_minute, hosts: Mutex::default() }) }
    }

    /// Sends a request as [`send`] does, once it has its turn. Its place is held until the response is read or dropped.
    ///
    /// # Errors
    /// [`SendError::Busy`] if it has no turn before `deadline`; nothing was sent then. Fails immediately if the turn is
    /// known to come later. Otherwise as for [`send`].
    pub async fn send(
        &self,
        request: RequestBuilder,
        deadline: Instant,
    ) -> Result<CountedResponse, SendError> {
        let (client, request) = request.build_split();
        let request = request?;
        let state = self.state(request.url());
        let place = match &state {
            Some(state) => Some(state.place(deadline).await.map_err(|held| SendError::Busy {
                host: request.url().host_str().unwrap_or_default().to_owned(),
                held,
            })?),
            None => None,
        };
        let response = send(RequestBuilder::from_parts(client, request)).await?;
        if let Some(state) = state {
            state.hear(response.status(), response.headers());
        }
        Ok(CountedResponse { response, _place: place })
    }

    /// Records that a public host refuses requests, as the body of a response says: for a known time (a ban), or without
    /// saying how long. Then it is left alone a little longer each time, until it answers again. What a header asks for,
    /// [`Self::send`] has heard already.
    pub fn refused(&self, url: &Url, pause: Option<Duration>) {
        match (self.state(url), pause) {
            (Some(state), Some(pause)) => state.pause(pause),
            (Some(state), None) => state.refused(),
            (None, _) => {}
        }
    }

    /// The state of a public host; `None` for a private one, which is not limited.
    fn state(&self, url: &Url) -> Option<Arc<HostState>> {
        if !is_public(url) {
            return None;
        }
        let Shared { at_once, per_minute, hosts } = &*self.shared;
        let mut hosts = hosts.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || Arc::new(HostState::new(*at_once, *per_minute));
        Some(Arc::clone(hosts.entry(url.host_str()?.to_owned()).or_insert_with(new)))
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
