//! The keys that clients send: their owners and scopes, and rate limits for wrong ones.
//!
//! Keys are compared in constant time, always with all of them. Test: `tests/keys.rs`.

use super::error::ApiError;
use crate::config::{ApiKey, KeyScope};
use actix_web::HttpRequest;
use actix_web::http::header::{self, HeaderValue};
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use moka::policy::EvictionPolicy;
use moka::sync::Cache;
use secrecy::ExposeSecret;
use std::borrow::Cow;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;
use subtle::{ConditionallySelectable, ConstantTimeEq};
use url::form_urlencoded;

/// Maximum number of wrong keys per client and minute.
const WRONG_KEYS_A_MINUTE: NonZeroU32 = NonZeroU32::MIN.saturating_add(9);
/// The parameter of an address that holds a key for pages.
pub(super) const IN_ADDRESS: &str = "key";
/// Number of clients whose wrong and valid keys are remembered; the least recently active one is forgotten first.
const MAX_CLIENTS: u64 = 10_000;
/// How long they are remembered.
const MEMORY: Duration = Duration::from_secs(3600);

/// The keys of the service; if there are none, no key is required.
pub(super) struct Keys {
    keys: Vec<ApiKey>,
    /// Clients that have sent wrong keys.
    wrong: Cache<String, Arc<DefaultDirectRateLimiter>>,
    /// Keys that were recently valid, with the client that sent them.
    right: Cache<(String, usize), ()>,
}

impl Keys {
    pub(super) fn new(keys: &[ApiKey]) -> Self {
        Self { keys: keys.to_vec(), wrong: bounded(), right: bounded() }
    }

    /// Whether no key is required.
    pub(super) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The key sent with a request of `client`, if keys are required at all.
    ///
    /// A client that guesses is slowed down, without learning whether a guess is right; clients with a key accepted before the
    /// guessing began are not affected, as many clients may share an address.
    ///
    /// # Errors
    /// `Unauthorized` without a valid key, `WrongKeys` after too many wrong ones.
    pub(super) fn find(&self, request: &HttpRequest, client: &str) -> Result<Option<&ApiKey>, ApiError> {
        if self.keys.is_empty() {
            return Ok(None);
        }
        // A request without a key is not a guess.
        let token = token(request).ok_or(ApiError::Unauthorized)?;
        self.known(token, client).map(Some)
    }

    /// The same where the key may stand in the address, as frames and spreadsheets send no headers. Only keys for pages may stand
    /// there: addresses are kept and passed on in many places.
    ///
    /// # Errors
    /// Those of [`Self::find`]; `KeyInAddress` for a key that opens more.
    pub(super) fn find_in_address(
        &self,
        request: &HttpRequest,
        client: &str,
    ) -> Result<Option<&ApiKey>, ApiError> {
        match in_address(request) {
            Some(key) if !self.keys.is_empty() && token(request).is_none() => {
                let key = self.known(key.as_bytes(), client)?;
                if key.scope == KeyScope::Boards { Ok(Some(key)) } else { Err(ApiError::KeyInAddress) }
            }
            _ => self.find(request, client),
        }
    }

    fn known(&self, token: &[u8], client: &str) -> Result<&ApiKey, ApiError> {
        let Some((number, key)) = self.matching(token) else {
            let limiter = || Arc::new(RateLimiter::direct(Quota::per_minute(WRONG_KEYS_A_MINUTE)));
            patience(&self.wrong.get_with_by_ref(client, limiter))?;
            tracing::warn!(client, "a wrong key was sent");
            return Err(ApiError::Unauthorized);
        };
        let known = (client.to_owned(), number);
        if self.right.get(&known).is_none() {
            if let Some(limiter) = self.wrong.get(client) {
                patience(&limiter)?;
            }
            self.right.insert(known, ());
        }
        Ok(key)
    }

    /// The key sent with a request, also one for pages in the address, if it is a valid one. Nothing is counted.
    pub(super) fn sent(&self, request: &HttpRequest) -> Option<&ApiKey> {
        if let Some(token) = token(request) {
            return self.matching(token).map(|(_, key)| key);
        }
        let (_, key) = self.matching(in_address(request)?.as_bytes())?;
        Some(key).filter(|key| key.scope == KeyScope::Boards)
    }

    /// The key equal to `token`. A comparison that stops at the first difference would leak keys letter by letter, and a
    /// search that stops at a match would leak its position.
    fn matching(&self, token: &[u8]) -> Option<(usize, &ApiKey)> {
        let none = u64::MAX;
        let mut found = none;
        for (number, key) in (0u64..).zip(&self.keys) {
            found.conditional_assign(&number, key.key.expose_secret().as_bytes().ct_eq(token));
        }
        let number = usize::try_from(found).ok()?;
        self.keys.get(number).map(|key| (number, key))
    }
}

/// Accepts a key whose scope is sufficient.
///
/// # Errors
/// `Forbidden` when it is not.
pub(super) fn opens(key: Option<&ApiKey>, scope: KeyScope) -> Result<(), ApiError> {
    match key {
        Some(key) if key.scope == KeyScope::Boards && scope > KeyScope::Boards => Err(ApiError::BoardsOnly),
        Some(key) if key.scope < scope => Err(ApiError::Forbidden),
        Some(_) | None => Ok(()),
    }
}

/// The key in the address of a page.
fn in_address(request: &HttpRequest) -> Option<Cow<'_, str>> {
    let mut parameters = form_urlencoded::parse(request.query_string().as_bytes());
    parameters.find(|(name, value)| name == IN_ADDRESS && !value.is_empty()).map(|(_, key)| key)
}

fn token(request: &HttpRequest) -> Option<&[u8]> {
    let sent = request.headers().get(header::AUTHORIZATION).map(HeaderValue::as_bytes)?;
    let (scheme, token) = sent.split_at_checked(7)?;
    scheme.eq_ignore_ascii_case(b"Bearer ").then(|| token.trim_ascii())
}

fn patience(limiter: &DefaultDirectRateLimiter) -> Result<(), ApiError> {
    limiter.check().map_err(|early| ApiError::WrongKeys {
        retry_after: early.wait_time_from(DefaultClock::default().now()),
    })
}

fn bounded<K, V>() -> Cache<K, V>
where
    K: std::hash::Hash + Eq + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
{
    // With the default policy, a new entry is not admitted before it is requested more often than others.
    let policy = EvictionPolicy::lru();
    Cache::builder().max_capacity(MAX_CLIENTS).time_to_idle(MEMORY).eviction_policy(policy).build()
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::ResponseError;
    use actix_web::test::TestRequest;

    fn keys() -> Keys {
        let key = |name: &str, key: &str, scope| ApiKey {
            name: name.to_owned(),
            key: key.into(),
            scope,
            boards: None,
            role: None,
            is_proxy: false,
        };
        Keys::new(&[key("shop", "first", KeyScope::Questions), key("lab", "second", KeyScope::Operation)])
    }

    fn sent(keys: &Keys, client: &str, token: &str) -> Result<String, u16> {
        let request = TestRequest::get().insert_header((header::AUTHORIZATION, format!("Bearer {token}")));
        match keys.find(&request.to_http_request(), client) {
            Ok(key) => Ok(key.map(|key| key.name.clone()).unwrap_or_default()),
            Err(error) => Err(error.status_code().as_u16()),
        }
    }

    #[test]
    fn each_key_has_its_name_and_scope() {
        let keys = keys();
        assert_eq!(sent(&keys, "a", "first"), Ok("shop".to_owned()));
        assert_eq!(sent(&keys, "a", "second"), Ok("lab".to_owned()));
        for wrong in ["", "firs", "firstt", "First", "third"] {
            assert_eq!(sent(&keys, "a", wrong), Err(401), "{wrong}");
        }
        let (_, shop) = keys.matching(b"first").unwrap();
        assert!(opens(Some(shop), KeyScope::Questions).is_ok());
        assert!(matches!(opens(Some(shop), KeyScope::Operation), Err(ApiError::Forbidden)));
    }

    #[test]
    fn who_guesses_is_slowed_and_not_told_when_a_guess_is_right() {
        let keys = keys();
        assert_eq!(sent(&keys, "guesser", "first"), Ok("shop".to_owned()));
        let mut answers: Vec<_> =
            (0..50).map(|guess| sent(&keys, "guesser", &format!("guess {guess}"))).collect();
        answers.dedup();
        assert_eq!(answers, [Err(401), Err(429)]);
        assert_eq!(sent(&keys, "guesser", "second"), Err(429), "right, and not known from this client");
        assert_eq!(sent(&keys, "guesser", "first"), Ok("shop".to_owned()), "was right before");
        assert_eq!(sent(&keys, "other", "second"), Ok("lab".to_owned()));
    }

    #[test]
    fn the_clients_that_are_remembered_are_bounded() {
        let keys = keys();
        for client in 0..2 * MAX_CLIENTS {
            let _refused = sent(&keys, &client.to_string(), "wrong");
        }
        keys.wrong.run_pending_tasks();
        assert!(keys.wrong.entry_count() <= MAX_CLIENTS);
    }
}
