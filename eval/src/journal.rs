//! The file of a run's records: appended to while it runs, read when it goes on and when it is reported.
//!
//! Files of ten thousand questions have hundreds of megabytes of traces, so they are read line by line, and only slim records are
//! kept.

use super::error::EvalError;
use super::record::Record;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The name of the record file in the output folder.
pub const RESULTS_FILE: &str = "results.jsonl";

/// The records of a folder without their traces ([`Record::slim`]): the latest one per question, ordered by the questions' first
/// lines.
///
/// # Errors
/// When there are none, or a line is not a record.
pub fn read_records(folder: &Path) -> Result<Vec<Record>, EvalError> {
    let path = folder.join(RESULTS_FILE);
    Ok(Scanned::of(&path)?.records)
}

/// What is in a file.
#[derive(Default)]
struct Scanned {
    records: Vec<Record>,
    /// Length in bytes up to the end of the last whole line.
    whole: u64,
    /// Whether something follows it.
    is_torn: bool,
}

impl Scanned {
    fn of(path: &Path) -> Result<Self, EvalError> {
        let mut found = Self::default();
        let mut known: HashMap<String, usize> = HashMap::new();
        let end = each_line(path, |line| {
            let record = line.parse::<Record>(path)?.slim();
            match known.get(&record.id).and_then(|place| found.records.get_mut(*place)) {
                Some(earlier) => *earlier = record,
                None => {
                    known.insert(record.id.clone(), found.records.len());
                    found.records.push(record);
                }
            }
            Ok(())
        })?;
        (found.whole, found.is_torn) = (end.whole, end.is_torn);
        Ok(found)
    }
}

/// A whole line of a file.
struct Line<'a> {
    number: usize,
    /// Where it begins.
    place: u64,
    text: &'a [u8],
}

impl Line<'_> {
    fn parse<T: DeserializeOwned>(&self, path: &Path) -> Result<T, EvalError> {
        serde_json::from_slice(self.text).map_err(|error| {
            let message =
                format!("not a record of eruca eval: {error}; delete the line to ask its question again");
            EvalError::format(path, Some(self.number), message)
        })
    }
}

/// How a file ends.
struct End {
    whole: u64,
    is_torn: bool,
}

fn each_line(path: &Path, mut each: impl FnMut(Line<'_>) -> Result<(), EvalError>) -> Result<End, EvalError> {
    let mut reader = BufReader::new(open(path)?);
    let (mut text, mut place) = (Vec::new(), 0);
    for number in 1.. {
        text.clear();
        let length = reader.read_until(b'\n', &mut text).map_err(|reason| unread(path, reason))?;
        if text.last() != Some(&b'\n') {
            return Ok(End { whole: place, is_torn: length > 0 });
        }
        each(Line { number, place, text: &text })?;
        place += length as u64;
    }
    Ok(End { whole: place, is_torn: false })
}

fn open(path: &Path) -> Result<File, EvalError> {
    File::open(path).map_err(|reason| unread(path, reason))
}

fn unread(path: &Path, reason: std::io::Error) -> EvalError {
    EvalError::Read { path: path.to_owned(), reason }
}

/// The id of a record.
#[derive(Deserialize)]
struct Named {
    id: String,
}

/// The whole records of a folder, read one at a time.
pub struct WholeRecords {
    path: PathBuf,
    reader: BufReader<File>,
    places: HashMap<String, u64>,
}

impl WholeRecords {
    /// Opens the file of a folder.
    ///
    /// # Errors
    /// When it cannot be read, or one of its lines is not a record.
    pub fn open(folder: &Path) -> Result<Self, EvalError> {
        let path = folder.join(RESULTS_FILE);
        let mut places = HashMap::new();
        each_line(&path, |line| {
            places.insert(line.parse::<Named>(&path)?.id, line.place);
            Ok(())
        })?;
        Ok(Self { reader: BufReader::new(open(&path)?), path, places })
    }

    /// The whole record of a question; `None` if the file has none.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn of(&mut self, id: &str) -> Result<Option<Record>, EvalError> {
        let Some(place) = self.places.get(id) else { return Ok(None) };
        let mut line = Vec::new();
        let read = self.reader.seek(SeekFrom::Start(*place));
        read.and_then(|_| self.reader.read_until(b'\n', &mut line))
            .map_err(|reason| unread(&self.path, reason))?;
        Line { number: 0, place: *place, text: &line }.parse(&self.path).map(Some)
    }
}

/// Appends records to a folder's file.
pub struct Journal {
    path: PathBuf,
    file: Mutex<File>,
}

impl Journal {
    /// Opens the folder's file, creating both if needed, and returns the existing records without their traces. An incomplete last
    /// line is the result of a crash and is removed.
    ///
    /// # Errors
    /// When the file cannot be created or read, or one of its lines is not a record.
    pub fn open(folder: &Path) -> Result<(Self, Vec<Record>), EvalError> {
        let path = folder.join(RESULTS_FILE);
        std::fs::create_dir_all(folder).map_err(|reason| EvalError::write(folder, reason))?;
        let failed = |reason| EvalError::write(&path, reason);
        let file = OpenOptions::new().create(true).append(true).open(&path).map_err(failed)?;
        let Scanned { records, whole, is_torn } = Scanned::of(&path)?;
        if is_torn {
            file.set_len(whole).map_err(failed)?;
        }
        Ok((Self { path, file: Mutex::new(file) }, records))
    }

    /// Appends a record as one line, in a single write.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn append(&self, record: &Record) -> Result<(), EvalError> {
        let failed = |reason| EvalError::write(&self.path, reason);
        let mut line = serde_json::to_vec(record).map_err(|error| failed(error.into()))?;
        line.push(b'\n');
        // A panic of another writer leaves at worst an incomplete line, which the next start removes.
        self.file.lock().unwrap_or_else(PoisonError::into_inner).write_all(&line).map_err(failed)
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::record;
    use super::*;
    use serde_json::json;

    #[test]
    fn the_journal_keeps_the_latest_and_forgets_a_torn_line() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("new/out");
        let (journal, before) = Journal::open(&out).unwrap();
        assert!(before.is_empty());
        for (id, set_f) in [("a", 0.5), ("b", 1.0 / 3.0), ("a", 0.25)] {
            journal.append(&record(id, set_f)).unwrap();
        }
        drop(journal);
        let file = out.join(RESULTS_FILE);
        let whole = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, format!("{whole}{{\"id\": \"c\", \"data")).unwrap();
        let (journal, records) = Journal::open(&out).unwrap();
        let found: Vec<(&str, f64)> =
            records.iter().map(|record| (record.id.as_str(), record.scores.official.set_f)).collect();
        assert_eq!(found, [("a", 0.25), ("b", 1.0 / 3.0)]);
        journal.append(&record("c", 1.0)).unwrap();
        assert_eq!(read_records(&out).unwrap().len(), 3);
    }

    #[test]
    fn whole_records_are_read_one_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let (journal, _) = Journal::open(folder.path()).unwrap();
        let step = json!({"kind": "tool", "name": "search", "outcome": "ok", "observation": "a long text"});
        let with_trace = |id: &str, set_f: f64| {
            let mut record = record(id, set_f);
            (record.trace, record.conversation) =
                (Some(json!({"steps": [step.clone()], "more": 1})), Some(json!({"messages": []})));
            record
        };
        for (id, set_f) in [("a", 0.5), ("b", 1.0), ("a", 0.25)] {
            journal.append(&with_trace(id, set_f)).unwrap();
        }
        let slim = read_records(folder.path()).unwrap();
        let kept = json!({"steps": [{"kind": "tool", "name": "search", "outcome": "ok"}]});
        assert_eq!((slim[0].trace.as_ref(), slim[0].conversation.as_ref()), (Some(&kept), None));
        let mut whole = WholeRecords::open(folder.path()).unwrap();
        assert_eq!(whole.of("b").unwrap(), Some(with_trace("b", 1.0)));
        assert_eq!(whole.of("a").unwrap(), Some(with_trace("a", 0.25)), "the latest");
        assert_eq!(whole.of("c").unwrap(), None);
    }

    #[test]
    fn a_line_that_is_no_record_is_told() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(RESULTS_FILE), "{}\n").unwrap();
        let error = read_records(folder.path()).unwrap_err().to_string();
        assert!(error.contains("results.jsonl', line 1: not a record"), "{error}");
    }
}
