//! The limit on open files of the process: each connection is one.

/// Minimum number of files that the service needs: for its threads, an index, workers.
const NEEDED: u64 = 64;

/// The limit on open files is too low for the process.
#[derive(Debug, thiserror::Error)]
#[error(
    "the process may have only {allowed} files open at once, and the service needs {NEEDED} and two for each connection: raise \
     the limit before starting it, for example with `ulimit -n 2048` (systemd: LimitNOFILE, containers: --ulimit nofile)"
)]
pub struct OpenFilesError {
    allowed: u64,
}

/// Raises the limit on open files to the maximum that the system allows.
///
/// # Errors
/// When the limit is too low for the service.
pub fn enough_open_files() -> Result<(), OpenFilesError> {
    match allowed() {
        Some(allowed) if allowed < NEEDED => Err(OpenFilesError { allowed }),
        Some(_) | None => Ok(()),
    }
}

/// How many of `most` connections are possible: half of the open files, as the rest is for indexes, endpoints and models.
pub(super) fn connections(most: usize) -> usize {
    let Some(allowed) = allowed() else { return most };
    let half = usize::try_from(allowed / 2).unwrap_or(usize::MAX);
    if half < most {
        tracing::warn!(
            "at most {half} connections instead of [server] max_connections = {most}: the process may have {allowed} files open \
             (ulimit -n)"
        );
    }
    half.min(most)
}

/// The limit on open files after raising it as far as possible; `None` for no limit.
#[cfg(unix)]
fn allowed() -> Option<u64> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    if limit.current != limit.maximum {
        let all = Rlimit { current: limit.maximum, maximum: limit.maximum };
        let _refused = setrlimit(Resource::Nofile, all);
    }
    getrlimit(Resource::Nofile).current
}

#[cfg(not(unix))]
fn allowed() -> Option<u64> {
    None
}
