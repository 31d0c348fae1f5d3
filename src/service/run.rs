//! The state of a question from the moment it is asked until it is complete. Plain data filled by other parts of the
//! service, using their terms and errors; `wire` converts it to what is sent.
//!
//! The id of a run is 128 random bits, and nothing else becomes part of a file name. Tests: `tests`,
//! `http/runs/disk.rs`, `tests/runs.rs`.

use super::types::ServiceError;
use crate::trace::{Step, Trace};
use eruca_api::{Article, Claim, Clarify, Column, Empty, QueryPart, ReadWord, Rows, Similar, Words};
use eruca_sparql::{Answer, Results, Solutions};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// Rows stored with a run; for others its query is run again.
pub const PAGE_ROWS: usize = 100;

/// The id of a run: 16 random bytes, so that ids of other users' runs cannot be guessed.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct RunId([u8; 16]);

impl RunId {
    /// Generates an id.
    pub fn random() -> Self {
        Self(rand::random())
    }

    /// Parses an id; `None` for any other text.
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

/// The state of a question.
#[derive(Debug, Clone)]
pub struct Run {
    /// Its id.
    pub id: RunId,
    /// The id of the dataset (not the alias) once known; before that, the requested name.
    pub dataset: String,
    /// The question as asked; empty for a query written by a person.
    pub question: String,
    /// The question rewritten to stand alone.
    pub asked: String,
    /// Descriptions of what was taken over from earlier questions.
    pub taken_over: Vec<String>,
    /// The earlier questions needed to understand it, oldest first, each in its standalone form.
    pub follows: Vec<String>,
    /// The language in which the user is answered.
    pub lang: String,
    /// When it was asked.
    pub asked_at: SystemTime,
    /// Its current state.
    pub state: RunState,
    /// The words of the question, each with whether the query uses it.
    pub words: Vec<ReadWord>,
    /// Whether alternative readings are returned.
    pub alternatives: bool,
    /// Names of the question that the graph does not have exactly, with similarly spelled names of the graph.
    pub similar: Vec<Similar>,
    /// What the reader may be asked back.
    pub clarify: Option<Clarify>,
    /// The final query.
    pub query: Option<String>,
    /// The query of the rows, if it has more columns than the final one (the deciding values).
    pub rows_query: Option<String>,
    /// The URL of the endpoint's own query editor with the query, if it has one.
    pub editor: Option<String>,
    /// The query explained part by part.
    pub explanation: Vec<QueryPart>,
    /// The rows of the result.
    pub rows: Option<AnswerPage>,
    /// The verbalized answer.
    pub answer: Option<Words>,
    /// Its sentences with what supports them.
    pub claims: Vec<Claim>,
    /// The answer with sections and sources.
    pub article: Option<Article>,
    /// Why the result is empty.
    pub empty: Option<Empty>,
    /// Parts of the graph's files that could not be read, so that rows may be missing.
    pub missing: Vec<String>,
    /// The steps so far; moved to the trace once there is one.
    pub steps: Vec<Step>,
    /// How the query was found, with the steps.
    pub trace: Option<Trace>,
    /// What a model remembered on its way, as Turtle.
    pub graph: Option<Arc<str>>,
    /// Time from start to end, or until now.
    pub elapsed: Duration,
}

impl Run {
    /// A run that starts now.
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
            clarify: None,
            query: None,
            rows_query: None,
            editor: None,
            explanation: Vec::new(),
            rows: None,
            answer: None,
            claims: Vec::new(),
            article: None,
            empty: None,
            missing: Vec::new(),
            steps: Vec::new(),
            trace: None,
            graph: None,
            elapsed: Duration::ZERO,
        }
    }
}

impl Run {
    /// The query that produces the rows.
    pub fn query_of_rows(&self) -> Option<&str> {
        self.rows_query.as_deref().or(self.query.as_deref())
    }
}

/// The state of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunState {
    /// In progress.
    Running,
    /// Finished with an answer.
    Done,
    /// Finished without an answer.
    Failed(ServiceError),
    /// Cancelled because there were no more readers.
    Cancelled,
}

/// The first rows of a result with everything needed to display them.
#[derive(Debug, Clone, PartialEq)]
pub struct AnswerPage {
    /// The result, with at most [`PAGE_ROWS`] rows.
    pub page: Answer,
    /// Number of rows of the whole result, within the configured limits.
    pub row_count: usize,
    /// The columns; empty for a boolean result.
    pub columns: Vec<Column>,
    /// Labels of entities by IRI, in the reader's language if available.
    pub labels: BTreeMap<String, String>,
}

impl AnswerPage {
    /// The rows in wire format.
    pub fn rows(&self) -> Rows {
        Rows::new(&self.page, self.row_count, self.columns.clone(), &self.labels)
    }
}

/// A page of a result.
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
