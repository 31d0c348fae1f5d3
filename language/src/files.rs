//! The files of a pack: tables in TOML, which serde reads, and long lists of words with an entry a line. What cannot be read is
//! left out and noted: a test asks that there is nothing.

use serde::de::DeserializeOwned;

/// A pack as embedded by the build script: its files by name.
pub(super) type PackFiles = [(&'static str, &'static str)];

/// All packs, by the tag of their language.
pub(super) static PACKS: &[(&str, &PackFiles)] = include!(concat!(env!("OUT_DIR"), "/packs.rs"));

/// The files of one pack while they are read.
pub(super) struct Files {
    files: &'static PackFiles,
    read: Vec<&'static str>,
    faults: Vec<String>,
}

impl Files {
    pub(super) fn new(files: &'static PackFiles) -> Self {
        Self { files, read: Vec::new(), faults: Vec::new() }
    }

    /// What a file of tables holds; nothing where it is missing or cannot be read.
    pub(super) fn tables<T: DeserializeOwned + Default>(&mut self, name: &'static str) -> T {
        self.read.push(name);
        toml::from_str(self.text(name)).unwrap_or_else(|error| {
            self.faults.push(format!("{name}: {error}"));
            T::default()
        })
    }

    /// The lines of a list, without comments.
    pub(super) fn lines(&self, name: &str) -> impl Iterator<Item = &'static str> + use<> {
        self.text(name).lines().map(|line| line.split('#').next().unwrap_or_default().trim())
    }

    /// Hands the lines of a list to a reader, which returns `None` for one that it cannot read.
    pub(super) fn each_line(&mut self, name: &'static str, mut read: impl FnMut(&'static str) -> Option<()>) {
        self.read.push(name);
        for (number, line) in self.lines(name).enumerate() {
            if !line.is_empty() && read(line).is_none() {
                self.faults.push(format!("{name}, line {}: {line}", number + 1));
            }
        }
    }

    /// Hands on the two sides of the lines of a list, which a colon parts.
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

    /// What could not be read, and files that nothing reads.
    #[cfg(test)]
    pub(super) fn into_faults(mut self) -> Vec<String> {
        let unread = self.files.iter().map(|(name, _)| name).filter(|name| !self.read.contains(name));
        self.faults.extend(unread.map(|name| format!("{name}: no file of a pack")));
        self.faults
    }

    /// The text of a file; empty where it is missing.
    pub(super) fn text(&self, name: &str) -> &'static str {
        self.files.iter().find(|(file, _)| *file == name).map_or("", |(_, text)| *text)
    }
}
