//! The test set of a dataset: how good is this on MY graph? Questions are proposed from the graph, asked like any other, and judged by a
//! person; what was judged is kept beside the verified questions and can be asked again.
//!
//! ```text
//! graph ─► propose ─► asked (`Ask::test`) ─► a person judges ─► kept (tests.jsonl) ─► score · again
//! ```
//! A test must not be answered by what its owner has verified: while one is asked, verified questions with nearly its words or its query
//! are left out, and no cache is used. The other way round, nothing of a test set is ever an example. Tests: `tests/test_set.rs`.

mod again;
mod judge;
mod propose;
mod score;

pub use judge::{Said, TestSetFailure};
pub use propose::{MAX_PROPOSALS, Wish};
pub use score::score;

use super::Service;
use eruca_api::{JudgedTest, TestSet};
use eruca_dataset::Dataset;
use eruca_knowledge::questions::{BenchmarkQuestion, WatchedQuestions, question_key};
use eruca_knowledge::test_set::{Judged, OWN, TestQuestion, read};
use eruca_sparql::one_line;
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

/// How many questions are proposed where nobody says.
pub const USUAL_COUNT: usize = 30;
/// Longest problem, in characters.
const MAX_PROBLEM_CHARS: usize = 300;

impl Service {
    /// The test set of a dataset, with questions to judge.
    ///
    /// # Errors
    /// When its file cannot be read.
    pub async fn test_set(&self, dataset: &Arc<Dataset>, wish: &Wish) -> Result<TestSet, TestSetFailure> {
        let (tests, problems) = seen_tests(dataset)?;
        let (asked, wished) = (dataset.clone(), wish.clone());
        let made = self.cpu_pool.aside(async move { propose::proposals(&asked, &wished).await }).await;
        let of = made.len();
        let known: HashSet<&str> = tests.iter().map(|one| one.id.as_str()).collect();
        let keys: HashSet<String> = tests.iter().map(|one| question_key(&one.question)).collect();
        let is_judged = |id: &str, text: &str| known.contains(id) || keys.contains(&question_key(text));
        let proposals: Vec<_> = made.into_iter().filter(|one| !is_judged(&one.id, &one.question)).collect();
        Ok(TestSet {
            dataset: dataset.id.clone(),
            languages: propose::languages(dataset).iter().map(|one| one.tag().to_owned()).collect(),
            of,
            judged: of - proposals.len(),
            score: score(&tests),
            proposals,
            tests: tests.iter().map(shown).collect(),
            problems,
        })
    }
}

/// The questions that have been judged, without those about what is hidden here, and what is wrong in the file.
///
/// # Errors
/// When it cannot be read.
pub(in crate::service) fn seen_tests(
    dataset: &Dataset,
) -> Result<(Vec<TestQuestion>, Vec<String>), TestSetFailure> {
    let (mut tests, problems) = read(folder(dataset)?)?;
    let shows = |query: &Option<String>| query.as_ref().is_none_or(|query| dataset.shows_query(query));
    tests.retain(|one| shows(&one.sparql) && shows(&one.wrong));
    let problems = problems.iter().map(|problem| one_line(&problem.to_string(), MAX_PROBLEM_CHARS));
    Ok((tests, problems.collect()))
}

impl Service {
    /// A question that has been judged, by its id.
    ///
    /// # Errors
    /// When there is none, or the file cannot be read.
    pub fn test(&self, dataset: &Dataset, id: &str) -> Result<TestQuestion, TestSetFailure> {
        let (tests, _) = seen_tests(dataset)?;
        tests.into_iter().find(|one| one.id == id).ok_or(TestSetFailure::Unknown)
    }

    /// All questions that have been judged, and what is wrong in the file.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn tests(&self, dataset: &Dataset) -> Result<(Vec<TestQuestion>, Vec<String>), TestSetFailure> {
        seen_tests(dataset)
    }
}

fn folder(dataset: &Dataset) -> Result<&Path, TestSetFailure> {
    let folder = dataset.knowledge().folder();
    folder.ok_or_else(|| TestSetFailure::NoFolder { dataset: dataset.id.clone() })
}

/// A question as it is shown.
fn shown(test: &TestQuestion) -> JudgedTest {
    let TestQuestion { id, question, lang, sparql, judged, by, date, confidence, .. } = test;
    JudgedTest {
        id: id.clone(),
        question: question.clone(),
        lang: lang.clone(),
        construct: test.construct().to_owned(),
        right: *judged == Judged::Right,
        known: sparql.is_some(),
        confidence: confidence.clone(),
        by: by.clone(),
        date: date.clone(),
    }
}

/// The dataset without the verified questions that are nearly a test.
pub(in crate::service) fn without_leaks(dataset: &Arc<Dataset>, text: &str) -> Arc<Dataset> {
    let known = dataset.questions().now();
    if known.is_empty() {
        return dataset.clone();
    }
    let key = question_key(text);
    let tests = seen_tests(dataset).map(|(tests, _)| tests).unwrap_or_default();
    let own = tests.iter().find(|one| question_key(&one.question) == key);
    // An id is that of a benchmark; a test has none that an example could have.
    let test = BenchmarkQuestion {
        id: own.map_or(OWN, |one| &one.id),
        text,
        lang: None,
        query: own.and_then(|one| one.sparql.as_deref()),
    };
    let (kept, left_out) = known.without_leaks(&[test]);
    match left_out {
        0 => dataset.clone(),
        _ => Arc::new(dataset.as_ref().clone().with_questions(WatchedQuestions::fixed(kept))),
    }
}
