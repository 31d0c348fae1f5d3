//! Whether the files of an open index are still as they were written, and whether it is still the current version.
//!
//! ```text
//! on opening        lengths of all files; checksums of small files
//! soon after        checksums of large files, once each, at a limited rate, in a separate thread
//! at each question  lengths and times; checksums of files changed since, of all files after an alarm
//! ```
//! An alarm is a search that failed or panicked. The checksums show whether the files are the cause.
//! Uses `checksums` and `folder`.
//!
//! Damaged index files never end the process, and no question is answered from them. Searches run within
//! [`IntegrityAlarm::guard`], the only place where a panic of the search engine is caught. Tests: `dataset/tests/damage.rs`,
//! `tests/index_files.rs` of the program. Not covered: a file truncated in place between the check of its length and a
//! search, for which the system sends SIGBUS.

use crate::checksums::FileSum;
use crate::folder::{Current, current, name_of};
use crate::manifest::{FILE as MANIFEST, Manifest};
use std::collections::BTreeMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::time::{Duration, Instant, SystemTime};

/// Maximum size in bytes of files that are verified when the index is opened.
const SMALL_BYTES: u64 = 16 << 20;
/// Bytes per second read of large files after opening, as questions need the disk, too.
const PACE_BYTES: u64 = 128 << 20;
/// Bytes read between two pauses.
const PIECE_BYTES: u64 = 8 << 20;
/// Minimum time between two full checks after alarms, in case there are many.
const BETWEEN_ALARMS: Duration = Duration::from_secs(60);
/// Minimum time between two checks whether the index is the current version.
const BETWEEN_LOOKS: Duration = Duration::from_secs(2);

/// Raised by a search that fails in a way that damaged files can cause. Shared by the parts of an index.
#[derive(Debug, Clone, Default)]
pub struct IntegrityAlarm(Arc<Mutex<Option<String>>>);

impl IntegrityAlarm {
    fn raise(&self, why: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(why);
    }

    fn why(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// Runs code that reads an index. The search engine trusts its files, and panics if they are damaged: this is the only
    /// place where such a panic becomes an error.
    pub(crate) fn guard<T, E: std::fmt::Display>(
        &self,
        panicked: impl FnOnce(String) -> E,
        work: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        // Unwind safe: unfinished work is dropped, and nothing in an index changes.
        let done = catch_unwind(AssertUnwindSafe(work));
        let result = done.unwrap_or_else(|panic| Err(panicked(words_of(panic.as_ref()))));
        if let Err(error) = &result {
            self.raise(error.to_string());
        }
        result
    }
}

fn words_of(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("a panic without words").to_owned()
}

/// Why an open index is stale.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outdated {
    /// Another version is current.
    Newer {
        /// Its unique name.
        version: String,
        /// When it was built, in seconds since 1970, if its manifest tells.
        built_at: Option<u64>,
    },
    /// Its files have been deleted. Those already open can still be read.
    Gone,
}

/// The files of an opened index.
pub(crate) struct Health {
    index: PathBuf,
    version: PathBuf,
    sums: BTreeMap<String, FileSum>,
    alarm: IntegrityAlarm,
    /// What is wrong with the files, if known; then no more files are read.
    damage: OnceLock<String>,
    seen: Mutex<LastCheck>,
    outdated: Mutex<Option<(Instant, Option<Outdated>)>>,
}

/// The state of the files at the last check.
#[derive(Default)]
struct LastCheck {
    times: BTreeMap<String, SystemTime>,
    /// When all of them were last read because of an alarm.
    read: Option<Instant>,
}

impl Health {
    /// Checks the files of a version: all lengths, and the content of small files. Truncated files must be found before they
    /// are mapped, since code that reads them relies on their length.
    ///
    /// # Errors
    /// What is wrong with the first damaged file.
    pub(crate) fn check(
        index: &Path,
        version: &Path,
        sums: &BTreeMap<String, FileSum>,
    ) -> Result<Self, String> {
        let mut seen = LastCheck::default();
        for (file, sum) in sums {
            let path = version.join(file);
            let failed = |error: io::Error| format!("{file}: {error}");
            let data = std::fs::metadata(&path).map_err(failed)?;
            check_length(file, data.len(), *sum)?;
            if sum.bytes <= SMALL_BYTES {
                check_content(file, &path, *sum, &mut |_| true).map_err(failed)??;
            }
            seen.times.extend(data.modified().ok().map(|time| (file.clone(), time)));
        }
        Ok(Self {
            index: index.to_owned(),
            version: version.to_owned(),
            sums: sums.clone(),
            alarm: IntegrityAlarm::default(),
            damage: OnceLock::new(),
            seen: Mutex::new(seen),
            outdated: Mutex::new(None),
        })
    }

    /// For an index without files, which cannot be damaged or replaced.
    pub(crate) fn of_nothing() -> Self {
        Self {
            index: PathBuf::new(),
            version: PathBuf::new(),
            sums: BTreeMap::new(),
            alarm: IntegrityAlarm::default(),
            damage: OnceLock::new(),
            seen: Mutex::default(),
            outdated: Mutex::default(),
        }
    }

    pub(crate) fn alarm(&self) -> &IntegrityAlarm {
        &self.alarm
    }

    pub(crate) fn is_alarmed(&self) -> bool {
        self.alarm.why().is_some()
    }

    /// What is known to be wrong with the files.
    pub(crate) fn damage(&self) -> Option<&str> {
        self.damage.get().map(String::as_str)
    }

    /// Reads the large files once, in a thread that ends when the index is closed.
    pub(crate) fn read_large_files(self: &Arc<Self>) {
        if !self.sums.values().any(|sum| sum.bytes > SMALL_BYTES) {
            return;
        }
        let health = Arc::downgrade(self);
        let large = |sum: &FileSum| sum.bytes > SMALL_BYTES;
        let files: Vec<String> =
            self.sums.iter().filter(|(_, sum)| large(sum)).map(|(file, _)| file.clone()).collect();
        let reading = move || files.iter().try_for_each(|file| read_slowly(&health, file));
        let started = std::thread::Builder::new().name("index-check".to_owned()).spawn(reading);
        if let Err(error) = started {
            tracing::warn!(%error, "the large files of an index are not checked: no thread can be started");
        }
    }

    /// Checks all files, and reads those that changed since the last check; all of them after an alarm. Takes long
    /// for large files. If another thread is already doing this, its result is available to a later call.
    pub(crate) fn examine(&self) {
        if self.damage.get().is_none()
            && let Ok(mut seen) = self.seen.try_lock()
        {
            let alarm = self.alarm.why();
            let again = seen.read.is_none_or(|read| read.elapsed() > BETWEEN_ALARMS);
            let all = alarm.is_some() && again;
            self.sums.iter().for_each(|(file, sum)| self.look_at(file, *sum, all, &mut seen));
            if all {
                seen.read = Some(Instant::now());
            }
            if let Some(why) = alarm {
                self.alarm.clear();
                if self.damage.get().is_none() {
                    tracing::error!(index = %self.index.display(), error = why, "a search failed; the files of the index are whole");
                }
            }
        }
    }

    fn look_at(&self, file: &str, sum: FileSum, read: bool, seen: &mut LastCheck) {
        let path = self.version.join(file);
        // A deleted file can still be read by a process that has it open.
        let Ok(data) = std::fs::metadata(&path) else { return };
        if let Err(reason) = check_length(file, data.len(), sum) {
            return self.note(reason);
        }
        let time = data.modified().ok();
        if !read && time.as_ref() == seen.times.get(file) {
            return;
        }
        match check_content(file, &path, sum, &mut |_| true) {
            Ok(Ok(())) => seen.times.extend(time.map(|time| (file.to_owned(), time))),
            Ok(Err(reason)) => self.note(reason),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => self.note(format!("{file}: {error}")),
        }
    }

    fn note(&self, reason: String) {
        tracing::error!(index = %self.index.display(), reason, "the index is damaged");
        self.damage.get_or_init(|| reason);
    }

    /// Why the index is stale, if it is; checked every few seconds at most.
    pub(crate) fn outdated(&self) -> Option<Outdated> {
        let mut known = self.outdated.lock().unwrap_or_else(PoisonError::into_inner);
        match &*known {
            Some((at, outdated)) if at.elapsed() < BETWEEN_LOOKS => outdated.clone(),
            _ => {
                let outdated = self.outdated_now();
                *known = Some((Instant::now(), outdated.clone()));
                outdated
            }
        }
    }

    /// The same, checked now.
    pub(crate) fn outdated_now(&self) -> Option<Outdated> {
        if self.sums.is_empty() {
            return None;
        }
        match current(&self.index) {
            Current::Version(folder) if folder != self.version => {
                let built_at = Manifest::read(&folder).ok().map(|manifest| manifest.built_at);
                Some(Outdated::Newer { version: name_of(&folder), built_at })
            }
            Current::Version(_) if self.version.join(MANIFEST).exists() => None,
            Current::Version(_) | Current::None | Current::Damaged(_) => Some(Outdated::Gone),
        }
    }
}

/// Reads a file at a limited rate; `None` when the index has been closed.
fn read_slowly(health: &Weak<Health>, file: &str) -> Option<()> {
    let (path, sum) = {
        let health = health.upgrade()?;
        (health.version.join(file), *health.sums.get(file)?)
    };
    let mut piece = 0;
    let mut began = Instant::now();
    let mut pace = |bytes: usize| {
        piece += bytes as u64;
        if piece >= PIECE_BYTES {
            let due = Duration::from_secs_f64(piece as f64 / PACE_BYTES as f64);
            std::thread::sleep(due.saturating_sub(began.elapsed()));
            (piece, began) = (0, Instant::now());
        }
        health.strong_count() > 0
    };
    let found = check_content(file, &path, sum, &mut pace);
    let health = health.upgrade()?;
    match found {
        Ok(Ok(())) => {}
        Ok(Err(reason)) => health.note(reason),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => health.note(format!("{file}: {error}")),
    }
    Some(())
}

fn check_length(file: &str, bytes: u64, sum: FileSum) -> Result<(), String> {
    if bytes == sum.bytes {
        return Ok(());
    }
    Err(format!("{file} has {bytes} bytes instead of {}", sum.bytes))
}

/// The outer error comes from the disk, the inner one means that the content has changed.
fn check_content(
    file: &str,
    path: &Path,
    sum: FileSum,
    pace: &mut dyn FnMut(usize) -> bool,
) -> io::Result<Result<(), String>> {
    Ok(match FileSum::of(path, pace)? {
        Some(found) if found != sum => Err(format!("{file} is not what was written: its checksum is wrong")),
        _ => Ok(()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_file_is_read_after_the_opening() {
        let folder = tempfile::tempdir().unwrap();
        let bytes = SMALL_BYTES + 1;
        std::fs::File::create(folder.path().join("large")).unwrap().set_len(bytes).unwrap();
        let health = |crc32| {
            let sums = BTreeMap::from([("large".to_owned(), FileSum { bytes, crc32 })]);
            Arc::new(Health::check(folder.path(), folder.path(), &sums).unwrap())
        };
        let right = FileSum::of(&folder.path().join("large"), &mut |_| true).unwrap().unwrap();
        let (whole, damaged) = (health(right.crc32), health(right.crc32 ^ 1));
        damaged.read_large_files();
        while damaged.damage().is_none() {
            std::thread::yield_now();
        }
        assert!(damaged.damage().unwrap().contains("large is not what was written"));
        assert_eq!(read_slowly(&Arc::downgrade(&whole), "large"), Some(()));
        assert_eq!(whole.damage(), None);
        let closed = Arc::downgrade(&whole);
        drop(whole);
        assert_eq!(read_slowly(&closed, "large"), None);
    }
}
