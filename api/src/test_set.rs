//! The test set of a dataset: questions proposed from the graph, what a person said of their answers, and the score.

use crate::TrialAnswer;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The test set of a dataset, with questions that can be judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TestSet {
    /// The dataset's id.
    pub dataset: String,
    /// Languages in which questions can be proposed, the most frequent first.
    pub languages: Vec<String>,
    /// How many proposed questions there are, with those that have been judged.
    pub of: usize,
    /// Those of them that have been judged.
    pub judged: usize,
    /// Proposed questions that nobody has judged.
    pub proposals: Vec<TestProposal>,
    /// Questions that have been judged.
    pub tests: Vec<JudgedTest>,
    /// The score of what has been judged; absent before the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<TestScore>,
    /// What is wrong in the file, with its line.
    pub problems: Vec<String>,
}

/// A question made from the graph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TestProposal {
    /// Its id, the same each time.
    pub id: String,
    /// The question.
    pub question: String,
    /// The tag of its language.
    pub lang: String,
    /// How it is built: `list`, `count`, `value`, `filter`, `within`, `bound`, `superlative`, `truth`, `steps`, `average`, `sum`,
    /// `negation`, `date`, `comparison`, `group` or `filter_count`; `own` for one that a person has written.
    pub construct: String,
    /// The query that it was made from; nobody has said that it is right.
    pub query: String,
}

/// A question that has been judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct JudgedTest {
    /// Its id.
    pub id: String,
    /// The question.
    pub question: String,
    /// The tag of its language, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lang: Option<String>,
    /// How it is built.
    pub construct: String,
    /// Whether the answer was right.
    pub right: bool,
    /// Whether the right query is known.
    pub known: bool,
    /// How reliable the answer was said to be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<String>,
    /// Who judged.
    pub by: String,
    /// When, as YYYY-MM-DD.
    pub date: String,
}

/// How many answers are right.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TestScore {
    /// Of all.
    pub all: TestShare,
    /// By how questions are built.
    pub constructs: Vec<TestShare>,
    /// By how reliable answers were said to be.
    pub confidences: Vec<TestShare>,
    /// Wrong answers whose right query is not known.
    pub open: usize,
}

/// A share of right answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TestShare {
    /// Of which answers: a construct, or a word for the confidence; empty for all.
    pub name: String,
    /// How many are right.
    pub right: usize,
    /// Of how many.
    pub of: usize,
    /// The share.
    pub share: f64,
    /// The lower end of its 95 % interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// What a person says of an answer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"run": "0123456789abcdef0123456789abcdef", "right": true}))]
pub struct Judgement {
    /// The run with the answer.
    pub run: String,
    /// Whether it is right.
    pub right: bool,
    /// The id of the proposal, whose wording may have been changed; without it the question is one's own.
    #[serde(default)]
    pub id: Option<String>,
    /// How the question is built, as the proposal says.
    #[serde(default)]
    pub construct: Option<String>,
    /// The right query for a wrong answer.
    #[serde(default)]
    pub query: Option<String>,
    /// Who judges, if no key tells.
    #[serde(default)]
    pub by: Option<String>,
}

/// What was judged, and the score with it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct JudgedNow {
    /// The question.
    pub test: JudgedTest,
    /// The score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<TestScore>,
}

/// A query whose result is compared with that of an answer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Comparison {
    /// The run with the answer.
    pub run: String,
    /// The query.
    pub query: String,
}

/// Whether two queries give the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Compared {
    /// Whether the results are the same: all rows and none in excess; further columns do not count.
    pub same: bool,
    /// How many rows the other query gives.
    pub rows: usize,
    /// The first of them.
    pub first: Vec<String>,
}

/// A question of the test set, asked again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AskedAgain {
    /// The id of the question.
    pub id: String,
    /// Whether its answer is right: its result is that of the right query.
    pub right: bool,
    /// Why it is not known to be right: `other` result, `unjudged` (the answer is another one than the wrong one of before), `same`
    /// wrong answer as before, `gold` (the right query does not run), `none` (no answer).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<AgainReason>,
    /// The answer.
    pub answer: TrialAnswer,
}

/// Why an answer is not known to be right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AgainReason {
    /// The result is another one than that of the right query.
    Other,
    /// The right query is not known, and the answer is not the wrong one of before: it is to be judged anew.
    Unjudged,
    /// It is the wrong answer of before.
    Same,
    /// The right query does not run.
    Gold,
    /// There is no answer.
    None,
}
