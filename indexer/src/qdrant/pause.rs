//! The time in which a server that has failed, or was too slow, gets no requests.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A server that has failed or was too slow gets no requests for a while, so that not every look-up waits for it.
pub(crate) struct Pause {
    pub(crate) length: Duration,
    begun: Mutex<Option<(Instant, Cause)>>,
}

/// Why a server gets no requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cause {
    /// A call failed.
    Failure,
    /// A search took too long; successful other calls do not mean that the next one will be fast.
    Lateness,
}

impl Pause {
    pub(crate) fn of(length: Duration) -> Self {
        Self { length, begun: Mutex::new(None) }
    }

    pub(crate) fn is_on(&self) -> bool {
        self.begun().is_some_and(|(since, _)| since.elapsed() < self.length)
    }

    pub(crate) fn begin(&self, cause: Cause) {
        *self.begun() = Some((Instant::now(), cause));
    }

    /// Ends the pause after a failure, as the server has answered a call.
    pub(crate) fn end_of_failure(&self) {
        self.begun().take_if(|(_, cause)| *cause == Cause::Failure);
    }

    fn begun(&self) -> MutexGuard<'_, Option<(Instant, Cause)>> {
        self.begun.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
