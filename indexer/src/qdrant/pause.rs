//! The time in which a server that has failed, or was too slow, gets no requests.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A server that has failed or was too slow gets no requests for a while, so that not every look-up waits for it. One that has
/// answered other calls meanwhile gets more: of a cluster, one node of several may be gone, and only some calls went to it.
pub(crate) struct Pause {
    pub(crate) length: Duration,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    begun: Option<(Instant, Cause)>,
    answered: Option<Instant>,
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
        Self { length, known: Mutex::default() }
    }

    pub(crate) fn is_on(&self) -> bool {
        self.known().begun.is_some_and(|(since, _)| since.elapsed() < self.length)
    }

    /// Notes that a call was answered.
    pub(crate) fn answered(&self) {
        self.known().answered = Some(Instant::now());
    }

    /// Begins after a call that was made at `asked` and failed, unless another one was answered since; whether it has begun.
    pub(crate) fn begin(&self, asked: Instant, cause: Cause) -> bool {
        let mut known = self.known();
        let alone = known.answered.is_none_or(|answered| answered < asked);
        if alone {
            known.begun = Some((Instant::now(), cause));
        }
        alone
    }

    /// Ends the pause after a failure, as the server has answered a call.
    pub(crate) fn end_of_failure(&self) {
        self.known().begun.take_if(|(_, cause)| *cause == Cause::Failure);
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(3600);

    #[test]
    fn a_server_that_answers_nobody_is_left_alone_for_a_while() {
        let pause = Pause::of(LONG);
        pause.answered();
        let asked = Instant::now();
        assert!(pause.begin(asked, Cause::Failure));
        assert!(pause.is_on());
        pause.end_of_failure();
        assert!(!pause.is_on());
    }

    #[test]
    fn a_server_that_answers_others_meanwhile_is_asked_again() {
        let (pause, asked) = (Pause::of(LONG), Instant::now());
        pause.answered();
        assert!(!pause.begin(asked, Cause::Lateness));
        assert!(!pause.is_on());
    }
}
