//! The user's folders, as defined by the
//! [XDG Base Directories](https://specifications.freedesktop.org/basedir-spec/latest/).

use std::path::PathBuf;

/// For data worth keeping but not backing up: the history of conversations, runs about unconfigured files.
pub(super) fn state() -> Option<PathBuf> {
    own("XDG_STATE_HOME", ".local/state")
}

/// For data that can be recreated: indexes of unconfigured files.
pub(super) fn cache() -> Option<PathBuf> {
    own("XDG_CACHE_HOME", ".cache")
}

fn own(variable: &str, usual: &str) -> Option<PathBuf> {
    let named = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let system = if cfg!(windows) { named("LOCALAPPDATA") } else { None };
    let folder = named(variable).or(system).or_else(|| Some(std::env::home_dir()?.join(usual)))?;
    Some(folder.join("eruca"))
}
