//! Bodies of requests while they come: each has a clock and a least rate, and all of them together a bounded memory.
//!
//! When the memory is used up, the body gives way that is the largest, of the client whose bodies are the largest together: a
//! short one never has to. Uses the gate for who a client is.
//!
//! Bodies that are coming share 32 MiB. Tests: `tests`, `testing/tests/hostile/connections.rs`.

use super::App;
use super::error::ApiError;
use super::listen::receiving;
use super::post::wrong_body;
use actix_web::HttpRequest;
use actix_web::dev::Payload;
use actix_web::web::Data;
use futures_util::StreamExt;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::{Instant, timeout_at};

/// Bytes that all bodies may take while they come.
const MAX_HELD: usize = 32 << 20;
/// A body gets a further second for each so many bytes that have come.
const BYTES_A_SECOND: u64 = 8 << 10;
/// No body takes longer than so many times the time for a request.
const LONGEST: u32 = 4;
/// What a body gets at first; most are not longer.
const FIRST_BYTES: usize = 4 << 10;

/// The bodies that are coming.
#[derive(Debug)]
pub(super) struct Bodies {
    patience: Duration,
    most: usize,
    coming: Mutex<Coming>,
}

#[derive(Debug, Default)]
struct Coming {
    last: u64,
    bodies: HashMap<u64, Held>,
}

#[derive(Debug)]
struct Held {
    client: String,
    bytes: usize,
    cut: Arc<Notify>,
}

/// The memory of one body, free again when this is dropped.
struct Share<'a> {
    bodies: &'a Bodies,
    number: u64,
    cut: Arc<Notify>,
}

/// The whole body, up to `most` bytes.
///
/// # Errors
/// When it is longer, breaks off, comes too slowly, or has to give way to others.
pub(super) async fn whole(
    request: &HttpRequest,
    payload: &mut Payload,
    most: usize,
) -> Result<Vec<u8>, ApiError> {
    let app = request.app_data::<Data<App>>().ok_or(ApiError::NoRoute)?;
    let (_receiving, share) = (receiving(), app.bodies.begin(app.gate.client(request)));
    let (begun, mut read) = (Instant::now(), Vec::new());
    loop {
        let chunk = tokio::select! {
            chunk = timeout_at(begun + app.bodies.time(read.len()), payload.next()) => chunk,
            () = share.cut.notified() => return Err(ApiError::BodiesFull),
        };
        let Some(chunk) = chunk.map_err(|_| ApiError::BodyTooSlow)? else { return Ok(read) };
        let chunk = chunk.map_err(|error| wrong_body(&error.to_string()))?;
        let length = read.len() + chunk.len();
        if length > most {
            return Err(ApiError::BodyTooLarge);
        }
        if length > read.capacity() {
            let room = length.max(2 * read.capacity()).max(FIRST_BYTES).min(most);
            share.grow(room)?;
            read.reserve_exact(room - read.len());
        }
        read.extend_from_slice(&chunk);
    }
}

impl Bodies {
    pub(super) fn new(patience: Duration) -> Self {
        Self { patience, most: MAX_HELD, coming: Mutex::default() }
    }

    /// How long a body may take of which so much has come.
    fn time(&self, bytes: usize) -> Duration {
        let earned = u64::try_from(bytes).unwrap_or(u64::MAX) / BYTES_A_SECOND;
        (self.patience + Duration::from_secs(earned)).min(LONGEST * self.patience)
    }

    fn begin(&self, client: String) -> Share<'_> {
        let mut coming = self.coming();
        coming.last += 1;
        let (number, cut) = (coming.last, Arc::new(Notify::new()));
        coming.bodies.insert(number, Held { client, bytes: 0, cut: cut.clone() });
        Share { bodies: self, number, cut }
    }

    fn coming(&self) -> MutexGuard<'_, Coming> {
        self.coming.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Share<'_> {
    /// Takes so many bytes in all.
    ///
    /// # Errors
    /// `BodiesFull` when this is the body that has to give way.
    fn grow(&self, bytes: usize) -> Result<(), ApiError> {
        let mut coming = self.bodies.coming();
        coming.bodies.get_mut(&self.number).ok_or(ApiError::BodiesFull)?.bytes = bytes;
        while coming.bytes() > self.bodies.most {
            let largest = coming.largest().ok_or(ApiError::BodiesFull)?;
            let gone = coming.bodies.remove(&largest);
            if largest == self.number {
                return Err(ApiError::BodiesFull);
            }
            if let Some(gone) = gone {
                gone.cut.notify_one();
            }
        }
        Ok(())
    }
}

impl Drop for Share<'_> {
    fn drop(&mut self) {
        self.bodies.coming().bodies.remove(&self.number);
    }
}

impl Coming {
    fn bytes(&self) -> usize {
        self.bodies.values().map(|held| held.bytes).sum()
    }

    /// The largest body of the client with the most bytes; of equal ones the oldest.
    fn largest(&self) -> Option<u64> {
        let mut clients: HashMap<&str, usize> = HashMap::new();
        for held in self.bodies.values() {
            *clients.entry(&held.client).or_default() += held.bytes;
        }
        let (client, _) = clients.into_iter().max_by_key(|(_, bytes)| *bytes)?;
        let own = self.bodies.iter().filter(|(_, held)| held.client == client);
        own.max_by_key(|(number, held)| (held.bytes, u64::MAX - **number)).map(|(number, _)| *number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    fn is_cut(share: &Share<'_>) -> bool {
        share.cut.notified().now_or_never().is_some()
    }

    #[test]
    fn the_largest_body_of_who_holds_most_gives_way() {
        let bodies = Bodies { most: 100, ..Bodies::new(Duration::from_secs(1)) };
        let begin = |client: &str| bodies.begin(client.to_owned());
        let (short, long, longer) = (begin("a"), begin("b"), begin("b"));
        assert!(short.grow(30).is_ok() && long.grow(20).is_ok() && longer.grow(40).is_ok());
        let newcomer = begin("c");
        assert!(newcomer.grow(20).is_ok());
        assert!(is_cut(&longer) && !is_cut(&short) && !is_cut(&long));
        assert!(matches!(newcomer.grow(90), Err(ApiError::BodiesFull)), "now it is itself the largest");
        assert!(matches!(longer.grow(1), Err(ApiError::BodiesFull)));
        drop((short, long, longer, newcomer));
        assert_eq!(bodies.coming().bytes(), 0);
    }

    #[test]
    fn what_comes_earns_time_up_to_a_bound() {
        let bodies = Bodies::new(Duration::from_secs(15));
        assert_eq!(bodies.time(0), Duration::from_secs(15));
        assert_eq!(bodies.time(80 << 10), Duration::from_secs(25));
        assert_eq!(bodies.time(4 << 20), Duration::from_secs(60));
    }
}
