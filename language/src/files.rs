//! The files of a pack: TOML tables parsed by serde, and long word lists with one entry per line. Unreadable entries are skipped
//! and recorded; a test checks that there are none.

use serde::de::DeserializeOwned;

/// A pack embedded by the build script: file names and contents.
pub(super) type PackFiles = [(&'static str, &'static str)];

/// All packs, by language tag.
pub(super) static PACKS: &[(&str, &PackFiles)] = include!(concat!(env!("OUT_DIR"), "/packs.rs"));

/// The files of one pack while reading.
pub(super) struct Files {
    files: &'static PackFiles,
    read: Vec<&'static str>,
    faults: Vec<String>,
}

impl Files {
    pub(super) fn new(files: &'static PackFiles) -> Self {
        Self { files, read: Vec::new(), faults: Vec::new() }
    }

    /// The parsed content of a TOML file; the default if it is missing or invalid.
    pub(super) fn tables<T: DeserializeOwned + Default>(&mut self, name: &'static str) -> T {
        self.read.push(name);
        toml::from_str(self.text(name)).unwrap_or_else(|error| {
            self.faults.push(format!("{name}: {error}"));
            T::default()
        })
    }

    /// The lines of a list file, without comments.
    pub(super) fn lines(&self, name: &str) -> impl Iterator<Item = &'static str> + use<> {
        self.text(name).lines().map(|line| line.split('#').next().unwrap_or_default().trim())
    }

    /// Passes the lines of a list file to a reader, which returns `None` for an invalid line.
    pub(super) fn each_line(&mut self, name: &'static str, mut read: impl FnMut(&'static str) -> Option<()>) {
        self.read.push(name);
        for (number, line) in self.lines(name).enumerate() {
            if !line.is_empty() && read(line).is_none() {
                self.faults.push(format!("{name}, line {}: {line}", number + 1));
            }
        }
    }

    /// Passes on both sides of each line of a list file, separated by a colon.
    pub(super) fn each_pair(
        &mut self,
        name: &'static str,
        mut read: impl FnMut(&'static str, &'static str) -> Option<()>,
    ) {
        self.each_line(name, |line| {
            let (left, right) = line.split_once(':')?;
            read(left.trim(), right.trim())
        });
    }

    pub(super) fn all(&self) -> &'static PackFiles {
        self.files
    }

    /// Errors, and files that nothing reads.
    #[cfg(test)]
    pub(super) fn into_faults(mut self) -> Vec<String> {
        let unread = self.files.iter().map(|(name, _)| name).filter(|name| !self.read.contains(name));
        self.faults.extend(unread.map(|name| format!("{name}: no file of a pack")));
        self.faults
    }

    /// The text of a file; empty if it is missing.
    pub(super) fn text(&self, name: &str) -> &'static str {
        self.files.iter().find(|(file, _)| *file == name).map_or("", |(_, text)| *text)
    }
}
