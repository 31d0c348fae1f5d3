//! Evaluations that run on threads of this process: those that do not end are counted, and do not keep
//! their permits.
//!
//! One that overruns its deadline by 5 s gives its permit back, and `/ready` reports it.

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

/// Held by the thread of an evaluation; the evaluation is over when it is dropped.
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

    /// Notes an evaluation that must have ended at `deadline`.
    pub(super) fn enter(self: &Arc<Self>, deadline: Instant, permit: OwnedSemaphorePermit) -> Ticket {
        let mut evaluations = self.lock();
        let number = evaluations.next;
        evaluations.next += 1;
        evaluations.known.insert(number, RunningEvaluation { deadline, permit: Some(permit) });
        Ticket { running: Arc::clone(self), number }
    }

    /// Nobody waits for the evaluation any more: it should end now.
    pub(super) fn forsake(&self, number: u64) {
        if let Some(evaluation) = self.lock().known.get_mut(&number) {
            evaluation.deadline = evaluation.deadline.min(Instant::now());
        }
    }

    /// Takes the permits of all that are over their deadline by more than `grace`; says how many these are, and how long
    /// the first has been over it.
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
