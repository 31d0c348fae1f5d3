//! DNS lookups: at most one per name at a time, shared by all callers that need its addresses.
//!
//! The system lookup (`getaddrinfo`) blocks a thread and cannot be cancelled. With a slow name server, abandoned requests
//! would leave hundreds of them behind ([seen elsewhere](https://github.com/constellation-rs/amadeus/issues/81)),
//! on the same thread pool that parses bodies and reads files.

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use std::collections::HashMap;
use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The addresses of a name, or the error.
type Found = Result<Arc<[SocketAddr]>, Arc<io::Error>>;
type Lookup = Shared<BoxFuture<'static, Found>>;

/// The lookups of a client.
#[derive(Clone)]
pub(super) struct Lookups<L = fn(&str) -> io::Result<Vec<SocketAddr>>> {
    look: L,
    under_way: Arc<Mutex<HashMap<String, Lookup>>>,
}

impl Lookups {
    /// Lookups by the system resolver.
    pub(super) fn of_system() -> Self {
        // The port is filled in from the requested URL.
        Self::by(|name| Ok((name, 0).to_socket_addrs()?.collect()))
    }
}

impl<L> Lookups<L>
where
    L: Fn(&str) -> io::Result<Vec<SocketAddr>> + Clone + Send + 'static,
{
    fn by(look: L) -> Self {
        Self { look, under_way: Arc::default() }
    }

    /// The running lookup of a name, or a new one.
    fn join(&self, name: &str) -> Lookup {
        let mut under_way = self.under_way();
        let begin = || self.begin(name.to_owned());
        under_way.entry(name.to_owned()).or_insert_with(begin).clone()
    }

    /// Starts a lookup. It continues even if all callers give up; later callers join it.
    fn begin(&self, name: String) -> Lookup {
        let this = self.clone();
        let looked_up = tokio::task::spawn_blocking(move || {
            let found = (this.look)(&name);
            this.under_way().remove(&name);
            found
        });
        let found = looked_up.map(|ended| ended.unwrap_or_else(|error| Err(io::Error::other(error))));
        found.map(|found| found.map(Arc::from).map_err(Arc::new)).boxed().shared()
    }

    fn under_way(&self) -> MutexGuard<'_, HashMap<String, Lookup>> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<L> Resolve for Lookups<L>
where
    L: Fn(&str) -> io::Result<Vec<SocketAddr>> + Clone + Send + Sync + 'static,
{
    fn resolve(&self, name: Name) -> Resolving {
        let lookup = self.join(name.as_str());
        Box::pin(async move {
            let found: Addrs = Box::new(lookup.await?.to_vec().into_iter());
            Ok(found)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;

    const NAME: &str = "slow.example";

    /// Lookups that finish when `go` says so, and the number started.
    struct Held<L> {
        lookups: Lookups<L>,
        go: mpsc::Sender<()>,
        begun: Arc<AtomicUsize>,
    }

    fn held() -> Held<impl Fn(&str) -> io::Result<Vec<SocketAddr>> + Clone> {
        let (go, gate) = mpsc::channel();
        let (gate, begun) = (Arc::new(Mutex::new(gate)), Arc::new(AtomicUsize::new(0)));
        let counted = begun.clone();
        let look = move |_: &str| {
            counted.fetch_add(1, Ordering::SeqCst);
            gate.lock().unwrap().recv().map_err(io::Error::other)?;
            Ok(vec![SocketAddr::from(([192, 0, 2, 1], 0))])
        };
        Held { lookups: Lookups::by(look), go, begun }
    }

    #[tokio::test]
    async fn all_who_want_a_name_wait_for_one_look_up() {
        let Held { lookups, go, begun } = held();
        let given_up = lookups.join(NAME);
        drop(given_up);
        let waiting: Vec<Lookup> = (0..100).map(|_| lookups.join(NAME)).collect();
        go.send(()).unwrap();
        for lookup in waiting {
            assert_eq!(lookup.await.unwrap().len(), 1);
        }
        assert_eq!(begun.load(Ordering::SeqCst), 1);
        go.send(()).unwrap();
        lookups.join(NAME).await.unwrap();
        assert_eq!(begun.load(Ordering::SeqCst), 2, "nothing is remembered: servers move");
    }

    #[tokio::test]
    async fn a_look_up_that_fails_tells_all_and_is_tried_again() {
        let Held { lookups, go, begun } = held();
        let (one, other) = (lookups.join(NAME), lookups.join(NAME));
        drop(go);
        assert!(one.await.is_err() && other.await.is_err());
        assert!(lookups.join(NAME).await.is_err());
        assert_eq!(begun.load(Ordering::SeqCst), 2);
    }

    #[tokio::test]
    async fn names_are_looked_up_as_the_system_does() {
        let found = Lookups::of_system().join("localhost").await.unwrap();
        assert!(found.iter().all(|address| address.ip().is_loopback()) && !found.is_empty());
        let unknown = Lookups::of_system().join("no-such-name.invalid").await;
        assert!(unknown.is_err());
    }
}
