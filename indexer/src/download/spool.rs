//! The download on disk: statements as compressed N-Triples, and a journal of the progress.
//!
//! ```text
//! INDEX/download/statements.nt.zst   a compressed frame per page
//! INDEX/download/journal.jsonl       the plan, then a line per page with the length of the file after it
//! INDEX/download/lock                held while a download runs
//! ```
//! A page counts once its line is in the journal; anything written after that by a killed program is truncated.

use super::plan::{DownloadPlan, GraphPart};
use super::scan::ScanStep;
use super::{DownloadError, DownloadOptions};
use crate::own_files;
use eruca_sparql::{Literal, NamedNode, Term, Triple};
use oxrdf::NamedOrBlankNode;
use serde::{Deserialize, Serialize};
use std::fs::{File, TryLockError};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

const FOLDER: &str = "download";
const STATEMENTS: &str = "statements.nt.zst";
const JOURNAL: &str = "journal.jsonl";
const LOCK: &str = "lock";
/// Version of the journal format.
const FORMAT: u32 = 1;
/// Compression level of zstd: fast, and the result is about a tenth of the text.
const COMPRESSION_LEVEL: i32 = 3;

/// Where a part continues.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Position {
    /// The last subject that was read completely.
    pub(super) after: String,
    /// Number of statements read.
    pub(super) rows: u64,
    /// The subject whose objects are being read.
    pub(super) subject: Option<String>,
    /// Number of objects of that subject, or of statements of a sample, that were read.
    pub(super) offset: u64,
    /// Why there is only a sample.
    pub(super) sampling: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum JournalLine {
    Start {
        format: u32,
        endpoint: String,
        graphs: Vec<String>,
        plan: DownloadPlan,
    },
    Page {
        part: usize,
        bytes: u64,
        statements: u64,
        broken: u64,
        done: bool,
        position: Position,
        note: Option<String>,
        more: Vec<GraphPart>,
    },
}

/// A part with its position, and whether it is complete.
#[derive(Debug)]
struct PartProgress {
    part: GraphPart,
    position: Position,
    done: bool,
}

/// The files of a download.
#[derive(Debug)]
pub(super) struct Spool {
    folder: PathBuf,
    endpoint: String,
    graphs: Vec<String>,
    data: File,
    journal: File,
    bytes: u64,
    statements: u64,
    broken: u64,
    expected: Option<u64>,
    parts: Vec<PartProgress>,
    notes: Vec<String>,
    /// Held until the download is dropped.
    _lock: File,
}

impl Spool {
    /// Resumes an earlier run for the same graph, or starts from scratch.
    pub(super) fn open(endpoint: &str, options: &DownloadOptions<'_>) -> Result<Self, DownloadError> {
        let folder = options.folder.join(FOLDER);
        Self::open_in(&folder, endpoint, options).map_err(|source| DownloadError::Spool { folder, source })
    }

    fn open_in(folder: &Path, endpoint: &str, options: &DownloadOptions<'_>) -> io::Result<Self> {
        std::fs::create_dir_all(folder)?;
        let lock = lock(folder)?;
        let open = |name: &str| own_files::open(&folder.join(name));
        let (data, journal) = (open(STATEMENTS)?, open(JOURNAL)?);
        let mut spool = Self {
            folder: folder.to_owned(),
            endpoint: endpoint.to_owned(),
            graphs: options.graphs.to_vec(),
            data,
            journal,
            bytes: 0,
            statements: 0,
            broken: 0,
            expected: None,
            parts: Vec::new(),
            notes: Vec::new(),
            _lock: lock,
        };
        let kept = spool.replay()?;
        spool.journal.set_len(kept)?;
        spool.data.set_len(spool.bytes)?;
        Ok(spool)
    }

    /// Replays the journal as far as there are data; returns the length of that part.
    fn replay(&mut self) -> io::Result<u64> {
        let written = self.data.metadata()?.len();
        let mut kept = 0;
        let mut lines = BufReader::new(File::open(self.folder.join(JOURNAL))?);
        let mut text = Vec::new();
        while lines.read_until(b'\n', &mut text)? > 0 && text.ends_with(b"\n") {
            // The journal is valid up to the first line that is incomplete or belongs to another graph.
            let Ok(line) = serde_json::from_slice(&text) else { break };
            if !self.take(line, written) {
                break;
            }
            kept += text.len() as u64;
            text.clear();
        }
        Ok(kept)
    }

    fn take(&mut self, line: JournalLine, written: u64) -> bool {
        match line {
            JournalLine::Start { format, endpoint, graphs, plan } => {
                let fits = format == FORMAT && endpoint == self.endpoint && graphs == self.graphs;
                if fits && self.parts.is_empty() {
                    self.take_plan(plan);
                }
                fits
            }
            JournalLine::Page { bytes, .. } if bytes > written => false,
            JournalLine::Page { part, bytes, statements, broken, done, position, note, more } => {
                let Some(state) = self.parts.get_mut(part) else { return false };
                (state.position, state.done) = (position, done);
                (self.bytes, self.statements, self.broken) = (bytes, statements, broken);
                self.notes.extend(note);
                self.extend(more);
                true
            }
        }
    }

    fn take_plan(&mut self, plan: DownloadPlan) {
        self.expected = plan.expected;
        self.notes = plan.notes;
        self.extend(plan.parts);
    }

    fn extend(&mut self, parts: Vec<GraphPart>) {
        let state = |part| PartProgress { part, position: Position::default(), done: false };
        self.parts.extend(parts.into_iter().map(state));
    }

    pub(super) fn is_planned(&self) -> bool {
        !self.parts.is_empty()
    }

    /// Writes the plan to the journal.
    pub(super) fn start(&mut self, plan: &DownloadPlan) -> Result<(), DownloadError> {
        let line = JournalLine::Start {
            format: FORMAT,
            endpoint: self.endpoint.clone(),
            graphs: self.graphs.clone(),
            plan: plan.clone(),
        };
        self.note_down(&line).map_err(|source| self.failed(source))?;
        self.take_plan(plan.clone());
        Ok(())
    }

    /// The unfinished parts, with their numbers.
    pub(super) fn unfinished(&self) -> Vec<(usize, GraphPart, Position)> {
        let parts = self.parts.iter().enumerate().filter(|(_, state)| !state.done);
        parts.map(|(number, state)| (number, state.part.clone(), state.position.clone())).collect()
    }

    /// Writes a page and the state of its part; returns the parts that were added.
    pub(super) fn add(
        &mut self,
        number: usize,
        step: &ScanStep,
    ) -> Result<Vec<(usize, GraphPart, Position)>, DownloadError> {
        self.write(number, step).map_err(|source| self.failed(source))?;
        let first = self.parts.len();
        if let Some(state) = self.parts.get_mut(number) {
            (state.position, state.done) = (step.position.clone(), step.done);
        }
        self.notes.extend(step.note.clone());
        self.extend(step.more.clone());
        let new = step.more.iter().enumerate();
        Ok(new.map(|(at, part)| (first + at, part.clone(), Position::default())).collect())
    }

    fn write(&mut self, number: usize, step: &ScanStep) -> io::Result<()> {
        let mut text = Vec::new();
        for triple in &step.rows {
            if is_valid(triple) {
                writeln!(text, "{triple} .")?;
                self.statements += 1;
            } else {
                self.broken += 1;
            }
        }
        if !text.is_empty() {
            let frame = zstd::encode_all(text.as_slice(), COMPRESSION_LEVEL)?;
            self.data.write_all(&frame)?;
            self.data.sync_data()?;
            self.bytes += frame.len() as u64;
        }
        self.note_down(&JournalLine::Page {
            part: number,
            bytes: self.bytes,
            statements: self.statements,
            broken: self.broken,
            done: step.done,
            position: step.position.clone(),
            note: step.note.clone(),
            more: step.more.clone(),
        })
    }

    /// A single write, so that a line is either there or not.
    fn note_down(&mut self, line: &JournalLine) -> io::Result<()> {
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        self.journal.write_all(&text)
    }

    /// Logs what was left out.
    pub(super) fn finish(&mut self) -> Result<(), DownloadError> {
        if self.broken > 0 {
            self.notes
                .push(format!("{} statements with broken IRIs or language tags are left out", self.broken));
        }
        self.journal.sync_data().map_err(|source| self.failed(source))
    }

    pub(super) fn file(&self) -> PathBuf {
        self.folder.join(STATEMENTS)
    }

    pub(super) fn statements(&self) -> u64 {
        self.statements
    }

    pub(super) fn expected(&self) -> Option<u64> {
        self.expected
    }

    pub(super) fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Removes its files; what cannot be removed is overwritten next time.
    pub(super) fn remove(self) {
        if let Err(error) = remove_files(&self.folder) {
            tracing::warn!(folder = %self.folder.display(), %error, "a download could not be removed");
        }
    }

    fn failed(&self, source: io::Error) -> DownloadError {
        DownloadError::Spool { folder: self.folder.clone(), source }
    }
}

/// Removes the remains of a download, unless one is running.
pub(super) fn forget(index: &Path) -> Result<(), DownloadError> {
    let folder = index.join(FOLDER);
    let removed = || {
        if folder.is_dir() {
            let _lock = lock(&folder)?;
            remove_files(&folder)?;
        }
        Ok(())
    };
    removed().map_err(|source| DownloadError::Spool { folder: folder.clone(), source })
}

/// Removes the files of a download, and the folder if it contains nothing else.
fn remove_files(folder: &Path) -> io::Result<()> {
    for name in [STATEMENTS, JOURNAL, LOCK] {
        match std::fs::remove_file(folder.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    if std::fs::read_dir(folder)?.next().is_none() { std::fs::remove_dir(folder) } else { Ok(()) }
}

fn lock(folder: &Path) -> io::Result<File> {
    let lock = own_files::open(&folder.join(LOCK))?;
    lock.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => {
            io::Error::new(io::ErrorKind::WouldBlock, "another download of this index is running")
        }
        TryLockError::Error(error) => error,
    })?;
    Ok(lock)
}

/// Whether the statement is valid in a file: endpoints may return data that were loaded without validation.
fn is_valid(triple: &Triple) -> bool {
    let iri = |node: &NamedNode| NamedNode::new(node.as_str()).is_ok();
    let subject = match &triple.subject {
        NamedOrBlankNode::NamedNode(node) => iri(node),
        NamedOrBlankNode::BlankNode(_) => true,
    };
    let object = match &triple.object {
        Term::NamedNode(node) => iri(node),
        Term::BlankNode(_) => true,
        Term::Literal(literal) => match literal.language() {
            Some(tag) => Literal::new_language_tagged_literal(literal.value(), tag).is_ok(),
            None => NamedNode::new(literal.datatype().as_str()).is_ok(),
        },
    };
    subject && iri(&triple.predicate) && object
}
