//! Percentiles of times, and what the operating system knows of this process.

use std::time::Duration;

/// The time that the given share of the samples does not exceed, in milliseconds; sorts the samples.
pub fn percentile(samples: &mut [Duration], share: f64) -> f64 {
    samples.sort_unstable();
    let last = samples.len().saturating_sub(1);
    let at = (last as f64 * share).ceil() as usize;
    samples.get(at).map_or(0.0, |time| time.as_secs_f64() * 1_000.0)
}

/// The most memory that this process ever held, MiB (`VmHWM`); 0 where the system does not tell.
pub fn peak_memory_mib() -> u64 {
    status("VmHWM:") / 1_024
}

/// Memory that this process holds now, MiB: its own, and pages of mapped files.
pub fn memory_mib() -> (u64, u64) {
    (status("RssAnon:") / 1_024, status("RssFile:") / 1_024)
}

fn status(key: &str) -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(key)).unwrap_or_default();
    line.split_whitespace().next().and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// Seconds of processor time of this process so far, all threads together; 0 where the system does not tell.
pub fn cpu_seconds() -> f64 {
    const TICKS_PER_SECOND: f64 = 100.0;
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program may hold spaces; the fields are counted behind its closing bracket.
    let fields = text.rsplit_once(')').map_or("", |(_, rest)| rest);
    let ticks: f64 = fields.split_whitespace().skip(11).take(2).filter_map(|t| t.parse::<f64>().ok()).sum();
    ticks / TICKS_PER_SECOND
}

/// Processor time of this thread so far. On a shared machine it says what a search costs, where the wall clock
/// says how busy the others are.
pub fn thread_cpu() -> Duration {
    cpu_time::ThreadTime::now().as_duration()
}
