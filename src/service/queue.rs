//! The queues of the service. Questions and browsing requests have separate ones, so that neither blocks the other.
//!
//! A question that takes long to plan gives up its place to others. As many of these as there are places run in
//! addition.

use super::ServiceError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Computations that take longer than this give up their place, if there is an overflow permit.
const SOON: Duration = Duration::from_millis(100);

/// Number of questions being answered and waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Load {
    /// Being answered.
    pub running: usize,
    /// Waiting in the queue.
    pub waiting: usize,
}

/// A bounded number of places, with a bounded number of waiting questions.
pub(super) struct Queue {
    places: Arc<Semaphore>,
    /// Overflow permits for long computations, as many as there are places, so that the questions behind them need
    /// not wait.
    beside: Arc<Semaphore>,
    size: usize,
    waiting: AtomicUsize,
    max_waiting: usize,
    /// Suggested retry delay when the queue is full.
    retry_after: Duration,
}

impl Queue {
    pub(super) fn new(size: usize, max_waiting: usize, retry_after: Duration) -> Self {
        let room = || Arc::new(Semaphore::new(size));
        Self { places: room(), beside: room(), size, waiting: AtomicUsize::new(0), max_waiting, retry_after }
    }

    /// Acquires a place, waiting for at most `patience`. The place is released on drop.
    ///
    /// # Errors
    /// `Overloaded` if too many are waiting already, or `patience` has run out.
    pub(super) async fn enter(&self, patience: Duration) -> Result<Place, ServiceError> {
        if let Ok(place) = self.places.clone().try_acquire_owned() {
            return Ok(self.place(place));
        }
        let _waiting = self.wait().ok_or_else(|| self.full())?;
        match tokio::time::timeout(patience, self.places.clone().acquire_owned()).await {
            Ok(Ok(place)) => Ok(self.place(place)),
            Ok(Err(_)) | Err(_) => Err(self.full()),
        }
    }

    pub(super) fn load(&self) -> Load {
        Load {
            running: (2 * self.size)
                .saturating_sub(self.places.available_permits() + self.beside.available_permits()),
            waiting: self.waiting.load(Ordering::Relaxed),
        }
    }

    fn place(&self, held: OwnedSemaphorePermit) -> Place {
        Place { held: Mutex::new(held), beside: self.beside.clone() }
    }

    fn full(&self) -> ServiceError {
        ServiceError::Overloaded {
            limit: self.size,
            waiting: self.max_waiting,
            retry_after: self.retry_after,
        }
    }

    fn wait(&self) -> Option<CountedWaiting<'_>> {
        let more = |waiting| (waiting < self.max_waiting).then_some(waiting + 1);
        self.waiting.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).ok()?;
        Some(CountedWaiting(&self.waiting))
    }
}

/// A place in the queue, released on drop.
pub(super) struct Place {
    held: Mutex<OwnedSemaphorePermit>,
    beside: Arc<Semaphore>,
}

impl Place {
    /// Awaits a computation; if it takes long, trades the place for an overflow permit, if there is one.
    pub(super) async fn while_computed<F: Future>(&self, work: F) -> F::Output {
        let mut work = std::pin::pin!(work);
        match tokio::time::timeout(SOON, &mut work).await {
            Ok(done) => done,
            Err(_) => {
                self.leave();
                work.await
            }
        }
    }

    fn leave(&self) {
        if let Ok(beside) = self.beside.clone().try_acquire_owned() {
            *self.held.lock().unwrap_or_else(PoisonError::into_inner) = beside;
        }
    }
}

/// Counts a question as waiting until dropped, which includes cancellation when its client disconnects.
struct CountedWaiting<'a>(&'a AtomicUsize);

impl Drop for CountedWaiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::sync::oneshot;

    const LONG: Duration = Duration::from_secs(60);

    fn is_overloaded<T>(entered: Result<T, ServiceError>) -> bool {
        matches!(entered, Err(ServiceError::Overloaded { .. }))
    }

    #[tokio::test]
    async fn a_place_that_becomes_free_goes_to_who_waits() {
        let queue = Queue::new(1, 1, LONG);
        let first = queue.enter(LONG).await.unwrap();
        let (second, ()) = tokio::join!(queue.enter(LONG), async {
            assert_eq!(queue.load(), Load { running: 1, waiting: 1 });
            assert!(is_overloaded(queue.enter(LONG).await), "at once, although it has time");
            drop(first);
        });
        assert!(second.is_ok());
        assert_eq!(queue.load(), Load { running: 1, waiting: 0 });
    }

    #[tokio::test]
    async fn who_is_computed_for_long_leaves_the_place_while_there_is_room_beside() {
        let queue = Queue::new(1, 1, LONG);
        let first = queue.enter(LONG).await.unwrap();
        first.while_computed(async {}).await;
        assert!(is_overloaded(queue.enter(Duration::ZERO).await), "that was soon");
        let (done, computed) = oneshot::channel::<()>();
        let (_, second) = tokio::join!(first.while_computed(computed), async {
            let second = queue.enter(LONG).await.unwrap();
            drop(done);
            second
        });
        assert_eq!(queue.load(), Load { running: 2, waiting: 0 });
        let (done, computed) = oneshot::channel::<()>();
        let (_, third) = tokio::join!(second.while_computed(computed), async {
            let third = queue.enter(3 * SOON).await;
            drop(done);
            third
        });
        assert!(is_overloaded(third), "there is room beside for one alone");
        drop((first, second));
        assert_eq!(queue.load(), Load { running: 0, waiting: 0 });
    }

    #[tokio::test]
    async fn who_waits_too_long_or_goes_away_waits_no_more() {
        let queue = Queue::new(1, 2, LONG);
        let _place = queue.enter(LONG).await.unwrap();
        assert!(is_overloaded(queue.enter(Duration::ZERO).await));
        drop(Box::pin(queue.enter(LONG)));
        assert_eq!(queue.load().waiting, 0);
    }

    #[tokio::test]
    async fn without_a_queue_a_full_service_refuses_at_once() {
        let queue = Queue::new(1, 0, LONG);
        let _place = queue.enter(LONG).await.unwrap();
        assert!(is_overloaded(queue.enter(LONG).await));
    }
}
