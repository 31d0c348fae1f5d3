//! Exploring a dataset from outside with the tools of the agent, for external models. Each call takes a place in the
//! queue and is subject to the same limits and checks as questions.

use super::{QuestionTime, Service, ServiceError, emptiness, fault};
use crate::agent::graph_text;
use crate::agent_features::AgentFeatures;
use crate::llm::ToolSpec;
use crate::rendering::{cell_text, iri_text};
use crate::service::index::confirm_index;
use crate::tools::{
    Arguments, Observation, ObservationKind, TOOLS, Tool, ToolContext, TriedQuery, Workspace, explain_empty,
    spec, try_query,
};
use eruca_api::Empty;
use eruca_dataset::{Dataset, RunQuery};
use eruca_sparql::{Answer, Solutions, Term, one_line};
use futures_util::FutureExt;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Time limit for one call.
const CALL_TIME: Duration = Duration::from_secs(40);
/// Maximum length, in characters, of a text cell.
const MAX_CELL_CHARS: usize = 300;
const LATE: &str = "The time for this call is over; ask for less.";

/// The result of a tool call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explored {
    /// The id of the dataset.
    pub dataset: String,
    /// The kind of outcome: `ok`, `empty`, `bad_call`, ...
    pub outcome: &'static str,
    /// Whether the call was valid and succeeded.
    pub done: bool,
    /// The output, written for a model.
    pub text: String,
}

/// A query that was tried, with its result or the reason why there is none.
#[derive(Debug, Clone)]
pub struct QueryTried {
    /// The id of the dataset.
    pub dataset: String,
    /// The kind of outcome: `ok`, `empty`, `syntax_error`, ...
    pub outcome: &'static str,
    /// The query as it was run, if it was.
    pub query: Option<String>,
    /// Its result.
    pub answer: Option<Arc<Answer>>,
    /// Why it could not be run.
    pub failure: Option<String>,
    /// Why the result is empty.
    pub empty: Option<Empty>,
    /// Possible problems with the query.
    pub notes: Vec<String>,
}

/// Rows of a result as text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cells {
    /// The column names; empty for a boolean result.
    pub columns: Vec<String>,
    /// The rows, cell by cell.
    pub rows: Vec<Vec<Option<String>>>,
    /// Labels of entities, by cell text.
    pub names: BTreeMap<String, String>,
    /// The prefixes used in the cells, with their namespaces.
    pub prefixes: BTreeMap<String, String>,
}

/// A tool for exploring a dataset, offered to external models.
#[derive(Debug, Clone)]
pub struct ExplorationTool {
    /// The specification given to models.
    pub spec: ToolSpec,
    /// Whether it runs a query written by the model; for these, [`Service::try_query`] returns more detail.
    pub runs_query: bool,
    /// Whether it runs triple patterns that the caller wrote.
    pub runs_patterns: bool,
    /// Whether it searches the texts beside a graph.
    pub needs_texts: bool,
}

/// The tools for exploring a dataset: those of the agent, except the ones about its own work.
pub fn exploration_tools() -> Vec<ExplorationTool> {
    let without_texts = AgentFeatures { texts: false, ..AgentFeatures::default() };
    let told = |tool: &dyn Tool| ExplorationTool {
        spec: spec(tool),
        runs_query: tool.runs_query(),
        runs_patterns: tool.runs_patterns(),
        needs_texts: !tool.is_shown(without_texts),
    };
    exploring().map(told).collect()
}

fn exploring() -> impl Iterator<Item = &'static dyn Tool> {
    TOOLS.iter().copied().filter(|tool| !tool.states_form() && !tool.needs_workspace())
}

impl Service {
    /// Calls one of the [`exploration_tools`].
    ///
    /// # Errors
    /// If there is no such dataset or tool, the index is damaged, or the service is overloaded.
    pub async fn explore(
        self: &Arc<Self>,
        dataset: &str,
        tool: &str,
        arguments: Map<String, Value>,
    ) -> Result<Explored, ServiceError> {
        let known = exploring().find(|known| known.name() == tool);
        let tool = known.ok_or_else(|| ServiceError::Invalid {
            field: "tool",
            message: format!("there is no tool '{}'", one_line(tool, super::MAX_PANIC_CHARS)),
        })?;
        let arguments = Arguments::parse(&Value::Object(arguments).to_string())
            .map_err(|message| ServiceError::Invalid { field: "arguments", message })?;
        let call = move |call: Call| async move { tool.call(&arguments, &call.context()).await };
        let (dataset, observation) = self.apart(dataset, call).await?;
        let observation = observation.unwrap_or_else(late).shortened(self.limits.budget.observation_chars);
        Ok(Explored {
            dataset: dataset.id.clone(),
            outcome: observation.kind.as_str(),
            done: !matches!(observation.kind, ObservationKind::BadCall | ObservationKind::Failed),
            text: observation.text,
        })
    }

    /// Runs a query written by a model, and explains an empty result.
    ///
    /// # Errors
    /// As [`explore`](Self::explore). Errors in the query are part of the result.
    pub async fn try_query(self: &Arc<Self>, dataset: &str, query: &str) -> Result<QueryTried, ServiceError> {
        let query = query.to_owned();
        let call = move |call: Call| async move { tried(&query, &call.context()).await };
        let (dataset, tried) = self.apart(dataset, call).await?;
        let (tried, notes, empty) = tried.unwrap_or_else(|| (too_late(), Vec::new(), None));
        let TriedQuery { kind, seen, run } = tried;
        let (query, answer, failure) = match run {
            Some(RunQuery { query, result: Ok(answer), .. }) => {
                (Some(query.text().to_owned()), Some(answer), None)
            }
            Some(RunQuery { query, result: Err(_), .. }) => (Some(query.text().to_owned()), None, Some(seen)),
            None => (None, None, Some(seen)),
        };
        let (dataset, outcome) = (dataset.id.clone(), kind.as_str());
        Ok(QueryTried { dataset, outcome, query, answer, failure, empty, notes })
    }

    /// What a model should know about a dataset before exploring it.
    ///
    /// # Errors
    /// If there is no such dataset, or its index is damaged.
    pub async fn graph_text(self: &Arc<Self>, dataset: &str) -> Result<String, ServiceError> {
        let (dataset, tokens) = (self.looked_at(dataset, None)?, self.limits.budget.card_tokens);
        self.look(async move { graph_text(&dataset, tokens) }).await
    }

    /// The first rows of a result as a table of terms in SPARQL syntax, with the prefixes of the dataset. Labels come
    /// from `labels`, by IRI, then from the dataset.
    pub fn cells(
        &self,
        dataset: &str,
        answer: &Answer,
        labels: &BTreeMap<String, String>,
        most: usize,
    ) -> Cells {
        let Some(dataset) = self.dataset(dataset) else { return Cells::default() };
        let Solutions { variables: columns, rows } = answer.table(most);
        let (mut names, mut prefixes) = (BTreeMap::new(), BTreeMap::new());
        for node in rows.iter().flatten().flatten().filter_map(thing) {
            prefixes.extend(prefix_of(&dataset, &iri_text(&dataset, node)));
            let label = labels.get(node).cloned().or_else(|| dataset.label(node));
            names.extend(label.map(|label| (iri_text(&dataset, node), one_line(&label, MAX_CELL_CHARS))));
        }
        let row = |row: &Vec<Option<Term>>| {
            row.iter()
                .map(|term| term.as_ref().map(|term| cell_text(&dataset, term, MAX_CELL_CHARS)))
                .collect()
        };
        Cells { columns, rows: rows.iter().map(row).collect(), names, prefixes }
    }

    /// Runs a call on the CPU pool, with a place in the queue; `None` if it timed out.
    async fn apart<T, F>(
        self: &Arc<Self>,
        dataset: &str,
        work: impl FnOnce(Call) -> F,
    ) -> Result<(Arc<Dataset>, Option<T>), ServiceError>
    where
        T: Send,
        F: Future<Output = T> + Send + 'static,
    {
        let dataset = self.looked_at(dataset, None)?;
        let time = QuestionTime::from_now(CALL_TIME.min(self.limits.deadline));
        let _place = self.queue.enter(time.allowed / 2).await?;
        let (features, max_chars) = (self.limits.features, self.limits.budget.observation_chars);
        let work = work(Call { dataset: dataset.clone(), time, features, max_chars });
        let done = AssertUnwindSafe(tokio::time::timeout(time.left(), self.cpu_pool.aside(work)));
        let done = done.catch_unwind().await.map(Result::ok);
        let done = done.map_err(|panic| fault(panic.as_ref(), Vec::new()))?;
        confirm_index(&dataset).await?;
        Ok((dataset, done))
    }
}

/// Everything a call needs, owned so that it can move to another thread.
struct Call {
    dataset: Arc<Dataset>,
    time: QuestionTime,
    features: AgentFeatures,
    max_chars: usize,
}

impl Call {
    fn context(&self) -> ToolContext<'_> {
        let Self { dataset, time, features, max_chars } = self;
        ToolContext {
            dataset,
            timeout: time.left(),
            features: *features,
            max_chars: *max_chars,
            workspace: Workspace::EMPTY,
        }
    }
}

/// Tries a query. The reason for an empty result is returned separately from the other notes.
async fn tried(query: &str, context: &ToolContext<'_>) -> (TriedQuery, Vec<String>, Option<Empty>) {
    let started = Instant::now();
    let ToolContext { dataset, timeout, max_chars, .. } = *context;
    let tried = try_query(query, context).await;
    let notes = tried.notes(context).await.all;
    let left = timeout.saturating_sub(started.elapsed());
    let empty = match &tried.run {
        Some(RunQuery { query, result: Ok(answer), .. }) if answer.is_empty() => {
            Some(emptiness::explain(dataset, query, context.features, left).await)
        }
        // Relaxing a condition would still return a number, so it proves nothing.
        Some(RunQuery { query, result: Ok(answer), .. }) if answer.is_zero_aggregate() => {
            let reason = explain_empty(query, &ToolContext { timeout: left / 2, ..*context }).await;
            Some(Empty { reason: one_line(&reason, max_chars), drop: Vec::new() })
        }
        Some(_) | None => None,
    };
    (tried, notes, empty)
}

fn late() -> Observation {
    Observation::new(ObservationKind::QueryFailed("timeout"), LATE)
}

fn too_late() -> TriedQuery {
    let Observation { kind, text: seen, run, .. } = late();
    TriedQuery { kind, seen, run }
}

fn thing(term: &Term) -> Option<&str> {
    match term {
        Term::NamedNode(node) => Some(node.as_str()),
        Term::BlankNode(_) | Term::Literal(_) => None,
    }
}

/// The prefix of a displayed term and its namespace; `None` for an IRI in angle brackets.
fn prefix_of(dataset: &Dataset, shown: &str) -> Option<(String, String)> {
    let (prefix, _) = shown.split_once(':').filter(|_| !shown.starts_with('<'))?;
    dataset.prefixes().get(prefix).map(|iri| (prefix.to_owned(), iri.to_owned()))
}
