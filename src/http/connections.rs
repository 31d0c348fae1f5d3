//! Places for connections: how many there are, per client and in total, and which connection is closed for a new one.
//!
//! A server that stops accepting when it is full can be blocked for everybody by whoever fills it. Here a new connection always
//! gets in while another waits for its client: of the client with the most connections, the one idle longest is closed. So
//! clients that hold idle connections only hurt themselves. Deals with times and addresses, not with HTTP.
//!
//! Tests: `tests`, `testing/tests/hostile/connections.rs`.

use super::gate::network;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::Instant;

/// The state of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// Waiting for its client: a handshake, the head of a request, or the next request.
    Waiting,
    /// Receiving a body, which has its own deadline.
    Receiving,
    /// Sending a response.
    Responding,
    /// Handling a request; such a connection is not closed for others.
    Serving,
}

impl Phase {
    /// The lowest rank is closed first.
    fn rank(self) -> u8 {
        match self {
            Self::Waiting | Self::Receiving => 0,
            Self::Responding => 1,
            Self::Serving => 2,
        }
    }
}

/// All connections that are open.
#[derive(Debug)]
pub(super) struct Connections {
    /// Maximum in total.
    most: usize,
    /// Maximum per client.
    each: usize,
    open: Mutex<Open>,
}

#[derive(Debug, Default)]
struct Open {
    last: u64,
    places: HashMap<u64, Held>,
}

#[derive(Debug)]
struct Held {
    client: Option<IpAddr>,
    phase: Phase,
    since: Instant,
    cut: Arc<Notify>,
}

/// A place among the connections, released on drop.
#[derive(Debug)]
pub(super) struct Place {
    connections: Arc<Connections>,
    number: u64,
    cut: Arc<Notify>,
    /// Since when the client has not read any of the response.
    blocked: Mutex<Option<Instant>>,
}

impl Connections {
    pub(super) fn new(most: usize, each: usize) -> Arc<Self> {
        Arc::new(Self { most: most.max(1), each: each.max(1), open: Mutex::default() })
    }

    /// A place for a connection from this address; `None` if all are handling requests.
    pub(super) fn enter(self: &Arc<Self>, address: Option<IpAddr>) -> Option<Arc<Place>> {
        let client = address.map(network);
        let mut open = self.open();
        let counts = open.counts();
        let own = counts.get(&client).copied().unwrap_or_default();
        if own >= self.each {
            open.evict(|held| held.client == client)?;
        } else if open.places.len() >= self.most {
            let fullest = counts.into_iter().max_by_key(|(_, count)| *count).map(|(client, _)| client);
            if open.evict(|held| Some(held.client) == fullest).is_none() {
                open.evict(|_| true)?;
            }
        }
        open.last += 1;
        let (number, cut) = (open.last, Arc::new(Notify::new()));
        let held = Held { client, phase: Phase::Waiting, since: Instant::now(), cut: cut.clone() };
        open.places.insert(number, held);
        drop(open);
        Some(Arc::new(Place { connections: self.clone(), number, cut, blocked: Mutex::default() }))
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Open {
    fn counts(&self) -> HashMap<Option<IpAddr>, usize> {
        let mut counts = HashMap::new();
        for held in self.places.values() {
            *counts.entry(held.client).or_default() += 1;
        }
        counts
    }

    /// Closes the connection among these that has been idle longest.
    fn evict(&mut self, among: impl Fn(&Held) -> bool) -> Option<()> {
        let waiting = self.places.iter().filter(|(_, held)| among(held) && held.phase != Phase::Serving);
        let (&number, _) = waiting.min_by_key(|(number, held)| (held.phase.rank(), held.since, **number))?;
        self.places.remove(&number)?.cut.notify_one();
        Some(())
    }
}

impl Place {
    /// Sets the state of the connection.
    pub(super) fn now(&self, phase: Phase) {
        if let Some(held) = self.connections.open().places.get_mut(&self.number) {
            (held.phase, held.since) = (phase, Instant::now());
        }
    }

    /// Resolves when the place is given to another connection.
    pub(super) async fn lost(&self) {
        self.cut.notified().await;
    }

    /// Records whether the client reads what is sent.
    pub(super) fn takes(&self, taken: bool) {
        let mut blocked = self.blocked();
        *blocked = if taken { None } else { blocked.or_else(|| Some(Instant::now())) };
    }

    /// Resolves when the client has been idle for `patience`, neither sending nor reading.
    pub(super) async fn tired(&self, patience: Duration) {
        while let Some(since) = self.idle_since() {
            let rest = since.map_or(patience, |since| patience.saturating_sub(since.elapsed()));
            if rest.is_zero() {
                return;
            }
            tokio::time::sleep(rest).await;
        }
    }

    /// Since when the client has been idle, if it is its turn; `None` when the place is lost.
    fn idle_since(&self) -> Option<Option<Instant>> {
        match self.connections.open().places.get(&self.number)? {
            Held { phase: Phase::Waiting, since, .. } => Some(Some(*since)),
            Held { .. } => Some(*self.blocked()),
        }
    }

    fn blocked(&self) -> MutexGuard<'_, Option<Instant>> {
        self.blocked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.connections.open().places.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    fn address(last: u8) -> Option<IpAddr> {
        Some([192, 0, 2, last].into())
    }

    fn is_lost(place: &Place) -> bool {
        place.lost().now_or_never().is_some()
    }

    #[test]
    fn who_holds_most_gives_way_with_what_has_waited_longest() {
        let connections = Connections::new(4, 10);
        let other = connections.enter(address(1)).unwrap();
        let mut held = Vec::new();
        for _ in 0..3 {
            held.push(connections.enter(address(2)).unwrap());
        }
        held[0].now(Phase::Serving);
        let newcomer = connections.enter(address(3)).unwrap();
        assert!(is_lost(&held[1]), "the oldest that is not being served");
        assert!(![&other, &held[0], &held[2], &newcomer].into_iter().any(|place| is_lost(place)));
    }

    #[test]
    fn one_client_takes_places_from_itself_alone_and_busy_ones_stay() {
        let connections = Connections::new(10, 2);
        let other = connections.enter(address(1)).unwrap();
        let (first, second) =
            (connections.enter(address(2)).unwrap(), connections.enter(address(2)).unwrap());
        first.now(Phase::Serving);
        second.now(Phase::Responding);
        let third = connections.enter(address(2)).unwrap();
        assert!(is_lost(&second) && !is_lost(&first) && !is_lost(&other));
        third.now(Phase::Serving);
        assert!(connections.enter(address(2)).is_none(), "both are being served");
        assert!(connections.enter(address(1)).is_some());
        drop(third);
        assert!(connections.enter(address(2)).is_some());
    }

    #[tokio::test]
    async fn what_waits_too_long_is_ended() {
        let connections = Connections::new(2, 2);
        let place = connections.enter(address(1)).unwrap();
        place.now(Phase::Serving);
        let patience = Duration::from_millis(5);
        assert!(tokio::time::timeout(10 * patience, place.tired(patience)).await.is_err(), "it is served");
        place.now(Phase::Waiting);
        place.tired(patience).await;
        place.now(Phase::Responding);
        place.takes(false);
        place.tired(patience).await;
        place.takes(true);
        assert!(
            tokio::time::timeout(10 * patience, place.tired(patience)).await.is_err(),
            "it takes what is sent"
        );
    }
}
