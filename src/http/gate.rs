//! Who may ask, and how often: the key that clients send, and the questions of one client in a minute.

use super::error::ApiError;
use super::keys::{Keys, opens};
use crate::config::{ApiKey, KeyScope, ServerSettings};
use actix_web::HttpRequest;
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Admissions after which clients that have long been silent are forgotten.
const FORGET_EVERY: usize = 1000;

/// Keeps clients out that have no key, or ask too often.
pub(super) struct Gate {
    keys: Keys,
    limiter: Option<DefaultKeyedRateLimiter<String>>,
    client_header: Option<String>,
    admitted: AtomicUsize,
}

impl Gate {
    pub(super) fn new(settings: &ServerSettings) -> Self {
        let per_minute = NonZeroU32::new(settings.questions_per_minute).map(Quota::per_minute);
        Self {
            keys: Keys::new(&settings.keys),
            limiter: per_minute.map(RateLimiter::keyed),
            client_header: settings.client_header.clone(),
            admitted: AtomicUsize::new(0),
        }
    }

    /// Accepts a request whose key opens `scope`, if keys are required, and returns the name of the key.
    ///
    /// # Errors
    /// `Unauthorized` without a right key, `WrongKeys` after too many wrong ones, `Forbidden` where the key opens less.
    pub(super) fn check_key(&self, request: &HttpRequest, scope: KeyScope) -> Result<Option<&str>, ApiError> {
        let key = self.keys.find(request, &self.client(request))?;
        let name = key.map(|key: &ApiKey| key.name.as_str());
        tracing::Span::current().record("key", name);
        opens(key, scope).map(|()| name)
    }

    /// Whether clients must send a key.
    pub(super) fn asks_for_keys(&self) -> bool {
        !self.keys.is_empty()
    }

    /// Whether the client may see the parts of the service with their states: everybody where no key is required.
    pub(super) fn shows_details(&self, request: &HttpRequest) -> bool {
        self.check_key(request, KeyScope::Operation).is_ok()
    }

    /// Lets a question pass if its client has a key and is within its rate limit; gives the name of the key.
    ///
    /// # Errors
    /// Those of [`Gate::check_key`], `RateLimited` after too many questions.
    pub(super) fn admit(&self, request: &HttpRequest) -> Result<Option<&str>, ApiError> {
        let key = self.check_key(request, KeyScope::Questions)?;
        self.admit_client(&self.client(request)).map(|()| key)
    }

    /// Lets a question pass if its client is within its rate limit; its key has been checked before.
    ///
    /// # Errors
    /// `RateLimited` after too many questions.
    pub(super) fn admit_client(&self, client: &String) -> Result<(), ApiError> {
        let Some(limiter) = &self.limiter else { return Ok(()) };
        if self.admitted.fetch_add(1, Ordering::Relaxed) % FORGET_EVERY == FORGET_EVERY - 1 {
            limiter.retain_recent();
            limiter.shrink_to_fit();
        }
        limiter.check_key(client).map_err(|early| ApiError::RateLimited {
            retry_after: early.wait_time_from(DefaultClock::default().now()),
        })
    }

    /// The client's address: as a trusted proxy reports it, or that of the connection.
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

/// What one client has: an address of IPv4, or a network of IPv6, in which it can choose among 2^64 addresses.
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
