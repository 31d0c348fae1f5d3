//! RDF files as arguments: paths, patterns, folders, and `-` for standard input, which is saved to a file.

use super::CliError;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use eruca_indexer::GivenFormat;
use std::fs::{File, OpenOptions};
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use uuid::Uuid;

/// Argument that stands for standard input instead of a file.
pub(super) const STANDARD_INPUT: &str = "-";
/// The name of a graph from standard input.
const NAME: &str = "standard-input";
/// The previous file, kept by [`Replaced`] until [`settle`](Replaced::settle) is called.
const BEFORE: &str = "standard-input.before";
const COPY_BYTES: usize = 1 << 16;

/// How files are read.
#[derive(Debug, Args)]
pub struct FormatArgs {
    /// Format of the RDF files, if neither their names nor their content show it
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    pub format: Option<GivenFormat>,
}

fn formats() -> impl TypedValueParser<Value = GivenFormat> {
    let values = GivenFormat::ALL.map(|format| {
        let value = PossibleValue::new(format.name());
        if format.ending() == format.name() { value } else { value.alias(format.ending()) }
    });
    PossibleValuesParser::new(values)
        .try_map(|name| GivenFormat::named(&name).ok_or("there is no such format"))
}

/// Whether one of the files is standard input.
///
/// # Errors
/// When it is named twice, since it can be read only once.
pub(super) fn has_stdin(files: &[PathBuf]) -> Result<bool, CliError> {
    match files.iter().filter(|file| file.as_os_str() == STANDARD_INPUT).count() {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(CliError::Arguments("standard input can be read once: write one -")),
    }
}

/// The files with `copy` in place of standard input.
pub(super) fn with_copy(files: Vec<PathBuf>, copy: &Path) -> Vec<PathBuf> {
    let file = |file: PathBuf| if file.as_os_str() == STANDARD_INPUT { copy.to_owned() } else { file };
    files.into_iter().map(file).collect()
}

/// A graph name derived from its files: the first file's name up to its first dot, `graph` for `more/graph.nt.gz`.
pub(super) fn name_of(files: &[PathBuf]) -> String {
    let first = files.first().filter(|first| first.as_os_str() != STANDARD_INPUT);
    let Some(first) = first else { return NAME.to_owned() };
    let whole = std::path::absolute(first).unwrap_or_else(|_| first.clone());
    let name = whole.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    match name.split('.').next() {
        Some(stem) if !stem.is_empty() => stem.to_owned(),
        _ => "graph".to_owned(),
    }
}

/// Saves standard input to a file in this folder. The name is derived from the content, so that the same content is one file.
///
/// # Errors
/// When standard input cannot be read, or the folder cannot be written.
pub(super) fn keep_stdin(folder: &Path) -> Result<PathBuf, CliError> {
    let failed = |reason| CliError::StandardInput { folder: folder.to_owned(), reason };
    let (part, hash) = copy(&mut io::stdin().lock(), folder).map_err(failed)?;
    let kept = folder.join(format!("{NAME}-{hash:016x}"));
    std::fs::rename(&part, &kept).map_err(failed)?;
    Ok(kept)
}

/// Standard input saved to a file in an index folder, replacing an earlier one.
pub(super) struct Replaced {
    /// The file.
    pub(super) file: PathBuf,
    before: PathBuf,
}

impl Replaced {
    /// Reads standard input.
    ///
    /// # Errors
    /// When it cannot be read, or the folder cannot be written.
    pub(super) fn read(folder: &Path) -> Result<Self, CliError> {
        let failed = |reason| CliError::StandardInput { folder: folder.to_owned(), reason };
        let (part, _) = copy(&mut io::stdin().lock(), folder).map_err(failed)?;
        Self::put(&part, folder).map_err(failed)
    }

    fn put(part: &Path, folder: &Path) -> io::Result<Self> {
        let (file, before) = (folder.join(NAME), folder.join(BEFORE));
        if file.exists() {
            std::fs::rename(&file, &before)?;
        }
        std::fs::rename(part, &file)?;
        Ok(Self { file, before })
    }

    /// Keeps the new file if the index was built from it; otherwise restores the old file, to which the old index belongs.
    pub(super) fn settle(self, built: bool) {
        let settled = match (built, self.before.exists()) {
            (true, true) => std::fs::remove_file(&self.before),
            (true, false) => Ok(()),
            (false, true) => std::fs::rename(&self.before, &self.file),
            (false, false) => std::fs::remove_file(&self.file),
        };
        if let Err(error) = settled {
            tracing::warn!(file = %self.file.display(), %error, "the copy of standard input could not be kept or removed");
        }
    }
}

/// Copies into a new file in the folder, which is created if missing; returns the path and a hash of the content.
fn copy(from: &mut impl Read, folder: &Path) -> io::Result<(PathBuf, u64)> {
    std::fs::create_dir_all(folder)?;
    let path = folder.join(format!("{NAME}-{}.part", Uuid::new_v4().simple()));
    let mut file = own_file(&path)?;
    match copy_into(from, &mut file) {
        Ok(hash) => Ok((path, hash)),
        Err(error) => {
            // An incomplete graph is useless; the copy error matters more than a failure to remove the file.
            let _removed = std::fs::remove_file(&path);
            Err(error)
        }
    }
}

fn copy_into(from: &mut impl Read, file: &mut File) -> io::Result<u64> {
    let (mut hasher, mut buffer) = (DefaultHasher::new(), vec![0; COPY_BYTES]);
    loop {
        let count = match from.read(&mut buffer) {
            Ok(count) => count,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let Some(read) = buffer.get(..count).filter(|read| !read.is_empty()) else { break };
        hasher.write(read);
        file.write_all(read)?;
    }
    file.flush()?;
    Ok(hasher.finish())
}

/// A new file readable by this account only, as a piped graph has no permissions to copy.
fn own_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_graph_is_named_after_its_first_file() {
        let name = |file: &str| name_of(&[file.into(), "other.ttl".into()]);
        assert_eq!(name("more/graph.nt.gz"), "graph");
        assert_eq!(name("folder/"), "folder");
        assert_eq!(name(".ttl"), "graph");
        assert_eq!(name("-"), "standard-input");
        assert_ne!(name("."), "", "the folder itself has a name");
    }

    #[test]
    fn the_same_content_has_the_same_name() {
        let folder = tempfile::tempdir().unwrap();
        let copied = |text: &str| copy(&mut text.as_bytes(), folder.path()).unwrap();
        let long = "x".repeat(COPY_BYTES + 1);
        assert_eq!(copied(&long).1, copied(&long).1);
        assert_ne!(copied(&long).1, copied("x").1);
        assert_eq!(std::fs::read_to_string(copied(&long).0).unwrap(), long);
    }

    #[test]
    fn the_old_copy_comes_back_when_nothing_was_built() {
        let folder = tempfile::tempdir().unwrap();
        let put = |text: &str| {
            let (part, _) = copy(&mut text.as_bytes(), folder.path()).unwrap();
            Replaced::put(&part, folder.path()).unwrap()
        };
        let kept = || std::fs::read_to_string(folder.path().join(NAME)).ok();
        put("broken").settle(false);
        assert_eq!(kept(), None);
        put("first").settle(true);
        put("broken").settle(false);
        assert_eq!(kept().as_deref(), Some("first"));
        put("second").settle(true);
        assert_eq!(kept().as_deref(), Some("second"));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
    }

    #[test]
    fn standard_input_is_read_once() {
        assert!(!has_stdin(&["a".into()]).unwrap());
        assert!(has_stdin(&["a".into(), "-".into()]).unwrap());
        assert!(has_stdin(&["-".into(), "-".into()]).is_err());
        assert_eq!(with_copy(vec!["a".into(), "-".into()], Path::new("x")), [Path::new("a"), Path::new("x")]);
    }
}
