//! What becomes of every gold query of a benchmark, by name: nothing is asked, and nothing is left out in silence.

use super::error::EvalError;
use super::known::{NO_QUERY, NotRun, gold_rows};
use super::overlap::{Overlap, Overlaps, overlap, overlaps};
use super::select::Task;
use super::system::System;
use eruca_sparql::{Answer, Results};
use futures_util::StreamExt;
use serde::Serialize;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// The name of the file of accounts in the output folder.
pub const GOLD_FILE: &str = "gold.jsonl";

/// What a gold query gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Rows, or triples.
    Rows,
    /// ASK: true.
    True,
    /// ASK: false.
    False,
    /// No row.
    Empty,
    /// There is no query, and a stored answer.
    StoredOnly,
    /// It cannot be read as SPARQL.
    CannotRead,
    /// It can be read and fails.
    CannotRun,
    /// There is neither a query nor a stored answer.
    Nothing,
}

/// All of them with their names, in the order in which they are told.
pub const OUTCOMES: [(Outcome, &str); 8] = [
    (Outcome::Rows, "gives rows"),
    (Outcome::True, "true"),
    (Outcome::False, "false"),
    (Outcome::Empty, "empty"),
    (Outcome::StoredOnly, "stored only"),
    (Outcome::CannotRead, "cannot read"),
    (Outcome::CannotRun, "cannot run"),
    (Outcome::Nothing, "no gold"),
];

/// The account of one question.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Account {
    /// The question's id.
    pub id: String,
    /// The dataset on which its query was run.
    pub dataset: String,
    /// What the query gives.
    pub outcome: Outcome,
    /// Rows or triples.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<usize>,
    /// Whether there are more rows than were read.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub incomplete: bool,
    /// Whether the file has an answer stored.
    pub stored: bool,
    /// How far both agree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overlap: Option<Overlap>,
    /// Why there is no gold answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The query, if it cannot be read or run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sparql: Option<String>,
}

/// The accounts of a benchmark.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Accounts {
    /// One for each question, in order.
    pub all: Vec<Account>,
    /// How far stored answers agree with the rows of queries.
    pub overlaps: Option<Overlaps>,
}

impl Accounts {
    /// Questions with this outcome.
    pub fn count(&self, outcome: Outcome) -> usize {
        self.all.iter().filter(|account| account.outcome == outcome).count()
    }

    /// Questions with a stored answer.
    pub fn stored(&self) -> usize {
        self.all.iter().filter(|account| account.stored).count()
    }
}

/// Runs the gold queries, this many at the same time, and keeps of each answer only its account. With a folder, the accounts are written
/// there as they come.
///
/// # Errors
/// When the file cannot be written.
pub async fn accounts(
    system: &dyn System,
    tasks: &[Task],
    jobs: usize,
    folder: Option<&Path>,
) -> Result<Accounts, EvalError> {
    let mut file = folder.map(AccountFile::create).transpose()?;
    let mut found = futures_util::stream::iter(tasks).map(|task| account(system, task)).buffered(jobs);
    let mut all = Vec::with_capacity(tasks.len());
    while let Some(account) = found.next().await {
        if let Some(file) = &mut file {
            file.add(&account)?;
        }
        all.push(account);
    }
    if let Some(file) = file {
        file.finish()?;
    }
    let overlaps = overlaps(&all.iter().filter_map(|account| account.overlap).collect::<Vec<_>>());
    Ok(Accounts { all, overlaps })
}

async fn account(system: &dyn System, task: &Task) -> Account {
    let question = &task.question;
    let stored = question.stored.as_ref();
    let mut found = Account {
        id: question.id.clone(),
        dataset: task.dataset.clone(),
        outcome: if stored.is_some() { Outcome::StoredOnly } else { Outcome::Nothing },
        rows: None,
        incomplete: false,
        stored: stored.is_some(),
        overlap: None,
        reason: None,
        sparql: None,
    };
    let Some(sparql) = &question.sparql else {
        found.reason = stored.is_none().then(|| NO_QUERY.to_owned());
        return found;
    };
    match gold_rows(system, &task.dataset, sparql).await {
        Ok(answer) => {
            (found.outcome, found.rows) = given(&answer);
            found.incomplete = answer.incomplete.is_some();
            found.overlap = stored.map(|stored| overlap(&answer, stored));
        }
        Err(error) => {
            found.outcome = failed(&error);
            (found.reason, found.sparql) = (Some(error.to_string()), Some(sparql.clone()));
        }
    }
    found
}

fn failed(error: &NotRun) -> Outcome {
    if error.is_read() { Outcome::CannotRun } else { Outcome::CannotRead }
}

fn given(answer: &Answer) -> (Outcome, Option<usize>) {
    let rows = match &answer.results {
        Results::Boolean(true) => return (Outcome::True, None),
        Results::Boolean(false) => return (Outcome::False, None),
        Results::Solutions(solutions) => solutions.rows.len(),
        Results::Graph(triples) => triples.len(),
    };
    (if answer.is_empty() { Outcome::Empty } else { Outcome::Rows }, Some(rows))
}

/// The file of accounts, a line for each question.
struct AccountFile {
    path: PathBuf,
    file: BufWriter<File>,
}

impl AccountFile {
    fn create(folder: &Path) -> Result<Self, EvalError> {
        std::fs::create_dir_all(folder).map_err(|reason| EvalError::write(folder, reason))?;
        let path = folder.join(GOLD_FILE);
        let file = File::create(&path).map_err(|reason| EvalError::write(&path, reason))?;
        Ok(Self { path, file: BufWriter::new(file) })
    }

    fn add(&mut self, account: &Account) -> Result<(), EvalError> {
        let line = serde_json::to_vec(account).map_err(std::io::Error::from);
        let written =
            line.and_then(|line| self.file.write_all(&line).and_then(|()| self.file.write_all(b"\n")));
        written.map_err(|reason| EvalError::write(&self.path, reason))
    }

    fn finish(mut self) -> Result<(), EvalError> {
        self.file.flush().map_err(|reason| EvalError::write(&self.path, reason))
    }
}
