//! Files with predictable names: locks, pointers, lists. Anyone who can write to the folder could
//! have put a symbolic link there, so none is followed. Uses nothing else of this package.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Opens a file for reading and appending, or creates it. Existing content is kept.
///
/// # Errors
/// When there is a symbolic link or something else than a regular file, or the system refuses.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    refuse_others(path)?;
    let mut options = OpenOptions::new();
    options.create(true).read(true).append(true);
    // A link created after the check is refused by the system (O_NOFOLLOW).
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NOFOLLOW);
    options.open(path)
}

/// Writes a new file and renames it over the existing one: readers see either the old or the new bytes.
///
/// # Errors
/// When either name is a symbolic link or not a regular file, or the disk cannot be written; the old file then remains.
pub fn replace_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let draft = draft_of(path);
    refuse_others(path)?;
    if refuse_others(&draft)? {
        // Left behind by a crash.
        std::fs::remove_file(&draft)?;
    }
    let mut file = OpenOptions::new().write(true).create_new(true).open(&draft)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    std::fs::rename(draft, path)
}

/// `current.new` for `current`.
fn draft_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    PathBuf::from(name)
}

/// Whether there is a regular file with this name; an error if it is something else.
fn refuse_others(path: &Path) -> io::Result<bool> {
    let kind = match std::fs::symlink_metadata(path) {
        Ok(data) => data.file_type(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
    };
    if kind.is_file() {
        return Ok(true);
    }
    let what = if kind.is_symlink() { "a symbolic link" } else { "no regular file" };
    Err(io::Error::other(format!(
        "'{}' is {what}; Eruca writes its own file there and follows no link: remove it, or name another folder",
        path.display()
    )))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn no_link_is_followed_and_its_target_stays_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let (target, link) = (folder.path().join("target"), folder.path().join("link"));
        std::fs::write(&target, "precious").unwrap();
        symlink(&target, &link).unwrap();
        let draft = folder.path().join("file.new");
        symlink(&target, &draft).unwrap();
        let refused = [
            open(&link).err(),
            replace_file(&link, b"x").err(),
            replace_file(&folder.path().join("file"), b"x").err(),
        ];
        for error in refused {
            let said = error.unwrap().to_string();
            assert!(said.contains("symbolic link") && said.contains("remove it"), "{said}");
        }
        assert_eq!(std::fs::read_to_string(&target).unwrap(), "precious");
    }

    #[test]
    fn a_file_is_replaced_and_what_a_crash_left_does_not_matter() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(draft_of(&file), "half").unwrap();
        for text in ["one", "two"] {
            replace_file(&file, text.as_bytes()).unwrap();
            assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
        }
        assert!(!draft_of(&file).exists());
        assert_eq!(open(&file).unwrap().metadata().unwrap().len(), 3);
    }
}
