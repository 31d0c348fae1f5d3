//! Turns on a bounded number of processors, for work that takes long. Who has had the least so far is next: a question that is
//! soon answered does not wait until those that take long are done. Uses nothing of this package.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;

/// Those who wait: by what they have had, then in the order in which they came.
type Waiting = BTreeMap<(Duration, u64), oneshot::Sender<Turn>>;

/// So many turns at once.
#[derive(Clone)]
pub(super) struct Turnstile(Arc<Mutex<Turning>>);

struct Turning {
    free: usize,
    come: u64,
    waiting: Waiting,
}

/// A turn; the next one's begins when it is dropped.
pub(super) struct Turn(Turnstile);

impl Turnstile {
    pub(super) fn new(at_once: usize) -> Self {
        Self(Arc::new(Mutex::new(Turning { free: at_once, come: 0, waiting: Waiting::new() })))
    }

    /// Waits for a turn; `had` is what whoever wants it has had so far. Whoever no longer waits drops this.
    pub(super) fn next(&self, had: Duration) -> oneshot::Receiver<Turn> {
        let (give, given) = oneshot::channel();
        let mut turning = self.turning();
        turning.come += 1;
        let place = (had, turning.come);
        turning.waiting.insert(place, give);
        drop(turning);
        self.give();
        given
    }

    /// Gives what is free to those who wait.
    fn give(&self) {
        loop {
            let mut turning = self.turning();
            if turning.free == 0 {
                return;
            }
            let Some((_, next)) = turning.waiting.pop_first() else { return };
            turning.free -= 1;
            drop(turning);
            // One that nobody waits for any longer is dropped, and so is free again.
            let _gone = next.send(Turn(self.clone()));
        }
    }

    fn turning(&self) -> MutexGuard<'_, Turning> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.0.turning().free += 1;
        self.0.give();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;
    use oneshot::Receiver;

    fn has_come(turn: &mut Receiver<Turn>) -> Option<Turn> {
        turn.now_or_never().map(Result::unwrap)
    }

    #[test]
    fn who_has_had_least_is_next_and_of_equals_the_first() {
        let turns = Turnstile::new(1);
        let mut first = turns.next(Duration::from_secs(9));
        let held = has_come(&mut first);
        assert!(held.is_some(), "there is nobody else");
        let had = [5, 1, 1, 0];
        let mut waiting = had.map(|had| turns.next(Duration::from_secs(had)));
        assert!(waiting.iter_mut().all(|turn| has_come(turn).is_none()));
        drop(held);
        for next in [3, 1, 2, 0] {
            let turn = has_come(&mut waiting[next]);
            assert!(turn.is_some(), "{next}");
            assert!(waiting.iter_mut().all(|turn| turn.is_terminated() || has_come(turn).is_none()));
        }
    }

    #[test]
    fn a_turn_that_nobody_takes_is_that_of_the_next() {
        let turns = Turnstile::new(1);
        let held = turns.next(Duration::ZERO);
        let given_up = turns.next(Duration::ZERO);
        let mut waits = turns.next(Duration::ZERO);
        // One has its turn without having looked, one has none yet.
        drop((given_up, held));
        assert!(has_come(&mut waits).is_some());
        assert!(has_come(&mut turns.next(Duration::ZERO)).is_some());
    }

    #[test]
    fn there_are_as_many_at_once_as_there_may_be() {
        let turns = Turnstile::new(2);
        let mut all: Vec<_> = (0..3).map(|_| turns.next(Duration::ZERO)).collect();
        let held: Vec<_> = all.iter_mut().filter_map(has_come).collect();
        assert_eq!(held.len(), 2);
        drop(held);
        assert!(has_come(&mut all[2]).is_some());
    }
}
