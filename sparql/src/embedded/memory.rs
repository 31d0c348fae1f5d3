//! How much memory the process takes, to stop a query that collects too much: the evaluator has no limit of its own.

use crate::proc_status;
use std::time::Duration;

/// How often the memory of a running query is checked.
pub(super) const INTERVAL: Duration = Duration::from_millis(50);

/// What a query may add to the memory of the process while it runs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Watch {
    limit: u64,
    before: Option<u64>,
}

impl Watch {
    /// From now on; `None` never ends a query.
    pub(super) fn start(limit: Option<u64>) -> Self {
        Self { limit: limit.unwrap_or(u64::MAX), before: limit.and_then(|_| resident()) }
    }

    /// Returns when the process has grown by more than the limit, or never. What other queries take at the same time
    /// counts too: the process must live, whoever is to blame.
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

/// Bytes of the process that are in memory; `None` where the system does not report it.
fn resident() -> Option<u64> {
    proc_status::size("/proc/self/status", "VmRSS:")
}
