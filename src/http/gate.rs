//! Access control and rate limits: the key that clients send, and questions and look-ups per client and minute.

use super::error::ApiError;
use super::keys::{Keys, opens};
use crate::config::{ApiKey, KeyScope, RoleSettings, ServerSettings};
use actix_web::HttpRequest;
use actix_web::http::header::HeaderValue;
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Number of admissions after which long inactive clients are forgotten.
const FORGET_EVERY: usize = 1000;

/// Look-ups allowed per question: names are looked up with every letter typed.
const LOOKUPS_PER_QUESTION: u32 = 20;

/// Maximum length of a client's name that a proxy sends, in characters.
const MAX_USER_CHARS: usize = 200;

/// The kind of a request for rate limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cost {
    /// A question or a query: seconds of work.
    Question,
    /// Browsing a graph or viewing kept runs: a moment of work.
    Lookup,
}

/// Refuses clients that have no key, or send too many requests.
pub(super) struct Gate {
    keys: Keys,
    questions: Option<Rate>,
    lookups: Option<Rate>,
    client_header: Option<String>,
    /// The ids of the roles.
    roles: Vec<String>,
    role_header: Option<String>,
    user_header: Option<String>,
}

/// A limit per client and minute.
struct Rate {
    limiter: DefaultKeyedRateLimiter<String>,
    admitted: AtomicUsize,
}

impl Gate {
    pub(super) fn new(settings: &ServerSettings, roles: &[RoleSettings]) -> Self {
        let questions = settings.questions_per_minute;
        Self {
            keys: Keys::new(&settings.keys()),
            questions: Rate::per_minute(questions),
            lookups: Rate::per_minute(questions.saturating_mul(LOOKUPS_PER_QUESTION)),
            client_header: settings.client_header.clone(),
            roles: roles.iter().map(|role| role.id.clone()).collect(),
            role_header: settings.role_header.clone(),
            user_header: settings.user_header.clone(),
        }
    }

    /// Accepts a request if no keys are required or its key has the `scope`, and returns the name of the key.
    ///
    /// # Errors
    /// `Unauthorized` without a valid key, `WrongKeys` after too many wrong ones, `NoRole` if a proxy names no role that is known,
    /// `Forbidden` if the key's scope is too small.
    pub(super) fn check_key(&self, request: &HttpRequest, scope: KeyScope) -> Result<Option<&str>, ApiError> {
        let key = self.keys.find(request, &self.client(request))?;
        let name = key.map(|key: &ApiKey| key.name.as_str());
        tracing::Span::current().record("key", name);
        if let Some(key) = key {
            self.role_of(key, request)?;
        }
        opens(key, scope).map(|()| name)
    }

    /// Accepts a request for a page of verified questions; `opens` says whether the pages of a limited key are enough. Returns the
    /// name of the key.
    ///
    /// # Errors
    /// `Unauthorized` without a valid key, `WrongKeys` after too many wrong ones, `KeyInAddress` for one that must not stand there,
    /// `OtherBoard` if the key is for other pages.
    pub(super) fn check_page(
        &self,
        request: &HttpRequest,
        opens: impl FnOnce(&[String]) -> bool,
    ) -> Result<Option<&ApiKey>, ApiError> {
        let key = self.keys.find_in_address(request, &self.client(request))?;
        tracing::Span::current().record("key", key.map(|key| key.name.as_str()));
        if let Some(key) = key {
            self.role_of(key, request)?;
        }
        match key.and_then(|key| key.boards.as_deref()) {
            Some(boards) if !opens(boards) => Err(ApiError::OtherBoard),
            Some(_) | None => Ok(key),
        }
    }

    /// The role of a request, by its key or by the proxy that sends it; `None` without a valid key, or with one that has no role.
    ///
    /// # Errors
    /// `NoRole` if a proxy names no role that is known.
    pub(super) fn role(&self, request: &HttpRequest) -> Result<Option<&str>, ApiError> {
        self.keys.sent(request).map_or(Ok(None), |key| self.role_of(key, request))
    }

    fn role_of<'a>(&'a self, key: &'a ApiKey, request: &HttpRequest) -> Result<Option<&'a str>, ApiError> {
        if !key.is_proxy {
            return Ok(key.role.as_deref());
        }
        let named = self.role_header.as_deref().and_then(|header| only(request, header));
        let known = |name: &str| self.roles.iter().find(|role| *role == name.trim());
        let role = named.and_then(|names| names.split(',').find_map(known));
        role.map(|role| Some(role.as_str())).ok_or(ApiError::NoRole)
    }

    /// Who the client of a request is, if a proxy with a key says so.
    pub(super) fn user(&self, request: &HttpRequest) -> Option<String> {
        self.keys.sent(request).filter(|key| key.is_proxy)?;
        let name = only(request, self.user_header.as_deref()?)?;
        Some(name.chars().take(MAX_USER_CHARS).collect())
    }

    /// Whether clients must send a key.
    pub(super) fn asks_for_keys(&self) -> bool {
        !self.keys.is_empty()
    }

    /// Whether a proxy in front tells who the clients are.
    pub(super) fn is_behind_proxy(&self) -> bool {
        self.client_header.is_some()
    }

    /// Whether the client may see the states of the service's parts: everybody if no key is required.
    pub(super) fn shows_details(&self, request: &HttpRequest) -> bool {
        self.check_key(request, KeyScope::Operation).is_ok()
    }

    /// Accepts a request if its client has a key and is within its rate limit; returns the name of the key.
    ///
    /// # Errors
    /// Those of [`Gate::check_key`], `RateLimited` after too many.
    pub(super) fn admit(&self, request: &HttpRequest, cost: Cost) -> Result<Option<&str>, ApiError> {
        let key = self.check_key(request, KeyScope::Questions)?;
        self.admit_client(&self.client(request), cost).map(|()| key)
    }

    /// Accepts a request if its client is within its rate limit; its key has already been checked.
    ///
    /// # Errors
    /// `RateLimited` after too many.
    pub(super) fn admit_client(&self, client: &String, cost: Cost) -> Result<(), ApiError> {
        let rate = match cost {
            Cost::Question => &self.questions,
            Cost::Lookup => &self.lookups,
        };
        rate.as_ref().map_or(Ok(()), |rate| rate.admit(client))
    }

    /// The client's address: as reported by a trusted proxy, or that of the connection.
    pub(super) fn client(&self, request: &HttpRequest) -> String {
        let header = self.client_header.as_ref().and_then(|name| request.headers().get_all(name).last());
        let told = header.and_then(|value| value.to_str().ok()).and_then(|value| value.rsplit(',').next());
        let told = told.map(str::trim).filter(|address| !address.is_empty());
        match told {
            Some(told) => match told.parse().or_else(|_| told.parse().map(|with: SocketAddr| with.ip())) {
                Ok(address) => network(address).to_string(),
                Err(_) => told.chars().take(64).collect(),
            },
            None => request.peer_addr().map_or_else(String::new, |peer| network(peer.ip()).to_string()),
        }
    }
}

impl Rate {
    /// `None` for no limit: zero does not mean that nothing is allowed.
    fn per_minute(most: u32) -> Option<Self> {
        let limiter = RateLimiter::keyed(Quota::per_minute(NonZeroU32::new(most)?));
        Some(Self { limiter, admitted: AtomicUsize::new(0) })
    }

    fn admit(&self, client: &String) -> Result<(), ApiError> {
        if self.admitted.fetch_add(1, Ordering::Relaxed) % FORGET_EVERY == FORGET_EVERY - 1 {
            self.limiter.retain_recent();
            self.limiter.shrink_to_fit();
        }
        self.limiter.check_key(client).map_err(|early| ApiError::RateLimited {
            retry_after: early.wait_time_from(DefaultClock::default().now()),
        })
    }
}

/// The value of a header that is there once: a second one may be the client's own, which a proxy has let through.
fn only<'a>(request: &'a HttpRequest, header: &str) -> Option<&'a str> {
    let mut values = request.headers().get_all(header).map(HeaderValue::to_str);
    let first = values.next()?.ok()?;
    values.next().is_none().then_some(first)
}

/// What identifies a client: an IPv4 address, or an IPv6 network, in which a client can choose among 2^64 addresses.
pub(super) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)).into(),
        address @ IpAddr::V4(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_of_ipv6_is_one_client() {
        let network = |address: &str| network(address.parse().unwrap()).to_string();
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
        assert_eq!(network("2001:db8:1:2::"), "2001:db8:1:2::");
        assert_eq!(network("192.0.2.7"), "192.0.2.7");
        assert_eq!(network("::ffff:192.0.2.7"), "192.0.2.7");
    }
}
