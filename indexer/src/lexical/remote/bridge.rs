//! From code that waits for its result to code that does not block: calls of a server run on a thread of their own.
//!
//! Names are searched by code that computes, on threads that may wait (`cpu_pool` of the service). A server is asked by
//! asynchronous code, which needs a runtime that goes on while the caller waits.

use std::sync::mpsc::{Receiver, sync_channel};
use tokio::runtime::{Builder, Runtime};

/// Host names are looked up on threads of their own. With one alone, a name server that loses a question would let all later
/// connections wait for the first, and for each look-up whose caller has given up.
const LOOK_UPS: usize = 16;

/// A runtime on a thread of its own.
pub(super) struct Bridge(Option<Runtime>);

impl Bridge {
    /// Starts the thread.
    ///
    /// # Errors
    /// When the system has no more threads.
    pub(super) fn start() -> std::io::Result<Self> {
        let mut builder = Builder::new_multi_thread();
        builder.worker_threads(1).max_blocking_threads(LOOK_UPS).thread_name("names").enable_all();
        Ok(Self(Some(builder.build()?)))
    }

    /// Starts some work; its result can be waited for. The receiver fails if the work has panicked.
    pub(super) fn begin<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Receiver<T> {
        let (done, result) = sync_channel(1);
        if let Some(runtime) = &self.0 {
            runtime.spawn(async move {
                // Nobody may be waiting any more.
                let _ = done.send(work.await);
            });
        }
        result
    }
}

impl Drop for Bridge {
    fn drop(&mut self) {
        // The last owner may be asynchronous code, where waiting for the thread to end is forbidden.
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}
