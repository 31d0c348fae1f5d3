//! Watches the memory of the process, to stop a query that uses too much: the evaluator itself has no memory limit.

use crate::proc_status;
use std::time::Duration;

/// How often the memory of a running query is checked.
pub(super) const INTERVAL: Duration = Duration::from_millis(50);

/// Limits how much the process may grow while a query runs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Watch {
    limit: u64,
    before: Option<u64>,
}

impl Watch {
    /// Starts measuring now; `None` means no limit.
    pub(super) fn start(limit: Option<u64>) -> Self {
        Self { limit: limit.unwrap_or(u64::MAX), before: limit.and_then(|_| resident()) }
    }

    /// Returns when the process has grown by more than the limit, otherwise never. Concurrent queries count too: the process
    /// must survive, whichever query is to blame.
    pub(super) async fn exceeded(self) {
        let Some(before) = self.before else { return std::future::pending().await };
        let mut ticks = tokio::time::interval(INTERVAL);
        loop {
            ticks.tick().await;
            if resident().is_some_and(|now| now.saturating_sub(before) > self.limit) {
                return;
            }
        }
    }
}

/// Resident memory of the process in bytes; `None` if the system does not report it.
fn resident() -> Option<u64> {
    proc_status::size("/proc/self/status", "VmRSS:")
}
