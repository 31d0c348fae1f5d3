//! The gold answer of a question: what its gold query gives, what the file has stored, or a set of the official client.

use super::gold::{GoldError, runnable};
use super::metrics::{ResultSet, result_set};
use super::official::ResultSets;
use super::overlap::{Overlap, overlap};
use super::record::Side;
use super::rows::row_f1;
use super::run::LIMITS;
use super::select::Task;
use super::stored::StoredAnswer;
use super::system::System;
use eruca_sparql::{Answer, QueryError};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Maximum number of members of a stored gold set kept in a record.
const MAX_MEMBERS: usize = 100;
/// Why the gold of a question is not known, where there is none.
pub(super) const NO_QUERY: &str = "the file has no gold query for this question";
const NO_STORED: &str = "the file has no stored answer for this question";

/// Where gold answers come from.
#[derive(Debug, Clone, Copy)]
pub enum GoldSource<'a> {
    /// The gold queries, run on the dataset.
    Run,
    /// The answers that the question file has stored.
    Stored,
    /// Result sets of the official client.
    Sets(&'a ResultSets),
}

/// The same as a record has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GoldFrom {
    /// The gold query.
    #[default]
    Run,
    /// The question file.
    Stored,
    /// A file of result sets.
    Sets,
}

/// What is known of a gold answer.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Provenance {
    /// Where it comes from.
    pub from: GoldFrom,
    /// How far the stored answer and the gold query agree, where there are both.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overlap: Option<Overlap>,
}

impl GoldSource<'_> {
    /// As a record has it.
    pub(super) fn name(self) -> GoldFrom {
        match self {
            Self::Run => GoldFrom::Run,
            Self::Stored => GoldFrom::Stored,
            Self::Sets(_) => GoldFrom::Sets,
        }
    }
}

/// The gold answer of a question.
#[derive(Default)]
pub(super) struct Gold<'a> {
    pub(super) set: ResultSet,
    pub(super) side: Side,
    pub(super) provenance: Provenance,
    /// Its rows, unless it comes from a file of result sets.
    pub(super) answer: Option<Answer>,
    stored: Option<&'a StoredAnswer>,
}

impl Gold<'_> {
    /// The row-major F1 of an answer, if the gold rows are known and there are some.
    pub(super) fn row_f1(&self, predicted: Option<&Answer>) -> Option<f64> {
        match self.stored {
            Some(stored) => row_f1(&stored.beside(predicted), predicted),
            None => row_f1(self.answer.as_ref()?, predicted),
        }
    }
}

/// The gold answer of a task.
pub(super) async fn gold<'a>(system: &dyn System, source: GoldSource<'_>, task: &'a Task) -> Gold<'a> {
    let sparql = task.question.sparql.clone();
    if let GoldSource::Sets(sets) = source
        && let Ok(set) = sets.of(&task.question.id)
    {
        let side = Side { sparql, results: Some(members(set)), error: None };
        let provenance = Provenance { from: GoldFrom::Sets, overlap: None };
        return Gold { set: set.clone(), answer: None, side, provenance, stored: None };
    }
    let stored = task.question.stored.as_ref();
    // Without a stored answer there is nothing that the rows of the query could be compared with.
    let is_needed = stored.is_some() || matches!(source, GoldSource::Run);
    let run = match &sparql {
        Some(sparql) if is_needed => {
            gold_rows(system, &task.dataset, sparql).await.map_err(|error| error.to_string())
        }
        _ => Err(NO_QUERY.to_owned()),
    };
    let overlap = run.as_ref().ok().zip(stored).map(|(run, stored)| overlap(run, stored));
    let provenance = Provenance { from: source.name(), overlap };
    let (found, stored) = match source {
        GoldSource::Stored => (stored.map(StoredAnswer::answer).ok_or_else(|| NO_STORED.to_owned()), stored),
        _ => (run, None),
    };
    known(system, sparql, found, Gold { provenance, stored, ..Gold::default() })
}

fn known<'a>(
    system: &dyn System,
    sparql: Option<String>,
    found: Result<Answer, String>,
    rest: Gold<'a>,
) -> Gold<'a> {
    match found {
        Ok(answer) => Gold {
            set: result_set(&answer),
            side: Side { sparql, results: Some(system.shown(&answer)), error: None },
            answer: Some(answer),
            ..rest
        },
        Err(error) => Gold { side: Side { sparql, results: None, error: Some(error) }, ..rest },
    }
}

/// Why a gold query gives no rows.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotRun {
    /// It needs what only one engine has.
    #[error("{0}")]
    Extension(#[from] GoldError),
    /// There is nothing to ask.
    #[error("there is no dataset '{0}'")]
    NoDataset(String),
    /// The endpoint refuses it or fails.
    #[error("{0}")]
    Query(#[from] QueryError),
}

impl NotRun {
    /// Whether the query can be read as SPARQL.
    pub(super) fn is_read(&self) -> bool {
        let is_unread = matches!(
            self,
            Self::Extension(_) | Self::Query(QueryError::Syntax { .. } | QueryError::UnknownPrefix { .. })
        );
        !is_unread
    }
}

/// What a gold query gives.
pub(super) async fn gold_rows(system: &dyn System, dataset: &str, sparql: &str) -> Result<Answer, NotRun> {
    let query = runnable(sparql)?;
    let run = system.query(dataset, &query, LIMITS).await;
    Ok(run.ok_or_else(|| NotRun::NoDataset(dataset.to_owned()))??)
}

fn members(set: &ResultSet) -> Value {
    let rows: Vec<Value> = set
        .iter()
        .take(MAX_MEMBERS)
        .map(|(value, relevance)| {
            let value = if *relevance > 0 { value.clone() } else { format!("not {value}") };
            json!([{"type": "literal", "value": value}])
        })
        .collect();
    json!({"variables": ["stored gold set"], "rows": rows, "row_count": set.len()})
}
