//! A question with all that is known about it: as it is sent, and as it is kept in files.

use crate::{
    Alternative, AnsweredBy, Article, Because, Belief, Claim, Clarify, Doubtful, Empty, ErrorBody, QueryPart,
    ReadWord, Rows, Similar, Step, Trace, Words,
};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use utoipa::ToSchema;

/// A question with its outcome.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Run {
    /// Its name, which nobody can guess.
    pub id: String,
    /// The id of the dataset that was asked (not the alias).
    pub dataset: String,
    /// The question as it was asked; empty for a query that was sent to /query.
    pub question: String,
    /// The question made complete, when it was a follow-up; else the question.
    pub asked: String,
    /// What was taken from earlier questions, in words.
    pub taken_over: Vec<String>,
    /// The earlier questions without which a follow-up cannot be read, the oldest first, each as it stands alone. Those of the
    /// same conversation that it takes nothing from are not among them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub follows: Vec<String>,
    /// The language of labels and words.
    pub lang: String,
    /// When it was asked (RFC 3339).
    pub asked_at: String,
    /// Its outcome.
    pub state: RunState,
    /// Why there is no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorBody>,
    /// Who stated the query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answered_by: Option<AnsweredBy>,
    /// The chat model's name, if one was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// How reliable the answer is; absent where a model says that the graph does not contain it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Belief>,
    /// How the question was read, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reading: Option<String>,
    /// Words of the question that were not used in the query.
    pub unused: Vec<String>,
    /// Names in the question that the graph does not know.
    pub not_found: Vec<String>,
    /// Names of the question that the graph does not have just so, each with a name of the graph that is written alike and may be
    /// meant. None where the answer is sure.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub similar: Vec<Similar>,
    /// IRIs of the things that the question names without asking anything else about them: the answer is what is said of them.
    #[serde(default)]
    pub about: Vec<String>,
    /// The words of the question, each with whether the query uses it; none where a model has made the query, as nobody has
    /// looked then.
    pub words: Vec<ReadWord>,
    /// What the words stand for in the query, and by what right; in their order.
    pub because: Vec<Because>,
    /// What keeps the answer from being proven. A planner's answer with any is never `sure`; a model's is when enough else speaks for it.
    pub doubts: Vec<Doubtful>,
    /// Other readings with other results, the likeliest first.
    pub alternatives: Vec<Alternative>,
    /// What the reader may be asked back: which of several properties is meant that may be meant alike. Of likely answers alone;
    /// also where other readings are not returned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clarify: Option<Clarify>,
    /// The final query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// The query that `rows` come from, where it has more columns than `query`: what its rows are ordered by or compared with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows_query: Option<String>,
    /// The query part by part, in words.
    pub explanation: Vec<QueryPart>,
    /// The endpoint's own editor with the query, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub editor: Option<String>,
    /// The results of the query: its first 100 rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<Rows>,
    /// The answer in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Words>,
    /// The sentences of the answer, each with the triples that support it; where `claims` of /ask asks for them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<Claim>,
    /// The answer with sections and sources; where `style` of /ask asks for it, and the graph could be read for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub article: Option<Article>,
    /// Why the query returned nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub empty: Option<Empty>,
    /// What of the graph's files could not be read, and may be missing from the rows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// How the query came about, without its results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<Trace>,
    /// The steps so far, as long as there is no trace; for good, when there was no answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Step>,
    /// Time from the beginning to the end, or to now, in milliseconds.
    #[serde(rename = "elapsed_ms", with = "crate::millis")]
    #[schema(value_type = f64)]
    pub elapsed: Duration,
}

/// The outcome of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunState {
    /// It goes on.
    Running,
    /// It has an answer.
    Done,
    /// It has none; `error` says why.
    Failed,
    /// Nobody waited for it any longer.
    Cancelled,
}

impl Run {
    /// The query that the rows come from.
    pub fn query_of_rows(&self) -> Option<&str> {
        self.rows_query.as_deref().or(self.query.as_deref())
    }
}
