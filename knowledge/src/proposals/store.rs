//! The files of proposals: one per dataset, of bounded size, readable by this account only. Several processes may write: each
//! change is made under a lock, and takes the place of the file at once, so that readers need none.

use super::{Decision, Proposal, ProposalState};
use eruca_sparql::one_line;
use siphasher::sip::SipHasher13;
use std::fs::{DirBuilder, File, OpenOptions};
use std::hash::{Hash, Hasher};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

/// Maximum number of proposals of a dataset that nobody has decided.
pub const MAX_OPEN: usize = 500;
/// Maximum size of a file in bytes. When it is reached, the oldest decided proposals are forgotten.
const MAX_BYTES: usize = 1 << 20;
/// Maximum length of the readable part of a file name.
const MAX_NAME_CHARS: usize = 40;

/// Why proposals cannot be read or changed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file cannot be read or written.
    #[error("the proposals in '{}' cannot be used: {source}; check [feedback] proposals_folder", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// Nobody has decided for long.
    #[error(
        "dataset '{dataset}' has {MAX_OPEN} open proposals, or as many as a file holds; `eruca learn` decides them"
    )]
    Full {
        /// The id of the dataset.
        dataset: String,
    },
    /// There is no such proposal.
    #[error("dataset '{dataset}' has no proposal '{id}'; `eruca learn --list` shows all")]
    Unknown {
        /// The id of the dataset.
        dataset: String,
        /// The id that was asked for.
        id: String,
    },
}

/// A folder of proposals.
#[derive(Debug, Clone)]
pub struct ProposalStore {
    folder: PathBuf,
}

impl ProposalStore {
    /// The proposals in this folder; it is made when the first one comes.
    pub fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// All proposals of a dataset, the oldest first.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn all(&self, dataset: &str) -> Result<Vec<Proposal>, StoreError> {
        let file = self.file(dataset);
        read(&file, dataset).map_err(|source| StoreError::File { file, source })
    }

    /// A proposal.
    ///
    /// # Errors
    /// When there is none with this id, or the file cannot be read.
    pub fn get(&self, dataset: &str, id: &str) -> Result<Proposal, StoreError> {
        let found = self.all(dataset)?.into_iter().find(|one| one.id == id);
        found.ok_or_else(|| unknown(dataset, id))
    }

    /// Adds a proposal, unless it is known already; gives the state of the one that is kept.
    ///
    /// # Errors
    /// When there are too many, or the file cannot be written.
    pub fn add(&self, proposal: &Proposal) -> Result<ProposalState, StoreError> {
        let dataset = &proposal.dataset;
        self.change(dataset, |all| {
            if let Some(known) = all.iter().find(|one| one.id == proposal.id) {
                return Ok(known.state);
            }
            if all.iter().filter(|one| one.state == ProposalState::Open).count() >= MAX_OPEN {
                return Err(StoreError::Full { dataset: dataset.clone() });
            }
            all.push(proposal.clone());
            Ok(ProposalState::Open)
        })
    }

    /// Notes what became of a proposal.
    ///
    /// # Errors
    /// When there is none with this id, or the file cannot be written.
    pub fn decide(
        &self,
        (dataset, id): (&str, &str),
        state: ProposalState,
        decision: Decision,
    ) -> Result<(), StoreError> {
        self.change(dataset, |all| {
            let one = all.iter_mut().find(|one| one.id == id).ok_or_else(|| unknown(dataset, id))?;
            (one.state, one.decided) = (state, Some(decision));
            Ok(())
        })
    }

    fn change<T>(
        &self,
        dataset: &str,
        change: impl FnOnce(&mut Vec<Proposal>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let file = self.file(dataset);
        let failed = |source| StoreError::File { file: file.clone(), source };
        let _lock = self.lock(&file).map_err(failed)?;
        let before = read(&file, dataset).map_err(failed)?;
        let mut after = before.clone();
        let done = change(&mut after)?;
        if after != before {
            let text = text(after).ok_or_else(|| StoreError::Full { dataset: dataset.to_owned() })?;
            replace(&file, &text).map_err(failed)?;
        }
        Ok(done)
    }

    /// Makes the folder, and waits until no other process changes the file.
    fn lock(&self, file: &Path) -> io::Result<File> {
        let mut builder = DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&self.folder)?;
        let lock = own(OpenOptions::new().create(true).append(true)).open(file.with_extension("lock"))?;
        lock.lock()?;
        Ok(lock)
    }

    fn file(&self, dataset: &str) -> PathBuf {
        let mut hasher = SipHasher13::new();
        dataset.hash(&mut hasher);
        let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
        let name: String = dataset.chars().take(MAX_NAME_CHARS).map(plain).collect();
        self.folder.join(format!("{}-{:016x}.jsonl", name.trim_matches('-'), hasher.finish()))
    }
}

fn unknown(dataset: &str, id: &str) -> StoreError {
    StoreError::Unknown { dataset: dataset.to_owned(), id: one_line(id, MAX_NAME_CHARS) }
}

/// The proposals of a file; lines that are none are left out.
fn read(file: &Path, dataset: &str) -> io::Result<Vec<Proposal>> {
    let mut text = String::new();
    match File::open(file) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        opened => opened?.take(MAX_BYTES as u64 + 1).read_to_string(&mut text)?,
    };
    let proposals = text.lines().filter_map(|line| serde_json::from_str::<Proposal>(line).ok());
    Ok(proposals.filter(|one| one.dataset == dataset).collect())
}

/// The lines of a file; `None` if the open proposals alone are too long.
fn text(mut all: Vec<Proposal>) -> Option<String> {
    loop {
        let lines: Vec<String> = all.iter().filter_map(|one| serde_json::to_string(one).ok()).collect();
        if lines.iter().map(|line| line.len() + 1).sum::<usize>() <= MAX_BYTES {
            return Some(lines.into_iter().map(|line| line + "\n").collect());
        }
        let oldest = all.iter().position(|one| one.state != ProposalState::Open)?;
        all.remove(oldest);
    }
}

fn replace(file: &Path, text: &str) -> io::Result<()> {
    let part = file.with_extension("part");
    own(OpenOptions::new().create(true).write(true).truncate(true))
        .open(&part)?
        .write_all(text.as_bytes())?;
    std::fs::rename(&part, file)
}

/// For this account alone.
fn own(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}
