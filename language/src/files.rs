//! The text files of a pack, line by line. A line that cannot be read is left out and noted: a test asks that
//! there is none.

use crate::text::{fold, normalize_word};

/// A pack as embedded by the build script: its files by name, without their ending.
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

    /// The lines of a file, without comments.
    pub(super) fn lines(&self, name: &str) -> impl Iterator<Item = &'static str> + use<> {
        let text = self.files.iter().find(|(file, _)| *file == name).map_or("", |(_, text)| *text);
        text.lines().map(|line| line.split('#').next().unwrap_or_default().trim())
    }

    /// Hands the lines of a file to a reader, which returns `None` for one that it cannot read.
    pub(super) fn each_line(&mut self, name: &'static str, mut read: impl FnMut(&'static str) -> Option<()>) {
        self.read.push(name);
        for (number, line) in self.lines(name).enumerate() {
            if !line.is_empty() && read(line).is_none() {
                self.faults.push(format!("{name}.txt, line {}: {line}", number + 1));
            }
        }
    }

    /// Hands on the two sides of the lines of a file, which a colon parts.
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

    /// Lines that could not be read, and files that nothing reads.
    pub(super) fn into_faults(mut self) -> Vec<String> {
        let unread = self.files.iter().map(|(name, _)| name).filter(|name| !self.read.contains(name));
        self.faults.extend(unread.map(|name| format!("{name}.txt: no file of a pack")));
        self.faults
    }
}

/// Phrases with commas between them.
pub(super) fn phrases(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').map(str::trim).filter(|phrase| !phrase.is_empty())
}

/// The words of a phrase, folded. The possessive ending is a word of its own, other apostrophes part words.
pub(super) fn folded_words(phrase: &str) -> Vec<String> {
    let folded = fold(phrase).replace('’', "'");
    let mut words = Vec::new();
    for piece in folded.split(|c: char| !c.is_alphanumeric() && c != '\'') {
        let (piece, possessive) = match piece.strip_suffix("'s") {
            Some(owner) => (owner, true),
            None => (piece, false),
        };
        words.extend(piece.split('\'').filter(|part| !part.is_empty()).map(str::to_owned));
        if possessive {
            words.push(POSSESSIVE.to_owned());
        }
    }
    words
}

/// The possessive ending as a word.
pub const POSSESSIVE: &str = "'s";

/// A phrase as the key of a table: folded, one space between its words.
pub(super) fn key(phrase: &str) -> String {
    folded_words(phrase).join(" ")
}

/// A word of a table as the indexes have it; `_` stands for the space of a phrase.
pub(super) fn normal(word: &str) -> String {
    let parts: Vec<String> = word.split('_').map(normalize_word).filter(|part| !part.is_empty()).collect();
    parts.join(" ")
}
