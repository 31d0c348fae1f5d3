//! A question with all that is known of it, on the wire and in the files in which runs are kept.

use super::trace::{AlternativeDto, ConfidenceDto, InsightDto};
use super::{AnsweredByDto, ErrorBody, StepDto, TraceDto};
use crate::http::error;
use crate::service::{Column, Dropped, Empty, ReadWord, Rows, Run, RunState, TextPart as Part, Words};
use crate::why::QueryPart;
use eruca_sparql::{Answer, BlankNode, Literal, NamedNode, Results, Solutions, Term, Triple};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use utoipa::ToSchema;

/// A question with what became of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = Run)]
pub struct RunDto {
    /// Its name, which nobody can guess.
    pub id: String,
    /// The id of the dataset that was asked (not the alias).
    pub dataset: String,
    /// The question as it was asked; empty for a query that was sent to /query.
    pub question: String,
    /// The question that stands alone, when it was a follow-up; else the question.
    pub asked: String,
    /// What was taken over from earlier questions, in words.
    pub taken_over: Vec<String>,
    /// The language of labels and words.
    pub lang: String,
    /// When it was asked (RFC 3339).
    pub asked_at: String,
    /// What became of it.
    pub state: RunStateDto,
    /// Why there is no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorBody>,
    /// Who stated the query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answered_by: Option<AnsweredByDto>,
    /// The chat model's name, if one was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// How far the answer is to be believed; absent when a model has answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<BeliefDto>,
    /// What was read in the question, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reading: Option<String>,
    /// Words of the question that found no place in the query.
    pub unused: Vec<String>,
    /// Names in the question that the graph does not know.
    pub not_found: Vec<String>,
    /// The words of the question.
    pub words: Vec<WordDto>,
    /// Other readings with other results, the likeliest first.
    pub alternatives: Vec<AlternativeDto>,
    /// The final query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// The query part by part, in words.
    pub explanation: Vec<ExplainedDto>,
    /// The endpoint's own editor with the query, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub editor: Option<String>,
    /// What the query gave: its first 100 rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<RowsDto>,
    /// The answer in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<WordsDto>,
    /// Why the query gave nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub empty: Option<EmptyDto>,
    /// How the query came about, without its results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<TraceDto>,
    /// The steps so far, as long as there is no trace; for good, when there was no answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<StepDto>,
    /// Time from the beginning to the end, or to now, in milliseconds.
    pub elapsed_ms: f64,
}

/// What became of a run.
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

/// How far an answer is to be believed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = Belief)]
pub struct BeliefDto {
    /// The name of the probability.
    pub name: ConfidenceDto,
    /// The probability that the answer is exactly right, from 0 to 1.
    pub probability: f64,
}

/// A word of a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Word)]
pub struct WordDto {
    /// As it was written.
    pub text: String,
    /// Whether it found a place in the query, as far as is known.
    pub used: bool,
}

/// A part of a query in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Explained)]
pub struct ExplainedDto {
    /// The part.
    pub sparql: String,
    /// What it says.
    pub words: String,
}

/// What a query gave.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
#[schema(as = Rows)]
pub enum RowsDto {
    /// Of an ASK query.
    Boolean {
        /// The answer.
        boolean: bool,
    },
    /// Of any other query; a graph comes as a table of its triples.
    Table(TableDto),
}

/// A table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = Table)]
pub struct TableDto {
    /// The columns.
    pub columns: Vec<ColumnDto>,
    /// The rows; `null` where a variable is unbound.
    pub rows: Vec<Vec<Option<ShownTermDto>>>,
    /// Rows that the query gave, within the configured limits.
    pub row_count: usize,
    /// Why rows are missing, in words for people; absent when none is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub incomplete: Option<String>,
    /// Where things in the rows are: latitude and longitude by IRI.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub places: BTreeMap<String, [f64; 2]>,
}

/// A column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Column)]
pub struct ColumnDto {
    /// The variable.
    pub name: String,
    /// What it is called.
    pub title: String,
    /// What it holds: `thing`, `number`, `year`, `date`, `text`, `boolean`, `coordinates`, `picture` or `link`.
    pub kind: String,
    /// The unit of its numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
}

/// A term with its name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = ShownTerm)]
pub struct ShownTermDto {
    /// "uri", "literal" or "bnode".
    #[serde(rename = "type")]
    pub kind: String,
    /// The IRI, the literal's text, or the blank node's label.
    pub value: String,
    /// The datatype's IRI, unless it is a plain or language-tagged string.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub datatype: Option<String>,
    /// The language tag.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lang: Option<String>,
    /// The name in the reader's language, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Where it lives: an address of the web.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub href: Option<String>,
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
}

/// Why a query gave nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Empty)]
pub struct EmptyDto {
    /// The reason, in words.
    pub reason: String,
    /// Conditions without which there are rows.
    pub drop: Vec<DroppedDto>,
}

/// A query without one of its conditions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Dropped)]
pub struct DroppedDto {
    /// The condition, in words.
    pub condition: String,
    /// The query without it.
    pub query: String,
    /// Rows that it gives.
    pub rows: usize,
}

impl From<Run> for RunDto {
    fn from(run: Run) -> Self {
        let Run {
            id,
            dataset,
            question,
            asked,
            taken_over,
            lang,
            asked_at,
            state,
            words,
            alternatives,
            query,
            editor,
            explanation,
            rows,
            answer,
            empty,
            steps,
            trace,
            elapsed,
        } = run;
        let steps = if trace.is_some() { Vec::new() } else { steps.into_iter().map(StepDto::from).collect() };
        let told = trace.map(|trace| TraceDto::new(dataset.clone(), trace, None));
        let insight = told.as_ref().and_then(|trace| trace.insight.clone());
        let (state, error) = state_and_error(&state);
        let mut dto = Self {
            id: id.to_string(),
            dataset,
            question,
            asked,
            taken_over,
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
            words: words.into_iter().map(WordDto::from).collect(),
            alternatives: Vec::new(),
            query,
            explanation: explanation.into_iter().map(ExplainedDto::from).collect(),
            editor,
            rows: rows.as_ref().map(RowsDto::from),
            answer: answer.map(WordsDto::from),
            empty: empty.map(EmptyDto::from),
            trace: told,
            steps,
            elapsed_ms: super::trace::millis(elapsed),
        };
        if let Some(insight) = insight {
            dto.take_insight(insight, alternatives);
        }
        dto
    }
}

impl RunDto {
    fn take_insight(&mut self, insight: InsightDto, with_alternatives: bool) {
        let InsightDto { confidence, probability, reading, unused, not_found, alternatives } = insight;
        self.confidence = Some(BeliefDto { name: confidence, probability });
        self.reading = Some(reading);
        (self.unused, self.not_found) = (unused, not_found);
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

impl From<ReadWord> for WordDto {
    fn from(word: ReadWord) -> Self {
        let ReadWord { text, used } = word;
        Self { text, used }
    }
}

impl From<QueryPart> for ExplainedDto {
    fn from(part: QueryPart) -> Self {
        let QueryPart { sparql, words } = part;
        Self { sparql, words }
    }
}

impl From<Words> for WordsDto {
    fn from(words: Words) -> Self {
        let Words { text, parts, lang, kind, by, unverified } = words;
        let part = |part: Part| {
            let Part { text, iri } = part;
            PartOfTextDto { text, href: iri.as_deref().and_then(href), iri }
        };
        let parts = parts.into_iter().map(part).collect();
        let (kind, by) = (kind.name().to_owned(), by.name().to_owned());
        Self { text, parts, lang: lang.to_owned(), by, unverified, kind }
    }
}

impl From<Empty> for EmptyDto {
    fn from(empty: Empty) -> Self {
        let Empty { reason, drop } = empty;
        let drop =
            drop.into_iter().map(|Dropped { condition, query, rows }| DroppedDto { condition, query, rows });
        Self { reason, drop: drop.collect() }
    }
}

impl From<Column> for ColumnDto {
    fn from(column: Column) -> Self {
        let Column { name, title, kind, unit, named: _ } = column;
        Self { name, title, kind: kind.name().to_owned(), unit }
    }
}

impl From<&Rows> for RowsDto {
    fn from(rows: &Rows) -> Self {
        let Rows { page, row_count, columns, labels } = rows;
        let shown = |term: &Term| Some(ShownTermDto::new(term, labels));
        let cells: Vec<Vec<_>> = match &page.results {
            Results::Boolean(boolean) => return Self::Boolean { boolean: *boolean },
            Results::Solutions(solutions) => {
                let row =
                    |row: &Vec<Option<Term>>| row.iter().map(|cell| cell.as_ref().and_then(shown)).collect();
                solutions.rows.iter().map(row).collect()
            }
            Results::Graph(triples) => {
                triples.iter().map(|triple| terms(triple).iter().map(shown).collect()).collect()
            }
        };
        Self::Table(TableDto {
            columns: columns.iter().cloned().map(ColumnDto::from).collect(),
            rows: cells,
            row_count: *row_count,
            incomplete: page.incomplete.as_ref().map(super::results::incomplete),
            places: BTreeMap::new(),
        })
    }
}

impl RowsDto {
    /// The rows as the service knows them.
    pub fn to_answer(&self) -> Answer {
        let results = match self {
            Self::Boolean { boolean } => Results::Boolean(*boolean),
            Self::Table(table) => {
                let cells = |row: &Vec<Option<ShownTermDto>>| {
                    row.iter().map(|cell| cell.as_ref().map(ShownTermDto::to_term)).collect()
                };
                let variables = table.columns.iter().map(|column| column.name.clone()).collect();
                Results::Solutions(Solutions { variables, rows: table.rows.iter().map(cells).collect() })
            }
        };
        Answer { results, incomplete: None, elapsed: Duration::ZERO }
    }

    /// Whether no row is missing.
    pub fn is_whole(&self) -> bool {
        match self {
            Self::Boolean { .. } => true,
            Self::Table(table) => table.incomplete.is_none() && table.rows.len() == table.row_count,
        }
    }
}

fn terms(triple: &Triple) -> [Term; 3] {
    let Triple { subject, predicate, object } = triple;
    [Term::from(subject.clone()), Term::from(predicate.clone()), object.clone()]
}

impl ShownTermDto {
    /// The term without its name.
    pub fn to_term(&self) -> Term {
        let literal = match (&self.lang, &self.datatype) {
            (Some(lang), _) => Literal::new_language_tagged_literal_unchecked(&self.value, lang),
            (None, Some(datatype)) => {
                Literal::new_typed_literal(&self.value, NamedNode::new_unchecked(datatype))
            }
            (None, None) => Literal::new_simple_literal(&self.value),
        };
        match self.kind.as_str() {
            "uri" => NamedNode::new_unchecked(&self.value).into(),
            "bnode" => BlankNode::new_unchecked(&self.value).into(),
            _ => literal.into(),
        }
    }

    /// A term with its name among `labels`.
    pub fn new(term: &Term, labels: &BTreeMap<String, String>) -> Self {
        let super::TermDto { kind, value, datatype, lang } = super::TermDto::from(term);
        let is_iri = matches!(term, Term::NamedNode(_));
        let label = is_iri.then(|| labels.get(&value).cloned()).flatten();
        let href = is_iri.then(|| href(&value)).flatten();
        Self { kind: kind.to_owned(), value, datatype, lang, label, href }
    }
}

/// The address of a thing, if its IRI is one: a graph may hold `javascript:` and the like too.
pub fn href(iri: &str) -> Option<String> {
    let url = url::Url::parse(iri).ok()?;
    (matches!(url.scheme(), "http" | "https") && url.has_host()).then(|| iri.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_web_are_links() {
        assert_eq!(href("https://example.org/a?b#c").as_deref(), Some("https://example.org/a?b#c"));
        for iri in [
            "javascript:alert(1)",
            "data:text/html,x",
            "urn:a:b",
            "mailto:a@b",
            "http:",
            "a b",
            "JavaScript:x//http://",
        ] {
            assert_eq!(href(iri), None, "{iri}");
        }
    }

    #[test]
    fn a_run_comes_back_as_it_was_written() {
        let run = Run::begin("demo".to_owned(), "Who?".to_owned(), "en".to_owned());
        let dto = RunDto::from(run);
        let text = serde_json::to_string(&dto).unwrap();
        assert_eq!(serde_json::from_str::<RunDto>(&text).unwrap(), dto);
        assert!(dto.asked_at.ends_with('Z'), "{}", dto.asked_at);
    }
}
