//! Making the edits, each proved harmless by the results.
//!
//! The kept columns have the same rows, a COUNT is the number of distinct values, an ASK is true where there was a row,
//! what a removed LIMIT adds was not there before. Edits work on the algebra, never on the text. Test:
//! `tests/form_peers.rs`.

use super::prune::edits;
use super::read::AnswerForm;
use crate::dataset::{Dataset, RunQuery};
use eruca_sparql::{Answer, Results, Rewrite, Term};
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// With less time than this left, no further edit is tried.
const MIN_TIME: Duration = Duration::from_millis(20);
/// Kept back, so that an edit that hangs does not carry the answer over the deadline.
const SPARE_TIME: Duration = Duration::from_millis(50);

/// A query brought to the form of the answer.
#[derive(Debug)]
pub struct Fitted {
    /// The query after the edits, with its result.
    pub run: RunQuery,
    /// What was changed, in words for people.
    pub changes: Vec<String>,
}

/// Brings a query that has run to the form of the answer. What cannot be proved harmless is left as it is.
pub async fn fit(form: &AnswerForm, run: RunQuery, dataset: &Dataset, deadline: Instant) -> Fitted {
    let mut fitted = Fitted { run, changes: Vec::new() };
    let Ok(answer) = &fitted.run.result else { return fitted };
    for edit in edits(form, &fitted.run.query, answer, dataset) {
        let left = deadline.saturating_duration_since(Instant::now()).saturating_sub(SPARE_TIME);
        if left < MIN_TIME {
            break;
        }
        if let Some(changed) = try_edit(&edit, &fitted.run, dataset, left).await {
            fitted.changes.push(describe(&edit));
            fitted.run = changed;
        }
    }
    fitted
}

async fn try_edit(edit: &Rewrite, run: &RunQuery, dataset: &Dataset, timeout: Duration) -> Option<RunQuery> {
    let before = run.result.as_ref().ok()?;
    let text = run.query.rewritten(edit, &dataset.index.card.prefixes)?;
    let query = dataset.check(&text).ok()?;
    let after = dataset.run(&query, timeout).await.ok()?;
    is_harmless(edit, before, &after).then_some(RunQuery { query, result: Ok(after) })
}

fn describe(edit: &Rewrite) -> String {
    match edit {
        Rewrite::Columns(columns) => {
            format!("kept the columns that the question asks for: ?{}", columns.join(" ?"))
        }
        Rewrite::Distinct => "made the rows distinct".to_owned(),
        Rewrite::NoLimit => "removed a LIMIT that the question does not ask for".to_owned(),
        Rewrite::Ask => "turned it into ASK: the question asks for yes or no".to_owned(),
        Rewrite::Count(variable) => format!("counted ?{variable}: the question asks how many"),
    }
}

/// Whether the results say that the edit has changed the form and nothing else.
fn is_harmless(edit: &Rewrite, before: &Answer, after: &Answer) -> bool {
    if before.incomplete.is_some() && !matches!(edit, Rewrite::Ask) {
        return false;
    }
    match (edit, &before.results, &after.results) {
        (Rewrite::Ask, Results::Solutions(rows), Results::Boolean(found)) => *found != rows.rows.is_empty(),
        (Rewrite::Count(variable), _, Results::Solutions(counted)) => {
            let distinct = rows_of(before, std::slice::from_ref(variable)).map(|rows| rows.len().to_string());
            let number = counted.rows.first().and_then(|row| row.first().cloned().flatten());
            matches!((distinct, number), (Some(rows), Some(Term::Literal(number))) if rows == number.value())
        }
        (Rewrite::Columns(columns), _, Results::Solutions(_)) => same_columns(columns, before, after),
        (Rewrite::Distinct, Results::Solutions(old), Results::Solutions(_)) => {
            same_columns(&old.variables, before, after)
        }
        (Rewrite::NoLimit, Results::Solutions(old), Results::Solutions(_)) => {
            match (rows_of(before, &old.variables), rows_of(after, &old.variables)) {
                (Some(few), Some(all)) => few.is_subset(&all) && after.incomplete.is_none(),
                _ => false,
            }
        }
        _ => false,
    }
}

/// The kept columns hold the same rows as before. A column that was not projected before (a thing in place of its
/// name) must at least hold as many.
fn same_columns(columns: &[String], before: &Answer, after: &Answer) -> bool {
    match (rows_of(before, columns), rows_of(after, columns)) {
        (Some(old), Some(new)) => old == new,
        (None, Some(new)) => !new.is_empty() && after.row_count() <= before.row_count(),
        _ => false,
    }
}

type Row = Vec<Option<Term>>;

/// The distinct rows of some columns; `None` when a column is not there.
fn rows_of(answer: &Answer, columns: &[String]) -> Option<HashSet<Row>> {
    let Results::Solutions(solutions) = &answer.results else { return None };
    let at: Option<Vec<usize>> =
        columns.iter().map(|column| solutions.variables.iter().position(|name| name == column)).collect();
    let at = at?;
    Some(
        solutions
            .rows
            .iter()
            .map(|row| at.iter().map(|index| row.get(*index).cloned().flatten()).collect())
            .collect(),
    )
}
