//! Signals to stop the server. SIGTERM, SIGINT and the closing of its terminal (SIGHUP) let running questions finish. Without
//! a terminal, SIGHUP asks for new indexes.
//! Uses the settings.

use crate::config::ServerSettings;
use std::time::Duration;

/// Time for the server to close its connections after the time for running questions.
const STOP_GRACE: Duration = Duration::from_secs(2);

/// Resolves when the server should have stopped already: something blocks one of its threads.
pub async fn overdue(settings: &ServerSettings) {
    stop_signal().await;
    tokio::time::sleep(settings.stop_timeout + STOP_GRACE).await;
    tracing::error!("the server did not stop in time and is ended");
}

/// Resolves when the process is asked to stop.
pub(super) async fn stop_signal() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::SignalKind;
        tokio::select! {
            () = interrupted() => {}
            () = signalled(SignalKind::terminate()) => {}
            () = signalled(SignalKind::hangup()), if has_terminal() && !ignores_hangup() => {}
        }
    }
    #[cfg(not(unix))]
    interrupted().await;
}

/// SIGHUP for a process without a terminal, like a service: a request to check for new indexes.
pub struct ReloadSignal(#[cfg(unix)] Option<tokio::signal::unix::Signal>);

impl ReloadSignal {
    /// From now on, SIGHUP does not end the process. With a terminal, it signals the terminal's end and is left alone.
    #[cfg(unix)]
    pub fn listen() -> Self {
        use tokio::signal::unix::{SignalKind, signal};
        let wanted = !has_terminal() && !ignores_hangup();
        Self(wanted.then(|| signal(SignalKind::hangup()).ok()).flatten())
    }

    /// There is no such signal on this system.
    #[cfg(not(unix))]
    pub fn listen() -> Self {
        Self()
    }

    /// Resolves with the next signal.
    pub async fn next(&mut self) {
        #[cfg(unix)]
        if let Some(signal) = &mut self.0
            && signal.recv().await.is_some()
        {
            return;
        }
        std::future::pending::<()>().await;
    }
}

async fn interrupted() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// Without a handler, the system's default applies: the process ends at once.
#[cfg(unix)]
async fn signalled(kind: tokio::signal::unix::SignalKind) {
    match tokio::signal::unix::signal(kind) {
        Ok(mut signal) => drop(signal.recv().await),
        Err(_) => std::future::pending().await,
    }
}

/// Whether the process has a controlling terminal: only then can this device be opened
/// ([tty(4)](https://man7.org/linux/man-pages/man4/tty.4.html)).
#[cfg(unix)]
fn has_terminal() -> bool {
    std::fs::File::open("/dev/tty").is_ok()
}

/// Whether the process was started to outlive the terminal, as with `nohup`, which a handler would undo. If
/// the system does not report that (Linux does), SIGHUP is left alone.
#[cfg(unix)]
fn ignores_hangup() -> bool {
    std::fs::read_to_string("/proc/self/status")
        .ok()
        .and_then(|status| hangup_ignored(&status))
        .unwrap_or(true)
}

/// Parses the line `SigIgn:`, a mask in which SIGHUP is the lowest bit
/// ([proc_pid_status(5)](https://man7.org/linux/man-pages/man5/proc_pid_status.5.html)).
#[cfg(unix)]
fn hangup_ignored(status: &str) -> Option<bool> {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    Some(u64::from_str_radix(mask.trim(), 16).ok()? & 1 == 1)
}

#[cfg(all(test, unix))]
mod tests {
    use super::hangup_ignored;

    #[test]
    fn the_mask_of_ignored_signals_is_read() {
        let status = |mask: &str| format!("Name:\teruca\nSigBlk:\t0000000000000001\nSigIgn:\t{mask}\n");
        assert_eq!(hangup_ignored(&status("0000000000001001")), Some(true));
        assert_eq!(hangup_ignored(&status("0000000000001000")), Some(false));
        assert_eq!(hangup_ignored(&status("?")), None);
        assert_eq!(hangup_ignored("Name:\teruca\n"), None);
    }
}
