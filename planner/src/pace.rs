//! How long work on a question may go on: asked between its steps, so that it ends when its time is over, and waits while it
//! is the turn of others. Uses nothing of this package.

use std::time::Instant;

/// Those who share the processors with others.
pub trait Pace {
    /// Whether the next step is to be done; false when nobody waits for the work. Waits as long as it is the turn of others.
    fn goes_on(&self) -> bool;
}

/// Work that shares with nobody.
struct Alone;

impl Pace for Alone {
    fn goes_on(&self) -> bool {
        true
    }
}

/// The time for some work, and its pace.
#[derive(Clone, Copy)]
pub struct AllowedTime<'p> {
    /// When it is over.
    until: Instant,
    pace: &'p dyn Pace,
}

impl<'p> AllowedTime<'p> {
    /// Until a point in time, at a pace.
    pub fn new(until: Instant, pace: &'p dyn Pace) -> Self {
        Self { until, pace }
    }

    /// Until a point in time, for work that shares with nobody.
    pub fn until(until: Instant) -> Self {
        Self { until, pace: &Alone }
    }

    /// Whether the next step is to be done.
    pub(crate) fn goes_on(&self) -> bool {
        self.pace.goes_on() && Instant::now() < self.until
    }

    /// The first three quarters of what is left: what is found in them can be made use of in the rest.
    pub(crate) fn most(self) -> Self {
        let now = Instant::now();
        Self { until: now + self.until.saturating_duration_since(now) * 3 / 4, ..self }
    }
}
