//! A question from the moment it is asked: what is known of it by now, and in the end all of it. Plain data, which other parts
//! of the service fill, with the terms and errors that these work with; `wire` makes of it what is sent.
//!
//! The name of a run is 128 random bits, and nothing else becomes part of a file's name. Tests: `tests`,
//! `http/runs/disk.rs`, `tests/runs.rs`.

use super::types::ServiceError;
use crate::trace::{Step, Trace};
use eruca_api::{Column, Empty, QueryPart, ReadWord, Rows, Similar, Words};
use eruca_sparql::{Answer, Results, Solutions};
use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, SystemTime};

/// Rows that are kept with a run; for others its query is run again.
pub const PAGE_ROWS: usize = 100;

/// The name of a run: 16 random bytes, so that nobody finds the run of another by trying.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct RunId([u8; 16]);

impl RunId {
    /// A new name.
    pub fn random() -> Self {
        Self(rand::random())
    }

    /// Parses a name; `None` for any other text.
    pub fn parse(text: &str) -> Option<Self> {
        let plain = text.len() == 32 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        plain.then(|| u128::from_str_radix(text, 16).ok()).flatten().map(|id| Self(id.to_be_bytes()))
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:032x}", u128::from_be_bytes(self.0))
    }
}

impl fmt::Debug for RunId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

/// What is known of a question.
#[derive(Debug, Clone)]
pub struct Run {
    /// Its name.
    pub id: RunId,
    /// The id of the dataset (not the alias), once it is known; before, what was asked for.
    pub dataset: String,
    /// The question as it was asked; empty for a query that a person wrote.
    pub question: String,
    /// The question that stands alone.
    pub asked: String,
    /// What was taken over from earlier questions, in words.
    pub taken_over: Vec<String>,
    /// The earlier questions without which it cannot be read, the oldest first; each as it stands alone.
    pub follows: Vec<String>,
    /// The language in which the asker is spoken to.
    pub lang: String,
    /// When it was asked.
    pub asked_at: SystemTime,
    /// What became of it.
    pub state: RunState,
    /// The words of the question, each with whether it found a place in the query.
    pub words: Vec<ReadWord>,
    /// Whether other readings are told.
    pub alternatives: bool,
    /// Names of the question that the graph does not have just so, with names of the graph that are written alike.
    pub similar: Vec<Similar>,
    /// The final query.
    pub query: Option<String>,
    /// The query that the rows come from, where it has more columns than the final one: what decides over them.
    pub rows_query: Option<String>,
    /// The endpoint's own editor with the query, where it has one.
    pub editor: Option<String>,
    /// The same part by part, in words.
    pub explanation: Vec<QueryPart>,
    /// What it gave.
    pub rows: Option<AnswerPage>,
    /// The answer in words.
    pub answer: Option<Words>,
    /// Why it gave nothing.
    pub empty: Option<Empty>,
    /// What of the graph's files could not be read, and may be missing from the rows.
    pub missing: Vec<String>,
    /// The steps, as long as there is no trace.
    pub steps: Vec<Step>,
    /// How the query came about, with its steps.
    pub trace: Option<Trace>,
    /// Time from the beginning to the end, or to now.
    pub elapsed: Duration,
}

impl Run {
    /// A run that begins now.
    pub fn begin(dataset: String, question: String, lang: String) -> Self {
        Self {
            id: RunId::random(),
            dataset,
            asked: question.clone(),
            question,
            taken_over: Vec::new(),
            follows: Vec::new(),
            lang,
            asked_at: SystemTime::now(),
            state: RunState::Running,
            words: Vec::new(),
            alternatives: true,
            similar: Vec::new(),
            query: None,
            rows_query: None,
            editor: None,
            explanation: Vec::new(),
            rows: None,
            answer: None,
            empty: None,
            missing: Vec::new(),
            steps: Vec::new(),
            trace: None,
            elapsed: Duration::ZERO,
        }
    }
}

impl Run {
    /// The query that the rows come from.
    pub fn query_of_rows(&self) -> Option<&str> {
        self.rows_query.as_deref().or(self.query.as_deref())
    }
}

/// What became of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunState {
    /// It goes on.
    Running,
    /// It has an answer.
    Done,
    /// It has none.
    Failed(ServiceError),
    /// Nobody waited for it any longer.
    Cancelled,
}

/// The first rows of a result with what is needed to show them.
#[derive(Debug, Clone, PartialEq)]
pub struct AnswerPage {
    /// The result, at most [`PAGE_ROWS`] rows of it.
    pub page: Answer,
    /// Rows of the whole result, within the configured limits.
    pub row_count: usize,
    /// The columns; none for a truth value.
    pub columns: Vec<Column>,
    /// Names of things by their IRIs, in the reader's language where there is one.
    pub labels: BTreeMap<String, String>,
}

impl AnswerPage {
    /// The rows as they are sent.
    pub fn rows(&self) -> Rows {
        Rows::new(&self.page, self.row_count, self.columns.clone(), &self.labels)
    }
}

/// Some rows of a result.
pub(super) fn part(answer: &Answer, offset: usize, limit: usize) -> Answer {
    fn some<T: Clone>(all: &[T], offset: usize, limit: usize) -> Vec<T> {
        all.iter().skip(offset).take(limit).cloned().collect()
    }
    let results = match &answer.results {
        Results::Boolean(boolean) => Results::Boolean(*boolean),
        Results::Solutions(solutions) => Results::Solutions(Solutions {
            variables: solutions.variables.clone(),
            rows: some(&solutions.rows, offset, limit),
        }),
        Results::Graph(triples) => Results::Graph(some(triples, offset, limit)),
    };
    Answer { results, incomplete: answer.incomplete.clone(), elapsed: answer.elapsed }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_are_random_in_every_bit() {
        let ids: Vec<u128> = (0..200).map(|_| u128::from_be_bytes(RunId::random().0)).collect();
        assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len());
        let (ones, all) = ids.iter().fold((0, u128::MAX), |(ones, all), id| (ones | id, all & id));
        assert_eq!((ones, all), (u128::MAX, 0), "no bit is always the same");
    }

    #[test]
    fn only_names_as_they_are_written_are_names() {
        let id = RunId::random();
        assert_eq!(RunId::parse(&id.to_string()), Some(id));
        assert_eq!(RunId::parse(&"0".repeat(32)).unwrap().to_string(), "0".repeat(32));
        let long = "0".repeat(33);
        for other in
            ["", "..", "../../../../etc/passwd", &long, &"A".repeat(32), &"+".repeat(32), &"ä".repeat(16)]
        {
            assert_eq!(RunId::parse(other), None, "{other}");
        }
    }
}
