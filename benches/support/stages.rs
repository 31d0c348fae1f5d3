//! How long each stage of an index build took, told on standard error.

use super::measure::{cpu_seconds, memory_mib};
use eruca_indexer::Progress;
use std::io::Write;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Writes a line for each stage that ends: wall-clock time, processor time, memory.
#[derive(Default)]
pub struct Stages(Mutex<Option<(String, Instant, f64)>>);

impl Progress for Stages {
    fn begin(&self, stage: &str, _total: Option<u64>) {
        let mut current = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *current = Some((stage.to_owned(), Instant::now(), cpu_seconds()));
    }

    fn advance(&self, _amount: u64) {}

    fn end(&self, note: &str) {
        let current = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((stage, start, cpu)) = current {
            let (wall, cpu) = (start.elapsed().as_secs_f64(), cpu_seconds() - cpu);
            let memory = memory_mib().0;
            let _ = writeln!(
                std::io::stderr(),
                "  {stage}: {wall:.2} s, {cpu:.2} s CPU, {memory} MiB then: {note}"
            );
        }
    }
}
