//! What is known of one public host: its places, the requests of the last minute, and until when it is left alone.
//!
//! Called by `hosts`, which keeps one state per host. Uses `retry` for what a header asks for.

use super::Held;
use crate::outgoing::{Backoff, retry_after};
use reqwest::StatusCode;
use reqwest::header::HeaderMap;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep_until, timeout_at};

/// Longest `Retry-After` honoured: a wrong header must not block a host until the program is restarted.
pub(super) const LONGEST_PAUSE: Duration = Duration::from_secs(24 * 3600);

/// Added to each `Retry-After`. Servers cut off fractions of seconds (`ThrottlingFilter.java` of
/// [wikidata-query-rdf](https://github.com/wikimedia/wikidata-query-rdf) does), and take who comes early for one who ignores
/// them.
const CUT_OFF: Duration = Duration::from_secs(1);

/// Pauses after refusals that name none. The operators of Wikidata's service
/// [ask for](https://lists.wikimedia.org/hyperkitty/list/wikidata-tech@lists.wikimedia.org/message/GCR2EGQ4HFM4SWNMMTLRBYLWUJUEXZWA/)
/// a minute then; a host that refuses only once is asked again sooner.
const UNNAMED: Backoff = Backoff { first: Duration::from_secs(1), longest: Duration::from_secs(60) };

/// The time over which requests are counted.
const WINDOW: Duration = Duration::from_secs(60);

/// The state of one host.
#[derive(Debug)]
pub(super) struct HostState {
    places: Arc<Semaphore>,
    course: Mutex<Course>,
}

impl HostState {
    /// Allows so many requests at once, and so many in a minute.
    pub(super) fn new(at_once: usize, per_minute: usize) -> Self {
        let places = Arc::new(Semaphore::new(at_once.clamp(1, Semaphore::MAX_PERMITS)));
        Self { places, course: Mutex::new(Course::new(per_minute)) }
    }

    /// Waits for a place, for the end of a pause, and until a minute has room. The request is counted as sent.
    ///
    /// # Errors
    /// Why there was no turn before the deadline.
    pub(super) async fn place(&self, deadline: Instant) -> Result<OwnedSemaphorePermit, Held> {
        loop {
            let wait = self.course().wait(Instant::now());
            if let Some(wait) = wait {
                if wait.until >= deadline {
                    return Err(wait.held(Instant::now()));
                }
                sleep_until(wait.until).await;
            }
            let place = timeout_at(deadline, Arc::clone(&self.places).acquire_owned()).await;
            // The semaphore is never closed.
            let place = place.map_err(|_| Held::Full)?.map_err(|_| Held::Full)?;
            // While it waited, another request may have heard of a pause or taken the last room of the minute.
            if self.course().counts(Instant::now()) {
                return Ok(place);
            }
        }
    }

    /// Reads from a response whether the host asks to wait.
    pub(super) fn hear(&self, status: StatusCode, headers: &HeaderMap) {
        self.course().hear(status, headers, Instant::now());
    }

    /// Records a refusal that names no pause.
    pub(super) fn refused(&self) {
        self.course().refused(Instant::now());
    }

    /// Leaves the host alone for so long.
    pub(super) fn pause(&self, pause: Duration) {
        self.course().pause(pause, Instant::now());
    }

    fn course(&self) -> MutexGuard<'_, Course> {
        self.course.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What has happened so far. The time is given, so that tests need not wait.
#[derive(Debug)]
pub(super) struct Course {
    per_minute: usize,
    /// No request is sent before this time.
    resumes: Option<Instant>,
    /// When the requests of the last minute were sent, oldest first; at most as many as are allowed.
    sent: VecDeque<Instant>,
    /// Refusals without a pause since the last success.
    refusals: u32,
}

/// Until when requests are held back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wait {
    pub(super) until: Instant,
    /// By the host, and not by the number of requests in a minute.
    asked: bool,
}

impl Wait {
    fn held(self, now: Instant) -> Held {
        let left = self.until.saturating_duration_since(now);
        if self.asked { Held::Asked(left) } else { Held::Minute(left) }
    }
}

impl Course {
    pub(super) fn new(per_minute: usize) -> Self {
        Self { per_minute: per_minute.max(1), resumes: None, sent: VecDeque::new(), refusals: 0 }
    }

    /// Until when the next request has to wait; `None` if it can be sent now.
    pub(super) fn wait(&mut self, now: Instant) -> Option<Wait> {
        let asked = self.resumes.filter(|resumes| *resumes > now).map(|until| Wait { until, asked: true });
        let full = self.full_until(now).map(|until| Wait { until, asked: false });
        asked.into_iter().chain(full).max_by_key(|wait| wait.until)
    }

    /// Counts a request as sent, unless it has to wait.
    pub(super) fn counts(&mut self, now: Instant) -> bool {
        let free = self.wait(now).is_none();
        if free {
            self.sent.push_back(now);
        }
        free
    }

    pub(super) fn hear(&mut self, status: StatusCode, headers: &HeaderMap, now: Instant) {
        if status.is_success() {
            self.refusals = 0;
        }
        if matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE)
            && let Some(pause) = retry_after(headers)
        {
            self.pause(pause.saturating_add(CUT_OFF), now);
        }
    }

    pub(super) fn refused(&mut self, now: Instant) {
        self.pause(UNNAMED.whole(self.refusals), now);
        self.refusals = self.refusals.saturating_add(1);
    }

    /// A shorter pause does not end a longer one.
    pub(super) fn pause(&mut self, pause: Duration, now: Instant) {
        let asked = now + pause.min(LONGEST_PAUSE);
        self.resumes = Some(self.resumes.map_or(asked, |known| known.max(asked)));
    }

    /// When the minute has room again; `None` if it has room now.
    fn full_until(&mut self, now: Instant) -> Option<Instant> {
        while self.sent.front().is_some_and(|sent| *sent + WINDOW <= now) {
            self.sent.pop_front();
        }
        let oldest = self.sent.front().filter(|_| self.sent.len() >= self.per_minute)?;
        Some(*oldest + WINDOW)
    }
}
