//! What supports each sentence of a finished run's answer, looked up when somebody wants to know.

use super::ask::Ask;
use super::parse::parse_for;
use super::types::{Question, ServiceError};
use super::verbalize::{CLAIMS_TIME, in_language};
use super::{QuestionTime, Service};
use eruca_api::{Claim, Column, Rows, Run, ShownTerm, Words};
use eruca_dataset::Dataset;
use eruca_sparql::CheckedQuery;
use eruca_verbalize::words::{AnswerContext, claims};
use std::collections::BTreeMap;
use std::sync::Arc;

impl Service {
    /// The sentences of a run's answer in words, each with what supports it in the graph as it is now. None without an answer
    /// in words, or without rows.
    ///
    /// # Errors
    /// If the dataset is no longer served, the query is no longer allowed, or the service is overloaded.
    pub async fn claims_of(self: &Arc<Self>, run: Arc<Run>) -> Result<Vec<Claim>, ServiceError> {
        let (Some(words), Some(query)) = (&run.answer, run.query_of_rows()) else { return Ok(Vec::new()) };
        if !run.claims.is_empty() || run.rows.is_none() {
            return Ok(run.claims.clone());
        }
        let dataset = self.find(&run.dataset)?;
        let query =
            dataset.check(query).map_err(|error| ServiceError::QueryFailed { reason: error.to_string() })?;
        let time = QuestionTime::from_now(self.limits.deadline);
        let _place = self.queue.enter(time.allowed / 2).await?;
        let words = without_citations(words);
        let found = async move { found(&run, &dataset, &query, &words, time).await };
        Ok(self.cpu_pool.run(found).await)
    }
}

async fn found(
    run: &Run,
    dataset: &Dataset,
    query: &CheckedQuery,
    words: &Words,
    time: QuestionTime,
) -> Vec<Claim> {
    let Some(rows) = &run.rows else { return Vec::new() };
    let ask = Ask::alone(Question { dataset: run.dataset.clone(), text: run.asked.clone() });
    let question = in_language(&parse_for(dataset, &ask, &run.asked), &run.lang);
    let (dataset, answer) = (&Arc::new(dataset.asked(&question)), rows.to_answer());
    let (labels, columns) = shown(rows);
    let trace = run.trace.as_ref();
    let context = AnswerContext {
        dataset,
        question: &question,
        query,
        answer: &answer,
        insight: trace.and_then(|trace| trace.insight.as_ref()),
        absence: trace.and_then(|trace| trace.not_in_graph.as_deref()),
        computed: trace.and_then(|trace| trace.computed.as_ref()),
        labels: &labels,
        empty: run.empty.as_ref().map(|empty| empty.reason.as_str()),
        orientation: None,
        unit: None,
        added: 0,
        columns,
    };
    let found = claims(&context, words, time.left().min(CLAIMS_TIME)).await;
    found.into_iter().map(|sentence| sentence.claim).collect()
}

/// The names of the things in rows, by IRI, and the columns.
fn shown(rows: &Rows) -> (BTreeMap<String, String>, &[Column]) {
    let Rows::Table(table) = rows else { return (BTreeMap::new(), &[]) };
    let label = |term: &ShownTerm| Some((term.iri()?.to_owned(), term.label.clone()?));
    (table.rows.iter().flatten().flatten().filter_map(label).collect(), &table.columns)
}

/// Texts beside the graph are quoted, and support themselves.
fn without_citations(words: &Words) -> Words {
    let parts = words.parts.iter().filter(|part| part.cites.is_none()).cloned().collect();
    Words { parts, ..words.clone() }
}
