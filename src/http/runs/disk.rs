//! Runs as files: one each, named by its id, readable by this account only, limited in number and age.

use super::{KeptRun, question_of};
use crate::own_folder::{self, Kind, Proof};
use crate::service::RunId;
use eruca_api::Run;
use serde::{Deserialize, Serialize};
use std::fs::{self, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

/// The version of the file format; others are not read.
const FORMAT: u32 = 1;
/// Maximum size of a file that is read.
const MAX_BYTES: u64 = 64 << 20;
/// The extension of a run's file, and of one being written.
const ENDING: &str = "json";
const DRAFT: &str = "new";
/// Older drafts are leftovers: writing one takes moments. Younger ones may belong to another process that shares the folder.
const DRAFT_AGE: Duration = Duration::from_secs(600);
/// Maximum number of files written between two clean-ups; with few files, it is a tenth of their number.
const TIDY_EVERY: usize = 100;

/// So many times as many files are read as questions are wanted: some are about other datasets.
const OF_OTHERS: usize = 5;

/// The folder of runs; several services may share one.
const KIND: Kind = Kind { marker: ".eruca-runs", proves: proof };
/// The beginning of a run's file.
const BEGIN: &[u8] = b"{\"format\":1,\"events\":";

/// A folder of runs.
pub(super) struct Disk {
    folder: PathBuf,
    max_files: usize,
    max_age: Duration,
    written: AtomicUsize,
}

#[derive(Serialize)]
struct WrittenFile<'a> {
    format: u32,
    events: u64,
    run: &'a Run,
    #[serde(skip_serializing_if = "Option::is_none")]
    graph: Option<&'a str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    seal: &'a str,
}

#[derive(Deserialize)]
struct ReadFile {
    format: u32,
    events: u64,
    run: Run,
    #[serde(default)]
    graph: Option<String>,
    #[serde(default)]
    seal: String,
}

/// Fields that every run file has, whatever the format version.
#[derive(Deserialize)]
#[expect(dead_code, reason = "that these are there is what counts")]
struct Proved {
    format: u32,
    events: u64,
    run: ProvedRun,
}

#[derive(Deserialize)]
struct ProvedRun {
    id: String,
}

/// The file of a run.
///
/// # Errors
/// When it cannot be serialized as JSON.
pub(super) fn written(kept: &KeptRun) -> serde_json::Result<Vec<u8>> {
    let KeptRun { run, events, log: _, graph, seal } = kept;
    let graph = graph.as_deref();
    serde_json::to_vec(&WrittenFile { format: FORMAT, events: *events, run, graph, seal })
}

impl Disk {
    /// Opens the folder, or creates it.
    ///
    /// # Errors
    /// When it cannot be created or read, or does not belong to Eruca.
    pub(super) fn open(folder: &Path, max_files: usize, max_age: Duration) -> io::Result<Self> {
        let named = |error: io::Error| {
            io::Error::new(
                error.kind(),
                format!("[runs] folder '{}' cannot be used: {error}", folder.display()),
            )
        };
        own_folder::claim(folder, KIND).map_err(named)?;
        let disk = Self { folder: folder.to_owned(), max_files, max_age, written: AtomicUsize::new(0) };
        disk.tidy().map_err(named)?;
        Ok(disk)
    }

    /// Writes a run to a draft and renames it, so that readers see all of it or nothing.
    pub(super) fn keep(&self, id: RunId, file: &[u8]) -> io::Result<()> {
        let (path, draft) = (self.path(id, ENDING), self.path(id, DRAFT));
        let mut options = OpenOptions::new();
        // Existing files and targets of links are never written to.
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let written = options.open(&draft)?.write_all(file).and_then(|()| fs::rename(&draft, path));
        if written.is_err() {
            // The disk may be full; failed drafts must not accumulate.
            remove(&draft);
        }
        written?;
        // Not after each file when the folder is full, as each clean-up reads all of it.
        let every = (self.max_files / 10).clamp(1, TIDY_EVERY);
        let written = self.written.fetch_add(1, Ordering::Relaxed) + 1;
        if written.is_multiple_of(every) { self.tidy() } else { Ok(()) }
    }

    /// The run with this id; `None` if there is none, it is too old, or its file is invalid.
    pub(super) fn get(&self, id: RunId) -> Option<KeptRun> {
        let path = self.path(id, ENDING);
        let about = fs::symlink_metadata(&path).ok().filter(fs::Metadata::is_file)?;
        if self.is_old(&about) {
            return None;
        }
        let mut bytes = Vec::new();
        fs::File::open(&path).ok()?.take(MAX_BYTES).read_to_end(&mut bytes).ok()?;
        let read = serde_json::from_slice::<ReadFile>(&bytes);
        let read = read
            .inspect_err(|error| tracing::warn!(%error, run = %id, "the file of a run is damaged"))
            .ok()?;
        let ReadFile { format, events, run, graph, seal } = read;
        let graph = graph.map(Arc::from);
        let own = format == FORMAT && run.id == id.to_string();
        own.then(|| KeptRun { run: run.into(), events, log: None, graph, seal })
    }

    /// The last questions about a dataset, the newest first.
    pub(super) fn recent(&self, dataset: &str, most: usize) -> Vec<String> {
        recent_in(&self.folder, dataset, most)
    }

    fn path(&self, id: RunId, ending: &str) -> PathBuf {
        self.folder.join(format!("{id}.{ending}"))
    }

    fn is_old(&self, about: &fs::Metadata) -> bool {
        is_older(about, self.max_age)
    }

    /// Removes files that are too old or too many, oldest first. Only files with names of runs are touched.
    fn tidy(&self) -> io::Result<()> {
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            let Ok(about) = fs::symlink_metadata(&path) else { continue };
            if !about.is_file() || !is_runs(&path) {
                continue;
            }
            let draft = path.extension().is_some_and(|ending| ending == DRAFT);
            if self.is_old(&about) || draft && is_older(&about, DRAFT_AGE) {
                remove(&path);
            } else if !draft {
                files.push((about.modified().unwrap_or(SystemTime::UNIX_EPOCH), path));
            }
        }
        files.sort();
        let surplus = files.len().saturating_sub(self.max_files);
        files.iter().take(surplus).for_each(|(_, path)| remove(path));
        Ok(())
    }
}

/// The last questions about a dataset in a folder of runs, the newest first. Of others, some files are read.
pub(super) fn recent_in(folder: &Path, dataset: &str, most: usize) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let dated = entries.filter(|path| is_runs(path)).filter_map(|path| {
        let about = fs::symlink_metadata(&path).ok().filter(fs::Metadata::is_file)?;
        Some((about.modified().unwrap_or(SystemTime::UNIX_EPOCH), path))
    });
    let mut files: Vec<(SystemTime, PathBuf)> = dated.collect();
    files.sort();
    let read = |path: PathBuf| {
        let mut bytes = Vec::new();
        fs::File::open(&path).ok()?.take(MAX_BYTES).read_to_end(&mut bytes).ok()?;
        let file = serde_json::from_slice::<ReadFile>(&bytes).ok().filter(|file| file.format == FORMAT)?;
        question_of(&file.run, dataset)
    };
    let newest = files.into_iter().rev().take(most.saturating_mul(OF_OTHERS));
    newest.filter_map(|(_, path)| read(path)).take(most).collect()
}

fn is_older(about: &fs::Metadata, age: Duration) -> bool {
    let then = about.modified().ok();
    then.and_then(|then| SystemTime::now().duration_since(then).ok()).is_some_and(|passed| passed > age)
}

/// Whether a file has the name of a run.
fn is_runs(path: &Path) -> bool {
    let ending = path.extension().is_some_and(|ending| ending == ENDING || ending == DRAFT);
    ending && path.file_stem().and_then(|stem| stem.to_str()).and_then(RunId::parse).is_some()
}

/// Whether a file was written by [`Disk::keep`]; a draft may be incomplete.
fn proof(path: &Path) -> Proof {
    let Some(id) = path.file_stem().filter(|_| is_runs(path)).and_then(|stem| stem.to_str()) else {
        return Proof::Foreign;
    };
    let mut bytes = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(MAX_BYTES).read_to_end(&mut bytes));
    let is_draft = path.extension().is_some_and(|ending| ending == DRAFT);
    let own = match is_draft {
        true => bytes.starts_with(BEGIN),
        false => serde_json::from_slice::<Proved>(&bytes).is_ok_and(|proved| proved.run.id == id),
    };
    match (read, own) {
        (Ok(0), _) if is_draft => Proof::Empty,
        (Ok(_), true) => Proof::Own,
        _ => Proof::Foreign,
    }
}

/// Ignores that another process that shares the folder may have removed it already.
fn remove(path: &Path) {
    if let Err(error) = fs::remove_file(path)
        && error.kind() != io::ErrorKind::NotFound
    {
        tracing::warn!(%error, file = %path.display(), "an old run cannot be removed");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::runs::Seals;
    use crate::service::{Run, RunState};

    fn kept() -> (RunId, Vec<u8>) {
        let mut run = Run::begin("demo".to_owned(), "Who?".to_owned(), "en".to_owned());
        run.state = RunState::Done;
        let id = run.id;
        (id, written(&KeptRun::silent(run.into(), &Seals::default())).unwrap())
    }

    #[cfg(unix)]
    #[test]
    fn files_are_for_their_owner_alone_and_links_are_not_followed() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("runs");
        let disk = Disk::open(&place, 10, Duration::from_secs(60)).unwrap();
        let (id, file) = kept();
        disk.keep(id, &file).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&place), mode(&disk.path(id, ENDING))), (0o700, 0o600));

        let (other, file) = kept();
        let elsewhere = folder.path().join("elsewhere");
        fs::write(&elsewhere, &file).unwrap();
        symlink(&elsewhere, disk.path(other, ENDING)).unwrap();
        assert!(disk.get(other).is_none(), "a link is no run");
        symlink(folder.path().join("target"), disk.path(other, DRAFT)).unwrap();
        assert!(disk.keep(other, &file).is_err());
        assert!(!folder.path().join("target").exists());
    }

    #[test]
    fn a_working_graph_is_kept_with_its_run() {
        let folder = tempfile::tempdir().unwrap();
        let disk = Disk::open(folder.path(), 10, Duration::from_secs(60)).unwrap();
        let mut run = Run::begin("demo".to_owned(), "Who?".to_owned(), "en".to_owned());
        run.state = RunState::Done;
        let id = run.id;
        let kept = KeptRun {
            graph: Some("# Triples: 0.\n".into()),
            ..KeptRun::silent(run.into(), &Seals::default())
        };
        disk.keep(id, &written(&kept).unwrap()).unwrap();
        assert_eq!(disk.get(id).unwrap().graph.as_deref(), Some("# Triples: 0.\n"));
        let (other, file) = self::kept();
        disk.keep(other, &file).unwrap();
        assert!(disk.get(other).unwrap().graph.is_none());
    }

    #[test]
    fn a_full_folder_is_searched_now_and_then() {
        let folder = tempfile::tempdir().unwrap();
        let disk = Disk::open(folder.path(), 20, Duration::from_secs(60)).unwrap();
        let count = || fs::read_dir(folder.path()).unwrap().count() - 1;
        let keep = || {
            let (id, file) = kept();
            disk.keep(id, &file).unwrap();
            id
        };
        (0..21).for_each(|_| _ = keep());
        assert_eq!(count(), 21, "not with each file");
        let last = keep();
        assert_eq!(count(), 20);
        assert!(disk.get(last).is_some());
    }

    #[test]
    fn a_process_that_begins_leaves_the_drafts_of_others_alone() {
        let folder = tempfile::tempdir().unwrap();
        let open = || Disk::open(folder.path(), 10, Duration::from_secs(3600)).unwrap();
        let (first, [(id, file), (left, _)]) = (open(), [kept(), kept()]);
        let (draft, left) = (first.path(id, DRAFT), first.path(left, DRAFT));
        fs::write(&draft, &file).unwrap();
        fs::write(&left, "").unwrap();
        let before = SystemTime::now() - 2 * DRAFT_AGE;
        fs::File::options().write(true).open(&left).unwrap().set_modified(before).unwrap();
        let second = open();
        assert!(!left.exists(), "what a process left that ended while it wrote");
        fs::rename(draft, first.path(id, ENDING)).unwrap();
        assert!(second.get(id).is_some(), "what one has written, the other shows");
    }

    #[test]
    fn old_damaged_and_foreign_files_are_no_runs() {
        let folder = tempfile::tempdir().unwrap();
        let disk = Disk::open(folder.path(), 10, Duration::from_secs(3600)).unwrap();
        let foreign = folder.path().join("notes.json");
        fs::write(&foreign, "mine").unwrap();
        let (id, file) = kept();
        let (other, _) = kept();
        disk.keep(id, &file).unwrap();
        disk.keep(other, &file).unwrap();
        assert!(disk.get(id).is_some());
        assert!(disk.get(other).is_none(), "it holds another run");
        fs::write(disk.path(id, ENDING), &file[..file.len() / 2]).unwrap();
        assert!(disk.get(id).is_none(), "it is cut");
        disk.keep(id, &file).unwrap();
        let before = SystemTime::now() - Duration::from_secs(7200);
        fs::File::options().write(true).open(disk.path(id, ENDING)).unwrap().set_modified(before).unwrap();
        assert!(disk.get(id).is_none(), "it is old");
        disk.tidy().unwrap();
        assert!(!disk.path(id, ENDING).exists() && foreign.exists());
    }

    #[test]
    fn a_folder_of_others_is_refused_whatever_its_files_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let (id, file) = kept();
        let foreign = folder.path().join("d41d8cd98f00b204e9800998ecf8427e.json");
        fs::write(&foreign, "{\"my\":\"cache entry\"}").unwrap();
        let open = || Disk::open(folder.path(), 1, Duration::from_secs(60));
        let said = open().err().unwrap().to_string();
        assert!(said.contains("[runs] folder") && said.contains("d41d8cd9"), "{said}");
        // A single run does not make the folder Eruca's, nor does a run under another run's name.
        fs::write(folder.path().join(format!("{id}.json")), &file).unwrap();
        assert!(open().is_err());
        fs::write(&foreign, &file).unwrap();
        assert!(open().is_err());
        fs::remove_file(&foreign).unwrap();
        assert!(open().unwrap().get(id).is_some(), "a folder of an earlier version");
        fs::write(&foreign, "mine").unwrap();
        open().unwrap();
    }

    #[test]
    fn what_cannot_be_written_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let disk = Disk::open(folder.path(), 10, Duration::from_secs(60)).unwrap();
        let (id, file) = kept();
        // The draft is written, but cannot be renamed.
        fs::create_dir(disk.path(id, ENDING)).unwrap();
        assert!(disk.keep(id, &file).is_err());
        assert!(!disk.path(id, DRAFT).exists());
    }
}
