//! Evaluations that run on threads of this process. Those that overrun their deadline are counted and lose
//! their permits.
//!
//! An evaluation that is 5 s past its deadline gives its permit back, and is reported by `/ready`.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::OwnedSemaphorePermit;

/// The evaluations of a store.
#[derive(Default)]
pub(super) struct RunningEvaluations {
    evaluations: Mutex<Evaluations>,
}

#[derive(Default)]
struct Evaluations {
    next: u64,
    known: BTreeMap<u64, RunningEvaluation>,
}

struct RunningEvaluation {
    deadline: Instant,
    permit: Option<OwnedSemaphorePermit>,
}

/// Held by the evaluation's thread; dropping it marks the end of the evaluation.
pub(super) struct Ticket {
    running: Arc<RunningEvaluations>,
    number: u64,
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.running.lock().known.remove(&self.number);
    }
}

impl RunningEvaluations {
    fn lock(&self) -> MutexGuard<'_, Evaluations> {
        self.evaluations.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers an evaluation that must end by `deadline`.
    pub(super) fn enter(self: &Arc<Self>, deadline: Instant, permit: OwnedSemaphorePermit) -> Ticket {
        let mut evaluations = self.lock();
        let number = evaluations.next;
        evaluations.next += 1;
        evaluations.known.insert(number, RunningEvaluation { deadline, permit: Some(permit) });
        Ticket { running: Arc::clone(self), number }
    }

    /// Called when the result is no longer needed: the deadline becomes now.
    pub(super) fn forsake(&self, number: u64) {
        if let Some(evaluation) = self.lock().known.get_mut(&number) {
            evaluation.deadline = evaluation.deadline.min(Instant::now());
        }
    }

    /// Releases the permits of all evaluations that are more than `grace` past their deadline; returns their number and the
    /// longest overrun.
    pub(super) fn release_overrun(&self, grace: Duration) -> (usize, Option<Duration>) {
        let mut evaluations = self.lock();
        let over = evaluations.known.values_mut().filter_map(|evaluation| {
            let over = Some(evaluation.deadline.elapsed()).filter(|over| *over > grace)?;
            evaluation.permit = None;
            Some(over)
        });
        over.fold((0, None), |(count, longest), over| (count + 1, longest.max(Some(over))))
    }
}

impl Ticket {
    pub(super) fn number(&self) -> u64 {
        self.number
    }
}
