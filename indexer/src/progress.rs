//! Progress reports of a build. The command line shows bars for them; libraries may ignore them.

/// Receives the stages of an index build in order.
pub trait Progress: Send + Sync {
    /// A stage starts. `total` is in the stage's own unit (bytes when reading, documents when writing).
    fn begin(&self, stage: &str, total: Option<u64>);
    /// `amount` more units are done.
    fn advance(&self, amount: u64);
    /// The stage is over; `note` describes the result.
    fn end(&self, note: &str);
}

/// Ignores everything.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoProgress;

impl Progress for NoProgress {
    fn begin(&self, _stage: &str, _total: Option<u64>) {}
    fn advance(&self, _amount: u64) {}
    fn end(&self, _note: &str) {}
}
