//! Folders in which Eruca removes old files by their names: whose they are. A file of somebody else may have such a name too, so
//! nothing is removed from a folder that Eruca has not begun to use when it was empty; a marker file says that it has.
//!
//! Knows no other module.
//!
//! Folders of earlier versions have no marker: there the content of every file has to show that Eruca wrote it. Tests:
//! `tests`, `http/runs/disk.rs`, `http/query_log.rs`.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What stands in a marker, for people.
const NOTE: &[u8] = b"Eruca keeps files in this folder and removes old ones. Keep nothing else here.\n";
/// A folder that file systems of Linux have at their top.
const RECOVERED: &str = "lost+found";

/// What is kept in a folder.
#[derive(Clone, Copy)]
pub struct Kind {
    /// Name of the marker.
    pub marker: &'static str,
    /// What the content of a file proves. A folder of an earlier version, which wrote no marker, is taken if nothing in it is
    /// foreign and at least one file is proved.
    pub proves: fn(&Path) -> Proof,
}

/// Whose file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    /// Its content shows that Eruca wrote it.
    Own,
    /// Eruca leaves such files, but there is nothing in it that would show so.
    Empty,
    /// Anything else.
    Foreign,
}

/// Makes the folder where there is none, for this account alone, and makes sure that it is Eruca's.
///
/// # Errors
/// When it cannot be made, read or marked, or it holds files of somebody else.
pub fn claim(folder: &Path, kind: Kind) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)?;
    let marker = folder.join(kind.marker);
    if is_marked(&marker) {
        return Ok(());
    }
    match foreign(folder, kind)? {
        // Another process may have marked it meanwhile, and written its first file.
        Some(name) if !is_marked(&marker) => Err(refusal(&name)),
        _ => mark(&marker),
    }
}

fn is_marked(marker: &Path) -> bool {
    fs::symlink_metadata(marker).is_ok_and(|about| about.is_file())
}

fn mark(marker: &Path) -> io::Result<()> {
    match OpenOptions::new().write(true).create_new(true).open(marker) {
        // It is the name that counts: on a full disk the note may be missing.
        Ok(mut file) => file.write_all(NOTE).or(Ok(())),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && is_marked(marker) => Ok(()),
        Err(error) => Err(error),
    }
}

/// A file in the folder that makes it somebody else's, if there is one.
fn foreign(folder: &Path, kind: Kind) -> io::Result<Option<PathBuf>> {
    let (mut proved, mut unproved) = (false, None);
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (path, name) = (entry.path(), entry.file_name());
        let is_file = fs::symlink_metadata(&path).is_ok_and(|about| about.is_file());
        match if is_file { (kind.proves)(&path) } else { Proof::Foreign } {
            Proof::Own => proved = true,
            Proof::Empty => unproved = Some(name.into()),
            Proof::Foreign if name == RECOVERED => {}
            Proof::Foreign => return Ok(Some(name.into())),
        }
    }
    Ok(unproved.filter(|_| !proved))
}

fn refusal(name: &Path) -> io::Error {
    io::Error::new(
        io::ErrorKind::AlreadyExists,
        format!(
            "it is not empty, and '{}' in it is not Eruca's; Eruca removes old files from this folder, so it takes only an \
             empty or new one, or its own: name another folder",
            name.display()
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: Kind = Kind { marker: ".marker", proves };

    fn proves(path: &Path) -> Proof {
        match fs::read(path).unwrap().as_slice() {
            b"own" => Proof::Own,
            b"" => Proof::Empty,
            _ => Proof::Foreign,
        }
    }

    fn with(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(folder.path().join(name), text).unwrap();
        }
        folder
    }

    #[test]
    fn an_empty_or_new_folder_is_taken_for_good() {
        let folder = with(&[]);
        let new = folder.path().join("a/b");
        claim(&new, KIND).unwrap();
        claim(with(&[]).path(), KIND).unwrap();
        fs::write(new.join("letter"), "mine").unwrap();
        claim(&new, KIND).unwrap();
        assert!(claim(&new, Kind { marker: ".other", ..KIND }).is_err(), "it is kept for something else");
    }

    #[test]
    fn a_folder_of_somebody_else_is_refused_and_left_as_it_is() {
        for files in [&[("a", "own"), ("b", "mine")][..], &[("a", "mine")], &[("a", "")]] {
            let folder = with(files);
            let said = claim(folder.path(), KIND).unwrap_err().to_string();
            assert!(said.contains("is not Eruca's") && said.contains("name another folder"), "{said}");
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), files.len());
        }
        let folder = with(&[("a", "own")]);
        fs::create_dir(folder.path().join("photos")).unwrap();
        assert!(claim(folder.path(), KIND).is_err());
    }

    #[test]
    fn a_folder_of_an_earlier_version_is_taken() {
        let folder = with(&[("a", "own"), ("b", "")]);
        fs::create_dir(folder.path().join(RECOVERED)).unwrap();
        claim(folder.path(), KIND).unwrap();
        assert!(folder.path().join(".marker").exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_no_marker() {
        let folder = with(&[("target", "mine")]);
        std::os::unix::fs::symlink(folder.path().join("target"), folder.path().join(".marker")).unwrap();
        assert!(claim(folder.path(), KIND).is_err());
    }
}
