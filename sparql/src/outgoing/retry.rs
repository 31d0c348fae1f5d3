//! Retry delays: those that servers ask for, and exponential backoff otherwise.
//!
//! The caller decides what to retry and how often; failures differ too much between endpoints, models and the
//! Wikibase search.

use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::{Duration, SystemTime};

/// A non-standard header for delays below one second; it takes precedence over `Retry-After`.
const RETRY_AFTER_MS: &str = "retry-after-ms";

/// The delay that a server asks for: `retry-after-ms`, or `Retry-After` in seconds or as a date
/// ([RFC 9110, 10.2.3](https://www.rfc-editor.org/rfc/rfc9110#field.retry-after)). A date is read by the server's clock, which
/// its `Date` shows: ours may be wrong.
#[must_use]
pub fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    retry_after_at(headers, SystemTime::now())
}

fn retry_after_at(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = |name: &str| Some(headers.get(name)?.to_str().ok()?.trim());
    let number = |name: &str| text(name)?.parse::<f64>().ok();
    let date = |name: &str| httpdate::parse_http_date(text(name)?).ok();
    let seconds = number(RETRY_AFTER_MS).map(|ms| ms / 1000.0).or_else(|| number(RETRY_AFTER.as_str()));
    if let Some(seconds) = seconds {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let until = date(RETRY_AFTER.as_str())?;
    Some(until.duration_since(date(DATE.as_str()).unwrap_or(now)).unwrap_or_default())
}

/// Delays that double with each retry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backoff {
    /// The first delay.
    pub first: Duration,
    /// The maximum delay.
    pub longest: Duration,
}

impl Backoff {
    /// The delay after this many retries.
    #[must_use]
    pub fn whole(&self, retries: u32) -> Duration {
        self.first.saturating_mul(2_u32.saturating_pow(retries)).min(self.longest)
    }

    /// The delay with up to half of it randomized, so that clients that failed together do not retry together.
    #[must_use]
    pub fn jittered(&self, retries: u32) -> Duration {
        let chance = RandomState::new().build_hasher().finish() % 1024;
        self.whole(retries).mul_f64(1.0 - chance as f64 / 2048.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_after_is_understood_in_every_form() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
        let date = |at: SystemTime| httpdate::fmt_http_date(at);
        let find = |name: &'static str, value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(name, value.parse().unwrap());
            retry_after_at(&headers, now)
        };
        let seconds = |seconds| Some(Duration::from_secs(seconds));
        assert_eq!(retry_after(&HeaderMap::new()), None);
        assert_eq!(find("retry-after", " 7 "), seconds(7));
        assert_eq!(find("retry-after", "0.5"), Some(Duration::from_millis(500)));
        assert_eq!(find("retry-after-ms", "250"), Some(Duration::from_millis(250)));
        assert_eq!(find("retry-after", &date(now + Duration::from_secs(9))), seconds(9));
        assert_eq!(find("retry-after", &date(now - Duration::from_secs(9))), seconds(0));
        let mut headers = HeaderMap::new();
        headers.insert(RETRY_AFTER, date(now).parse().unwrap());
        headers.insert(DATE, date(now - Duration::from_secs(40)).parse().unwrap());
        assert_eq!(retry_after_at(&headers, now), seconds(40), "its clock is behind ours");
        for nonsense in ["soon", "-1", "NaN", "1e300", ""] {
            assert_eq!(find("retry-after", nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn pauses_double_up_to_a_bound_and_chance_makes_them_shorter() {
        let second = Duration::from_secs(1);
        let backoff = Backoff { first: second, longest: 20 * second };
        for (retries, whole) in [(0, 1), (1, 2), (3, 8), (5, 20), (u32::MAX, 20)] {
            let (whole, pause) = (whole * second, backoff.jittered(retries));
            assert_eq!(backoff.whole(retries), whole);
            assert!(pause >= whole / 2 && pause <= whole, "{pause:?}");
        }
    }
}
