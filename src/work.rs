//! Work that takes processor time, on threads of its own, so that those that serve HTTP only wait.
//!
//! Searches, grounding, plans and whole questions run here. A task that is late is no longer waited for; it keeps one of
//! these threads until it comes to an end, and no other. Uses nothing of this package.

use std::future::Future;
use std::num::NonZero;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::task::JoinHandle;
use tracing::Instrument;

/// Threads at least: one search that takes long must not hold up all others.
const MIN_THREADS: usize = 2;

/// Threads for work, shared by all questions of a service.
pub struct Workers {
    /// `None` when the system gives no threads: work is then done where it is asked for.
    runtime: Option<Runtime>,
}

impl Workers {
    /// Starts the threads: one for each processor.
    pub fn start() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
        let built = Builder::new_multi_thread()
            .worker_threads(processors.max(MIN_THREADS))
            .thread_name("eruca-work")
            .build();
        let runtime = built
            .inspect_err(
                |error| tracing::error!(%error, "no threads could be started for searches; searches delay other requests"),
            )
            .ok();
        Self { runtime }
    }

    /// Does the work on these threads. It is given up when the caller no longer waits; its panics are the caller's.
    pub async fn run<F>(&self, work: F) -> F::Output
    where
        F: Future + Send + 'static,
        F::Output: Send,
    {
        let Some(runtime) = &self.runtime else { return work.await };
        let work = AtHome { home: Handle::current(), work: Box::pin(work.in_current_span()) };
        let mut running = AbortOnDrop(runtime.spawn(work));
        match (&mut running.0).await {
            Ok(done) => done,
            Err(error) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                // The threads are being stopped, so no task waits any longer.
                Err(_) => std::future::pending().await,
            },
        }
    }

    /// The same; `None` when it has not ended in this time.
    pub async fn within<F>(&self, time: Duration, work: F) -> Option<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send,
    {
        tokio::time::timeout(time, self.run(work)).await.ok()
    }
}

impl Drop for Workers {
    /// Does not wait for what is still running.
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// Work whose sockets, timers and further tasks are those of the caller's runtime: only its steps run elsewhere.
struct AtHome<F> {
    home: Handle,
    work: Pin<Box<F>>,
}

impl<F: Future> Future for AtHome<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let Self { home, work } = &mut *self;
        let _entered = home.enter();
        work.as_mut().poll(context)
    }
}

/// A task that is aborted when its handle is dropped.
struct AbortOnDrop<T>(JoinHandle<T>);

impl<T> Drop for AbortOnDrop<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;
    use std::time::Instant;

    #[tokio::test]
    async fn the_caller_is_free_while_work_holds_a_thread() {
        let workers = Workers::start();
        let (release, released) = mpsc::channel();
        let work = workers.run(async move { released.recv_timeout(Duration::from_secs(60)) });
        // On the only thread of this runtime: were the work done here, it would wait for what comes after it.
        let (done, ()) = tokio::join!(work, async move { release.send("done").unwrap() });
        assert_eq!(done, Ok("done"));
    }

    #[tokio::test]
    async fn timers_are_those_of_the_caller() {
        let slept = Workers::start().run(async { tokio::time::sleep(Duration::from_millis(5)).await }).await;
        assert_eq!(slept, ());
    }

    #[tokio::test]
    async fn who_is_late_is_not_waited_for_even_at_the_end() {
        let workers = Workers::start();
        let (held, hold) = mpsc::channel::<()>();
        let late = workers.within(Duration::from_millis(20), async move { hold.recv() }).await;
        assert!(late.is_none());
        let began = Instant::now();
        drop(workers);
        assert!(began.elapsed() < Duration::from_secs(30));
        drop(held);
    }

    #[tokio::test]
    async fn a_panic_is_the_callers() {
        let panicked =
            tokio::spawn(async { Workers::start().run(async { panic!("in the work") }).await }).await;
        assert!(panicked.unwrap_err().is_panic());
    }
}
