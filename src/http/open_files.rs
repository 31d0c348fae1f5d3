//! How many files the process may have open: each connection is one.

/// Files without which the service cannot work: those of its threads, of an index, of workers.
const NEEDED: u64 = 64;

/// The process may have too few files open.
#[derive(Debug, thiserror::Error)]
#[error(
    "the process may have only {allowed} files open at once, and the service needs {NEEDED} and two for each connection: raise \
     the limit before starting it, for example with `ulimit -n 2048` (systemd: LimitNOFILE, containers: --ulimit nofile)"
)]
pub struct OpenFilesError {
    allowed: u64,
}

/// Takes as many open files as the system allows.
///
/// # Errors
/// When these are too few for the service.
pub fn enough_open_files() -> Result<(), OpenFilesError> {
    match allowed() {
        Some(allowed) if allowed < NEEDED => Err(OpenFilesError { allowed }),
        Some(_) | None => Ok(()),
    }
}

/// How many of so many connections there can be: half of the files, as the rest is for indexes, endpoints and models.
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

/// The files that the process may have open, after taking all that it may take; `None` for any number.
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
