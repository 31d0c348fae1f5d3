//! Time limits for work on a question: checked between its steps, so that it stops when time is up, and pauses while others have
//! their turn. Uses nothing of this package.

use std::time::Instant;

/// Scheduling for work that shares the processors.
pub trait Pace {
    /// Whether to do the next step; false when nobody waits for the result. Blocks while others have their turn.
    fn goes_on(&self) -> bool;
}

/// Work that shares the processors with nothing.
struct Alone;

impl Pace for Alone {
    fn goes_on(&self) -> bool {
        true
    }
}

/// The time limit for some work, and its pace.
#[derive(Clone, Copy)]
pub struct AllowedTime<'p> {
    /// The deadline.
    until: Instant,
    pace: &'p dyn Pace,
}

impl<'p> AllowedTime<'p> {
    /// Until a deadline, at a pace.
    pub fn new(until: Instant, pace: &'p dyn Pace) -> Self {
        Self { until, pace }
    }

    /// Until a deadline, without sharing the processors.
    pub fn until(until: Instant) -> Self {
        Self { until, pace: &Alone }
    }

    /// Whether to do the next step.
    pub(crate) fn goes_on(&self) -> bool {
        self.pace.goes_on() && Instant::now() < self.until
    }

    /// The first three quarters of the remaining time, which leaves the rest for using the results.
    pub(crate) fn most(self) -> Self {
        let now = Instant::now();
        Self { until: now + self.until.saturating_duration_since(now) * 3 / 4, ..self }
    }
}
