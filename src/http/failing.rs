//! Whether what is written while the service runs can be written: `/ready` says so until it can again.

use std::fmt::Display;
use std::sync::{Mutex, PoisonError};

/// How the last attempt to write something went.
#[derive(Debug, Default)]
pub(super) struct Failing(Mutex<Option<String>>);

impl Failing {
    /// Remembers how an attempt went, and hands it on.
    pub(super) fn saw<T, E: Display>(&self, attempt: Result<T, E>) -> Result<T, E> {
        let failure = attempt.as_ref().err().map(ToString::to_string);
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = failure;
        attempt
    }

    /// Why the last attempt failed, if it did.
    pub(super) fn why(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
