//! The memory of a process, as Linux reports it in `/proc`. Uses only the standard library.

/// A size in bytes from a Linux process status file, such as `/proc/self/status` with the key `VmRSS:`;
/// `None` if the system does not report it ([proc(5)](https://man7.org/linux/man-pages/man5/proc.5.html)).
pub(crate) fn size(file: &str, key: &str) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    let value = text.lines().find_map(|line| line.strip_prefix(key))?;
    value.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}
