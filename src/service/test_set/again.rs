//! A question of the test set asked again: its result is compared with that of the right query, as both are now.

use super::TestSetFailure;
use crate::service::{Ask, Question, Service, Wanted};
use eruca_api::{AgainReason, AskedAgain, Compared, TrialAnswer};
use eruca_dataset::Dataset;
use eruca_eval::rows::row_f1;
use eruca_knowledge::test_set::TestQuestion;
use eruca_sparql::{Answer, Results, Solutions, one_line};
use std::collections::HashSet;
use std::sync::Arc;

/// Longest cell, in characters.
const MAX_CELL_CHARS: usize = 80;
/// Rows of another query that are told.
const FIRST_ROWS: usize = 3;

impl Service {
    /// Asks a question of the test set again.
    pub async fn ask_again(self: &Arc<Self>, dataset: &Arc<Dataset>, test: &TestQuestion) -> AskedAgain {
        let (answer, given) = self.asked(dataset, &test.question).await;
        let reason = match (&test.sparql, &given) {
            (_, None) => Some(AgainReason::None),
            (Some(gold), Some(given)) => match now(dataset, gold).await {
                Ok(gold) => (!same(&gold, given)).then_some(AgainReason::Other),
                Err(_) => Some(AgainReason::Gold),
            },
            (None, Some(given)) => Some(still_wrong(dataset, test, given).await),
        };
        AskedAgain { id: test.id.clone(), right: reason.is_none(), reason, answer }
    }

    async fn asked(self: &Arc<Self>, dataset: &Dataset, text: &str) -> (TrialAnswer, Option<Arc<Answer>>) {
        let question = Question { dataset: dataset.id.clone(), text: text.to_owned() };
        let ask = Ask { wanted: Wanted::Words, alternatives: false, test: true, ..Ask::alone(question) };
        self.tried(ask).await
    }

    /// Whether another query gives what a query gives.
    ///
    /// # Errors
    /// When one of them does not run.
    pub async fn compare(
        &self,
        dataset: &Dataset,
        answered: &str,
        other: &str,
    ) -> Result<Compared, TestSetFailure> {
        let failed = |reason| TestSetFailure::Query { reason };
        let given = now(dataset, answered).await.map_err(failed)?;
        let other = now(dataset, other).await.map_err(failed)?;
        Ok(Compared { same: same(&other, &given), rows: other.row_count(), first: first(dataset, &other) })
    }
}

/// What a query gives now.
async fn now(dataset: &Dataset, query: &str) -> Result<Arc<Answer>, String> {
    let query = dataset.check(query).map_err(|error| error.to_string())?;
    dataset.run(&query, dataset.rules.limits.timeout).await.map_err(|error| error.to_string())
}

async fn still_wrong(dataset: &Dataset, test: &TestQuestion, given: &Answer) -> AgainReason {
    let Some(wrong) = &test.wrong else { return AgainReason::Unjudged };
    match now(dataset, wrong).await {
        Ok(wrong) if same(&wrong, given) => AgainReason::Same,
        _ => AgainReason::Unjudged,
    }
}

/// Whether a result is the right one: all rows and none in excess; further columns do not count.
fn same(gold: &Answer, given: &Answer) -> bool {
    match row_f1(&distinct(gold), Some(&distinct(given))) {
        Some(score) => score == 1.0,
        None => given.is_empty(),
    }
}

/// A result with each row once: how often a query gives a row is not what was asked.
fn distinct(answer: &Answer) -> Answer {
    let Results::Solutions(Solutions { variables, rows }) = &answer.results else { return answer.clone() };
    let mut seen = HashSet::new();
    let text = |row: &Vec<_>| row.iter().map(|term| format!("{term:?}")).collect::<Vec<_>>();
    let rows = rows.iter().filter(|row| seen.insert(text(row))).cloned().collect();
    let results = Results::Solutions(Solutions { variables: variables.clone(), rows });
    Answer { results, ..answer.clone() }
}

/// The first rows of a result, with names.
fn first(dataset: &Dataset, answer: &Answer) -> Vec<String> {
    use eruca_sparql::Term;
    let cell = |term: &Option<Term>| match term {
        Some(Term::NamedNode(node)) => {
            dataset.label(node.as_str()).unwrap_or_else(|| dataset.compact(node.as_str()))
        }
        Some(Term::Literal(literal)) => literal.value().to_owned(),
        Some(Term::BlankNode(_)) | None => String::new(),
    };
    match &answer.results {
        Results::Boolean(holds) => vec![holds.to_string()],
        Results::Solutions(found) => {
            let line = |row: &Vec<Option<Term>>| {
                let cells: Vec<String> =
                    row.iter().map(|term| one_line(&cell(term), MAX_CELL_CHARS)).collect();
                cells.join(" · ")
            };
            found.rows.iter().take(FIRST_ROWS).map(line).collect()
        }
        Results::Graph(_) => Vec::new(),
    }
}
