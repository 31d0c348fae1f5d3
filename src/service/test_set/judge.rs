//! What a person says of an answer, written into the test set: right, wrong, or wrong with the right query.

use super::{folder, score, seen_tests, shown};
use crate::service::Service;
use eruca_api::JudgedNow;
use eruca_dataset::Dataset;
use eruca_knowledge::test_set::{Judged, OWN, TestQuestion, TestSetError, put};

/// Why a test set cannot be used, or an answer not be judged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TestSetFailure {
    /// The dataset has no files of its owner.
    #[error(
        "dataset '{dataset}' has no folder for what its owner knows; write it into a configuration (`eruca init`) first"
    )]
    NoFolder {
        /// The id of the dataset.
        dataset: String,
    },
    /// There is no such question.
    #[error("the test set has no question with this id")]
    Unknown,
    /// The file cannot be read or written, or the question not be kept.
    #[error(transparent)]
    File(#[from] TestSetError),
    /// The right query cannot be used.
    #[error("the query cannot be used: {reason}")]
    Query {
        /// What is wrong, and what to do.
        reason: String,
    },
    /// Nothing was answered that could be right.
    #[error("there is no answer that could be right; give the right query")]
    NoAnswer,
}

/// What a person says of an answer.
#[derive(Debug, Clone, Default)]
pub struct Said {
    /// The id of the proposal; without it the question is one's own.
    pub id: Option<String>,
    /// The question as it was asked.
    pub question: String,
    /// The tag of its language, if it is known.
    pub lang: Option<String>,
    /// How it is built.
    pub construct: Option<String>,
    /// Whether the answer is right.
    pub right: bool,
    /// The query of the answer.
    pub query: Option<String>,
    /// The right query for a wrong answer.
    pub corrected: Option<String>,
    /// How reliable the answer was said to be.
    pub confidence: Option<String>,
    /// Who says it.
    pub by: String,
    /// The day, as YYYY-MM-DD.
    pub date: String,
}

impl Service {
    /// Keeps what a person says of an answer.
    ///
    /// # Errors
    /// When the right query does not run, or the file cannot be written.
    pub async fn judge(&self, dataset: &Dataset, said: Said) -> Result<JudgedNow, TestSetFailure> {
        let folder = folder(dataset)?.to_owned();
        if let Some(query) = &said.corrected {
            runs(dataset, query).await?;
        }
        let test = judged(said)?;
        put(&folder, &test)?;
        let (tests, _) = seen_tests(dataset)?;
        Ok(JudgedNow { test: shown(&test), score: score(&tests) })
    }
}

async fn runs(dataset: &Dataset, query: &str) -> Result<(), TestSetFailure> {
    let wrong = |reason: String| TestSetFailure::Query { reason };
    let query = dataset.check(query).map_err(|error| wrong(error.to_string()))?;
    let answer = dataset.run(&query, dataset.rules.limits.timeout).await;
    answer.map(|_| ()).map_err(|error| wrong(error.to_string()))
}

fn judged(said: Said) -> Result<TestQuestion, TestSetFailure> {
    let Said { id, question, lang, construct, right, query, corrected, confidence, by, date } = said;
    let (sparql, wrong) = match (right, corrected) {
        (true, _) => (Some(query.ok_or(TestSetFailure::NoAnswer)?), None),
        (false, corrected) => (corrected, query),
    };
    let judged = if right { Judged::Right } else { Judged::Wrong };
    let id = id.unwrap_or_else(|| TestQuestion::own_id(&question));
    let features = vec![construct.unwrap_or_else(|| OWN.to_owned())];
    Ok(TestQuestion { id, question, lang, sparql, features, judged, by, date, confidence, wrong })
}
