//! `execute_sparql`: runs a query and shows its result, or why there is none.

use super::arguments::schema;
use super::diagnosis::{explain_empty, unknown_terms, unused_terms};
use super::preflight::{doubts, left_out};
use super::ties;
use super::{Arguments, Observation, ObservationKind, OpenPoint, Tool, ToolContext};
use async_trait::async_trait;
use eruca_dataset::{Dataset, RunQuery};
use eruca_sparql::{Answer, Incomplete, QueryError, quoted};

/// Rows of a result that is shown whole, and of a longer one: the first and last ones.
const WHOLE_ROWS: usize = 15;
const FIRST_ROWS: usize = 8;
const LAST_ROWS: usize = 2;
/// Maximum length of an endpoint's message in characters.
const MAX_WORDS: usize = 400;

pub(super) struct ExecuteSparql;

#[async_trait]
impl Tool for ExecuteSparql {
    fn name(&self) -> &'static str {
        "execute_sparql"
    }

    fn description(&self) -> &'static str {
        "Runs a read-only SPARQL 1.1 query (SELECT, ASK, CONSTRUCT, DESCRIBE) and shows the first and last rows, \
         or why it failed or returned no rows. Known prefixes need not be declared."
    }

    fn parameters(&self) -> serde_json::Value {
        schema(&[("query", "the SPARQL query", true)])
    }

    fn runs_query(&self) -> bool {
        true
    }

    async fn call(&self, arguments: &Arguments, context: &ToolContext<'_>) -> Observation {
        match arguments.text("query") {
            Ok(query) => run_query(query, context).await,
            Err(reason) => Observation::bad_call(reason),
        }
    }
}

/// A query that was tried, with the outcome.
pub struct TriedQuery {
    /// The kind of outcome.
    pub kind: ObservationKind,
    /// Its rows as a short table, or why it failed.
    pub seen: String,
    /// The query that was run, if the text was a valid query.
    pub run: Option<RunQuery>,
}

/// Notes for the model about a query and its result.
#[derive(Default)]
pub struct QueryNotes {
    /// All notes.
    pub all: Vec<String>,
    /// Open points: reasons why it may not be the right query.
    pub open: Vec<OpenPoint>,
}

/// Checks and runs a query and returns the outcome as an observation, with notes.
pub async fn run_query(text: &str, context: &ToolContext<'_>) -> Observation {
    let tried = try_query(text, context).await;
    let mut notes = tried.notes(context).await;
    if let Some(run) = &tried.run
        && tried.kind == ObservationKind::Empty
        && context.features.explain_empty
    {
        notes.all.push(explain_empty(&run.query, context).await);
    }
    tried.observation(notes)
}

/// Checks and runs a query.
pub async fn try_query(text: &str, context: &ToolContext<'_>) -> TriedQuery {
    let dataset = context.dataset;
    let query = match dataset.check(text) {
        Ok(query) => query,
        Err(error) => return TriedQuery::of(query_failed(dataset, &error, error.to_string()), None),
    };
    let result = dataset.run(&query, context.timeout).await;
    let observation = match &result {
        Ok(answer) => came_back(dataset, answer).await,
        Err(error) => query_failed(dataset, error, error.told_to_models()),
    };
    TriedQuery::of(observation, Some(RunQuery::new(query, result)))
}

impl TriedQuery {
    fn of(observation: Observation, run: Option<RunQuery>) -> Self {
        Self { kind: observation.kind, seen: observation.text, run }
    }

    /// Unknown and unused terms, unlikely patterns, ties cut off by a LIMIT.
    pub async fn notes(&self, context: &ToolContext<'_>) -> QueryNotes {
        let Some(RunQuery { query, result, .. }) = &self.run else { return QueryNotes::default() };
        if query.calls_services() {
            // The index of one dataset says nothing about what others have.
            return QueryNotes::default();
        }
        let answer = result.as_deref().ok();
        let mut all: Vec<String> = unknown_terms(query, answer, context).await.into_iter().collect();
        all.extend(unused_terms(query, context.dataset).await);
        let mut open = Vec::new();
        if context.features.preflight {
            all.extend(doubts(query, answer, context.dataset));
        }
        if let Some(answer) = answer
            && context.features.preflight
        {
            let tie = ties::note(query, answer, context).await;
            all.extend(tie.clone());
            open.extend(tie.map(|text| OpenPoint { kind: "tie", text }));
            let left_out = left_out(query, answer, context.dataset);
            open.extend(left_out.map(|text| OpenPoint { kind: "partial", text }));
        }
        QueryNotes { all, open }
    }

    /// The observation for the model.
    pub fn observation(self, notes: QueryNotes) -> Observation {
        let Self { kind, seen, run } = self;
        let text = std::iter::once(seen).chain(notes.all).collect::<Vec<_>>().join("\n");
        Observation { run, open: notes.open, ..Observation::new(kind, text) }
    }
}

async fn came_back(dataset: &Dataset, answer: &Answer) -> Observation {
    dataset.fetch_names_of(answer).await;
    if !answer.gives_nothing() {
        return answered(dataset, answer);
    }
    let seen = if answer.is_empty() { "0 rows.".to_owned() } else { dataset.table(answer, 1, 0) };
    Observation::new(ObservationKind::Empty, seen)
}

/// A result with rows as a table.
pub(super) fn answered(dataset: &Dataset, answer: &Answer) -> Observation {
    let whole = answer.row_count() <= WHOLE_ROWS;
    let (first, last) = if whole { (WHOLE_ROWS, 0) } else { (FIRST_ROWS, LAST_ROWS) };
    let table = dataset.table(answer, first, last);
    let part = |words: &str| {
        format!("{table}\nThe endpoint gave only a part of the result: {words}. Do not trust counts over it.")
    };
    let text = match &answer.incomplete {
        None => return Observation::new(ObservationKind::Ok, table),
        Some(Incomplete::ServerRows(rows)) => part(&format!("the server returns at most {rows} rows")),
        Some(Incomplete::Endpoint(words)) => part(&quoted(words, MAX_WORDS)),
        Some(Incomplete::RowLimit(_) | Incomplete::ByteLimit(_)) => table,
    };
    Observation::new(ObservationKind::Truncated, text)
}

/// The error in words for a model, with advice.
pub(super) fn query_failed(dataset: &Dataset, error: &QueryError, told: String) -> Observation {
    let advice = match error {
        QueryError::UnknownPrefix { .. } => {
            let known: Vec<String> = dataset
                .index
                .card
                .prefixes
                .shown_pairs()
                .map(|(name, iri)| format!("{name}: <{iri}>"))
                .collect();
            format!(" Known prefixes: {}.", known.join(", "))
        }
        QueryError::Timeout { .. } => {
            " Make it smaller: fewer patterns, a LIMIT in a subquery, no unbound paths.".to_owned()
        }
        QueryError::RateLimited { .. } | QueryError::Unavailable { .. } => {
            " This is not your query's fault.".to_owned()
        }
        _ => String::new(),
    };
    Observation::new(ObservationKind::QueryFailed(error.kind()), sentence(&told) + &advice)
}

/// The text with a full stop, unless it already ends a sentence.
fn sentence(text: &str) -> String {
    let ends = text.ends_with(['.', '!', '?', '…']);
    if ends { text.to_owned() } else { format!("{text}.") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_an_error_stay_as_they_are() {
        for whole in [
            "ends at line 3.",
            "what is this?",
            "no such file: ../a/../b.",
            "SELECT ... WHERE ...",
            "left out…",
        ] {
            assert_eq!(sentence(whole), whole);
        }
        assert_eq!(sentence("open '../a.ttl' (1..3)"), "open '../a.ttl' (1..3).");
    }
}
