//! The graph of a run as Turtle: what a model remembered on its way, or else the triples that support the rows.

use super::types::ServiceError;
use super::{QuestionTime, Service};
use eruca_dataset::{Dataset, support};
use eruca_sparql::{
    Answer, CheckedQuery, NamedNode, QueryForm, Results, Term, Triple, Turtle, WorkingGraph, turtle,
};
use std::sync::Arc;
use std::time::Duration;

/// Bytes kept of a working graph, with its run.
const MAX_KEPT: usize = 1 << 20;
/// Bytes of a graph that is looked up.
const MAX_BYTES: usize = 4 << 20;
/// Rows whose support is looked up, and the time for it.
const MAX_ROWS: usize = 100;
const TIME: Duration = Duration::from_secs(20);

/// What a model remembered; `None` if it is nothing.
pub(super) fn remembered(dataset: &Dataset, memory: &WorkingGraph) -> Option<Arc<str>> {
    if memory.is_empty() {
        return None;
    }
    let Turtle { text, triples, left_out } = memory.turtle(dataset.prefixes(), MAX_KEPT);
    let more = if left_out > 0 { format!("# {left_out} more are left out.\n") } else { String::new() };
    let head = "# The working graph: triples that a model kept while it answered, those of CONSTRUCT queries as these made them.";
    Some(format!("{head}\n# Triples: {triples}.\n{more}{text}").into())
}

impl Service {
    /// The triples that make rows of a query its results, as Turtle: of the first hundred, and those for which there is time.
    ///
    /// # Errors
    /// If the dataset is no longer served, the query is no longer allowed, or the service is overloaded.
    pub async fn support_graph(
        self: &Arc<Self>,
        (dataset, query): (&str, &str),
        answer: Arc<Answer>,
    ) -> Result<String, ServiceError> {
        let dataset = self.find(dataset)?;
        let query =
            dataset.check(query).map_err(|error| ServiceError::QueryFailed { reason: error.to_string() })?;
        let time = QuestionTime::from_now(self.limits.deadline);
        let _place = self.queue.enter(time.allowed / 2).await?;
        let found = async move { supported(&dataset, &query, &answer, time.left().min(TIME)).await };
        Ok(self.cpu_pool.run(found).await)
    }
}

async fn supported(dataset: &Dataset, query: &CheckedQuery, answer: &Answer, time: Duration) -> String {
    let rows = answer.row_count();
    let (triples, of) = match query.form() {
        QueryForm::Construct | QueryForm::Describe => (of_rows(answer), "that the query made".to_owned()),
        QueryForm::Select | QueryForm::Ask => {
            let found = support(dataset, query, answer, 0..rows.min(MAX_ROWS), time).await;
            (found.triples(), format!("that make {} of {rows} rows results of the query", found.proofs.len()))
        }
    };
    let Turtle { text, triples, left_out } = turtle(triples, dataset.prefixes(), MAX_BYTES);
    let more = if left_out > 0 { format!("# {left_out} more are left out.\n") } else { String::new() };
    format!("# The triples {of}.\n# Triples: {triples}.\n{more}{text}")
}

/// The triples of a CONSTRUCT query, which are kept as rows.
fn of_rows(answer: &Answer) -> Vec<Triple> {
    let triple = |row: &Vec<Option<Term>>| {
        let [Some(subject), Some(Term::NamedNode(predicate)), Some(object)] = row.as_slice() else {
            return None;
        };
        let predicate: NamedNode = predicate.clone();
        match subject.clone() {
            Term::NamedNode(node) => Some(Triple::new(node, predicate, object.clone())),
            Term::BlankNode(node) => Some(Triple::new(node, predicate, object.clone())),
            Term::Literal(_) => None,
        }
    };
    match &answer.results {
        Results::Graph(triples) => triples.clone(),
        Results::Solutions(found) => found.rows.iter().filter_map(triple).collect(),
        Results::Boolean(_) => Vec::new(),
    }
}
