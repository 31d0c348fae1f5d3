//! Checksums as hubs tell them: SHA-256 of large files, and of small ones the name that Git gives to their bytes.

use sha1::Sha1;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

const STEP_BYTES: usize = 1 << 18;

/// What a file must come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Checksum {
    /// Of its bytes, in hexadecimal digits.
    Sha256(String),
    /// SHA-1 of Git's header and its bytes.
    Git(String),
}

impl std::fmt::Display for Checksum {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Sha256(digits) => write!(f, "SHA-256 {digits}"),
            Self::Git(digits) => write!(f, "Git's SHA-1 {digits}"),
        }
    }
}

/// Both checksums of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sums {
    pub(super) bytes: u64,
    pub(super) sha256: String,
    git: String,
}

impl Sums {
    /// Reads a whole file.
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let bytes = file.metadata()?.len();
        let (mut sums, mut step) = (Summing::of_length(bytes), vec![0; STEP_BYTES]);
        loop {
            match file.read(&mut step) {
                Ok(0) => return Ok(sums.done(bytes)),
                Ok(count) => sums.add(step.get(..count).unwrap_or_default()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    pub(super) fn of_bytes(content: &[u8]) -> Self {
        let mut sums = Summing::of_length(content.len() as u64);
        sums.add(content);
        sums.done(content.len() as u64)
    }

    pub(super) fn fit(&self, checksum: &Checksum) -> bool {
        match checksum {
            Checksum::Sha256(digits) => *digits == self.sha256,
            Checksum::Git(digits) => *digits == self.git,
        }
    }
}

struct Summing {
    sha256: Sha256,
    git: Sha1,
}

impl Summing {
    fn of_length(bytes: u64) -> Self {
        let mut git = Sha1::new();
        git.update(format!("blob {bytes}\0"));
        Self { sha256: Sha256::new(), git }
    }

    fn add(&mut self, content: &[u8]) {
        self.sha256.update(content);
        self.git.update(content);
    }

    fn done(self, bytes: u64) -> Sums {
        Sums { bytes, sha256: digits(&self.sha256.finalize()), git: digits(&self.git.finalize()) }
    }
}

fn digits(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The figures are those of `sha256sum` and `git hash-object`.
    #[test]
    fn sums_are_those_of_other_programs() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "hello\n").unwrap();
        let sums = Sums::of(&file).unwrap();
        let sha256 = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03";
        assert_eq!((sums.bytes, sums.sha256.as_str()), (6, sha256));
        assert!(sums.fit(&Checksum::Git("ce013625030ba8dba906f756967f9e9ca394464a".to_owned())));
        assert_eq!(Sums::of_bytes(b"hello\n"), sums);
        assert!(!sums.fit(&Checksum::Git("ce013625030ba8dba906f756967f9e9ca394464b".to_owned())));
    }
}
