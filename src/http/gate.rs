//! Who may ask, and how often: the key that clients send, and the questions of one client in a minute.

use super::error::ApiError;
use crate::config::ServerSettings;
use actix_web::HttpRequest;
use actix_web::http::header;
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use secrecy::{ExposeSecret, SecretString};
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicUsize, Ordering};
use subtle::ConstantTimeEq;

/// Admissions after which clients that have long been silent are forgotten.
const FORGET_EVERY: usize = 1000;

/// Keeps clients out that have no key, or ask too often.
pub(super) struct Gate {
    api_key: Option<SecretString>,
    limiter: Option<DefaultKeyedRateLimiter<String>>,
    client_header: Option<String>,
    admitted: AtomicUsize,
}

impl Gate {
    pub(super) fn new(settings: &ServerSettings) -> Self {
        let per_minute = NonZeroU32::new(settings.questions_per_minute).map(Quota::per_minute);
        Self {
            api_key: settings.api_key.clone(),
            limiter: per_minute.map(RateLimiter::keyed),
            client_header: settings.client_header.clone(),
            admitted: AtomicUsize::new(0),
        }
    }

    /// Lets a request pass that has the key, if one is asked for.
    ///
    /// # Errors
    /// `Unauthorized` without the right key.
    pub(super) fn check_key(&self, request: &HttpRequest) -> Result<(), ApiError> {
        let Some(key) = &self.api_key else { return Ok(()) };
        let sent = request.headers().get(header::AUTHORIZATION).map(header::HeaderValue::as_bytes);
        let token = sent
            .and_then(|value| value.split_at_checked(7))
            .filter(|(scheme, _)| scheme.eq_ignore_ascii_case(b"Bearer "));
        // A comparison that ends at the first difference would tell the key letter by letter.
        let right =
            token.is_some_and(|(_, token)| token.trim_ascii().ct_eq(key.expose_secret().as_bytes()).into());
        if right { Ok(()) } else { Err(ApiError::Unauthorized) }
    }

    /// Lets a question pass whose client has the key and has not asked too much lately.
    ///
    /// # Errors
    /// `Unauthorized` without the right key, `RateLimited` after too many questions.
    pub(super) fn admit(&self, request: &HttpRequest) -> Result<(), ApiError> {
        self.check_key(request)?;
        let Some(limiter) = &self.limiter else { return Ok(()) };
        if self.admitted.fetch_add(1, Ordering::Relaxed) % FORGET_EVERY == FORGET_EVERY - 1 {
            limiter.retain_recent();
            limiter.shrink_to_fit();
        }
        limiter.check_key(&self.client(request)).map_err(|early| ApiError::RateLimited {
            retry_after: early.wait_time_from(DefaultClock::default().now()),
        })
    }

    /// The client's address: as a trusted proxy tells it, or that of the connection.
    fn client(&self, request: &HttpRequest) -> String {
        let header = self.client_header.as_ref().and_then(|name| request.headers().get_all(name).last());
        let told = header.and_then(|value| value.to_str().ok()).and_then(|value| value.rsplit(',').next());
        let told = told.map(str::trim).filter(|address| !address.is_empty());
        told.map_or_else(
            || request.peer_addr().map_or_else(String::new, |address| address.ip().to_string()),
            |address| address.chars().take(64).collect(),
        )
    }
}
