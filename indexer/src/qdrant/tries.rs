//! Calls that are made again: a server may be starting, and of a cluster, another node may answer.

use super::server::may_pass;
use qdrant_client::QdrantError;
use std::time::{Duration, Instant};

/// The first pause before a call is made again; each is twice as long as the one before, up to the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_millis(400);

/// How often a call is made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tries {
    /// Timeout of one.
    pub(crate) timeout: Duration,
    /// How long a call that has failed, or was too slow, is made again.
    pub(crate) patience: Duration,
}

/// Why the last one did not succeed.
pub(crate) enum Failed {
    Error(QdrantError),
    Late,
}

impl Tries {
    /// Calls again while there is time, unless the same call would fail again.
    pub(crate) async fn make<T, F>(self, call: impl Fn() -> F) -> Result<T, Failed>
    where
        F: Future<Output = Result<T, QdrantError>>,
    {
        let (begun, mut pause) = (Instant::now(), FIRST_PAUSE);
        loop {
            let failed = match tokio::time::timeout(self.timeout, call()).await {
                Ok(Ok(answer)) => return Ok(answer),
                Ok(Err(error)) if !may_pass(&error) => return Err(Failed::Error(error)),
                Ok(Err(error)) => Failed::Error(error),
                Err(_) => Failed::Late,
            };
            if begun.elapsed() + pause >= self.patience {
                return Err(failed);
            }
            tokio::time::sleep(pause).await;
            pause = LONGEST_PAUSE.min(pause * 2);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use tonic::Status;

    async fn made(failures: usize, status: Status, patience: Duration) -> (bool, usize) {
        let (tries, asked) = (Tries { timeout: Duration::from_secs(60), patience }, Cell::new(0));
        let answer = tries.make(|| async {
            asked.set(asked.get() + 1);
            if asked.get() > failures { Ok(()) } else { Err(QdrantError::from(status.clone())) }
        });
        (answer.await.is_ok(), asked.get())
    }

    #[tokio::test]
    async fn a_server_that_is_starting_is_asked_until_it_answers() {
        let name = Status::unavailable("Temporary failure in name resolution");
        assert_eq!(made(2, name.clone(), Duration::from_secs(60)).await, (true, 3));
        assert_eq!(made(2, name, Duration::ZERO).await, (false, 1));
    }

    #[tokio::test]
    async fn a_call_that_would_fail_again_is_made_once() {
        assert_eq!(made(2, Status::not_found("no collection"), Duration::from_secs(60)).await, (false, 1));
    }
}
