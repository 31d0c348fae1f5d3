//! A question with all that is known about it, on the wire and in the files in which runs are kept.

use super::rows::{RowsDto, href};
use super::trace::{ConfidenceDto, InsightDto};
use super::{ErrorBody, TraceDto};
use crate::http::error;
use crate::service::{Empty, ReadWord, Run, RunState, Similar, TextPart as Part, Words};
use crate::trace::{Alternative, AnsweredBy, Because, Doubtful, Step, millis};
use crate::why::QueryPart;
use serde::{Deserialize, Serialize};
use std::time::SystemTime;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use utoipa::ToSchema;

/// A question with its outcome.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = Run)]
pub struct RunDto {
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
    pub state: RunStateDto,
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
    pub confidence: Option<BeliefDto>,
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
    pub rows: Option<RowsDto>,
    /// The answer in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<WordsDto>,
    /// Why the query returned nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub empty: Option<Empty>,
    /// What of the graph's files could not be read, and may be missing from the rows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// How the query came about, without its results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<TraceDto>,
    /// The steps so far, as long as there is no trace; for good, when there was no answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Step>,
    /// Time from the beginning to the end, or to now, in milliseconds.
    pub elapsed_ms: f64,
}

/// The outcome of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = RunState)]
pub enum RunStateDto {
    /// It goes on.
    Running,
    /// It has an answer.
    Done,
    /// It has none; `error` says why.
    Failed,
    /// Nobody waited for it any longer.
    Cancelled,
}

/// How reliable an answer is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = Belief)]
pub struct BeliefDto {
    /// The probability as a word.
    pub name: ConfidenceDto,
    /// The probability that the answer is exactly right, from 0 to 1.
    pub probability: f64,
}

/// An answer in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Answer)]
pub struct WordsDto {
    /// The whole text.
    pub text: String,
    /// The same in parts.
    pub parts: Vec<PartOfTextDto>,
    /// Its language.
    pub lang: String,
    /// `reading` when it is made of the reading and the rows, `model` when a chat model wrote it.
    pub by: String,
    /// Names in a model's text that are in no verified row.
    pub unverified: Vec<String>,
    /// `answer`, `empty`, `not_in_graph` or `doubt`.
    pub kind: String,
}

/// A part of an answer's text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = PartOfText)]
pub struct PartOfTextDto {
    /// The text.
    pub text: String,
    /// What it names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iri: Option<String>,
    /// Where that lives: an address of the web.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub href: Option<String>,
    /// Whether it is a question that may be asked next.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub asks: bool,
}

impl From<Run> for RunDto {
    fn from(run: Run) -> Self {
        let Run {
            id,
            dataset,
            question,
            asked,
            taken_over,
            follows,
            lang,
            asked_at,
            state,
            words,
            alternatives,
            similar,
            query,
            rows_query,
            editor,
            explanation,
            rows,
            answer,
            empty,
            missing,
            steps,
            trace,
            elapsed,
        } = run;
        let steps = if trace.is_some() { Vec::new() } else { steps };
        let told = trace.map(|trace| TraceDto::new(dataset.clone(), trace, None));
        let insight = told.as_ref().and_then(|trace| trace.insight.clone());
        let (state, error) = state_and_error(&state);
        let mut dto = Self {
            id: id.to_string(),
            dataset,
            question,
            asked,
            taken_over,
            follows,
            lang,
            asked_at: rfc3339(asked_at),
            state,
            error,
            answered_by: told.as_ref().map(|trace| trace.answered_by),
            model: told.as_ref().and_then(|trace| trace.model.clone()),
            confidence: None,
            reading: None,
            unused: Vec::new(),
            not_found: Vec::new(),
            similar,
            about: Vec::new(),
            because: Vec::new(),
            doubts: Vec::new(),
            words,
            alternatives: Vec::new(),
            query,
            rows_query,
            explanation,
            editor,
            rows: rows.as_ref().map(RowsDto::from),
            answer: answer.map(WordsDto::from),
            empty,
            missing,
            trace: told,
            steps,
            elapsed_ms: millis::of(elapsed),
        };
        if let Some(insight) = insight {
            dto.take_insight(insight, alternatives);
        }
        dto
    }
}

impl RunDto {
    /// The query that the rows come from.
    pub fn query_of_rows(&self) -> Option<&str> {
        self.rows_query.as_deref().or(self.query.as_deref())
    }

    fn take_insight(&mut self, insight: InsightDto, with_alternatives: bool) {
        let InsightDto {
            confidence,
            probability,
            reading,
            unused,
            not_found,
            about,
            because,
            doubts,
            alternatives,
        } = insight;
        self.confidence = Some(BeliefDto { name: confidence, probability });
        self.reading = Some(reading);
        (self.unused, self.not_found, self.about) = (unused, not_found, about);
        (self.because, self.doubts) = (because, doubts);
        if with_alternatives {
            self.alternatives = alternatives;
        }
    }
}

fn state_and_error(state: &RunState) -> (RunStateDto, Option<ErrorBody>) {
    match state {
        RunState::Running => (RunStateDto::Running, None),
        RunState::Done => (RunStateDto::Done, None),
        RunState::Failed(failed) => (RunStateDto::Failed, Some(error::service_body(failed))),
        RunState::Cancelled => {
            (RunStateDto::Cancelled, Some(error::service_body(&crate::service::ServiceError::Cancelled)))
        }
    }
}

fn rfc3339(time: SystemTime) -> String {
    OffsetDateTime::from(time).format(&Rfc3339).unwrap_or_default()
}

impl From<Words> for WordsDto {
    fn from(words: Words) -> Self {
        let Words { text, parts, lang, kind, by, unverified } = words;
        let part = |part: Part| {
            let Part { text, iri, asks } = part;
            PartOfTextDto { text, href: iri.as_deref().and_then(href), iri, asks }
        };
        let parts = parts.into_iter().map(part).collect();
        let (kind, by) = (kind.name().to_owned(), by.name().to_owned());
        Self { text, parts, lang: lang.to_owned(), by, unverified, kind }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_comes_back_as_it_was_written() {
        let run = Run::begin("demo".to_owned(), "Who?".to_owned(), "en".to_owned());
        let dto = RunDto::from(run);
        let text = serde_json::to_string(&dto).unwrap();
        assert_eq!(serde_json::from_str::<RunDto>(&text).unwrap(), dto);
        assert!(dto.asked_at.ends_with('Z'), "{}", dto.asked_at);
    }
}
