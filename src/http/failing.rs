//! Whether files written while the service runs are writable: `/ready` reports a failure until writing works again.

use std::fmt::Display;
use std::sync::{Mutex, PoisonError};

/// The outcome of the last attempt to write.
#[derive(Debug, Default)]
pub(super) struct Failing(Mutex<Option<String>>);

impl Failing {
    /// Records the outcome of an attempt and returns it.
    pub(super) fn record<T, E: Display>(&self, attempt: Result<T, E>) -> Result<T, E> {
        let failure = attempt.as_ref().err().map(ToString::to_string);
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = failure;
        attempt
    }

    /// Why the last attempt failed, if it did.
    pub(super) fn reason(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
