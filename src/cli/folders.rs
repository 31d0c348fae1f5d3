//! The user's own folders, as
//! [XDG Base Directories](https://specifications.freedesktop.org/basedir-spec/latest/) names them.

use std::path::PathBuf;

/// For what is worth keeping and not worth a backup: the history of conversations, runs of files that nobody has configured.
pub(super) fn state() -> Option<PathBuf> {
    own("XDG_STATE_HOME", ".local/state")
}

/// For what can be made again: indexes of files that nobody has configured.
pub(super) fn cache() -> Option<PathBuf> {
    own("XDG_CACHE_HOME", ".cache")
}

fn own(variable: &str, usual: &str) -> Option<PathBuf> {
    let named = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let system = if cfg!(windows) { named("LOCALAPPDATA") } else { None };
    let folder = named(variable).or(system).or_else(|| Some(std::env::home_dir()?.join(usual)))?;
    Some(folder.join("eruca"))
}
